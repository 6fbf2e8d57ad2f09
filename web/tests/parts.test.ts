/** The sheet of all parts, and what chips and motion are made of. */
import { cleanup, render } from "@testing-library/svelte";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RANKS, SUITS } from "$lib/cards";
import { stackOf } from "$lib/chips";
import { countsFor } from "$lib/travel";
import { GAMES, HANDS } from "$parts/sheet/states";
import Parts from "$parts/sheet/Parts.svelte";

let container: HTMLElement;
beforeAll(() => {
  ({ container } = render(Parts));
}, 30_000);
afterAll(cleanup);

test("every card and every state of a hand is on the sheet, on every cloth", () => {
  for (const suit of SUITS)
    for (const rank of RANKS)
      expect(container.querySelector(`[data-card="${rank}${suit}"]`), rank + suit).not.toBeNull();
  for (const game of GAMES)
    expect(container.querySelectorAll(`[data-game="${game}"] [data-testid="hands"] .hand`)).toHaveLength(HANDS.length);
});

test("a court card has its own drawing, and an index in the ink of its suit", () => {
  const drawing = (code: string) =>
    [...(container.querySelector(`[data-card="${code}"]`)?.querySelectorAll("path") ?? [])].map((path) =>
      path.getAttribute("d"),
    );
  expect(drawing("Kh")).not.toEqual(drawing("Qh"));
  expect(drawing("Qh")).not.toEqual(drawing("Jh"));
  expect(drawing("Kh").length).toBeGreaterThan(drawing("9h").length);
  expect(container.querySelector('[data-card="Th"] text')?.textContent?.trim()).toBe("10");
});

test("what won is lit, and nothing else", () => {
  const lit = (label: string) => container.querySelectorAll(`[aria-label="${label}"] .lit`).length;
  expect([lit("won"), lit("blackjack"), lit("pushed"), lit("lost"), lit("playing")]).toEqual([
    2 * GAMES.length,
    2 * GAMES.length,
    0,
    0,
    0,
  ]);
});

test("a stack is cut like a dealer cuts it, and shows six chips at most", () => {
  expect(stackOf(186_00)).toEqual([100_00, 50_00, 25_00, 10_00, 1_00]);
  expect(stackOf(20_00)).toEqual([10_00, 10_00]);
  expect(stackOf(0)).toEqual([]);
  expect(stackOf(12_345_00)).toHaveLength(6);
  for (const amount of [1_00, 40_00, 365_00]) expect(stackOf(amount).reduce((sum, chip) => sum + chip, 0)).toBe(amount);
});

test("a larger win is counted longer, and nobody waits for the largest", () => {
  document.documentElement.style.setProperty("--count", "700ms");
  const [even, blackjack, ten, thousand] = [1, 1.5, 10, 1_000].map((times) => countsFor(times * 10_00, 10_00));
  expect(even).toBeLessThan(blackjack ?? 0);
  expect(blackjack).toBeLessThan(ten ?? 0);
  expect(thousand).toBe(1_400);
});
