"""`python -m tests.torture`: 50 kills on each store, one table with 2,000 bots, and 100 restarts under 200 terminals."""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres import postgres_running
from tests.torture.returning import restart_under_terminals
from tests.torture.torture import crowd, torture


def run(kills: int, bots: int, crowded: int, seed: int, database: str) -> None:
    store = "PostgreSQL" if database else "SQLite"
    with TemporaryDirectory(prefix="podium-torture-") as data:
        outcome = asyncio.run(torture(Path(data), database, kills=kills, bots=bots, seed=seed))
        print(
            f"{store}: {outcome.kills} kills, {outcome.rounds:,} rounds, {outcome.entries:,} entries; all of the"
            f" {outcome.acknowledged:,} things that {bots} bots were told are there.",
            flush=True,
        )
    if crowded and not database:
        with TemporaryDirectory(prefix="podium-torture-") as data:
            outcome = asyncio.run(crowd(Path(data), "", bots=crowded, rounds=4))
            print(
                f"One table with {crowded:,} bots: {outcome.rounds} rounds and a kill in the middle; all of the"
                f" {outcome.acknowledged:,} things that they were told are there.",
                flush=True,
            )


def return_again_and_again(restarts: int) -> None:
    with TemporaryDirectory(prefix="podium-torture-") as data:
        returned = asyncio.run(restart_under_terminals(Path(data), "", restarts=restarts, terminals=200))
        print(
            f"{returned.restarts} restarts under {returned.terminals} terminals: every one came back by itself, the last of"
            f" them {returned.slowest:.1f} s after the start.",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often the house is killed on each store")
    parser.add_argument("--bots", type=int, default=60, help="how many bots play meanwhile")
    parser.add_argument(
        "--crowd", type=int, default=2_000, help="how many bots play at one table at the end; 0 for none"
    )
    parser.add_argument("--restarts", type=int, default=100, help="how often a house under 200 terminals is restarted")
    parser.add_argument("--seed", type=int, default=0, help="decides who bets what, and the moments of the kills")
    parser.add_argument("--store", choices=["sqlite", "postgres", "both"], default="both")
    chosen = parser.parse_args()
    if chosen.store != "postgres":
        run(chosen.kills, chosen.bots, chosen.crowd, chosen.seed, "")
    if chosen.restarts:
        return_again_and_again(chosen.restarts)
    if chosen.store != "sqlite":
        with postgres_running() as database:
            run(chosen.kills, chosen.bots, 0, chosen.seed, database)
    return 0


if __name__ == "__main__":
    sys.exit(main())
