/** Words in the player's language. The house sends keys and facts; every sentence is put together here. */
import { OUTCOMES, RANKS, REASONS, REFUSALS } from "../../generated/words";
import type { Reason } from "../../generated/protocol";
import { SYMBOLS, rankOf, suitOf, symbols } from "../cards";
import { money, short } from "../money";
import { settings } from "../settings.svelte";
import en, { type Key, type Words } from "./en";
import es from "./es";
import zh from "./zh";

export type Language = "en" | "es" | "zh";
export type { Key, Words };

export const LANGUAGES: Record<Language, { name: string; words: Words }> = {
  en: { name: "English", words: en },
  es: { name: "Español", words: es },
  zh: { name: "中文", words: zh },
};

const words = (): Words => LANGUAGES[settings.language].words;

function filled(sentence: string, facts: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ""));
}

export const w = (key: Key, facts: Record<string, string | number> = {}): string => filled(words().plain[key], facts);
export const phase = (name: string): string => w(`phase-${name}` as Key);
export const gameTitle = (name: string, title: string): string => found(words().games, name) ?? title;
export const choice = (name: string): string => found(words().choices, name) ?? name;
/** Times as the device writes them, where it speaks the chosen language; otherwise as that language does. */
const locale = (): string | undefined =>
  navigator.language.startsWith(settings.language) ? undefined : settings.language;
export const when = (time: number): string => new Date(time).toLocaleString(locale());
export const day = (time: number): string => new Date(time).toLocaleDateString(locale());
/** How many play at a table. */
export const playersOf = (n: number): string =>
  n === 0 ? w("nobody-yet") : n === 1 ? w("player") : w("players", { n });
export const role = (name: string): string => found(words().plain, `role-${name}`) ?? name;
export const odds = (english: string): string => {
  const [pays = "", per = ""] = english.split(" to ");
  return filled(words().patterns.odds, { pays, per });
};

/** A wager, with the line that it lies on: `pair-plus@row-1`. */
export function wager(name: string, title = name): string {
  const [bet = "", line = ""] = name.split("@");
  const said = found(words().wagers, bet) ?? title;
  return line ? w("on-line", { wager: said, line: lineName(line) }) : said;
}

export function lineName(line: string): string {
  const [kind, n = ""] = line.split("-");
  return w(kind === "row" ? "row-n" : "column-n", { n });
}

export const outcome = (name: string): string => found(words().outcomes, name.toLowerCase()) ?? name;

export function cardName(code: string): string {
  if (code === "?") return w("face-down");
  const { ranks, suits, patterns } = words();
  return filled(patterns.card, { rank: found(ranks, rankOf(code)) ?? code, suit: found(suits, suitOf(code)) ?? "" });
}

/** A three-card hand as the house names it, `pair of nines`, in the player's language. */
export function handName(english: string): string {
  if (settings.language === "en") return english;
  const { patterns } = words();
  const rank = (said: string): string => rankNamed(said);
  let match: RegExpMatchArray | null;
  if ((match = /^pair of (\w+)$/.exec(english))) return filled(patterns.pair, { rank: rank(match[1] ?? "") });
  if ((match = /^three (\w+)$/.exec(english))) return filled(patterns.three, { rank: rank(match[1] ?? "") });
  if ((match = /^(.+), (\w+) high$/.exec(english)))
    return filled(patterns["hand-high"], { hand: outcome(match[1] ?? ""), rank: rank(match[2] ?? "") });
  if ((match = /^(\w+) high$/.exec(english))) return filled(patterns.high, { rank: rank(match[1] ?? "") });
  return outcome(english);
}

function rankNamed(english: string): string {
  const code = Object.entries(RANKS).find(
    ([, name]) => english === name || english === `${name}s` || english === `${name}es`,
  );
  return code ? words().ranks[code[0] as keyof typeof RANKS] : english;
}

/** Why a wager paid what it did. */
export const reason = (why: Reason): string =>
  sentence(why, found(words().reasons, why.key) ?? found(REASONS, why.key) ?? why.key);

/** Why the house refused something; what a terminal has no words for is said as the house says it, in English. */
export function refusal(english: string, why?: Reason | null): string {
  const known = why && (found(words().refusals, why.key) ?? found(REFUSALS, why.key));
  return known ? sentence(why, known) : english;
}

function sentence({ facts }: Reason, sentence: string): string {
  const said = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, inWords(name, fact)]));
  const text = filled(sentence, said);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MONEY = new Set(["amount", "chip", "cost", "credit", "least", "limit", "most", "staked", "win"]);

function inWords(name: string, fact: string): string {
  if (MONEY.has(name)) return money(Number(fact));
  if (name === "amounts")
    return fact
      .split(", ")
      .map((amount) => short(Number(amount)))
      .join(", ");
  if (name === "wager" || name === "needed") return wager(fact);
  if (name === "card") return fact === "?" ? w("face-down") : symbols(fact);
  if (name === "odds") return odds(fact);
  if (name === "seen") return symbols(fact);
  if (name === "outcome") return outcome(fact);
  if ((name === "yours" || name === "dealers") && !/^\d+$/.test(fact)) return handName(fact);
  return fact;
}

function found(table: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export const suitSymbol = (code: string): string => SYMBOLS[suitOf(code)];
export const knowsOutcome = (name: string): boolean => (OUTCOMES as readonly string[]).includes(name);
