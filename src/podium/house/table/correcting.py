"""Corrections: how an edit of the cards changes a table, and how it is shown (CARD-2, CARD-3)."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Literal, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english, phrase
from podium.play.events import AnyEdit, CardInserted, CardRemoved, CardReplaced, PeekWithdrawn
from podium.play.round import Round
from podium.play.views import SeatView, seat_view
from podium.rules.asking import Place

DOWN, NO_CARD = "?", ""


class Fix(NamedTuple):
    """One change that somebody asks for, with the numbers of the cards as the changes before it left them."""

    kind: Literal["replace", "insert", "remove", "swap", "withdraw-peek"]
    number: int = 0
    card: Card | None = None
    other: int = 0
    """The second card of a swap."""

    @property
    def in_short(self) -> str:
        """The kind of change and the cards that it concerns, by their numbers."""
        return " ".join(str(part) for part in (self.kind, self.number, self.other) if part)

    @property
    def said(self) -> Phrase:
        match self.kind:
            case "replace":
                return phrase("fix.replace", number=self.number, card=self.card or DOWN)
            case "insert":
                return phrase("fix.insert", number=self.number, card=self.card or DOWN)
            case "remove":
                return phrase("fix.remove", number=self.number)
            case "swap":
                return phrase("fix.swap", number=self.number, other=self.other)
        return phrase("fix.withdraw-peek")


class OpenCorrection(NamedTuple):
    """A correction that is open: the table waits."""

    number: int
    """Counts the corrections of the round."""
    by: str
    left: int | None
    """The time that was left to the players who are asked."""
    window: int
    from_floor: bool = False
    """Whether only the floor can end it."""


class CardChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place whose card has changed. `?` is a card that lies face down; empty means no card."""

    place: Phrase
    was: str = NO_CARD
    now: str = NO_CARD


class SeatChange(msgspec.Struct, frozen=True):
    """A seat before and after a correction."""

    was: SeatView
    now: SeatView


class Corrected(NamedTuple):
    """The effect of a correction, for everybody and for each seat; shown until it has been read."""

    number: int
    round: int
    reason: Phrase
    cards: list[CardChange]
    players: dict[str, list[SeatChange]]
    """By player, so that a player who sits down later does not see the previous player's."""
    asked: tuple[str, ...] = ()
    """The changes in short, as they were asked for; empty where an earlier program made them."""


Places = dict[tuple[Place, int], str]
"""The cards by their places; a place that takes several counts them."""


class Before(NamedTuple):
    """A round as it was shown before a correction."""

    cards: Places
    seats: dict[int, SeatView]


def before(played: Round) -> Before:
    return Before(_places(played), {number: seat_view(played, number) for number in played.seats})


def what_changed(was: Before, played: Round) -> tuple[list[CardChange], dict[int, SeatChange]]:
    """Works out what a correction changed for everybody and for each seat."""
    now = _places(played)
    cards = [
        CardChange(place[0].as_fact(), was.cards.get(place, NO_CARD), now.get(place, NO_CARD))
        for place in {**was.cards, **now}
        if was.cards.get(place) != now.get(place)
    ]
    seats = {number: SeatChange(view, seat_view(played, number)) for number, view in was.seats.items()}
    return cards, {number: change for number, change in seats.items() if change.was != change.now}


def _places(played: Round) -> Places:
    taken: Counter[Place] = Counter()
    places: Places = {}
    for place, card in played.face_up:
        taken[place] += 1
        places[place, taken[place]] = card.code if card else DOWN
    return places


# --- from what is asked for to what is recorded ---------------------------------------------------------------------------


