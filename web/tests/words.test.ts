import { afterEach, describe, expect, test } from "vitest";
import type { SeatView } from "../src/generated/protocol";
import { GAMES, OUTCOMES, REASONS, REFUSALS, WAGERS } from "../src/generated/words";
import { readCard } from "../src/lib/cards";
import { change } from "../src/lib/money";
import { placeName } from "../src/lib/places";
import { stepName } from "../src/lib/steps";
import { settings } from "../src/lib/settings.svelte";
import { cardName, handName, LANGUAGES, type Language, reason, refusal, type Words } from "../src/lib/words";
import { scene, SCENES } from "./scene";

const facts = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
const en = LANGUAGES.en.words;
const others = Object.keys(LANGUAGES).filter((code) => code !== "en") as Language[];

afterEach(() => void (settings.language = "en"));

describe.each(others)("the words in %s", (code) => {
  const words = LANGUAGES[code].words;
  test.each(Object.keys(en) as (keyof Words)[])("%s: every key, every fact, no empty sentence", (part) => {
    expect(Object.keys(words[part]).sort()).toEqual(Object.keys(en[part]).sort());
    for (const [key, sentence] of Object.entries(words[part])) {
      expect(sentence, key).not.toBe("");
      expect(facts(sentence), key).toEqual(facts((en[part] as Record<string, string>)[key] ?? ""));
    }
  });
  test("say every reason, wager, outcome and game that the house can send", () => {
    expect(Object.keys(words.reasons).sort()).toEqual(Object.keys(REASONS).sort());
    expect(Object.keys(words.refusals).sort()).toEqual(Object.keys(REFUSALS).sort());
    expect(Object.keys(words.wagers).sort()).toEqual(Object.keys(WAGERS).sort());
    expect(Object.keys(words.outcomes).sort()).toEqual([...OUTCOMES].sort());
    expect(Object.keys(words.games).sort()).toEqual(Object.keys(GAMES).sort());
  });
});

test("phases are named in two words, so that a wall can say them", () => {
  for (const code of ["en", "es"] as Language[])
    for (const [key, said] of Object.entries(LANGUAGES[code].words.plain))
      if (key.startsWith("phase-")) expect(said.split(" ").length, said).toBeLessThanOrEqual(2);
});

test("every reason of a real round reads without a gap, and in Chinese without an English word", () => {
  const settledIn = (name: string) =>
    scene(name)
      .flatMap((step) => step.messages)
      .flatMap((message) => (message as { view?: SeatView }).view?.settled ?? []);
  const reasons = SCENES.flatMap(settledIn)
    .flatMap((wager) => wager.why)
    .filter((why) => why.key !== "voided");
  expect(reasons.length).toBeGreaterThan(20);
  for (const why of reasons) {
    expect(reason(why)).not.toMatch(/[{}]|undefined/);
    settings.language = "zh";
    expect(reason(why).replace(/\b(SBJ|DLB|TCP|MUB|MGB)\b[^（）]*/g, "")).not.toMatch(/[a-z]{2,}/);
    settings.language = "en";
  }
});

test("a refusal is said in the language of the terminal, amounts as money; an unknown one as the house says it", () => {
  const short = {
    key: "wager-limits",
    facts: { wager: "pair-plus@row-1", amount: "50", clause: "placard", least: "500", most: "50000" },
  };
  expect(refusal("", short)).toBe("Pair Plus, Row 1 of 0.50 is outside the limits (placard): 5.00 to 500.00.");
  settings.language = "es";
  expect(refusal("", { key: "costs-more", facts: { cost: "1000", credit: "250" } })).toBe(
    "Cuesta 10.00, y su crédito es 2.50.",
  );
  expect(refusal("", { key: "card-again", facts: { card: "As", clause: "SBJ 1" } })).toBe(
    "A♠ no puede salir otra vez: ya salieron todas (SBJ 1).",
  );
  expect(refusal("Something new.", { key: "something-new", facts: {} })).toBe("Something new.");
  expect(refusal("Something else.")).toBe("Something else.");
});

test("three-card hands are named in every language", () => {
  settings.language = "es";
  expect(["pair of nines", "king high", "three sixes", "straight flush, ten high"].map(handName)).toEqual([
    "pareja de nueve",
    "carta alta rey",
    "trío de seis",
    "escalera de color, diez alta",
  ]);
  settings.language = "zh";
  expect(["pair of nines", "king high", "three sixes", "flush, ace high"].map(handName)).toEqual([
    "一对 9",
    "K 高",
    "三条 6",
    "同花，A 高",
  ]);
});

test("cards and places are said in words", () => {
  expect(cardName("Td")).toBe("ten of diamonds");
  expect(cardName("?")).toBe("face down");
  expect(
    [
      "player 1",
      "community 12",
      "seat 4",
      "seat 4, hand 2",
      "up card",
      "hole card",
      "dealer",
      "dealer 3",
      "location 5",
    ].map(placeName),
  ).toEqual([
    "player, card 1",
    "community card 12",
    "seat 4",
    "seat 4, hand 2",
    "dealer, up card",
    "dealer, hole card",
    "dealer draws",
    "dealer, card 3",
    "location 5",
  ]);
});

test("a step of a recorded round is said in words", () => {
  settings.language = "es";
  expect(
    [
      "card Td to community 1",
      "card unknown to hole card",
      "seat 4 decides double+dealer",
      "seat 1 bets blackjack 1000",
      "time runs out",
      "card 3 corrected to As",
      "betting closed",
    ].map(stepName),
  ).toEqual([
    "10♦ → carta común 1",
    "boca abajo → crupier, carta tapada",
    "Doblar",
    "Apuesta",
    "Se acabó el tiempo",
    "La carta 3 era en realidad A♠",
    "",
  ]);
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
