"""What dealers' practice at training tables comes to, counted from what happens there, to be compared with the report."""

from collections import Counter, defaultdict
from typing import Any

from podium.house.reports import Records, report
from podium.house.reports.intervals import END_OF_TIME_MS, between
from podium.house.reports.practice import PRACTICE
from podium.house.table import Table
from podium.house.table.events import CardRead, Happening, ReadingAnswered, RoundOpened, RoundReopened
from podium.play.events import CardDealt, CardsCorrected, Confirmed, PeekWithdrawn, Voided
from podium.record.store import Reading

COUNTED = ("rounds", "void", "cards", "read", "caught", "corrected", "unexpected")


class PracticeOracle:
    """Follows all tables of a house."""

    def __init__(self) -> None:
        self._rounds: dict[tuple[str, int], tuple[str, Counter[str]]] = {}
        """By table and round: who began to deal it, and what happened in it."""
        self._over: set[tuple[str, int]] = set()

    def sees(self, table: Table, happening: Happening) -> None:
        """Something has happened at a table."""
        if isinstance(happening, RoundReopened):
            self._told_again((table.name, happening.round), void=happening.void)
            return
        if isinstance(happening, RoundOpened) and table.configured.training:
            self._rounds[table.name, happening.round] = happening.dealer, Counter()
        at = table.name, table.round_number
        if at not in self._rounds or at in self._over:
            return
        counted = self._rounds[at][1]
        match happening:
            case CardDealt():
                counted["cards"] += 1
            case CardRead(sealed=sealed):
                counted["read" if sealed else "unexpected"] += 1
            case ReadingAnswered(answer=answer):
                counted["caught"] += answer != "stopped"
            case CardsCorrected(edits=edits):
                counted["corrected"] += sum(not isinstance(edit, PeekWithdrawn) for edit in edits)
            case Confirmed() | Voided():
                self._over.add(at)
                self._told_again(at, void=isinstance(happening, Voided))

    def _told_again(self, at: tuple[str, int], *, void: bool) -> None:
        if at in self._rounds:
            counted = self._rounds[at][1]
            counted["void"], counted["rounds"] = int(void), int(not void)

    @property
    def total(self) -> Counter[str]:
        """What happened in all rounds that are over."""
        return sum((self._rounds[at][1] for at in self._over), Counter())

    def _by_dealer(self) -> dict[str, dict[str, int]]:
        dealers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for at in self._over:
            dealer, counted = self._rounds[at]
            dealers[dealer].update(counted)
        return {dealer: {name: counted[name] for name in COUNTED} for dealer, counted in dealers.items()}

    def differences(self, book: Reading, now: int) -> list[Any]:
        """Where the report says something else."""
        rows = report(PRACTICE.name, book, Records(), between(0, END_OF_TIME_MS), now).rows
        names = [column.name for column in PRACTICE.columns]
        told: dict[Any, dict[str, Any]] = {row[0]: dict(zip(names, row, strict=True)) for row in rows}
        due = self._by_dealer()
        found: list[Any] = [] if set(told) == set(due) else [f"dealers {set(told)}, not {set(due)}"]
        for dealer in set(told) & set(due):
            shown = {name: told[dealer][name] for name in COUNTED}
            if shown != due[dealer]:
                found.append(f"{dealer} is said to have {shown}, and has {due[dealer]}")
            if due[dealer]["cards"] and not 0 <= told[dealer]["card_ms"] < 60_000:
                found.append(f"{dealer} is said to need {told[dealer]['card_ms']} ms for a card")
        return found
