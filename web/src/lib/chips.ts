import type { WagerCard } from "../generated/protocol";

const VALUES = [1, 2, 5, 10, 25, 50, 100, 200, 500, 1_000, 2_500, 10_000, 50_000, 100_000].map((value) => value * 100);

/** The chips of a table: five, or the six of a list, that its wagers can be made of, the smallest first. */
export function denominations(wagers: readonly WagerCard[]): number[] {
  const smallest = Math.max(1, Math.min(...wagers.map((wager) => Math.max(wager.chip, wager.amounts[0] ?? 1))));
  const main = wagers.find((wager) => wager.main);
  const listed = main?.amounts ?? [];
  if (listed.length)
    return [...new Set([...wagers.filter((wager) => !wager.main).map((wager) => wager.least), ...listed])]
      .sort((a, b) => a - b)
      .slice(0, 6);
  const most = main?.most ?? Infinity;
  const fitting = VALUES.filter((value) => value >= smallest && value % smallest === 0 && value <= most);
  const wanted = [1, 5, 25, 100, 500]
    .map((value) => value * Math.max(100, fitting[0] ?? 100))
    .filter((value) => fitting.includes(value));
  return wanted.length >= 3 ? wanted : fitting.slice(0, 5);
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
