/** Blackjack hands, as every screen shows them. */
import type { HandView } from "../generated/protocol";
import { w } from "./words";

/** How many cards a hand begins with; their places are drawn before they are dealt. */
export const FIRST_CARDS = 2;
/** At this total an ace no longer has two values that matter. */
const HIGHEST_TOTAL = 21;

/** What a hand counts: `soft 17`, `20`, `blackjack`; empty before it has a total. */
export function worthOf({ blackjack, soft, total }: HandView): string {
  if (!total) return "";
  if (blackjack) return w("blackjack");
  return soft && total < HIGHEST_TOTAL ? w("soft", { n: total }) : String(total);
}

/** Cards, with empty places for those that are still to come. */
export const withPlaces = (cards: readonly string[], places: number): string[] => [
  ...cards,
  ...Array<string>(Math.max(0, places - cards.length)).fill(""),
];
