/** Reports as the floor reads them. */
import type { ReportCard } from "../generated/api";
import { money } from "./money";
import { fact, say, when } from "./words";

export type Row = ReportCard["rows"][number];
export type Cell = Row[number];
type Kind = ReportCard["kinds"][number];

const SAID: Partial<Record<Kind, (cell: string | number, zone?: string) => string>> = {
  amount: (cell) => money(Number(cell)),
  share: (cell) => `${(Number(cell) * 100).toFixed(3)} %`,
  time: (cell, zone) => when(Number(cell), zone),
  game: (cell) => fact(cell, "game"),
  wager: (cell) => fact(cell, "wager"),
  event: (cell) => fact(cell, "event"),
  meter: (cell) => fact(cell, "meter"),
};

/** What stands in a cell, in words. */
export function cellText(kind: Kind, cell: Cell, zone?: string): string {
  if (cell === null) return "–";
  if (typeof cell === "object") return say(cell);
  return cell === "" ? "" : (SAID[kind]?.(cell, zone) ?? String(cell));
}

/** A cell as it is sorted and exported: what is a phrase, in words. */
export const cellValue = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === "object" ? say(cell) : cell;
