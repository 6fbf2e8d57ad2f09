import { cleanup, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Play from "../src/play/Play.svelte";
import { settings } from "../src/lib/settings.svelte";
import { scene, settled, TestBrowser, upTo } from "./scene";

const ONE = "stadium-blackjack";
const OTHER = "dynasty-blackjack";
let browser: TestBrowser;

type Message = Record<string, unknown>;

/** What the house shows of a table at a step of its scene, with the clock of the first one. */
function shown(name: string, step: string, change: (message: Message) => Message = (same) => same): Message[] {
  return upTo(scene(name), step)
    .filter((message) => message.is !== "welcome")
    .map(change);
}

/** A player at two tables, and what each of them shows. */
async function atTwo(roomy: boolean, first: Message[], second: Message[]): Promise<void> {
  browser.roomy = roomy;
  const times = [...first, ...second].map((message) => Number(message.now ?? 0));
  const cards = [ONE, OTHER].map((table) => ({
    ...{ table, game: table, title: table, dealer: "automated", phase: "betting", players: 1, least: 100, most: null },
    ...{ seats: null, training: false },
  }));
  history.replaceState(null, "", `/play?table=${ONE}`);
  render(Play);
  await settled();
  const welcome = { is: "welcome", name: "T1", role: "player", now: Math.max(...times), version: "1", tables: cards };
  browser.wire.say(welcome);
  browser.wire.say(...first);
  await settled();
  if (!roomy) {
    expect(screen.queryByTestId("boxes"), "one table leaves the whole screen to the cards").toBeNull();
    await tap("menu");
    await tap("menu-boxes");
  }
  await tap("add-table");
  await tap(`table-${OTHER}`);
  browser.wire.say(...second);
  await settled();
}

const tap = async (id: string) => {
  screen.getByTestId(id).click();
  await settled();
};
const bar = (table: string, box = 1) => screen.getByTestId(`box-${table}-${box}`);
const place = (table: string) => within(screen.getByTestId(`place-${table}`));
const seconds = (button: HTMLElement) => /(\d+) s/.exec(button.textContent)?.[1];

beforeEach(() => {
  sessionStorage.clear();
  Object.assign(settings, { sound: false, motion: false, coach: false, language: "en" });
  browser = new TestBrowser(vi.stubGlobal);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("several tables on a phone", () => {
  test("are tabs: one is in view, and a decision at another one calls", async () => {
    await atTwo(false, shown(ONE, "deciding"), shown(ONE, "betting").map(renamed));
    expect(screen.queryByTestId(`place-${ONE}`)).toBeNull();
    expect(place(OTHER).getByTestId("table").dataset.phase).toBe("betting");
    expect(bar(OTHER).getAttribute("aria-current")).toBe("true");
    expect(bar(ONE).className).toContain("calls");
    expect(bar(ONE).textContent).toContain("Your turn");
    await tap(`box-${ONE}-1`);
    expect(bar(ONE).className).not.toContain("calls");
    await tap("decide-stand");
    expect(browser.wire.asked("decide")).toMatchObject([{ table: ONE, decision: "stand" }]);
  });

  test("each tab has the time of its own table", async () => {
    const late = (message: Message): Message =>
      message.is === "table" && message.deadline ? { ...message, deadline: Number(message.deadline) - 5_000 } : message;
    await atTwo(false, shown(ONE, "deciding"), shown(ONE, "deciding", late).map(renamed));
    const [first, second] = [seconds(bar(ONE)), seconds(bar(OTHER))];
    expect(Number(first) - Number(second)).toBe(5);
  });
});

/** The same of the other table. */
const renamed = (message: Message): Message => ("table" in message ? { ...message, table: OTHER } : message);

describe("several tables on a kiosk", () => {
  test("are side by side, each with its own cards and its own time, and one credit", async () => {
    await atTwo(true, shown(ONE, "deciding"), shown(ONE, "betting").map(renamed));
    expect(place(ONE).getByTestId("table").dataset.phase).toBe("deciding");
    expect(place(OTHER).getByTestId("table").dataset.phase).toBe("betting");
    const credits = [ONE, OTHER].map((table) => place(table).getByTestId("credit").textContent);
    expect(credits[0]).toBe(credits[1]);
    expect(screen.getByTestId(`place-${ONE}`).className).toContain("asked");
    expect(screen.getByTestId(`place-${OTHER}`).className).not.toContain("asked");
    expect(bar(ONE).className).not.toContain("calls");
    expect(document.documentElement.dataset.tables).toBe("2");
  });

  test("what is tapped at one of them is for that one, whichever was looked at last", async () => {
    await atTwo(true, shown(ONE, "deciding"), shown(ONE, "betting").map(renamed));
    browser.wire.say(
      ...shown(ONE, "betting", (message) =>
        message.is === "table" ? { ...message, number: 9_999, deadline: Date.now() * 2 } : message,
      ).map(renamed),
    );
    await settled();
    place(ONE).getByTestId("decide-stand").click();
    place(OTHER).getByTestId("spot-blackjack").click();
    await settled();
    expect(browser.wire.asked("decide")).toMatchObject([{ table: ONE, decision: "stand" }]);
    expect(browser.wire.asked("bet")).toMatchObject([{ table: OTHER }]);
  });

  test("a further box that waits calls, although its table is in view", async () => {
    const further = (message: Message): Message =>
      message.is === "seat" ? { ...message, further: [{ box: 2, seat: 99, view: message.view }] } : message;
    await atTwo(true, shown(ONE, "deciding", further), shown(ONE, "betting").map(renamed));
    expect(bar(ONE, 2).className).toContain("calls");
    await tap(`box-${ONE}-2`);
    expect(bar(ONE, 1).className).toContain("calls");
    place(ONE).getByTestId("decide-stand").click();
    await settled();
    expect(browser.wire.asked("decide")).toMatchObject([{ table: ONE, box: 2, decision: "stand" }]);
  });

  test("leaving one of them leaves the others", async () => {
    await atTwo(true, shown(ONE, "deciding"), shown(ONE, "betting").map(renamed));
    place(OTHER).getByLabelText("All tables").click();
    await settled();
    expect(browser.wire.asked("leave")).toMatchObject([{ table: OTHER }]);
    expect(browser.wire.asked("unwatch")).toMatchObject([{ table: OTHER }]);
    expect(screen.queryByTestId(`place-${OTHER}`)).toBeNull();
    expect(place(ONE).getByTestId("table").dataset.phase).toBe("deciding");
    expect(document.documentElement.dataset.tables).toBe("");
  });
});
