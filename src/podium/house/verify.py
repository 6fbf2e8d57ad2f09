"""The proof of a house from its record alone: `podium verify`.

First the store by itself (every chain whole, every transfer once, every balance the sum of its transfers); then every
happening is played again and must move the same money; then every shuffle that was laid open must be the one that was
committed to, and the cards that were dealt must be its cards. Nothing is written, and no key is needed: whoever has a
copy of the record can repeat it. With the key, the shoes that are still in use are checked as well.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.house.checkpoints import prove_signatures, prove_streams, read_named
from podium.house.events import Forgotten
from podium.house.events import decode as decode_house
from podium.house.house import HOUSE, House, table_of_stream
from podium.house.papers import TicketAudit, prove_documents
from podium.house.table.events import (
    CutCommitted,
    CutOpened,
    RoundOpened,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableConfigured,
)
from podium.house.table.events import decode as decode_table
from podium.play.events import CardDealt
from podium.record.fair import Proof, Reveal, Shuffle, difference
from podium.record.journal import BrokenChain, Entry, Head
from podium.record.ledger import LedgerFault, kind_of, names_of
from podium.record.seal import SealBroken
from podium.record.store import Damaged, Proved, Reading, prove, prove_checkpoints, read_posted, read_stream

OpenSeal = Callable[[str, ShoeShuffled], Shuffle]
"""Opens the sealed shuffle of a shoe with the house's key."""


class Difference(Exception):
    """The first thing in which a record does not prove itself, in one sentence."""


class Verified(NamedTuple):
    """What was checked, and how much of it."""

    store: Proved
    documents: int
    """Versions of people, sessions, tickets and terminals; each the one that the journal vouches for."""
    tickets: int
    """Tickets that agree with the ledger."""
    checkpoints: int
    """Streams with a signed checkpoint; each is the root of its entries."""
    signed: int
    """Entries that the checkpoints cover."""
    tables: int
    rounds: int
    """Rounds that were settled or void; each replayed to the same settlement and the same transfers."""
    in_play: int
    shoes: int
    """Shuffles that were laid open."""
    cards: int
    """Cards that were dealt from them."""
    in_use: int
    """Shuffles that are still face down."""
    opened_with_key: int
    live_shoes: int
    heads: dict[str, Head]
    """The end of every stream. Who notes it elsewhere can tell later that nothing was cut off."""

    @property
    def unsigned(self) -> int:
        """Entries that are younger than the last checkpoint of their stream."""
        return self.store.entries - self.signed


def verify(book: Reading, open_seal: OpenSeal | None = None) -> Verified:
    """Prove everything that a house has recorded; the first difference is a `Difference`."""
    try:
        _no_strangers(book)
        proved = prove(book)
        documents = prove_documents(book)
        tickets = _prove_tickets(book)
        checkpoints = prove_checkpoints(book)
    except Damaged as damaged:
        raise Difference(str(damaged)) from None
    heads = book.heads()
    house = House(_face_down)
    audits = {stream: TableAudit(table_of_stream(stream), open_seal) for stream in heads if stream != HOUSE}
    _replay(book, house, audits)
    if dict(house.ledger) != book.balances():
        raise Difference("The balances are not those that the replayed rounds come to (LED-1).")
    _nobody_with_money_forgotten(book, house)
    _prove_named(book)
    for audit in audits.values():
        audit.look_at_shoe_in_use()
    return Verified(
        store=proved,
        documents=documents,
        tickets=tickets,
        checkpoints=checkpoints,
        signed=sum(stored.size for stored in book.checkpoints()),
        tables=len(audits),
        rounds=sum(audit.rounds for audit in audits.values()) - _in_play(house),
        in_play=_in_play(house),
        shoes=sum(audit.shoes for audit in audits.values()),
        cards=sum(audit.cards for audit in audits.values()),
        in_use=sum(audit.shoe is not None for audit in audits.values()),
        opened_with_key=sum(audit.opened_with_key for audit in audits.values()),
        live_shoes=sum(audit.live_shoes for audit in audits.values()),
        heads=heads,
    )