class EditedCards:
    """The cards of a round as they were entered, while a correction is worked out.

    A card that lies face down is not in the round but under the seal, so an edit that moves it, or another card into its place,
    becomes one that opens the one and seals the other (RNG-8).
    """

    def __init__(self, played: Round, hole: Card | None, seal: Callable[[Card], str]) -> None:
        self._played: Final = played
        self._seal: Final = seal
        self._cards: Final = list(played.entered)
        """None is the card that was dealt face down."""
        down = self._cards.index(None) + 1 if None in self._cards else 0
        self._turned: Final = played.card_entered(down) if down else None
        self.hole = self._turned or hole
        """The face of the card that was dealt face down, where anybody knows it."""
        self._edits: Final[list[AnyEdit]] = []

    def edits(self, fixes: Iterable[Fix]) -> tuple[AnyEdit, ...]:
        """The edits to be recorded for these changes."""
        for fix in fixes:
            self._take(fix)
        self._settle_face_down()
        return tuple(self._edits)

    def _take(self, fix: Fix) -> None:
        match fix:
            case Fix("replace", number, Card() as card):
                self._replace(number, card)
            case Fix("insert", number, Card() as card):
                self._check(number, len(self._cards) + 1)
                self._cards.insert(number - 1, card)
                self._edits.append(CardInserted(number, card))
            case Fix("remove", number):
                self._check(number)
                self._cards.pop(number - 1)
                self._edits.append(CardRemoved(number))
            case Fix("swap", number, _, other):
                self._swap(number, other)
            case Fix("withdraw-peek"):
                if self._played.peek_said is not None and self.hole is not None:
                    raise Refused("peek-follows-card")
                self._edits.append(PeekWithdrawn())

    def _check(self, number: int, most: int | None = None) -> None:
        if not 1 <= number <= (len(self._cards) if most is None else most):
            raise Refused("no-card-to-correct", number=number, out=len(self._cards))

    def _replace(self, number: int, card: Card) -> None:
        self._check(number)
        if self._cards[number - 1] is None and self._turned is None:
            self.hole = card
            self._edits.append(CardReplaced(number, None, self._seal(card)))
        else:
            self._cards[number - 1] = card
            self._edits.append(CardReplaced(number, card))

    def _swap(self, number: int, other: int) -> None:
        self._check(number)
        self._check(other)
        if number == other:
            raise Refused("swap-itself", number=number)
        cards = self._cards
        first, second = cards[number - 1] or self._known_hole(), cards[other - 1] or self._known_hole()
        down = number if cards[number - 1] is None else other
        for place, card in sorted(((number, second), (other, first)), key=lambda each: each[0] == down):
            cards[place - 1] = card
            self._edits.append(CardReplaced(place, card))

    def _known_hole(self) -> Card:
        if self.hole is None:
            raise Refused("hole-unknown")
        return self.hole

    def _settle_face_down(self) -> None:
        """Opens a card that does not lie face down any more, and seals the one that does."""
        place = self._played.face_down_number
        at = self._cards.index(None) + 1 if None in self._cards else 0
        if at and at != place:
            self._cards[at - 1] = self._known_hole()
            self._edits.append(CardReplaced(at, self._known_hole()))
        was_turned = self._turned is not None or (at == 0 and self._played.shows(place))
        if was_turned or place is None or place > len(self._cards) or at == place:
            return
        card = self._cards[place - 1]
        assert card is not None
        last = self._edits[-1] if self._edits else None
        sealed = self._seal(card)
        self.hole, self._cards[place - 1] = card, None
        if isinstance(last, CardReplaced | CardInserted) and last.number == place:
            self._edits[-1] = msgspec.structs.replace(last, card=None, sealed=sealed)
        else:
            self._edits.append(CardReplaced(place, None, sealed))


english(
    "fix",
    {
        "replace": "card {number} is {card:cards}",
        "insert": "{card:cards} was dealt as card {number}",
        "remove": "card {number} was not dealt",
        "swap": "cards {number} and {other} change places",
        "withdraw-peek": "the dealer looks at the hole card again",
    },
)
english(
    "refused",
    {
        "swap-itself": "Card {number} cannot change places with itself.",
        "hole-unknown": "Nobody has entered the card that lies face down, so it cannot be put in another place: void the round.",
        "peek-follows-card": "The card that lies face down was entered, and the answer follows from it: correct that card.",
    },
)
