/** The check of docs/fairness.md, in the browser: seal, cut and cards of a shoe that has ended agree, or not. */
import type { DealtProof } from "../generated/api";
// A page that came without TLS has no crypto.subtle, and must still check.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex as hex } from "@noble/hashes/utils.js";
import { w } from "./words";

const HASH_BYTES = 32;
const COUNTER_BYTES = 8;
const WORD_BYTES = 2;
/** How many values a word can have. */
const WORDS = 2 ** (8 * WORD_BYTES);
const NUMBER_BYTES = 32;
/** A card of a void round, dealt face down and never turned. */
const NEVER_TURNED = "?";

/** What is wrong with a proof, in the words of the terminal. */
export class Unfair extends Error {}

const text = (...lines: (string | number)[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

/** Sorted by the bytes of the names, as step 4 says; JavaScript sorts by UTF-16 units, which differ for rare signs. */
const byBytes = (names: string[]): string[] =>
  names
    .map((name) => [hex(new TextEncoder().encode(name)), name] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, name]) => name);

/** The cards in the order in which they had to come; throws `Unfair` where seal or cut do not hold. */
export function cardsDue({ commitment, cut_commitments, numbers, reveal }: DealtProof): string[] {
  const sealed = hex(sha256(text("podium-shoe-1", reveal.table, reveal.number, reveal.nonce, reveal.order)));
  if (sealed !== commitment) throw new Unfair(w("fair-order"));
  const cards = reveal.order.split(" ");
  const terminals = byBytes(Object.keys(cut_commitments));
  if (terminals.join("\n") !== byBytes(Object.keys(numbers)).join("\n")) throw new Unfair(w("fair-missing"));
  if (terminals.length === 0) return cards;
  for (const name of terminals) {
    const bound = hex(sha256(text("podium-cut-1", commitment, name, numbers[name] ?? "")));
    if (bound !== cut_commitments[name]) throw new Unfair(w("fair-number", { terminal: name }));
  }
  const seed = sha256(text("podium-cut-seed-1", commitment, ...terminals.map((name) => `${name} ${numbers[name]}`)));
  return cut(cards, words(seed));
}

/** The players' cut: a shuffle drawn from the seed, from the last place down to the second. */
function cut(cards: string[], drawn: Generator<number>): string[] {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const among = last + 1;
    let word = WORDS;
    // A word beyond the last whole multiple would favour the first places (RNG-4).
    while (word >= WORDS - (WORDS % among)) word = drawn.next().value as number;
    const other = word % among;
    [order[last], order[other]] = [order[other] ?? "", order[last] ?? ""];
  }
  return order;
}

function* words(seed: Uint8Array): Generator<number> {
  for (let counter = 0n; ; counter++) {
    const block = new Uint8Array(HASH_BYTES + COUNTER_BYTES);
    block.set(seed);
    new DataView(block.buffer).setBigUint64(HASH_BYTES, counter);
    const hash = sha256(block);
    const view = new DataView(hash.buffer, hash.byteOffset);
    for (let at = 0; at < HASH_BYTES; at += WORD_BYTES) yield view.getUint16(at);
  }
}

/** Check a shoe from seal to last card. */
export function check(proof: DealtProof): void {
  const due = cardsDue(proof);
  const sorted = (codes: string[]) => [...codes].sort().join(" ");
  if (sorted(due) !== sorted(proof.reveal.order.split(" "))) throw new Unfair(w("fair-cut"));
  const dealt = proof.dealt ? proof.dealt.split(" ") : [];
  const fits = (card: string, place: number) => (card === NEVER_TURNED ? place < due.length : card === due[place]);
  if (!dealt.every(fits)) throw new Unfair(w("fair-dealt"));
}

/** A number of this terminal for the cut of the next shoe, and the commitment to it. */
export function cutNumber(shoe: string, terminal: string): { number: string; commitment: string } {
  const number = hex(crypto.getRandomValues(new Uint8Array(NUMBER_BYTES)));
  return { number, commitment: hex(sha256(text("podium-cut-1", shoe, terminal, number))) };
}
