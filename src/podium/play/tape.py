"""Everything that came into a round, by kind: what is needed to play it again with a corrected card."""

from dataclasses import dataclass, field

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.play.events import CreditAdded, WagersPlaced
from podium.rules.asking import Decision


class Made(msgspec.Struct, frozen=True, gc=False):
    """A decision that was made."""

    decision: Decision
    by_house: bool
    """Whether the house made it because time ran out."""
    credit: int | None = None
    """What the player could spend then, where that was told."""


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

    @property
    def shown(self) -> list[Card]:
        """The cards whose faces are known."""
        return [card for card in (*self.cards, self.turned) if card is not None]

    def shown_from(self, start: int) -> list[Card]:
        """The cards whose faces are known, from that one on, counted from 0."""
        faces = (self.turned if card is None else card for card in self.cards[start:])
        return [card for card in faces if card is not None]

    def followed_by(self, rest: "Tape | None") -> "Tape":
        """This tape, followed by what is still held."""
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
        """Replaces a card that was entered. What the dealer said of a hole card before does not count; one that is entered face
        up is known from then on."""
        if type(number) is not int or not 1 <= number <= len(self.cards):
            raise Refused("no-card-to-correct", number=number, out=len(self.cards))
        if self.cards[number - 1] is None or card is None:
            self.turned = self.peek = None
        self.cards[number - 1] = card

    def take_peek(self) -> bool:
        peek, self.peek = self.peek, None
        return bool(peek)


english(
    "refused",
    {"no-card-to-correct": "Card {number} cannot be corrected: cards 1 to {out} have been dealt."},
)
