/**
 * The one connection of a terminal to its house.
 *
 * The house is the truth: what is shown is the newest `table` and `seat` that it sent. A command gets a number and a
 * promise of its answer; when the link is lost no new command is taken, and those without an answer are sent again
 * under the same number when it is back.
 */
import { createSubscriber } from "svelte/reactivity";
import type {
  Advice,
  AnyCommand,
  AnyMessage,
  Counts,
  HeldCard,
  History,
  Notice,
  Phrase,
  RulesInForce,
  Seated,
  TableMap,
  TableView,
  Welcome,
} from "../generated/protocol";
import { complete } from "./complete";
import { NotKnown, dial, type Wire } from "./dial";
import { refusal, w } from "./words";

/** `stranger`: the house does not know this terminal; somebody must sign in. */
export type Link = "connecting" | "open" | "lost" | "stranger";
export type Answer = { done: true; seat: number | null } | { done: false; reason: string; why?: Phrase | null };
export type Asked = AnyCommand extends infer One ? (One extends AnyCommand ? Omit<One, "id"> : never) : never;

/** The reason of a command that was not sent, because there is no link. */
export const NO_LINK = "no-link";

/** Why something was not done, for the person who asked for it. */
export const whyNot = (reason: string): string => (reason === NO_LINK ? w("no-link") : reason);

export interface Outside {
  /** Open a line; throws `NotKnown` where somebody must sign in first. */
  connect(): Promise<Wire>;
  now(): number;
}

/** After this silence the house is pinged, and after the longer one the link counts as lost. */
const QUIET_MS = 4_000;
const DEAD_MS = 8_000;
const PULSE_MS = 1_000;
/** How long the first and the last attempts to come back wait; each waits twice as long as the one before. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** A link that is lost sooner than this after it was made has not helped: the pauses go on growing. */
const STEADY_MS = 10_000;
/** After a goodbye the house is busy: the pause is as long as after this many attempts. */
const TRIES_AFTER_GOODBYE = 4;
/** A command that was refused for the moment is sent again after this pause, and for this long; `watch` for ever. */
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
  /** The box in view there. */
  box: number;
  /** Whether the next message is taken whatever its number, because the connection is new. */
  fresh: { table: boolean; seat: boolean };
}

const nothingShown = (): Shown => ({
  table: null,
  seat: null,
  rules: null,
  history: null,
  advice: null,
  box: 1,
  fresh: { table: true, seat: true },
});

/** A box of the player at a table, as it is chosen on the screen. */
export interface Box {
  table: string;
  box: number;
  /** Whether it is asked something. */
  asked: boolean;
}

/** The house as it is seen from one table, and from the box in view there: what the page of a table needs. */
export interface AtTable {
  readonly link: Link;
  readonly welcome: Welcome | null;
  readonly goodbye: string;
  readonly standstill: string;
  readonly watching: string;
  readonly box: number;
  readonly table: TableView | null;
  readonly seat: Seated | null;
  readonly rules: RulesInForce | null;
  readonly history: History | null;
  readonly advice: Advice | null;
  readonly tables: string[];
  now(): number;
  ask(command: Asked): Promise<Answer>;
}

interface Waiting {
  command: AnyCommand;
  /** When it was first sent, and how often the house has refused it for the moment. */
  since: number;
  refusals: number;
  answer(answer: Answer): void;
}

