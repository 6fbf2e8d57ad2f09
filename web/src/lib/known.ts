/**
 * The key of a known terminal (SEC-3). The page at which the browser became a terminal made it, and no script can read it:
 * it only signs. Every request, and every line, is proved with it; a browser without a key asks plainly.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex as hex } from "@noble/hashes/utils.js";
import type { Answers } from "../generated/api";

/** Where `terminal.html` keeps the key. */
const DATABASE = "podium";
const STORE = "device"; // as browsers have stored it since the first known terminal
const KEY = "key";
const NUMBER_BYTES = 16;

let known: Promise<CryptoKey | null> | undefined;
let challenge = "";

/** This browser's key, if it is a known terminal. */
const terminalKey = (): Promise<CryptoKey | null> => (known ??= stored().catch(() => null));

async function stored(): Promise<CryptoKey | null> {
  if (typeof indexedDB === "undefined" || typeof crypto.subtle === "undefined") return null;
  const database = await new Promise<IDBDatabase>((opened, failed) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => opened(opening.result);
    opening.onerror = () => failed(new Error("no database"));
  });
  const found = await new Promise<CryptoKey | undefined>((read, failed) => {
    const reading = database.transaction(STORE).objectStore(STORE).get(KEY);
    reading.onsuccess = () => read(reading.result as CryptoKey | undefined);
    reading.onerror = () => failed(new Error("no key"));
  });
  database.close();
  return found ?? null;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Sign something over the last challenge of the house, with a number that is used once. */
async function proof(key: CryptoKey, about: string): Promise<string> {
  if (!challenge) {
    const answer = await fetch("/api/terminals/challenge");
    challenge = ((await answer.json()) as Answers["GET /api/terminals/challenge"]).challenge;
  }
  const number = hex(crypto.getRandomValues(new Uint8Array(NUMBER_BYTES)));
  const content = bytesOf(`${about}${challenge}\n${number}\n`);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, content);
  return `${challenge}.${number}.${hex(new Uint8Array(signature))}`;
}

interface Sent {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Ask the house, and prove that this terminal asks. A challenge that is too old is answered with the next one. */
export async function provedFetch(address: string, sent: Sent = { method: "GET" }): Promise<Response> {
  const key = await terminalKey();
  if (key === null) return fetch(address, sent);
  const asked = challenge;
  const answer = await signedFetch(key, address, sent);
  return answer.status === 401 && asked !== "" && asked !== challenge ? signedFetch(key, address, sent) : answer;
}

async function signedFetch(key: CryptoKey, address: string, sent: Sent): Promise<Response> {
  const { pathname, search } = new URL(address, location.href);
  const about = `podium-request-1\n${sent.method}\n${pathname}${search}\n${hex(sha256(bytesOf(sent.body ?? "")))}\n`;
  const headers = { ...sent.headers, "Podium-Proof": await proof(key, about) };
  const answer = await fetch(address, { ...sent, headers });
  challenge = answer.headers.get("Podium-Challenge") ?? "";
  return answer;
}

/** The proof with which this terminal opens a line; empty where it has no key. */
export async function lineProof(tab: string): Promise<string> {
  const key = await terminalKey();
  return key === null ? "" : proof(key, `podium-line-1\n${tab}\n`);
}
