"""The public view of the tables, checked once for all the bots of a process."""

from collections import Counter
from typing import Final

from podium.basics.refusal import Refused
from podium.client.swarm.tally import Finding, Spread, Tally
from podium.rules.games import Game, game
from podium.wire.messages import Counts, RulesInForce, TableView

MAX_WINDOW_MS: Final = 3_600_000
"""The longest timer that a configuration allows: an hour."""
EVERYBODY: Final = "everybody"


class Wall:
    """The states of every table as they come, and the games that are played there."""

    def __init__(self, tally: Tally) -> None:
        self._tally: Final = tally
        self._newest: dict[str, TableView] = {}
        self._games: dict[str, Game] = {}
        self._shoes: dict[tuple[str, int], dict[int, Counter[str]]] = {}
        self._shoe_of: dict[tuple[str, int], int] = {}
        """The shoe of each round: a result is shown on while the next shoe is shuffled."""
        """By table and shoe: the cards of each of its rounds."""

    # --- rules ------------------------------------------------------------------------------------------------------

    def rules(self, shown: RulesInForce) -> None:
        """Makes the bots' own copy of a game from its options alone, and compares the fingerprints."""
        if shown.fingerprint in self._games:
            return
        try:
            own = game(shown.game, shown.options)
        except Refused as refusal:
            self._find(shown.table, 0, f"The rules that the house shows cannot be: {refusal}")
            return
        self._games[shown.fingerprint] = own
        if own.fingerprint != shown.fingerprint:
            self._find(
                shown.table, 0, f"The house says that its rules are {shown.fingerprint}; they are {own.fingerprint}."
            )

    def game(self, fingerprint: str) -> Game | None:
        return self._games.get(fingerprint)

    # --- states -----------------------------------------------------------------------------------------------------

    def saw(self, view: TableView, at: float) -> None:
        """Notes that a state reached one more terminal."""
        state = view.table, view.number, view.now
        spread = self._tally.spread.get(state)
        if spread is not None:
            spread.last = at
            spread.terminals += 1
            return
        self._tally.spread[state] = Spread(at, at)
        self._check(view)
        newest = self._newest.get(view.table)
        if newest is None or view.now >= newest.now:
            self._close(newest, view)
            self._newest[view.table] = view

    def counted(self, counts: Counts) -> None:
        """Checks the counts of a table that came alone."""
        if min(counts.players, counts.betting, counts.deciding, counts.total_bets) < 0:
            self._find(counts.table, 0, "A count below 0 is shown.")

    def _check(self, view: TableView) -> None:
        deadline, window = view.deadline, view.window
        if deadline is not None and (
            window is None or not 0 <= window <= MAX_WINDOW_MS or deadline - view.now > window
        ):
            self._find(
                view.table, view.round, f"A deadline of {deadline} at {view.now} in a window of {window} cannot be."
            )
        if view.phase == "betting" and view.cards:
            self._find(view.table, view.round, f"Cards are out while bets are taken: {' '.join(view.cards)}.")
        if min(view.players, view.betting, view.deciding, view.total_bets) < 0:
            self._find(view.table, view.round, "A count below 0 is shown.")
        if view.phase in ("result", "void"):
            self._tally.rounds.setdefault(view.table, set()).add(view.round)
            self._check_shoe(view)

    def _check_shoe(self, view: TableView) -> None:
        """CARD-1: checks that no card comes more often than the shoe holds it."""
        own = self.game(view.fingerprint)
        if view.shoe is None or own is None or view.shoe.dealt < len(view.cards):
            return  # by now the next shoe lies on the table, and these cards are not from it
        number = self._shoe_of.setdefault((view.table, view.round), view.shoe.number)
        rounds = self._shoes.setdefault((view.table, number), {})
        rounds[view.round] = Counter(view.cards)
        for card, times in sum(rounds.values(), Counter[str]()).items():
            if times > own.rules.decks:
                self._find(view.table, view.round, f"{card} came {times} times from shoe {number}.")

    def _close(self, before: TableView | None, view: TableView) -> None:
        """How late a window closed, if it ran to its end."""
        if before is None or before.deadline is None or (before.phase, before.round) == (view.phase, view.round):
            return
        if before.phase in ("betting", "deciding") and view.now >= before.deadline:
            self._tally.took("late", (view.now - before.deadline) / 1000)

    def _find(self, table: str, number: int, what: str) -> None:
        self._tally.find(Finding(EVERYBODY, table, number, what))
