/** The rules of play, as the house sends them: chapters of phrases and tables. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Chapter } from "../src/generated/protocol";
import { settings } from "../src/lib/settings.svelte";
import { load } from "../src/lib/words";
import Rulebook from "../src/parts/Rulebook.svelte";

const as = (text: string) => ({ key: "pattern.as-written", facts: { text } });
const CHAPTERS: Chapter[] = [
  {
    number: 1,
    title: { key: "event.no-more-bets" },
    parts: [
      { number: "1.1", said: { key: "why.blackjack", facts: { odds: "3:2" } }, clause: "SBJ 2.a", table: null },
      {
        number: "1.2",
        said: { key: "why.folded" },
        clause: "",
        table: {
          title: { key: "wager.trilux" },
          rows: [
            [{ key: "outcome.flush" }, { key: "pattern.odds", facts: { pays: 5, per: 1 } }],
            [as("chip"), as("5"), as("SBJ 3")],
          ],
        },
      },
    ],
  },
];
const lines = () =>
  [...screen.getByTestId("rules-text").children].map((line) => line.textContent.replace(/\s+/g, " ").trim());

beforeAll(() => load("zh"));
afterEach(() => {
  cleanup();
  settings.language = "en";
});

test("they keep their numbers, clauses and tables", () => {
  render(Rulebook, { level: 3, chapters: CHAPTERS });
  expect(lines()).toEqual([
    "1. No more bets",
    "1.1 Your blackjack pays 3 to 2. SBJ 2.a",
    "1.2 You folded.",
    "TriLux",
    "Flush 5 to 1",
    "chip: 5 SBJ 3",
  ]);
});

test("they are said in the language of the terminal", () => {
  settings.language = "zh";
  render(Rulebook, { level: 3, chapters: CHAPTERS });
  expect(lines()[4]).toBe("同花 5 比 1");
  expect(lines()[5]).toBe("chip: 5 SBJ 3");
});
