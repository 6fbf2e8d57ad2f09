/** What a cashier can do with money: for each act what is asked, what it changes, and the one request that it is. */
import { postOnce } from "$lib/api";
import type { Key } from "$lib/words";
import type { AccountCard, TicketCard, TipsCard } from "../../generated/api";

export interface Filled {
  /** In minor units. */
  amount: number;
  /** Why, or what the other system calls the transfer. */
  text: string;
}

export type Given = AccountCard | TicketCard | TipsCard;

export interface Act<On, Gives extends Given = Given> {
  name: Key;
  /** Whose it is, where it is not a player's account. */
  whose?: Key;
  /** What the cashier fills in. */
  asks: { amount?: boolean; signed?: boolean; text?: "reason" | "reference-elsewhere" };
  /** Money goes out over the counter: the receipt says that it was paid. */
  pays?: boolean;
  /** By how much the player's credit changes. */
  changes?: (filled: Filled) => number;
  /** What moves, where the cashier does not fill it in. */
  fixed?: (on: On) => number;
  /** Whether it can be done at all now. */
  open?: (on: On) => boolean;
  send: (on: On, filled: Filled, key: string, approval: string) => Promise<Gives>;
}

const AMOUNT = { amount: true } as const;

export const ACCOUNT_ACTS: Act<AccountCard>[] = [
  {
    name: "buy-in",
    asks: AMOUNT,
    changes: ({ amount }) => amount,
    open: ({ excluded }) => !excluded,
    send: ({ name }, { amount }, key) => postOnce("/api/cashier/buy-in", key, { name, amount }),
  },
  {
    name: "cash-out",
    asks: AMOUNT,
    pays: true,
    changes: ({ amount }) => -amount,
    send: ({ name }, { amount }, key, approval) => postOnce("/api/cashier/cash-out", key, { name, amount, approval }),
  },
  {
    name: "attendant-pay",
    asks: {},
    pays: true,
    fixed: ({ locked }) => locked,
    open: ({ locked }) => locked > 0,
    send: ({ name }, _, key) => postOnce("/api/cashier/attendant-pay", key, { name }),
  },
  {
    name: "pay-debt",
    asks: AMOUNT,
    changes: ({ amount }) => -amount,
    open: ({ debt }) => debt > 0,
    send: ({ name }, { amount }, key) => postOnce("/api/cashier/debts/pay", key, { name, amount, in_cash: false }),
  },
  {
    name: "pay-debt-in-cash",
    asks: AMOUNT,
    open: ({ debt }) => debt > 0,
    send: ({ name }, { amount }, key) => postOnce("/api/cashier/debts/pay", key, { name, amount, in_cash: true }),
  },
  {
    name: "forgive-debt",
    asks: { amount: true, text: "reason" },
    open: ({ debt }) => debt > 0,
    send: ({ name }, { amount, text }, key, approval) =>
      postOnce("/api/cashier/debts/forgive", key, { name, amount, reason: text, approval }),
  },
  {
    name: "transfer-in",
    asks: { amount: true, text: "reference-elsewhere" },
    changes: ({ amount }) => amount,
    open: ({ excluded }) => !excluded,
    send: ({ name }, { amount, text }, key) => postOnce("/api/transfers/in", key, { name, amount, reference: text }),
  },
  {
    name: "transfer-out",
    asks: { amount: true, text: "reference-elsewhere" },
    changes: ({ amount }) => -amount,
    send: ({ name }, { amount, text }, key) => postOnce("/api/transfers/out", key, { name, amount, reference: text }),
  },
  {
    name: "age-seen",
    asks: {},
    fixed: () => 0,
    open: ({ age_needed }) => age_needed,
    send: ({ name }, _, key) => postOnce("/api/cashier/age", key, { name }),
  },
  {
    name: "adjust",
    asks: { amount: true, signed: true, text: "reason" },
    changes: ({ amount }) => amount,
    send: ({ name }, { amount, text }, key, approval) =>
      postOnce("/api/cashier/adjustments", key, { name, amount, reason: text, approval }),
  },
];

export const PAY_TICKET: Act<TicketCard> = {
  name: "pay-ticket",
  whose: "ticket",
  asks: {},
  pays: true,
  fixed: ({ amount }) => amount,
  send: ({ number }, _, key) => postOnce("/api/cashier/tickets/pay", key, { number }),
};

/** All tips of a dealer. */
export const PAY_TIPS: Act<TipsCard> = {
  name: "pay-tips",
  whose: "dealer",
  asks: {},
  pays: true,
  fixed: ({ tips }) => tips,
  send: ({ name, tips }, _, key) => postOnce("/api/cashier/tips/pay", key, { name, amount: tips }),
};

/** A ticket is sold to anybody who pays for it. */
export const SELL_TICKET: Act<null> = {
  name: "issue-ticket",
  asks: AMOUNT,
  send: (_, { amount }, key) => postOnce("/api/cashier/tickets", key, { amount }),
};
