/**
 * What the player stakes: drawn at once, sent whole, solid when the house has acknowledged it.
 *
 * A bet replaces all that was staked before, so one is under way at a time; taps in the meantime change the slip, and
 * its newest state goes out when the answer is there. A refusal puts the slip back to what the house holds.
 */
import { createSubscriber } from "svelte/reactivity";
import type { WagerCard } from "../generated/protocol";
import { mostOf, raise } from "./chips";
import type { Answer, Asked } from "./house";
import { HAND_CARDS } from "./nineCards";

export interface Stakes {
  wagers: Record<string, number>;
  for_dealer: Record<string, number>;
  spots: number[];
}

export type Side = "wagers" | "for_dealer";
/** What a tap on a spot does: another chip, the most, or nothing stays there. */
export type Taps = "add" | "most" | "off";

/** Why a tap did nothing: a key of the words, with the facts in it. */
export interface Complaint {
  key: "most" | "amounts" | "needs" | "credit" | "refused";
  wager?: string;
  facts?: string;
}

interface Asks {
  ask(command: Asked): Promise<Answer>;
}

/** Where the last bet is kept, for when the page is loaded again. */
export interface Kept {
  read(): Stakes | null;
  write(stakes: Stakes): void;
}

export const NOTHING: Stakes = { wagers: {}, for_dealer: {}, spots: [] };

const sum = (amounts: Record<string, number>): number =>
  Object.values(amounts).reduce((all, amount) => all + amount, 0);
export const total = (stakes: Stakes): number => sum(stakes.wagers) + sum(stakes.for_dealer);
const same = (one: Stakes, other: Stakes): boolean => text(one) === text(other);
const text = ({ wagers, for_dealer, spots }: Stakes): string =>
  JSON.stringify([Object.entries(wagers).sort(), Object.entries(for_dealer).sort(), spots]);

export class Slip {
  #subscribe: () => void;
  #changed: (() => void) | undefined;
  #round = 0;
  #held: Stakes = NOTHING;
  #draft: Stakes | null = null;
  #sent: Stakes | null = null;
  #before: Stakes[] = [];
  #last: Stakes = NOTHING;
  #message: object | null = null;
  #complaint: Complaint | null = null;

