/** What a player's own rounds come to: counted from the rounds that the house recalls, and nothing else. */
import type { RecordedRound } from "../generated/api";
import type { SeatView } from "../generated/protocol";

export type Came = "won" | "pushed" | "lost-bet" | "void-round";

/** One of the player's rounds on one line. */
export interface OwnRound {
  round: number;
  time: number;
  came: Came;
  net: number;
}

/** A wager of the player over several rounds: how often it was made, and how often it won. */
export interface OwnWager {
  wager: string;
  made: number;
  won: number;
  net: number;
}

export interface Statistics {
  /** The oldest first. */
  rounds: OwnRound[];
  staked: number;
  returned: number;
  wagers: OwnWager[];
}

const viewOf = (round: RecordedRound): SeatView | null => round.steps.at(-1)?.view ?? null;

function line(round: RecordedRound, { staked, returned }: SeatView): OwnRound {
  const net = round.status === "void" ? 0 : returned - staked;
  const came = round.status === "void" ? "void-round" : net > 0 ? "won" : net < 0 ? "lost-bet" : "pushed";
  return { round: round.round, time: round.time, came, net };
}

/** The player's rounds put together, those apart that are still in play or void. A wager for the dealer is no wager of the player. */
export function statisticsOf(recalled: readonly RecordedRound[]): Statistics {
  const over = recalled.filter(({ status }) => status !== "in play").toSorted((one, other) => one.round - other.round);
  const played = over.flatMap((round) => {
    const view = viewOf(round);
    return view ? [{ round, view }] : [];
  });
  const counted = played.filter(({ round }) => round.status !== "void").map(({ view }) => view);
  const wagers = new Map<string, OwnWager>();
  for (const { settled } of counted)
    for (const { wager, whose, staked, returned, outcome } of settled) {
      if (whose !== "player") continue;
      const known = wagers.get(wager) ?? { wager, made: 0, won: 0, net: 0 };
      wagers.set(wager, {
        wager,
        made: known.made + 1,
        won: known.won + Number(outcome === "win"),
        net: known.net + returned - staked,
      });
    }
  return {
    rounds: played.map(({ round, view }) => line(round, view)),
    staked: counted.reduce((sum, { staked }) => sum + staked, 0),
    returned: counted.reduce((sum, { returned }) => sum + returned, 0),
    wagers: [...wagers.values()],
  };
}
