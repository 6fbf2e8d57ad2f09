"""The proof of a house from its record alone: `podium verify`.

First the store by itself (every chain whole, every transfer once, every balance the sum of its transfers); then every
happening is played again and must move the same money; then every shuffle that was laid open must be the one that was
committed to, and the cards that were dealt must be its cards. Nothing is written, and no key is needed: whoever has a
copy of the record can repeat it. With the key, the shoes that are still in use are checked as well, and every card that
was entered face down: it must be the one that was turned.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card, cards
from podium.basics.refusal import Refused
from podium.house.checkpoints import prove_signatures, prove_streams, read_named
from podium.house.events import Forgotten
from podium.house.events import decode as decode_house
from podium.house.house import HOUSE, House, table_of_stream
from podium.house.papers import TicketAudit, prove_documents
from podium.house.shelf import read_filed
from podium.house.stamps import STAMPED, Stamps
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
from podium.house.table.shoes import DealtCards
from podium.house.table.state import Sealing
from podium.play.events import CardCorrected, CardDealt, CardsCorrected, HolePeeked, HoleTurned, ShoeFollowed
from podium.play.round import Round
from podium.record.fair import Proof, Reveal, Shuffle, difference, final_order
from podium.record.journal import BrokenChain, Entry, Head
from podium.record.ledger import LedgerFault, kind_of, names_of
from podium.record.seal import SealBroken
from podium.record.store import Damaged, Proved, Reading, prove, prove_checkpoints, read_posted, read_stream


class Difference(Exception):
    """The first thing in which a record does not prove itself, in one sentence."""


class Verified(NamedTuple):
    """What was checked, and how much of it."""

    store: Proved
    documents: int
    """Versions of people, sessions, tickets and terminals; each the one that the journal vouches for."""
    stamped: int
    """Documents that let somebody in, each with the stamp of the house; 0 without its key."""
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


def verify(book: Reading, sealing: Sealing | None = None, stamps: Stamps | None = None) -> Verified:
    """Proves everything that a house has recorded; the first difference is a `Difference`. `sealing` and `stamps` hold the
    house's keys."""
    try:
        _no_strangers(book)
        proved = prove(book)
        documents = prove_documents(book)
        tickets = _prove_tickets(book)
        checkpoints = prove_checkpoints(book)
    except Damaged as damaged:
        raise Difference(str(damaged)) from None
    heads = book.heads()
    house = House(_WithoutKey(), stamps=stamps)
    audits = {stream: TableAudit(table_of_stream(stream), house, sealing) for stream in heads if stream != HOUSE}
    _replay(book, house, audits)
    if dict(house.ledger) != book.balances():
        raise Difference("The balances are not those that the replayed rounds come to (LED-1).")
    _nobody_with_money_forgotten(book, house)
    stamped = _prove_stamps(book, house) if stamps is not None and house.shelf.stamped else 0
    _prove_named(book)
    for audit in audits.values():
        audit.look_at_shoe_in_use()
    return Verified(
        store=proved,
        documents=documents,
        stamped=stamped,
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


def _prove_stamps(book: Reading, house: House) -> int:
    """SEC-7: with the key for sessions, checks that the house itself filed every document that lets somebody in."""
    let_in = [filed for filed in house.filed.values() if filed.kind in STAMPED]
    try:
        house.shelf.load(read_filed(book, let_in))
    except Damaged as damaged:
        raise Difference(str(damaged)) from None
    return len(let_in)


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


class _WithoutKey:
    """A seal that nobody opens: what lies under it is not needed to play the record again."""

    def open(self, table: str, shuffled: ShoeShuffled) -> Shuffle:
        return _FaceDown(table, shuffled)

    def seal_card(self, table: str, entry: int, face_down: Card) -> str:
        raise SealBroken(f"Nothing is sealed without a key: entry {entry} of table {table}.")

    def open_card(self, table: str, entry: int, sealed: str) -> Card:
        raise SealBroken(f"Nothing is opened without a key: entry {entry} of table {table}.")


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
    owed = {
        names_of(name)[-1] for name, _ in house.ledger if kind_of(name) in ("credit", "in-play", "attendant", "debt")
    }
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
        self.dealt: Final = DealtCards()
        self.peeks: Final[list[tuple[int, Round, bool]]] = []
        """Each time that the automated dealer looked: the place of the card in the shoe, the round, and what was said."""

    def proof(self, reveal: Reveal) -> Proof:
        """What a shoe proves itself by. One that was never dealt, because somebody kept a number back, has nothing to
        prove but the numbers that were opened."""
        committed = self.committed
        if not self.dealt.faces:
            committed = {terminal: committed[terminal] for terminal in self.opened}
        return Proof(self.shuffled.commitment, committed, self.opened, reveal)


class TableAudit:
    """Looks at one table's happenings, one after another, for what a replay alone does not prove: the shoes (RNG-10)
    and the rules of each round (VER-1)."""

    def __init__(self, table: str, house: House, sealing: Sealing | None = None) -> None:
        self.table: Final = table
        self._house: Final = house
        self._sealing: Final = sealing
        self._sealed: tuple[int, str] | None = None
        """The entry of the card that was last entered face down, and what it holds."""
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
            case ShoeLoaded() | ShoeFollowed():
                self._nothing_face_down()
                self.live_shoes += 1
            case CardDealt() | CardCorrected() | CardsCorrected() | HolePeeked() | HoleTurned():
                self._card(happening, entry)
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

    def _card(
        self, happening: CardDealt | CardCorrected | CardsCorrected | HolePeeked | HoleTurned, entry: Entry
    ) -> None:
        """That only a hole card is dealt face down, the replay has proved."""
        match happening:
            case CardDealt(card, sealed):
                self._sealed = (entry.sequence, sealed) if sealed else None
                if self.shoe is not None:
                    self.shoe.dealt.dealt(card)
            case CardCorrected(_, None, sealed):
                self._sealed = (entry.sequence, sealed)
            case CardsCorrected(edits):
                for edit in edits:
                    if sealed := getattr(edit, "sealed", ""):
                        self._sealed = (entry.sequence, sealed)
            case HolePeeked(blackjack) if self.shoe is not None and self.shoe.dealt.face_down is not None:
                played = self._house.tables[self.table].in_play
                self.shoe.peeks.append((self.shoe.dealt.face_down, played, blackjack))
            case HoleTurned(card):
                self._hole_turned(card, entry)

    def _hole_turned(self, card: Card, entry: Entry) -> None:
        if self.shoe is not None:
            self.shoe.dealt.turned(card)
        sealed, self._sealed = self._sealed, None
        if sealed is None or self._sealing is None:
            return
        try:
            entered = self._sealing.open_card(self.table, *sealed)
        except (SealBroken, ValueError) as broken:
            raise Difference(str(broken)) from None
        if entered is not card:
            raise Difference(
                f"Entry {entry.sequence} of {entry.stream} turns a card over that is not the one of entry {sealed[0]} (RNG-8)."
            )

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
        self.cards += len(shoe.dealt.faces)

    def _check(self, shoe: ShoeRecord, reveal: Reveal) -> None:
        named = (self.table, shoe.shuffled.shoe)
        if (reveal.table, reveal.number) != named:
            raise Difference(f"Shoe {named[1]} of {named[0]} was laid open as shoe {reveal.number} of {reveal.table}.")
        unproved = difference(shoe.proof(reveal), shoe.dealt.faces, decks=shoe.shuffled.decks)
        if unproved is not None:
            raise Difference(f"{unproved} (RNG-10)")
        order = final_order(cards(reveal.order), shoe.shuffled.commitment, shoe.opened)
        for place, played, blackjack in shoe.peeks:
            if played.dealing.would_see_blackjack(order[place]) != blackjack:
                raise Difference(
                    f"Shoe {named[1]} of {named[0]}: what the dealer said of card {place + 1} is not true (RNG-10)."
                )

    def look_at_shoe_in_use(self) -> None:
        """With the key, also the shoe that is not laid open yet; nothing of it is told."""
        if self.shoe is None or self._sealing is None:
            return
        try:
            self._check(self.shoe, self._sealing.open(self.table, self.shoe.shuffled).reveal())
        except (SealBroken, ValueError, msgspec.MsgspecError) as broken:
            raise Difference(str(broken)) from None
        self.opened_with_key += 1
