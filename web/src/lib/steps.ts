/** What happened in a step of a recorded round: the house tells it in its notation, `card Td to community 1`. */
import { symbols } from "./cards";
import { placeName } from "./places";
import { choice, w } from "./words";

const STEPS: [RegExp, (...parts: string[]) => string][] = [
  [/^card (\w+) to (.+)$/, (card, place) => `${face(card)} → ${placeName(place)}`],
  [/^seat \d+ decides ([a-z-]+)/, (decision) => choice(decision)],
  [/^seat \d+ bets/, () => w("bet")],
  [/^time runs out/, () => w("timed-out")],
  [/^peek: blackjack$/, () => w("peek-yes")],
  [/^peek: no blackjack$/, () => w("peek-no")],
  [/^hole card turned: (\w+)$/, (card) => face(card)],
  [/^card (\d+) corrected to (\w+)$/, (number, card) => w("corrected-to", { n: number, card: face(card) })],
];

const face = (card: string): string => (card === "unknown" ? w("face-down") : symbols(card));

/** In the player's language; empty where the phase says it all. */
export function stepName(event: string): string {
  for (const [pattern, says] of STEPS) {
    const found = event.match(pattern);
    if (found) return says(...found.slice(1));
  }
  return "";
}
