import { beforeEach, describe, expect, test } from "vitest";
import type { Phase, SeatView, TableView, WagerCard } from "../src/generated/protocol";
import { NO_LINK } from "../src/lib/house";
import { settings } from "../src/lib/settings.svelte";
import type { Complaint } from "../src/lib/slip";
import { complaintSaid, phaseSaid, standingSaid } from "../src/play/said";

const table = (phase: Phase): TableView => ({ phase }) as TableView;
const view = (more: Partial<SeatView>): SeatView =>
  ({ question: null, hands: [], decision: "", finished: false, ...more }) as SeatView;
const asked = (about: "play" | "insurance", hand = 0) => ({ about, hand, allowed: {} }) as SeatView["question"];

beforeEach(() => void (settings.language = "en"));

describe("what is happening", () => {
  test.each([
    ["the phase, to whoever watches", "deciding", null, "Decide now"],
    ["the phase, while cards are dealt", "dealing", view({}), "Dealing cards"],
    ["that others decide", "deciding", view({}), "Waiting for others"],
    ["whose turn it is", "deciding", view({ question: asked("play") }), "Your turn"],
    ["that insurance is asked", "deciding", view({ question: asked("insurance") }), "Insurance?"],
    [
      "which of the hands is asked about",
      "deciding",
      view({ question: asked("play", 1), hands: [{}, {}] as SeatView["hands"] }),
      "Hand 2 of 2",
    ],
  ] as const)("is %s", (_, phase, seat, said) =>
    expect(phaseSaid(table(phase), seat, seat?.question ?? null)).toBe(said),
  );
});

describe("how the player stands", () => {
  test.each([
    ["waiting", null, "Please wait for the next round."],
    ["dealing", null, "You are watching this round."],
    ["betting", null, ""],
    ["dealing", view({}), ""],
    ["deciding", view({}), "Waiting for others"],
    ["deciding", view({ finished: true }), "Your hand is finished."],
    ["deciding", view({ decision: "play" }), "You chose to play."],
    ["deciding", view({ decision: "fold" }), "You folded."],
  ] as const)("in %s, case %#", (phase, seat, said) => expect(standingSaid(table(phase), seat, false)).toBe(said));

  test("once the answer is under way", () => {
    const seat = view({ question: asked("play") });
    expect(standingSaid(table("deciding"), seat, true)).toBe("You have decided. Waiting for the others.");
  });
});

describe("why a tap changed nothing", () => {
  const wagers = [{ wager: "trilux", title: "TriLux", most: 10_000, amounts: [200, 400] }] as unknown as WagerCard[];
  test.each<[Complaint, string]>([
    [{ key: "most", wager: "trilux" }, "TriLux takes at most 100.00."],
    [{ key: "amounts", wager: "trilux" }, "TriLux takes only these amounts: 2, 4."],
    [{ key: "needs", wager: "super-3", facts: "trilux" }, "Super 3 needs a bet on TriLux first."],
    [{ key: "credit" }, "You do not have enough credit for this."],
    [{ key: "refused", facts: NO_LINK }, "No connection to the house."],
    [{ key: "refused", facts: "Betting is closed." }, "Betting is closed."],
  ])("%j", (complaint, said) => expect(complaintSaid(complaint, wagers)).toBe(said));
});
