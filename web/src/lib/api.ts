/** Everything that a terminal asks over HTTP; web/README.md lists it for whoever serves it. */
import type { Chapter, Layout, Phase, Phrase, SeatView, TableCard } from "../generated/protocol";
import { complete } from "./complete";
import { refusal, w } from "./words";

/** The house said no: a sentence for people. */
export class Refused extends Error {}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const sent = { method, ...(body === undefined ? {} : { headers: headers(), body: JSON.stringify(body) }) };
  // LED-2: the same key again does not happen again, so a request whose answer was lost may safely be sent once more.
  const response = await fetch(path, sent)
    .catch(() => fetch(path, sent))
    .catch(() => null);
  if (response === null) throw new Refused(w("no-link"));
  const answer: unknown = response.headers.get("content-type")?.includes("json") ? await response.json() : null;
  if (!response.ok) throw new Refused(why(answer as Refusal | null) || `${response.status} ${response.statusText}`);
  return answer as T;
}

/** A link that the house gave, whole or as a path, as it can be handed over. */
export const wholeLink = (link: string): string => new URL(link, location.origin).href;

interface Refusal {
  reason: string;
  why?: Phrase;
}
const why = (said: Refusal | null): string => (said ? refusal(said.reason, said.why) : "");

const headers = () => ({ "content-type": "application/json", "Idempotency-Key": keyed() });
const keyed = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const get = <T>(path: string, facts: Record<string, string | number | undefined> = {}): Promise<T> => {
  const query = new URLSearchParams(
    Object.entries(facts).flatMap(([key, value]) =>
      value === undefined || value === "" ? [] : [[key, String(value)]],
    ),
  );
  return ask<T>("GET", query.size ? `${path}?${query}` : path);
};
const post = <T = unknown>(path: string, body: unknown = {}): Promise<T> => ask<T>("POST", path, body);

// --- what comes back -----------------------------------------------------------------------------------------------------

/** One state of a finished round, as the seat saw it. */
export interface RecordedStep {
  phase: Phase;
  /** What happened: a card, a decision, a correction. */
  event: Phrase;
  layout: Layout;
  view: SeatView | null;
}

/** REC-2: a round as it is recalled. */
export interface RecordedRound {
  table: string;
  game: string;
  title: string;
  round: number;
  /** Milliseconds since 1970. */
  time: number;
  dealer: string;
  rules: string;
  dealing: "community" | "own-hands" | "nine-cards";
  /** How many players could sit down; null where there was no limit. */
  seats: number | null;
  status: "settled" | "void" | "corrected";
  credit_before: number;
  credit_after: number;
  steps: RecordedStep[];
}

export interface EndedShoe {
  number: number;
  cards: number;
  rounds: [number, number];
  commitment: string;
}

export interface Ticket {
  number: string;
  amount: number;
  site: string;
  issued: number;
  expires: number;
}

export interface Person {
  name: string;
  role: string;
  active: boolean;
  /** For a new person: the link to hand over, with which a password is chosen. */
  invitation?: string;
}

export interface FloorTable extends TableCard {
  handle: number;
  win: number;
  /** Shares of the handle; null before there is any. */
  hold: number | null;
  theory: number | null;
  /** What is staked in the round in play; how far its result spreads and what the house can lose, at most. */
  exposure: number;
  spread: number | null;
  largest: number | null;
  alerts: Phrase[];
}

export interface OptionCard {
  name: string;
  clause: string;
  /** `true or false`, `whole number`, `text`, `list`, `table`. */
  type: string;
  value: unknown;
  default: unknown;
  /** Those that can be listed; empty where any value of the type may be. */
  values: unknown[];
  allowed: string | Phrase;
  fixed: boolean;
  says: string | Phrase;
}

/** Something of a table besides its rules: who deals, how long things take. */
export interface Setting {
  name: string;
  value: unknown;
  values: unknown[];
  says: string | Phrase;
}

export interface ParLine {
  wager: string;
  title: string;
  house_edge: number;
  return: number;
  hit_frequency: number | null;
  method: string;
  standard_error: number | null;
}

export interface Preview {
  /** The rules of play. */
  chapters: Chapter[];
  wagers: ParLine[];
  /** Whether the mathematics is still at work. */
  working: boolean;
  fingerprint: string;
  /** Options that differ from those in force. */
  changed: Record<string, unknown>;
}

export interface Significant {
  time: number;
  kind: string;
  source: string;
  who: string;
  reason: string;
  before: string;
  after: string;
}

export type Cell = string | number | Phrase | null;

export interface Report {
  title: string | Phrase;
  /** The days in words. */
  interval: string | Phrase;
  made: number;
  columns: (string | Phrase)[];
  /** How the cells of a column are said; games, wagers, events and meters stand there by name. */
  kinds: ("text" | "amount" | "count" | "share" | "time" | "game" | "wager" | "event" | "meter")[];
  rows: Cell[][];
  total: Cell[] | null;
  says: string | Phrase | null;
  note: string | Phrase | null;
  /** Columns that a plot is drawn of, against the first. */
  plots: (string | number)[];
}

