"""`python -m tests.failing_disk`: every accident at every step of a round of every game, and a flip of many bits."""

import argparse
import sys
from collections import Counter
from random import Random

from tests.evidence.results import Findings, recorded
from tests.failing_disk.living import BOOK, LAST, LOG, Judge, begun_house
from tests.failing_disk.trying import (
    TABLES,
    cut_power,
    cut_power_again_and_again,
    cut_power_at_the_beginning,
    flip,
    played,
    refuse,
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.failing_disk", description=__doc__)
    parser.add_argument("--times", type=int, default=8, help="how often what is left is drawn for each power failure")
    parser.add_argument("--lives", type=int, default=300, help="how many houses live through four power failures each")
    parser.add_argument("--bits", type=int, default=2000, help="how many bits of each file are flipped")
    chosen = parser.parse_args()
    with recorded("failing-disk") as findings:
        fail_everywhere(chosen.times, chosen.lives, chosen.bits, findings)
    return 0


def fail_everywhere(times: int, lives: int, bits: int, findings: Findings) -> None:
    begun, judge = begun_house(), Judge()
    cuts: Counter[str] = Counter(whole=cut_power_at_the_beginning(times))
    for table in TABLES:
        cuts += cut_power(played(begun, table), judge, times=times)
    print(f"{cuts['whole']:,} power failures, after each step of a round of each game: nothing is lost.", flush=True)
    lived = sum(cut_power_again_and_again(begun, judge, seed) for seed in range(lives))
    print(f"{lived:,} power failures, one after another on the same disk: nothing is lost.", flush=True)
    refused = sum((refuse(begun, table, judge, kind) for table in TABLES for kind in ("full", "error")), Counter[str]())
    print(f"{refused.total():,} steps refused, each in turn: {dict(refused)}; what the house said is true.", flush=True)
    for name in (LOG, str(BOOK)):
        for table in TABLES:
            disk = played(begun, table, TABLES[0], lies=lambda step, name=name: step.name == name)  # type: ignore[misc]
            lost = cut_power(disk, judge, times=times, whole=False)
            print(f"Syncs of {name} that lie, {table}: {lost['found']} losses, all found.", flush=True)
    disk = played(begun, *TABLES, log_pages=4000)
    for name in (LOG, str(BOOK), LAST):
        drawn = Random(name).sample(range(8 * len(disk.now[name])), min(bits, 8 * len(disk.now[name])))
        flipped = flip(disk.crash(), name, drawn, judge, disk.acknowledged_after(len(disk.steps)))
        findings.figures[f"flipped bits of {name}"] = len(drawn)
        print(f"{len(drawn):,} flipped bits of {name}: {dict(flipped)}, none that loses anything silently.", flush=True)
    findings.figures |= {
        "power failures": cuts["whole"],
        "power failures one after another": lived,
        "steps refused": refused.total(),
        "disks opened": judge.looked,
    }
    print(f"{judge.looked:,} different disks were opened, played again and verified.")


if __name__ == "__main__":
    sys.exit(main())
