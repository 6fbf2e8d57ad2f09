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

/** What somebody typed, `12.50`, in minor units. */
export const amountOf = (typed: string | number): number => Math.round(Number(typed) * MINOR_UNITS);
