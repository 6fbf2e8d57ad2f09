"""What a configuration returns, from the same rules and outcome functions that the table runs on: exact analysis, best play,
simulation, exposure, the PAR sheet.

`podium.maths.par("stadium-blackjack")` is the way in for Python and notebooks (docs/notebook.md). Touches every core of the machine, and a
cache of what was worked out.
"""

from typing import TYPE_CHECKING, Any

from podium.rules.games import Game
from podium.rules.games import game as configured

if TYPE_CHECKING:
    from podium.maths.sheet import ParSheet
    from podium.maths.simulation import Simulated

__all__ = ["best_play", "par", "simulate"]


def _game(game: Game | str, options: dict[str, Any]) -> Game:
    return configured(game, options) if isinstance(game, str) else configured(game.name, {**game.changed(), **options})


# Each loads what it needs when it is called: the compiler alone takes a second.


def par(game: Game | str, strategy: str = "best", **options: Any) -> "ParSheet":
    """The PAR sheet of a game, with options as `podium par --option` takes them: `par("stadium-blackjack", decks=8)`.

    `strategy` is `best`, or `timeout` for a player who never answers.
    """
    from podium.maths.par_sheet import par as par_sheet  # noqa: PLC0415

    return par_sheet(_game(game, options), strategy)


def best_play(game: Game | str, **options: Any) -> list[dict[str, Any]]:
    """The best play of a game, a row for each hand, as `podium strategy --csv` writes it."""
    from podium.maths.families import family_of  # noqa: PLC0415

    chosen = _game(game, options)
    return family_of(chosen).best_play_rows(chosen)


def simulate(game: Game | str, rounds: int, *, jobs: int | None = None, **more: Any) -> "Simulated":
    """Rounds dealt from real shoes. `more` is what a `Job` takes: seed, strategy, players, wagers, penetration."""
    from podium.maths.jobs import Job  # noqa: PLC0415
    from podium.maths.simulation import simulate as simulated  # noqa: PLC0415

    return simulated(Job(_game(game, {}), rounds, **more), jobs=jobs)
