"""The meters of a table or a terminal by their usual names, counted from transfers and from nothing else (MTR-1, MTR-2)."""

from collections.abc import Iterable
from typing import Final

import msgspec

from podium.record.ledger import Transfer, TransferKind, kind_of, names_of

DIGITS: Final = 10
"""A meter shows ten digits and then begins again at zero."""

_COUNTS: Final[dict[TransferKind, tuple[str, ...]]] = {
    "cash-in": ("bills_in", "drop"),
    "cash-out": ("attendant_paid_cancelled_credits",),
    "ticket-in": ("vouchers_in", "drop"),
    "ticket-out": ("vouchers_out",),
    "electronic-in": ("electronic_transfers_in",),
    "electronic-out": ("electronic_transfers_out",),
    "stake": ("coin_in",),
    "stake-back": ("coin_out",),
    # A meter never runs backwards, so the stakes of a voided round count as paid out again.
    "void": ("coin_out",),
    "win": ("coin_out",),
    "win-held": ("attendant_paid_jackpots",),
    "tip": ("tips",),
}


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
        return {name: f"{value % 10**DIGITS:0{DIGITS}d}" for name, value in msgspec.structs.asdict(self).items()}


def _player(transfer: Transfer) -> str | None:
    for account in (transfer.credit, transfer.debit):
        if kind_of(account) in ("credit", "in-play", "attendant"):
            return names_of(account)[-1]
    return None


class _Games:
    """The games of one round: each is played, and won, once by each player."""

    __slots__ = ("played", "round", "won")

    def __init__(self, number: str) -> None:
        self.round: Final = number
        self.played: set[str | None] = set()
        self.won: set[str | None] = set()


class MeterReader:
    """Counts transfers into meters. For each table it remembers the players of one round only, so that the
    meters of a year need no more memory than those of an hour."""

    def __init__(self) -> None:
        self._meters: Final = Meters()
        self._games: dict[str, _Games] = {}

    def count(self, transfer: Transfer) -> None:
        for name in _COUNTS.get(transfer.kind, ()):
            setattr(self._meters, name, getattr(self._meters, name) + transfer.amount)
        if transfer.kind in ("stake-back", "stake-lost"):
            self._round(transfer).played.add(_player(transfer))
        elif transfer.kind in ("win", "win-held"):
            self._round(transfer).won.add(_player(transfer))

    def _round(self, transfer: Transfer) -> _Games:
        """The games of a transfer's round. A table plays one round after another (GAME-3)."""
        games = self._games.get(transfer.table)
        if games is None or games.round != transfer.round:
            self._finish(games)
            games = self._games[transfer.table] = _Games(transfer.round)
        return games

    def _finish(self, games: _Games | None) -> None:
        if games is not None:
            self._meters.games_played += len(games.played)
            self._meters.games_won += len(games.won)

    def read(self) -> Meters:
        """The meters of the transfers counted so far. Nothing can be counted after this call."""
        for games in self._games.values():
            self._finish(games)
        self._games.clear()
        return self._meters


def read_meters(transfers: Iterable[Transfer]) -> Meters:
    """The meters of these transfers, which must be in the order of posting.

    A game was played by everybody whose stake was settled in a round, and won by everybody whom the bank paid.
    """
    reader = MeterReader()
    for transfer in transfers:
        reader.count(transfer)
    return reader.read()


def handle(transfers: Iterable[Transfer]) -> int:
    """By how much these transfers change what was staked at their table; stakes that were taken back or voided do not
    count."""
    staked = 0
    for transfer in transfers:
        if transfer.flow == "stake":
            staked += transfer.amount if kind_of(transfer.credit) == "in-play" else -transfer.amount
        elif transfer.flow == "stake_back" and transfer.kind == "void":
            staked -= transfer.amount
    return staked
