import { ENGLISH, LANGUAGES } from "./words/languages";

export interface Settings {
  /** The code of a language: `en`. */
  language: string;
  sound: boolean;
  motion: boolean;
  /** A colour for each suit, for people who cannot tell red from black easily. */
  fourColours: boolean;
  largeText: boolean;
  /** What is tapped lies under the left thumb. */
  leftHanded: boolean;
  /** Ask what each answer is worth, at tables with a coach. */
  coach: boolean;
}

const KEY = "podium.settings";

function saved(): Settings {
  const browser = typeof navigator === "undefined" ? "" : navigator.language.slice(0, 2);
  const usual: Settings = {
    language: LANGUAGES.has(browser) ? browser : ENGLISH.code,
    sound: true,
    motion: true,
    fourColours: false,
    largeText: false,
    leftHanded: false,
    coach: false,
  };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return usual;
  }
}

export const settings: Settings = $state(saved());

export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Whether things may move: the player's wish, and that of the device. */
export function moves(): boolean {
  return settings.motion && !globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
}
