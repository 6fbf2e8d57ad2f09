"""What a round awaits, and how a player answers."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused, shortened


class Decision(NamedTuple):
    """What a player chose: `stand`, `double:500` (for less), `split+dealer` (with the dealer's wager as well)."""

    choice: str
    amount: int | None = None
    for_dealer: bool = False

    @property
    def about(self) -> str:
        """What it answers: `insurance` or `play`."""
        return next(about for about, answers in QUESTIONS.items() if self.choice in answers)

    def __str__(self) -> str:
        amount = "" if self.amount is None else f":{self.amount}"
        return f"{self.choice}{amount}{'+dealer' if self.for_dealer else ''}"


QUESTIONS: Final = {
    "insurance": ("insure", "even-money", "decline"),
    "play": ("hit", "stand", "double", "split", "surrender", "play", "fold"),
}
"""What a seat can be asked about, in the order in which it is asked, each with every answer that a game may allow."""

CHOICES: Final = tuple(choice for answers in QUESTIONS.values() for choice in answers)


LONGEST_AMOUNT = 16
"""Digits of an amount: more than any ledger holds."""


@lru_cache(maxsize=4096)
def read_decision(text: str) -> Decision:
    """A decision from its text form; `str` of a decision is the opposite."""
    rest, plus, dealer = text.partition("+")
    choice, colon, amount = rest.partition(":")
    well_formed = choice in CHOICES and (not plus or dealer == "dealer")
    if not well_formed or (colon and not (amount.isascii() and amount.isdecimal() and len(amount) <= LONGEST_AMOUNT)):
        raise Refused(
            f"{shortened(text)!r} is not a decision: they are {', '.join(CHOICES)}, with an amount as in insure:AMOUNT "
            "and double:AMOUNT, and with the dealer's wager as in double+dealer and split+dealer"
        )
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
    """Where a card goes: `Place("community", 3)`, `Place("seat", 2, hand=1)`, `Place("hole")`."""

    where: str
    number: int = 0
    hand: int = 0

    def __str__(self) -> str:
        if self.where == "seat":
            hand = f", hand {self.hand + 1}" if self.hand else ""
            return f"seat {self.number}{hand}"
        return f"{self.where} {self.number}" if self.number else self.where


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
    """The answers of some seats. A question is put together when it is looked at, so ten thousand open ones cost nothing."""

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
