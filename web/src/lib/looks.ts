/** Polls the house: one request after another, and after a failure with a growing pause. */

const LONGEST_PAUSE_MS = 60_000;

/** Polls now and some time after each answer, until the returned function is called; `look` fails by throwing. */
export function looks(look: () => Promise<unknown>, everyMs: number): () => void {
  let failures = 0;
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const once = async (): Promise<void> => {
    try {
      await look();
      failures = 0;
    } catch {
      failures++;
    }
    if (!ended) timer = setTimeout(() => void once(), Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS));
  };
  void once();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
