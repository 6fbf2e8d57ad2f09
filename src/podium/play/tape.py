"""Everything that came into a round, by kind: what is needed to play it again with a corrected card."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.play.events import (
    AnyEdit,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CreditAdded,
    PeekWithdrawn,
    WagersPlaced,
)
from podium.rules.asking import Decision


class Made(msgspec.Struct, frozen=True, gc=False):
    """A decision that was made."""

    decision: Decision
    by_house: bool
    """Whether the house made it because time ran out."""
    credit: int | None = None
    """What the player could spend then, if the event said it."""
    cards: int | None = None
    """How many cards were out."""


@dataclass(slots=True)
class Tape:
    """The cards in the order of dealing, and each seat's decisions in the order in which it made them.

    A seat's result depends on nothing else (GAME-4), so the order between seats need not be kept.
    """

    placed: list[WagersPlaced | CreditAdded] = field(default_factory=list)
    cards: list[Card | None] = field(default_factory=list)
    """None is a hole card that was dealt unknown; `turned` is its face, once it was turned over."""
    turned: Card | None = None
    peek: bool | None = None
    decided: dict[int, list[Made]] = field(default_factory=dict)
    """By seat: its decisions in order."""
    undone: set[int] = field(default_factory=set)
    """Seats with a decision that is no longer possible, although they have seen a later card."""

    @property
    def shown(self) -> list[Card]:
        """The cards whose faces are known."""
        return [card for card in (*self.cards, self.turned) if card is not None]

    def shown_from(self, start: int) -> list[Card]:
        """The cards whose faces are known, from that one on, counted from 0."""
        faces = (self.turned if card is None else card for card in self.cards[start:])
        return [card for card in faces if card is not None]

    def followed_by(self, rest: "Tape | None") -> "Tape":
        """This tape with what is still held appended."""
        rest = rest or Tape()
        seats = self.decided.keys() | rest.decided.keys()
        return Tape(
            placed=[*self.placed, *rest.placed],
            cards=[*self.cards, *rest.cards],
            turned=self.turned or rest.turned,
            peek=rest.peek if self.peek is None else self.peek,
            decided={seat: [*self.decided.get(seat, ()), *rest.decided.get(seat, ())] for seat in seats},
        )

    def correct(self, number: int, card: Card | None) -> None:
        """Replaces a card that was entered. An earlier answer about the hole card no longer counts; a hole card that is entered
        face up is known from then on."""
        self._check(number, len(self.cards))
        if self.cards[number - 1] is None or card is None:
            self.turned = self.peek = None
        self.cards[number - 1] = card

    def edit(self, edits: Iterable[AnyEdit]) -> None:
        """Changes the cards as a correction says."""
        for edit in edits:
            match edit:
                case CardReplaced(number, card):
                    self.correct(number, card)
                case CardInserted(number, card):
                    self._check(number, len(self.cards) + 1)
                    self.cards.insert(number - 1, card)
                    self._count_again(number, 1)
                case CardRemoved(number):
                    self._check(number, len(self.cards))
                    if self.cards.pop(number - 1) is None:
                        self.turned = self.peek = None
                    self._count_again(number, -1)
                case PeekWithdrawn():
                    if self.peek is None:
                        raise Refused("no-peek-to-withdraw")
                    self.peek = None

    def _check(self, number: int, most: int) -> None:
        if type(number) is not int or not 1 <= number <= most:
            raise Refused("no-card-to-correct", number=number, out=len(self.cards))

    def _count_again(self, number: int, more: int) -> None:
        """Adjusts the card counts of the decisions, so that one that came after a card still comes after it."""
        for seat, made in self.decided.items():
            self.decided[seat] = [
                msgspec.structs.replace(each, cards=each.cards + more)
                if each.cards is not None and each.cards >= number
                else each
                for each in made
            ]

    def ask_again(self, seats: Iterable[int]) -> None:
        """Drops what these seats decided since the last card was shown."""
        for seat in seats:
            self.decided[seat] = [made for made in self.decided.get(seat, ()) if self.has_seen_more(made)]

    def has_seen_more(self, made: Made) -> bool:
        """Whether another card was shown after a decision."""
        return self.turned is not None or (made.cards is not None and made.cards < len(self.cards))

    def take_peek(self) -> bool:
        peek, self.peek = self.peek, None
        return bool(peek)


def moved(starts: Iterable[int], edits: Iterable[AnyEdit]) -> list[int]:
    """How many cards lie before the start of each shoe, once the edits are made."""
    places = list(starts)
    for edit in edits:
        match edit:
            case CardInserted(number):
                places = [place + (number <= place) for place in places]
            case CardRemoved(number):
                places = [place - (number <= place) for place in places]
    return places


english(
    "refused",
    {
        "no-card-to-correct": "Card {number} cannot be corrected: cards 1 to {out} have been dealt.",
        "no-peek-to-withdraw": "The dealer has not answered about the hole card: there is nothing to withdraw.",
    },
)
