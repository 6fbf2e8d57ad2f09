/** The states of hands and stacks that the sheet of parts shows, with the fields that the house sends for them. */
import type { HandView } from "../../generated/protocol";

export const GAMES = [
  "stadium-blackjack",
  "dynasty-blackjack",
  "stadium-three-card-poker",
  "match-up-blackjack",
  "mega-blackjack",
];

/** In minor units: a chip of each colour, and stacks of different chips. */
export const STACKS = [1_00, 5_00, 10_00, 25_00, 100_00, 500_00, 1_000_00, 40_00, 186_00, 12_345_00];

const dealt = (cards: string[], total: number, more: Partial<HandView> = {}): HandView => ({
  cards,
  total,
  soft: false,
  state: "",
  doubled: false,
  stake: 20_00,
  toke: 0,
  blackjack: false,
  returned: null,
  ...more,
});

interface Shown {
  hand: HandView | null;
  whose?: "mine" | "dealers" | "others";
  hole?: boolean;
  places?: number;
  wager?: number;
  active?: boolean;
}

export const HANDS: [string, Shown][] = [
  ["empty", { hand: null, places: 2 }],
  ["playing", { hand: dealt(["9s", "7d"], 16), wager: 20_00 }],
  ["in turn", { hand: dealt(["Ah", "6d"], 17, { soft: true }), wager: 20_00, active: true }],
  ["doubled", { hand: dealt(["6s", "5d", "Th"], 21, { doubled: true, stake: 40_00 }), wager: 20_00 }],
  ["bust", { hand: dealt(["Ks", "6d", "9c"], 25, { state: "bust", returned: 0 }), wager: 20_00 }],
  ["won", { hand: dealt(["Ks", "Qd"], 20, { state: "stood", returned: 40_00 }), wager: 20_00 }],
  ["pushed", { hand: dealt(["Jc", "8d"], 18, { state: "stood", returned: 20_00 }), wager: 20_00 }],
  ["lost", { hand: dealt(["Tc", "7d"], 17, { state: "stood", returned: 0 }), wager: 20_00 }],
  ["blackjack", { hand: dealt(["As", "Kh"], 21, { blackjack: true, returned: 50_00 }), wager: 20_00 }],
  ["dealer", { hand: dealt(["6h"], 6), whose: "dealers", hole: true }],
  ["neighbour", { hand: dealt(["7h", "8c"], 15), whose: "others" }],
];
