/** The last round at a table that was void with a bet of this player, until it was read here. */
import type { Phrase } from "../generated/protocol";
import type { AtTable } from "./house";

export interface VoidRound {
  round: number;
  reason: Phrase | null;
  /** What came back, and the credit with it. */
  returned: number;
  credit: number;
  read: boolean;
}

export class Voids {
  #last: VoidRound | null = $state.raw(null);
  readonly #key: string;

  constructor(
    readonly house: AtTable,
    readonly storage: Storage,
  ) {
    this.#key = `podium.void.${house.watching}`;
    this.#last = this.#kept();
  }

  /** The void round that is to be read; null if there is none. */
  get shown(): VoidRound | null {
    return this.#last?.read === false ? this.#last : null;
  }

  /** Takes note of a void round while it is shown: first the table comes, and then what came back to the seat. */
  follow(): void {
    const { table, seat } = this.house;
    const view = seat?.round === table?.round ? seat?.view : null;
    if (table?.phase !== "void" || !seat || !view?.staked || view.returned !== view.staked) return;
    const [known, told] = [this.#last, { round: table.round, returned: view.returned, credit: seat.credit }];
    if (known?.round === told.round && (known.read || known.credit === told.credit)) return;
    this.#keep({ ...told, reason: table.notice, read: false });
  }

  read(): void {
    if (this.#last) this.#keep({ ...this.#last, read: true });
  }

  #keep(last: VoidRound): void {
    this.#last = last;
    try {
      this.storage.setItem(this.#key, JSON.stringify(last));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
  #kept(): VoidRound | null {
    try {
      return JSON.parse(this.storage.getItem(this.#key) ?? "null") as VoidRound | null;
    } catch {
      return null;
    }
  }
}
