/**
 * This terminal's part in the shuffle (docs/fairness.md, steps 2 and 3): it commits to a number of its own, and opens
 * it when the list of commitments is closed. The number is kept until then, for a terminal that is loaded again in
 * between must still open it: otherwise the whole shoe is discarded. Whoever wagered lately may cut; the house lists who.
 */
import type { Shoe } from "../generated/protocol";
import { cutNumber } from "./fair";
import type { Answer, Asked } from "./house";

interface Kept {
  number: string;
  commitment: string;
}

export class Cut {
  #committed = "";
  #opened = "";

  constructor(
    private readonly house: { ask(command: Asked): Promise<Answer> },
    private readonly keep: Pick<Storage, "getItem" | "setItem">,
  ) {}

  /** Do what the shoe waits for, once. */
  async follow(table: string, shoe: Shoe, seat: number | null): Promise<void> {
    const place = `podium.cut.${table}.${shoe.number}`;
    if (shoe.cut === "opening") {
      await this.#open(place, shoe);
      return;
    }
    const terminal = `seat-${seat}`;
    const at = `${place}.${terminal}`;
    const mayCommit = shoe.may_cut.includes(terminal) && !(terminal in shoe.cutters);
    if (shoe.cut === "committing" && mayCommit && this.#committed !== at) {
      this.#committed = at;
      const drawn: Kept = cutNumber(shoe.commitment, terminal);
      this.keep.setItem(at, JSON.stringify(drawn));
      await this.house.ask({ do: "commit-cut", shoe: shoe.number, commitment: drawn.commitment });
    }
  }

  /** Open the number that was committed to, also after leaving the seat. */
  async #open(place: string, shoe: Shoe): Promise<void> {
    for (const [terminal, commitment] of Object.entries(shoe.cutters)) {
      const kept = JSON.parse(this.keep.getItem(`${place}.${terminal}`) ?? "null") as Kept | null;
      if (kept?.commitment !== commitment || this.#opened === place) continue;
      this.#opened = place;
      await this.house.ask({ do: "open-cut", shoe: shoe.number, number: kept.number });
    }
  }
}
