"""The meters of a table or a terminal by their usual names, counted from transfers and from nothing else (MTR-1, MTR-2).

The money of a round is counted by its flows. When a correction, a void or a changed bet makes a flow shrink, its meter goes
back by as much, so that coin in - coin out - attendant paid is what the bank of the table has won (MTR-3).
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from typing import Final

import msgspec

from podium.record.ledger import AccountKind, RoundFlow, Transfer, TransferKind, kind_of, names_of
from podium.record.limits import MAX_ROUNDS_IN_A_METER

METER_DIGITS: Final = 10
"""A meter has ten digits and then wraps to zero."""

_COUNTS: Final[dict[TransferKind, tuple[str, ...]]] = {
    "cash-in": ("bills_in", "drop"),
    "cash-out": ("attendant_paid_cancelled_credits",),
    "ticket-in": ("vouchers_in", "drop"),
    "ticket-out": ("vouchers_out",),
    "electronic-in": ("electronic_transfers_in",),
    "electronic-out": ("electronic_transfers_out",),
}
"""The meters that each transfer at the desk counts for."""

_FLOWS: Final[dict[RoundFlow, tuple[AccountKind, tuple[str, ...]]]] = {
    "stake": ("credit", ("coin_in",)),
    "stake_back": ("in-play", ("coin_out",)),
    "win": ("bank", ("coin_out",)),
    # A wager for the dealer that won has left the game: it is paid out, though not to the player.
    "tip_of_stake": ("in-play", ("coin_out", "tips")),
    "tip_of_win": ("bank", ("coin_out", "tips")),
    "stake_lost": ("in-play", ()),
    "win_held": ("bank", ("attendant_paid_jackpots",)),
}
"""By flow of a round: the kind of account that it comes from, and the meters that it counts for."""

_FLOW_OF_KIND: Final[dict[TransferKind, RoundFlow]] = {
    "stake": "stake",
    "stake-back": "stake_back",
    "stake-lost": "stake_lost",
    "win": "win",
    "win-held": "win_held",
    "tip": "tip_of_stake",
    "void": "stake_back",
}
"""The flow of a transfer that does not name one."""


class Meters(msgspec.Struct):
    """The meters of one table, one terminal or the house, depending on which transfers are counted."""

    coin_in: int = 0
    coin_out: int = 0
    drop: int = 0
    bills_in: int = 0
    vouchers_in: int = 0
    vouchers_out: int = 0
    attendant_paid_jackpots: int = 0
    attendant_paid_cancelled_credits: int = 0
    electronic_transfers_in: int = 0
    electronic_transfers_out: int = 0
    tips: int = 0
    games_played: int = 0
    games_won: int = 0

    def shown(self) -> dict[str, str]:
        """Every meter as ten digits."""
        return {
            name: f"{value % 10**METER_DIGITS:0{METER_DIGITS}d}" for name, value in msgspec.structs.asdict(self).items()
        }


def _player(transfer: Transfer) -> str | None:
    for account in (transfer.credit, transfer.debit):
        if kind_of(account) in ("credit", "in-play", "attendant"):
            return names_of(account)[-1]
    return None


class _Games:
    """The games of one round: each is played, and won, once by each player, unless the round was voided."""

    __slots__ = ("settled", "void", "won")

    def __init__(self) -> None:
        self.settled: Counter[str | None] = Counter()
        """By player: the stakes that were settled."""
        self.won: Counter[str | None] = Counter()
        """By player: what the bank paid."""
        self.void = False

    def count(self, transfer: Transfer, flow: RoundFlow, amount: int) -> None:
        self.void |= transfer.kind == "void"
        if flow in ("stake_back", "stake_lost", "tip_of_stake"):
            self.settled[_player(transfer)] += amount
        elif flow in ("win", "win_held"):
            self.won[_player(transfer)] += amount

    def add_to(self, meters: Meters) -> None:
        if not self.void:
            meters.games_played += sum(amount > 0 for amount in self.settled.values())
            meters.games_won += sum(amount > 0 for amount in self.won.values())


class MeterReader:
    """Counts transfers, in the order of posting, into meters. A game was played by everybody whose stake was settled in
    a round, and won by everybody whom the bank paid. Only the players of the last few rounds of each table are
    remembered, so the meters of a year need no more memory than those of an hour."""

    def __init__(self) -> None:
        self._meters: Final = Meters()
        self._games: dict[str, OrderedDict[str, _Games]] = {}

    def count(self, transfer: Transfer) -> None:
        if not transfer.round:
            self._add(_COUNTS.get(transfer.kind, ()), transfer.amount)
            return
        flow = transfer.flow or _FLOW_OF_KIND.get(transfer.kind)
        if flow is None:
            return
        source, meters = _FLOWS[flow]
        amount = transfer.amount if kind_of(transfer.debit) == source else -transfer.amount
        self._add(meters, amount)
        self._round(transfer).count(transfer, flow, amount)

    def _add(self, meters: Iterable[str], amount: int) -> None:
        for name in meters:
            setattr(self._meters, name, getattr(self._meters, name) + amount)

    def _round(self, transfer: Transfer) -> _Games:
        """The games of a transfer's round: the one in play, or one that was reopened a little later."""
        rounds = self._games.setdefault(transfer.table, OrderedDict())
        games = rounds.get(transfer.round)
        if games is None:
            games = rounds[transfer.round] = _Games()
            if len(rounds) > MAX_ROUNDS_IN_A_METER:
                rounds.popitem(last=False)[1].add_to(self._meters)
        return games

    def read(self) -> Meters:
        """The meters of the transfers counted so far. Nothing can be counted after this call."""
        for rounds in self._games.values():
            for games in rounds.values():
                games.add_to(self._meters)
        self._games.clear()
        return self._meters


def handle(transfers: Iterable[Transfer]) -> int:
    """By how much these transfers change what was staked at their table; stakes that were taken back or voided do not
    count."""
    staked = 0
    for transfer in transfers:
        if transfer.flow == "stake":
            staked += transfer.amount if kind_of(transfer.credit) == "in-play" else -transfer.amount
        elif transfer.flow == "stake_back" and transfer.kind == "void" and kind_of(transfer.debit) == "in-play":
            staked -= transfer.amount
    return staked
