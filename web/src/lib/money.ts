/** Amounts are whole minor units everywhere; these are the only places where they become text. */

const FORMAT = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** As a sentence of the house has it, in Python as well. */
export const written = (amount: number): string => FORMAT.format(amount / 100);

export const money = (amount: number): string => written(amount).replace("-", "−");

/** On a chip or a limit there is no room for zeros that say nothing. */
export const short = (amount: number): string => (amount % 100 ? money(amount) : WHOLE.format(amount / 100));

/** The sign of a change is never left to its colour. */
export const change = (amount: number): string =>
  amount > 0 ? `+${money(amount)}` : amount < 0 ? `−${money(-amount)}` : `±${money(0)}`;
