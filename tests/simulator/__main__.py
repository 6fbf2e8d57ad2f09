"""`python -m tests.simulator --seeds 1000` runs so many worlds; `--seed 7` replays one, with all that happens in it."""

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.evidence.results import Findings, recorded
from tests.simulator.world import World


def survives(seed: int) -> tuple[int, str, Counter[str], Counter[str]]:
    """Runs one world; returns what went wrong, empty if nothing did, how much happened in it, and what."""
    world = World(seed)
    said = ""
    try:
        world.run()
    except BaseException as error:
        said = "".join(traceback.format_exception_only(error)).strip()[:1_500]
    witness = world.witness
    seen = Counter({"entries": witness.entries, "messages": witness.messages, "rounds": witness.rounds})
    seen["lives"] = world.lives
    return seed, said, seen, witness.occurred


def replay(seed: int) -> int:
    try:
        World(seed, trace=print).run()
    except BaseException:
        traceback.print_exc()
        return 1
    print(f"World {seed} is well.")
    return 0


def simulate(first: int, seeds: int, jobs: int, findings: Findings) -> int:
    began = time.monotonic()
    failed = 0
    seen: Counter[str] = Counter()
    occurred: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        for seed, said, happened, kinds in pool.map(survives, range(first, first + seeds), chunksize=8):
            seen += happened
            occurred += kinds
            if said:
                failed += 1
                print(f"World {seed} fails: {said}\n  replay it: .venv/bin/python -m tests.simulator --seed {seed}")
    findings.figures |= {"first seed": first, "seeds": seeds, "failing seeds": failed} | dict(seen)
    findings.details |= {what: f"{count:,} times" for what, count in sorted(occurred.items())}
    findings.failed = failed > 0
    minutes = (time.monotonic() - began) / 60
    told = ", ".join(f"{count:,} {what}" for what, count in seen.items())
    print(f"{seeds:,} worlds, {failed} of them fail ({seeds / minutes:,.0f} a minute): {told}.")
    print("What happened: " + ", ".join(f"{what} {count:,}" for what, count in sorted(occurred.items())) + ".")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--seed", type=int, help="replay this world and tell all that happens")
    parser.add_argument("--seeds", type=int, default=2_000, help="how many worlds")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    chosen = parser.parse_args()
    if chosen.seed is not None:
        return replay(chosen.seed)
    with recorded("simulate") as findings:
        return simulate(chosen.first, chosen.seeds, chosen.jobs, findings)


if __name__ == "__main__":
    sys.exit(main())
