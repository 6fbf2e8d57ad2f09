import { beforeEach, describe, expect, test } from "vitest";
import type { WagerCard } from "../src/generated/protocol";
import { denominations, mostOf, raise } from "../src/lib/chips";
import type { Answer, Asked } from "../src/lib/house";
import { lastBet, Slip } from "../src/lib/slip";
import { settled } from "./scene";

const card = (wager: string, more: Partial<WagerCard> = {}): WagerCard => ({
  wager,
  title: wager,
  says: { key: `bet.${wager}` },
  main: false,
  least: 100,
  most: 10_000,
  amounts: [],
  chip: 100,
  needs: "blackjack",
  for_dealer: true,
  toke_least: 100,
  paytable: "A",
  returns: null,
  pays: {},
  ...more,
});
const MAIN = card("blackjack", { main: true, least: 500, most: 50_000, needs: "" });
const TRILUX = card("trilux");
const SUPER = card("super-3", { needs: "trilux" });
const ALL = [MAIN, TRILUX, SUPER];

describe("a spot", () => {
  test("takes at least the least, whatever the chip", () => expect(raise(MAIN, 0, 100)).toEqual({ amount: 500 }));
  test("takes whole chips and no more than the most", () => {
    expect(raise(MAIN, 500, 2_500)).toEqual({ amount: 3_000 });
    expect(raise(MAIN, 49_900, 2_500)).toEqual({ amount: 50_000 });
    expect(raise(MAIN, 50_000, 100)).toEqual({ refused: "most" });
  });
  test("MUB 2: where amounts are listed, goes from one to the next", () => {
    const listed = card("blackjack", { main: true, amounts: [200, 400, 600, 800, 1000], most: 1000 });
    expect(raise(listed, 0, 100)).toEqual({ amount: 200 });
    expect(raise(listed, 400, 100)).toEqual({ amount: 600 });
    expect(raise(listed, 400, 5_000)).toEqual({ amount: 1000 });
    expect(raise(listed, 1000, 100)).toEqual({ refused: "amounts" });
  });
  test("has chips that fit its limits", () => {
    expect(denominations(ALL)).toEqual([100, 500, 2_500, 10_000, 50_000]);
    expect(
      denominations([card("blackjack", { main: true, amounts: [200, 400, 600], least: 200 }), card("match-up")]),
    ).toEqual([100, 200, 400, 600]);
  });
});

