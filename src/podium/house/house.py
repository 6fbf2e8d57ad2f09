"""The house: its tables, its ledger, and the journal of everything that happens.

Everything here happens in memory, at once; `take_entries` hands over what must be durable before anybody is told.
The clock, the shuffler and the store belong to the caller.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import limits
from podium.house.config import HouseConfig, check
from podium.house.events import SNAPSHOT as HOUSE_SNAPSHOT
from podium.house.events import (
    DocumentsFiled,
    Filing,
    Forgotten,
    HouseConfigured,
    HouseEvent,
    HouseSnapshot,
    HouseStarted,
    MoneyMoved,
    Noted,
    PlayerAdmitted,
)
from podium.house.events import decode as decode_house
from podium.house.events import encode as encode_house
from podium.house.requests import Requests
from podium.house.shelf import FORGETTABLE, TICKET, Kept, Shelf, digest, name_of, read_filed
from podium.house.stamps import Stamps
from podium.house.table import Table, TableConfig
from podium.house.table.events import SNAPSHOT
from podium.house.table.events import decode as decode_table
from podium.house.table.events import encode as encode_table
from podium.house.table.state import Sealing
from podium.record.journal import START, Chain, Entry, Head, follow
from podium.record.ledger import Account, Ledger, LedgerFault, Transfer, TransferKind, account, changes
from podium.record.store import Document, Reading, read_stream

HOUSE: Final = "house"
"""The stream for everything that belongs to no table."""

CAGE: Final = account("cage", "main")
PLAY_CAGE: Final = account("cage", "demonstration")
"""The source of guests' play money, which is never cash."""


def stream_of(table: str) -> str:
    """The stream of a table."""
    return f"table/{table}"


def table_of_stream(stream: str) -> str:
    """The opposite of `stream_of`."""
    return stream.removeprefix("table/")


