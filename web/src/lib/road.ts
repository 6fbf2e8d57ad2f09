/** The road of the last rounds: in each, what the dealer had, as every screen marks it. */
import type { Outcome } from "../generated/protocol";
import { type Key, w } from "./words";

const MARKS: Record<string, Key> = { blackjack: "blackjack-short", bust: "bust", void: "void-round" };

/** What the dealer had, in a word or a total: the mark of `dealers` in the list of tables, and of `dealerHad`. */
export const markOf = (had: string): string => (MARKS[had] ? w(MARKS[had]) : had);

/** The dealer's result in a past round, as `dealer_had` in src/podium/server/show.py names it; empty at games without totals. */
export function dealerHad({ layout, void: isVoid }: Outcome): string {
  if (isVoid) return "void";
  const hand = layout.dealers_hand ?? Object.values(layout.dealers)[0];
  if (!hand) return "";
  if (hand.blackjack) return "blackjack";
  return hand.state === "bust" ? "bust" : String(hand.total || "");
}
