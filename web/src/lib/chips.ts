/** The chips of a house: what they are worth, what they look like, and which of them a table needs. */
import type { WagerCard } from "../generated/protocol";
import { MINOR_UNITS } from "./money";

const DENOMINATIONS = [1, 2, 5, 10, 25, 50, 100, 200, 500, 1_000, 2_500, 10_000, 50_000, 100_000].map(
  (value) => value * MINOR_UNITS,
);
/** The usual tray, as multiples of its smallest chip. */
const USUAL_TRAY = [1, 5, 25, 100, 500];
const FEWEST_CHIPS = 3;
const MOST_CHIPS = USUAL_TRAY.length;
/** A tray of listed amounts has one more, for the smallest side bet. */
const MOST_LISTED_CHIPS = MOST_CHIPS + 1;

export interface ChipColours {
  /** In minor units: from this amount on. */
  from: number;
  face: string;
  print: string;
}

const SMALLEST_CHIP: ChipColours = { from: 0, face: "#e7e3d6", print: "#1b1b1b" };
const COLOURS: readonly ChipColours[] = [
  { from: 1_000 * MINOR_UNITS, face: "#c9a227", print: "#1d1600" },
  { from: 500 * MINOR_UNITS, face: "#6b3fa0", print: "#ffffff" },
  { from: 100 * MINOR_UNITS, face: "#20242c", print: "#ffffff" },
  { from: 25 * MINOR_UNITS, face: "#1d7a45", print: "#ffffff" },
  { from: 10 * MINOR_UNITS, face: "#1f5fae", print: "#ffffff" },
  { from: 5 * MINOR_UNITS, face: "#b3261e", print: "#ffffff" },
];

export const coloursOf = (amount: number): ChipColours => COLOURS.find(({ from }) => amount >= from) ?? SMALLEST_CHIP;

const HIGHEST_STACK = 6;
/** The chips that make an amount, the most valuable first, as a dealer would cut them; a high stack shows its first ones alone. */
export function stackOf(amount: number): number[] {
  const stack: number[] = [];
  let rest = amount;
  for (const value of DENOMINATIONS.toReversed())
    for (; rest >= value && stack.length < HIGHEST_STACK; rest -= value) stack.push(value);
  return stack;
}

/** The chips of a table, that its wagers can be made of, the smallest first. */
export function denominations(wagers: readonly WagerCard[]): number[] {
  const main = wagers.find((wager) => wager.main);
  if (main?.amounts.length) return listed(main.amounts, wagers);
  const smallest = Math.max(1, Math.min(...wagers.map((wager) => Math.max(wager.chip, wager.amounts[0] ?? 1))));
  const most = main?.most ?? Infinity;
  const fitting = DENOMINATIONS.filter((value) => value >= smallest && value % smallest === 0 && value <= most);
  const unit = Math.max(MINOR_UNITS, fitting[0] ?? MINOR_UNITS);
  const usual = USUAL_TRAY.map((multiple) => multiple * unit).filter((value) => fitting.includes(value));
  return usual.length >= FEWEST_CHIPS ? usual : fitting.slice(0, MOST_CHIPS);
}

/** Where the main wager takes listed amounts alone, they are the chips, with those of the side bets. */
function listed(amounts: readonly number[], wagers: readonly WagerCard[]): number[] {
  const sides = wagers.filter((wager) => !wager.main).map((wager) => wager.least);
  return [...new Set([...sides, ...amounts])].sort((one, other) => one - other).slice(0, MOST_LISTED_CHIPS);
}

export type Raised = { amount: number } | { refused: "most" | "amounts" };

/** What a spot holds after another chip: the next amount that the wager takes, or why it takes no more. */
export function raise(wager: WagerCard, held: number, chip: number): Raised {
  const wanted = held + chip;
  if (wager.amounts.length) {
    const next = wager.amounts.find(
      (amount) => amount > held && amount >= Math.min(wanted, wager.amounts.at(-1) ?? wanted),
    );
    return next === undefined ? { refused: "amounts" } : { amount: next };
  }
  if (wager.most !== null && held >= wager.most) return { refused: "most" };
  const whole = Math.ceil(Math.max(wanted, wager.least) / wager.chip) * wager.chip;
  return { amount: wager.most === null ? whole : Math.min(whole, wager.most) };
}

/** The largest amount that the wager takes and `room` covers; 0 if it takes none. */
export function mostOf(wager: WagerCard, room: number): number {
  if (wager.amounts.length) return wager.amounts.findLast((amount) => amount <= room) ?? 0;
  const most = Math.floor(Math.min(wager.most ?? Infinity, room) / wager.chip) * wager.chip;
  return most >= wager.least ? most : 0;
}
