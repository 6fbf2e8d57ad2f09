"""Small indexes in memory for reports and recall, which follow the journal.

`catch_up` reads only what is new, so that a report in a running house costs what has happened since the last one. The
indexes begin at a moment (`since`), which moves forward when they grow too large; what is older is read from the journal on
request. They can be rebuilt from the journal at any time.
"""

from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set
from itertools import islice
from typing import Final, Literal, NamedTuple, get_args

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import limits
from podium.house.calendar import Calendar
from podium.house.events import HouseConfigured
from podium.house.events import decode as decode_house
from podium.house.reports.intervals import Interval
from podium.house.reports.playmoney import PlayMoney
from podium.house.reports.recall import RoundRecord, entries_of, play_again, recall
from podium.house.reports.rounds import (
    REOPENED,
    Begun,
    RoundLine,
    Rounds,
    players_in,
    round_begun_at,
    round_of_number,
    rounds_ended_in,
)
from podium.house.reports.significant import SignificantEvents
from podium.house.reports.stays import Stays
from podium.house.state import HOUSE, table_of_stream
from podium.play.round import Round
from podium.record.journal import Entry
from podium.record.store import Reading, read_stream
from podium.rules.games import Game

ROUNDS_RECALLED_PER_PLAYER: Final = 50
"""REC-1: at least this many rounds of a player are recalled."""
Index = Literal["rounds", "stays", "events"]
INDEXES: Final[Set[Index]] = frozenset(get_args(Index))
SIT_DOWN_WINDOW_MS: Final = 24 * 3_600_000
"""For reports about a time long ago: a buy-in counts for a stay that begins within a day of it."""
_ENTRIES_PER_CHECK: Final = 10_000
"""Entries to follow before checking again whether the indexes have grown too large."""
_SHARE_KEPT: Final = 0.9
"""The part of an index that stays when it has grown too large."""

Theory = Callable[[Game], Mapping[str, float] | None]
"""The house edge of each wager as a fraction of the initial wager, where the mathematics knows it."""


class WagerTotals(NamedTuple):
    """A wager in one or more rounds: what was placed at first, what was staked in all, and what was returned."""

    initial: int = 0
    staked: int = 0
    returned: int = 0

    def plus(self, other: "WagerTotals") -> "WagerTotals":
        return WagerTotals(self.initial + other.initial, self.staked + other.staked, self.returned + other.returned)

    @property
    def win(self) -> int:
        """What the house won."""
        return self.staked - self.returned


def totals_of(played: Round, *, without: Container[int] = ()) -> dict[str, WagerTotals]:
    """The totals of a round, by wager, without those of some seats. A voided round has none."""
    totals: dict[str, WagerTotals] = {}
    if played.voided:
        return totals
    own = {*played.game.offers, *(bet.name for bet in played.game.rules.counted_apart)}
    for number, result in played.results.items():
        if number in without:
            continue
        for placed in (played.seats[number].amounts, played.seats[number].for_dealer):
            for wager, amount in placed.items():
                totals[wager] = totals.get(wager, WagerTotals()).plus(WagerTotals(initial=amount))
        for line in result.wagers:
            # The play wager and the ante bonus count with the ante, as they do in its house edge; insurance counts by itself.
            wager = line.wager if line.wager in own else played.game.rules.main.name
            totals[wager] = totals.get(wager, WagerTotals()).plus(WagerTotals(0, line.staked, line.returned))
    return totals


class RoundsWanted(NamedTuple):
    """A search for rounds; empty fields and 0 match every round."""

    table: str = ""
    player: str = ""
    cards: int = 0
    """Cards that were shown in the round, as `mask_of` writes them."""
    staked: int = 0
    """A player staked at least this much in it."""
    won: int = 0
    """A player won at least this much in it."""
    limit: int = ROUNDS_RECALLED_PER_PLAYER

    def has(self, line: RoundLine) -> bool:
        return (
            self.table in ("", line.table)
            and line.cards & self.cards == self.cards
            and line.most_staked >= self.staked
            and line.most_won >= self.won
        )


