import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Floor from "../src/floor/Floor.svelte";
import type {
  FloorTable,
  OptionCard,
  ParLine,
  PersonCard,
  Preview,
  ReportCard,
  ReportName,
  ScheduledRules,
  Setting,
} from "../src/generated/api";
import type { Chapter, Phrase } from "../src/generated/protocol";
import { csv } from "../src/lib/csv";
import { settings } from "../src/lib/settings.svelte";
import { settled, TestBrowser } from "./scene";

let browser: TestBrowser;
const TABLE: FloorTable = {
  table: "t1",
  game: "stadium-blackjack",
  title: "Stadium Blackjack",
  dealer: "automated",
  phase: "betting",
  players: 12,
  least: 500,
  most: 50_000,
  seats: null,
  training: false,
  dealers: [],
  handle: 1_000_000,
  win: 21_000,
  hold: 0.021,
  theory: 0.006,
  exposure: 45_000,
  spread: 51_000,
  largest: 270_000,
  round: 7,
  correction: 0,
  alerts: [{ key: "alert.no-dealer" }],
};
/** A text that every language writes alike. */
function as(text: string): Phrase {
  return { key: "pattern.as-written", facts: { text } };
}
const OPTION: OptionCard = {
  name: "blackjack_pays",
  clause: "SBJ 2.a",
  type: "text",
  value: "3:2",
  default: "3:2",
  values: ["3:2", "6:5"],
  allowed: as(""),
  fixed: false,
  says: as("Blackjack pays 3 to 2."),
};
const LINE: ParLine = {
  wager: "trilux",
  title: "TriLux",
  house_edge: 0.034,
  return: 0.966,
  hit_frequency: 0.1,
  method: "exact",
  standard_error: null,
};

const CHAPTER: Chapter = {
  number: 1,
  title: as("Blackjack"),
  parts: [{ number: "1.1", said: { key: "why.blackjack", facts: { odds: "6:5" } }, clause: "SBJ 2.a", table: null }],
};

async function at(role: string, tab = ""): Promise<void> {
  browser.answers["GET /api/me"] = [200, role ? { name: "Ana", role, active: true } : null];
  render(Floor);
  await settled();
  if (tab) await tap(`tab-${tab}`);
}
const tap = async (id: string) => {
  screen.getByTestId(id).click();
  await settled();
  await settled();
};
const tabs = () => screen.getAllByRole("tab").map((tab) => tab.textContent);

