/** How a page gets a line to the house that served it. */
import type { Answers } from "../generated/api";
import { lineProof, provedFetch } from "./known";

/** The part of a WebSocket that is used. */
export interface Wire {
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The house does not know this terminal. */
export class NotKnown extends Error {}

/** Open a line; sign in as a guest first if the house receives guests and nobody has signed in. */
export async function dial(role: string): Promise<Wire> {
  // Who is here is asked first: asking for a line before being let in would be refused, and stand in the console as an error.
  if (role !== "display" && (await asked("/api/me")) === null) await comeIn(role);
  const { socket } = (await asked(`/api/terminal?as=${role}`)) as Answers["GET /api/terminal"];
  // The cookie says who this is; what follows says only which tab, and proves which terminal.
  const address = new URL(socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const tab = key();
  address.searchParams.set("tab", tab);
  const proof = await lineProof(tab);
  if (proof) address.searchParams.set("proof", proof);
  return new WebSocket(address);
}

async function comeIn(role: string): Promise<void> {
  const { guests } = (await asked("/api/house")) as Answers["GET /api/house"];
  if (role !== "player" || !guests) throw new NotKnown();
  await asked("/api/guest", "POST");
}

async function asked(address: string, method = "GET"): Promise<unknown> {
  const answer = await provedFetch(address, { method });
  if (answer.status === 401) throw new NotKnown();
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** This tab's own key, by which the house recognizes it and sends lost answers again. */
function key(): string {
  const KEY = "podium.terminal";
  const known = sessionStorage.getItem(KEY);
  if (known) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  sessionStorage.setItem(KEY, made);
  return made;
}
