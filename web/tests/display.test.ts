import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import Display from "../src/display/Display.svelte";
import Play from "../src/play/Play.svelte";
import { settings } from "../src/lib/settings.svelte";
import { settled, TestBrowser } from "./scene";

let browser: TestBrowser;

beforeEach(() => {
  sessionStorage.clear();
  Object.assign(settings, { sound: false, motion: false, language: "en" });
  browser = new TestBrowser(vi.stubGlobal);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the display", () => {
  test("shows the cards, the phase, the largest wins and the way in, and no name", async () => {
    history.replaceState(null, "", "/display/stadium-blackjack");
    render(Display);
    await settled();
    browser.play("stadium-blackjack", "result", "display");
    await settled();
    expect(browser.wire.asked("watch")).toMatchObject([{ table: "stadium-blackjack" }]);
    expect(screen.getByTestId("phase").textContent).toBe("Round result");
    expect(screen.getAllByRole("img", { name: "king of clubs" }).length).toBeGreaterThan(0);
    expect(screen.getByText("1,250.00")).toBeTruthy();
    expect(screen.getByRole("img", { name: /QR: .*\/play\?table=stadium-blackjack/ })).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/\bp[124]\b/);
  });

  test("leads phones to the address of the house, where the house has one", async () => {
    history.replaceState(null, "", "/display/stadium-blackjack");
    browser.answers["GET /api/house"] = [200, { name: "Podium", currency: "$", address: "https://play.example" }];
    render(Display);
    await settled();
    browser.play("stadium-blackjack", "result", "display");
    await settled();
    expect(screen.getByRole("img", { name: "QR: https://play.example/play?table=stadium-blackjack" })).toBeTruthy();
  });

  test("keeps what it showed when the link is lost, and says so in small letters", async () => {
    history.replaceState(null, "", "/display/stadium-blackjack");
    render(Display);
    await settled();
    browser.play("stadium-blackjack", "result", "display");
    browser.wire.close();
    await settled();
    expect(screen.getByRole("status").textContent).toContain("Connecting");
    expect(screen.getByTestId("phase").textContent).toBe("Round result");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("the countdown", () => {
  test("stands still while the house does, because nobody's time runs", async () => {
    history.replaceState(null, "", "/display/stadium-blackjack");
    render(Display);
    await settled();
    browser.play("stadium-blackjack", "betting", "display");
    await vi.waitFor(() => expect(secondsLeft()).toBeGreaterThan(5));
    const before = secondsLeft();
    browser.wire.say({ is: "standstill", reason: "Away.", why: { key: "refused.house-away" } });
    const now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => now + 5_000);
    await new Promise((done) => setTimeout(done, 300));
    expect(secondsLeft()).toBeGreaterThanOrEqual(before - 1);
    browser.wire.say({ is: "standstill" });
    await vi.waitFor(() => expect(secondsLeft()).toBeLessThanOrEqual(before - 4));
    vi.restoreAllMocks();
  });
});

const secondsLeft = (): number => Number(screen.getByRole("timer").textContent);

describe("coming in", () => {
  test("a phone without a token comes in as a guest, with a key of its tab", async () => {
    history.replaceState(null, "", "/play");
    browser.answers["GET /api/me"] = [200, null];
    browser.answers["GET /api/house"] = [200, { name: "Podium", currency: "$", guests: true }];
    browser.answers["POST /api/guest"] = [200, { name: "guest-1", role: "player", active: true }];
    render(Play);
    await settled();
    // Asking for a line before being let in would be refused.
    const toTheLine = ["GET /api/me", "POST /api/guest", "GET /api/terminal"];
    expect(browser.requests.filter((asked) => toTheLine.includes(asked))).toEqual(toTheLine);
    expect(browser.addresses[0]).toMatch(/^ws:\/\/localhost:3000\/ws\?tab=[0-9a-f]{24}$/);
  });

  test("where no guests are received, somebody must sign in", async () => {
    history.replaceState(null, "", "/play");
    browser.answers["GET /api/me"] = [200, null];
    browser.answers["GET /api/house"] = [200, { name: "Podium", currency: "$", guests: false }];
    render(Play);
    await settled();
    expect(screen.getByTestId("sign-in")).toBeTruthy();
  });
});
