/** The array of nine cards: its rows and columns, and how many of its locations make a hand. */
import { LINES, PROPOSED_SPOTS } from "../generated/nineCards";

export { PROPOSED_SPOTS };

export interface Line {
  /** As wagers name it: `row-1` in `pair-plus@row-1`. */
  name: string;
  locations: readonly number[];
}

const all: Line[] = Object.entries(LINES).map(([name, locations]) => ({ name, locations }));
export const ROWS = all.filter(({ name }) => name.startsWith("row-"));
export const COLUMNS = all.filter(({ name }) => name.startsWith("column-"));
export const LOCATIONS = ROWS.reduce((count, { locations }) => count + locations.length, 0);
/** A player's hand and the dealer's packet have as many cards. */
export const HAND_CARDS = PROPOSED_SPOTS.length;
