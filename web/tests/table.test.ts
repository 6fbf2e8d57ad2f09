import { cleanup, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Table from "../src/play/Table.svelte";
import { settings } from "../src/lib/settings.svelte";
import { scene, SCENES, settled, TestHouse, upTo } from "./scene";

let there: TestHouse;

/** The player terminal, at a step of a scene; `told` are what the rules in force say besides. */
async function at(name: string, step: string, told: Record<string, unknown> = {}): Promise<void> {
  there = new TestHouse();
  const messages = upTo(scene(name), step);
  const late = Math.max(...messages.map((message) => Number(message.now ?? 0)));
  there.clock = late;
  there.house.watch(name === "split" ? "stadium-blackjack" : name);
  await settled();
  there.welcome();
  render(Table, { house: there.house, leave: vi.fn() });
  there.wire.say(
    ...messages
      .filter((message) => message.is !== "welcome")
      .map((message) => (message.is === "rules" ? { ...message, ...told } : message)),
  );
  await settled();
}
const tap = async (id: string) => {
  screen.getByTestId(id).click();
  await settled();
};
const decisions = () =>
  screen
    .getAllByRole("button")
    .map((button) => button.dataset.testid ?? "")
    .filter((id) => id.startsWith("decide-"));

beforeEach(() => {
  sessionStorage.clear();
  Object.assign(settings, { sound: false, motion: false, coach: false, language: "en" });
});
afterEach(() => {
  cleanup();
  there.house.end();
});

describe("the player terminal", () => {
  test.each(SCENES.flatMap((name) => scene(name).map((step) => [name, step.name] as const)))(
    "shows %s, %s",
    async (name, step) => {
      await at(name, step);
      expect(screen.getByTestId("credit").textContent).toMatch(/^[\d,]+\.\d\d$/);
      expect(screen.getByTestId("phase").textContent).not.toBe("");
    },
  );

  test("DISP-1: credit, denomination, wagers and limits are in view", async () => {
    await at("stadium-blackjack", "staked");
    expect(screen.getByTestId("credit").textContent).toBe("1,205.00");
    expect(screen.getByText("Denomination 1.00")).toBeTruthy();
    expect(screen.getByTestId("staked").textContent).toBe("35.00");
    expect(screen.getByTestId("spot-blackjack").textContent).toContain("5–500");
  });

  test("a tap on a spot sends the whole bet, drawn as a ghost until it is acknowledged", async () => {
    await at("stadium-blackjack", "betting");
    await tap("chip-2500");
    await tap("spot-blackjack");
    const [bet] = there.wire.asked("bet");
    expect(bet).toMatchObject({ round: 1184, wagers: { blackjack: 2500 } });
    expect(screen.getByTestId("spot-blackjack").textContent).toContain("sent");
    there.acknowledge(bet!.id);
    await settled();
    expect(screen.getByTestId("spot-blackjack").textContent).not.toContain("sent");
    expect(screen.getByTestId("credit").textContent).toBe("1,215.00");
  });

  test("the coach is asked once about each question, whatever else the house says", async () => {
    settings.coach = true;
    await at("stadium-blackjack", "deciding", { coach: true });
    const [question] = there.wire.asked("advise");
    there.acknowledge(question!.id);
    there.acknowledge(0);
    await settled();
    expect(there.wire.asked("advise")).toHaveLength(1);
  });

  test("the rounds of the past are fetched once, whatever else the house says", async () => {
    const fetched: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      fetched.push(address);
      return Promise.resolve(Response.json(address.includes("/api/rounds") ? [] : {}));
    });
    await at("stadium-blackjack", "betting");
    await tap("menu");
    await tap("menu-history");
    there.acknowledge(0);
    await settled();
    expect(fetched.filter((address) => address.includes("/api/rounds"))).toHaveLength(1);
    vi.unstubAllGlobals();
  });

  test("a refused bet goes back, and the reason stays", async () => {
    await at("stadium-blackjack", "betting");
    await tap("spot-blackjack");
    there.refuse(there.wire.asked("bet")[0]!.id, "blackjack of 500 is outside the limits.");
    await settled();
    expect(screen.getByTestId("staked").textContent).toBe("0.00");
    expect(screen.getByRole("alert").textContent).toBe("blackjack of 500 is outside the limits.");
  });

  test("a bet that needs another says so when it is tapped", async () => {
    await at("stadium-blackjack", "betting");
    await tap("spot-trilux");
    expect(screen.getByRole("alert").textContent).toBe("TriLux needs a bet on Blackjack first.");
    expect(there.wire.asked("bet")).toEqual([]);
  });

  test("only the decisions that the rules allow now are there, with what they cost", async () => {
    await at("stadium-blackjack", "deciding");
    expect(decisions()).toEqual([
      "decide-stand",
      "decide-hit",
      "decide-double",
      "decide-surrender",
      "decide-double+dealer",
    ]);
    expect(screen.getByTestId("decide-double").textContent).toContain("+20.00");
    expect(screen.getByTestId("decide-double+dealer").textContent).toContain("+25.00");
    await tap("decide-double+dealer");
    expect(there.wire.asked("decide")).toMatchObject([{ round: 1184, step: 1, decision: "double+dealer" }]);
    expect(decisions()).toEqual([]);
  });

  test("a refused decision is asked again, with the reason", async () => {
    await at("stadium-blackjack", "deciding");
    await tap("decide-double");
    there.refuse(there.wire.asked("decide")[0]!.id, "it costs 2000 and the credit is 5.");
    await settled();
    expect(decisions()).toContain("decide-double");
    expect(screen.getByRole("alert").textContent).toContain("it costs 2000");
  });

  test("community: the dealer's hand is the one that this player meets, and the stream says whose each card is", async () => {
    await at("stadium-blackjack", "result");
    const dealer = screen.getAllByRole("group", { name: "Dealer’s hand for you" })[0]!;
    expect(
      within(dealer)
        .getAllByRole("img")
        .map((card) => card.getAttribute("aria-label")),
    ).toEqual(["ace of hearts", "five of diamonds", "ace of spades", "eight of hearts", "king of clubs"]);
    const stream = screen.getByRole("group", { name: "Community cards" });
    expect(
      within(stream)
        .getAllByRole("listitem")
        .map((item) => item.querySelector(".unseen")?.textContent),
    ).toEqual(["yours", "dealer’s", "dealer’s", "dealer’s", "dealer’s"]);
  });

  test("DISP-5: after the round every wager has its result and why, and there is a total", async () => {
    await at("stadium-blackjack", "result");
    const lines = within(screen.getByTestId("result"))
      .getAllByRole("listitem")
      .map((line) => line.textContent?.replace(/\s+/g, " ").trim());
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain("won +40.00");
    expect(lines[0]).toContain("Dealer busted with 25.");
    expect(lines[1]).toContain("20.00 goes to the dealers.");
    expect(screen.getByText("+20.00")).toBeTruthy();
  });

  test("a question takes the focus that the last answer left behind, and no other", async () => {
    await at("stadium-blackjack", "deciding");
    const group = screen.getByRole("group", { name: "Your decision" });
    expect(document.activeElement).toBe(group);
    cleanup();
    there.house.end();
    document.body.append(Object.assign(document.createElement("button"), { id: "elsewhere" }));
    document.getElementById("elsewhere")!.focus();
    await at("stadium-blackjack", "deciding");
    expect(document.activeElement?.id).toBe("elsewhere");
    document.getElementById("elsewhere")!.remove();
  });

  test("split hands are shown apart, with the one that is asked about", async () => {
    await at("split", "doubles");
    const hands = within(screen.getByRole("group", { name: "You" })).getAllByRole("group");
    expect(hands.map((hand) => hand.getAttribute("aria-label"))).toEqual(["Hand 1 of 3", "Hand 2 of 3", "Hand 3 of 3"]);
    expect(hands[0]!.classList.contains("active")).toBe(true);
  });

  test("nine cards: three taps pick the own cards, and they go out with the bet", async () => {
    await at("stadium-three-card-poker", "betting");
    for (const location of [2, 4, 9]) await tap(`location-${location}`);
    await tap("spot-ante");
    expect(there.wire.asked("bet")[0]).toMatchObject({ wagers: { ante: 500 }, spots: [2, 4, 9] });
    there.acknowledge(there.wire.asked("bet")[0]!.id);
    await settled();
    await tap("spot-pair-plus@column-2");
    expect(there.wire.asked("bet")[1]).toMatchObject({ wagers: { ante: 500, "pair-plus@column-2": 500 } });
  });

  test("own hands: a free seat is taken by a tap", async () => {
    await at("match-up-blackjack", "seats");
    await tap("sit-5");
    expect(there.wire.asked("join")).toMatchObject([{ seat: 5 }]);
    expect(screen.queryByTestId("sit-4")).toBeNull();
  });

  test("own hands: there are as many seats as the house says", async () => {
    await at("match-up-blackjack", "seats", { seats: 5 });
    expect(screen.getByTestId("sit-5")).toBeTruthy();
    expect(screen.queryByTestId("sit-6")).toBeNull();
    expect(screen.getByRole("list", { name: "5 seats" }).children).toHaveLength(5);
  });

  test("DSC-1: without a link it says so and takes no bet and no decision", async () => {
    await at("stadium-blackjack", "deciding");
    there.wire.close();
    await settled();
    expect(screen.getByTestId("link-lost").textContent).toContain("No bets are taken");
    expect(screen.getByTestId<HTMLButtonElement>("decide-hit").disabled).toBe(true);
  });

  test("CARD-3: a correction is seen by every player", async () => {
    await at("dynasty-blackjack", "correcting");
    expect(screen.getByTestId("correcting").textContent).toContain("the table waits");
    expect(screen.queryByTestId("corrected")).toBeNull();
  });

  test("CARD-3: when it is done, old card, new card and what it changed stay until they were read", async () => {
    await at("dynasty-blackjack", "corrected");
    expect(screen.queryByTestId("correcting")).toBeNull();
    const told = screen.getByTestId("corrected");
    expect([...told.querySelectorAll("[data-card]")].map((card) => card.getAttribute("data-card"))).toEqual([
      "5c",
      "6c",
    ]);
    expect(told.textContent).toContain("Wrong card entered.");
    expect(screen.getByTestId("corrected-own").textContent).toContain("19 → 20");
    screen.getByTestId("corrected-read").click();
    await settled();
    expect(screen.queryByTestId("corrected")).toBeNull();
    cleanup();
    await at("dynasty-blackjack", "corrected");
    expect(screen.queryByTestId("corrected")).toBeNull();
  });

  test("Max, then a spot: the most that it takes goes there in one bet", async () => {
    await at("stadium-blackjack", "betting");
    await tap("most");
    await tap("spot-blackjack");
    expect(there.wire.asked("bet")).toMatchObject([{ wagers: { blackjack: 50_000 } }]);
  });

  test("a favourite bet is kept, and placed with one tap in another round", async () => {
    localStorage.clear();
    await at("stadium-blackjack", "staked");
    await tap("favourites");
    await tap("favourite-keep");
    cleanup();
    await at("stadium-blackjack", "betting");
    await tap("favourites");
    await tap("favourite-1");
    expect(there.wire.asked("bet")).toMatchObject([
      { wagers: { blackjack: 2000, trilux: 500, "royal-match-21": 500 }, for_dealer: { blackjack: 500 } },
    ]);
    localStorage.clear();
  });

  test("the road says what the dealer had in the last rounds", async () => {
    await at("stadium-blackjack", "betting");
    const marks = [...screen.getByTestId("road").querySelectorAll(".had")].map((mark) => mark.textContent);
    expect(marks).toHaveLength(12);
    expect(marks.every((mark) => /^(\d+|BJ|bust)$/.test(mark ?? ""))).toBe(true);
  });

  test("VOID-1: a void round is told with its reason, the stake and the credit, until it was read", async () => {
    await at("dynasty-blackjack", "void");
    const told = screen.getByTestId("voided").textContent;
    expect(told).toContain("Round 1184 was voided");
    expect(told).toContain("25.00");
    expect(told).toMatch(/1,215\.00 → 1,240\.00/);
    const last = upTo(scene("dynasty-blackjack"), "void").findLast(({ is }) => is === "table")!;
    there.wire.say({ ...last, number: 10_000, round: 1185, phase: "betting", notice: null });
    await settled();
    expect(screen.getByTestId("voided")).toBeTruthy();
    cleanup();
    await at("dynasty-blackjack", "waiting");
    await tap("voided-read");
    expect(screen.queryByTestId("voided")).toBeNull();
    cleanup();
    await at("dynasty-blackjack", "void");
    expect(screen.queryByTestId("voided")).toBeNull();
  });

  test("a void round in which the player had no bet is not told", async () => {
    await at("dynasty-blackjack", "waiting");
    const last = upTo(scene("dynasty-blackjack"), "void").findLast(({ is }) => is === "table")!;
    there.wire.say({ ...last, number: 10_000 });
    await settled();
    expect(screen.queryByTestId("voided")).toBeNull();
  });

  test("VOID-1: a void round says so, and every stake came back", async () => {
    await at("dynasty-blackjack", "void");
    expect(screen.getByTestId("result").textContent).toContain("card on the floor");
    expect(screen.getByTestId("credit").textContent).toBe("1,240.00");
  });

  test("betting ends on this terminal when the house's clock says so", async () => {
    await at("stadium-blackjack", "betting");
    there.clock += 60_000;
    await vi.waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("spot-blackjack").disabled).toBe(true));
  });
});
