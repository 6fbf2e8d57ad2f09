/** What a call that failed says, whatever it threw. */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));
