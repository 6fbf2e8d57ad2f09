"""What a round awaits, and how a player answers."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, Plural, english, phrase


class Decision(NamedTuple):
    """What a player chose: `stand`, `double:500` (for less), `split+dealer` (with the dealer's wager as well)."""

    choice: str
    amount: int | None = None
    for_dealer: bool = False

    @property
    def about(self) -> str:
        """The question that it answers: `insurance` or `play`."""
        return next(about for about, answers in QUESTIONS.items() if self.choice in answers)

    def __str__(self) -> str:
        amount = "" if self.amount is None else f":{self.amount}"
        return f"{self.choice}{amount}{'+dealer' if self.for_dealer else ''}"

    def as_fact(self) -> Phrase:
        """The decision as words that follow 'cannot'."""
        said = Phrase("decision.take-even-money" if self.choice == "even-money" else f"decision.{self.choice}")
        if self.amount is not None:
            said = Phrase("decision.for-amount", {"decision": said, "amount": self.amount})
        return Phrase("decision.with-dealer", {"decision": said}) if self.for_dealer else said


english(
    "choice",
    {
        "insure": "Insure",
        "even-money": "Even money",
        "decline": "No, thanks",
        "hit": "Hit",
        "stand": "Stand",
        "double": "Double",
        "split": "Split",
        "surrender": "Surrender",
        "play": "Play",
        "fold": "Fold",
    },
)

QUESTIONS: Final = {
    "insurance": ("insure", "even-money", "decline"),
    "play": ("hit", "stand", "double", "split", "surrender", "play", "fold"),
}
"""What a seat can be asked about, in the order in which it is asked, each with every answer that a game may allow."""

CHOICES: Final = tuple(choice for answers in QUESTIONS.values() for choice in answers)

WITH_MORE = ("insure:AMOUNT", "double:AMOUNT", "double+dealer", "split+dealer")
"""The choices that take an amount or the dealer's wager, as scripts and lists of allowed choices name them."""

english(
    "decision",
    {
        **{choice: choice for choice in (*CHOICES, *WITH_MORE)},
        "take-even-money": "take even money",
        "for-amount": "{decision} for {amount:money}",
        "with-dealer": "{decision} with the dealer's wager",
    },
)


MAX_AMOUNT_DIGITS = 16
"""The most digits of an amount: more than any ledger holds."""


@lru_cache(maxsize=4096)
def read_decision(text: str) -> Decision:
    """Reads a decision from its text form; `str` of a decision is the inverse."""
    rest, plus, dealer = text.partition("+")
    choice, colon, amount = rest.partition(":")
    well_formed = choice in CHOICES and (not plus or dealer == "dealer")
    if not well_formed or (
        colon and not (amount.isascii() and amount.isdecimal() and len(amount) <= MAX_AMOUNT_DIGITS)
    ):
        raise Refused("not-a-decision", text=shortened(text), choices=(*CHOICES, *WITH_MORE))
    return Decision(choice, int(amount) if colon else None, bool(plus))


class Cost(NamedTuple):
    """What a decision takes from the credit: any amount from `least` to `most`."""

    least: int
    most: int


class Question(msgspec.Struct, frozen=True):
    """What one seat is asked: about which of its hands, and what each answer would cost."""

    about: str
    """`insurance` (even money too), or `play`."""
    hand: int
    allowed: dict[str, Cost]


class Place(NamedTuple):
    """Where a card goes: `Place("community", 3)`, `Place("seat", 2, hand=1)`, `Place("hole-card")`."""

    where: str
    number: int = 0
    hand: int = 0

    def as_fact(self) -> Phrase:
        """`seat 4, hand 2`, with the hands counted from 1."""
        key = f"place.{self.where}"
        if self.hand:
            return Phrase(f"{key}-hand", {"number": self.number, "hand": self.hand + 1})
        return Phrase(key, {"number": self.number}) if self.number else Phrase(key)

    def __repr__(self) -> str:
        number = f", {self.number}" if self.number else ""
        return f"Place({self.where!r}{number}{f', hand={self.hand}' if self.hand else ''})"

    def __str__(self) -> str:
        """The place in round notation: `community 3`, `seat 4, hand 2`, `hole card`."""
        where = "dealer" if self.where == "draw" else self.where.replace("-", " ")
        number = f" {self.number}" if self.number else ""
        return f"{where}{number}, hand {self.hand + 1}" if self.hand else f"{where}{number}"


english(
    "place",
    {
        "player": "player's card {number}",
        "dealer": "dealer's card {number}",
        "draw": "dealer's hand",
        "community": "community card {number}",
        "location": "location {number}",
        "seat": "seat {number}",
        "seat-hand": "seat {number}, hand {hand}",
        "up-card": "up card",
        "hole-card": "hole card",
    },
)


class LaidCard(NamedTuple):
    """A card on the table and the place that it was dealt to; None is a card that lies face down."""

    place: Place
    card: Card | None


# --- what a round awaits ---------------------------------------------------------------------------------------------


class Wagers(NamedTuple):
    """Wagers, until betting is closed."""


class NextCard(NamedTuple):
    """A card, dealt to a place."""

    place: Place


class Peek(NamedTuple):
    """The dealer's answer: do the up card and the hole card, which the system does not know, make a blackjack?"""


class HoleCard(NamedTuple):
    """The face of a hole card that was dealt unknown."""


class Decisions(Mapping[int, Question]):
    """The answers of some seats. A question is built when it is looked at, so ten thousand open ones cost nothing."""

    __slots__ = ("_ask", "_open")

    def __init__(self, asked: Mapping[int, object], ask: Callable[[int], Question]) -> None:
        self._open = asked
        self._ask = ask

    def __getitem__(self, seat: int) -> Question:
        if seat not in self._open:
            raise KeyError(seat)
        return self._ask(seat)

    def __contains__(self, seat: object) -> bool:
        return seat in self._open

    def __iter__(self) -> Iterator[int]:
        return iter(tuple(self._open))

    def __len__(self) -> int:
        return len(self._open)

    def __repr__(self) -> str:
        asked = [f"{seat}: {{{', '.join(question.allowed)}}}" for seat, question in self.items()]
        return f"Decisions({{{', '.join(asked)}}})"


class Confirmation(NamedTuple):
    """The dealer's confirmation of the result."""


class Nothing(NamedTuple):
    """The round is over."""


Awaits = Wagers | NextCard | Decisions | Peek | HoleCard | Confirmation | Nothing

english("refused", {"not-a-decision": "{text:quoted} is not a decision. Decisions: {choices}."})
english(
    "awaited",
    {
        "wagers": "the end of betting",
        "card": "a card for {place}",
        "decisions": Plural("seats", one="the decision of one player", other="the decisions of {seats} players"),
        "peek": "the dealer's peek",
        "hole-card": "the hole card to be turned",
        "confirmation": "the confirmation of the result",
        "nothing": "nothing",
    },
)


def expected(awaits: Awaits) -> Phrase:
    """What a round awaits, in words."""
    match awaits:
        case Wagers():
            return phrase("awaited.wagers")
        case NextCard(place):
            return phrase("awaited.card", place=place)
        case Decisions():
            return phrase("awaited.decisions", seats=len(awaits))
        case Peek():
            return phrase("awaited.peek")
        case HoleCard():
            return phrase("awaited.hole-card")
        case Confirmation():
            return phrase("awaited.confirmation")
    return phrase("awaited.nothing")
