export type Suit = "s" | "h" | "d" | "c";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"] as const;
export const SUITS: readonly Suit[] = ["s", "h", "d", "c"];
export const SYMBOLS: Record<Suit, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };

export const rankOf = (code: string): string => code.slice(0, 1);
export const suitOf = (code: string): Suit => code.slice(1, 2) as Suit;
export const indexOf = (code: string): string => (rankOf(code) === "T" ? "10" : rankOf(code));
export const symbols = (codes: string): string =>
  codes.replace(
    /\b([2-9TJQKA])([shdc])\b/g,
    (_, rank: string, suit: Suit) => `${rank === "T" ? "10" : rank}${SYMBOLS[suit]}`,
  );

/** A card as somebody types it or a reader sends it: `As`, `as`, `10h`, `1OH`. Null if it is not one. */
export function readCard(typed: string): string | null {
  const text = typed
    .trim()
    .toUpperCase()
    .replace(/^1[0O]/, "T");
  const rank = text.slice(0, 1);
  const suit = text.slice(1).toLowerCase();
  if (!"23456789TJQKA".includes(rank) || !rank || !["s", "h", "d", "c"].includes(suit)) return null;
  return rank + suit;
}
