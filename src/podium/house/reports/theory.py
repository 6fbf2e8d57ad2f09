"""What the mathematics expects of a game, for the reports that hold it against what happened."""

from collections.abc import Mapping

from podium.basics.refusal import Refused
from podium.maths.par import par
from podium.rules.games import Game


def theory(game: Game) -> Mapping[str, float]:
    """The house edge of each wager under the best play, as a fraction of the initial wager; none where the mathematics refuses.

    Working it out can take a while for a new configuration; whoever asks often keeps it by the game's fingerprint.
    """
    try:
        sheet = par(game)
    except Refused:  # it does not read some option, and a report is made all the same
        return {}
    return {
        wager: float(entry.figures.house_edge)
        for entry in sheet.entries
        if entry.figures.staked  # a bonus without a stake of its own is part of the wager that it follows
        for wager in entry.wagers
    }
