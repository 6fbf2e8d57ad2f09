"""`python -m tests.torture`: 50 kills on each store, one table with 2,000 bots, 100 restarts under 200 terminals, live tables, and
40 faults of two processes on two databases."""

import argparse
import asyncio
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.evening.evening import evening
from tests.evidence.results import Findings, recorded
from tests.postgres import postgres_running
from tests.torture.cluster import cluster_running
from tests.torture.returning import restart_under_terminals
from tests.torture.takeover import FAULTS, withstand
from tests.torture.torture import crowd, torture


def run(kills: int, bots: int, crowded: int, seed: int, database: str, findings: Findings) -> None:
    store = "PostgreSQL" if database else "SQLite"
    with TemporaryDirectory(prefix="podium-torture-") as data:
        outcome = asyncio.run(torture(Path(data), database, kills=kills, bots=bots, seed=seed))
        findings.figures |= {f"kills on {store}": outcome.kills, f"rounds on {store}": outcome.rounds}
        print(
            f"{store}: {outcome.kills} kills, {outcome.rounds:,} rounds, {outcome.entries:,} entries; all of the"
            f" {outcome.acknowledged:,} things that {bots} bots were told are there.",
            flush=True,
        )
    if crowded and not database:
        with TemporaryDirectory(prefix="podium-torture-") as data:
            outcome = asyncio.run(crowd(Path(data), "", bots=crowded, rounds=4))
            findings.figures["bots at one table"] = crowded
            print(
                f"One table with {crowded:,} bots: {outcome.rounds} rounds and a kill in the middle; all of the"
                f" {outcome.acknowledged:,} things that they were told are there.",
                flush=True,
            )


def return_again_and_again(restarts: int, findings: Findings) -> None:
    with TemporaryDirectory(prefix="podium-torture-") as data:
        returned = asyncio.run(restart_under_terminals(Path(data), "", restarts=restarts, terminals=200))
        findings.figures |= {"restarts": returned.restarts, "terminals": returned.terminals}
        print(
            f"{returned.restarts} restarts under {returned.terminals} terminals: every one came back by itself, the last of"
            f" them {returned.slowest:.1f} s after the start.",
            flush=True,
        )


def spend_an_evening(rounds: int, seed: int, findings: Findings) -> None:
    with TemporaryDirectory(prefix="podium-torture-") as data:
        played = asyncio.run(evening(Path(data), rounds=rounds, kills=rounds // 10, seed=seed))
        assert not played.findings, "\n".join(played.findings)
        findings.figures |= {"rounds at live tables": played.rounds, "kills at live tables": played.kills}
        print(
            f"Live tables: {played.rounds:,} rounds with {played.seats:,} seats settled twice, {played.voided} void, "
            f"{played.mistakes['corrected']} corrections, {played.kills} kills.",
            flush=True,
        )


def take_over_again_and_again(faults: int, seed: int, findings: Findings) -> None:
    chance = Random(f"faults {seed}")
    listed = [FAULTS[number % len(FAULTS)] for number in range(faults)]
    chance.shuffle(listed)
    with TemporaryDirectory(prefix="podium-torture-") as data, cluster_running(seed) as cluster:
        came = asyncio.run(withstand(Path(data), cluster, listed, bots=20, seed=seed))
        findings.figures |= {"faults of two processes": came.faults.total(), "owners": came.epochs}
        print(
            f"Two processes, two database servers: {', '.join(f'{many} times {fault}' for fault, many in came.faults.items())};"
            f" {came.epochs} owners, {came.rounds:,} rounds; all of the {came.acknowledged:,} things that 20 bots were told are"
            f" there; the longest pause of play was {came.slowest:.1f} s.",
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
    parser.add_argument("--evening", type=int, default=100, help="rounds at each live table, with dealers who err")
    parser.add_argument("--faults", type=int, default=40, help="faults of a house with two processes and two databases")
    parser.add_argument("--seed", type=int, default=0, help="decides who bets what, and the moments of the kills")
    parser.add_argument("--store", choices=["sqlite", "postgres", "both"], default="both")
    chosen = parser.parse_args()
    with recorded("torture") as findings:
        torment(chosen, findings)
    return 0


def torment(chosen: argparse.Namespace, findings: Findings) -> None:
    """Everything that was chosen, one after another."""
    if chosen.store != "postgres":
        run(chosen.kills, chosen.bots, chosen.crowd, chosen.seed, "", findings)
    if chosen.restarts:
        return_again_and_again(chosen.restarts, findings)
    if chosen.evening:
        spend_an_evening(chosen.evening, chosen.seed, findings)
    if chosen.faults:
        take_over_again_and_again(chosen.faults, chosen.seed, findings)
    if chosen.store != "sqlite":
        with postgres_running() as database:
            run(chosen.kills, chosen.bots, 0, chosen.seed, database, findings)


if __name__ == "__main__":
    sys.exit(main())
