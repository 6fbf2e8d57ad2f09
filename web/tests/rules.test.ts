/** The rules of play in other languages; tests/test_rules_in_languages.py holds the sentences against what the rules can print. */
import { afterEach, describe, expect, it } from "vitest";
import { settings } from "$lib/settings.svelte";
import { lines, rulesInWords } from "$lib/words/rules";

const NAMES = {
  "Mega Blackjack with Buster": "Mega Blackjack con Buster",
  "Buster Blackjack": "Buster",
  buster: "Buster",
};

describe("the rules of play", () => {
  afterEach(() => {
    settings.language = "en";
  });

  it("are said sentence by sentence, with the numbers and names that they have", async () => {
    settings.language = "es";
    const words = await rulesInWords("es", NAMES);
    expect(words.sentences("Odds are exact. The limits of a wager are: buster 1.00 to 5.00.")).toBe(
      "Los pagos son exactos. Los límites de una apuesta son: Buster de 1.00 a 5.00.",
    );
    expect(
      words.sentences("It wins when your first two cards are of the same rank; a king and a ten are not a pair here."),
    ).toMatch(/^La apuesta gana cuando /);
  });

  it("keep their numbers, clauses and tables", async () => {
    settings.language = "zh";
    const words = await rulesInWords("zh", {});
    const text = [
      "Stadium Blackjack: rules of play",
      "",
      "1. Wagers",
      "1.1 Every wager that you place is a multiple of 0.05. It is settled as soon as the first cards are out. [SBJ 2]",
      "    TriLux, paytable TRI-01",
      "        Three of a kind: 30 to 1",
      "        Anything else: loses",
      "        chip: 5: SBJ 3",
    ].join("\n");
    expect(lines(text).map((line) => words.line(line))).toEqual([
      { kind: "chapter", number: "1.", said: "下注", beside: "" },
      {
        kind: "rule",
        number: "1.1",
        said: "您的每笔下注都必须是 0.05 的倍数。首轮牌发出后立即结算。",
        beside: "SBJ 2",
      },
      { kind: "title", number: "", said: "TriLux，赔率表 TRI-01", beside: "" },
      { kind: "row", number: "", said: "三条", beside: "30 比 1" },
      { kind: "row", number: "", said: "其他", beside: "输" },
      { kind: "row", number: "", said: "chip: 5", beside: "SBJ 3" },
    ]);
  });

  it("stay English where there are no words", async () => {
    settings.language = "es";
    const words = await rulesInWords("es", {});
    expect(words.sentences("A rule of tomorrow costs 1 to 2.")).toBe("A rule of tomorrow costs 1 to 2.");
  });
});
