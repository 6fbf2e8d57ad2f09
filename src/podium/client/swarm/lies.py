"""Commands that a house must refuse: impossible wagers, answers without a question, what another role may do."""

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from podium.client.shown import Turn
from podium.wire.commands import Command, Confirm, Decide, EnterCard, NewGame, PlaceBet, Void, Watch
from podium.wire.messages import RulesInForce

SOON: Final = 100
"""Rounds ahead: by the time a lie arrives on a busy machine, the next round may have begun."""


class Lie(NamedTuple):
    """A command that must be refused."""

    kind: type[Command]
    fields: dict[str, Any]

    @property
    def at_table(self) -> bool:
        """Whether it is a command of a player at a table, which names the table and the box where there are several."""
        return self.kind in (PlaceBet, Decide)

    def __str__(self) -> str:
        return f"{self.kind.__name__} {self.fields}"


def _main(rules: RulesInForce) -> str:
    return next(wager.wager for wager in rules.wagers if wager.main)


def _bet(turn: Turn, wagers: dict[str, int], ahead: int = 0, **more: Any) -> Lie:
    return Lie(PlaceBet, {"round": turn.table.round + ahead, "wagers": wagers, **more})


_LIES: Final[tuple[Callable[[Turn, RulesInForce], Lie], ...]] = (
    lambda turn, rules: _bet(turn, {_main(rules): -500}),
    lambda turn, rules: _bet(turn, {_main(rules): 0}),
    lambda turn, rules: _bet(turn, {_main(rules): 10**15}),
    lambda turn, rules: _bet(turn, {_main(rules): turn.seat.credit + 1_000_000}),
    lambda turn, rules: _bet(turn, {"no-such-wager": 500}),
    lambda turn, rules: _bet(turn, {_main(rules): 500}, ahead=SOON),
    lambda turn, rules: _bet(turn, {_main(rules): 500}, ahead=-1),
    lambda turn, rules: _bet(turn, {_main(rules): 500}, spots=(0, 0, 12)),
    lambda turn, rules: Lie(Decide, {"round": turn.table.round, "step": 99, "decision": "stand"}),
    lambda turn, rules: Lie(Decide, {"round": turn.table.round, "step": -1, "decision": "win"}),
    lambda turn, rules: Lie(Decide, {"round": turn.table.round + SOON, "step": 0, "decision": "stand"}),
    lambda turn, rules: Lie(NewGame, {"round": turn.table.round + 1}),
    lambda turn, rules: Lie(EnterCard, {"round": turn.table.round, "number": 1, "card": "As"}),
    lambda turn, rules: Lie(Confirm, {"round": turn.table.round}),
    lambda turn, rules: Lie(Void, {"round": turn.table.round, "reason": "I lost."}),
    lambda turn, rules: Lie(Watch, {"table": "no-such-table"}),
)


def a_lie(turn: Turn, rules: RulesInForce, dice: Random) -> Lie:
    return dice.choice(_LIES)(turn, rules)
