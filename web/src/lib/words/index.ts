/** Words in the language of the terminal. The house sends phrases; every sentence is put together here. */
import { SvelteMap } from "svelte/reactivity";
import type { Phase, Phrase } from "../../generated/protocol";
import type { UiFacts } from "../../generated/words";
import { rankOf, suitOf } from "../cards";
import { change, settings } from "../settings.svelte";
import { lineName as lineIn, type Fact, type Language } from "./language";
import { ENGLISH, fetched, LANGUAGES } from "./languages";

export { LANGUAGES };

// --- the language -----------------------------------------------------------------------------------------------------

const loaded = new SvelteMap<string, Language>([[ENGLISH.code, ENGLISH]]);

/** The language that is spoken: the chosen one, or English where it could not be loaded. */
export const spoken = (): Language => loaded.get(settings.language) ?? ENGLISH;

/** Load a language, so that it can be spoken as soon as it is chosen. Fails where the house cannot be reached. */
export async function load(code: string): Promise<void> {
  if (!loaded.has(code)) loaded.set(code, await fetched(code));
}

/** Speak another language from now on, and tell whether its words could be loaded. */
export async function speak(code: string): Promise<boolean> {
  try {
    await load(code);
  } catch {
    return false;
  }
  change({ language: code });
  return true;
}

/** Before a screen is drawn: the words of the language that was chosen last. Without them it is drawn in English. */
export const ready = (): Promise<void> =>
  load(settings.language).catch(() => {
    // The language can be chosen again when the house can be reached.
  });

// --- the terminals' own words -----------------------------------------------------------------------------------------

type AnyKey = keyof UiFacts;
/** The keys of words without facts. */
export type Key = { [K in AnyKey]: UiFacts[K] extends null ? K : never }[AnyKey];

/** The words under a key, with the facts that they say; `w("round", { n: 12 })` is `Round 12`. */
export function w<K extends AnyKey>(
  key: K,
  ...[facts]: UiFacts[K] extends null ? [] : [facts: NonNullable<UiFacts[K]>]
): string {
  return spoken().say({ key: `ui.${key}`, facts });
}

export const phase = (name: Phase): string => w(`phase-${name}`);
/** How many play at a table. */
export const playersOf = (n: number): string => (n === 0 ? w("nobody-yet") : w("players", { n }));

// --- what the house says ----------------------------------------------------------------------------------------------

/** A phrase as it stands inside a sentence. */
export const say = (phrase: Phrase): string => spoken().say(phrase);
/** A phrase as a sentence of its own. */
export const sentence = (phrase: Phrase): string => spoken().sentence(phrase);
/** A phrase as a title or a label. */
export const heading = (phrase: Phrase): string => spoken().heading(phrase);

/** What the house says of an option, a wager or a report: a phrase, or text that somebody wrote. */
export const told = (said: string | Phrase): string => (typeof said === "string" ? said : sentence(said));
/** The same as a title or a label. */
export const titled = (said: string | Phrase): string => (typeof said === "string" ? said : heading(said));

/** Why the house refused something; where it sent no phrase that is known here, its own English. */
export const refusal = (english: string, why?: Phrase | null): string =>
  why && spoken().has(why.key) ? sentence(why) : english;

export const gameTitle = (name: string, title: string): string => spoken().name("game", name, title);
export const choice = (name: string): string => spoken().name("choice", name);
export const reason = (name: string): string => spoken().heading({ key: `reason.${name}` });
export const role = (name: string): string => spoken().name("role", name);
export const outcome = (name: string): string => spoken().name("outcome", name);
export const rankName = (rank: string): string => spoken().name("rank", rank);
export const suitName = (suit: string): string => spoken().name("suit", suit);
/** A fact as a sentence says it: `fact("trilux", "wager")`. */
export const fact = (value: Fact, kind: string): string => spoken().fact(value, kind);
/** Odds as the house writes them, `5:2`. */
export const odds = (ratio: string): string => fact(ratio, "odds");
/** A line of the array of nine cards: `row-1`. */
export const lineName = (line: string): string => lineIn(spoken(), line);

/** A wager, with the line that it lies on: `pair-plus@row-1`. */
export const wager = (name: string, title = name): string => {
  const bet = name.split("@")[0] ?? name;
  return spoken().has(`wager.${bet}`) ? fact(name, "wager") : title;
};

export function cardName(code: string): string {
  if (code === "?") return spoken().text("card.down");
  if (!code) return w("no-card");
  return say({ key: "pattern.card", facts: { rank: rankName(rankOf(code)), suit: suitName(suitOf(code)) } });
}

// --- times ------------------------------------------------------------------------------------------------------------

/** Times as the device writes them, where it speaks the language of the terminal; otherwise as that language does. */
const locale = (): string | undefined => (navigator.language.startsWith(spoken().code) ? undefined : spoken().code);
/** A moment, by the clock of the device, or of a time zone where one is named. */
export const when = (time: number, timeZone?: string): string =>
  new Date(time).toLocaleString(locale(), timeZone ? { timeZone, timeZoneName: "short" } : {});
export const day = (time: number): string => new Date(time).toLocaleDateString(locale());
