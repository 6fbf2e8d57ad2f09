"""The report of a swarm, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

import msgspec

from podium.client.swarm.tally import Tally

WORDS = {
    "connect": "to be let in",
    "bet": "from a bet to its acknowledgement",
    "decision": "from a decision to its acknowledgement",
    "broadcast": "from the first terminal that saw a state to the last",
    "late": "from a deadline to the close of its window",
}


def as_data(tally: Tally) -> dict[str, Any]:
    """Everything as JSON, for other programs."""
    counts = ("arrived", "most_at_once", "left", "broke", "locked", "watched", "drops", "returns", "bets", "decisions")
    return {
        **{name: getattr(tally, name) for name in counts},
        "lies": tally.lies,
        "seconds": round(tally.seconds, 3),
        "rounds": {table: len(rounds) for table, rounds in sorted(tally.rounds.items())},
        "settlements": {"checked": tally.checked, "missed": tally.missed, "corrected": tally.corrected},
        "acknowledged": tally.acknowledged,
        "acknowledged_per_second": round(tally.acknowledged / tally.seconds, 1) if tally.seconds else 0,
        "messages": tally.messages,
        "refused": dict(tally.refused.most_common()),
        "lost": dict(tally.lost.most_common()),
        "milliseconds": tally.percentiles(),
        "cpu_seconds": round(tally.cpu_seconds, 3),
        "memory_bytes": tally.memory,
        "findings": {"count": tally.found, "first": msgspec.to_builtins(tally.findings)},
    }


def as_text(tally: Tally) -> str:
    """The same as text, for people."""
    return "\n".join(_lines(tally))


def _lines(tally: Tally) -> Iterator[str]:
    data = as_data(tally)
    yield f"{tally.arrived:,} bots came in {tally.seconds:.1f} seconds, {tally.most_at_once:,} of them at once."
    yield (
        f"{tally.bets:,} bets, {tally.decisions:,} decisions and {tally.lies:,} lies; "
        f"{tally.acknowledged:,} acknowledgements, {data['acknowledged_per_second']:,} a second."
    )
    if tally.drops or tally.left or tally.watched:
        yield (
            f"{tally.drops:,} lines were dropped, {tally.left:,} bots left and others came "
            f"({tally.broke:,} had too little credit, {tally.locked:,} had won too much), {tally.watched:,} only watched."
        )
    yield "Rounds: " + (", ".join(f"{table} {count:,}" for table, count in data["rounds"].items()) or "none") + "."
    yield f"Settlements: {tally.checked:,} played again, {tally.missed:,} not seen, {tally.corrected:,} with a corrected card."
    if tally.arrived:
        each = tally.cpu_seconds / max(tally.messages, 1) * 1e6
        yield (
            f"The bots took {tally.memory / tally.most_at_once / 1024:,.0f} KiB each and {each:,.0f} µs for each of "
            f"{tally.messages:,} messages."
        )
    yield ""
    yield f"{'milliseconds':12} {'count':>9} {'p50':>9} {'p90':>9} {'p99':>9} {'max':>9}"
    for what, figures in data["milliseconds"].items():
        row = " ".join(f"{figures[name]:>9,.1f}" for name in ("p50", "p90", "p99", "max"))
        yield f"{what:12} {figures['count']:>9,} {row}   {WORDS[what]}"
    for title, reasons in (("Refused", tally.refused), ("Lost for good", tally.lost)):
        if reasons:
            yield ""
            yield f"{title}:"
            yield from (f"{count:>9,}  {reason}" for reason, count in reasons.most_common())
    yield ""
    yield from _findings(tally)


def _findings(tally: Tally) -> Iterator[str]:
    if not tally.found and tally.lost:
        lost = tally.lost.total()
        yield f"Not a clean run: {lost:,} bots were lost for good, so what the house said to them was not checked to the end."
        return
    if not tally.found:
        yield "No findings: everything that the house said was right."
        return
    yield f"{tally.found:,} findings" + (
        f", of which these are the first {len(tally.findings)}:" if tally.found > len(tally.findings) else ":"
    )
    for finding in tally.findings:
        yield ""
        yield f"{finding.bot}, {finding.table}, round {finding.round}: {finding.what}"
        if finding.notation:
            yield from (f"    {line}" if line else "" for line in finding.notation.splitlines())