  constructor(
    private readonly house: Asks,
    private readonly kept: Kept | null = null,
  ) {
    this.#subscribe = createSubscriber((update) => {
      this.#changed = update;
      return () => (this.#changed = undefined);
    });
  }

  // --- what is drawn ---------------------------------------------------------------------------------------------------

  get stakes(): Stakes {
    this.#subscribe();
    return this.#draft ?? this.#held;
  }
  /** What the house has acknowledged. */
  get held(): Stakes {
    this.#subscribe();
    return this.#held;
  }
  get last(): Stakes {
    this.#subscribe();
    if (total(this.#last) === 0) this.#last = this.kept?.read() ?? NOTHING;
    return this.#last;
  }
  get complaint(): Complaint | null {
    this.#subscribe();
    return this.#complaint;
  }
  get canUndo(): boolean {
    this.#subscribe();
    return this.#before.length > 0;
  }
  get underWay(): boolean {
    this.#subscribe();
    return this.#draft !== null;
  }
  /** Whether what lies there is only sent, and not yet bet. */
  isGhost(side: Side, wager: string): boolean {
    this.#subscribe();
    return (this.stakes[side][wager] ?? 0) !== (this.#held[side][wager] ?? 0);
  }

  // --- what the house says ---------------------------------------------------------------------------------------------

  /**
   * The house shows a round and what it holds for this seat. What is under way is newer, and so is what was acknowledged
   * since that message came: the same message, seen again, changes nothing.
   */
  follow(round: number, held: Stakes | null, message: object | null = null): void {
    if (round !== this.#round) {
      if (total(this.#held) > 0) {
        this.#last = this.#held;
        this.kept?.write(this.#held);
      }
      this.#round = round;
      this.#held = NOTHING;
      this.#draft = this.#sent = null;
      this.#before = [];
      this.#complaint = null;
    }
    if (held && this.#sent === null && (message === null || message !== this.#message)) this.#held = held;
    this.#message = message;
    this.#changed?.();
  }

  // --- taps ------------------------------------------------------------------------------------------------------------

  add(wager: WagerCard, chip: number, side: Side, credit: number, main: string): void {
    const now = this.stakes;
    const taken = side === "for_dealer" ? { ...wager, least: wager.toke_least } : wager;
    const raised = raise(taken, now[side][wager.wager] ?? 0, chip);
    if ("refused" in raised) return this.#complain({ key: raised.refused, wager: wager.wager });
    const missing = missingFor(wager, side, now, main);
    if (missing) return this.#complain({ key: "needs", wager: wager.wager, facts: missing });
    this.#propose({ ...now, [side]: { ...now[side], [wager.wager]: raised.amount } }, credit);
  }

  /** The most that the wager takes and the credit covers. */
  addMost(wager: WagerCard, side: Side, credit: number, main: string): void {
    const now = this.stakes;
    const held = now[side][wager.wager] ?? 0;
    const room = held + credit - (total(now) - total(this.#held));
    const most = mostOf(wager, room);
    if (most > held) return this.add(wager, most - held, side, credit, main);
    this.#complain({ key: mostOf(wager, Infinity) <= held ? "most" : "credit", wager: wager.wager });
  }

  /** Take a wager off, and every other that needs it. */
  takeOff(wager: string, side: Side, cards: readonly WagerCard[]): void {
    const now = this.stakes;
    const { [wager]: _, ...rest } = now[side];
    const left = { ...now, [side]: rest };
    const main = cards.find((card) => card.main)?.wager ?? "";
    for (const card of cards) {
      for (const each of ["wagers", "for_dealer"] as const) {
        if (card.wager in left[each] && missingFor(card, each, left, main)) {
          const { [card.wager]: gone, ...others } = left[each];
          left[each] = others;
        }
      }
    }
    this.#propose(left, Infinity);
  }

  pick(spots: number[]): void {
    const now = this.stakes;
    if (total(now) === 0) {
      this.#held = { ...this.#held, spots };
      this.#changed?.();
    } else if (spots.length === HAND_CARDS) {
      this.#propose({ ...now, spots }, Infinity);
    }
  }

  undo(): void {
    const before = this.#before.pop();
    if (before) this.#put(before);
  }
  clear(): void {
    if (total(this.stakes) > 0) this.#propose({ ...NOTHING, spots: this.stakes.spots }, Infinity);
  }
  rebet(credit: number): void {
    this.stake(this.last, credit);
  }
  /** A whole bet that was made before. */
  stake(stakes: Stakes, credit: number): void {
    if (total(stakes) > 0) this.#propose(stakes, credit);
  }
  /** Everything twice, as far as each wager takes it. */
  double(cards: readonly WagerCard[], credit: number): void {
    const now = this.stakes;
    const base = total(now) > 0 ? now : this.last;
    const twice = (amounts: Record<string, number>): Record<string, number> =>
      Object.fromEntries(
        Object.entries(amounts).map(([wager, amount]) => {
          const card = cards.find((one) => one.wager === wager);
          const raised = card ? raise(card, amount, amount) : { refused: "most" as const };
          return [wager, "amount" in raised ? raised.amount : amount];
        }),
      );
    this.#propose({ ...base, wagers: twice(base.wagers), for_dealer: twice(base.for_dealer) }, credit);
  }
  dismiss(): void {
    this.#complain(null);
  }

  // --- sending ---------------------------------------------------------------------------------------------------------

  #complain(complaint: Complaint | null): void {
    this.#complaint = complaint;
    this.#changed?.();
  }

  #propose(stakes: Stakes, credit: number): void {
    if (total(stakes) - total(this.#held) > credit) return this.#complain({ key: "credit" });
    this.#before.push(this.stakes);
    this.#put(stakes);
  }

  #put(stakes: Stakes): void {
    this.#complaint = null;
    this.#draft = stakes;
    this.#changed?.();
    if (this.#sent === null) void this.#sendNewest();
  }

  async #sendNewest(): Promise<void> {
    const round = this.#round;
    while (this.#draft !== null && !same(this.#draft, this.#held) && round === this.#round) {
      const sent = (this.#sent = this.#draft);
      const answer = await this.house.ask({ do: "bet", round, ...sent });
      if (round !== this.#round) return;
      if (answer.done) this.#held = sent;
      else {
        this.#draft = null;
        this.#before = [];
        this.#complaint = { key: "refused", facts: answer.reason };
      }
      this.#sent = null;
      this.#changed?.();
    }
    this.#draft = this.#sent = null;
    this.#changed?.();
  }
}

/** What a player bet last at a table, for as long as the browser's tab is open. */
export function lastBet(storage: Storage, key: () => string): Kept {
  return {
    read() {
      try {
        return JSON.parse(storage.getItem(key()) ?? "null") as Stakes | null;
      } catch {
        return null;
      }
    },
    write(stakes) {
      try {
        storage.setItem(key(), JSON.stringify(stakes));
      } catch {
        // A browser that keeps nothing still plays.
      }
    },
  };
}

/** The wager that must lie there first: SBJ 2, 3. A side bet for the dealer needs none of the player's own. */
export function missingFor(card: WagerCard, side: Side, stakes: Stakes, main: string): string {
  const own = (wager: string) => (stakes.wagers[wager] ?? 0) > 0;
  const dealers = (wager: string) => (stakes.for_dealer[wager] ?? 0) > 0;
  if (side === "wagers") {
    if (!card.main && !own(main)) return main;
    return card.needs && !own(card.needs) ? card.needs : "";
  }
  if (card.main) return own(main) ? "" : main;
  const needed = card.needs === main ? "" : card.needs;
  return needed && !own(needed) && !dealers(needed) ? needed : "";
}
