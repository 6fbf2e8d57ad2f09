import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Dealer from "../src/dealer/Dealer.svelte";
import { settings } from "../src/lib/settings.svelte";
import { scene, settled, TestBrowser } from "./scene";

let browser: TestBrowser;

async function at(name: string, step: string, role = "dealer", facts: Record<string, unknown> = {}): Promise<void> {
  history.replaceState(null, "", `/dealer?table=${name}`);
  render(Dealer);
  await settled();
  browser.play(name, step, role, facts);
  await settled();
}
const tap = async (id: string) => {
  screen.getByTestId(id).click();
  await settled();
};
const type = async (text: string) => {
  const field = screen.getByTestId<HTMLInputElement>("card-typed");
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.form!.requestSubmit();
  await settled();
};

/** A card by touch, in the sheet over the table. */
const chooses = async (rank: string, suit: string) => {
  screen.getAllByTestId(`rank-${rank}`).at(-1)!.click();
  await settled();
  screen.getAllByTestId(`suit-${suit}`).at(-1)!.click();
  await settled();
};
/** The view of a table that a step of a scene ends with. */
const lastTable = (name: string, step: string) =>
  scene(name)
    .slice(0, scene(name).findIndex((each) => each.name === step) + 1)
    .flatMap((each) => each.messages)
    .findLast((message) => message.is === "table");

beforeEach(() => {
  sessionStorage.clear();
  Object.assign(settings, { sound: false, motion: false, language: "en" });
  browser = new TestBrowser(vi.stubGlobal);
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  vi.unstubAllGlobals();
});

