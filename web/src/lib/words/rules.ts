/**
 * The rules of play in the player's language. The house prints them in English, sentence by sentence, from the configuration in force;
 * `rules.json` has every sentence that it can print, with places for what changes: `{#least}` is a number, `{list}` has commas. It is
 * loaded only where somebody reads rules in another language.
 */
import { knowsOutcome, odds, outcome, wager } from ".";
import type { Language } from ".";

type Sentence = Record<Language, string>;

interface Pattern {
  english: RegExp;
  said: string;
}

/** A line of the rules as they are printed: a chapter, a rule with its clause, the title of a table, or one of its rows. */
export interface Line {
  kind: "chapter" | "rule" | "title" | "row";
  number: string;
  said: string;
  /** The clause of a rule, or what a row pays. */
  beside: string;
}

/** The text of the rules, line by line, but for its first one: the name of the game. */
export function lines(text: string): Line[] {
  return text
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map(readLine);
}

function readLine(line: string): Line {
  const row = /^ {8}(.*): (.*)$/.exec(line);
  if (row) return { kind: "row", number: "", said: row[1] ?? "", beside: row[2] ?? "" };
  if (line.startsWith("    ")) return { kind: "title", number: "", said: line.trim(), beside: "" };
  const [, number = "", said = "", beside = ""] = /^(\S+) (.*?)(?: \[([^\]]+)\])?$/.exec(line) ?? [];
  return { kind: number.endsWith(".") ? "chapter" : "rule", number, said, beside };
}

/** Says what the house printed in English; what it has no words for it leaves as it is. */
export class RulesInWords {
  readonly #exact = new Map<string, string>();
  readonly #patterns: Pattern[] = [];

  /** `names` are titles and keys of games and wagers, in the player's language. */
  constructor(
    sentences: Sentence[],
    readonly language: Language,
    readonly names: Record<string, string>,
  ) {
    for (const sentence of sentences) {
      if (sentence.en.includes("{")) this.#patterns.push({ english: pattern(sentence.en), said: sentence[language] });
      else this.#exact.set(sentence.en, sentence[language]);
    }
  }

  line(english: Line): Line {
    if (english.kind !== "row") return { ...english, said: this.sentences(english.said) };
    return { ...english, said: this.#label(english.said), beside: this.#paid(english.beside) };
  }

  /** One or several sentences. */
  sentences(english: string): string {
    const said = english
      .replace(/\. (?=[A-Z])/g, ".\n")
      .split("\n")
      .map((one) => this.#phrase(one) ?? one);
    return said.join(this.language === "zh" ? "" : " ");
  }

  #label(english: string): string {
    const said = knowsOutcome(english.toLowerCase()) ? outcome(english) : this.#phrase(english);
    return said === undefined ? english : said.charAt(0).toUpperCase() + said.slice(1);
  }

  #paid(english: string): string {
    return /^\d+ to \d+$/.test(english) ? odds(english) : this.sentences(english);
  }

  #phrase(english: string): string | undefined {
    const exact = this.#exact.get(english);
    if (exact !== undefined) return exact;
    for (const { english: pattern, said } of this.#patterns) {
      const facts = pattern.exec(english)?.groups;
      if (facts) return said.replace(/\{(\w+)\}/g, (_, name: string) => this.#fact(name, facts[name] ?? ""));
    }
    return undefined;
  }

  #fact(name: string, english: string): string {
    const value = (one: string): string =>
      this.names[one] ?? this.#phrase(one) ?? wager(one.toLowerCase().replaceAll(" ", "-"), one);
    return name === "list"
      ? english
          .split(", ")
          .map(value)
          .join(this.language === "zh" ? "、" : ", ")
      : value(english);
  }
}

function pattern(english: string): RegExp {
  const literal = english.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  const places = literal
    .replace("{list}", "(?<list>.+)")
    .replace(/\{#(\w+)\}/g, "(?<$1>\\d[\\d,]*(?:\\.\\d+)?)")
    .replace(/\{(\w+)\}/g, "(?<$1>[^.]+?)");
  return new RegExp(`^${places}$`);
}

export async function rulesInWords(language: Language, names: Record<string, string>): Promise<RulesInWords> {
  const { default: sentences } = await import("./rules.json");
  return new RulesInWords(sentences, language, names);
}
