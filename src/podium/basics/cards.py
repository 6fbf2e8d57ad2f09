"""A playing card, written rank then suit: `As Td 9h 2c`."""

from collections.abc import Iterable
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

RANK_NAMES: Final = dict(
    zip(RANKS, "two three four five six seven eight nine ten jack queen king ace".split(), strict=True)
)
SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

english("rank", RANK_NAMES)
english("ranks", {rank: f"{name}es" if name == "six" else f"{name}s" for rank, name in RANK_NAMES.items()})
english("suit", SUIT_NAMES)
english(
    "refused",
    {"not-a-card": "{text:quoted} is not a card: write the rank ({ranks}) and then the suit (s h d c), like As or Td."},
)


class Card:
    """One of the 52 cards. There is exactly one object for each, so `is` and `==` agree; get it with `card("As")`."""

    __slots__ = ("code", "index", "order", "points", "rank", "suit")

    def __init__(self, index: int) -> None:
        self.index: Final = index
        self.rank: Final = RANKS[index // 4]
        self.suit: Final = SUITS[index % 4]
        self.code: Final = self.rank + self.suit
        self.order: Final = index // 4 + 2
        """2 to 14: the order of ranks in poker, ace high."""
        self.points: Final = 1 if self.rank == "A" else min(self.order, 10)
        """1 to 10: the value in blackjack, the ace counted low."""

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"card({self.code!r})"

    def as_fact(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.code,)

    @property
    def name(self) -> str:
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"


DECK: Final = tuple(Card(index) for index in range(52))

_BY_CODE: Final = {card.code: card for card in DECK}


def card(code: str) -> Card:
    """The card of that code.

    >>> card("Td").name
    'ten of diamonds'
    """
    try:
        return _BY_CODE[code]
    except (KeyError, TypeError):
        raise Refused("not-a-card", text=str(code), ranks=" ".join(reversed(RANKS))) from None


def cards(codes: str) -> list[Card]:
    """Several cards, separated by spaces.

    >>> cards("As Td")
    [card('As'), card('Td')]
    """
    return [card(code) for code in codes.split()]


def codes(cards: Iterable[Card]) -> str:
    """The inverse of `cards`.

    >>> codes(cards("As Td"))
    'As Td'
    """
    return " ".join([card.code for card in cards])
