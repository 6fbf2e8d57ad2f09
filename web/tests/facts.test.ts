/** No number of a game is written into a terminal: it is told by the house, or stands in one named place. */
import { render, screen, cleanup } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HandView, WagerCard } from "../src/generated/protocol";
import type { RecordedRound } from "../src/generated/api";
import { coloursOf, denominations } from "../src/lib/chips";
import { withPlaces, worthOf } from "../src/lib/hands";
import { readAmount } from "../src/lib/money";
import { COLUMNS, HAND_CARDS, LOCATIONS, ROWS } from "../src/lib/nineCards";
import { settings } from "../src/lib/settings.svelte";
import History from "../src/play/History.svelte";
import { scene, settled } from "./scene";

beforeEach(() => void Object.assign(settings, { sound: false, motion: false, language: "en" }));
afterEach(cleanup);

const hand = (more: Partial<HandView>): HandView => ({
  cards: [],
  total: 0,
  soft: false,
  state: "",
  doubled: false,
  stake: 0,
  toke: 0,
  blackjack: false,
  returned: null,
  ...more,
});

describe("a hand", () => {
  test.each([
    [{ total: 0 }, ""],
    [{ total: 17 }, "17"],
    [{ total: 17, soft: true }, "soft 17"],
    [{ total: 21, soft: true }, "21"],
    [{ total: 21, soft: true, blackjack: true }, "blackjack"],
  ])("%j counts %j", (more, said) => expect(worthOf(hand(more))).toBe(said));

  test("keeps places for the cards that are to come, and drops none that came", () => {
    expect(withPlaces(["As"], 2)).toEqual(["As", ""]);
    expect(withPlaces(["As", "5d", "9c"], 2)).toEqual(["As", "5d", "9c"]);
  });
});

test("TCP 4: the array has three rows and three columns of three cards, as many as a hand", () => {
  expect(ROWS.map(({ name }) => name)).toEqual(["row-1", "row-2", "row-3"]);
  expect(COLUMNS[1]?.locations).toEqual([2, 5, 8]);
  expect([LOCATIONS, HAND_CARDS]).toEqual([9, 3]);
});

describe("money", () => {
  test("what a cashier types is whole minor units", () => {
    expect(["19.99", "0.1", "12", "1,5", " 7 "].map((typed) => readAmount(typed))).toEqual([
      1_999, 10, 1_200, 150, 700,
    ]);
    expect(["", "abc", "1.234", "-5", "1e3", "1,000.00"].map((typed) => readAmount(typed))).toEqual(
      Array(6).fill(null),
    );
    expect(readAmount("-5", true)).toBe(-500);
  });

  test("every chip has the colour of the largest denomination that it reaches", () => {
    const faces = [0, 499, 500, 999, 1_000, 2_500, 10_000, 50_000, 100_000].map((amount) => coloursOf(amount).face);
    expect(faces[0]).toBe(faces[1]);
    expect(faces[2]).toBe(faces[3]);
    expect(new Set(faces).size).toBe(7);
  });

  test("a tray with too few of the usual chips takes the smallest that fit", () => {
    const main = { main: true, chip: 100, amounts: [] as number[], least: 100, most: 1_000 } as unknown as WagerCard;
    expect(denominations([main])).toEqual([100, 200, 500, 1_000]);
  });
});

test("REC-2: a recalled round shows the seats that played, and no empty ones", async () => {
  const shown = scene("match-up-blackjack").find((step) => step.name === "result")?.messages ?? [];
  const table = shown.findLast((message) => message.is === "table");
  const recalled = {
    ...{
      table: "t1",
      game: "match-up-blackjack",
      title: "Match Up",
      round: 7,
      time: 0,
      dealing: "own-hands",
      seats: 4,
      record: { designators: {} },
    },
    steps: [
      {
        phase: "result",
        event: { key: "event.confirmed", facts: {} },
        layout: { dealer: [], seats: {}, ...(table?.layout as object) },
        view: null,
      },
    ],
  } as unknown as RecordedRound;
  render(History, { load: () => Promise.resolve([recalled]) });
  await settled();
  screen.getByRole("button").click();
  await settled();
  expect(screen.getByRole("list", { name: "4 seats" }).children).toHaveLength(3);
});
