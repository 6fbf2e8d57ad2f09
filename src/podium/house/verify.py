"""The proof of a house from its record alone: `podium verify`.

First the store by itself (every chain whole, every transfer once, every balance the sum of its transfers); then every happening
is played again and must move the same money; then every shuffle that was laid open must be the one that was committed to, and
the cards that were dealt must be its cards. Nothing is written and no key is needed: anybody with a copy of the record can
repeat it. With the key, the shoes that are still in use are checked as well, and every card that was entered face down.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card, cards
from podium.basics.refusal import Refused
from podium.house.archiving import prove_archives
from podium.house.checkpoints import prove_signatures, prove_streams, read_named
from podium.house.events import Forgotten
from podium.house.events import decode as decode_house
from podium.house.house import House
from podium.house.papers import TicketAudit, check_unstamped, prove_documents
from podium.house.sections import REOPENED, Section, whole
from podium.house.shelf import read_filed
from podium.house.stamps import LETS_IN, TICKET, Stamps, stamp_of
from podium.house.state import HOUSE, table_of_stream
from podium.house.table import Table
from podium.house.table.events import (
    CutCommitted,
    CutOpened,
    Happening,
    RoundOpened,
    RoundReopened,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableConfigured,
    TableSnapshot,
    kinds,
)
from podium.house.table.events import decode as decode_table
from podium.house.table.face_down import Sealing
from podium.house.table.reopening import MAX_REOPENED_ROUNDS_BACK, as_due, differing, due
from podium.house.table.shoes import ENDED, OF_A_SHOE, SHUFFLED, ShoeRecord
from podium.house.table.state import AUTOMATED
from podium.play.again import told_again
from podium.play.events import (
    CardCorrected,
    CardDealt,
    CardsCorrected,
    Confirmed,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    Voided,
)
from podium.play.round import Round
from podium.record.fair import Reveal, Shuffle, difference, final_order
from podium.record.journal import BrokenChain, Entry, Head
from podium.record.ledger import Account, LedgerFault, kind_of, names_of
from podium.record.seal import SealBroken
from podium.record.store import Damaged, Document, Proved, Reading, prove, prove_checkpoints, read_stream
from podium.record.store.archived import MissingArchive

TOLD_EVERY: Final = 1_000
"""Entries between two reports of progress."""


class Difference(Exception):
    """The first difference that disproves a record, in one sentence."""


class Verified(NamedTuple):
    """Counts of everything that was checked."""

    store: Proved
    documents: int
    """Versions of people, sessions, tickets and terminals; each the one that the journal vouches for."""
    stamped: int
    """Documents that let somebody in, each with the stamp of the house; 0 without its key."""
    stamped_since: int  # the entry of the house's stream from which on it stamps everything; 0 if it does not
    tickets: int
    """Tickets that agree with the ledger."""
    checkpoints: int
    """Streams with a signed checkpoint; each is the root of its entries."""
    signed: int
    """Entries that the checkpoints cover."""
    archives: int
    """Archives that are as the house filed them."""
    archived: int
    """Entries that they hold."""
    tables: int
    rounds: int
    """Rounds that were settled or void; each replayed to the same settlement and the same transfers."""
    in_play: int
    shoes: int
    """Shuffles that were revealed."""
    cards: int
    """Cards that were dealt from them."""
    in_use: int  # shuffles that are still face down
    opened_with_key: int
    live_shoes: int
    heads: dict[str, Head]
    """The end of every stream. A copy kept elsewhere shows later that nothing was cut off."""

    @property
    def unsigned(self) -> int:
        """Entries after the last checkpoint of their stream."""
        return self.store.entries - self.signed


class StoreProof(NamedTuple):
    """Proof of the store alone, without a replay."""

    store: Proved
    documents: int
    tickets: int
    checkpoints: int
    signed: int
    archives: int
    archived: int


class Replayed(NamedTuple):
    """Proof of some streams by replay."""

    moved: dict[Account, int]
    """The change of each account in them."""
    stamped: int = 0
    stamped_since: int = 0
    tables: int = 0
    rounds: int = 0
    in_play: int = 0
    shoes: int = 0
    cards: int = 0
    in_use: int = 0
    opened_with_key: int = 0
    live_shoes: int = 0


def verify(book: Reading, sealing: Sealing | None = None, stamps: Stamps | None = None) -> Verified:
    """Proves everything that a house has recorded; the first difference is a `Difference`. `sealing` and `stamps` hold the
    house's keys."""
    proof, heads = prove_store(book), book.heads()
    tables = [
        replay_section(book, whole(stream, head.sequence), sealing) for stream, head in heads.items() if stream != HOUSE
    ]
    return conclude(proof, [replay_house(book, stamps), *tables], heads, book.balances())