class House:
    """All tables of one house, and everybody's money."""

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
        self._happened = 0
        """The number of entries in its own stream."""
        self._last_snapshot = 0
        """The entry with the last snapshot of the house."""
        self._last_at = 0
        self._bets: dict[str, tuple[int, dict[tuple[str, int], int]]] = {}
        """By table: the number of its round, and how often each player has bet in it at each box."""
        self._chains: dict[str, Chain] = {}
        self._entries: list[Entry] = []
        self._touched: dict[Account, int] = {}

    # --- the journal ------------------------------------------------------------------------------------------------

    def take_entries(self) -> list[Entry]:
        """What happened since this was last called, to be made durable."""
        for table in self.tables.values():
            self._collect(table)
        if self._happened - self._last_snapshot >= max(self._house_snapshot_every, len(self.players) + len(self.filed)):
            self._record(self._snapshot(), self._last_at)
        entries, self._entries = self._entries, []
        return entries

    def take_documents(self) -> list[Document]:
        """The documents that changed since, to be made durable together with the entry that records them, which
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
            # A table never asks for more than the credit that it was told of; if that is missing, something is broken.
            raise LedgerFault(str(refusal)) from None
        self.ledger.forget(transfers)
        for transfer in transfers:
            self._touched[transfer.debit] = self.ledger[transfer.debit]
            self._touched[transfer.credit] = self.ledger[transfer.credit]

    def _record(self, event: HouseEvent, now: int, transfers: tuple[Transfer, ...] = ()) -> None:
        self._apply(event)
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
        self.shelf.load(read_filed(book, self.filed.values()))

    def restore(self, streams: Mapping[str, Iterable[Entry]], balances: Mapping[Account, int] | None = None) -> None:
        """Replays the stored journal and proves it on the way: every chain is intact, and every happening moves
        the money that it moved then.

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
            if isinstance(event, HouseSnapshot) and self._happened and event != self._snapshot():
                raise Refused("house-snapshot-differs", entry=entry.sequence, clause="INT-1")
            self._apply(event)
            self._last_at = entry.time
            if isinstance(event, MoneyMoved):
                for transfer in entry.transfers:
                    self.requests.add(event.request or transfer.id, transfer, event.ticket)
            return entry.transfers
        table = self._table_named(table_of_stream(stream))
        happening = decode_table(entry.payload)
        transfers = table.apply(happening, entry.time)
        if transfers != entry.transfers:
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

    def _apply(self, event: HouseEvent) -> None:
        match event:
            case HouseConfigured(config, version):
                self.config, self.version = config, version
            case PlayerAdmitted(player, how):
                self.players[player] = how
            case Noted(kind):
                self.running = self.running and kind != "house-stopped"
            case HouseStarted(keys=keys, stamped=stamped):
                self.running, self.keys = True, keys
                self.shelf.stamped |= stamped
            case DocumentsFiled(documents):
                self.filed |= {(each.kind, each.key): each for each in documents if each.kind != TICKET}
            case Forgotten(players, documents):
                self._let_go(players, documents)
            case HouseSnapshot():
                self._restore(event)
            case MoneyMoved():
                pass
        self._happened += 1

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
        )

    def _restore(self, snapshot: HouseSnapshot) -> None:
        """Takes over a snapshot in a new house; a house that was replayed to this point has nothing to take over."""
        if not self._happened:
            self._happened, self.version, self.config = snapshot.entries, snapshot.version, snapshot.config
            self.running, self.players, self.keys = snapshot.running, dict(snapshot.players), snapshot.keys
            self.filed = {(each.kind, each.key): each for each in snapshot.documents}
            self.shelf.stamped = snapshot.stamped
            self.requests.complete = False
        self._last_snapshot = self._happened + 1

    def forget(self, players: Iterable[str], documents: Iterable[Kept], now: int) -> None:
        """Drops players who have neither money nor a seat here, and documents that are no longer valid; no others."""
        gone = [player for player in players if player in self.players and self.has_left(player)]
        over = [name_of(document) for document in documents if self.shelf.may_forget(document)]
        most = limits.MAX_FORGOTTEN_AT_ONCE
        for at in range(0, max(len(gone), len(over)), most):
            self._record(Forgotten(tuple(gone[at : at + most]), tuple(over[at : at + most])), now)

    def has_left(self, player: str) -> bool:
        """Whether a player has neither money nor a seat here."""
        money = self.credit(player) or self.held(player) or self.debt(player)
        return not money and self.table_of(player) is None

    def _let_go(self, players: Iterable[str], documents: Iterable[tuple[str, str]]) -> None:
        for player in players:
            if self.players.pop(player, None) is None:
                raise Refused("forgot-player", player=player, clause="INT-1")
        for kind, key in documents:
            if kind not in FORGETTABLE or self.filed.pop((kind, key), None) is None:
                raise Refused("forgot-document", kind=kind, document=key, clause="INT-1")
            self.shelf.forget(kind, key)

    # --- its configuration ------------------------------------------------------------------------------------------

    def configure(self, config: HouseConfig, now: int, *, by: str = "") -> None:
        """Takes a configuration. Tables that it changes use it from their next round on (GAME-5); new ones are opened, and
        those that it leaves out are closed."""
        self._record(HouseConfigured(config, self.version + 1, by), now)
        for name, wanted in config.tables.items():
            is_new = name not in self.tables
            table = self._table_named(name)
            if wanted != (table.pending or table.config):
                table.configure(wanted, now, by=by)
            if is_new:
                table.open(now, by=by)
        for name, table in self.tables.items():
            if name not in config.tables and table.is_open:
                table.close(now, by=by, reason="the table is not in the configuration any more")

    def configure_table(self, name: str, wanted: TableConfig, now: int, *, by: str) -> None:
        """Another configuration for one table, or a new table."""
        tables = {**self.config.tables, name: wanted}
        config = msgspec.structs.replace(self.config, tables=tables)
        check(config)
        self.configure(config, now, by=by)

    def started(
        self, program: str, now: int, *, signer: str = "", keys: dict[str, tuple[str, ...]] | None = None
    ) -> None:
        """The program begins to serve: its fingerprint, the key that signs its checkpoints, and the ids of its keys."""
        self._record(HouseStarted(program, signer, keys or {}, stamped=self._stamps is not None), now)

    def note(self, note: Noted, now: int) -> None:
        """EVT-1: notes a significant event, so that the floor can find it again."""
        self._record(note, now)

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise no_such_table(name, self.tables)
        return self.tables[name]

    # --- players at tables ------------------------------------------------------------------------------------------

    def credit(self, player: str) -> int:
        return self.ledger[account("credit", player)]

    def _holds(self, table: Table, account: Account) -> int:
        """What an account holds, with everything that the table has moved so far."""
        self._collect(table)
        return self.ledger[account]

    def debt(self, name: str) -> int:
        """What somebody owes the house: money that was taken back and not there any more."""
        return -self.ledger[account("debt", name)]

    def held(self, player: str) -> int:
        """HP-1: what an attendant has to pay this player by hand."""
        return self.ledger[account("attendant", player)]

    def at_table(self, name: str, act: Callable[[Table], None]) -> None:
        """Carries out an action at a table; the money that it moved is in the ledger when this returns."""
        table = self.table(name)
        try:
            act(table)
        finally:
            self._collect(table)

    def sit_down(self, player: str, name: str, seat: int | None, now: int, *, box: int | None = None) -> int:
        """Gives a player a seat; `box` numbers the player's boxes at a table."""
        self._check_play_money(player, name)
        tables = [table.name for table in self.tables_of(player)]
        if name not in tables and len(tables) >= limits.MAX_TABLES_PER_PLAYER:
            raise Refused("tables-enough", tables=tables)
        further = name not in tables or box is not None or seat is not None
        if further and len(self.table(name).players) >= limits.MAX_SEATS_PER_TABLE:
            raise Refused("seats-taken", seats=limits.MAX_SEATS_PER_TABLE)
        numbers: list[int] = []
        self.at_table(name, lambda table: numbers.append(table.sit_down(player, seat, now, box=box)))
        return numbers[0]

    def _check_play_money(self, player: str, name: str) -> None:
        """Refuses real money at a table where dealers practise."""
        if self.table(name).upcoming.training and not self.is_guest(player):
            raise Refused("training-guests", table=name)

    def tables_of(self, player: str) -> list[Table]:
        """Where a player sits. All wagers there are paid from one credit."""
        return [table for table in self.tables.values() if player in table.seats]

    def table_of(self, player: str) -> Table | None:
        """One of the tables where a player sits."""
        return next((table for table in self.tables.values() if player in table.seats), None)

    def bet(
        self,
        player: str,
        name: str,
        amounts: dict[str, int],
        for_dealer: dict[str, int],
        spots: tuple[int, ...],
        now: int,
        *,
        terminal: str = "",
        device: str = "",
        box: int | None = None,
    ) -> None:
        """Places or replaces a bet. Its results count for the terminal where it was made (MTR-1)."""
        self._check_play_money(player, name)
        if self.held(player):
            raise Refused("attendant", win=self.held(player), clause="HP-1")
        made, at = self._bets_in_round(name), (player, box or 1)
        times = made.get(at, 0)
        if times >= limits.MAX_BETS_PER_ROUND:
            raise Refused("bets-changed", times=limits.MAX_BETS_PER_ROUND)
        credit = self.credit(player)
        self.at_table(
            name,
            lambda table: table.bet(
                player, amounts, for_dealer, spots, credit=credit, now=now, terminal=terminal, device=device, box=box
            ),
        )
        made[at] = times + 1

    def decide(self, player: str, name: str, decision: str, now: int, *, box: int | None = None) -> None:
        """Makes a player's decision; what it costs comes from the credit that the ledger holds now."""
        self.at_table(name, lambda table: table.decide(player, decision, now, credit=self.credit(player), box=box))

    def _bets_in_round(self, name: str) -> dict[tuple[str, int], int]:
        """How often each player has bet in the current round of a table, by box."""
        number = self.table(name).round_number
        counted = self._bets.get(name)
        if counted is None or counted[0] != number:
            counted = self._bets[name] = (number, {})
        return counted[1]

    def in_play(self, player: str) -> bool:
        """Whether the player has wagers in play."""
        return any(self.ledger[account("in-play", table.name, player)] > 0 for table in self.tables_of(player))

    # --- the cashier ------------------------------------------------------------------------------------------------

    def admit(self, player: str, how: str, now: int) -> None:
        if player in self.players:
            return
        if len(self.players) >= limits.MAX_PLAYERS:
            raise Refused("players-full", players=limits.MAX_PLAYERS)
        self._record(PlayerAdmitted(player, how), now)

    def is_guest(self, player: str) -> bool:
        return self.players.get(player) == "guest"

    def cage_for(self, player: str) -> Account:
        """The account that a player's credit comes from: the cage, or the play money of guests."""
        return PLAY_CAGE if self.is_guest(player) else CAGE

    def pay_in(self, player: str, amount: int, now: int, *, key: str, by: str, terminal: str = "") -> None:
        """Buy-in: gives the player credit for what the cage took."""
        self.check_amount(amount)
        debit, target = self.cage_for(player), account("credit", player)
        if self.asked_before(key, "cash-in", debit, target, amount):
            return
        self._move("cash-in", player, amount, debit, target, now, key=key, by=by, terminal=terminal)

    def pay_out(
        self, player: str, amount: int, now: int, *, key: str, by: str, second: str = "", terminal: str = ""
    ) -> None:
        """Cash-out at the cage; `second` approved it, where two are needed."""
        self.check_amount(amount)
        debit, target = account("credit", player), self.cage_for(player)
        if self.asked_before(key, "cash-out", debit, target, amount):
            return
        self.check_cash_out(player, amount)
        self._move("cash-out", player, amount, debit, target, now, key=key, by=by, second=second, terminal=terminal)

    def check_cash_out(self, player: str, amount: int) -> None:
        """Refuses to let credit leave the house while any of it is in play (CSH-2)."""
        if self.in_play(player):
            raise Refused("wagers-in-play", clause="CSH-2")
        if self.debt(player):
            raise Refused("debt-first", debt=self.debt(player), clause="CARD-2")
        if amount > self.credit(player):
            raise Refused("credit-less", credit=self.credit(player), amount=amount)

    def attendant_paid(self, player: str, now: int, *, key: str, by: str, terminal: str = "") -> int:
        """HP-1: records that an attendant paid a large win by hand; the terminal is unlocked."""
        debit, target = account("attendant", player), self.cage_for(player)
        known = self.asked(key)
        if known is not None and self.asked_before(key, "win-handed", debit, target, known.amount):
            return known.amount
        amount = self.held(player)
        if not amount:
            raise Refused("no-win-to-pay", player=player)
        self._move("win-handed", player, amount, debit, target, now, key=key, by=by, terminal=terminal)
        return amount

    def adjust(
        self,
        player: str,
        amount: int,
        now: int,
        *,
        key: str,
        by: str,
        second: str,
        reason: str,
        terminal: str = "",
    ) -> None:
        """CSH-1: corrects a balance; it takes two people and a reason."""
        if type(amount) is not int or amount == 0:
            raise Refused("adjustment-amount")
        self.check_amount(abs(amount))
        credit, adjustments = account("credit", player), account("adjustments")
        debit, target = (adjustments, credit) if amount > 0 else (credit, adjustments)
        if self.asked_before(key, "adjustment", debit, target, abs(amount)):
            return
        _check_two_people(by, second, reason)
        if self.is_guest(player):
            raise Refused("adjustment-guest", player=player)
        if amount < 0:
            self.check_cash_out(player, -amount)
        details = {"second": second, "reason": reason, "terminal": terminal}
        self._move("adjustment", player, abs(amount), debit, target, now, key=key, by=by, **details)

    # --- debts ------------------------------------------------------------------------------------------------------

    def pay_debt(
        self, player: str, amount: int, now: int, *, key: str, by: str, in_cash: bool = False, terminal: str = ""
    ) -> None:
        """Pays a debt, in part or whole: from the credit, or in cash."""
        self.check_amount(amount)
        debit = self.cage_for(player) if in_cash else account("credit", player)
        target = account("debt", player)
        if self.asked_before(key, "debt-paid", debit, target, amount):
            return
        self._check_debt(player, amount)
        if not in_cash and amount > self.credit(player):
            raise Refused("credit-less", credit=self.credit(player), amount=amount)
        self._move("debt-paid", player, amount, debit, target, now, key=key, by=by, terminal=terminal)

    def forgive_debt(
        self, player: str, amount: int, now: int, *, key: str, by: str, second: str, reason: str, terminal: str = ""
    ) -> None:
        """Forgives a debt, in part or whole; it takes two people and a reason, like every adjustment (CSH-1)."""
        self.check_amount(amount)
        debit, target = account("adjustments"), account("debt", player)
        if self.asked_before(key, "debt-forgiven", debit, target, amount):
            return
        _check_two_people(by, second, reason)
        self._check_debt(player, amount)
        details = {"second": second, "reason": reason, "terminal": terminal}
        self._move("debt-forgiven", player, amount, debit, target, now, key=key, by=by, **details)

    def _check_debt(self, player: str, amount: int) -> None:
        if amount > self.debt(player):
            raise Refused("debt-less", player=player, debt=self.debt(player), amount=amount)

    # --- requests at the desk ---------------------------------------------------------------------------------------

    def asked(self, key: str) -> Transfer | None:
        """What was carried out under the key of a request, if it was."""
        return self.requests.find(key)

    def asked_before(self, key: str, kind: TransferKind, debit: Account, credit: Account, amount: int) -> bool:
        """LED-2: whether this very request has been carried out. A different request under the same key is refused."""
        known = self.asked(key)
        if known is None:
            return False
        if (known.kind, known.debit, known.credit, known.amount) != (kind, debit, credit, amount):
            raise Refused("request-key-used", key=key, clause="LED-2")
        return True

    def check_amount(self, amount: int) -> None:
        """Refuses what is not an amount of money, or more than one act at the desk may move."""
        if type(amount) is not int or amount < 1:
            raise Refused("not-an-amount", amount=shortened(str(amount)))
        if amount > self.config.desk_limit:
            raise Refused("desk-limit", amount=min(amount, limits.MAX_AMOUNT), limit=self.config.desk_limit)

    def _move(
        self,
        kind: TransferKind,
        player: str,
        amount: int,
        debit: Account,
        target: Account,
        now: int,
        *,
        key: str,
        by: str,
        second: str = "",
        reason: str = "",
        terminal: str = "",
    ) -> None:
        """One transfer at the desk, under the id of the request."""
        transfer = Transfer(key, debit, target, amount, kind, who=by, terminal=terminal)
        self.carry_out(transfer, player, now, second=second, reason=reason)

    def carry_out(
        self,
        transfer: Transfer,
        player: str,
        now: int,
        *,
        request: str = "",
        ticket: str = "",
        second: str = "",
        reason: str = "",
    ) -> None:
        """Records a transfer at the desk. `request` is the key of the request, where that is not the transfer's id, and
        `ticket` the key of the ticket that was issued for it."""
        before = self.credit(player) if player else 0
        self._post((transfer,))
        self.requests.add(request or transfer.id, transfer, ticket)
        after = self.credit(player) if player else 0
        moved = MoneyMoved(
            transfer.kind, player, transfer.amount, transfer.who, second, reason, before, after, request, ticket
        )
        self._record(moved, now, (transfer,))

    def take_back_play_money(self, player: str, now: int) -> None:
        """Takes back the play money of a guest who is gone for good, because nobody can claim it any longer."""
        if not self.is_guest(player) or self.table_of(player) is not None:
            return
        left: list[tuple[TransferKind, Account]] = [
            ("cash-out", account("credit", player)),
            ("win-handed", account("attendant", player)),
        ]
        for kind, source in left:
            amount = self.ledger[source]
            if amount:
                transfer = Transfer(f"goodbye.{player}.{kind}", source, PLAY_CAGE, amount, kind, who="house")
                self.carry_out(transfer, player, now, reason="the guest is gone")
        if owed := self.debt(player):
            name, debt = f"goodbye.{player}.debt-paid", account("debt", player)
            transfer = Transfer(name, PLAY_CAGE, debt, owed, "debt-paid", who="house")
            self.carry_out(transfer, player, now, reason="the guest is gone")


