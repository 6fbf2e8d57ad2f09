"""Each id with what stands behind it: lines, tests and faults, and what came of them in the results that were kept."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from tests.evidence.results import Result
from tests.mutants.listed import ROOT, listed
from tests.standards.finding import Place, places, standards, tests

NOT_RUN: Final = "not run"


class Came(NamedTuple):
    """A test or a fault, and what came of it."""

    says: str
    place: Place
    outcome: str


class Standing(NamedTuple):
    """One id of the checklist."""

    id: str
    section: str
    text: str
    state: str
    lines: tuple[Place, ...]
    tests: tuple[Came, ...]
    faults: tuple[Came, ...]

    @property
    def tested(self) -> str:
        """What came of all tests together."""
        return together(each.outcome for each in self.tests)

    @property
    def found(self) -> str:
        """What came of all faults together."""
        return together(each.outcome for each in self.faults)


def together(outcomes: Iterable[str]) -> str:
    """The worst of several outcomes."""
    seen = set(outcomes)
    for worst in ("failed", "survived", NOT_RUN, "skipped"):
        if worst in seen:
            return worst
    return seen.pop() if seen else ""


def standing(results: dict[str, Result | None]) -> list[Standing]:
    """Every id, in the order of the checklist."""
    details = {name: result.details for name, result in results.items() if result is not None}
    came = details.get("tests", {}) | details.get("terminals", {})
    lines, carrying = places(), tests()
    faults: dict[str, list[Came]] = defaultdict(list)
    for mutant in listed():
        before = (ROOT / mutant.file).read_text(encoding="utf-8").partition(mutant.was)[0]
        outcome = details.get("mutants", {}).get(f"{mutant.id}: {mutant.says}", NOT_RUN)
        place = Place(mutant.file, "", before.count("\n") + 1)
        faults[mutant.id].append(Came(mutant.says, place, outcome))
    return [
        Standing(
            each,
            standard.section,
            standard.text,
            "proven" if faults[each] else "tested" if carrying[each] else "open",
            tuple(lines[each]),
            tuple(Came(place.name, place, came.get(place.test, NOT_RUN)) for place in carrying[each]),
            tuple(faults[each]),
        )
        for standard in standards()
        for each in standard.ids
    ]
