"""The index of all rounds: where each one stands in the journal, and who played in it."""

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final, Literal

from podium.basics.cards import DECK, Card
from podium.house.reports.intervals import Interval
from podium.house.table import TableConfig
from podium.house.table.events import RoundOpened, ShoeLoaded, ShoeShuffled, TableConfigured, decode
from podium.play.events import CardCorrected, CardDealt, HoleTurned
from podium.play.tape import Tape
from podium.record.journal import Entry
from podium.record.ledger import kind_of, names_of

REMEMBERED: Final = 200
"""So many rounds of a player are found at once; REC-1 wants fifty. Older ones are found in the journal."""

Status = Literal["in play", "settled", "void"]


class RoundLine:
    """One round, as a line in a list: enough to find it and play it again."""

    __slots__ = ("config", "dealer", "ended", "first", "last", "opened", "out", "round", "rules", "status", "table",
                 "version")  # fmt: skip

    def __init__(self, table: str, opened: RoundOpened, entry: Entry, config: TableConfig, out: bytes) -> None:
        self.table: Final = table
        self.round: Final = opened.round
        self.opened: Final = entry.time
        self.first: Final = entry.sequence
        self.last = entry.sequence
        self.ended = 0
        self.status: Status = "in play"
        self.rules: Final = opened.rules
        self.version: Final = opened.version
        self.dealer: Final = opened.dealer
        self.config: Final = config
        self.out: Final = out
        """How often each of the 52 cards had left the shoe before."""

    def __repr__(self) -> str:
        return f"<round {self.round} of {self.table}, {self.status}>"

    @property
    def cards_out(self) -> dict[Card, int]:
        return {card: times for card, times in zip(DECK, self.out, strict=True) if times}


class _Following:
    """One table, as far as its rounds need it."""

    def __init__(self) -> None:
        self.configs: dict[int, TableConfig] = {}
        self.out = Counter[Card]()
        self.tape = Tape()
        self.round: RoundLine | None = None
        self.players: set[str] = set()


class Rounds:
    """Every round of every table; it follows the journal."""

    def __init__(self) -> None:
        self.by_table: dict[str, list[RoundLine]] = {}
        self._by_player: dict[str, deque[RoundLine]] = {}
        self._tables: dict[str, _Following] = {}

    # --- following --------------------------------------------------------------------------------------------------

    def follow(self, table: str, entry: Entry) -> None:
        """Take the next entry of a table."""
        following = self._tables.setdefault(table, _Following())
        if following.round is not None:
            following.round.last = entry.sequence
        match entry.kind:
            case "wagers-placed":
                self._wagers_placed(following, entry)
            case "card-dealt" | "hole-turned" | "card-corrected":
                _card(following.tape, entry)
            case "confirmed" | "voided":
                self._ended(following, entry)
            case "round-opened" | "table-configured" | "shoe-shuffled" | "shoe-loaded":
                self._between_rounds(table, following, entry)

    def _between_rounds(self, table: str, following: _Following, entry: Entry) -> None:
        match decode(entry.payload):
            case TableConfigured(version, config):
                following.configs[version] = config
            case ShoeShuffled() | ShoeLoaded():
                following.out = Counter()
            case RoundOpened() as opened:
                out = bytes(following.out[card] for card in DECK)
                line = RoundLine(table, opened, entry, following.configs[opened.version], out)
                following.round, following.tape, following.players = line, Tape(), set()
                self.by_table.setdefault(table, []).append(line)

    def _wagers_placed(self, following: _Following, entry: Entry) -> None:
        if following.round is None:
            return
        for player in players_in(entry):
            if player not in following.players:
                following.players.add(player)
                self._by_player.setdefault(player, deque(maxlen=REMEMBERED)).append(following.round)

    def _ended(self, following: _Following, entry: Entry) -> None:
        line = following.round
        if line is not None:
            line.ended, line.status = entry.time, "settled" if entry.kind == "confirmed" else "void"
        following.out.update(following.tape.shown)
        following.round, following.tape = None, Tape()

    # --- asking -----------------------------------------------------------------------------------------------------

    def find(self, table: str, number: int) -> RoundLine | None:
        lines = self.by_table.get(table, [])
        # Rounds are numbered from 1 without a gap.
        if 1 <= number <= len(lines) and lines[number - 1].round == number:
            return lines[number - 1]
        return next((line for line in lines if line.round == number), None)

    def of_player(self, player: str) -> list[RoundLine]:
        """The last rounds of a player, the newest first."""
        return list(reversed(self._by_player.get(player, ())))

    def knows_all_of(self, player: str) -> bool:
        return len(self._by_player.get(player, ())) < REMEMBERED

    def newest_first(self, table: str | None = None) -> Iterator[RoundLine]:
        lists = [self.by_table.get(table, [])] if table is not None else list(self.by_table.values())
        yield from sorted((line for lines in lists for line in lines), key=lambda line: line.opened, reverse=True)

    def ended_in(self, interval: Interval) -> Iterator[RoundLine]:
        """The rounds that ended in an interval, table by table."""
        for lines in self.by_table.values():
            yield from (line for line in lines if line.ended and line.ended in interval)


def players_in(entry: Entry) -> set[str]:
    """Whose stakes an entry moved."""
    return {
        names_of(account)[0]
        for transfer in entry.transfers
        for account in (transfer.debit, transfer.credit)
        if kind_of(account) == "credit"
    }


def _card(tape: Tape, entry: Entry) -> None:
    match decode(entry.payload):
        case CardDealt(card):
            tape.cards.append(card)
        case HoleTurned(card):
            tape.turned = card
        case CardCorrected(number, card):
            tape.correct(number, card)
