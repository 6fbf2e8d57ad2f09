/**
 * The one connection of a terminal to its house.
 *
 * The house is the truth: what is shown is the newest `table` and `seat` that it sent. A command gets a number and a
 * promise of its answer; when the link is lost no new command is taken, and those without an answer are sent again
 * under the same number when it is back.
 */
import { createSubscriber } from "svelte/reactivity";
import type { Answers } from "../generated/api";
import type {
  Advice,
  AnyCommand,
  AnyMessage,
  HeldCard,
  History,
  Phrase,
  RulesInForce,
  Seated,
  TableView,
  Welcome,
} from "../generated/protocol";
import { complete } from "./complete";
import { lineProof, provedFetch } from "./device";
import { refusal, w } from "./words";

/** `stranger`: the house does not know this terminal; somebody must sign in. */
export type Link = "connecting" | "open" | "lost" | "stranger";
export type Answer = { done: true; seat: number | null } | { done: false; reason: string; why?: Phrase | null };
export type Asked = AnyCommand extends infer One ? (One extends AnyCommand ? Omit<One, "id"> : never) : never;

/** The reason of a command that was not sent, because there is no link. */
export const NO_LINK = "no-link";

/** Why something was not done, for the person who asked for it. */
export const whyNot = (reason: string): string => (reason === NO_LINK ? w("no-link") : reason);

/** As much of a WebSocket as is used. */
export interface Wire {
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The house asks who this is. */
export class NotKnown extends Error {}

export interface Outside {
  /** Open a line; throws `NotKnown` where somebody must sign in first. */
  connect(): Promise<Wire>;
  now(): number;
}

/** After this silence the house is asked whether it is there, and after the longer one the link counts as lost. */
const QUIET_MS = 4_000;
const DEAD_MS = 8_000;
const PULSE_MS = 1_000;
/** How long the first and the last attempts to come back wait; each waits twice as long as the one before. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** A house that said goodbye is busy with something else: it is left alone as after this many attempts. */
const TRIES_AFTER_GOODBYE = 4;
/** A command that was refused for the moment is sent again after this, and for this long; watching a table, for ever. */
const AGAIN_MS = 250;
const LONGEST_AGAIN_MS = 2_000;
const PATIENCE_MS = 10_000;

/** What the house has shown of one table. */
interface Shown {
  table: TableView | null;
  seat: Seated | null;
  rules: RulesInForce | null;
  history: History | null;
  advice: Advice | null;
  /** What comes next over a new connection is taken, whatever its number. */
  fresh: { table: boolean; seat: boolean };
}

const nothingShown = (): Shown => ({
  table: null,
  seat: null,
  rules: null,
  history: null,
  advice: null,
  fresh: { table: true, seat: true },
});

/** A box of the player at a table, as it is chosen on the screen. */
export interface Box {
  table: string;
  box: number;
  /** Whether it is asked something. */
  asked: boolean;
}

interface Waiting {
  command: AnyCommand;
  /** When it was first sent, and how often the house has refused it for the moment. */
  since: number;
  refusals: number;
  answer(answer: Answer): void;
}

export class House {
  #subscribe: () => void;
  #changed: (() => void) | undefined;
  #wire: Wire | null = null;
  #link: Link = "connecting";
  #welcome: Welcome | null = null;
  /** The tables that are watched, in their order. */
  #shown = new Map<string, Shown>();
  #box = 1;
  /** The newest credit: it is one for all tables. */
  #credit = 0;
  #ofBox: { from: Seated; box: number; credit: number; seat: Seated } | null = null;
  #held: HeldCard | null = null;
  #goodbye = "";
  #standstill = "";
  #watching = "";
  /** Numbers go on rising when the page is loaded again, so that no old answer is taken for a new one. */
  #last: number;
  #waiting = new Map<number, Waiting>();
  #offset = 0;
  #heard = 0;
  #tries = 0;
  #attempt = 0;
  #timers: { retry?: ReturnType<typeof setTimeout>; pulse?: ReturnType<typeof setInterval> } = {};
  #ended = false;

