/** The message of a failed call, whatever it threw. */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));
