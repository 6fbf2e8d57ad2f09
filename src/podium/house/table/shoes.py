"""The shoe that a table deals from, and those that have ended: each can prove itself from the journal (RNG-10)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from podium.basics.cards import Card, cards, codes
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.table.events import (
    CutCommitted,
    CutOpened,
    EndedShoe,
    ShoeEnded,
    ShoeShuffled,
    ShoeSnapshot,
    decode,
    kinds,
)
from podium.play.events import CardCorrected, CardDealt, CardsCorrected, HoleTurned
from podium.play.round import Round
from podium.record.fair import Cut, Proof, Reveal, Shuffle, final_order
from podium.record.journal import Entry
from podium.rules.placard import ShufflerKind


class ShoeInUse:
    """The shoe that the table deals from. The house does not know the order of a live one."""

    __slots__ = (
        "burn",
        "burned",
        "change",
        "closed_at",
        "cut",
        "cut_card",
        "decks",
        "devices",
        "entitled",
        "first",
        "miscounted",
        "number",
        "one_round",
        "order",
        "out",
        "penetration",
        "rounds",
        "shuffle",
        "shuffled",
        "shuffled_at",
        "shuffler",
        "unseen",
    )

    def __init__(
        self,
        number: int,
        decks: int,
        at: int,
        first: int,
        shuffled: ShoeShuffled | None = None,
        shuffle: Shuffle | None = None,
        *,
        penetration: float = 1,
        shuffler: ShufflerKind = "none",
        burn: int = 0,
    ) -> None:
        self.number: Final = number
        self.decks: Final = decks
        self.shuffled_at = at
        self.first: Final = first
        """The entry of the journal with which it begins."""
        self.shuffled: Final = shuffled
        self.shuffle: Final = shuffle
        """The automated dealer's shuffle, as it was recorded and as it is."""
        self.cut: Final = Cut(shuffle.commitment) if shuffle else None
        """The players' part in it."""
        self.closed_at = at
        self.order: Sequence[Card] | None = None
        """The automated dealer's cards, once the players have cut."""
        self.out = Counter[Card]()
        """The cards of finished rounds. A card that has left the shoe does not come back (CARD-1)."""
        self.unseen = 0
        """Cards of void rounds that were never turned: they have left it, and nobody has seen them."""
        self.penetration: Final = penetration
        """The share of it that is dealt; a change of the configuration applies to the next shoe."""
        self.entitled: Final = shuffled.cutters if shuffled else None
        """Who may cut it, by the names of their seats; None where every seat may."""
        self.devices: Final[dict[str, str]] = {}
        """The device that each commitment came from."""
        self.one_round = False
        """Whether it serves one round only, because nobody could cut it."""
        self.rounds = (0, 0)
        """The first and the last round that were dealt from it; 0 and 0 when it was not dealt."""
        self.shuffler: Final = shuffler
        """Which kind of shuffler supplied a live table with it."""
        self.burn: Final = burn
        self.burned = 0
        """How many cards a live dealer must burn before the first round, and has burned."""
        self.cut_card = False
        """Whether a live dealer has seen the cut card: the round in play is the last one."""
        self.miscounted = False
        """Whether a wrong count was found: no other round begins with it."""
        self.change = ""
        """Why the floor asked for another one; empty when it has not."""

    def wait_from(self, at: int) -> None:
        """Restarts the time for the players' part in the shuffle."""
        if self.waits_for_cut:
            self.shuffled_at = self.closed_at = at

    @property
    def waits_for_cut(self) -> bool:
        """Whether it is the automated dealer's, and not cut yet."""
        return self.cut is not None and self.order is None

    @property
    def cards(self) -> int:
        return 52 * self.decks

    @property
    def dealt(self) -> int:
        return self.out.total() + self.unseen

    @property
    def left(self) -> int:
        """How many cards it holds between rounds."""
        return self.cards - self.dealt

    @property
    def to_burn(self) -> int:
        """How many cards must be burned before a round can begin."""
        return max(0, self.burn - self.burned)

    def cut_card_is_due(self, in_play: int) -> bool:
        """Whether a live dealer should have seen the cut card by now, counting the cards in play."""
        return (
            self.shuffle is None and self.shuffler == "none" and self.dealt + in_play >= self.cards * self.penetration
        )

    def burn_card(self, card: Card | None) -> None:
        """A card is burned: it has left the shoe, seen or unseen."""
        self.burned += 1
        self.take_back([card] if card is not None else [], 1)

    def take_back(self, seen: Iterable[Card], gone: int) -> None:
        """Ends a round: `gone` cards have left the shoe, and these were seen. A continuous shuffler takes them back."""
        if self.shuffler == "continuous":
            return
        faces = Counter(seen)
        self.out = self.out + faces
        self.unseen += gone - faces.total()

    def recount(self, out: Iterable[Card], back: Iterable[Card], unseen: int) -> None:
        """Adjusts it for a reopened round: cards that had left it after all, and cards that had not."""
        if self.shuffler != "continuous":
            self.out = (self.out + Counter(out)) - Counter(back)
            self.unseen += unseen

    def settle_order(self) -> None:
        """When every number of the cut is open, the order of the cards is fixed."""
        if self.shuffle is not None and self.cut is not None and self.cut.whole:
            self.order = final_order(self.shuffle.order, self.shuffle.commitment, self.cut.opened)

    def dealt_in(self, number: int) -> None:
        """A round is dealt from it."""
        self.rounds = (self.rounds[0] or number, number)

    def ended(self, last: int) -> EndedShoe | None:
        """Its record, once the entry `last` has revealed it; None for a live shoe."""
        if self.shuffle is None:
            return None
        return EndedShoe(self.number, self.cards, self.first, last, self.rounds, self.shuffle.commitment)

    def snapshot(self) -> ShoeSnapshot:
        """The whole state, for the journal."""
        return ShoeSnapshot(
            self.number,
            self.decks,
            self.shuffled_at,
            self.closed_at,
            self.first,
            self.rounds,
            codes(sorted(self.out.elements(), key=lambda card: card.code)),
            self.shuffled,
            self.cut.opened if self.cut else {},
            self.unseen,
            self.penetration,
            self.one_round,
            self.shuffler,
            self.burn,
            self.burned,
            self.cut_card,
            self.miscounted,
            self.change,
        )

    @classmethod
    def restored(cls, snapshot: ShoeSnapshot, shuffle: Shuffle | None, penetration: float) -> "ShoeInUse":
        """The inverse of `snapshot`. A shoe from which rounds are dealt has been cut."""
        shoe = cls(
            snapshot.number,
            snapshot.decks,
            snapshot.shuffled_at,
            snapshot.first,
            snapshot.shuffled,
            shuffle,
            penetration=penetration if snapshot.penetration is None else snapshot.penetration,
            shuffler=snapshot.shuffler,
            burn=snapshot.burn,
        )
        if shoe.cut is not None:
            shoe.cut.take(snapshot.numbers)
        shoe.closed_at, shoe.rounds, shoe.out = snapshot.closed_at, snapshot.rounds, Counter(cards(snapshot.out))
        shoe.unseen, shoe.one_round = snapshot.unseen or 0, snapshot.one_round or False
        shoe.burned, shoe.cut_card = snapshot.burned, snapshot.cut_card
        shoe.miscounted, shoe.change = snapshot.miscounted, snapshot.change
        shoe.settle_order()
        return shoe


