"""`python -m tests.fuzz`: one million hostile messages; `--folder` keeps the run, and the same command continues it."""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.evidence.results import recorded
from tests.fuzz.campaign import Campaign, Progress
from tests.fuzz.claims import Found


def run(folder: Path, seed: int, messages: int, batch: int) -> int:
    campaign = Campaign(folder, seed)
    if campaign.progress.sent:
        print(f"Taken up after {campaign.progress.sent:,} messages.", flush=True)
    try:
        with recorded("fuzz") as findings, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            progress = runner.run(campaign.run(messages, batch))
            tell(progress)
            findings.figures |= {
                "seed": seed,
                "messages": progress.sent,
                "over the wire": progress.wire,
                "over HTTP": progress.http,
                "acknowledged": progress.acknowledged,
                "refused": progress.refused,
                "settlements played again": progress.settled,
            }
    except Found as found:
        print(f"Seed {seed}, batch {campaign.progress.batch}: {found}", file=sys.stderr)
        return 1
    return 0


def tell(progress: Progress) -> None:
    """The result of a campaign."""
    first = next(held for sent, held in progress.memory if sent >= progress.sent / 10)
    last = progress.memory[-1][1]
    print(
        f"{progress.sent:,} hostile messages in {progress.seconds:,.0f} s with the seed {progress.seed}:"
        f" {progress.wire:,} over the wire ({progress.acknowledged:,} acknowledged, {progress.refused:,} refused),"
        f" {progress.http:,} over HTTP."
    )
    print(f"  lines ended with {dict(sorted(progress.endings.items()))}")
    print(f"  requests were answered with {dict(sorted(progress.statuses.items()))}")
    print(f"  {progress.settled:,} settlements of honest bots, each played again to the same result")
    print(f"  memory: {first / 2**20:,.0f} MB after a tenth, {last / 2**20:,.0f} MB at the end")
    print("  nothing changed that nobody might change; the record verifies")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=10_000, help="after so many messages everything is looked at")
    parser.add_argument("--seed", type=int, default=0, help="decides what is said")
    parser.add_argument("--folder", type=Path, help="keep the run here, and take it up again with the same seed")
    chosen = parser.parse_args()
    if chosen.folder is not None:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        return run(chosen.folder, chosen.seed, chosen.messages, chosen.batch)
    with TemporaryDirectory(prefix="podium-fuzz-") as folder:
        return run(Path(folder), chosen.seed, chosen.messages, chosen.batch)


if __name__ == "__main__":
    sys.exit(main())
