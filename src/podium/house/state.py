"""The state of a house: its tables, its ledger, and the journal from which it is restored.

Everything here happens in memory, at once; `take_entries` hands over what must be durable before anybody is told.
The clock, the shuffler and the store belong to the caller. The methods of `House` decide what may happen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import limits
from podium.house.cash import CashDays
from podium.house.config import HouseConfig
from podium.house.events import SNAPSHOT as HOUSE_SNAPSHOT
from podium.house.events import (
    AgeConfirmed,
    DocumentsFiled,
    ExclusionLifted,
    Filing,
    Forgotten,
    HouseConfigured,
    HouseEvent,
    HouseSnapshot,
    HouseStarted,
    LimitsChosen,
    MoneyMoved,
    Noted,
    PlayBegan,
    PlayEnded,
    PlayerAdmitted,
    PlayerExcluded,
    ReminderRead,
)
from podium.house.events import decode as decode_house
from podium.house.events import encode as encode_house
from podium.house.protection import Exclusion, Protection
from podium.house.requests import Requests
from podium.house.shelf import FORGETTABLE, Shelf, digest, read_filed
from podium.house.stamps import TICKET, Stamps
from podium.house.table import Table
from podium.house.table.events import SNAPSHOT
from podium.house.table.events import decode as decode_table
from podium.house.table.events import encode as encode_table
from podium.house.table.face_down import Sealing
from podium.record.journal import START, Chain, Entry, Head, follow, write_transfers
from podium.record.ledger import Account, Ledger, LedgerFault, Transfer, changes
from podium.record.store import Document, Reading, read_stream

HOUSE: Final = "house"


def stream_of(table: str) -> str:
    """The stream of a table."""
    return f"table/{table}"


def table_of_stream(stream: str) -> str:
    """The inverse of `stream_of`."""
    return stream.removeprefix("table/")


class HouseState:
    """The tables and the money of one house, and how each entry of the journal changes them."""

    def __init__(
        self,
        sealing: Sealing,
        *,
        stamps: Stamps | None = None,
        snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
        house_snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
    ) -> None:
        self._sealing: Final = sealing
        self._snapshot_every: Final = snapshot_every
        self._house_snapshot_every: Final = house_snapshot_every
        self.config = HouseConfig()
        self.version = 0
        self.tables: dict[str, Table] = {}
        self.ledger = Ledger()
        self.players: dict[str, str] = {}
        """Every player in memory, and how they were admitted."""
        self.running = False
        """Whether the program has started and not noted its end. If so at a start, it was interrupted."""
        self.keys: dict[str, tuple[str, ...]] = {}
        """The ids of the keys at the last start, by purpose."""
        self.shelf: Final = Shelf(stamps)
        self._stamps: Final = stamps
        self.filed: dict[tuple[str, str], Filing] = {}
        """The last version of every document in memory, except tickets."""
        self.requests: Final = Requests()
        """Requests at the desk, by their idempotency key: a repeated request does not happen twice."""
        self.protection: Final = Protection()
        self.cash: Final = CashDays()
        self._happened = 0
        """The number of entries in its own stream."""
        self._last_snapshot = 0
        self._bets: dict[str, tuple[int, dict[tuple[str, int], int]]] = {}
        """By table: the number of its round, and how often each player has bet in it at each box."""
        self._chains: dict[str, Chain] = {}
        self._entries: list[Entry] = []
        self._touched: dict[Account, int] = {}

    # --- the journal ------------------------------------------------------------------------------------------------

    def take_entries(self) -> list[Entry]:
        """The entries since the last call, to be made durable."""
        for table in self.tables.values():
            self._collect(table)
        if self._happened - self._last_snapshot >= max(self._house_snapshot_every, len(self.players) + len(self.filed)):
            self._record(self._snapshot(), self._last_at)
        entries, self._entries = self._entries, []
        return entries

    def take_documents(self) -> list[Document]:
        """The documents that changed since the last call, to be made durable together with the entry that records them, which
        `take_entries` returns next."""
        documents = self.shelf.take()
        if documents:
            filed = tuple(Filing(each.kind, each.key, each.version, digest(each)) for each in documents)
            self._record(DocumentsFiled(filed), documents[-1].time)
        return documents

    def take_touched(self) -> dict[Account, int]:
        """The accounts that the last entries of `take_entries` changed, with their new balances."""
        touched, self._touched = self._touched, {}
        return touched

    def _collect(self, table: Table) -> None:
        """Moves what a table recorded to the journal, and its money to the ledger."""
        if not table.recorded:
            return
        chain = self._chain(stream_of(table.name))
        for happening, at, transfers in table.recorded:
            self._post(transfers)
            kind = str(happening.__struct_config__.tag)
            self._entries.append(chain.add(at, kind, encode_table(happening), transfers))
        table.recorded.clear()

    def _post(self, transfers: tuple[Transfer, ...]) -> None:
        if not transfers:
            return
        try:
            self.ledger.post(*transfers)
        except Refused as refusal:
            # A table never asks for more than the credit that it was given; if that is missing, something is broken.
            raise LedgerFault(str(refusal)) from None
        self.ledger.forget(transfers)
        for transfer in transfers:
            self._touched[transfer.debit] = self.ledger[transfer.debit]
            self._touched[transfer.credit] = self.ledger[transfer.credit]

    def _record(self, event: HouseEvent, now: int, transfers: tuple[Transfer, ...] = ()) -> None:
        self._apply(event, transfers, now)
        self._last_at = now
        chain = self._chain(HOUSE)
        self._entries.append(chain.add(now, str(event.__struct_config__.tag), encode_house(event), transfers))

    def _chain(self, stream: str) -> Chain:
        if stream not in self._chains:
            self._chains[stream] = Chain(stream)
        return self._chains[stream]

    def come_back(self, book: Reading) -> None:
        """Loads a house from a book: the house and every table from their last snapshots, and the documents."""
        snapshot = {
            stream: book.last(stream, HOUSE_SNAPSHOT if stream == HOUSE else SNAPSHOT) for stream in book.heads()
        }
        self.restore(
            {stream: read_stream(book, stream, last.sequence - 1 if last else 0) for stream, last in snapshot.items()},
            book.balances(),
        )
        self.check_stamps()
        self.shelf.load(read_filed(book, self.filed.values()))

    def check_stamps(self) -> None:
        """Refuses a book that says its documents have no stamps although they had (SEC-7)."""
        if self._stamps is not None and self._happened:
            self._stamps.check_since(self.shelf.tickets_since)

    def restore(self, streams: Mapping[str, Iterable[Entry]], balances: Mapping[Account, int] | None = None) -> None:
        """Replays the stored journal and proves it on the way: every chain is intact, and every happening moves the same money
        again.

        A stream may begin with a snapshot of the house or the table (`house-stood`, `table-stood`); then the stored
        `balances` must be given. Otherwise they follow from the streams.
        """
        moved: Counter[Account] = Counter()
        for stream, entries in sorted(streams.items(), key=lambda item: item[0] != HOUSE):
            head = START
            for entry in entries:
                if head is START and entry.kind in (SNAPSHOT, HOUSE_SNAPSHOT):
                    head = Head(entry.sequence - 1, entry.previous)
                head = follow(head, entry)
                for name, change in changes(self._replay(stream, entry)).items():
                    moved[name] += change
            self._chains[stream] = Chain(stream, head)
        self.ledger = Ledger((moved if balances is None else balances).items())

    def _replay(self, stream: str, entry: Entry) -> tuple[Transfer, ...]:
        if stream == HOUSE:
            event = decode_house(entry.payload)
            if isinstance(event, HouseSnapshot) and self._happened and event != self._snapshot_like(event):
                raise Refused("house-snapshot-differs", entry=entry.sequence, clause="INT-1")
            self._apply(event, entry.transfers, entry.time)
            self._last_at = entry.time
            if isinstance(event, MoneyMoved):
                for transfer in entry.transfers:
                    self.requests.add(event.request or transfer.id, transfer, event.ticket)
            return entry.transfers
        table = self._table_named(table_of_stream(stream))
        happening = decode_table(entry.payload)
        transfers = table.apply(happening, entry.time)
        # Equal texts are equal transfers; an older version wrote some transfers differently.
        if write_transfers(transfers) != entry.money and transfers != entry.transfers:
            raise LedgerFault(f"Entry {entry.sequence} of {stream} moved other money than it moves now.")
        return transfers

    def _table_named(self, name: str) -> Table:
        if name not in self.tables:
            self.tables[name] = Table(
                name,
                self._sealing,
                snapshot_every=self._snapshot_every,
                holds=lambda account: self._holds(self.tables[name], account),
            )
        return self.tables[name]

    # --- the house itself -------------------------------------------------------------------------------------------

    def _apply(self, event: HouseEvent, transfers: tuple[Transfer, ...], at: int) -> None:
        match event:
            case HouseConfigured(config, version):
                self.config, self.version = config, version
            case PlayerAdmitted(player, how):
                self.players[player] = how
            case Noted(kind):
                self.running = self.running and kind != "house-stopped"
            case HouseStarted(keys=keys, stamped=stamped, tickets_stamped=tickets_stamped):
                self.running, self.keys = True, keys
                self.shelf.stamped |= stamped
                if tickets_stamped and not self.shelf.tickets_since:
                    self.shelf.tickets_since = self._happened + 1
            case DocumentsFiled(documents):
                self.filed |= {(each.kind, each.key): each for each in documents if each.kind != TICKET}
            case Forgotten(players, documents):
                self._let_go(players, documents)
            case HouseSnapshot():
                self._restore(event)
            case MoneyMoved():
                self.protection.moved(transfers)
                self.cash.moved(transfers, at, self.config.day_rule)
            case _:
                self._protect(event)
        self._happened += 1

    def _protect(self, event: HouseEvent) -> None:
        """PROT-1: applies an event to the protection of a player."""
        match event:
            case PlayerExcluded(player, at, kind, until, by, reason):
                self.protection.exclude(player, Exclusion(kind, at, until, by, reason))
            case ExclusionLifted(player, kind):
                self.protection.lift(player, kind)
            case LimitsChosen(player, at, chosen):
                self.protection.choose(player, chosen, at)
            case AgeConfirmed(player, by):
                self.protection.confirm_age(player, by)
            case PlayBegan(player, at, until, brought):
                self.protection.begin_play(player, at, until, brought)
            case PlayEnded(player, at):
                self.protection.end_play(player, at)
            case ReminderRead(player, at):
                self.protection.read_reminder(player, at)

    # --- the whole house, written down ------------------------------------------------------------------------------

    def _snapshot(self) -> HouseSnapshot:
        return HouseSnapshot(
            entries=self._happened,
            version=self.version,
            config=self.config,
            running=self.running,
            players=dict(self.players),
            # In the order of the fold, which is the same in every replay.
            documents=tuple(self.filed.values()),
            keys=self.keys,
            stamped=self.shelf.stamped,
            tickets_since=self.shelf.tickets_since,
            protected=self.protection.whole(),
            cash=self.cash.whole(),
        )

    def _restore(self, snapshot: HouseSnapshot) -> None:
        """Takes over a snapshot in a new house; a house that was replayed to this point has nothing to take over."""
        if not self._happened:
            self._happened, self.version, self.config = snapshot.entries, snapshot.version, snapshot.config
            self.running, self.players, self.keys = snapshot.running, dict(snapshot.players), snapshot.keys
            self.filed = {(each.kind, each.key): each for each in snapshot.documents}
            self.shelf.stamped, self.shelf.tickets_since = snapshot.stamped, snapshot.tickets_since
            self.protection.restore(snapshot.protected)
            self.requests.complete = False
        if snapshot.cash is None or not self._last_snapshot:
            # A start from this snapshot knows no cash from before it, so a longer replay must forget it too.
            self.cash.restore(snapshot.cash or {})
        self._last_snapshot = self._happened + 1

    def _snapshot_like(self, snapshot: HouseSnapshot) -> HouseSnapshot:
        """The house as the program of that time would have written it down."""
        own = self._snapshot()
        return own if snapshot.cash is not None else msgspec.structs.replace(own, cash=None)

    def _let_go(self, players: Iterable[str], documents: Iterable[tuple[str, str]]) -> None:
        for player in players:
            if self.players.pop(player, None) is None:
                raise Refused("forgot-player", player=player, clause="INT-1")
        for kind, key in documents:
            if kind not in FORGETTABLE or self.filed.pop((kind, key), None) is None:
                raise Refused("forgot-document", kind=kind, document=key, clause="INT-1")
            self.shelf.forget(kind, key)

    def _holds(self, table: Table, account: Account) -> int:
        """The balance of an account, with everything that the table has moved so far."""
        self._collect(table)
        return self.ledger[account]


english(
    "refused",
    {
        "house-snapshot-differs": "The snapshot in entry {entry} differs from what the entries before it give.",
        "forgot-player": "The journal drops the player {player}, who was not known.",
        "forgot-document": "The journal drops the {kind} {document}, which was not there or must be kept.",
    },
)
