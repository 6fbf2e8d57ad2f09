"""Play money: the rounds of training tables, and the credit of guests. Reports of money leave it out."""

from bisect import bisect_right
from collections.abc import Set
from typing import Final

from podium.house.events import PlayerAdmitted
from podium.house.events import decode as decode_house
from podium.house.house import PLAY_CAGE
from podium.house.table.events import RoundOpened, TableConfigured
from podium.house.table.events import decode as decode_table
from podium.record.journal import Entry
from podium.record.ledger import Account, Transfer, kind_of, names_of


class _Changes:
    """When a table became a training table, and when it stopped being one. Only changes are kept, so it stays small."""

    def __init__(self) -> None:
        self._at: Final[list[int]] = []
        self._training: Final[list[bool]] = []

    def note(self, at: int, training: bool) -> None:
        if training != (self._training[-1] if self._training else False):
            self._at.append(at)
            self._training.append(training)

    def at(self, moment: int) -> bool:
        found = bisect_right(self._at, moment)
        return found > 0 and self._training[found - 1]


class PlayMoney:
    """Follows the journal from its beginning."""

    def __init__(self) -> None:
        self._guests: Final[set[str]] = set()
        self._configured: Final[dict[str, _Changes]] = {}
        """By table, over time: whether it was configured for training, which decides who may sit down."""
        self._rounds: Final[dict[str, _Changes]] = {}
        """By table, over round numbers: a change of the configuration applies to the next round (GAME-5)."""
        self._upcoming: Final[dict[str, bool]] = {}

    @property
    def guests(self) -> Set[str]:
        return self._guests

    def follow_house(self, entry: Entry) -> None:
        if entry.kind == "player-admitted":
            admitted = decode_house(entry.payload)
            assert isinstance(admitted, PlayerAdmitted)
            (self._guests.add if admitted.how == "guest" else self._guests.discard)(admitted.player)

    def follow_table(self, table: str, entry: Entry) -> None:
        if entry.kind == "table-configured":
            configured = decode_table(entry.payload)
            assert isinstance(configured, TableConfigured)
            self._upcoming[table] = configured.config.training
            self._configured.setdefault(table, _Changes()).note(entry.time, configured.config.training)
        elif entry.kind == "round-opened" and table in self._upcoming:
            opened = decode_table(entry.payload)
            assert isinstance(opened, RoundOpened)
            self._rounds.setdefault(table, _Changes()).note(opened.round, self._upcoming[table])

    def at(self, table: str, time: int) -> bool:
        """Whether a table was configured for training."""
        return table in self._configured and self._configured[table].at(time)

    def moved(self, transfer: Transfer) -> bool:
        """Whether a transfer is of a round at a training table, or moves the play money of a guest."""
        if self.holds(transfer.debit) or self.holds(transfer.credit):
            return True
        if transfer.round:
            return transfer.table in self._rounds and self._rounds[transfer.table].at(int(transfer.round))
        return PLAY_CAGE in (transfer.debit, transfer.credit)

    def holds(self, name: Account) -> bool:
        """Whether an account is a guest's: the house owes nobody play money."""
        return (
            kind_of(name) in ("credit", "in-play", "attendant", "debt", "tips") and names_of(name)[-1] in self._guests
        )