export class House implements AtTable {
  #subscribe: () => void;
  #changed: (() => void) | undefined;
  #wire: Wire | null = null;
  #link: Link = "connecting";
  #welcome: Welcome | null = null;
  /** The tables that are watched, in their order. */
  #shown = new Map<string, Shown>();
  /** The newest credit, which is the same at all tables. */
  #credit = 0;
  #creditIsKnown = false;
  #ofBox = new Map<string, { from: Seated; box: number; credit: number; seat: Seated }>();
  #places = new Map<string, AtTable>();
  #held: HeldCard | null = null;
  #map: TableMap | null = null;
  /** Unread notices of rounds that were settled again, by table. */
  #notices = new Map<string, Notice[]>();
  #goodbye = "";
  #standstill = "";
  #watching = "";
  /** Numbers keep rising when the page is reloaded, so that an old answer is never taken for a new one. */
  #last: number;
  #waiting = new Map<number, Waiting>();
  #offset = 0;
  #heard = 0;
  #tries = 0;
  #opened = 0;
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
    return this.shown(this.#watching).table;
  }
  /** The place of the player at the table in view, with the seat and the view of the box in view. */
  get seat(): Seated | null {
    return this.seatAt(this.#watching);
  }
  get rules(): RulesInForce | null {
    return this.shown(this.#watching).rules;
  }
  get history(): History | null {
    return this.shown(this.#watching).history;
  }
  /** The last advice that the player asked for. */
  get advice(): Advice | null {
    return this.shown(this.#watching).advice;
  }
  /** For a dealer: the card that a reader read and that does not count yet. */
  get held(): HeldCard | null {
    this.#subscribe();
    return this.#held;
  }
  /** For a dealer: the seats of the round in view, as the house sent them last; null where it sent none. */
  get map(): TableMap | null {
    this.#subscribe();
    return this.#map?.round === this.table?.round ? this.#map : null;
  }
  /** For a player: unread notices of rounds that were settled again, the oldest first (VOID-4). */
  get notices(): (Notice & { table: string })[] {
    this.#subscribe();
    return [...this.#notices].flatMap(([table, list]) => list.map((each) => ({ ...each, table })));
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
    return this.shown(this.#watching).box;
  }
  /** The house as seen from one of the watched tables, in view or not. */
  at(table: string): AtTable {
    const known = this.#places.get(table);
    if (known) return known;
    const place = new Place(this, table);
    this.#places.set(table, place);
    return place;
  }
  /** What is known of a table. */
  shown(table: string): Readonly<Shown> {
    this.#subscribe();
    return this.#shown.get(table) ?? nothingShown();
  }
  /** All tables that are watched. */
  get tables(): string[] {
    this.#subscribe();
    return [...this.#shown.keys()];
  }
  /** The player's credit, as the house said it last; null before. */
  get credit(): number | null {
    this.#subscribe();
    return this.#creditIsKnown ? this.#credit : null;
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

  /** The place of the player at a table, with the seat and the view of the box in view there. */
  seatAt(table: string): Seated | null {
    const { seat: from, box } = this.shown(table);
    if (from === null) return null;
    const credit = this.#credit;
    const known = this.#ofBox.get(table);
    if (known?.from === from && known.box === box && known.credit === credit) return known.seat;
    const own = from.further.find((each) => each.box === box);
    const seat = { ...from, credit, ...(own ? { box, seat: own.seat, view: own.view } : {}) };
    this.#ofBox.set(table, { from, box, credit, seat });
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
    this.#held = this.#map = null;
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

  /** Stop watching a table; another one comes into view. */
  unwatch(table: string): void {
    if (!this.#shown.delete(table)) return;
    if (this.#link === "open") void this.#send({ do: "unwatch", table });
    if (table === this.#watching) this.look([...this.#shown.keys()][0] ?? "");
    else this.#changed?.();
  }

  /** Look at a table that is watched, and at one of the boxes there. */
  look(table: string, box = this.#shown.get(table)?.box ?? 1): void {
    this.#watching = table;
    const shown = this.#shown.get(table);
    if (shown) shown.box = box;
    this.#changed?.();
  }

  /** Ask the house for something. Without a link nothing is sent: a terminal that is cut off takes no bets (DSC-1). */
  ask(command: Asked, table = this.#watching): Promise<Answer> {
    if (this.#link !== "open") return Promise.resolve({ done: false, reason: NO_LINK });
    return this.#send(command, table);
  }

  #send(command: Asked, table = this.#watching): Promise<Answer> {
    const numbered = { ...this.#placed(command, table), id: ++this.#last };
    return new Promise((answer) => {
      this.#waiting.set(numbered.id, { command: numbered, since: this.outside.now(), refusals: 0, answer });
      this.#wire?.send(JSON.stringify(numbered));
    });
  }

  /** Where several tables are watched, or a further box is in view, a command names them. */
  #placed(command: Asked, name: string): Asked {
    if (command.do === "watch" || command.do === "unwatch" || command.do === "ping") return command;
    const table = this.#shown.size > 1 ? { table: name } : {};
    const ofBox = command.do === "bet" || command.do === "decide" || command.do === "advise";
    const inView = this.#shown.get(name)?.box ?? 1;
    const box = ofBox && inView !== 1 ? { box: inView } : {};
    return { ...table, ...box, ...command };
  }

  /** Start again as the person who has just signed in. */
  again(): void {
    this.#lose();
    this.#tries = 0;
    void this.#connect();
  }

  /** Close everything: the page is being left. */
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
    const steady = this.#link === "open" && this.outside.now() - this.#opened >= STEADY_MS;
    if (steady && !this.#goodbye) this.#tries = 0;
    this.#link = "lost";
    this.#changed?.();
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#tries++);
    clearTimeout(this.#timers.retry);
    // Half of the wait is random, so that a thousand terminals do not reconnect in the same instant.
    this.#timers.retry = setTimeout(() => void this.#connect(), wait / 2 + (Math.random() * wait) / 2);
  };

  #retryNow = (): void => {
    if (this.#link === "lost") void this.#connect();
  };

  /** Pings a silent link, and gives up one that does not answer. */
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
      case "counts":
        return this.#count(message);
      case "seat":
        return this.#sit(message);
      case "reading":
        if (message.table === this.#watching) this.#held = message;
        return;
      case "map":
        if (message.table === this.#watching) this.#map = message;
        return;
      case "notices":
        this.#notices.set(message.table, message.notices);
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
    this.#opened = this.outside.now();
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

  /** The counts alone: nothing else at the table has changed. */
  #count({ table, number, now, players, betting, deciding, total_bets }: Counts): void {
    this.#set(now);
    const shown = this.#shown.get(table);
    if (!shown?.table || shown.fresh.table || number < shown.table.number) return;
    shown.table = { ...shown.table, number, now, players, betting, deciding, total_bets };
  }

  #sit(seat: Seated): void {
    const shown = this.#shown.get(seat.table);
    if (!shown) return;
    this.#credit = seat.credit;
    this.#creditIsKnown = true;
    if (!this.#newer(shown, "seat", seat)) return;
    shown.seat = seat;
    const boxes = [seat.box, ...seat.further.map((each) => each.box)];
    if (!boxes.includes(shown.box)) shown.box = seat.box;
  }

  /**
   * The highest number is shown, and of equal numbers the last to arrive; on a new connection, the first to arrive,
   * because the house may have restarted.
   */
  #newer(shown: Shown, kind: "table" | "seat", come: { number: number }): boolean {
    const [first, known] = [shown.fresh[kind], shown[kind]];
    shown.fresh[kind] = false;
    return first || known === null || come.number >= known.number;
  }

  /** Messages take time to arrive, so the largest difference seen is the most accurate. */
  #set(now: number): void {
    this.#offset = Math.max(this.#offset, now - this.outside.now());
  }

  /** Sends a command that was refused for the moment again, under its number; false when its time is over. */
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

/** One of the watched tables. */
class Place implements AtTable {
  constructor(
    readonly house: House,
    readonly watching: string,
  ) {}

  get link(): Link {
    return this.house.link;
  }
  get welcome(): Welcome | null {
    return this.house.welcome;
  }
  get goodbye(): string {
    return this.house.goodbye;
  }
  get standstill(): string {
    return this.house.standstill;
  }
  get tables(): string[] {
    return this.house.tables;
  }
  get box(): number {
    return this.house.shown(this.watching).box;
  }
  get table(): TableView | null {
    return this.house.shown(this.watching).table;
  }
  get seat(): Seated | null {
    return this.house.seatAt(this.watching);
  }
  get rules(): RulesInForce | null {
    return this.house.shown(this.watching).rules;
  }
  get history(): History | null {
    return this.house.shown(this.watching).history;
  }
  get advice(): Advice | null {
    return this.house.shown(this.watching).advice;
  }
  now(): number {
    return this.house.now();
  }
  ask(command: Asked): Promise<Answer> {
    return this.house.ask(command, this.watching);
  }
}

/** The house that served this page. */
export function house(role: "player" | "dealer" | "display"): House {
  return new House({ connect: () => dial(role), now: () => Date.now() });
}
