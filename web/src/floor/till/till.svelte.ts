/**
 * The till: whose money it is, what is done, how much, confirmed, one request under one key, a receipt.
 *
 * A request gets its key when it is shown to be confirmed, and keeps it until the house has said yes or no. A second tap, or
 * sending again after the line was lost, is therefore the same request, and is booked once (LED-2).
 */
import { api, newKey, NoAnswer } from "$lib/api";
import { Approval } from "$lib/approval.svelte";
import { messageOf } from "$lib/failure";
import type { AccountCard, TicketCard } from "../../generated/api";
import type { Act, Filled, Given } from "./acts";

/** An act with everything that it needs, ready to be sent. */
export interface Ready {
  act: Act<never>;
  /** Whose account it is, or a ticket's number; empty for a new ticket. */
  whose: string;
  amount: number;
  /** The credit now and after it, where it changes. */
  credit: { before: number; after: number } | null;
  text: string;
  key: string;
  send: (key: string, approval: string) => Promise<Given>;
}

/** The result. `unknown`: the house did not answer. */
export type Outcome =
  | { is: "done"; ready: Ready; given: Given; at: number }
  | { is: "refused"; why: string; ready: Ready | null }
  | { is: "unknown"; ready: Ready };

export class Till {
  account = $state.raw<AccountCard | null>(null);
  ticket = $state.raw<TicketCard | null>(null);
  ready = $state.raw<Ready | null>(null);
  outcome = $state.raw<Outcome | null>(null);
  busy = $state(false);
  readonly approval = new Approval();

  /** Find an account by its name or card, or a ticket by its number, typed or scanned. */
  async find(typed: string): Promise<void> {
    const digits = typed.replace(/[\s-]/g, "");
    this.clear();
    await this.#tries(async () => {
      if (/^\d{20}$/.test(digits)) this.ticket = await api.findTicket(digits);
      else this.account = await api.account(typed.trim());
    });
  }

  /** Shows an act to be confirmed, under a new key. */
  prepare<On>(act: Act<On>, on: On, filled: Filled, whose: string): void {
    const change = act.changes?.(filled);
    const before = this.account?.credit ?? 0;
    this.ready = {
      act,
      whose,
      amount: act.fixed?.(on) ?? filled.amount,
      credit: change === undefined ? null : { before, after: before + change },
      text: filled.text,
      key: newKey(),
      send: (key, approval) => act.send(on, filled, key, approval),
    };
  }

  /** Send what is confirmed. While it is under way, nothing else is. */
  async confirm(): Promise<void> {
    const ready = this.ready;
    if (!ready || this.busy) return;
    this.outcome = null;
    await this.#tries(async () => {
      const given = await this.approval.through((code) => ready.send(ready.key, code));
      if ("credit" in given) this.account = given;
      else this.ticket = null;
      this.outcome = { is: "done", ready, given, at: Date.now() };
    });
  }

  /** Back from a receipt or a refusal, to the same account. */
  next(): void {
    this.outcome = this.ready = null;
  }

  /** The next guest. */
  clear(): void {
    this.account = this.ticket = this.ready = this.outcome = null;
  }

  async #tries(call: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await call();
    } catch (error) {
      const ready = this.ready;
      this.outcome =
        error instanceof NoAnswer && ready ? { is: "unknown", ready } : { is: "refused", why: messageOf(error), ready };
    } finally {
      this.busy = false;
    }
  }
}
