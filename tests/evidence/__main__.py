"""`python -m tests.evidence`: writes the evidence into a new dated folder, from the results of the long modes that were run.

`--whole` runs them all first, one after another, which takes hours. What was not run is said to be.
"""

import argparse
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from podium.rules.games import GAMES
from tests.evidence.folder import gather, missing, write
from tests.evidence.generator import try_generator
from tests.evidence.returns import compare
from tests.mutants.listed import ROOT

LONG: Final = (
    ("-m", "pytest", "-n", "auto", "-p", "tests.evidence.recording"),
    ("-m", "tests.evidence.terminals"),
    ("-m", "tests.evidence.covering"),
    ("-m", "tests.mutants"),
    ("-m", "tests.mutants.generated"),
    ("-m", "tests.simulator", "--seeds", "10000"),
    ("-m", "tests.failing_disk"),
    ("-m", "tests.torture"),
    ("-m", "tests.fuzz"),
)


def run_all() -> None:
    """Runs every long mode, also after one that failed: the folder says which."""
    for arguments in LONG:
        print(f"python {' '.join(arguments)}", flush=True)
        _ = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evidence", description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "evidence", help="where the dated folder goes")
    parser.add_argument("--whole", action="store_true", help="run all long modes first")
    parser.add_argument(
        "--rounds", type=int, help="rounds of each game for the second engine: 1,000, or 50,000 of the whole"
    )
    chosen = parser.parse_args()
    made = datetime.now(UTC)
    if chosen.whole:
        run_all()
    rounds = chosen.rounds or (50_000 if chosen.whole else 1_000)
    games = [compare(game, rounds) for game in GAMES.values()]
    evidence = gather(made, games, try_generator(1.0 if chosen.whole else 0.2))
    folder = chosen.into / f"podium-{made:%Y-%m-%d-%H%M%S}"
    write(evidence, folder)
    print(f"{folder / 'index.html'}")
    for each in missing(evidence):
        print(f"- {each}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