beforeEach(() => {
  Object.assign(settings, { sound: false, motion: false, language: "en" });
  browser = new TestBrowser(vi.stubGlobal);
  browser.answers["GET /api/floor/tables"] = [200, [TABLE]];
  browser.answers["GET /api/floor/tables/t1/options"] = [200, [OPTION]];
  browser.answers["GET /api/floor/tables/t1/settings"] = [
    200,
    [{ name: "betting_seconds", value: 15, values: [], says: as("How long bets are taken.") }] satisfies Setting[],
  ];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the floor", () => {
  test.each([
    ["operator", ["Tables", "People", "Events", "Recall", "Reports", "My account"]],
    ["supervisor", ["Tables", "Exclusions", "Events", "Recall", "Reports", "My account"]],
    ["cashier", ["Cashier", "Exclusions", "My account"]],
    ["dealer", ["My account"]],
  ])("SEC-2: shows a %s what that role does", async (role, pages) => {
    await at(role);
    expect(tabs()).toEqual(pages);
  });

  test.each([[""], ["player"]])("asks %j to sign in", async (role) => {
    await at(role);
    expect(screen.getByTestId("sign-in")).toBeTruthy();
  });

  test("shows every table with its hold against theory, and what wants attention", async () => {
    await at("operator");
    await settled();
    const row = screen.getByRole("row", { name: /t1/ }).textContent;
    for (const said of [
      "Place bets",
      "12",
      "10,000.00",
      "210.00",
      "2.10 %",
      "0.60 %",
      "450.00",
      "510.00",
      "2,700.00",
      "There is no dealer at the podium.",
    ])
      expect(row).toContain(said);
  });

  test("says what is not well in the house, and nothing while all is", async () => {
    const well = { state: "well" };
    const card = {
      state: "failing",
      well: false,
      tables: [
        { table: "t1", state: "failing", phase: "betting", why: { key: "health.table-late", facts: { seconds: 40 } } },
        { table: "t2", state: "well", phase: "betting", why: { key: "health.table-empty" } },
      ],
      disk: { state: "warning", free_bytes: 5e7, why: { key: "health.disk-low", facts: { free: 50, rest: 1000 } } },
      store: { ...well, kind: "sqlite" },
      witness: well,
      backups: well,
      clock: { ...well, now: 1 },
    };
    browser.answers["GET /api/health"] = [503, card];
    await at("supervisor");
    await settled();
    const said = screen.getByTestId("health").textContent;
    expect(said).toContain("t1: The table should have gone on by itself 40 seconds ago.");
    expect(said).toContain("50 MB are free on the disk");
    expect(said).not.toContain("t2");
    cleanup();
    browser.answers["GET /api/health"] = [
      200,
      { ...card, state: "well", well: true, tables: [], disk: { state: "well", free_bytes: 5e12 } },
    ];
    await at("supervisor");
    await settled();
    expect(screen.queryByTestId("health")).toBeNull();
  });

  test("warns before it goes live when players would have the advantage, and schedules the change", async () => {
    browser.answers["POST /api/floor/tables/t1/preview"] = [
      200,
      {
        chapters: [CHAPTER],
        wagers: [{ ...LINE, house_edge: -0.002 }],
        working: false,
        fingerprint: "f",
        changed: {},
      } satisfies Preview,
    ];
    browser.answers["POST /api/floor/tables/t1/schedule"] = [200, { version: 2, rules: "f" } satisfies ScheduledRules];
    await at("operator");
    await settled();
    await tap("configure-t1");
    await settled();
    const chosen = screen.getByLabelText<HTMLSelectElement>("blackjack_pays");
    chosen.value = '"6:5"';
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
    await settled();
    await settled();
    expect(screen.getByText("Players would have the edge on: TriLux.")).toBeTruthy();
    expect(screen.getByText(/Your blackjack pays 6 to 5\./)).toBeTruthy();
    await tap("schedule");
    expect(browser.requests).toContain("POST /api/floor/tables/t1/schedule");
    expect(screen.getByText("It applies from the next round.")).toBeTruthy();
  });

  test("hands over the invitation of a new person", async () => {
    browser.answers["GET /api/people"] = [200, []];
    browser.answers["POST /api/people"] = [
      200,
      { name: "ines", role: "dealer", active: true, invitation: "/welcome#abc" } satisfies PersonCard,
    ];
    await at("operator", "people");
    const name = screen.getByLabelText<HTMLInputElement>("Name");
    name.value = "ines";
    name.dispatchEvent(new Event("input", { bubbles: true }));
    name.form!.requestSubmit();
    await settled();
    await settled();
    expect(screen.getByTestId("invitation").textContent).toMatch(/\/welcome#abc$/);
  });

  test("REP-1: a report shows amounts and shares as such, with its total", async () => {
    browser.answers["GET /api/reports"] = [
      200,
      [{ name: "hold", title: as("Game performance") }] satisfies ReportName[],
    ];
    browser.answers["GET /api/reports/hold"] = [
      200,
      {
        name: "hold",
        title: as("Game performance"),
        from: 0,
        to: 1,
        interval: as("2027-01-15"),
        made: 0,
        zone: "America/Chicago",
        columns: [as("Game"), as("Handle"), as("Hold")],
        kinds: ["game", "amount", "share"],
        rows: [["stadium-blackjack", 123_456, 0.0061]],
        total: [as("All"), 123_456, 0.0061],
        says: null,
        note: { key: "why.folded" },
        plots: [],
      } satisfies ReportCard,
    ];
    await at("auditor", "reports");
    await settled();
    expect(screen.getByRole("row", { name: /Stadium Blackjack/ }).textContent).toContain("1,234.560.610 %");
    expect(screen.getByRole("row", { name: /All/ }).textContent).toContain("1,234.56");
    expect(screen.getByRole("columnheader", { name: "Handle" })).toBeTruthy();
    expect(screen.getByText("You folded.")).toBeTruthy();
  });

  test("REP-1: reports are of gaming days, of a month or a year to date, of a shift or of a span", async () => {
    browser.answers["GET /api/reports"] = [200, [{ name: "hold", title: as("Hold") }] satisfies ReportName[]];
    browser.answers["GET /api/calendar"] = [
      200,
      { time_zone: "Europe/Paris", day_begins: "06:00", today: "2027-01-15", shift: 2, shifts: [0, 1] },
    ];
    await at("auditor", "reports");
    await settled();
    const asked = () => browser.asked.filter((each) => each.includes("/api/reports/hold")).at(-1);
    expect(asked()).toBe("GET /api/reports/hold?period=day&shift=0");
    const period = screen.getByTestId<HTMLSelectElement>("period");
    for (const [chosen, query] of [
      ["month", "period=month&shift=0"],
      ["shift", "period=shift&shift=0"],
      ["", "shift=0&from=2027-01-15&to=2027-01-15"],
    ] as const) {
      period.value = chosen;
      period.dispatchEvent(new Event("change", { bubbles: true }));
      await settled();
      await settled();
      expect(asked()).toBe(`GET /api/reports/hold?${query}`);
    }
  });

  test("a file takes no text from people for a formula", () => {
    expect(csv([["=1+1", "-5", -5, null, 'say "x"', "＝1"]])).toBe(`"'=1+1","'-5",-5,"","say ""x""","'＝1"`);
  });

  test("a refusal of the house is said in its own words", async () => {
    browser.answers["GET /api/floor/tables"] = [403, { reason: "A cashier may not do this (SEC-2)." }];
    await at("operator");
    await settled();
    expect(screen.getByRole("alert").textContent).toContain("A cashier may not do this (SEC-2).");
  });
});