describe("the slip", () => {
  let asked: { command: Asked; answer: (answer: Answer) => void }[];
  let slip: Slip;
  const bets = () => asked.map(({ command }) => (command.do === "bet" ? command.wagers : null));

  beforeEach(() => {
    asked = [];
    slip = new Slip({ ask: (command) => new Promise((answer) => asked.push({ command, answer })) });
    slip.follow(7, null);
  });
  const answers = async (answer: Answer) => {
    asked.at(-1)!.answer(answer);
    await settled();
  };
  const YES: Answer = { done: true, seat: null };

  test("shows a tap at once as sent, and as bet only when the house has acknowledged it", async () => {
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    expect(slip.stakes.wagers).toEqual({ blackjack: 500 });
    expect(slip.held.wagers).toEqual({});
    expect(slip.isGhost("wagers", "blackjack")).toBe(true);
    await answers(YES);
    expect(slip.held.wagers).toEqual({ blackjack: 500 });
    expect(slip.isGhost("wagers", "blackjack")).toBe(false);
  });

  test("knows the last bet again when the page was loaded anew, and only whoever made it does", async () => {
    const kept = lastBet(sessionStorage, () => "podium.last.t1.ann");
    slip = new Slip({ ask: () => Promise.resolve(YES) }, kept);
    slip.follow(7, null);
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    await settled();
    slip.follow(8, null);
    const again = new Slip({ ask: (command) => new Promise((answer) => asked.push({ command, answer })) }, kept);
    again.follow(8, null);
    again.rebet(10_000);
    expect(bets()).toEqual([{ blackjack: 500 }]);
    expect(
      new Slip(
        { ask: () => Promise.resolve(YES) },
        lastBet(sessionStorage, () => "podium.last.t1.bob"),
      ).last.wagers,
    ).toEqual({});
    sessionStorage.setItem("podium.last.t1.ann", "{");
    expect(kept.read()).toBeNull();
  });

  test("goes back to what the house holds, with the reason, when a bet is refused", async () => {
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    await answers(YES);
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    await answers({ done: false, reason: "no more bets" });
    expect(slip.stakes.wagers).toEqual({ blackjack: 500 });
    expect(slip.complaint).toEqual({ key: "refused", facts: "no more bets" });
    expect(slip.canUndo).toBe(false);
  });

  test("sends one bet at a time, and after it the newest only", async () => {
    for (let tap = 0; tap < 4; tap++) slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    expect(bets()).toEqual([{ blackjack: 500 }]);
    await answers(YES);
    expect(bets()).toEqual([{ blackjack: 500 }, { blackjack: 2_000 }]);
  });

  test("names the wager that is needed first, and sends nothing", () => {
    slip.add(TRILUX, 100, "wagers", 10_000, "blackjack");
    expect(slip.complaint).toEqual({ key: "needs", wager: "trilux", facts: "blackjack" });
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    slip.add(SUPER, 100, "wagers", 10_000, "blackjack");
    expect(slip.complaint).toEqual({ key: "needs", wager: "super-3", facts: "trilux" });
    expect(asked).toHaveLength(1);
  });

  test("SBJ 3: a side bet for the dealer needs none of the player's own, Super 3 needs a TriLux of either", async () => {
    slip.add(SUPER, 100, "for_dealer", 10_000, "blackjack");
    expect(slip.complaint).toMatchObject({ key: "needs", facts: "trilux" });
    slip.add(TRILUX, 100, "for_dealer", 10_000, "blackjack");
    await answers(YES);
    slip.add(SUPER, 100, "for_dealer", 10_000, "blackjack");
    expect(slip.stakes.for_dealer).toEqual({ trilux: 100, "super-3": 100 });
    slip.add(MAIN, 500, "for_dealer", 10_000, "blackjack");
    expect(slip.complaint).toMatchObject({ key: "needs", wager: "blackjack", facts: "blackjack" });
  });

  test("GAME-1: stakes no more than the credit", () => {
    slip.add(MAIN, 2_500, "wagers", 2_000, "blackjack");
    expect(slip.complaint).toEqual({ key: "credit" });
    expect(asked).toHaveLength(0);
  });

  test("undoes tap by tap, and clears", async () => {
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    await answers(YES);
    slip.add(TRILUX, 100, "wagers", 10_000, "blackjack");
    await answers(YES);
    slip.undo();
    await answers(YES);
    expect(slip.held.wagers).toEqual({ blackjack: 500 });
    slip.clear();
    await answers(YES);
    expect(slip.held.wagers).toEqual({});
  });

  test("takes a wager off together with those that need it", () => {
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    slip.add(TRILUX, 100, "wagers", 10_000, "blackjack");
    slip.add(SUPER, 100, "wagers", 10_000, "blackjack");
    slip.takeOff("trilux", "wagers", ALL);
    expect(slip.stakes.wagers).toEqual({ blackjack: 500 });
  });

  test("bets again what was bet in the round before, and twice that, within the limits", () => {
    slip.follow(7, { wagers: { blackjack: 30_000, trilux: 200 }, for_dealer: {}, spots: [] });
    slip.follow(8, null);
    expect(slip.stakes.wagers).toEqual({});
    slip.rebet(100_000);
    expect(slip.stakes.wagers).toEqual({ blackjack: 30_000, trilux: 200 });
    slip.double(ALL, 100_000);
    expect(slip.stakes.wagers).toEqual({ blackjack: 50_000, trilux: 400 });
  });

  test("a round that has gone takes its slip with it; a late answer changes nothing", async () => {
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    slip.follow(8, null);
    await answers(YES);
    expect(slip.stakes.wagers).toEqual({});
  });

  test("an older message of the house, looked at again, takes back nothing that was acknowledged since", async () => {
    const message = {};
    slip.follow(7, { wagers: { blackjack: 500 }, for_dealer: {}, spots: [] }, message);
    slip.add(MAIN, 500, "wagers", 10_000, "blackjack");
    await answers(YES);
    slip.follow(7, { wagers: { blackjack: 500 }, for_dealer: {}, spots: [] }, message);
    expect(slip.held.wagers).toEqual({ blackjack: 1_000 });
    slip.follow(7, { wagers: { blackjack: 1_500 }, for_dealer: {}, spots: [] }, {});
    expect(slip.held.wagers).toEqual({ blackjack: 1_500 });
  });

  test("TCP 2: the chosen cards are kept, and sent with the bet", () => {
    slip.pick([1, 5, 9]);
    expect(asked).toHaveLength(0);
    slip.add(card("ante", { main: true, least: 500, needs: "" }), 500, "wagers", 10_000, "ante");
    expect(asked[0]!.command).toMatchObject({ do: "bet", round: 7, wagers: { ante: 500 }, spots: [1, 5, 9] });
  });
});

describe("the most", () => {
  const listed = card("blackjack", { main: true, amounts: [200, 400, 600], least: 200, most: 600, needs: "" });

  test("is what the wager takes and the credit covers, in whole chips", () => {
    expect(mostOf(MAIN, 1_000_000)).toBe(50_000);
    expect(mostOf(MAIN, 12_345)).toBe(12_300);
    expect(mostOf(MAIN, 499)).toBe(0);
    expect(mostOf(listed, 599)).toBe(400);
    expect(mostOf(listed, 199)).toBe(0);
  });

  test("goes onto the spot in one bet, besides what lies elsewhere, and says why there is no more", async () => {
    const asked: Asked[] = [];
    const slip = new Slip({
      ask: (command) => {
        asked.push(command);
        return Promise.resolve({ done: true, seat: 1 });
      },
    });
    slip.follow(7, null);
    slip.add(MAIN, 500, "wagers", 2_250, "blackjack");
    await settled();
    slip.addMost(TRILUX, "wagers", 1_750, "blackjack");
    await settled();
    expect(slip.stakes.wagers).toEqual({ blackjack: 500, trilux: 1_700 });
    expect(asked).toHaveLength(2);
    slip.addMost(TRILUX, "wagers", 50, "blackjack");
    expect(slip.complaint?.key).toBe("credit");
    slip.addMost(MAIN, "wagers", 1_000_000, "blackjack");
    await settled();
    slip.addMost(MAIN, "wagers", 1_000_000, "blackjack");
    expect(slip.complaint?.key).toBe("most");
    expect(slip.held.wagers).toEqual({ blackjack: 50_000, trilux: 1_700 });
  });

  test("SBJ 2: a side bet still needs its main wager", () => {
    const slip = new Slip({ ask: () => Promise.resolve({ done: true, seat: 1 }) });
    slip.addMost(TRILUX, "wagers", 10_000, "blackjack");
    expect(slip.complaint).toMatchObject({ key: "needs", facts: "blackjack" });
  });
});
