import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NO_LINK } from "../src/lib/house";
import { TestHouse } from "./scene";

const table = (number: number, more: object = {}) => ({
  is: "table",
  table: "t1",
  number,
  now: 1_000_000,
  phase: "betting",
  round: 5,
  rules: "r",
  layout: {},
  ...more,
});

describe("the connection to the house", () => {
  let there: TestHouse;
  beforeEach(async () => {
    vi.useFakeTimers();
    there = new TestHouse();
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    there.house.end();
    vi.useRealTimers();
  });

  test("is open when the house has welcomed the terminal, not before", () => {
    expect(there.house.link).toBe("connecting");
    there.welcome();
    expect(there.house.link).toBe("open");
    expect(there.house.welcome?.name).toBe("T1");
  });

  test("watches the chosen table as soon as it is open", () => {
    there.house.watch("t1");
    expect(there.wire.asked("watch")).toEqual([]);
    there.welcome();
    expect(there.wire.asked("watch")).toMatchObject([{ table: "t1" }]);
  });

  test("shows the newest state, whatever the order of arrival, with every field filled", () => {
    there.house.watch("t1");
    there.welcome();
    there.wire.say(table(7), table(9, { phase: "dealing" }), table(8), table(9, { betting: 3 }));
    expect(there.house.table?.number).toBe(9);
    expect(there.house.table?.betting).toBe(3);
    expect(there.house.table?.layout.stream).toEqual([]);
    expect(there.house.table?.deadline).toBeNull();
  });

  test("takes nothing of a table that is not watched", () => {
    there.house.watch("t1");
    there.welcome();
    there.wire.say({ ...table(3), table: "t2" });
    expect(there.house.table).toBeNull();
  });

  test("asks again under the same number what was refused for the moment, and then answers", async () => {
    there.house.watch("t1");
    there.welcome();
    const [watch] = there.wire.asked("watch");
    const later = { is: "refused", reason: "Busy.", why: { key: "refused.table-busy" }, later: true };
    there.wire.say({ ...later, id: watch!.id });
    expect(there.wire.asked("watch")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(there.wire.asked("watch")).toEqual([watch, watch]);
    const answer = there.house.ask({ do: "join", seat: null });
    const [join] = there.wire.asked("join");
    there.wire.say({ ...later, id: join!.id });
    await vi.advanceTimersByTimeAsync(300);
    there.acknowledge(join!.id);
    expect(await answer).toMatchObject({ done: true });
    expect(there.wire.asked("join")).toEqual([join, join]);
  });

  test("gives up what was refused for the moment too often, but never the table", async () => {
    there.house.watch("t1");
    there.welcome();
    const later = { is: "refused", reason: "Busy.", why: { key: "refused.table-busy" }, later: true };
    const answer = there.house.ask({ do: "join", seat: null });
    const [join] = there.wire.asked("join");
    const [watch] = there.wire.asked("watch");
    there.clock += 11_000;
    there.wire.say({ ...later, id: join!.id }, { ...later, id: watch!.id });
    expect(await answer).toMatchObject({ done: false });
    await vi.advanceTimersByTimeAsync(300);
    expect(there.wire.asked("join")).toHaveLength(1);
    expect(there.wire.asked("watch")).toHaveLength(2);
  });

  test("pauses longer and longer before a house that lets it in and drops it again", async () => {
    for (let tries = 0; tries < 40; tries++) {
      if (there.house.link !== "open" && !there.wire.closed) there.welcome();
      there.wire.close();
      there.clock += 1_000;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(there.wires.length).toBeLessThan(20); // each second one at most, and soon one in 2.5 to 5 seconds
    await vi.advanceTimersByTimeAsync(5_000);
    there.welcome();
    there.clock += 20_000;
    const before = there.wires.length;
    there.wire.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(there.wires.length).toBe(before + 1); // a link that held comes back at once
  });

  test("answers a command with what the house said to its number", async () => {
    there.welcome();
    const first = there.house.ask({ do: "decide", round: 5, step: 0, decision: "hit" });
    const second = there.house.ask({ do: "decide", round: 5, step: 0, decision: "double" });
    const [one, other] = there.wire.asked("decide");
    expect(other!.id).toBe(one!.id + 1);
    there.refuse(other!.id, "it costs 2000 and the credit is 5");
    there.acknowledge(one!.id);
    expect(await first).toEqual({ done: true, seat: null });
    expect(await second).toEqual({ done: false, reason: "it costs 2000 and the credit is 5" });
  });

  test("DSC-1: says at once that it is lost, and takes no command", async () => {
    there.welcome();
    there.wire.close();
    expect(there.house.link).toBe("lost");
    expect(await there.house.ask({ do: "bet", round: 5, wagers: { ante: 100 } })).toEqual({
      done: false,
      reason: NO_LINK,
    });
    expect(there.wires).toHaveLength(1);
  });

  test("DSC-3: comes back by itself, watches again, and sends again what had no answer, under the same number", async () => {
    there.house.watch("t1");
    there.welcome();
    there.wire.say(table(20));
    const bet = there.house.ask({ do: "bet", round: 5, wagers: { ante: 100 } });
    const { id } = there.wire.asked("bet")[0]!;
    there.wire.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(there.wires).toHaveLength(2);
    there.welcome();
    expect(there.wire.heard.map((command) => command.do)).toEqual(["watch", "bet"]);
    expect(there.wire.asked("bet")[0]).toMatchObject({ id, wagers: { ante: 100 } });
    there.acknowledge(id);
    expect((await bet).done).toBe(true);
  });

  test("over a new connection even a lower number is the newest: the house may have restarted", async () => {
    there.house.watch("t1");
    there.welcome();
    there.wire.say(table(20));
    there.wire.close();
    await vi.advanceTimersByTimeAsync(300);
    there.welcome();
    there.wire.say(table(2), table(1));
    expect(there.house.table?.number).toBe(2);
  });

  test("waits longer after every attempt that fails, five seconds at most", async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      there.wire.close();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    const tried = there.wires.length;
    expect(tried).toBe(9);
    there.wire.close();
    await vi.advanceTimersByTimeAsync(2_400);
    expect(there.wires).toHaveLength(tried);
    await vi.advanceTimersByTimeAsync(2_600);
    expect(there.wires).toHaveLength(tried + 1);
  });

  test("asks a silent house, and counts it as lost when it does not answer", async () => {
    there.welcome();
    there.clock += 4_500;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(there.wire.asked("ping")).toHaveLength(1);
    there.clock += 4_500;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(there.house.link).toBe("lost");
  });

  test("DISP-6: the clock is the house's; of several messages the quickest is believed", () => {
    there.house.watch("t1");
    there.welcome(there.clock + 90_000);
    expect(there.house.now()).toBe(there.clock + 90_000);
    there.clock += 1_000;
    there.wire.say(table(3, { now: there.clock + 89_300 }));
    expect(there.house.now()).toBe(there.clock + 90_000);
    there.wire.say(table(4, { now: there.clock + 90_200 }));
    expect(there.house.now()).toBe(there.clock + 90_200);
  });

  test("tells why play stands still in the whole house until it goes on", () => {
    there.welcome();
    there.wire.say({ is: "standstill", reason: "Away.", why: { key: "refused.store-away" } });
    expect(there.house.standstill).toBe("The house waits for its store: play goes on as soon as it is back.");
    there.wire.say({ is: "standstill" });
    expect(there.house.standstill).toBe("");
    there.wire.say({ is: "standstill", reason: "Away.", why: { key: "refused.store-away" } });
    there.welcome(); // a house that has just opened says it again where it is so
    expect(there.house.standstill).toBe("");
  });

  test("tells why the house said goodbye until it is back", async () => {
    there.welcome();
    there.wire.say({ is: "goodbye", reason: "the house closes" });
    there.wire.close();
    expect(there.house.goodbye).toBe("the house closes");
    await vi.advanceTimersByTimeAsync(6_000);
    there.welcome();
    expect(there.house.goodbye).toBe("");
  });

  test("SEC-3: is a stranger where somebody must sign in, and tries again when somebody has", async () => {
    there.known = false;
    there.house.again();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(there.house.link).toBe("stranger");
    expect(there.wires).toHaveLength(1);
    there.known = true;
    there.house.again();
    await vi.advanceTimersByTimeAsync(0);
    there.welcome();
    expect(there.house.link).toBe("open");
  });

  test("SEC-4: a message that it does not know changes nothing", () => {
    there.welcome();
    there.wire.say({ is: "something-new", x: 1 });
    expect(there.house.link).toBe("open");
  });
});
