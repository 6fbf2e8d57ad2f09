"""What reports and recall look things up in: small indexes in memory, which follow the journal.

`catch_up` reads what is new and nothing twice, so that a report in a running house costs what has happened since the
last one. All of it can be made again from the journal at any time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.house import HOUSE, table_of_stream
from podium.house.reports.recall import RoundRecord, entries_of, play_again, recall
from podium.house.reports.rounds import REMEMBERED, RoundLine, Rounds, players_in
from podium.house.reports.significant import SignificantEvents
from podium.house.reports.stays import Stays
from podium.play.round import Round
from podium.record.journal import Entry
from podium.record.store import Reading, read_stream
from podium.rules.games import Game

FIFTY: Final = 50
"""REC-1: at least so many rounds of a player are recalled."""

Theory = Callable[[Game], Mapping[str, float] | None]
"""The house edge of each wager as a fraction of the initial wager, where the mathematics knows it."""


class WagerTotals(NamedTuple):
    """One wager in one round, or in many: what was placed at first, all that was staked on it, all that it returned."""

    initial: int = 0
    staked: int = 0
    returned: int = 0

    def plus(self, other: "WagerTotals") -> "WagerTotals":
        return WagerTotals(self.initial + other.initial, self.staked + other.staked, self.returned + other.returned)

    @property
    def win(self) -> int:
        """What the house won."""
        return self.staked - self.returned


def totals_of(played: Round) -> dict[str, WagerTotals]:
    """What a round came to, by wager. A void round came to nothing."""
    totals: dict[str, WagerTotals] = {}
    if played.voided:
        return totals
    own = {*played.game.offers, *(bet.name for bet in played.game.rules.counted_apart)}
    for number, result in played.results.items():
        for placed in (played.seats[number].amounts, played.seats[number].for_dealer):
            for wager, amount in placed.items():
                totals[wager] = totals.get(wager, WagerTotals()).plus(WagerTotals(initial=amount))
        for line in result.wagers:
            # The play wager and the ante bonus belong to the ante, as they do in its house edge; insurance to nobody.
            wager = line.wager if line.wager in own else played.game.rules.main.name
            totals[wager] = totals.get(wager, WagerTotals()).plus(WagerTotals(0, line.staked, line.returned))
    return totals


class Records:
    """Rounds, stays and significant events of one house."""

    def __init__(self) -> None:
        self.rounds: Final = Rounds()
        self.stays: Final = Stays()
        self.significant: Final = SignificantEvents()
        self._followed: dict[str, int] = {}
        self._totals: dict[tuple[str, int], dict[str, WagerTotals]] = {}

    def catch_up(self, book: Reading) -> None:
        """Follow all that the book has and this has not."""
        # The house first: what is significant at a table is a matter of its configuration.
        for stream in sorted(book.heads(), key=lambda stream: (stream != HOUSE, stream)):
            self.follow(read_stream(book, stream, self._followed.get(stream, 0)))

    def follow(self, entries: Iterable[Entry]) -> None:
        """Take entries, each stream in its order; one that was taken already is passed over."""
        for entry in entries:
            if entry.sequence != self._followed.get(entry.stream, 0) + 1:
                continue
            self._followed[entry.stream] = entry.sequence
            if entry.stream == HOUSE:
                self.significant.follow_house(entry)
            else:
                table = table_of_stream(entry.stream)
                self.rounds.follow(table, entry)
                self.stays.follow(table, entry)
                self.significant.follow_table(table, entry)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def recall(self, book: Reading, table: str, number: int) -> RoundRecord:
        """Any round in full."""
        line = self.rounds.find(table, number)
        if line is None:
            raise Refused("round-unknown", round=number, table=shortened(table))
        return recall(book, line)

    def search(
        self, book: Reading, *, table: str | None = None, player: str | None = None, limit: int = FIFTY
    ) -> list[RoundLine]:
        """The last rounds that fit everything that is asked, the newest first."""
        lines = self.rounds.newest_first(table)
        if player is not None:
            lines = self._of_player(book, player, everything=table is not None or limit > REMEMBERED)
        return list(islice((line for line in lines if table in (None, line.table)), limit))

    def _of_player(self, book: Reading, player: str, *, everything: bool) -> Iterator[RoundLine]:
        """The rounds of a player, the newest first; what the index does not remember is looked for in the journal."""
        remembered = self.rounds.of_player(player)
        yield from remembered
        if everything and not self.rounds.knows_all_of(player):
            for line in self.rounds.newest_first():
                if line.opened < remembered[-1].opened and _plays(book, line, player):
                    yield line

    def totals(self, book: Reading, line: RoundLine) -> dict[str, WagerTotals]:
        """What a finished round came to; it is played again once, and then remembered."""
        key = (line.table, line.round)
        if key not in self._totals:
            self._totals[key] = totals_of(play_again(book, line).round) if line.status == "settled" else {}
        return self._totals[key]


def _plays(book: Reading, line: RoundLine, player: str) -> bool:
    return any(player in players_in(entry) for entry in entries_of(book, line))


english("refused", {"round-unknown": "There is no round {round:quoted} at {table:quoted}."})
