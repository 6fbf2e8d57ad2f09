const MINUTE_MS = 60_000;

/** Acts when nobody has touched this page for that long, and never for 0 minutes. Gives back what ends the waiting. */
export function whenIdle(minutes: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touched = () => {
    clearTimeout(timer);
    if (minutes > 0) timer = setTimeout(act, minutes * MINUTE_MS);
  };
  touched();
  addEventListener("pointerdown", touched);
  addEventListener("keydown", touched);
  return () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", touched);
    removeEventListener("keydown", touched);
  };
}
