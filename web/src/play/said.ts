/** What the player reads beside the cards: what is happening, what became of a tap, what is waited for. */
import type { Phase, QuestionView, SeatView, TableView, WagerCard } from "../generated/protocol";
import { whyNot } from "$lib/house";
import { short } from "$lib/money";
import type { Complaint } from "$lib/slip";
import { choice, phase as phaseName, w, wager as wagerName } from "$lib/words";

/** The phases between rounds, when there is nothing to watch. */
const UNDEALT: readonly Phase[] = ["waiting", "paused", "closed"];

/** The phase of the table, or whose turn it is while players decide. */
export function phaseSaid(table: TableView, view: SeatView | null, question: QuestionView | null): string {
  if (table.phase !== "deciding" || !view) return phaseName(table.phase);
  return question ? questionSaid(question, view.hands.length) : w("others-decide");
}

/** Time ran out, and the house answered in the player's place. */
export function byHouse(decision: string): string {
  switch (decision) {
    case "stand":
      return w("house-stood");
    case "fold":
      return w("house-folded");
    default:
      return w("house-answered", { choice: choice(decision) });
  }
}

/** What is asked: insurance, or what to do, with several hands about which of them. */
function questionSaid(question: QuestionView, hands: number): string {
  if (question.about === "insurance") return w("insurance?");
  return hands > 1 && question.about === "play" ? w("hand-of", { n: question.hand + 1, all: hands }) : w("your-turn");
}

/** Why a tap on a spot changed nothing. */
export function complaintSaid({ key, wager = "", facts = "" }: Complaint, wagers: readonly WagerCard[]): string {
  const card = wagers.find((each) => each.wager === wager);
  const name = wagerName(wager, card?.title);
  switch (key) {
    case "most":
      return w("say-most", { wager: name, most: card?.most ?? 0 });
    case "amounts":
      return w("say-amounts", { wager: name, amounts: (card?.amounts ?? []).map(short).join(", ") });
    case "needs":
      return w("say-needs", { wager: name, needed: wagerName(facts) });
    case "refused":
      return whyNot(facts);
    case "credit":
      return w("say-credit");
  }
}

/** How the player stands while there is nothing to tap; `answered` when the last answer is under way. */
export function standingSaid(table: TableView, view: SeatView | null, answered: boolean): string {
  if (answered) return w("decided");
  if (!view) return UNDEALT.includes(table.phase) ? w("wait-next") : table.phase === "betting" ? "" : w("watching");
  if (table.phase !== "deciding") return "";
  if (view.decision === "fold") return w("folded");
  if (view.decision === "play") return w("played");
  return view.finished ? w("finished") : w("others-decide");
}
