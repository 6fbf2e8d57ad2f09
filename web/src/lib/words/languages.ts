/** The languages of the terminals: one catalogue each, English at hand and the others loaded when they are chosen. */
import english from "$languages/en.json?everywhere";
import { Language, type Catalogue, type Words } from "./language";

/** Every language's own name, by file; vite.config.ts takes the parts out of the catalogues. */
const NAMES = import.meta.glob<string>("$languages/*.json", { eager: true, query: "?name", import: "name" });
const CATALOGUES = import.meta.glob<Catalogue>(["$languages/*.json", "!$languages/en.json"], { import: "default" });

const codeOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1, -".json".length);

const atHand: Record<string, Words> = { ...english };
export const ENGLISH = new Language("en", atHand);
/** More English, of a screen that says more than the others. */
export const learn = (more: Catalogue): void => void Object.assign(atHand, more);
/** The languages that can be chosen, by code. */
export const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).map(([file, name]) => [codeOf(file), name]),
);

/** The catalogue of a language, from the house; English where there is no such language. */
export async function fetched(code: string): Promise<Language> {
  const file = Object.keys(CATALOGUES).find((each) => codeOf(each) === code);
  const catalogue = file && (await CATALOGUES[file]?.());
  return catalogue ? new Language(code, catalogue) : ENGLISH;
}
