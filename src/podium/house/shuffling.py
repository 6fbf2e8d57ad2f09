"""Seals face-down cards: a shoe until it has ended, and a card until it is turned."""

from base64 import b64decode, b64encode
from typing import Final

from podium.basics.cards import Card, card
from podium.house.table.events import ShoeShuffled
from podium.record.fair import Entropy, Shuffle, shuffle
from podium.record.seal import Seal


class SealedShuffler:
    """Shuffles with the given entropy, and seals the order (RNG-8)."""

    def __init__(self, seal: Seal, entropy: Entropy) -> None:
        self._seal: Final = seal
        self._entropy: Final = entropy

    def shuffle(self, table: str, shoe: int, decks: int) -> ShoeShuffled:
        fresh = shuffle(table, shoe, decks, self._entropy)
        sealed = self._seal.close(fresh.secret(), _about(table, shoe))
        return ShoeShuffled(shoe, decks, fresh.commitment, b64encode(sealed).decode())

    def open(self, table: str, shuffled: ShoeShuffled) -> Shuffle:
        """Opens the sealed shuffle of a shoe from the journal."""
        return Shuffle.from_secret(self._seal.open(b64decode(shuffled.sealed), _about(table, shuffled.shoe)))

    def seal_card(self, table: str, entry: int, face_down: Card) -> str:
        """A card that was entered face down, as the table's entry of that number stores it (RNG-8)."""
        return b64encode(self._seal.close(face_down.code.encode(), _about_card(table, entry))).decode()

    def open_card(self, table: str, entry: int, sealed: str) -> Card:
        """The inverse of `seal_card`."""
        return card(self._seal.open(b64decode(sealed), _about_card(table, entry)).decode())


def _about(table: str, shoe: int) -> str:
    return f"shoe {shoe} of table {table}"


def _about_card(table: str, entry: int) -> str:
    return f"the card in entry {entry} of table {table}"