class DealtProof(Proof, frozen=True):
    """The published proof of a shoe, and the cards that were dealt from it, in order."""

    dealt: str
    """A card that was never turned, because its round was void, is `?`."""


class DealtCards:
    """The cards that were dealt from a shoe, in order. One that lies face down is None until it is turned."""

    def __init__(self) -> None:
        self.faces: Final[list[Card | None]] = []
        self._down: int | None = None

    def dealt(self, face: Card | None) -> None:
        if face is None:
            self._down = len(self.faces)
        self.faces.append(face)

    def turned(self, face: Card) -> None:
        if self._down is not None:
            self.faces[self._down], self._down = face, None

    @property
    def face_down(self) -> int | None:
        """The place in the shoe of the card that lies face down."""
        return self._down

    def codes(self) -> str:
        return " ".join(face.code if face is not None else "?" for face in self.faces)


OF_A_SHOE: Final = kinds(CardCorrected, CardDealt, CardsCorrected, CutCommitted, CutOpened, HoleTurned, ShoeShuffled)
"""The happenings that make up the record of a shoe, besides what the dealer said about its cards."""
[SHUFFLED], [ENDED] = kinds(ShoeShuffled), kinds(ShoeEnded)


class ShoeRecord:
    """Everything in the record about one shuffle, as it is published."""

    def __init__(self, shuffled: ShoeShuffled) -> None:
        self.shuffled: Final = shuffled
        self.committed: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.dealt: Final = DealtCards()
        self.peeks: Final[list[tuple[int, Round, bool]]] = []
        """Each peek of the automated dealer: the place of the card in the shoe, the round, and the answer."""

    def proof(self, reveal: Reveal) -> Proof:
        """The proof of a shoe. One that was discarded because a number was kept back proves only the numbers that were opened."""
        committed = self.committed
        if not self.dealt.faces:
            committed = {terminal: committed[terminal] for terminal in self.opened}
        return Proof(self.shuffled.commitment, committed, self.opened, reveal)


def proof_of(shoe: EndedShoe, entries: Iterable[Entry]) -> DealtProof:
    """The proof of a shoe from its part of the journal."""
    committed: dict[str, str] = {}
    numbers: dict[str, str] = {}
    dealt = DealtCards()
    reveal: Reveal | None = None
    for entry in entries:
        match decode(entry.payload):
            case CutCommitted(terminal, commitment):
                committed[terminal] = commitment
            case CutOpened(terminal, number):
                numbers[terminal] = number
            case CardDealt(card):
                dealt.dealt(card)
            case HoleTurned(card):
                dealt.turned(card)
            case ShoeEnded(reveal=laid_open):
                reveal = laid_open
    if reveal is None:
        raise Refused("shoe-not-revealed", shoe=shoe.number)
    if (
        not dealt.faces
    ):  # a shoe that was discarded proves the order that was committed to, and the numbers that were opened
        committed = {terminal: committed[terminal] for terminal in numbers}
    return DealtProof(shoe.commitment, committed, numbers, reveal, dealt.codes())


english("refused", {"shoe-not-revealed": "Shoe {shoe} was not revealed."})
