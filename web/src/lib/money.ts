/** Amounts are whole minor units everywhere; these are the only places where they become text, or come from it. */

const DIGITS = 2;
export const MINOR_UNITS = 10 ** DIGITS;
const FORMAT = new Intl.NumberFormat("en-US", { minimumFractionDigits: DIGITS, maximumFractionDigits: DIGITS });
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** As a sentence of the house has it, in Python as well. */
export const written = (amount: number): string => FORMAT.format(amount / MINOR_UNITS);

export const money = (amount: number): string => written(amount).replace("-", "−");

/** On a chip or a limit there is no room for zeros that say nothing. */
export const short = (amount: number): string =>
  amount % MINOR_UNITS ? money(amount) : WHOLE.format(amount / MINOR_UNITS);

/** The sign of a change is never left to its colour. */
export const change = (amount: number): string =>
  amount > 0 ? `+${money(amount)}` : amount < 0 ? `−${money(-amount)}` : `±${money(0)}`;

/** An amount as somebody types it, `12`, `12.50` or `12,5`, in minor units; null if it is not one. A sign only where it may have one. */
export function readAmount(typed: string, signed = false): number | null {
  const found = /^([-−+]?)(\d{1,10})(?:[.,](\d{1,2}))?$/u.exec(typed.trim());
  if (!found || (found[1] && !signed)) return null;
  const amount = Number(found[2]) * MINOR_UNITS + Number((found[3] ?? "").padEnd(DIGITS, "0"));
  return found[1] === "-" || found[1] === "−" ? -amount : amount;
}
