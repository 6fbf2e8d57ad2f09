import * as http from "../generated/api";
import * as wire from "../generated/protocol";
import type { AnyMessage } from "../generated/protocol";

type Plain = Record<string, unknown>;

const DEFAULTS: Record<string, Plain> = { ...wire.DEFAULTS, ...http.DEFAULTS };
const INNER = { ...wire.INNER, ...http.INNER };

/** A message of the house with every field in it: the house leaves out fields that have their default. */
export function complete(message: Plain): AnyMessage | null {
  const struct = wire.MESSAGES[String(message.is)];
  return struct ? (filled(struct, message) as unknown as AnyMessage) : null;
}

/** An answer over HTTP with every field in it. */
export function completeAnswer(route: string, answer: unknown): unknown {
  const [struct, depth] = http.ANSWERED[route] ?? [];
  return struct === undefined ? answer : within(struct, depth ?? 0, answer);
}

function filled(struct: string, value: Plain): Plain {
  const whole: Plain = { ...DEFAULTS[struct], ...value };
  for (const [field, [inner, depth]] of Object.entries(INNER[struct] ?? {})) {
    whole[field] = within(inner, depth, whole[field]);
  }
  return whole;
}

/** The same for a struct within `depth` lists or tables. */
function within(struct: string, depth: number, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (depth === 0) return filled(struct, value as Plain);
  if (Array.isArray(value)) return value.map((entry) => within(struct, depth - 1, entry));
  return Object.fromEntries(
    Object.entries(value as Plain).map(([key, entry]) => [key, within(struct, depth - 1, entry)]),
  );
}
