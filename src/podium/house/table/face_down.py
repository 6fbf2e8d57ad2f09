"""Face-down cards, and the seal under which the house keeps their faces (RNG-8)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from podium.basics.cards import Card
from podium.house.table.events import ShoeShuffled
from podium.play.events import (
    AnyEdit,
    CardCorrected,
    CardDealt,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    HoleTurned,
)
from podium.record.fair import Shuffle
from podium.record.seal import SealBroken


class Sealing(Protocol):
    """Holds the house's seal, which closes everything that is face down (RNG-8)."""

    def open(self, table: str, shuffled: ShoeShuffled) -> Shuffle:
        """The shuffle of a table's shoe."""

    def seal_card(self, table: str, entry: int, face_down: Card) -> str:
        """A card as the table's entry of that number stores it."""

    def open_card(self, table: str, entry: int, sealed: str) -> Card:
        """Opens it again; `SealBroken` without the key."""


class FaceDown(NamedTuple):
    """A card that lies face down, as the journal has it."""

    number: int
    """In the order of dealing, from 1."""
    entry: int
    """The entry of the table that holds it."""
    sealed: str
    """Its face under the seal, where somebody entered it."""
    place: int = -1
    """Its place in the automated dealer's shoe, where it came from there."""


class CardsFaceDown:
    """The card of a round that lies face down: as it was dealt, and as it was corrected since."""

    def __init__(self, table: str, sealing: Sealing) -> None:
        self._table: Final = table
        self._sealing: Final = sealing
        self._cards: list[FaceDown] = []

    def __bool__(self) -> bool:
        return bool(self._cards)

    @property
    def number(self) -> int:
        """Its number in the order of dealing; 0 where no card lies face down."""
        return self._cards[-1].number if self._cards else 0

    def clear(self) -> None:
        """Notes that no card lies face down."""
        self._cards = []

    def follow(
        self, event: CardDealt | CardCorrected | CardsCorrected | HoleTurned, entry: int, *, number: int, place: int
    ) -> None:
        """Follows an event, which is the table's entry of that number. `number` and `place` are those of the last card: in the
        round, and in the automated dealer's shoe."""
        match event:
            case CardDealt(None, sealed):
                self._cards = [FaceDown(number, entry, sealed, place)]
            case CardCorrected(corrected, None, sealed):
                self._cards.append(FaceDown(corrected, entry, sealed))
            case CardCorrected(corrected) if self.number == corrected:
                self._cards = []
            case CardsCorrected(edits):
                for edit in edits:
                    self._move(edit, entry)
            case HoleTurned():
                self._cards = []

    def _move(self, edit: AnyEdit, entry: int) -> None:
        """Follows the card through an edit of the cards before it, or of itself."""
        at = self.number
        match edit:
            case CardInserted(number) if number <= at:
                self._cards = [card._replace(number=at + 1) for card in self._cards]
            case CardRemoved(number) if number < at:
                self._cards = [card._replace(number=at - 1) for card in self._cards]
            case CardRemoved(number) | CardReplaced(number, Card()) if number == at:
                self._cards = []
        match edit:
            case CardReplaced(number, None, sealed) | CardInserted(number, None, sealed):
                self._cards = [*(self._cards if number == at else ()), FaceDown(number, entry, sealed)]

    def face(self, order: Sequence[Card] | None) -> Card | None:
        """The face of the card, where the house knows it. `order` has the cards of the automated dealer's shoe."""
        return self._face_of(self._cards[-1], order) if self._cards else None

    def entered_before(self, order: Sequence[Card] | None) -> tuple[Card, ...]:
        """The cards entered for it and corrected since, the first entry first."""
        return tuple(known for card in self._cards[:-1] if (known := self._face_of(card, order)) is not None)

    def _face_of(self, card: FaceDown, order: Sequence[Card] | None) -> Card | None:
        if not card.sealed:
            return order[card.place] if order and 0 <= card.place < len(order) else None
        try:
            return self._sealing.open_card(self._table, card.entry, card.sealed)
        except SealBroken:  # the key was lost or changed: the dealer is asked, as for a card that nobody entered
            return None
