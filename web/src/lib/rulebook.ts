/** The rules of play as the house sends them: chapters of phrases and tables, numbered alike in every language. */
import type { Phrase } from "../generated/protocol";

export interface RuleTable {
  title: Phrase;
  rows: Phrase[][];
}

export interface Rule {
  number: string;
  said: Phrase;
  /** The clause of the document that it comes from, where there is one. */
  clause?: string;
  table?: RuleTable | null;
}

export interface Chapter {
  number: number;
  title: Phrase;
  parts: Rule[];
}

/** The chapters that the house sent, with the rules in force or with a preview. */
export const chaptersOf = (sent: object): Chapter[] => ("chapters" in sent ? (sent.chapters as Chapter[]) : []);
