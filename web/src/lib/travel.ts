/** Movement that explains: a card comes from the shoe or the stream, a chip from the tray. */
import { animate } from "motion/mini";
import { untrack } from "svelte";
import type { TransitionConfig } from "svelte/transition";
import { moves } from "./settings.svelte";

const SETTLED_AFTER_MS = 400;
const SECOND_MS = 1_000;
/** Fast at first: what is on its way is readable early. As --ease in tokens.css. */
const GENTLE: [number, number, number, number] = [0.2, 0.8, 0.3, 1];
/** What a card says that lay here face down, instead of where it came from. */
export const TURNS = "turns";
const SHOE = "[data-shoe]";
const TRAY = ".tray";
const CREDIT = '[data-testid="credit"]';
const BANK = "section.dealer";

let settled = false;
/** What lies there when a table is first shown has not just arrived; only later comers travel. */
export function settle(): () => void {
  const timer = setTimeout(() => (settled = true), SETTLED_AFTER_MS);
  return () => {
    clearTimeout(timer);
    settled = false;
  };
}

/** A time of tokens.css, in milliseconds. */
function timeOf(name: string): number {
  const time = getComputedStyle(document.documentElement).getPropertyValue(name);
  return parseFloat(time) || 0;
}

/** The middle of what a selector names, or of the corner where the shoe stands. */
function middleOf(selector: string): { x: number; y: number } | null {
  const box = selector ? document.querySelector(selector)?.getBoundingClientRect() : undefined;
  return box?.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
}

/** From where to where an element moves, as seen from where it is. */
function wayTo(element: Element, place: { x: number; y: number }): string {
  const box = element.getBoundingClientRect();
  return `translate(${place.x - box.left - box.width / 2}px, ${place.y - box.top - box.height / 2}px)`;
}

/**
 * Attach to a card: it is dealt face down from the shoe in the upper right corner, and turns where it lies; a card that lies on
 * the table already travels from the element that `from` names, and one that lay face down here (`"turns"`) only turns. It does
 * so once: what the house shows later of the same card is no reason to travel again, so nothing here is tracked.
 */
export function arrives(from: () => string = () => ""): (element: HTMLElement) => void {
  return (element) =>
    untrack(() => {
      if (!settled || !moves()) return;
      const source = from();
      if (source === TURNS) turns(element, 0);
      else {
        const known = middleOf(source);
        const start = known ?? middleOf(SHOE) ?? { x: innerWidth, y: 0 };
        const way = wayTo(element, start);
        animate(
          element,
          { transform: [known ? way : `${way} rotate(12deg)`, "translate(0, 0) rotate(0deg)"] },
          { duration: timeOf("--deal") / SECOND_MS, ease: GENTLE },
        );
        if (!known) turns(element, timeOf("--deal") * 0.55);
      }
    });
}

/** Turns the card in it face up, after so long; it shows its back until then. */
function turns(element: HTMLElement, delayMs: number): void {
  const card = element.querySelector<HTMLElement>(".card");
  if (!card || card.dataset.card === "?") return;
  card.classList.add("turning");
  void animate(
    card,
    { transform: ["perspective(60rem) rotateY(180deg)", "perspective(60rem) rotateY(0deg)"] },
    { duration: timeOf("--turn") / SECOND_MS, delay: delayMs / SECOND_MS, ease: "easeInOut" },
  ).then(() => {
    card.classList.remove("turning");
    card.style.transform = "";
  });
}

/** Attach to a chip: it travels from the chip that was chosen in the tray, or drops onto its spot. */
export function drops(element: HTMLElement): void {
  if (!settled || !untrack(moves) || element.closest(TRAY)) return;
  const tray = middleOf(`${TRAY} [aria-checked="true"]`);
  const way = tray ? wayTo(element, tray) : "translateY(-1.2rem) scale(1.15)";
  animate(
    element,
    { transform: [way, "translate(0, 0) scale(1)"] },
    { duration: timeOf("--chip") / SECOND_MS, ease: GENTLE },
  );
}

/** The way of a chip that is taken away: to the player's credit or to the bank, otherwise it is gone at once. */
export function leaves(element: HTMLElement, { goes }: { goes: "" | "player" | "bank" }): TransitionConfig {
  const place = goes && settled && untrack(moves) ? middleOf(goes === "player" ? CREDIT : BANK) : null;
  if (!place) return { duration: 0 };
  const way = wayTo(element, place);
  return {
    duration: timeOf("--chip") * 1.6,
    css: (
      _,
      gone,
    ) => `position: absolute; transform: ${way.replaceAll(/(-?[\d.]+)px/g, (_, far: string) => `${Number(far) * gone}px`)};
      opacity: ${1 - gone ** 3};`,
  };
}

/** How long a win is counted: one and a half of the stake as `--count` says, ten times the stake twice as long, and never more. */
export function countsFor(amount: number, staked: number): number {
  const times = staked > 0 ? amount / staked : 1;
  return timeOf("--count") * Math.min(2, 0.75 + times / 8);
}
