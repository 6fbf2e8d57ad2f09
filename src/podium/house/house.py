"""The house: everything that people can do at its tables and at its desk."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import limits
from podium.house.calendar import Today
from podium.house.cash import CASH, alarms
from podium.house.config import HouseConfig, check, settled
from podium.house.events import (
    Forgotten,
    HouseConfigured,
    HouseEvent,
    HouseStarted,
    MoneyMoved,
    Noted,
    PlayBegan,
    PlayEnded,
    PlayerAdmitted,
)
from podium.house.protection import PlayLimits
from podium.house.shelf import Kept, name_of
from podium.house.stamps import Stamps
from podium.house.state import HouseState
from podium.house.table import Table, TableConfig
from podium.house.table.face_down import Sealing
from podium.record.ledger import Account, Transfer, TransferKind, account

CAGE: Final = CASH
PLAY_CAGE: Final = account("cage", "demonstration")


class House(HouseState):
    """All tables of one house, and everybody's money."""

    def __init__(
        self,
        sealing: Sealing,
        *,
        stamps: Stamps | None = None,
        snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
        house_snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
    ) -> None:
        super().__init__(
            sealing, stamps=stamps, snapshot_every=snapshot_every, house_snapshot_every=house_snapshot_every
        )
        self._bets: dict[str, tuple[int, dict[tuple[str, int], int]]] = {}
        """By table: the number of its round, and how often each player has bet in it at each box."""
        self._last_bets: dict[str, int] = {}
        """When each player whose time of play runs last bet, as far as this process knows (PROT-1)."""
        self._today: Final = Today()

    # --- its configuration ------------------------------------------------------------------------------------------

    def configure(self, config: HouseConfig, now: int, *, by: str = "") -> None:
        """Takes a configuration. Tables that it changes use it from their next round on (GAME-5); new ones are opened, and
        those that it leaves out are closed."""
        config = settled(config, {name: table.upcoming for name, table in self.tables.items()})
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
                table.close(now, by=by, why="not-configured")

    def configure_table(self, name: str, wanted: TableConfig, now: int, *, by: str) -> None:
        """Another configuration for one table, or a new table."""
        tables = {**self.config.tables, name: wanted}
        config = msgspec.structs.replace(self.config, tables=tables)
        check(config)
        self.configure(config, now, by=by)

    def started(
        self, program: str, now: int, *, signer: str = "", keys: dict[str, tuple[str, ...]] | None = None
    ) -> None:
        """Records that the program begins to serve: its fingerprint, the key that signs its checkpoints, and the ids of its
        keys."""
        stamps = self._stamps is not None
        self._record(HouseStarted(program, signer, keys or {}, stamped=stamps, tickets_stamped=stamps), now)

    def resume(self, since: int, now: int) -> None:
        """Goes on after the house itself stood still; it is known to have worked at `since` (DSC-2)."""
        for name in self.tables:
            self.at_table(name, lambda table: table.resume(since, now))

    def note(self, note: Noted, now: int) -> None:
        """EVT-1: notes a significant event, so that the floor can find it again."""
        self._record(note, now)

    def protect(self, event: HouseEvent, now: int) -> None:
        """PROT-1: records an event of player protection."""
        self._record(event, now)

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise no_such_table(name, self.tables)
        return self.tables[name]

    def forget(self, players: Iterable[str], documents: Iterable[Kept], now: int) -> None:
        """Drops those of the given players who have neither money nor a seat here, and those of the documents that are no
        longer valid."""
        gone = [player for player in players if player in self.players and self.has_left(player)]
        over = [name_of(document) for document in documents if self.shelf.may_forget(document)]
        most = limits.MAX_FORGOTTEN_AT_ONCE
        for at in range(0, max(len(gone), len(over)), most):
            self._record(Forgotten(tuple(gone[at : at + most]), tuple(over[at : at + most])), now)

    def has_left(self, player: str) -> bool:
        """Whether a player has neither money nor a seat here."""
        money = self.credit(player) or self.held(player) or self.debt(player)
        return not money and self.table_of(player) is None

    # --- players at tables ------------------------------------------------------------------------------------------

    def credit(self, player: str) -> int:
        return self.ledger.balance("credit", player)

    def debt(self, name: str) -> int:
        """The debt of a player: money that was taken back after it had been spent."""
        return -self.ledger.balance("debt", name)

    def held(self, player: str) -> int:
        """HP-1: the amount that an attendant must pay this player by hand."""
        return self.ledger.balance("attendant", player)

    def at_table(self, name: str, act: Callable[[Table], None]) -> None:
        """Carries out an action at a table; the money that it moved is in the ledger when this returns."""
        table = self.table(name)
        try:
            act(table)
        finally:
            self._collect(table)

    def sit_down(
        self, player: str, name: str, seat: int | None, now: int, *, box: int | None = None, without_seat: bool = False
    ) -> int:
        """Gives a player a seat, or a place without one; `box` numbers the player's boxes at a table."""
        self._check_play_money(player, name)
        self._check_may_play(player, now)
        tables = [table.name for table in self.tables_of(player)]
        if name not in tables and len(tables) >= limits.MAX_TABLES_PER_PLAYER:
            raise Refused("tables-enough", tables=tables)
        further = name not in tables or box is not None or seat is not None
        if further and len(self.table(name).players) >= limits.MAX_SEATS_PER_TABLE:
            raise Refused("seats-taken", seats=limits.MAX_SEATS_PER_TABLE)
        numbers: list[int] = []

        def join(table: Table) -> None:
            numbers.append(
                table.join_without_seat(player, now) if without_seat else table.sit_down(player, seat, now, box=box)
            )

        self.at_table(name, join)
        return numbers[0]

    def _check_play_money(self, player: str, name: str) -> None:
        """Refuses real money at a table where dealers practise."""
        table = self.table(name)
        trains = table.upcoming.training or (not table.between_rounds and table.configured.training)
        if trains and not self.is_guest(player):
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
        self._check_bet(player, name, amounts, for_dealer, box, now)
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
        self._begin_play(player, now)

    def decide(self, player: str, name: str, decision: str, now: int, *, box: int | None = None) -> None:
        """Makes a player's decision; what it costs comes from the credit that the ledger holds now."""
        own = self.protection.limits(player, now)
        if own.of_money:
            self._check_stake(player, self.table(name).adds_decision(player, decision, box), own, now)
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
        return self._in_play(player, self.tables_of(player)) > 0

    # --- the protection of players (PROT-1) -------------------------------------------------------------------------

    def at_stake(self, player: str) -> int:
        """What a player has at stake at all tables, with what the hands ask for if the player goes on."""
        tables = self.tables_of(player)
        return self._in_play(player, tables) + sum(table.follow_ups(player) for table in tables)

    def lost_today(self, player: str, now: int) -> int:
        """What a player has lost in this gaming day, apart from what is in play; below 0 for a win."""
        day = self.protection.day(player, now)
        return 0 if day is None else day.brought - self._has(player)

    def _has(self, player: str) -> int:
        """The player's money in the house, less what the player owes."""
        in_play = self._in_play(player, self.tables_of(player))
        return self.credit(player) + self.held(player) + in_play - self.debt(player)

    def _in_play(self, player: str, tables: Iterable[Table]) -> int:
        """What a player has staked in the rounds that these tables play."""
        return sum(self.ledger.balance("in-play", table.name, player) for table in tables)

    def last_bet(self, player: str, now: int) -> int:
        """When a player bet last; now for a player who has not bet since the program started."""
        return self._last_bets.setdefault(player, now)

    def check_admitted(self, player: str, now: int) -> None:
        """Refuses a player who is excluded."""
        self.protection.check_admitted(player, now, self.config.time_zone)

    def end_play(self, player: str, now: int) -> None:
        """Ends a player's time of play."""
        self._last_bets.pop(player, None)
        self.protect(PlayEnded(player, now), now)

    def _check_may_play(self, player: str, now: int) -> None:
        self.check_admitted(player, now)
        if self.config.least_age and not self.is_guest(player) and not self.protection.of(player).age_confirmed:
            raise Refused("age-first", age=self.config.least_age, clause="PROT-1")

    def _check_bet(
        self, player: str, name: str, amounts: dict[str, int], for_dealer: dict[str, int], box: int | None, now: int
    ) -> None:
        """Refuses a bet that the player's protection does not allow; taking wagers back is never refused."""
        config = self.config
        binds = config.least_age or config.reminder_minutes or self.protection.binds(player)
        if not binds or self.is_guest(player):
            return
        more = self.table(name).adds(player, amounts, for_dealer, box)
        if more > 0:
            self._check_may_play(player, now)
            self.protection.check_time(player, now, config.reminder_minutes)
            own = self.protection.limits(player, now)
            if own.of_money:
                self._check_stake(player, more, own, now)

    def _check_stake(self, player: str, more: int, own: PlayLimits, now: int) -> None:
        """Refuses a stake that the player's own limits do not allow."""
        if more > 0:
            own.check_stake(lost=self.lost_today(player, now), at_stake=self.at_stake(player), more=more)

    def _begin_play(self, player: str, now: int) -> None:
        """Begins a time of play with a wager, unless one runs."""
        if self.is_guest(player):
            return
        self._last_bets[player] = now
        day = self.protection.day(player, now)
        if day is None or not day.since:
            until = day.until if day is not None else self._today.ends(now, self.config.day_rule)
            self.protect(PlayBegan(player, now, until, self._has(player)), now)

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
        self.check_admitted(player, now)
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
        check_two_people(by, second, reason)
        if self.is_guest(player):
            raise Refused("adjustment-guest", player=player)
        if amount < 0:
            self.check_cash_out(player, -amount)
        details = {"second": second, "reason": reason, "terminal": terminal}
        self._move("adjustment", player, abs(amount), debit, target, now, key=key, by=by, **details)

    # --- requests at the desk ---------------------------------------------------------------------------------------

    def asked(self, key: str) -> Transfer | None:
        """The request that was carried out under a key, if there is one."""
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
        """Refuses anything but an amount of money that one act at the desk may move."""
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
        cash = self.cash.of(player, now)
        self._post((transfer,))
        self.requests.add(request or transfer.id, transfer, ticket)
        after = self.credit(player) if player else 0
        moved = MoneyMoved(
            transfer.kind, player, transfer.amount, transfer.who, second, reason, before, after, request, ticket
        )
        self._record(moved, now, (transfer,))
        large, many = self.config.cash_report, self.config.cash_buy_ins
        for alarm in alarms(transfer, cash, self.cash.of(player, now), large=large, many=many):
            about = player or "cage"
            self.note(Noted(alarm.kind, about, transfer.who, alarm.reason, str(alarm.before), str(alarm.after)), now)

    def take_back_play_money(self, player: str, now: int) -> None:
        """Takes back the play money of a guest who is gone for good and can no longer claim it."""
        if not self.is_guest(player) or self.table_of(player) is not None:
            return
        left: list[tuple[TransferKind, Account]] = [
            ("cash-out", account("credit", player)),
            ("win-handed", account("attendant", player)),
            ("tip-paid", account("tips", player)),
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


def check_two_people(by: str, second: str, reason: str) -> None:
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
        "age-first": "Confirm first that you are at least {age} years old.",
        "players-full": "The house is full: it has {players:count} players. Come back later.",
        "table-unknown": "There is no table {table:quoted}. Tables: {tables}.",
        "no-tables": "The house has no tables.",
        "tables-enough": "You sit at {tables}: leave one of these tables first.",
        "attendant": "An attendant must pay a win of {win:money} before play goes on.",
        "wagers-in-play": "There are wagers in play: cash out when the round is over.",
        "debt-first": (
            "A debt of {debt:money} is open, because money that was paid had to be taken back: it must be paid before credit leaves the house."
        ),
        "credit-less": "The credit is {credit:money}, less than {amount:money}.",
        "no-win-to-pay": "{player} has no win that an attendant must pay.",
        "adjustment-amount": "An adjustment is a whole number of minor units, above or below 0.",
        "adjustment-reason": "An adjustment needs a reason.",
        "adjustment-second": "An adjustment needs a second person.",
        "adjustment-guest": "{player} is a guest: play money is not adjusted.",
        "request-key-used": "The key {key} was used for another request: a new request needs a key of its own.",
        "not-an-amount": "{amount:quoted} is not an amount: it is a whole number of minor units, 1 or more.",
        "desk-limit": "{amount:money} is above the limit of {limit:money} for one act at the desk.",
    },
)
