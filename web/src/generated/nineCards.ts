// Written by scripts/protocol.py from the Python protocol; change that, not this.

/** The locations of each row and column. */
export const LINES = {"row-1": [1, 2, 3], "row-2": [4, 5, 6], "row-3": [7, 8, 9], "column-1": [1, 4, 7], "column-2": [2, 5, 8], "column-3": [3, 6, 9]} as const;

/** The locations of a player's own hand, until others are chosen. */
export const PROPOSED_SPOTS = [1, 2, 3] as const;