export interface Account {
  name: string;
  credit: number;
  locked: number;
  /** A guest's credit is play money. */
  play_money?: boolean;
}

/** A terminal that the operator enrolled (SEC-3). */
export interface EnrolledTerminal {
  name: string;
  by: string;
  time: number;
  active: boolean;
}

// --- the calls -----------------------------------------------------------------------------------------------------------

export const api = {
  /** What anybody may know of the house. */
  house: () => get<{ name: string; currency: string; address: string }>("/api/house"),
  tables: () => get<TableCard[]>("/api/tables"),

  // player
  rounds: (table: string) => get<RecordedRound[]>("/api/rounds", { table }).then((rounds) => rounds.map(whole)),
  shoes: (table: string) => get<EndedShoe[]>("/api/shoes", { table }),
  proof: (table: string, shoe: number) => get<unknown>("/api/proof", { table, shoe }),
  cashOut: () => post<Ticket>("/api/cash-out"),
  redeem: (number: string) => post<Account>("/api/redeem", { number }),

  // people
  me: () => get<Person | null>("/api/me"),
  signIn: (name: string, password: string) => post<Person>("/api/sign-in", { name, password }),
  signInByTicket: (number: string) => post<Person>("/api/sign-in/ticket", { number }),
  signOut: () => post("/api/sign-out"),
  /** A supervisor's approval: a code for one use at somebody else's terminal. */
  approve: () => post<{ code: string; expires: number }>("/api/approvals"),
  /** This browser is the display that was enrolled with that token (SEC-3). */
  beDisplay: (token: string) => post<{ name: string }>("/api/terminals/here", { token }),

  // floor
  floor: () => get<FloorTable[]>("/api/floor/tables"),
  setTable: (table: string, state: "open" | "paused" | "closed") =>
    post(`/api/floor/tables/${encodeURIComponent(table)}`, { state }),
  options: (table: string) => get<OptionCard[]>(`/api/floor/tables/${encodeURIComponent(table)}/options`),
  settings: (table: string) => get<Setting[]>(`/api/floor/tables/${encodeURIComponent(table)}/settings`),
  preview: (table: string, options: Record<string, unknown>, settings: Record<string, unknown>) =>
    post<Preview>(`/api/floor/tables/${encodeURIComponent(table)}/preview`, { options, settings }),
  schedule: (table: string, options: Record<string, unknown>, settings: Record<string, unknown>) =>
    post(`/api/floor/tables/${encodeURIComponent(table)}/schedule`, { options, settings }),
  account: (name: string) => get<Account>("/api/cashier/account", { name }),
  buyIn: (name: string, amount: number) => post<Account>("/api/cashier/buy-in", { name, amount }),
  payOut: (name: string, amount: number, approval: string) =>
    post<Account>("/api/cashier/cash-out", { name, amount, approval }),
  adjust: (name: string, amount: number, reason: string, approval: string) =>
    post<Account>("/api/cashier/adjustments", { name, amount, reason, approval }),
  issue: (amount: number) => post<Ticket>("/api/cashier/tickets", { amount }),
  payTicket: (number: string) => post<Ticket>("/api/cashier/tickets/pay", { number }),
  attendantPay: (name: string) => post<Account>("/api/cashier/attendant-pay", { name }),
  people: () => get<Person[]>("/api/people"),
  setPerson: ({ name, role, active }: Person) => post<Person>("/api/people", { name, role, active }),
  inviteAgain: (name: string) => post<{ invitation: string }>(`/api/people/${encodeURIComponent(name)}/invitation`),
  terminals: () => get<EnrolledTerminal[]>("/api/terminals"),
  enrolTerminal: (name: string) => post<{ address: string }>("/api/terminals", { name }),
  dismissTerminal: (name: string) => ask<{ address?: string }>("DELETE", `/api/terminals/${encodeURIComponent(name)}`),
  events: (from: string, to: string) => get<Significant[]>("/api/events", { from, to }),
  recall: (table: string, round: number) =>
    get<RecordedRound[]>("/api/recall", { table, round }).then((rounds) => rounds.map(whole)),
  reportNames: () => get<{ name: string; title: string | Phrase }[]>("/api/reports"),
  report: (name: string, from: string, to: string) =>
    get<Report>(`/api/reports/${encodeURIComponent(name)}`, { from, to }),
  reportCsv: (name: string, from: string, to: string) =>
    `/api/reports/${encodeURIComponent(name)}?${new URLSearchParams({ from, to, format: "csv" })}`,
};

/** The steps of a round hold the same structs as the messages, and leave out what is as usual. */
function whole(round: RecordedRound): RecordedRound {
  return { ...round, steps: round.steps.map(wholeStep) };
}

function wholeStep(step: RecordedStep): RecordedStep {
  const table = complete({ is: "table", layout: step.layout }) as { layout: Layout } | null;
  const seat = complete({ is: "seat", view: step.view }) as { view: SeatView | null } | null;
  return { ...step, layout: table?.layout ?? step.layout, view: seat?.view ?? null };
}
