import { readdirSync, readFileSync } from "node:fs";
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Phrase, SeatView } from "../src/generated/protocol";
import { readCard } from "../src/lib/cards";
import { change } from "../src/lib/money";
import { settings } from "../src/lib/settings.svelte";
import {
  cardName,
  gameTitle,
  heading,
  LANGUAGES,
  load,
  playersOf,
  refusal,
  say,
  sentence,
  spoken,
  w,
} from "../src/lib/words";
import { KINDS, Language, type Catalogue } from "../src/lib/words/language";
import * as languages from "../src/lib/words/languages";
import english from "../src/words/en.json";
import LanguageField from "../src/parts/LanguageField.svelte";
import { scene, SCENES, settled } from "./scene";

const FOLDER = "../src/podium/languages";
const catalogue = (code: string) => JSON.parse(readFileSync(`${FOLDER}/${code}.json`, "utf8")) as Catalogue;

beforeAll(async () => {
  for (const code of LANGUAGES.keys()) await load(code);
});
afterEach(() => {
  cleanup();
  settings.language = "en";
});

describe("the twin in Python", () => {
  interface Said {
    kinds: string[];
    phrases: Phrase[];
    said: Record<string, [string, string, string][]>;
  }
  /** What fixtures/phrases.py had Python say: every key of every language, with facts of every kind. */
  const { kinds, phrases, said } = JSON.parse(readFileSync("fixtures/out/phrases.json", "utf8")) as Said;

  test.each(Object.keys(said))("says the same in %s", (code) => {
    const language = new Language(code, catalogue(code), (card) => card);
    for (const [place, phrase] of phrases.entries()) {
      const here = [language.say(phrase), language.sentence(phrase), language.heading(phrase)];
      expect(here, JSON.stringify(phrase)).toEqual(said[code]?.[place]);
    }
  });
  test("knows the same kinds of facts", () => {
    expect(["", ...Object.keys(KINDS)].sort()).toEqual(kinds);
  });
});

describe("the languages", () => {
  test("are those that there are files of, each under its own name", () => {
    const files = readdirSync(FOLDER).map((file) => file.replace(".json", ""));
    expect([...LANGUAGES.keys()].sort()).toEqual(files.sort());
    expect(Object.fromEntries(LANGUAGES)).toMatchObject({ en: "English", es: "Español", zh: "中文" });
  });
  test("are English where the chosen one is not there", () => {
    settings.language = "xx";
    expect([spoken().code, w("credit")]).toEqual(["en", "Credit"]);
  });
  test("can be chosen, and what is said follows", async () => {
    render(LanguageField);
    const field = screen.getByTestId<HTMLSelectElement>("language");
    expect([...field.options].map((option) => option.label)).toEqual([...LANGUAGES.values()]);
    field.value = "zh";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    await settled();
    expect([settings.language, field.value, w("credit")]).toEqual(["zh", "zh", "余额"]);
  });
  test("stay as they are where the words cannot be loaded", async () => {
    vi.spyOn(languages, "fetched").mockRejectedValue(new Error("no network"));
    render(LanguageField);
    const field = screen.getByTestId<HTMLSelectElement>("language");
    field.add(new Option("Klingon", "tlh"));
    field.value = "tlh";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    await settled();
    expect([settings.language, field.value, screen.getByRole("alert").textContent]).toEqual(["en", "en", w("no-link")]);
  });
});

describe("the terminals' own words", () => {
  test("are all said by some screen", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|svelte)$/.test(file) && !file.startsWith("generated"))
      .map((file) => readFileSync(`src/${file}`, "utf8"))
      .join("\n");
    const unsaid = Object.keys(english).filter((key) => !key.startsWith("phase-") && !sources.includes(`"${key}"`));
    expect(unsaid).toEqual([]);
  });
  test("name phases in two words, so that a wall can say them", () => {
    for (const code of ["en", "es"])
      for (const [key, said] of Object.entries(catalogue(code)))
        if (key.startsWith("ui.phase-") && typeof said === "string")
          expect(said.split(" ").length, said).toBeLessThanOrEqual(2);
  });
  test("count one thing and several", () => {
    expect([0, 1, 2].map(playersOf)).toEqual(["No players yet", "1 player", "2 players"]);
    settings.language = "es";
    expect([0, 1, 2].map((n) => w("wait-decisions", { n }))).toEqual([
      "Faltan 0 decisiones",
      "Falta 1 decisión",
      "Faltan 2 decisiones",
    ]);
  });
});

