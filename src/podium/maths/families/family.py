"""The questions that the mathematics of a family of games answers: the interface of every family."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from rich.console import RenderableType

from podium.maths.figures import Figures
from podium.maths.jobs import BlockPlayer, Job
from podium.maths.kernels import Kernel
from podium.maths.largest import Largest
from podium.maths.patrons import Block, Patrons
from podium.maths.sheet import ParEntry
from podium.maths.sight import Position
from podium.rules.bets import Bet
from podium.rules.games import Game
from podium.rules.placard import Rules

Counted = tuple[Figures, Mapping[str, Figures]]
"""The figures of a wager and, by name, those of the same wager under other play, for comparison."""


class Family(ABC):
    """The mathematics of the games whose rules share a class."""

    rules_class: ClassVar[type[Rules]]
    kernels: ClassVar[tuple[Kernel[Any], ...]]
    """Every calculation of the family, with the options that it reads."""

    # --- exact figures ----------------------------------------------------------------------------------------------

    @abstractmethod
    def can_count(self, bet: Bet) -> bool:
        """Whether the figures of this bet can be worked out exactly."""

    @abstractmethod
    def counted(self, game: Game, wager: str, strategy: str) -> Counted:
        """The exact figures of a wager for the PAR sheet, under `best` or `timeout`."""

    def bonuses(self, game: Game, bet: Bet, strategy: str) -> Iterator[ParEntry]:
        """The bonuses of a bet that have no stake of their own; they follow it on the PAR sheet."""
        yield from ()

    @abstractmethod
    def figures(self, game: Game, wager: str, strategy: str) -> Figures | None:
        """The exact figures of a wager under any strategy; None if they are not known or an option is not read."""

    @abstractmethod
    def unrounded(self, game: Game, wager: str, stake: int) -> bool:
        """Whether no payment on this stake is rounded down, so that it is paid as in the exact figures."""

    # --- rounds -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def shares_cards(self, game: Game) -> bool:
        """Whether everybody plays the same cards, so that players who decide alike have the same result."""

    @abstractmethod
    def player(self, job: Job) -> BlockPlayer:
        """Prepares a job: the player of its blocks, with everything that the blocks share."""

    @abstractmethod
    def blocks(self, patrons: Patrons) -> Block:
        """Prepares a whole table: a function that plays a block and keeps what every player won in each round."""

    @abstractmethod
    def largest(self, patrons: Patrons) -> Largest:
        """The largest payout of a round."""

    # --- decisions --------------------------------------------------------------------------------------------------

    @abstractmethod
    def worths(self, game: Game, asked: Position) -> dict[str, float]:
        """What each answer to a question is worth, for each unit of the original wager."""

    @abstractmethod
    def warm_up(self, game: Game) -> None:
        """Loads and compiles the kernels and prepares the rules, which takes longer than any single position."""

    @abstractmethod
    def best_play(self, game: Game) -> Iterator[RenderableType]:
        """The best play, ready for printing."""

    @abstractmethod
    def best_play_rows(self, game: Game) -> list[dict[str, Any]]:
        """The best play, a row for each hand, as `podium strategy --csv` writes it."""

    @abstractmethod
    def best_play_dict(self, game: Game) -> dict[str, Any]:
        """The best play as `podium strategy --json` writes it; refused if it exists only as text."""
