"""Looks for differences in more scripts than the tests play: `python -m tests.oracle.search --help`."""

import argparse
import json
import sys
from random import Random

from tests.oracle.comparison import differences
from tests.oracle.options import GAMES
from tests.oracle.scripts import random_script


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (may be repeated)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--scripts", type=int, default=10_000, help="how many scripts of each game")
    parser.add_argument("--stop-after", type=int, default=10, help="how many differences to show")
    asked = parser.parse_args()
    shown = 0
    for seed in range(asked.first, asked.first + asked.scripts):
        for game in asked.game or GAMES:
            script = random_script(game, Random(f"search {game} {seed}"))
            found = differences(script)
            if found:
                shown += 1
                print("\n".join([f"seed {seed}", *found, json.dumps(script), ""]))
            if shown >= asked.stop_after:
                sys.exit(1)
    print(f"{asked.scripts} scripts of each game, {shown} with a difference")
    sys.exit(1 if shown else 0)


if __name__ == "__main__":
    main()
