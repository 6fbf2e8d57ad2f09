"""The shoes that have ended: where each one stands in the journal of its table, so that it can prove itself (RNG-10)."""

from collections.abc import Iterable
from typing import NamedTuple

from podium.events import CardDealt
from podium.fair import Proof, Reveal
from podium.journal import Entry
from podium.refusal import Refused
from podium.table.events import CutCommitted, CutOpened, Happening, RoundOpened, ShoeEnded, ShoeShuffled, decode


class EndedShoe(NamedTuple):
    """A shoe of the automated dealer that was laid open."""

    number: int
    cards: int
    first: int
    """The entry of its shuffle."""
    last: int
    """The entry that laid it open."""
    rounds: tuple[int, int]
    """The first and the last round that were dealt from it; 0 and 0 when it was not dealt."""
    commitment: str


class DealtProof(Proof, frozen=True):
    """What a shoe published, and the cards that were dealt from it, in order."""

    dealt: str


class Shoes:
    """The shoes of one table."""

    def __init__(self) -> None:
        self.ended: dict[int, EndedShoe] = {}
        self._shuffled: tuple[int, ShoeShuffled] | None = None
        self._rounds = (0, 0)

    def follow(self, happening: Happening, sequence: int) -> None:
        match happening:
            case ShoeShuffled():
                self._shuffled, self._rounds = (sequence, happening), (0, 0)
            case RoundOpened(number):
                self._rounds = (self._rounds[0] or number, number)
            case ShoeEnded(number) if self._shuffled is not None:
                first, shuffled = self._shuffled
                self.ended[number] = EndedShoe(
                    number, 52 * shuffled.decks, first, sequence, self._rounds, shuffled.commitment
                )


def proof_of(shoe: EndedShoe, entries: Iterable[Entry]) -> DealtProof:
    """The proof of a shoe from its part of the journal."""
    committed: dict[str, str] = {}
    numbers: dict[str, str] = {}
    dealt: list[str] = []
    reveal: Reveal | None = None
    for entry in entries:
        match decode(entry.payload):
            case CutCommitted(terminal, commitment):
                committed[terminal] = commitment
            case CutOpened(terminal, number):
                numbers[terminal] = number
            case CardDealt(card) if card is not None:
                dealt.append(card.code)
            case ShoeEnded(reveal=laid_open):
                reveal = laid_open
    if reveal is None:
        raise Refused(f"Shoe {shoe.number} was not laid open.")
    return DealtProof(shoe.commitment, committed, numbers, reveal, " ".join(dealt))
