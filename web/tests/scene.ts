/** A house for tests: it plays a scene that fixtures/make.py wrote from a real round, and hears what is asked. */
import { readFileSync } from "node:fs";
import { NotKnown, type Wire } from "../src/lib/dial";
import { House } from "../src/lib/house";

export interface Step {
  name: string;
  messages: Record<string, unknown>[];
}

export const SCENES = [
  "stadium-blackjack",
  "split",
  "dynasty-blackjack",
  "stadium-three-card-poker",
  "match-up-blackjack",
  "mega-blackjack",
];

export const scene = (name: string): Step[] => JSON.parse(readFileSync(`fixtures/out/${name}.json`, "utf8")) as Step[];

/** All messages up to a step, and its own; those for dealers alone only where one is there. */
export function upTo(steps: Step[], name: string, role = "player"): Record<string, unknown>[] {
  const at = steps.findIndex((step) => step.name === name);
  if (at < 0) throw new Error(`There is no step ${name}.`);
  const sent = steps.slice(0, at + 1).flatMap((step) => step.messages);
  return role === "dealer" ? sent : sent.filter((message) => message.is !== "map");
}

export class TestWire implements Wire {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  heard: { do: string; id: number; [field: string]: unknown }[] = [];
  closed = false;

  send(text: string): void {
    this.heard.push(JSON.parse(text) as (typeof this.heard)[number]);
  }
  close(): void {
    this.closed = true;
    this.onclose?.({} as CloseEvent);
  }
  say(...messages: unknown[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }
  /** The commands of one kind, the oldest first. */
  asked(kind: string): { id: number; [field: string]: unknown }[] {
    return this.heard.filter((command) => command.do === kind);
  }
}

export class TestHouse {
  wires: TestWire[] = [];
  clock = 1_000_000;
  known = true;
  readonly house: House;

  constructor() {
    this.house = new House({
      connect: () => {
        if (!this.known) return Promise.reject(new NotKnown());
        const wire = new TestWire();
        this.wires.push(wire);
        return Promise.resolve(wire);
      },
      now: () => this.clock,
    });
  }
  get wire(): TestWire {
    return this.wires.at(-1)!;
  }
  welcome(now = this.clock): void {
    this.wire.say({ is: "welcome", name: "T1", role: "player", now, version: "1", tables: [] });
  }
  acknowledge(id: number): void {
    this.wire.say({ is: "acknowledged", id, now: this.clock });
  }
  refuse(id: number, reason: string): void {
    this.wire.say({ is: "refused", id, reason });
  }
}

/** Let everything that was promised happen. */
export const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

/** A browser whose requests and sockets lead to a house of the test, for pages that open their own connection. */
export class TestBrowser {
  wires: TestWire[] = [];
  addresses: string[] = [];
  requests: string[] = [];
  /** The same with what follows the question mark. */
  asked: string[] = [];
  /** Whether the screen is as large as a kiosk's. */
  roomy = false;
  /** Answers by method and path; what is not listed is 404. */
  answers: Record<string, [status: number, body: unknown]> = {
    "GET /api/me": [200, { name: "T1", role: "player" }],
    "GET /api/terminal": [200, { socket: "/ws" }],
  };

  constructor(stub: (name: string, value: unknown) => void) {
    const { wires, addresses } = this;
    stub(
      "WebSocket",
      class extends TestWire {
        constructor(address: URL) {
          super();
          wires.push(this);
          addresses.push(address.href);
        }
      },
    );
    stub("matchMedia", () => ({ matches: this.roomy, addEventListener: () => null, removeEventListener: () => null }));
    stub("fetch", (path: string, request: { method?: string } = {}) => {
      const asked = `${request.method ?? "GET"} ${path.split("?")[0]}`;
      this.requests.push(asked);
      this.asked.push(`${request.method ?? "GET"} ${path}`);
      const [status, body] = this.answers[asked] ?? [404, { reason: `There is nothing at ${path}.` }];
      const headers = { "content-type": "application/json" };
      return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
    });
  }
  get wire(): TestWire {
    return this.wires.at(-1)!;
  }
  /** Come to a step of a scene, in a role; `facts` are what the welcome says besides. */
  play(name: string, step: string, role: string, facts: Record<string, unknown> = {}): void {
    const messages = upTo(scene(name), step, role);
    const late = Math.max(...messages.map((message) => Number(message.now ?? 0)));
    for (const message of messages)
      this.wire.say(message.is === "welcome" ? { ...message, ...facts, role, now: late } : message);
  }
}
