/**
 * This terminal's part in the shuffle (docs/fairness.md, steps 2 and 3): it commits to a number of its own, and opens
 * it when the list of commitments is closed. The number is kept until then, for a terminal that is loaded again in
 * between must still open it: otherwise the whole shoe is discarded.
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
  async follow(table: string, shoe: Shoe, seat: number): Promise<void> {
    const terminal = `seat-${seat}`;
    const at = `podium.cut.${table}.${shoe.number}.${terminal}`;
    if (shoe.cut === "committing" && !(terminal in shoe.cutters) && this.#committed !== at) {
      this.#committed = at;
      const drawn: Kept = cutNumber(shoe.commitment, terminal);
      this.keep.setItem(at, JSON.stringify(drawn));
      await this.house.ask({ do: "commit-cut", shoe: shoe.number, commitment: drawn.commitment });
    } else if (shoe.cut === "opening" && terminal in shoe.cutters && this.#opened !== at) {
      this.#opened = at;
      const kept = JSON.parse(this.keep.getItem(at) ?? "null") as Kept | null;
      if (kept && kept.commitment === shoe.cutters[terminal])
        await this.house.ask({ do: "open-cut", shoe: shoe.number, number: kept.number });
    }
  }
}
