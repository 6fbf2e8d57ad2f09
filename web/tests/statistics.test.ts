import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RecordedRound } from "../src/generated/api";
import type { History, Outcome, SeatView } from "../src/generated/protocol";

import { complete } from "../src/lib/complete";
import { Favourites } from "../src/lib/favourites.svelte";
import { dealerHad } from "../src/lib/road";
import { settings } from "../src/lib/settings.svelte";
import { statisticsOf } from "../src/lib/statistics";
import Statistics from "../src/play/Statistics.svelte";
import { scene, SCENES, settled, TestBrowser, upTo } from "./scene";

/** A scene's round as the house recalls it for its player. */
function recalled(name: string, more: Partial<RecordedRound> = {}): RecordedRound {
  const views = scene(name).map(
    ({ messages }) => messages.findLast(({ is }) => is === "seat")?.view as SeatView | null,
  );
  const whole = complete({ is: "seat", view: views.at(-1) }) as unknown as { view: SeatView };
  return {
    round: 1184,
    time: 0,
    status: "settled",
    steps: [{ view: whole.view }],
    ...more,
  } as unknown as RecordedRound;
}
const past = (name: string): Outcome[] =>
  (complete(upTo(scene(name), scene(name)[0]!.name).find(({ is }) => is === "history")!) as History).rounds;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the road", () => {
  test.each(SCENES)("of %s has what the house says that the dealer had", (name) => {
    const card = (
      scene(name)[0]!.messages.find(({ is }) => is === "welcome")!.tables as { game: string; dealers?: string[] }[]
    ).find(({ game }) => game === (name === "split" ? "stadium-blackjack" : name))!;
    expect(past(name).map(dealerHad).filter(Boolean)).toEqual(card.dealers ?? []);
  });
});

describe("a player's statistics", () => {
  test("are the sums of the player's own rounds", () => {
    const rounds = SCENES.filter((name) => name !== "dynasty-blackjack").map((name, at) =>
      recalled(name, { round: at + 1 }),
    );
    const views = rounds.map(({ steps }) => steps[0]!.view!);
    const sum = (of: (view: SeatView) => number) => views.reduce((all, view) => all + of(view), 0);
    const found = statisticsOf(rounds);
    expect(found.staked).toBe(sum(({ staked }) => staked));
    expect(found.returned).toBe(sum(({ returned }) => returned));
    expect(found.rounds.map(({ net }) => net)).toEqual(views.map(({ staked, returned }) => returned - staked));
    const trilux = found.wagers.find(({ wager }) => wager === "trilux")!;
    expect(trilux.made).toBe(views.filter(({ wagers }) => wagers.trilux).length);
    expect(trilux.won).toBeLessThanOrEqual(trilux.made);
  });

  test("count no void round and none in play, and show the void one", () => {
    const rounds = [
      recalled("dynasty-blackjack", { status: "void" }),
      recalled("stadium-blackjack", { status: "in play" }),
    ];
    expect(statisticsOf(rounds)).toMatchObject({
      staked: 0,
      returned: 0,
      wagers: [],
      rounds: [{ came: "void-round", net: 0 }],
    });
  });

  test("are shown with the last rounds of the table", async () => {
    Object.assign(settings, { language: "en", motion: false });
    new TestBrowser(vi.stubGlobal);
    const round = recalled("stadium-blackjack");
    const view = round.steps[0]!.view!;
    render(Statistics, { history: past("stadium-blackjack"), load: () => Promise.resolve([round]) });
    await settled();
    expect(screen.getByTestId("past").children).toHaveLength(12);
    expect(screen.getByTestId("own-road").children).toHaveLength(1);
    expect(screen.getByTestId("own-sums").textContent).toContain((view.staked / 100).toFixed(2));
  });
});

describe("favourite bets", () => {
  beforeEach(() => localStorage.clear());
  const bet = (amount: number) => ({ wagers: { blackjack: amount }, for_dealer: {}, spots: [] });

  test("are kept once each, the newest first, and stay when the page is loaded again", () => {
    const favourites = new Favourites(localStorage, "key");
    for (const amount of [500, 1000, 500]) favourites.keep(bet(amount));
    expect(new Favourites(localStorage, "key").list).toEqual([bet(500), bet(1000)]);
    favourites.drop(0);
    expect(new Favourites(localStorage, "key").list).toEqual([bet(1000)]);
  });

  test("an empty bet is none, and what cannot be read is forgotten", () => {
    const favourites = new Favourites(localStorage, "key");
    favourites.keep({ wagers: {}, for_dealer: {}, spots: [] });
    expect(favourites.list).toEqual([]);
    localStorage.setItem("key", "{");
    expect(new Favourites(localStorage, "key").list).toEqual([]);
  });
});
