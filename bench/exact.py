"""The exact mathematics: seconds for a configuration once compiled, for the first time of all, and the memory of each command.

Seconds depend on the machine, so its unit is printed beside them: the time that the plain C loop of the simulation
takes for ten million rounds of community blackjack on one core.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any, cast

from bench._plain_c import compiled_c
from bench.simulation import PlainC
from podium.maths.families.blackjack import figures
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import game

SBJ, DLB, MUB, MGB = "stadium-blackjack", "dynasty-blackjack", "match-up-blackjack", "mega-blackjack"
TCP = "stadium-three-card-poker"

CONFIGURATIONS: list[tuple[str, dict[str, Any]]] = [
    (SBJ, {}),
    (SBJ, {"decks": 8}),
    (SBJ, {"paytable": 5}),
    (SBJ, {"surrender": "off", "dealer_hits_soft_17": False}),
    (SBJ, {"surrender": "not-against-blackjack", "max_splits": 4}),
    (SBJ, {"keep_standoff_bet": "always-and-push-insurance", "max_splits": 4}),
    (SBJ, {"dealer_blackjack_takes": "all", "double_with_ace": True, "double_totals": [9, 11]}),
    (DLB, {"decks": 4}),
    (DLB, {"decks": 8, "max_splits": 4, "double_adds": 2}),
    (DLB, {"double": "off", "split": "off", "surrender": "off"}),
    (MUB, {}),
    (MUB, {"max_splits": 1}),
    (MGB, {}),
    (MGB, {"decks": 8}),
]

COMMANDS = (
    ("par", SBJ, "--json"),
    ("par", TCP, "--json"),
    ("strategy", MUB),
    ("simulate", SBJ, "--rounds", "1000000", "--json"),
    ("simulate", TCP, "--rounds", "1000000", "--wager", "pair-plus=100", "--json"),
    ("exposure", MGB, "--players", "3", "--wager", "buster=100", "--rounds", "200000", "--json"),
)


def seconds(name: str, options: dict[str, Any]) -> tuple[float, float]:
    """On the clock, and of all cores together."""
    chosen = game(name, options)
    began, worked = time.perf_counter(), time.process_time()
    figures(chosen, "best")
    return time.perf_counter() - began, time.process_time() - worked


def command(arguments: tuple[str, ...], cache: str) -> float:
    """Seconds that a command takes, from its start to its end."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "podium", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": ""},
    )
    return time.perf_counter() - began


def main() -> None:
    rules = cast(BlackjackRules, game(SBJ).rules)
    unit = PlainC(compiled_c("community.c"), rules)(10_000_000)[0]
    figures(game(DLB), "best")
    print(f"unit: {unit:.2f} seconds, ten million rounds of the plain C loop")
    for name, options in CONFIGURATIONS:
        clock, worked = seconds(name, options)
        said = ", ".join(f"{key} {value}" for key, value in options.items()) or "as by default"
        print(
            f"{name}, {said}: {clock:.2f} seconds, {worked:.2f} of all cores, {worked / unit:.1f} units (at most 1 second)"
        )
    with tempfile.TemporaryDirectory() as cache:
        for arguments in COMMANDS:
            first, then = command(arguments, cache), command(arguments, cache)
            print(f"podium {' '.join(arguments)}: {first:.1f} seconds with an empty cache, then {then:.1f}")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"memory of the largest of these commands: {most:.0f} MiB (below 2,048)")


if __name__ == "__main__":
    main()
