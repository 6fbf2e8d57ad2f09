/** A player's favourite bets at a table, kept in the browser. */
import { type Stakes, total } from "./slip";

export const MOST_FAVOURITES = 4;

export class Favourites {
  list: Stakes[] = $state.raw([]);

  constructor(
    private readonly storage: Storage,
    private readonly key: string,
  ) {
    this.list = this.#read();
  }

  /** Keep a bet, once, as the newest; the oldest gives way. */
  keep(stakes: Stakes): void {
    if (total(stakes) === 0) return;
    const text = JSON.stringify(stakes);
    this.#write([JSON.parse(text) as Stakes, ...this.list.filter((each) => JSON.stringify(each) !== text)]);
  }
  drop(place: number): void {
    this.#write(this.list.filter((_, at) => at !== place));
  }

  #write(list: Stakes[]): void {
    this.list = list.slice(0, MOST_FAVOURITES);
    try {
      this.storage.setItem(this.key, JSON.stringify(this.list));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
  #read(): Stakes[] {
    try {
      const kept = JSON.parse(this.storage.getItem(this.key) ?? "[]") as unknown;
      return Array.isArray(kept) ? (kept as Stakes[]).slice(0, MOST_FAVOURITES) : [];
    } catch {
      return [];
    }
  }
}
