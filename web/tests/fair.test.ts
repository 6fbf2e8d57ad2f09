// @vitest-environment node
import { describe, expect, test, vi } from "vitest";
import { Cut } from "../src/lib/cut";
import type { Asked } from "../src/lib/house";
import type { DealtProof } from "../src/generated/api";
import { cardsDue, check, cutNumber } from "../src/lib/fair";

/** The worked example of docs/fairness.md. */
const PROOF: DealtProof = {
  commitment: "216e8a330ddbbd51853de9368fc127799e330f0f57ded46f74fba9a7dcc87e93",
  cut_commitments: {
    "terminal-4": "a8c2d8efa5a4b24f60996375c9ab8a4f58f97afd5c3c281b566f89818c3edc4b",
    "terminal-31": "4d210c2077b4ac7c8ea69cba37664150803d7446432c274ac64fc801c0c680bb",
  },
  numbers: {
    "terminal-4": "fa773c96060b9577b65846461d39bdb9457df6873704fd8839aaeebb7b55b72e",
    "terminal-31": "19ae731ed0318a72fe84482f334df35df2ae147d88daa89e3c1db29008668493",
  },
  reveal: {
    table: "dynasty-1",
    number: 12,
    order:
      "4d Qd Ac 7c 7d 2c Jc Ks 8s 8d 9c 5s 6s 6h Ts 6c 6d Ad 2d 7s Kc 2h Qc " +
      "3c Js 4c 8c Jh 5d 9h 3h 3d 9s As 4s 3s 8h Th Kh Qh Td 4h Tc 5h Kd 7h 9d 2s Jd Ah Qs 5c",
    nonce: "b283fd11cef4f0bc1b11959896747be579b3f9047236b63f299f55fbaecb48d1",
  },
  dealt: "Ts 2d Td 2h Qh 3c Th 6d 5s",
};

describe("RNG-10: the check of a shoe in the browser", () => {
  test("finds the worked example of the documentation in order", () => {
    check(PROOF);
    expect(cardsDue(PROOF).slice(0, 9).join(" ")).toBe(PROOF.dealt);
  });
  test.each([
    [
      "another order",
      { reveal: { ...PROOF.reveal, order: PROOF.reveal.order.replace("4d Qd", "Qd 4d") } },
      "not the sealed one",
    ],
    [
      "another nonce",
      { reveal: { ...PROOF.reveal, nonce: PROOF.reveal.nonce.replace("b2", "b3") } },
      "not the sealed one",
    ],
    ["a number that was left out", { numbers: { "terminal-4": PROOF.numbers["terminal-4"]! } }, "number is missing"],
    ["a number that was exchanged", { numbers: { ...PROOF.numbers, "terminal-4": "00".repeat(32) } }, "terminal-4"],
    ["a card that was exchanged", { dealt: PROOF.dealt.replace("Qh", "Kh") }, "not the cards that were due"],
  ])("finds %s", (_, changed, said) => {
    expect(() => check({ ...PROOF, ...changed })).toThrow(said);
  });
  test("takes a card of a void round that was never turned", () => {
    check({ ...PROOF, dealt: PROOF.dealt.replace("Qh", "?") });
    expect(() => check({ ...PROOF, dealt: `${"? ".repeat(52)}?` })).toThrow("not the cards that were due");
  });
  test("binds this terminal to a number that nobody knows", () => {
    const one = cutNumber(PROOF.commitment, "terminal-4");
    const other = cutNumber(PROOF.commitment, "terminal-4");
    expect(one.number).toMatch(/^[0-9a-f]{64}$/);
    expect(one.commitment).not.toBe(other.commitment);
  });
  test("needs no secure context: a page that came without TLS has no crypto.subtle", () => {
    const draw = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal("crypto", { getRandomValues: draw });
    try {
      check(PROOF);
      expect(cutNumber(PROOF.commitment, "terminal-4").commitment).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("this terminal's part in the cut", () => {
  const shoe = (cut: "committing" | "opening" | "done", cutters: Record<string, string> = {}) => ({
    number: 3,
    cards: 312,
    dealt: 0,
    commitment: PROOF.commitment,
    cut,
    cutters,
    may_cut: cut === "committing" ? ["seat-7"] : [],
    one_round: false,
    discarded: 0,
    burned: 0,
    to_burn: 0,
    cut_card: "" as const,
    shuffler: "none" as const,
  });
  const kept = new Map<string, string>();
  const keep = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const asked: Asked[] = [];
  const terminal = () =>
    new Cut({ ask: (command) => (asked.push(command), Promise.resolve({ done: true, seat: null })) }, keep);

  test("RNG-10: commits once, and opens the same number even after the page was loaded again", async () => {
    const before = terminal();
    await before.follow("t1", shoe("committing"), 7);
    await before.follow("t1", shoe("committing"), 7);
    expect(asked).toHaveLength(1);
    const { commitment } = asked[0] as { commitment: string };
    const after = terminal();
    await after.follow("t1", shoe("opening", { "seat-7": commitment }), 7);
    await after.follow("t1", shoe("opening", { "seat-7": commitment }), 7);
    expect(asked).toHaveLength(2);
    const { number } = asked[1] as { number: string };
    check({ ...PROOF, cut_commitments: { "seat-7": commitment }, numbers: { "seat-7": number }, dealt: "" });
  });
  test("opens its number after the seat was left", async () => {
    const { commitment } = asked[0] as { commitment: string };
    await terminal().follow("t1", shoe("opening", { "seat-7": commitment }), null);
    expect(asked).toHaveLength(3);
    asked.pop();
  });
  test("commits only where it may", async () => {
    await terminal().follow("t1", { ...shoe("committing"), number: 4, may_cut: ["seat-1"] }, 7);
    expect(asked).toHaveLength(2);
  });
  test("opens nothing that it did not commit to", async () => {
    await terminal().follow("t1", shoe("opening", { "seat-8": "ff".repeat(32) }), 8);
    expect(asked).toHaveLength(2);
  });
});
