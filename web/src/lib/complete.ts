import { DEFAULTS, INNER, MESSAGES, type AnyMessage } from "../generated/protocol";

type Plain = Record<string, unknown>;

/** A message of the house with every field in it: the house leaves out what is as usual. */
export function complete(message: Plain): AnyMessage | null {
  const struct = MESSAGES[String(message.is)];
  return struct ? (filled(struct, message) as unknown as AnyMessage) : null;
}

function filled(struct: string, value: Plain): Plain {
  const whole: Plain = { ...(DEFAULTS as unknown as Record<string, Plain>)[struct], ...value };
  for (const [field, [inner, depth]] of Object.entries(INNER[struct] ?? {})) {
    whole[field] = within(inner, depth, whole[field]);
  }
  return whole;
}

/** The same for a struct that lies within so many lists or tables. */
function within(struct: string, depth: number, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (depth === 0) return filled(struct, value as Plain);
  if (Array.isArray(value)) return value.map((entry) => within(struct, depth - 1, entry));
  return Object.fromEntries(
    Object.entries(value as Plain).map(([key, entry]) => [key, within(struct, depth - 1, entry)]),
  );
}