def prove_store(book: Reading) -> StoreProof:
    """Proves what the store holds against itself."""
    try:
        _no_strangers(book)
        archives, archived = prove_archives(book)
        audit = TicketAudit()
        proved = prove(book, audit.look_at)
        documents = prove_documents(book)
        tickets = audit.compare(book)
        checkpoints = prove_checkpoints(book)
    except MissingArchive:
        raise
    except Damaged as damaged:
        raise Difference(str(damaged)) from None
    signed = sum(stored.size for stored in book.checkpoints())
    return StoreProof(proved, documents, tickets, checkpoints, signed, archives, archived)


def replay_house(book: Reading, stamps: Stamps | None = None) -> Replayed:
    """Replays the house's own stream."""
    house = House(_WithoutKey(), stamps=stamps)
    if HOUSE in book.heads():
        _replay(book, house, whole(HOUSE, book.heads()[HOUSE].sequence), None)
    _nobody_with_money_forgotten(book, house)
    stamped = _prove_stamps(book, house) if stamps is not None else 0
    _prove_named(book)
    return Replayed(dict(house.ledger), stamped, house.shelf.tickets_since)


def replay_section(
    book: Reading,
    section: Section,
    sealing: Sealing | None = None,
    told: Callable[[int], None] = lambda entries: None,
) -> Replayed:
    """Replays a table's stream up to the entry of that number. `told` is called with the number of further entries
    done."""
    house = House(_WithoutKey())
    audit = TableAudit(section.stream, house, book, sealing)
    audit.begin(section)
    _replay(book, house, section, audit, told)
    audit.end(section)
    in_play = _in_play(house) if section.ends else 0
    return Replayed(
        dict(house.ledger),
        tables=int(section.ends),
        rounds=audit.rounds - in_play,
        in_play=in_play,
        shoes=audit.shoes,
        cards=audit.cards,
        in_use=int(section.ends and audit.shoe is not None),
        opened_with_key=audit.opened_with_key,
        live_shoes=audit.live_shoes,
    )


def conclude(
    proof: StoreProof, parts: Sequence[Replayed], heads: dict[str, Head], balances: Mapping[Account, int]
) -> Verified:
    """Adds up the parts, and checks that together they moved the money that the balances hold."""
    moved: Counter[Account] = Counter()
    for part in parts:
        moved.update(part.moved)
    if {name: amount for name, amount in moved.items() if amount} != dict(balances):
        raise Difference("The balances are not those that the replayed rounds come to (LED-1).")
    counts = {field: sum(getattr(part, field) for part in parts) for field in Replayed._fields if field != "moved"}
    return Verified(**proof._asdict(), **counts, heads=heads)


def _no_strangers(book: Reading) -> None:
    """Refuses a store with objects of its own: a trigger, a view or another table could make it show, or write,
    something other than it was given."""
    for sentence in book.strangers():
        raise Damaged(f"{sentence.removesuffix('.')} (EVT-4).")


