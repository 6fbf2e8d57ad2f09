"""What a wager is: the cards that it sees, its outcomes, its paytables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from podium.basics.money import Odds
from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english

Paytable = Mapping[str, Odds]
"""What each outcome pays. An outcome that is not in it loses."""

Outcome = Callable[..., str | None]
F = TypeVar("F", bound=Outcome)


class Sees(Enum):
    """What an outcome function is given, in words for the rules of play. Each dealing says which cards these are."""

    FIRST_TWO = "your first two cards"
    FIRST_THREE = "your first two cards and the dealer's first card"
    OWN_THREE = "the three cards of the hand"
    SIX = "the three cards of the hand and the dealer's three"
    DEALERS_HAND = "the dealer's completed hand"
    """Passed as the number of cards and the points."""
    BOTH_HANDS = "your hand and the dealer's"
    """For main wagers, which each dealing settles itself."""

    @property
    def slug(self) -> str:
        """Its name in keys: `FIRST_TWO` is `first-two`."""
        return self.name.lower().replace("_", "-")

    def as_fact(self) -> Phrase:
        return Phrase(f"rules.sees.{self.slug}")


english("rules", {f"sees.{sees.slug}": sees.value for sees in Sees})

LISTED_LAST: Final = 100


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Bet:
    """One kind of wager. Its outcome function is given what the bet sees, and names the best outcome."""

    name: str
    title: str
    clause: str
    sees: Sees
    outcomes: tuple[str, ...]
    """Every outcome that can be paid, highest first."""
    paytables: Mapping[str, Paytable]
    counts_as: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The lesser outcomes that an outcome also counts as: a paytable without a mini royal pays it as a straight flush."""
    needs: str | None = None
    """The wager that the same player must have placed as well."""
    says: str = ""
    """When it wins, in a sentence or two for the player."""
    games: tuple[str, ...] = ()
    """The games whose tables may offer it, by name, where the option `side_bets` decides which do."""
    order: int = LISTED_LAST
    """Its order in the list of a game's bets; equal ones are sorted by name."""
    _outcome: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        english("wager", {self.name: self.title})
        english("bet", {self.name: self.says})
        english("outcome", {outcome: outcome for outcome in self.outcomes})

    def __repr__(self) -> str:
        return f"Bet({self.name!r})"

    def check(self) -> None:
        """Raises an error that names the bet if its definition is incomplete."""
        if not self.says:
            raise TypeError(f"The bet {self.name} has no words: say when it wins in says=...")
        if not self._outcome:
            raise TypeError(f"The bet {self.name} has no outcome function: decorate one with its .outcome.")
        listed = {"counts_as": [*self.counts_as, *(each for lower in self.counts_as.values() for each in lower)]}
        listed |= {f"paytable {name}": list(paytable) for name, paytable in self.paytables.items()}
        for where, outcomes in listed.items():
            if unknown := [outcome for outcome in outcomes if outcome not in self.outcomes]:
                raise TypeError(f"The bet {self.name} has {unknown} in {where}, which are not among its outcomes.")

    @property
    def said(self) -> Phrase:
        """When it wins."""
        return Phrase(f"bet.{self.name}")

    def outcome(self, function: F) -> F:
        """Decorates the bet's outcome function."""
        self._outcome.append(function)
        return function

    def of(self, *seen: Any) -> str | None:
        """The best outcome of these cards, whatever the paytable."""
        return self._outcome[0](*seen)

    def line(self, paytable: Paytable, outcome: str | None) -> str | None:
        """The line of a paytable that an outcome is paid by: itself, or else the best that it counts as."""
        if outcome is None or outcome in paytable:
            return outcome
        return next((lower for lower in self.counts_as.get(outcome, ()) if lower in paytable), None)

    def read_paytable(self, name: str, lines: object) -> Paytable:
        """Checks a paytable that an operator entered; unknown outcomes and absurd odds are refused."""
        name = shortened(name)
        if not isinstance(lines, Mapping) or not lines:
            raise Refused("paytable-form", paytable=name, wager=self.name, outcomes=self.outcomes)
        for outcome in lines:
            if outcome not in self.outcomes:
                said = shortened(str(outcome))
                raise Refused("paytable-outcome", paytable=name, wager=self.name, outcome=said, outcomes=self.outcomes)
        try:
            return {outcome: Odds.read(lines[outcome]) for outcome in self.outcomes if outcome in lines}
        except Refused as refusal:
            raise Refused("paytable-odds", paytable=name, wager=self.name, why=refusal.phrase) from None


def to_one(**pays: int) -> Paytable:
    """A paytable all of whose odds are to one; underscores in the names stand for spaces."""
    return {outcome.replace("_", " "): Odds(odds, 1) for outcome, odds in pays.items()}


english(
    "refused",
    {
        "paytable-form": "paytable {paytable} of {wager:wager} must list outcomes with their odds: {outcomes}.",
        "paytable-outcome": (
            "paytable {paytable} of {wager:wager}: {outcome:quoted} is not one of its outcomes. Outcomes: {outcomes}."
        ),
        "paytable-odds": "paytable {paytable} of {wager:wager}: {why}.",
    },
)
