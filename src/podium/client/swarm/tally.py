"""The tally of a swarm: counts, times and findings."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import msgspec

from podium.basics.refusal import Refused

PERCENTILES: Final = (50, 90, 99)
MAX_FINDINGS: Final = 100
"""How many findings are kept as text; all are counted."""


class Finding(msgspec.Struct, frozen=True):
    """An error of the house."""

    bot: str
    table: str
    round: int
    what: str
    notation: str = ""
    """The round as the bot played it again, in the round notation."""


def _times() -> "array[float]":
    return array("d")


@dataclass
class Spread:
    """When one state of a table reached the first terminal and the last."""

    first: float
    last: float
    terminals: int = 1

    def add(self, first: float, last: float, terminals: int) -> None:
        self.first = min(self.first, first)
        self.last = max(self.last, last)
        self.terminals += terminals


@dataclass
class Tally:
    """The figures of one process; those of several are added together."""

    arrived: int = 0
    drops: int = 0
    """Connections that bots dropped."""
    returns: int = 0
    """Connections that were opened again."""
    left: int = 0
    broke: int = 0
    """Bots that had too little credit left for a bet."""
    locked: int = 0
    """Bots whose win an attendant must pay (HP-1)."""
    watched: int = 0
    """Bots that found no seat, and watched."""
    most_at_once: int = 0
    bets: int = 0
    decisions: int = 0
    lies: int = 0
    checked: int = 0
    """Settlements that were played again."""
    missed: int = 0
    """Settlements that were missed, because the connection was lost."""
    corrected: int = 0
    """Settlements of rounds in which a card was corrected: the decisions may have been asked again."""
    acknowledged: int = 0
    messages: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0
    """The memory of the bots in bytes: the peak of the process, less what it began with."""
    rounds: dict[str, set[int]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """By the key of the refusal."""
    lost: Counter[str] = field(default_factory=Counter)
    """Why bots were disconnected for good."""
    times: "dict[str, array[float]]" = field(default_factory=dict)
    """In seconds: connect, bet, decision, and how late a window closed."""
    spread: dict[tuple[str, int, int], Spread] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    found: int = 0

    def took(self, what: str, seconds: float) -> None:
        self.times.setdefault(what, _times()).append(seconds)

    def refuse(self, refusal: Refused) -> None:
        """Counts a refusal by its key: the facts differ from one to the next."""
        self.refused[refusal.key] += 1

    def find(self, finding: Finding) -> None:
        self.found += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(finding)

    @property
    def well(self) -> bool:
        """Whether there are no findings, and no bot was disconnected for good."""
        return not self.found and not self.lost

    def add(self, other: "Tally") -> None:
        """Adds the figures of another process that ran at the same time."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds = max(self.seconds, other.seconds)
        for table, rounds in other.rounds.items():
            self.rounds.setdefault(table, set()).update(rounds)
        self.refused += other.refused
        self.lost += other.lost
        for what, times in other.times.items():
            self.times.setdefault(what, _times()).extend(times)
        for state, spread in other.spread.items():
            if state in self.spread:
                self.spread[state].add(spread.first, spread.last, spread.terminals)
            else:
                self.spread[state] = spread
        self.findings = [*self.findings, *other.findings][:MAX_FINDINGS]

    def percentiles(self) -> dict[str, dict[str, float]]:
        """Count and percentiles in milliseconds of every kind of time."""
        spread = _times()
        spread.extend(state.last - state.first for state in self.spread.values() if state.terminals > 1)
        kinds = {**self.times, "broadcast": spread}
        return {what: summary(times) for what, times in kinds.items() if times}


_COUNTS: Final = [name for name, kind in Tally.__annotations__.items() if kind is int or name == "cpu_seconds"]


def summary(times: "array[float]") -> dict[str, float]:
    """Count and percentiles, by nearest rank."""
    ranked = sorted(times)
    last = len(ranked) - 1
    shown = {f"p{share}": ranked[min(last, -(-len(ranked) * share // 100) - 1)] for share in PERCENTILES}
    return {
        "count": len(ranked),
        **{name: round(time * 1000, 3) for name, time in (*shown.items(), ("max", ranked[-1]))},
    }
