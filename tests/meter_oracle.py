"""What the meters must say, from the rounds as they were settled in the end and from the bare accounts (MTR-3).

It reads what each wager staked and returned, and by how much the accounts of a round changed. It knows nothing of kinds of
transfers, of flows or of meters, and shares no code with `record/meters.py` and `house/table/money.py`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from podium.record.ledger import Transfer
from podium.rules.results import SeatResult


class Expected(NamedTuple):
    """The meters of the games of one table."""

    coin_in: int = 0
    coin_out: int = 0
    attendant_paid_jackpots: int = 0
    tips: int = 0
    games_played: int = 0
    games_won: int = 0


class _Telling(NamedTuple):
    """One round, as it was settled in the end."""

    staked: int
    returned: int
    """Everything that its wagers returned: to players, attendants and dealers."""
    tips: int
    played: int
    won: int


class MeterOracle:
    """Follows all tables of a house."""

    def __init__(self) -> None:
        self._rounds: dict[tuple[str, str], _Telling] = {}
        self._moved: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """By table and round: the change of each account."""

    def moved(self, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            if transfer.round and not transfer.debit.startswith("debt/"):  # what the house lends is no part of the game
                accounts = self._moved[transfer.table, transfer.round]
                accounts[transfer.debit] -= transfer.amount
                accounts[transfer.credit] += transfer.amount

    def settled(
        self, table: str, number: int, players: Mapping[int, str], results: Mapping[int, SeatResult], *, void: bool
    ) -> None:
        """Counts a round that is over. If it was reopened, the last settlement counts."""
        wagers = [(players[seat], wager) for seat, result in results.items() for wager in result.wagers]
        won: Counter[str] = Counter()
        for player, wager in wagers:
            won[player] += max(wager.returned - wager.tips - wager.staked, 0)
        self._rounds[table, str(number)] = _Telling(
            staked=sum(wager.staked for _, wager in wagers),
            returned=sum(wager.returned for _, wager in wagers),
            tips=sum(wager.tips for _, wager in wagers),
            played=0 if void else len({player for player, _ in wagers}),
            won=0 if void else sum(amount > 0 for amount in won.values()),
        )

    def is_over(self, transfer: Transfer) -> bool:
        """Whether a transfer belongs to a round that was settled."""
        return (transfer.table, transfer.round) in self._rounds

    def expected(self, table: str) -> Expected:
        """What the meters of a table must say of the rounds that are over."""
        total = Counter[str]()
        for (name, number), told in self._rounds.items():
            if name == table:
                held = self._change(name, number, "attendant/")
                total.update(coin_in=told.staked, coin_out=told.returned - held, attendant_paid_jackpots=held)
                total.update(tips=told.tips, games_played=told.played, games_won=told.won)
        return Expected(**total)

    def won_by_bank(self, table: str) -> int:
        """By how much the bank of a table has changed in the rounds that are over."""
        return sum(self._change(name, number, "bank/") for name, number in self._rounds if name == table)

    def _change(self, table: str, number: str, kind: str) -> int:
        accounts = self._moved[table, number]
        return sum(amount for name, amount in accounts.items() if name.startswith(kind))


def meter_differences(oracle: MeterOracle, table: str, shown: Mapping[str, int]) -> list[str]:
    """Where the meters of a table differ from the oracle."""
    expected, bank = oracle.expected(table)._asdict(), oracle.won_by_bank(table)
    found = [
        f"{table}: {name} is {shown[name]}, but the settled rounds come to {value}"
        for name, value in expected.items()
        if shown[name] != value
    ]
    held = shown["coin_in"] - shown["coin_out"] - shown["attendant_paid_jackpots"]
    if held != bank:
        found.append(f"{table}: coin in - coin out - attendant paid is {held}, but its bank changed by {bank}")
    return found
