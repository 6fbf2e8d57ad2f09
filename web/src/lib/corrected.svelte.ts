/** The last correction of a table, until it was read here: one that was missed comes again with the next view. */
import type { CorrectionView } from "../generated/protocol";
import type { AtTable } from "./house";

/** By table: what is read at one of them leaves the others as they are. */
const key = (table: string): string => `podium.corrections.read.${table}`;

export class Corrections {
  #read: string = $state("");

  constructor(
    readonly house: AtTable,
    readonly storage: Storage,
  ) {
    this.#read = storage.getItem(key(house.watching)) ?? "";
  }

  /** The correction that is to be read; null if there is none. */
  get shown(): CorrectionView | null {
    const corrected = this.house.table?.corrected ?? null;
    return corrected && this.#name(corrected) !== this.#read ? corrected : null;
  }

  read(): void {
    const corrected = this.house.table?.corrected;
    if (!corrected) return;
    this.#read = this.#name(corrected);
    this.storage.setItem(key(this.house.watching), this.#read);
  }

  #name(corrected: CorrectionView): string {
    return `${this.house.table?.table} ${corrected.round} ${corrected.number}`;
  }
}
