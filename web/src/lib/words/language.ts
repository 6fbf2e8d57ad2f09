/**
 * What a phrase says in one language: the twin of `Language` in src/podium/basics/words.py.
 *
 * A phrase is a key with typed facts, and a catalogue has the words of one language for every key. A sentence names its
 * facts and how to say them, `Wagers of {staked:money} exceed the credit.` tests/words.test.ts compares what both say.
 */
import type { Phrase } from "../../generated/protocol";
import { symbols } from "../cards";
import { written } from "../money";

/** A number, an amount in minor units, a card's code, a wager's name, another phrase; or several of them. */
export type Fact = NonNullable<Phrase["facts"]>[string];

/** Words that depend on a number. */
export interface Plural {
  by: string;
  one: string;
  other: string;
}
export type Words = string | Plural;
export type Catalogue = Readonly<Record<string, Words>>;

const PLACE = /\{(\w+)(?::([a-z-]+))?\}/g;
const AT_THE_START = new RegExp(`^${PLACE.source}`);
const STOPS = [".", "!", "?", "。", "！", "？"];
const ENDS = [...STOPS, "…", ":", "："];
const AS_WRITTEN = "pattern.as-written";

export class Language {
  /** `drawn` says how a card is written: screens draw its suit as a symbol, Python writes its code. */
  constructor(
    readonly code: string,
    private readonly catalogue: Catalogue,
    readonly drawn: (card: string) => string = symbols,
  ) {}

  has(key: string): boolean {
    return Object.hasOwn(this.catalogue, key);
  }

  /** A phrase as a sentence of its own: with a capital letter, its clause and a full stop. */
  sentence(said: Phrase): string {
    const text = this.#beginsWithAName(said) ? this.say(said) : capitalised(this.say(said));
    return ENDS.some((end) => text.endsWith(end)) ? text : text + this.text("mark.stop");
  }

  /** A phrase that stands alone and is no sentence: a title, a label, the first cell of a row. */
  heading(said: Phrase): string {
    return said.key === AS_WRITTEN ? this.say(said) : capitalised(this.say(said));
  }

  /** A phrase as it stands inside a sentence. A key that only a newer house knows is said as it is written. */
  say(said: Phrase): string {
    return this.#withClause(said).replace(PLACE, (_, name: string, kind = "") => {
      const value = name === "clause" && said.clause ? said.clause : said.facts?.[name];
      return value === undefined ? "" : this.fact(value, String(kind));
    });
  }

  /** Words without facts. */
  text(key: string): string {
    return this.say({ key });
  }

  /** What something is called: a wager, a choice, an outcome; `otherwise` where the language has no name for it. */
  name(family: string, name: string, otherwise = name): string {
    return this.has(`${family}.${name}`) ? this.text(`${family}.${name}`) : otherwise;
  }

  fact(value: Fact, kind = ""): string {
    if (Array.isArray(value)) return value.map((each) => this.fact(each, kind)).join(this.text("mark.list"));
    if (typeof value === "object") return withoutEnd(this.say(value));
    return (KINDS[kind] ?? plainly)(this, value);
  }

  /** Whether the words begin with something that somebody else named, which is repeated as it was written. */
  #beginsWithAName(said: Phrase): boolean {
    const [, name = "", kind = ""] = AT_THE_START.exec(this.#chosen(said)) ?? [];
    return !kind && typeof said.facts?.[name] === "string";
  }

  #chosen({ key, facts }: Phrase): string {
    const words = this.has(key) ? this.catalogue[key] : undefined;
    if (words === undefined || typeof words === "string") return words ?? key;
    return facts?.[words.by] === 1 ? words.one : words.other;
  }

  /** The clause stands before the full stop, unless the words have a place for it. */
  #withClause(said: Phrase): string {
    const words = this.#chosen(said);
    if (!said.clause || words.includes("{clause}")) return words;
    const stop = STOPS.find((end) => words.endsWith(end)) ?? "";
    return words.slice(0, words.length - stop.length) + this.#chosen({ key: "mark.clause" }) + stop;
  }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function withoutEnd(text: string): string {
  let end = text.length;
  while (ENDS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

// --- how facts are said ----------------------------------------------------------------------------------------------

type Plain = boolean | number | string;
type Kind = (language: Language, value: Plain) => string;

const plainly: Kind = (_, value) => String(value);
const named =
  (family: string): Kind =>
  (language, value) =>
    language.name(family, String(value));

const COUNT = new Intl.NumberFormat("en-US");

/** Every way to say a fact, by the name that a sentence gives it: `{staked:money}`. */
export const KINDS: Readonly<Record<string, Kind>> = {
  money: (_, value) => written(Number(value)),
  count: (_, value) => COUNT.format(Number(value)),
  quoted: (_, value) => quoted(String(value)),
  cards: (language, value) => (value === "?" ? language.text("card.down") : language.drawn(String(value))),
  wager: (language, value) => wager(language, String(value)),
  odds: (language, value) => odds(language, String(value)),
  choice: named("choice"),
  decision: named("decision"),
  outcome: named("outcome"),
  game: named("game"),
  rank: named("rank"),
  ranks: named("ranks"),
  role: named("role"),
  event: named("report.event"),
  meter: named("report.meter"),
};

const MAX_QUOTED_CHARACTERS = 80;
const NOT_PRINTABLE = /(?! )[\p{C}\p{Z}]/gu;
const ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** What somebody wrote, as it is repeated to them: shortened, with the signs that cannot be printed written out. */
function quoted(text: string): string {
  const characters = [...text];
  const shown =
    characters.length > MAX_QUOTED_CHARACTERS ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join("")} ...` : text;
  return `'${shown.replace(NOT_PRINTABLE, escaped)}'`;
}

function escaped(sign: string): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16);
  const [letter, digits] = code.length <= 2 ? ["x", 2] : code.length <= 4 ? ["u", 4] : ["U", 8];
  return ESCAPES[sign] ?? `\\${letter}${code.padStart(digits, "0")}`;
}

/** `pair-plus@row-1` is Pair Plus on row 1. */
function wager(language: Language, name: string): string {
  const [bet, line] = split(name, "@");
  const said = language.name("wager", bet);
  return line ? language.say({ key: "pattern.on-line", facts: { wager: said, line: lineName(language, line) } }) : said;
}

/** `row-1`, `column-3`: a line of the array of nine cards. */
export function lineName(language: Language, line: string): string {
  const [kind, n] = split(line, "-");
  return language.say({ key: `pattern.${kind}`, facts: { n } });
}

function odds(language: Language, ratio: string): string {
  const [pays, per] = split(ratio, ":");
  return language.say({ key: "pattern.odds", facts: { pays, per } });
}

function split(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + by.length)];
}