def _check_two_people(by: str, second: str, reason: str) -> None:
    """CSH-1: an adjustment needs a reason, and a second person."""
    if not reason.strip():
        raise Refused("adjustment-reason", clause="CSH-1")
    if not second or second == by:
        raise Refused("adjustment-second", clause="CSH-1")


def no_such_table(name: str, tables: Iterable[str]) -> Refused:
    """The refusal for a table that the house does not have."""
    known = list(tables)
    return Refused("table-unknown", table=shortened(name), tables=known) if known else Refused("no-tables")


english(
    "refused",
    {
        "training-guests": "Dealers practise at {table}: only guests with play money sit down there.",
        "bets-changed": "You have changed your bet {times} times in this round: it stays as it is.",
        "players-full": "The house is full: it has {players:count} players. Come back later.",
        "house-snapshot-differs": "The snapshot in entry {entry} differs from what the entries before it give.",
        "forgot-player": "{player} is forgotten, but was not known.",
        "forgot-document": "The {kind} {document} is forgotten, but was not kept, or must be kept.",
        "table-unknown": "There is no table {table:quoted}. Tables: {tables}.",
        "no-tables": "The house has no tables.",
        "tables-enough": "You sit at {tables}: leave one of these tables first.",
        "attendant": "An attendant must pay a win of {win:money} before play goes on.",
        "wagers-in-play": "There are wagers in play: cash out when the round is over.",
        "debt-first": (
            "A debt of {debt:money} is open, because paid money was taken back: it is paid before credit leaves the house."
        ),
        "debt-less": "{player} owes {debt:money}, less than {amount:money}.",
        "credit-less": "The credit is {credit:money}, less than {amount:money}.",
        "no-win-to-pay": "{player} has no win that an attendant must pay.",
        "adjustment-amount": "An adjustment is a whole number of minor units, above or below 0.",
        "adjustment-reason": "An adjustment needs a reason.",
        "adjustment-second": "An adjustment needs a second person.",
        "adjustment-guest": "{player} is a guest: play money is not adjusted.",
        "request-key-used": "The request {key} was another one before: a new request needs a key of its own.",
        "not-an-amount": "{amount:quoted} is not an amount: it is a whole number of minor units, 1 or more.",
        "desk-limit": "{amount:money} is above the limit of {limit:money} for one act at the desk.",
    },
)
