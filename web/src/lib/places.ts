import { w } from "./words";

/** Where the next card goes, as the house names it (`seat 4, hand 2`), in the dealer's language. */
export function placeName(place: string): string {
  const [, where = place, n = ""] = /^(\D+?)\s*(\d*)(?:,|$)/.exec(place) ?? [];
  const hand = /hand (\d+)/.exec(place)?.[1];
  if (where === "seat") return hand ? w("place-seat-hand", { n, hand }) : w("place-seat", { n });
  if (where === "up card") return w("place-up");
  if (where === "hole card") return w("place-hole");
  if (where === "dealer") return n ? w("place-dealer", { n }) : w("place-draw");
  if (where === "player") return w("place-player", { n });
  if (where === "community") return w("place-community", { n });
  if (where === "location") return w("place-location", { n });
  return place;
}