def _no_strangers(book: Reading) -> None:
    """A trigger, a view or another table could make the store show, or write, something else than it was given."""
    for sentence in book.strangers():
        raise Damaged(f"{sentence.removesuffix('.')} (EVT-4).")


def _prove_named(book: Reading) -> None:
    """The journal is replayed, so what it says of streams and keys can be read."""
    try:
        named = read_named(book)
        prove_streams(book, named)
        prove_signatures(book, named)
    except (Damaged, ValueError) as damaged:
        raise Difference(str(damaged)) from None


def _prove_tickets(book: Reading) -> int:
    audit = TicketAudit()
    for posted in read_posted(book):
        audit.look_at(posted)
    return audit.compare(book)


def _in_play(house: House) -> int:
    return sum(not table.between_rounds for table in house.tables.values())


# --- every happening again -------------------------------------------------------------------------------------------


class _FaceDown(Shuffle):
    """A shuffle that nobody has opened: to play the record again, its commitment is enough."""

    __slots__ = ("_commitment",)

    def __init__(self, table: str, shuffled: ShoeShuffled) -> None:
        super().__init__(table, shuffled.shoe, (), b"")
        self._commitment: Final = shuffled.commitment

    @property
    def commitment(self) -> str:
        return self._commitment


def _face_down(table: str, shuffled: ShoeShuffled) -> Shuffle:
    return _FaceDown(table, shuffled)


class _Reader:
    """Yields a stream for replay and remembers the last entry, which is the one at fault."""

    def __init__(self, book: Reading) -> None:
        self._book: Final = book
        self.last: Entry | None = None

    def read(self, stream: str, audit: "TableAudit | None") -> Iterator[Entry]:
        for entry in read_stream(self._book, stream):
            self.last = entry
            yield entry
            # Only now: the replay has taken it, so it is whole and in its place.
            if audit is None:
                _check_kind(entry, decode_house(entry.payload))
            else:
                audit.look_at(entry)


def _replay(book: Reading, house: House, audits: dict[str, "TableAudit"]) -> None:
    reader = _Reader(book)
    try:
        house.restore({stream: reader.read(stream, audits.get(stream)) for stream in book.heads()})
    except (BrokenChain, LedgerFault) as fault:
        raise Difference(str(fault)) from None
    except (Refused, msgspec.MsgspecError, ValueError, KeyError) as error:
        where = f"Entry {reader.last.sequence} of {reader.last.stream}" if reader.last else "The journal"
        raise Difference(f"{where} cannot be played again: {error}") from None


def _nobody_with_money_forgotten(book: Reading, house: House) -> None:
    """Every account with money belongs to a known player, unless the house's stream never mentioned one."""
    owed = {names_of(name)[-1] for name, _ in house.ledger if kind_of(name) in ("credit", "in-play", "attendant")}
    unknown = owed - house.players.keys()
    if not unknown:
        return
    for entry in read_stream(book, HOUSE):
        event = decode_house(entry.payload)
        if isinstance(event, Forgotten) and (forgotten := unknown & set(event.players)):
            raise Difference(f"Entry {entry.sequence} of {HOUSE} forgets {min(forgotten)}, who has money here.")


def _check_kind(entry: Entry, happened: msgspec.Struct) -> None:
    tag = happened.__struct_config__.tag
    if entry.kind != tag:
        raise Difference(f"Entry {entry.sequence} of {entry.stream} is called {entry.kind}, but it is {tag}.")


# --- every shoe ------------------------------------------------------------------------------------------------------


