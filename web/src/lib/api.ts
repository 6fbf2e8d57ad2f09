/** Everything that a terminal asks over HTTP. The types come from the routes of the house; docs/api.md lists them. */
import type {
  AbandonForm,
  Answers,
  Bodies,
  CorrectForm,
  EventsQuery,
  LimitsForm,
  NoticeForm,
  PersonForm,
  Queries,
  RefusalCard,
  ReopenForm,
  ReportQuery,
  SearchQuery,
  StateForm,
  VoidForm,
} from "../generated/api";
import type { Phrase } from "../generated/protocol";
import { completeAnswer } from "./complete";
import { provedFetch } from "./known";
import { refusal, w } from "./words";

/** The house said no: a sentence for people. */
export class Refused extends Error {}

/** The house did not answer: nobody knows whether it was done. The same request under its key finds out. */
export class NoAnswer extends Refused {}

/** The house said no for now: a second person must approve it first. */
export class Waits extends Refused {
  constructor(
    said: string,
    readonly act: Phrase,
  ) {
    super(said);
  }
}

/** A refusal of the house as an error, in the language of the terminal. */
export function refused(reason: string, why?: Phrase | null): Refused {
  const said = refusal(reason, why);
  const act = why?.key === "refused.approval-waits" ? why.facts?.act : undefined;
  return act ? new Waits(said, act as Phrase) : new Refused(said);
}

async function ask(method: Method, path: string, address: string, body?: unknown, key?: string): Promise<unknown> {
  const sent = { method, ...(body === undefined ? {} : { headers: headers(key), body: JSON.stringify(body) }) };
  // LED-2: the same key again does not happen again, so a request whose answer was lost may safely be sent once more.
  const answer = await granted(address, sent);
  const isJson = answer.headers.get("content-type")?.includes("json");
  return completeAnswer(`${method} ${path}`, isJson ? await answer.json() : null);
}

/** The answer to something that the house grants; anything else is an error with the house's sentence. */
async function granted(address: string, sent: { method: Method; headers?: Record<string, string>; body?: string }) {
  const response = await provedFetch(address, sent)
    .catch(() => provedFetch(address, sent))
    .catch(() => null);
  if (response === null) throw new NoAnswer(w("no-link"));
  if (response.ok) return response;
  const isJson = response.headers.get("content-type")?.includes("json");
  const said = isJson ? ((await response.json()) as RefusalCard) : null;
  throw said ? refused(said.reason, said.why) : new Refused(`${response.status} ${response.statusText}`);
}

/** A link that the house gave, whole or as a path, as it can be handed over. */
export const wholeLink = (link: string): string => new URL(link, location.origin).href;

const headers = (key = newKey()) => ({ "content-type": "application/json", "Idempotency-Key": key });
/** The key of something that happens at most once, however often it is sent (LED-2). */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// --- a path gives the types --------------------------------------------------------------------------------------------

type Method = "GET" | "POST" | "DELETE";
/** The paths of a method. */
type Path<M extends Method, R = keyof Answers> = R extends `${M} ${infer P}` ? P : never;
/** The names in braces in a path. */
type Slot<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Slot<Rest> : never;
type Of<Table, R> = R extends keyof Table ? Table[R] : never;
type Query<R> = { [Name in keyof Of<Queries, R>]?: string | number };
/** What an address is made of: the names in its path, and what follows the question mark. */
type Facts<M extends Method, P> = Record<Slot<P>, string> & Query<`${M} ${P & string}`>;
/** An argument that may be left out if it would be empty. */
type Needed<T> = Record<never, never> extends T ? [given?: T] : [given: T];
type Body<P> = `POST ${P & string}` extends keyof Bodies ? Bodies[`POST ${P & string}`] : Record<string, never>;

/** The address of a path: facts that it names stand in it, the others follow the question mark. */
function addressOf(path: string, facts: Record<string, string | number | undefined>): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(facts[name] ?? ""));
  const others = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === "" || path.includes(`{${name}}`) ? [] : [[name, String(value)]],
  );
  return others.length ? `${address}?${new URLSearchParams(others)}` : address;
}

/** Ask for what is at a path. */
export const get = <P extends Path<"GET">>(path: P, ...[facts]: Needed<Facts<"GET", P>>) =>
  ask("GET", path, addressOf(path, facts ?? {})) as Promise<Of<Answers, `GET ${P}`>>;

/** Send a body to a path. */
export const post = <P extends Path<"POST">>(
  path: P,
  ...[body, facts]: [...Needed<Body<P>>, ...Needed<Facts<"POST", P>>]
) =>
  ask("POST", path, addressOf(path, (facts ?? {}) as Record<string, string>), body ?? {}) as Promise<
    Of<Answers, `POST ${P}`>
  >;

/** Send a body to a path as the request of that key: whoever sends it again sends the same request. */
export const postOnce = <P extends Path<"POST">>(path: P, key: string, body: Body<P>) =>
  ask("POST", path, addressOf(path, {}), body, key) as Promise<Of<Answers, `POST ${P}`>>;

/** Delete what is at a path. */
export const remove = <P extends Path<"DELETE">>(path: P, facts: Facts<"DELETE", P>) =>
  ask("DELETE", path, addressOf(path, facts)) as Promise<Of<Answers, `DELETE ${P}`>>;

// --- the calls -----------------------------------------------------------------------------------------------------------

type Changes = Record<string, unknown>;