def _prove_stamps(book: Reading, house: House) -> int:
    """SEC-7: with the keys for sessions and tickets, checks that the house itself filed every ticket, and every document that lets
    somebody in; returns how many have a stamp."""
    let_in = [filed for filed in house.filed.values() if filed.kind in LETS_IN and house.shelf.stamped]
    try:
        house.check_stamps()
        house.shelf.load(read_filed(book, let_in))
        return len(let_in) + sum(_is_stamped_ticket(book, house, ticket) for ticket in book.documents(TICKET))
    except Damaged as damaged:
        raise Difference(str(damaged)) from None


def _is_stamped_ticket(book: Reading, house: House, ticket: Document) -> bool:
    """Whether a ticket has a stamp; one from before the house stamped its tickets has none, any other must have its
    own."""
    if not stamp_of(ticket):
        check_unstamped(book, ticket, house.shelf.tickets_since)
        return False
    house.shelf.load([ticket])
    return True


def _prove_named(book: Reading) -> None:
    """The journal has been replayed, so its statements about streams and keys can be trusted."""
    try:
        named = read_named(book)
        prove_streams(book, named)
        prove_signatures(book, named)
    except (Damaged, ValueError) as damaged:
        raise Difference(str(damaged)) from None


def _in_play(house: House) -> int:
    return sum(not table.between_rounds for table in house.tables.values())


# --- every happening again -------------------------------------------------------------------------------------------


class _UnopenedShuffle(Shuffle):
    """A shuffle that was not revealed: its commitment is enough for a replay."""

    __slots__ = ("_commitment",)

    def __init__(self, table: str, shuffled: ShoeShuffled) -> None:
        super().__init__(table, shuffled.shoe, (), b"")
        self._commitment: Final = shuffled.commitment

    @property
    def commitment(self) -> str:
        return self._commitment


class _WithoutKey:
    """A seal that stays closed: a replay does not need what is under it."""

    def open(self, table: str, shuffled: ShoeShuffled) -> Shuffle:
        return _UnopenedShuffle(table, shuffled)

    def seal_card(self, table: str, entry: int, face_down: Card) -> str:
        raise SealBroken(f"Nothing is sealed without a key: entry {entry} of table {table}.")

    def open_card(self, table: str, entry: int, sealed: str) -> Card:
        raise SealBroken(f"Nothing is opened without a key: entry {entry} of table {table}.")


class _Reader:
    """Yields a stream for replay and remembers the last entry, which is the one at fault."""

    def __init__(self, book: Reading) -> None:
        self._book: Final = book
        self.last: Entry | None = None

    def read(self, section: Section, audit: "TableAudit | None", told: Callable[[int], None]) -> Iterator[Entry]:
        for entry in read_stream(self._book, section.stream, section.after):
            if entry.sequence > section.until:
                return
            self.last = entry
            yield entry
            # Only now: the replay has accepted it, so it is intact and in its place.
            if audit is None:
                _check_kind(entry, decode_house(entry.payload))
            else:
                audit.look_at(entry)
            if entry.sequence % TOLD_EVERY == 0:
                told(TOLD_EVERY)


def _replay(
    book: Reading,
    house: House,
    section: Section,
    audit: "TableAudit | None",
    told: Callable[[int], None] = lambda entries: None,
) -> None:
    reader = _Reader(book)
    try:
        house.restore({section.stream: reader.read(section, audit, told)})
    except (BrokenChain, LedgerFault) as fault:
        raise Difference(str(fault)) from None
    except (Refused, msgspec.MsgspecError, ValueError, KeyError) as error:
        where = f"Entry {reader.last.sequence} of {reader.last.stream}" if reader.last else "The journal"
        raise Difference(f"{where} cannot be played again: {error}") from None