describe("the dealer terminal", () => {
  test("a stranger must sign in", async () => {
    browser.answers["GET /api/me"] = [200, null];
    browser.answers["GET /api/house"] = [200, { name: "Podium", currency: "$", guests: true }];
    render(Dealer);
    await settled();
    expect(screen.getByTestId("sign-in")).toBeTruthy();
    expect(browser.wires).toHaveLength(0);
  });

  test("SEC-2: a player is not let to the table", async () => {
    await at("dynasty-blackjack", "waiting", "player");
    expect(screen.getByTestId("sign-in")).toBeTruthy();
  });

  test("CARD-6: locks when nobody has touched it for the minutes that the house gives", async () => {
    await at("dynasty-blackjack", "waiting", "dealer", { idle_minutes: 3 });
    vi.useFakeTimers();
    dispatchEvent(new Event("pointerdown"));
    vi.advanceTimersByTime(2 * 60_000);
    dispatchEvent(new Event("keydown"));
    vi.advanceTimersByTime(3 * 60_000 - 1);
    expect(browser.requests).not.toContain("POST /api/sign-out");
    await vi.advanceTimersByTimeAsync(1);
    expect(browser.requests).toContain("POST /api/sign-out");
  });

  test("CARD-6: without such a time it does not lock", async () => {
    await at("dynasty-blackjack", "waiting");
    vi.useFakeTimers();
    dispatchEvent(new Event("pointerdown"));
    vi.advanceTimersByTime(24 * 60 * 60_000);
    expect(browser.requests).not.toContain("POST /api/sign-out");
  });

  test("CARD-8: proposes the count of a full shoe, and sends what was counted", async () => {
    await at("mega-blackjack", "hole");
    const rules = scene("mega-blackjack")[0]?.messages.find((message) => message.is === "rules");
    browser.wire.say({ ...rules, shoe_cards: 416 });
    await tap("load-shoe");
    const counted = screen.getByTestId<HTMLInputElement>("counted");
    expect(counted.valueAsNumber).toBe(416);
    counted.value = "415";
    counted.dispatchEvent(new Event("input", { bubbles: true }));
    counted.form!.requestSubmit();
    await settled();
    expect(browser.wire.asked("shoe")).toMatchObject([{ cards: 415 }]);
  });

  test("New Game names the round that it opens", async () => {
    await at("dynasty-blackjack", "waiting");
    await tap("new-game");
    expect(browser.wire.asked("new-game")).toMatchObject([{ round: 1185 }]);
  });

  test("says where the next card goes, and takes it by touch: rank, then suit", async () => {
    await at("dynasty-blackjack", "next");
    expect(screen.getByTestId("next").textContent).toBe("community card 1");
    expect(screen.getByTestId<HTMLButtonElement>("suit-c").disabled).toBe(true);
    await tap("rank-5");
    await tap("suit-c");
    expect(browser.wire.asked("card")).toMatchObject([{ round: 1184, number: 4, card: "5c" }]);
  });

  test("takes a card from the keyboard or from a reader, which types like one", async () => {
    await at("dynasty-blackjack", "next");
    await type("10H");
    expect(browser.wire.asked("card")).toMatchObject([{ card: "Th" }]);
    await type("Zx");
    expect(browser.wire.asked("card")).toHaveLength(1);
    expect(screen.getByText(/'Zx' is not a card/)).toBeTruthy();
  });

  test("CARD-1: a card that the house refuses is refused at the key, with the reason", async () => {
    await at("dynasty-blackjack", "next");
    await type("As");
    browser.wire.say({
      is: "refused",
      id: browser.wire.asked("card")[0]!.id,
      reason: "As cannot come again: all of them are out (SBJ 1).",
      why: { key: "refused.card-again", facts: { card: "As" }, clause: "SBJ 1" },
    });
    await settled();
    expect(screen.getByText(/A♠ cannot come again/)).toBeTruthy();
  });

  test("deals the hole card face down, answers the peek, and turns it", async () => {
    await at("mega-blackjack", "hole");
    await tap("face-down");
    expect(browser.wire.asked("card")).toMatchObject([{ number: 6, card: "unknown" }]);
    cleanup();
    await at("mega-blackjack", "peeking");
    await tap("peek-no");
    expect(browser.wire.asked("peek")).toMatchObject([{ round: 1184, blackjack: false }]);
    cleanup();
    await at("mega-blackjack", "turning");
    await type("5h");
    expect(browser.wire.asked("turn")).toMatchObject([{ round: 1184, card: "5h" }]);
  });

  test("CARD-3: a correction takes the card, the right one, and a reason", async () => {
    await at("dynasty-blackjack", "dealers");
    await tap("correct");
    expect(browser.wire.asked("begin-correction")).toMatchObject([{ round: 1184 }]);
    expect(screen.queryByTestId("correct-4")).toBeNull();
    cleanup();
    await at("dynasty-blackjack", "correcting");
    await tap("correct-4");
    await tap("correct-replace");
    await chooses("6", "c");
    expect(screen.getByTestId<HTMLButtonElement>("send-reason").disabled).toBe(true);
    await tap("why-wrong-card");
    await tap("send-reason");
    expect(browser.wire.asked("correct")).toMatchObject([
      {
        round: 1184,
        correction: 1,
        fixes: [{ fix: "replace", number: 4, card: "6c" }],
        why: "wrong-card",
        reason: "",
      },
    ]);
  });

  test("CARD-9: swaps, inserts and removes in one act, each in the numbers that the ones before left", async () => {
    await at("dynasty-blackjack", "correcting");
    await tap("correct-1");
    await tap("correct-swap");
    await tap("correct-2");
    await tap("correct-1");
    await tap("correct-insert");
    await chooses("A", "h");
    await tap("correct-5");
    await tap("correct-remove");
    await tap("correct-more");
    await chooses("2", "d");
    const dialog = screen.getByRole("dialog");
    const lying = [...dialog.querySelectorAll("ol [data-card]")].map((card) => card.getAttribute("data-card"));
    expect(lying).toEqual(["Ah", "6h", "Ts", "4d", "2d"]);
    await tap("why-out-of-order");
    await tap("send-reason");
    expect(browser.wire.asked("correct")).toMatchObject([
      {
        fixes: [
          { fix: "swap", number: 1, other: 2 },
          { fix: "insert", number: 1, card: "Ah" },
          { fix: "remove", number: 5 },
          { fix: "insert", number: 5, card: "2d" },
        ],
      },
    ]);
  });

  test("the card that lies face down can be corrected, and a look at it withdrawn", async () => {
    await at("mega-blackjack", "turning");
    browser.wire.say({ ...lastTable("mega-blackjack", "turning"), correction: 1, number: 10_000 });
    await settled();
    const down = [...screen.getByRole("dialog").querySelectorAll("ol [data-card]")].findIndex(
      (card) => card.getAttribute("data-card") === "?",
    );
    await tap(`correct-${down + 1}`);
    await tap("correct-replace");
    await chooses("9", "d");
    await tap("correct-peek");
    await tap("why-wrong-peek");
    await tap("send-reason");
    expect(browser.wire.asked("correct")).toMatchObject([
      { fixes: [{ fix: "replace", number: down + 1, card: "9d" }, { fix: "withdraw-peek" }] },
    ]);
  });

  test("CARD-3: whoever closes the sheet leaves the cards as they are", async () => {
    await at("dynasty-blackjack", "correcting");
    screen.getByRole("button", { name: "Close" }).click();
    await settled();
    expect(browser.wire.asked("abandon-correction")).toMatchObject([{ round: 1184, correction: 1 }]);
  });

  test("the map: seats, hands, totals, who is asked and who has decided", async () => {
    await at("stadium-blackjack", "deciding");
    const mine = screen.getByTestId("map-seat-4");
    expect(mine.textContent).toContain("9♠ 2♣");
    expect(mine.textContent).toContain("11");
    expect(mine.textContent).toContain("deciding");
    cleanup();
    await at("stadium-blackjack", "decided");
    expect(screen.getByTestId("map-seat-4").textContent).toContain("decided");
    expect(screen.getByTestId("map-seat-1").textContent).toContain("deciding");
  });

  test("the map: whose turn it is, and which of the split hands", async () => {
    await at("match-up-blackjack", "split");
    const mine = screen.getByTestId("map-seat-4");
    expect(mine.className).toContain("asked");
    expect(mine.querySelectorAll(".hand")).toHaveLength(2);
    expect(mine.querySelectorAll(".hand.playing")).toHaveLength(1);
    expect(screen.getByTestId("map-seat-6").className).not.toContain("asked");
  });

  test("the map: what Confirm will pay, to each and to all; then what it came to", async () => {
    await at("stadium-blackjack", "confirming");
    const shown = scene("stadium-blackjack")
      .find((step) => step.name === "confirming")!
      .messages.findLast((message) => message.is === "map") as { pays: number };
    expect(shown.pays).toBeGreaterThan(0);
    expect(screen.getByTestId("map-pays").textContent).toBe(`It pays ${(shown.pays / 100).toFixed(2)}`);
    expect(screen.getByTestId("map-seat-4").textContent).toContain("gets");
    cleanup();
    await at("stadium-blackjack", "result");
    expect(screen.queryByTestId("map-pays")).toBeNull();
    expect(screen.getByTestId("map-seat-4").textContent).toMatch(/[+−]\d/);
  });

  test("confirms the result", async () => {
    await at("dynasty-blackjack", "confirming");
    await tap("confirm");
    expect(browser.wire.asked("confirm")).toMatchObject([{ round: 1184 }]);
  });
});
