/** What a terminal asks over HTTP: a path gives the types of what is sent and answered, and fields left out are filled in. */
import { afterEach, expect, test, vi } from "vitest";
import { api, get, newKey, post, postOnce, Refused } from "../src/lib/api";

afterEach(() => vi.unstubAllGlobals());

/** The house answers this to everything; what it was asked is kept. */
function answering(body: unknown, status = 200): { address: string; init: RequestInit }[] {
  const asked: { address: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    asked.push({ address, init });
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
  });
  return asked;
}

test("a name in the path stands in it, and what is asked for follows the question mark", async () => {
  const asked = answering([]);
  await api.options("a/b 1");
  await api.report("table-win", { from: "2026-05-28", to: "" });
  await api.tables();
  await api.reportCsv("tips", { from: "2026-05-28", to: "2026-05-29" });
  expect(asked.map(({ address }) => address)).toEqual([
    "/api/floor/tables/a%2Fb%201/options",
    "/api/reports/table-win?from=2026-05-28",
    "/api/tables",
    "/api/reports/tips?from=2026-05-28&to=2026-05-29&format=csv",
  ]);
});

test("LED-2: what is sent has a key of its own", async () => {
  const asked = answering({});
  await api.setTable("t1", { state: "closed" });
  await postOnce("/api/cashier/buy-in", newKey(), { name: "ann", amount: 500 });
  expect(asked.map(({ address, init }) => [init.method, address, init.body])).toEqual([
    ["POST", "/api/floor/tables/t1", '{"state":"closed"}'],
    ["POST", "/api/cashier/buy-in", '{"name":"ann","amount":500}'],
  ]);
  const keys = asked.map(({ init }) => new Headers(init.headers).get("Idempotency-Key"));
  expect(new Set(keys).size).toBe(2);
});

test("fields that the house leaves out are filled in, also deep inside an answer", async () => {
  answering([{ table: "t1", game: "g", title: "T", dealer: "live", phase: "betting", players: 0, least: 100 }]);
  expect((await api.tables())[0]).toMatchObject({ most: null, seats: null });
  answering([{ steps: [{ layout: {}, view: null }], record: { steps: [{ at: 1 }], players: [{ seat: 2 }] } }]);
  const [round] = await api.recall("t1", 1);
  expect(round?.record).toMatchObject({
    difference: "",
    steps: [{ at: 1, seat: 0, by_system: false }],
    players: [{ seat: 2, tips: 0, hands: [] }],
  });
  answering(null);
  expect(await api.me()).toBeNull();
});

test("a refusal is said in words", async () => {
  answering({ reason: "Sign in first.", why: { key: "refused.nobody-signed-in" } }, 401);
  await expect(api.cashOut()).rejects.toEqual(new Refused("Sign in first."));
});

/** Never called: svelte-check fails where one of these is no mistake any more. */
export const mistakes = () => [
  // @ts-expect-error there is no such path
  get("/api/nothing"),
  // @ts-expect-error the table is missing
  get("/api/floor/tables/{table}/options"),
  // @ts-expect-error that is not a parameter of this path
  get("/api/shoes", { tabel: "t1" }),
  // @ts-expect-error the amount is missing
  post("/api/cashier/buy-in", { name: "ann" }),
  // @ts-expect-error an amount is a number
  post("/api/cashier/buy-in", { name: "ann", amount: "5" }),
  // @ts-expect-error the table is missing
  post("/api/floor/tables/{table}", { state: "open" }),
  // @ts-expect-error a table cannot be ajar
  post("/api/floor/tables/{table}", { state: "ajar" }, { table: "t1" }),
  // @ts-expect-error a cash-out takes no amount
  post("/api/cash-out", { amount: 5 }),
  // @ts-expect-error an account has no balance
  "balance" satisfies keyof Awaited<ReturnType<typeof api.account>>,
];
