/** Reports as the floor reads them. */
import type { ReportCard } from "../generated/api";
import { money } from "./money";
import { fact, say, when } from "./words";

export type Row = ReportCard["rows"][number];
export type Cell = Row[number];
type Kind = ReportCard["kinds"][number];

const SAID: Partial<Record<Kind, (cell: string | number) => string>> = {
  amount: (cell) => money(Number(cell)),
  share: (cell) => `${(Number(cell) * 100).toFixed(3)} %`,
  time: (cell) => when(Number(cell)),
  game: (cell) => fact(cell, "game"),
  wager: (cell) => fact(cell, "wager"),
  event: (cell) => fact(cell, "event"),
  meter: (cell) => fact(cell, "meter"),
};

/** What stands in a cell, in words. */
export function cellText(kind: Kind, cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "object") return say(cell);
  return cell === "" ? "" : (SAID[kind]?.(cell) ?? String(cell));
}

/** A cell as it is sorted and exported: what is a phrase, in words. */
export const cellValue = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === "object" ? say(cell) : cell;