test("every reason of a real round reads without a gap, and in Chinese without an English word", () => {
  const settledIn = (name: string) =>
    scene(name)
      .flatMap((step) => step.messages)
      .flatMap((message) => (message as { view?: SeatView }).view?.settled ?? []);
  const reasons = SCENES.flatMap(settledIn)
    .flatMap((wager) => wager.why)
    .filter((why) => why.key !== "why.voided");
  expect(reasons.length).toBeGreaterThan(20);
  for (const why of reasons) {
    expect(sentence(why)).not.toMatch(/[{}]|undefined|why\./);
    settings.language = "zh";
    expect(sentence(why).replace(/\b(SBJ|DLB|TCP|MUB|MGB)\b[^（）]*/g, "")).not.toMatch(/[a-z]{2,}/);
    settings.language = "en";
  }
});

test("a refusal is said in the language of the terminal, amounts as money; an unknown one as the house says it", () => {
  const short = {
    key: "refused.wager-limits",
    facts: { wager: "pair-plus@row-1", amount: 50, least: 500, most: 50_000 },
    clause: "placard",
  };
  expect(refusal("", short)).toBe("Pair Plus, row 1 of 0.50 is outside the limits (placard): 5.00 to 500.00.");
  settings.language = "es";
  expect(refusal("", { key: "refused.costs-more", facts: { cost: 1000, credit: 250 } })).toBe(
    "Cuesta 10.00, y el crédito es 2.50.",
  );
  expect(refusal("", { key: "refused.card-again", facts: { card: "As", decks: 6 }, clause: "SBJ 1" })).toBe(
    "A♠ no puede salir otra vez: 6 barajas la tienen 6 veces, y ya salieron todas (SBJ 1).",
  );
  expect(refusal("Something new.", { key: "refused.something-new" })).toBe("Something new.");
  expect(refusal("Something else.")).toBe("Something else.");
});

test("three-card hands are named in every language", () => {
  const hands = [
    { key: "hand.pair", facts: { rank: "9" } },
    { key: "hand.high-card", facts: { rank: "K" } },
    { key: "hand.three-of-a-kind", facts: { rank: "6" } },
    { key: "hand.straight-flush", facts: { rank: "T" } },
  ];
  expect(hands.map(say)).toEqual(["pair of nines", "king high", "three sixes", "straight flush, ten high"]);
  settings.language = "es";
  expect(hands.map(say)).toEqual(["pareja de nueve", "carta alta rey", "trío de seis", "escalera de color, diez alta"]);
  settings.language = "zh";
  expect(hands.map(say)).toEqual(["一对 9", "K 高", "三条 6", "同花顺，10 高"]);
});

test("cards and places are said in words", () => {
  expect(cardName("Td")).toBe("ten of diamonds");
  expect(cardName("?")).toBe("face down");
  const places: Phrase[] = [
    { key: "place.player", facts: { number: 1 } },
    { key: "place.community", facts: { number: 12 } },
    { key: "place.seat-hand", facts: { number: 4, hand: 2 } },
    { key: "place.hole-card" },
    { key: "place.draw" },
  ];
  expect(places.map(heading)).toEqual([
    "Player's card 1",
    "Community card 12",
    "Seat 4, hand 2",
    "Hole card",
    "Dealer's hand",
  ]);
});

test("a step of a recorded round is said in words", () => {
  settings.language = "es";
  const steps: Phrase[] = [
    { key: "event.card", facts: { card: "Td", place: { key: "place.community", facts: { number: 1 } } } },
    { key: "event.card", facts: { card: "?", place: { key: "place.hole-card" } } },
    { key: "event.time-out" },
    { key: "event.corrected", facts: { number: 3, card: "As" } },
  ];
  expect(steps.map(heading)).toEqual([
    "Carta común 1: 10♦",
    "Carta tapada del crupier: boca abajo",
    "Se acabó el tiempo",
    "Carta 3 corregida a A♠",
  ]);
});

test("a game that only the house knows keeps the title that it sent", () => {
  expect(gameTitle("a-game-of-tomorrow", "A game of tomorrow")).toBe("A game of tomorrow");
});

test("a card is read as people and readers write it", () => {
  expect(["As", "as", "AS", "10h", "Td", " 9c ", "1OH"].map(readCard)).toEqual([
    "As",
    "As",
    "As",
    "Th",
    "Td",
    "9c",
    "Th",
  ]);
  expect(["", "A", "1s", "Ax", "Asd", "10"].map(readCard)).toEqual([null, null, null, null, null, null]);
});

test("the sign of a change is never left to its colour", () => {
  expect([500, -500, 0].map(change)).toEqual(["+5.00", "−5.00", "±0.00"]);
});