class Records:
    """Rounds, stays and significant events of one house, from the moment `since` on."""

    def __init__(self, *, about: Interval | None = None, follows: Set[Index] = INDEXES) -> None:
        """Covers everything; or only an interval, and some of the indexes."""
        self.since = about.since if about is not None else 0
        """Rounds, stays and events that ended earlier are not indexed."""
        until = about.until if about is not None else None
        self.rounds: Final = Rounds(self.since)
        self.stays: Final = Stays(self.since, until + SIT_DOWN_WINDOW_MS if until is not None else None)
        self.significant: Final = SignificantEvents(self.since, until)
        self.play_money: Final = PlayMoney()
        self.calendar: Final = Calendar()
        self._follows: Final = follows
        self._followed: dict[str, int] = {}
        self._totals: OrderedDict[tuple[str, int], dict[str, WagerTotals]] = OrderedDict()

    def catch_up(self, book: Reading) -> None:
        """Indexes everything new in the book."""
        # The house first: its configuration says what is significant at a table.
        for stream in sorted(book.heads(), key=lambda stream: (stream != HOUSE, stream)):
            self.follow(read_stream(book, stream, self._followed.get(stream, 0)))

    def reaching(self, book: Reading, interval: Interval, index: Index) -> "Records":
        """Records with an index that covers the whole interval: these, or new ones read from the journal for this question. An
        interval with more than fits is refused."""
        if interval.since >= self.since:
            return self
        made = Records(about=interval, follows={index})
        made.catch_up(book)
        if made.since > interval.since:
            raise Refused("report-too-busy", clause="REP-1")
        return made

    def follow(self, entries: Iterable[Entry]) -> None:
        """Takes entries, each stream in its order; entries that were taken already are skipped."""
        for number, entry in enumerate(entries, 1):
            if number % _ENTRIES_PER_CHECK == 0:
                self._keep_within_limits()
            if entry.sequence != self._followed.get(entry.stream, 0) + 1:
                continue
            self._followed[entry.stream] = entry.sequence
            if entry.stream == HOUSE:
                self.significant.follow_house(entry)
                self.play_money.follow_house(entry)
                self._follow_calendar(entry)
            else:
                self._follow_table(table_of_stream(entry.stream), entry)
        self._keep_within_limits()

    def _follow_calendar(self, entry: Entry) -> None:
        if entry.kind == "house-configured":
            configured = decode_house(entry.payload)
            assert isinstance(configured, HouseConfigured)
            self.calendar.change(configured.config.day_rule, entry.time)

    def _follow_table(self, table: str, entry: Entry) -> None:
        self.play_money.follow_table(table, entry)
        if "rounds" in self._follows:
            self.rounds.follow(table, entry)
            if entry.kind == REOPENED:
                self._totals.clear()
        if "stays" in self._follows:
            self.stays.follow(table, entry)
        if "events" in self._follows:
            self.significant.follow_table(table, entry)

    def _keep_within_limits(self) -> None:
        """Drops the oldest from all indexes together, so that all begin at the same moment."""
        for count, most, times in (
            (self.rounds.count, limits.MAX_INDEXED_ROUNDS, self.rounds.ends),
            (self.stays.count, limits.MAX_INDEXED_STAYS, self.stays.ends),
            (len(self.significant), limits.MAX_INDEXED_EVENTS, self.significant.times),
        ):
            if count > most:
                ended = sorted(times())
                excess = min(count - int(_SHARE_KEPT * most), len(ended))
                if excess:
                    self._forget(ended[excess - 1] + 1)

    def _forget(self, since: int) -> None:
        self.since = since
        for index in (self.rounds, self.stays, self.significant):
            index.forget(since)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def recall(self, book: Reading, table: str, number: int) -> RoundRecord:
        """Any round in full."""
        line = self.find(book, table, number)
        if line is None:
            raise Refused("round-unknown", round=number, table=shortened(table))
        return recall(book, line)

    def find(self, book: Reading, table: str, number: int) -> RoundLine | None:
        """Any round by its number."""
        line = self.rounds.find(table, number)
        return line or (round_of_number(book, table, number) if self.since else None)

    def ended_in(self, book: Reading, interval: Interval) -> Iterator[RoundLine]:
        """The rounds that ended in an interval, table by table; older ones are read from the journal and not indexed."""
        if interval.since >= self.since:
            yield from self.rounds.ended_in(interval)
            return
        for stream in sorted(book.heads()):
            if stream != HOUSE:
                yield from rounds_ended_in(book, stream.removeprefix("table/"), interval)

    def search(
        self,
        book: Reading,
        *,
        table: str | None = None,
        player: str | None = None,
        limit: int = ROUNDS_RECALLED_PER_PLAYER,
    ) -> list[RoundLine]:
        """The last rounds that match, newest first."""
        lines = self.rounds.newest_first(table)
        if player is not None:
            lines = self._of_player(book, player, everything=table is not None or limit > ROUNDS_RECALLED_PER_PLAYER)
        return list(islice((line for line in lines if table in (None, line.table)), limit))

    def look_for(self, book: Reading, wanted: "RoundsWanted", interval: Interval) -> list[RoundLine]:
        """The rounds that opened in an interval and match, newest first; what is not indexed any more is read from the journal."""
        lines: Iterable[RoundLine]
        if wanted.player:
            lines = self._of_player(book, wanted.player, everything=True)
        elif interval.since >= self.since:
            lines = self.rounds.newest_first(wanted.table or None)
        else:
            lines = sorted(self.ended_in(book, interval), key=lambda line: line.opened, reverse=True)
        return list(islice((line for line in lines if line.opened in interval and wanted.has(line)), wanted.limit))

    def _of_player(self, book: Reading, player: str, *, everything: bool) -> Iterator[RoundLine]:
        """The rounds of a player, newest first; those that are not in the index are looked up in the journal."""
        oldest = None
        for begun in self.rounds.of_player(player):
            oldest = self._begun_at(book, begun)
            if oldest is not None:
                yield oldest
        if everything and oldest is not None and not self.rounds.knows_all_of(player):
            for line in self.rounds.newest_first():
                if line.opened < oldest.opened and _plays(book, line, player):
                    yield line

    def _begun_at(self, book: Reading, begun: Begun) -> RoundLine | None:
        return self.rounds.begun_at(begun) or round_begun_at(book, begun)

    def totals(self, book: Reading, line: RoundLine) -> dict[str, WagerTotals]:
        """The totals of a finished round, without guests' play money; it is played again once, and then cached."""
        key = (line.table, line.round)
        if key not in self._totals:
            self._remember(key, self._played_again(book, line) if line.status == "settled" else {})
        return self._totals[key]

    def _played_again(self, book: Reading, line: RoundLine) -> dict[str, WagerTotals]:
        again = play_again(book, line)
        guests = self.play_money.guests
        return totals_of(again.round, without={seat for seat, player in again.players.items() if player in guests})

    def _remember(self, key: tuple[str, int], totals: dict[str, WagerTotals]) -> None:
        while len(self._totals) >= limits.MAX_KNOWN_TOTALS:
            self._totals.popitem(last=False)
        self._totals[key] = totals


def _plays(book: Reading, line: RoundLine, player: str) -> bool:
    return any(player in players_in(entry) for entry in entries_of(book, line))


english(
    "refused",
    {
        "round-unknown": "There is no round {round:quoted} at {table:quoted}.",
        "report-too-busy": "More happened in this time than a report can hold: ask for a shorter interval.",
    },
)