export const api = {
  house: () => get("/api/house"),
  tables: () => get("/api/tables"),
  rules: (table: string) => get("/api/rules", { table }),
  /** A house that is not well answers 503, and says why all the same. */
  health: async () => {
    const response = await fetch("/api/health");
    if (response.status !== 200 && response.status !== 503) throw new Refused(response.statusText);
    return completeAnswer("GET /api/health", await response.json()) as Answers["GET /api/health"];
  },

  // player
  rounds: (table: string) => get("/api/rounds", { table }),
  shoes: (table: string) => get("/api/shoes", { table }),
  proof: (table: string, shoe: number) => get("/api/proof", { table, shoe }),
  cashOut: () => post("/api/cash-out"),
  redeem: (number: string) => post("/api/redeem", { number }),
  protection: () => get("/api/protection"),
  chooseLimits: (form: LimitsForm) => post("/api/protection/limits", form),
  takeBreak: (hours: number) => post("/api/protection/break", { hours }),
  excludeMe: (days: number) => post("/api/protection/exclusion", { days }),
  readReminder: () => post("/api/protection/reminder"),
  confirmAge: () => post("/api/protection/age"),
  readNotice: (form: NoticeForm) => post("/api/notices/read", form),

  // people
  me: () => get("/api/me"),
  signIn: (name: string, password: string) => post("/api/sign-in", { name, password }),
  signInByTicket: (number: string) => post("/api/sign-in/ticket", { number }),
  signOut: () => post("/api/sign-out"),
  changePassword: (old: string, fresh: string) => post("/api/me/password", { old, new: fresh }),
  passkeys: () => get("/api/me/passkeys"),
  beginPasskey: () => post("/api/me/passkeys/begin"),
  addPasskey: (name: string, credential: string) => post("/api/me/passkeys", { name, credential }),
  removePasskey: (key: string) => remove("/api/me/passkeys/{key}", { key }),
  beginPasskeySignIn: () => post("/api/sign-in/passkey/begin"),
  signInByPasskey: (credential: string) => post("/api/sign-in/passkey", { credential }),
  /** The acts that the signed-in person may approve, and those that this person has asked others to approve. */
  approvals: () => get("/api/approvals"),
  myApprovals: () => get("/api/approvals/mine"),
  decideApproval: (key: string, accept: boolean) => post("/api/approvals/{key}", { accept }, { key }),
  /** A code for one act, for a terminal where it is typed. */
  approvalCode: (key: string) => post("/api/approvals/{key}/code", {}, { key }),
  /** This browser is the display that was enrolled with that token (SEC-3). */
  beDisplay: (token: string) => post("/api/terminals/here", { token }),

  // floor
  floor: () => get("/api/floor/tables"),
  setTable: (table: string, form: StateForm) => post("/api/floor/tables/{table}", form, { table }),
  voidRound: (table: string, form: VoidForm) => post("/api/floor/tables/{table}/void", form, { table }),
  beginCorrection: (table: string, round: number) =>
    post("/api/floor/tables/{table}/correction/begin", { round }, { table }),
  abandonCorrection: (table: string, form: AbandonForm) =>
    post("/api/floor/tables/{table}/correction/abandon", form, { table }),
  correctCards: (table: string, form: CorrectForm) => post("/api/floor/tables/{table}/correction", form, { table }),
  /** The settled rounds that can still be reopened; or one of them, with its cards (VOID-4). */
  reopenable: (table: string, round = 0) => get("/api/floor/tables/{table}/reopening", { table, round }),
  reopen: (table: string, form: ReopenForm) => post("/api/floor/tables/{table}/reopening", form, { table }),
  askShoe: (table: string, reason: string) => post("/api/floor/tables/{table}/shoe", { reason }, { table }),
  options: (table: string) => get("/api/floor/tables/{table}/options", { table }),
  settings: (table: string) => get("/api/floor/tables/{table}/settings", { table }),
  preview: (table: string, options: Changes, settings: Changes) =>
    post("/api/floor/tables/{table}/preview", { options, settings }, { table }),
  schedule: (table: string, options: Changes, settings: Changes) =>
    post("/api/floor/tables/{table}/schedule", { options, settings }, { table }),
  account: (name: string) => get("/api/cashier/account", { name }),
  debts: () => get("/api/cashier/debts"),
  tips: () => get("/api/cashier/tips"),
  shareTips: (since: number, until: number) => post("/api/floor/tips/share", { since, until }),
  exclusions: () => get("/api/floor/exclusions"),
  exclude: (name: string, reason: string, days: number) => post("/api/floor/exclusions", { name, reason, days }),
  liftExclusion: (name: string, reason: string, approval: string) =>
    post("/api/floor/exclusions/lift", { name, reason, approval }),
  findTicket: (number: string) => post("/api/cashier/tickets/find", { number }),
  people: () => get("/api/people"),
  setPerson: ({ name, role, active }: PersonForm, approval: string) =>
    post("/api/people", { name, role, active, approval }),
  inviteAgain: (name: string, approval: string) => post("/api/people/{name}/invitation", { approval }, { name }),
  terminals: () => get("/api/terminals"),
  enrolTerminal: (name: string, reads: string) => post("/api/terminals", { name, reads }),
  dismissTerminal: (name: string) => remove("/api/terminals/{name}", { name }),
  calendar: () => get("/api/calendar"),
  events: (span: EventsQuery) => get("/api/events", span),
  recall: (table: string, round: number, player = "") => get("/api/recall", { table, round: String(round), player }),
  searchRounds: (wanted: SearchQuery) => get("/api/recall/search", wanted),
  reportNames: () => get("/api/reports"),
  report: (name: string, span: ReportQuery) => get("/api/reports/{name}", { name, ...span }),
  /** A report as a file. It is asked for like everything else, so that a known terminal proves itself. */
  reportCsv: (name: string, span: ReportQuery): Promise<Blob> =>
    granted(addressOf("/api/reports/{name}", { ...span, name, format: "csv" }), { method: "GET" }).then((answer) =>
      answer.blob(),
    ),
};