  constructor(readonly outside: Outside) {
    this.#last = outside.now();
    this.#subscribe = createSubscriber((update) => {
      this.#changed = update;
      return () => (this.#changed = undefined);
    });
    void this.#connect();
    this.#timers.pulse = setInterval(() => this.#pulse(), PULSE_MS);
    if (typeof window !== "undefined") {
      window.addEventListener("offline", this.#lose);
      window.addEventListener("online", this.#retryNow);
    }
  }

  // --- what is known ---------------------------------------------------------------------------------------------------

  get link(): Link {
    this.#subscribe();
    return this.#link;
  }
  get welcome(): Welcome | null {
    this.#subscribe();
    return this.#welcome;
  }
  get table(): TableView | null {
    this.#subscribe();
    return this.#inView.table;
  }
  /** The place of the player at the table in view, with the seat and the view of the box in view. */
  get seat(): Seated | null {
    this.#subscribe();
    return this.#seatOfBox();
  }
  get rules(): RulesInForce | null {
    this.#subscribe();
    return this.#inView.rules;
  }
  get history(): History | null {
    this.#subscribe();
    return this.#inView.history;
  }
  /** What each answer to some question is worth, as far as it was asked last. */
  get advice(): Advice | null {
    this.#subscribe();
    return this.#inView.advice;
  }
  /** For a dealer: the card that a reader read and that does not count yet. */
  get held(): HeldCard | null {
    this.#subscribe();
    return this.#held;
  }
  /** Why the house closed the connection; empty when it did not. */
  get goodbye(): string {
    this.#subscribe();
    return this.#goodbye;
  }
  /** Why play stands still in the whole house; empty while it does not. */
  get standstill(): string {
    this.#subscribe();
    return this.#standstill;
  }
  /** The table in view. */
  get watching(): string {
    this.#subscribe();
    return this.#watching;
  }
  /** The box in view. */
  get box(): number {
    this.#subscribe();
    return this.#box;
  }
  /** All tables that are watched. */
  get tables(): string[] {
    this.#subscribe();
    return [...this.#shown.keys()];
  }
  /** The deadline of a table that is watched, where something is open there. */
  deadline(table: string): number | null {
    this.#subscribe();
    return this.#shown.get(table)?.table?.deadline ?? null;
  }
  /** The player's boxes at all tables that are watched; a table without a seat counts as its first box. */
  get boxes(): Box[] {
    this.#subscribe();
    return [...this.#shown].flatMap(([table, { table: view, seat }]) => {
      const open = view?.phase === "deciding" && seat?.round === view.round;
      const first = { table, box: seat?.box ?? 1, asked: Boolean(open && seat?.view?.question) };
      const further = (seat?.further ?? []).map((each) => ({
        table,
        box: each.box,
        asked: Boolean(open && each.view?.question),
      }));
      return [first, ...further];
    });
  }

  get #inView(): Shown {
    return this.#shown.get(this.#watching) ?? nothingShown();
  }

  #seatOfBox(): Seated | null {
    const from = this.#inView.seat;
    if (from === null) return null;
    const [box, credit] = [this.#box, this.#credit];
    const known = this.#ofBox;
    if (known?.from === from && known.box === box && known.credit === credit) return known.seat;
    const own = from.further.find((each) => each.box === box);
    const seat = { ...from, credit, ...(own ? { box, seat: own.seat, view: own.view } : {}) };
    this.#ofBox = { from, box, credit, seat };
    return seat;
  }

  /** The house's clock, in milliseconds since 1970. */
  now(): number {
    return this.outside.now() + this.#offset;
  }

  // --- what is asked ---------------------------------------------------------------------------------------------------

