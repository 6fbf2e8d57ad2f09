/** The last correction of a table, until it was read here: one that was missed comes again with the next view. */
import type { CorrectionView } from "../generated/protocol";
import type { House } from "./house";

const KEY = "podium.corrections.read";

export class Corrections {
  #read: string = $state("");

  constructor(
    readonly house: House,
    readonly storage: Storage,
  ) {
    this.#read = storage.getItem(KEY) ?? "";
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
    this.storage.setItem(KEY, this.#read);
  }

  #name(corrected: CorrectionView): string {
    return `${this.house.table?.table} ${corrected.round} ${corrected.number}`;
  }
}
