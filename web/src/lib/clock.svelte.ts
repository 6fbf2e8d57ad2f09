import type { AtTable } from "./house";

const LOOK_AGAIN_MS = 100;

/**
 * How much of the open window is left, by the house's clock; looked at ten times a second. While play stands still in the whole
 * house it stands still too: nobody's time runs (DSC-2).
 */
export class Countdown {
  #now = $state(0);

  constructor(private readonly house: AtTable) {
    $effect(() => {
      const timer = setInterval(() => (this.#now = this.#time), LOOK_AGAIN_MS);
      return () => clearInterval(timer);
    });
  }

  get #time(): number {
    return this.house.standstill ? this.#now : Math.max(this.#now, this.house.now());
  }

  get open(): boolean {
    return this.house.table?.deadline != null;
  }
  get left(): number {
    const deadline = this.house.table?.deadline;
    return deadline == null ? 0 : Math.max(0, deadline - this.#time);
  }
  get seconds(): number {
    return Math.ceil(this.left / 1000);
  }
  get share(): number {
    const window = this.house.table?.window;
    return window ? Math.min(1, this.left / window) : 0;
  }
}