  /** Show another table instead of all that are watched, or none. */
  watch(table: string): void {
    if (table === this.#watching && this.#shown.size <= 1) return;
    this.#held = null;
    this.#shown.clear();
    if (table) this.#shown.set(table, nothingShown());
    this.look(table);
    if (table && this.#link === "open") void this.#send({ do: "watch", table });
  }

  /** Watch one more table, beside the others, and look at it. */
  watchBeside(table: string): void {
    if (!this.#shown.size) return this.watch(table);
    if (!this.#shown.has(table)) {
      this.#shown.set(table, nothingShown());
      if (this.#link === "open") void this.#send({ do: "watch", table, beside: true });
    }
    this.look(table);
  }

  /** Watch a table no longer; the view goes to another one. */
  unwatch(table: string): void {
    if (!this.#shown.delete(table)) return;
    if (this.#link === "open") void this.#send({ do: "unwatch", table });
    if (table === this.#watching) this.look([...this.#shown.keys()][0] ?? "");
    else this.#changed?.();
  }

  /** Look at a table that is watched, and at one of the boxes there. */
  look(table: string, box = this.#shown.get(table)?.seat?.box ?? 1): void {
    this.#watching = table;
    this.#box = box;
    this.#changed?.();
  }

  /** Ask the house for something. Without a link nothing is sent: a terminal that is cut off takes no bets (DSC-1). */
  ask(command: Asked): Promise<Answer> {
    if (this.#link !== "open") return Promise.resolve({ done: false, reason: NO_LINK });
    return this.#send(command);
  }

  #send(command: Asked): Promise<Answer> {
    const numbered = { ...this.#placed(command), id: ++this.#last };
    return new Promise((answer) => {
      this.#waiting.set(numbered.id, { command: numbered, since: this.outside.now(), refusals: 0, answer });
      this.#wire?.send(JSON.stringify(numbered));
    });
  }

  /** Where several tables are watched, or a further box is in view, a command names them. */
  #placed(command: Asked): Asked {
    if (command.do === "watch" || command.do === "unwatch" || command.do === "ping") return command;
    const table = this.#shown.size > 1 ? { table: this.#watching } : {};
    const ofBox = command.do === "bet" || command.do === "decide" || command.do === "advise";
    const box = ofBox && this.#box !== 1 ? { box: this.#box } : {};
    return { ...table, ...box, ...command };
  }

  /** Begin anew: whoever signed in is somebody else to the house. */
  again(): void {
    this.#lose();
    this.#tries = 0;
    void this.#connect();
  }

  /** No more: the page goes away. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#timers.pulse);
    clearTimeout(this.#timers.retry);
    if (typeof window !== "undefined") {
      window.removeEventListener("offline", this.#lose);
      window.removeEventListener("online", this.#retryNow);
    }
    this.#wire?.close();
  }

  // --- the link --------------------------------------------------------------------------------------------------------

  async #connect(): Promise<void> {
    clearTimeout(this.#timers.retry);
    const attempt = ++this.#attempt;
    let wire: Wire;
    try {
      wire = await this.outside.connect();
    } catch (error) {
      if (attempt === this.#attempt) this.#fail(error);
      return;
    }
    if (attempt !== this.#attempt || this.#ended) return wire.close();
    this.#wire = wire;
    this.#heard = this.outside.now();
    wire.onmessage = (event) => {
      if (wire === this.#wire) this.#hear(String(event.data));
    };
    wire.onclose = () => {
      if (wire === this.#wire) this.#lose();
    };
  }

  #fail(error: unknown): void {
    if (!(error instanceof NotKnown)) return this.#lose();
    this.#link = "stranger";
    this.#changed?.();
  }

  #lose = (): void => {
    this.#attempt++;
    const wire = this.#wire;
    this.#wire = null;
    if (wire) wire.onclose = null;
    wire?.close();
    if (this.#ended) return;
    this.#link = "lost";
    this.#changed?.();
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#tries++);
    clearTimeout(this.#timers.retry);
    // Half of the wait is drawn by lot, so that a thousand terminals do not all come back in the same instant.
    this.#timers.retry = setTimeout(() => void this.#connect(), wait / 2 + (Math.random() * wait) / 2);
  };

  #retryNow = (): void => {
    if (this.#link === "lost") void this.#connect();
  };

  /** Is the house still there? A link that says nothing is asked, and one that does not answer is lost. */
  #pulse(): void {
    if (!this.#wire) return;
    const silence = this.outside.now() - this.#heard;
    if (silence > DEAD_MS) this.#lose();
    else if (silence > QUIET_MS && this.#link === "open") void this.#send({ do: "ping" });
  }

  #hear(text: string): void {
    this.#heard = this.outside.now();
    const message = complete(JSON.parse(text) as Record<string, unknown>);
    if (message === null) return;
    this.#take(message);
    this.#changed?.();
  }

  #take(message: AnyMessage): void {
    switch (message.is) {
      case "welcome":
        return this.#begin(message);
      case "acknowledged":
        this.#set(message.now);
        return this.#answer(message.id, { done: true, seat: message.seat });
      case "refused":
        if (message.later && this.#again(message.id)) return;
        return this.#answer(message.id, {
          done: false,
          reason: refusal(message.reason, message.why),
          why: message.why,
        });
      case "table":
        return this.#see(message);
      case "seat":
        return this.#sit(message);
      case "reading":
        if (message.table === this.#watching) this.#held = message;
        return;
      case "history":
      case "advice":
      case "rules": {
        const shown = this.#shown.get(message.table);
        if (shown) Object.assign(shown, { [message.is]: message });
        return;
      }
      case "standstill":
        this.#standstill = message.why ? refusal(message.reason, message.why) : "";
        return;
      case "goodbye":
        this.#goodbye = refusal(message.reason, message.why);
        this.#tries = TRIES_AFTER_GOODBYE;
    }
  }

  #begin(welcome: Welcome): void {
    this.#welcome = welcome;
    this.#goodbye = this.#standstill = "";
    this.#link = "open";
    this.#tries = 0;
    for (const shown of this.#shown.values()) shown.fresh = { table: true, seat: true };
    this.#offset = welcome.now - this.outside.now();
    for (const [id, { command }] of this.#waiting)
      if (command.do === "watch" || command.do === "unwatch" || command.do === "ping") this.#waiting.delete(id);
    const asked = [...this.#waiting.values()];
    [...this.#shown.keys()].forEach((table, place) => {
      void this.#send(place ? { do: "watch", table, beside: true } : { do: "watch", table });
    });
    for (const { command } of asked) this.#wire?.send(JSON.stringify(command));
  }

  #see(table: TableView): void {
    this.#set(table.now);
    const shown = this.#shown.get(table.table);
    if (shown && this.#newer(shown, "table", table)) shown.table = table;
  }

  #sit(seat: Seated): void {
    const shown = this.#shown.get(seat.table);
    if (!shown) return;
    this.#credit = seat.credit;
    if (!this.#newer(shown, "seat", seat)) return;
    shown.seat = seat;
    const boxes = [seat.box, ...seat.further.map((each) => each.box)];
    if (seat.table === this.#watching && !boxes.includes(this.#box)) this.#box = seat.box;
  }

  /**
   * The highest number is shown, and of one number the last that came; over a new connection the first that comes is,
   * for the house may have restarted.
   */
  #newer(shown: Shown, kind: "table" | "seat", come: { number: number }): boolean {
    const [first, known] = [shown.fresh[kind], shown[kind]];
    shown.fresh[kind] = false;
    return first || known === null || come.number >= known.number;
  }

  /** A message takes some time to arrive, so of all that is heard the largest difference is nearest to the truth. */
  #set(now: number): void {
    this.#offset = Math.max(this.#offset, now - this.outside.now());
  }

  /** Sends a command that was refused for the moment once more, under its number; false when that has gone on too long. */
  #again(id: number): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    const { command, since } = waiting;
    if (command.do !== "watch" && this.outside.now() - since > PATIENCE_MS) return false;
    const wait = Math.min(LONGEST_AGAIN_MS, AGAIN_MS * 2 ** waiting.refusals++);
    const wire = this.#wire;
    setTimeout(
      () => {
        if (wire === this.#wire && this.#waiting.get(id) === waiting) wire?.send(JSON.stringify(command));
      },
      wait / 2 + (Math.random() * wait) / 2,
    );
    return true;
  }

  #answer(id: number, answer: Answer): void {
    this.#waiting.get(id)?.answer(answer);
    this.#waiting.delete(id);
  }
}

/** The house that served this page. */
export function house(role: "player" | "dealer" | "display"): House {
  return new House({ connect: () => dial(role), now: () => Date.now() });
}

/** Open a line, after coming in as a guest where the house receives guests and nobody has signed in. */
async function dial(role: string): Promise<Wire> {
  // Who is here is asked first: asking for a line before being let in would be refused, and stand in the console as an error.
  if (role !== "display" && (await asked("/api/me")) === null) await comeIn(role);
  const { socket } = (await asked(`/api/terminal?as=${role}`)) as Answers["GET /api/terminal"];
  // The cookie says who this is; what follows says only which tab, and proves which device.
  const address = new URL(socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const tab = key();
  address.searchParams.set("tab", tab);
  const proof = await lineProof(tab);
  if (proof) address.searchParams.set("proof", proof);
  return new WebSocket(address);
}

async function comeIn(role: string): Promise<void> {
  const { guests } = (await asked("/api/house")) as Answers["GET /api/house"];
  if (role !== "player" || !guests) throw new NotKnown();
  await asked("/api/guest", "POST");
}

async function asked(address: string, method = "GET"): Promise<unknown> {
  const answer = await provedFetch(address, { method });
  if (answer.status === 401) throw new NotKnown();
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** This tab's own key: the house knows it again by it, and gives again the answers that were lost on the way. */
function key(): string {
  const KEY = "podium.terminal";
  const known = sessionStorage.getItem(KEY);
  if (known) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  sessionStorage.setItem(KEY, made);
  return made;
}
