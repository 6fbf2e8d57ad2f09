"""`python -m tests.evening`: an evening at live tables of all five games, with mistakes and kills."""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.evening.evening import evening


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evening", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="rounds at each table")
    parser.add_argument("--kills", type=int, default=5, help="how often the house is killed meanwhile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--errs", type=float, default=0.08, help="how often a dealer enters a card wrongly")
    chosen = parser.parse_args()
    with TemporaryDirectory(prefix="podium-evening-") as data:
        played = asyncio.run(
            evening(Path(data), rounds=chosen.rounds, kills=chosen.kills, seed=chosen.seed, errs=chosen.errs)
        )
    print(
        f"{played.rounds:,} rounds with {played.seats:,} seats settled twice, {played.voided} void, {played.kills} kills, "
        f"{played.approved} approvals."
    )
    print("Mistakes:", ", ".join(f"{kind} {count}" for kind, count in played.mistakes.most_common()))
    print("Refused:", ", ".join(f"{key} {count}" for key, count in played.refused.most_common()))
    for finding in played.findings:
        print(finding)
    return 1 if played.findings else 0


if __name__ == "__main__":
    sys.exit(main())