def _nobody_with_money_forgotten(book: Reading, house: House) -> None:
    """Checks that every account with money belongs to a known player, unless the house's stream never mentioned one."""
    owed = {
        names_of(name)[-1] for name in book.balances() if kind_of(name) in ("credit", "in-play", "attendant", "debt")
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


AUDITED: Final = OF_A_SHOE | kinds(
    Confirmed, HolePeeked, RoundOpened, RoundReopened, ShoeEnded, ShoeFollowed, ShoeLoaded, TableConfigured, Voided
)
"""The happenings that say something about a shoe or the rules of a round; most of a record is bets and decisions."""


class RoundsAudit:
    """The last rounds of a table as they were settled: reopening one must lead to the cards and the money that the event states
    (VOID-4)."""

    def __init__(self, table: str, book: Reading) -> None:
        self._table: Final = table
        self._book: Final = book
        self._rounds: Final[OrderedDict[int, tuple[Round, dict[int, str], str]]] = OrderedDict()
        """The round, its players and its dealer."""
        self._opened: Final[dict[int, int]] = {}
        """The entry that opened each round. The money of a round that is told again is read once more; of all others it is not kept."""
        self._again: Final[dict[int, Counter[Account]]] = {}
        """What was moved when a round was told again."""

    def look_at(self, table: Table, entry: Entry, happening: Happening) -> None:
        number = table.round_number
        if isinstance(happening, RoundOpened):
            self._opened[number] = entry.sequence
        elif isinstance(happening, Confirmed | Voided) and table.round is not None:
            dealer = table.opened.dealer if table.opened is not None else ""
            self._rounds[number] = table.round, dict(table.bettors), dealer
            while len(self._rounds) > MAX_REOPENED_ROUNDS_BACK + 1:
                old, _ = self._rounds.popitem(last=False)
                self._opened.pop(old, None)
                self._again.pop(old, None)
        elif isinstance(happening, RoundReopened):
            self._again.setdefault(happening.round, Counter()).update(as_due(entry.transfers))
            self._tell_again(happening, entry)

    def _moved(self, number: int, until: Entry) -> Counter[Account]:
        """What the entries of a round have moved, and those that told it again."""
        moved = Counter(self._again[number])
        end = self._opened.get(number + 1, until.sequence)
        for entry in read_stream(self._book, until.stream, self._opened[number] - 1):
            if entry.sequence >= end:
                break
            if entry.kind != REOPENED:
                moved.update(as_due(entry.transfers))
        return moved

    def _tell_again(self, event: RoundReopened, entry: Entry) -> None:
        where = f"Entry {entry.sequence} of {entry.stream} reopens round {event.round}"
        if event.round not in self._rounds:
            raise Difference(f"{where}, which was not settled, or too long ago (VOID-4).")
        played, players, dealer = self._rounds[event.round]
        if played.voided:
            raise Difference(f"{where}, which is void (VOID-4).")
        if not event.approved_by or event.approved_by == event.by:
            raise Difference(f"{where} without a second person (VOID-4).")
        try:
            again = told_again(played, event.events())
        except Refused as refusal:
            raise Difference(f"{where}, and cannot be played: {refusal}") from None
        self._rounds[event.round] = again, players, dealer
        wanted = due(self._table, event.round, again, players, dealer or AUTOMATED)
        if unlike := differing(wanted, self._moved(event.round, entry)):
            raise Difference(f"{where}: {unlike} (VOID-4)")


class TableAudit:
    """Checks what a replay alone does not prove, one happening of a table after another: the shoes (RNG-10) and the rules of
    each round (VER-1)."""

    def __init__(self, stream: str, house: House, book: Reading, sealing: Sealing | None = None) -> None:
        self.table: Final = table_of_stream(stream)
        self._stream: Final = stream
        self._house: Final = house
        self._book: Final = book
        self._sealing: Final = sealing
        self._sealed: tuple[int, str] | None = None
        """The entry of the card that was last entered face down, and what it holds."""
        self.shoe: ShoeRecord | None = None
        self._settled: Final = RoundsAudit(self.table, book)
        self.version = 0
        self.rounds = self.shoes = self.cards = self.live_shoes = self.opened_with_key = 0

    def look_at(self, entry: Entry) -> None:
        if entry.kind not in AUDITED and entry.payload.startswith(b'{"event":"%b"' % entry.kind.encode()):
            return
        happening = decode_table(entry.payload)
        _check_kind(entry, happening)
        self._settled.look_at(self._house.tables[self.table], entry, happening)
        self._look_at(happening, entry)

    def begin(self, section: Section) -> None:
        """Takes up the stream where a section begins."""
        try:
            if section.after:
                self._take_up(section)
        except (msgspec.MsgspecError, ValueError) as error:
            raise Difference(
                f"What is before entry {section.after + 1} of {section.stream} cannot be read: {error}"
            ) from None

    def end(self, section: Section) -> None:
        """Checks what only the end of a section shows."""
        try:
            if section.ends:
                self._look_at_shoe_in_use()
            else:
                self._look_at_peeks_of(section)
        except (SealBroken, ValueError, msgspec.MsgspecError) as broken:
            raise Difference(str(broken)) from None

    def _take_up(self, section: Section) -> None:
        """Takes up the configuration in force, and the shoe in use as far as it was dealt."""
        [first] = self._book.entries(self._stream, section.after, 1)
        snapshot = decode_table(first.payload)
        if isinstance(snapshot, TableSnapshot):
            self.version = snapshot.version
        shuffled = self._book.last(self._stream, SHUFFLED, section.after + 1)
        if shuffled is None or self._ended(shuffled.sequence, section.after) is not None:
            return
        for entry in read_stream(self._book, self._stream, shuffled.sequence - 1):
            if entry.sequence > section.after:
                return
            if entry.kind in OF_A_SHOE:
                self._look_at(decode_table(entry.payload), entry)

    def _look_at_peeks_of(self, section: Section) -> None:
        """Where a section ends in mid-shoe: proves what the dealer said of its cards from the shoe as it is revealed
        later, or with the key."""
        if self.shoe is None or not self.shoe.peeks:
            return
        ended = self._ended(section.until)
        if ended is not None and ended.reveal is not None:
            self._check_peeks(self.shoe, ended.reveal)
        elif ended is None and self._sealing is not None:
            self._check_peeks(self.shoe, self._sealing.open(self.table, self.shoe.shuffled).reveal())

    def _ended(self, after: int, until: int | None = None) -> ShoeEnded | None:
        """The next end of a shoe in the stream."""
        for entry in read_stream(self._book, self._stream, after):
            if until is not None and entry.sequence > until:
                break
            if entry.kind == ENDED and isinstance(ended := decode_table(entry.payload), ShoeEnded):
                return ended
        return None

    def _look_at(self, happening: Happening, entry: Entry) -> None:
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
        """The replay has already proved that the rules of that version have that fingerprint."""
        self.rounds += 1
        if not opened.fingerprint or opened.version != self.version:
            raise Difference(
                f"Round {opened.round} of {self.table} records version {opened.version} of the configuration, "
                f"but version {self.version} was in force (VER-1)."
            )

    def _card(
        self, happening: CardDealt | CardCorrected | CardsCorrected | HolePeeked | HoleTurned, entry: Entry
    ) -> None:
        """The replay has already proved that only a hole card is dealt face down."""
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
        self._check_peeks(shoe, reveal)

    def _check_peeks(self, shoe: ShoeRecord, reveal: Reveal) -> None:
        order = final_order(cards(reveal.order), shoe.shuffled.commitment, shoe.opened)
        for place, played, blackjack in shoe.peeks:
            if played.dealing.would_see_blackjack(order[place]) != blackjack:
                said = f"what the dealer said of card {place + 1} is not true (RNG-10)."
                raise Difference(f"Shoe {shoe.shuffled.shoe} of {self.table}: {said}")

    def _look_at_shoe_in_use(self) -> None:
        """Checks the shoe in use, with the key; nothing about it is revealed."""
        if self.shoe is None or self._sealing is None:
            return
        self._check(self.shoe, self._sealing.open(self.table, self.shoe.shuffled).reveal())
        self.opened_with_key += 1