class ShoeRecord:
    """All that the record says of one shuffle, as it is published."""

    def __init__(self, shuffled: ShoeShuffled) -> None:
        self.shuffled: Final = shuffled
        self.committed: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.dealt: list[Card] = []

    def proof(self, reveal: Reveal) -> Proof:
        """What a shoe proves itself by. One that was never dealt, because somebody kept a number back, has nothing to
        prove but the numbers that were opened."""
        committed = self.committed
        if not self.dealt:
            committed = {terminal: committed[terminal] for terminal in self.opened}
        return Proof(self.shuffled.commitment, committed, self.opened, reveal)


class TableAudit:
    """Looks at one table's happenings, one after another, for what a replay alone does not prove: the shoes (RNG-10)
    and the rules of each round (VER-1)."""

    def __init__(self, table: str, open_seal: OpenSeal | None = None) -> None:
        self.table: Final = table
        self._open_seal: Final = open_seal
        self.shoe: ShoeRecord | None = None
        self.version = 0
        self.rounds = self.shoes = self.cards = self.live_shoes = self.opened_with_key = 0

    def look_at(self, entry: Entry) -> None:
        happening = decode_table(entry.payload)
        _check_kind(entry, happening)
        match happening:
            case TableConfigured(version):
                self.version = version
            case RoundOpened():
                self._round_opened(happening)
            case ShoeShuffled():
                self._nothing_face_down()
                self.shoe = ShoeRecord(happening)
            case CutCommitted(terminal, commitment) if self.shoe is not None:
                self.shoe.committed[terminal] = commitment
            case CutOpened(terminal, number) if self.shoe is not None:
                self.shoe.opened[terminal] = number
            case ShoeLoaded():
                self._nothing_face_down()
                self.live_shoes += 1
            case CardDealt(card) if self.shoe is not None:
                self._card_dealt(card, entry)
            case ShoeEnded():
                self._shoe_ended(happening)

    def _round_opened(self, opened: RoundOpened) -> None:
        """That the rules of that version have that fingerprint, the replay has proved."""
        self.rounds += 1
        if not opened.fingerprint or opened.version != self.version:
            raise Difference(
                f"Round {opened.round} of {self.table} records version {opened.version} of the configuration, "
                f"but version {self.version} was in force (VER-1)."
            )

    def _card_dealt(self, card: Card | None, entry: Entry) -> None:
        assert self.shoe is not None
        if card is None:
            raise Difference(f"Entry {entry.sequence} of {entry.stream} deals an unknown card from a known shoe.")
        self.shoe.dealt.append(card)

    def _nothing_face_down(self) -> None:
        if self.shoe is not None:
            raise Difference(
                f"Shoe {self.shoe.shuffled.shoe} of {self.table} was replaced and never laid open (RNG-10)."
            )

    def _shoe_ended(self, ended: ShoeEnded) -> None:
        shoe, self.shoe = self.shoe, None
        if shoe is None:
            return  # a live dealer's shoe: the cards lie on the table
        if ended.reveal is None:
            raise Difference(f"Shoe {ended.shoe} of {self.table} ended and was never laid open (RNG-10).")
        self._check(shoe, ended.reveal)
        self.shoes += 1
        self.cards += len(shoe.dealt)

    def _check(self, shoe: ShoeRecord, reveal: Reveal) -> None:
        named = (self.table, shoe.shuffled.shoe)
        if (reveal.table, reveal.number) != named:
            raise Difference(f"Shoe {named[1]} of {named[0]} was laid open as shoe {reveal.number} of {reveal.table}.")
        unproved = difference(shoe.proof(reveal), shoe.dealt, decks=shoe.shuffled.decks)
        if unproved is not None:
            raise Difference(f"{unproved} (RNG-10)")

    def look_at_shoe_in_use(self) -> None:
        """With the key, also the shoe that is not laid open yet; nothing of it is told."""
        if self.shoe is None or self._open_seal is None:
            return
        try:
            self._check(self.shoe, self._open_seal(self.table, self.shoe.shuffled).reveal())
        except (SealBroken, ValueError, msgspec.MsgspecError) as broken:
            raise Difference(str(broken)) from None
        self.opened_with_key += 1
