/** Movement that explains: a card comes from the shoe or the stream, a chip from the tray. */
import { animate } from "motion/mini";
import { untrack } from "svelte";
import { moves } from "./settings.svelte";

const SETTLED_AFTER_MS = 400;

let settled = false;
/** What lies there when a table is first shown has not just arrived; only later comers travel. */
export function settle(): () => void {
  const timer = setTimeout(() => (settled = true), SETTLED_AFTER_MS);
  return () => {
    clearTimeout(timer);
    settled = false;
  };
}

/**
 * Attach to a card: it travels from the element that `from` names, or from the shoe in the upper right corner. It does so
 * once: what the house shows later of the same card is no reason to travel again, so nothing here is tracked.
 */
export function arrives(from: () => string = () => ""): (element: HTMLElement) => void {
  return (element) =>
    untrack(() => {
      if (!settled || !moves()) return;
      const to = element.getBoundingClientRect();
      const source = from();
      const origin = source ? document.querySelector(source) : null;
      const start = origin?.getBoundingClientRect() ?? { left: innerWidth - to.width, top: 0 };
      const [x, y] = [start.left - to.left, start.top - to.top];
      animate(
        element,
        { transform: [`translate(${x}px, ${y}px) rotate(4deg)`, "translate(0, 0) rotate(0deg)"] },
        { duration: 0.3, ease: [0.2, 0.8, 0.3, 1] },
      );
    });
}

/** Attach to a chip: it drops onto its spot. */
export function drops(element: HTMLElement): void {
  if (!settled || !untrack(moves)) return;
  animate(
    element,
    { transform: ["translateY(-1.2rem) scale(1.15)", "translateY(0) scale(1)"] },
    { duration: 0.18, ease: "easeOut" },
  );
}
