/** The check of docs/fairness.md, in the browser: seal, cut and cards of a shoe that has ended agree, or not. */
import type { DealtProof } from "../generated/api";
import { w } from "./words";

const HASH_BYTES = 32;
const COUNTER_BYTES = 8;
const WORD_BYTES = 2;
/** How many values a word can have. */
const WORDS = 2 ** (8 * WORD_BYTES);
const NUMBER_BYTES = 32;

/** What is wrong with a proof, in the words of the terminal. */
export class Unfair extends Error {}

const text = (...lines: (string | number)[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Sorted by the bytes of the names, as step 4 says; JavaScript sorts by UTF-16 units, which differ for rare signs. */
const byBytes = (names: string[]): string[] =>
  names
    .map((name) => [hex(new TextEncoder().encode(name)), name] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, name]) => name);

/** The cards in the order in which they had to come; throws `Unfair` where seal or cut do not hold. */
export async function cardsDue({ commitment, cut_commitments, numbers, reveal }: DealtProof): Promise<string[]> {
  const sealed = hex(await sha256(text("podium-shoe-1", reveal.table, reveal.number, reveal.nonce, reveal.order)));
  if (sealed !== commitment) throw new Unfair(w("fair-order"));
  const cards = reveal.order.split(" ");
  const terminals = byBytes(Object.keys(cut_commitments));
  if (terminals.join("\n") !== byBytes(Object.keys(numbers)).join("\n")) throw new Unfair(w("fair-missing"));
  if (terminals.length === 0) return cards;
  for (const name of terminals) {
    const bound = hex(await sha256(text("podium-cut-1", commitment, name, numbers[name] ?? "")));
    if (bound !== cut_commitments[name]) throw new Unfair(w("fair-number", { terminal: name }));
  }
  const seed = await sha256(
    text("podium-cut-seed-1", commitment, ...terminals.map((name) => `${name} ${numbers[name]}`)),
  );
  return cut(cards, words(seed));
}

/** The players' cut: a shuffle drawn from the seed, from the last place down to the second. */
async function cut(cards: string[], drawn: AsyncGenerator<number>): Promise<string[]> {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const among = last + 1;
    let word = WORDS;
    // A word beyond the last whole multiple would favour the first places (RNG-4).
    while (word >= WORDS - (WORDS % among)) word = (await drawn.next()).value as number;
    const other = word % among;
    [order[last], order[other]] = [order[other] ?? "", order[last] ?? ""];
  }
  return order;
}

async function* words(seed: Uint8Array): AsyncGenerator<number> {
  for (let counter = 0n; ; counter++) {
    const block = new Uint8Array(HASH_BYTES + COUNTER_BYTES);
    block.set(seed);
    new DataView(block.buffer).setBigUint64(HASH_BYTES, counter);
    const view = new DataView((await sha256(block)).buffer);
    for (let at = 0; at < HASH_BYTES; at += WORD_BYTES) yield view.getUint16(at);
  }
}

/** Check a shoe from seal to last card. */
export async function check(proof: DealtProof): Promise<void> {
  const due = (await cardsDue(proof)).join(" ");
  const sorted = (codes: string) => codes.split(" ").sort().join(" ");
  if (sorted(due) !== sorted(proof.reveal.order)) throw new Unfair(w("fair-cut"));
  if (proof.dealt && !`${due} `.startsWith(`${proof.dealt} `)) throw new Unfair(w("fair-dealt"));
}

/** A number of this terminal for the cut of the next shoe, and the commitment to it. */
export async function cutNumber(shoe: string, terminal: string): Promise<{ number: string; commitment: string }> {
  const number = hex(crypto.getRandomValues(new Uint8Array(NUMBER_BYTES)));
  return { number, commitment: hex(await sha256(text("podium-cut-1", shoe, terminal, number))) };
}
