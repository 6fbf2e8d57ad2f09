"""The questions that the mathematics of a family of games answers."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from rich.console import RenderableType

from podium.maths.crowd import Block, Crowd
from podium.maths.figures import Figures
from podium.maths.jobs import Job, Player
from podium.maths.kernels import Kernel
from podium.maths.largest import Largest
from podium.maths.sheet import Entry
from podium.maths.sight import Position
from podium.rules.bets import Bet
from podium.rules.games import Game
from podium.rules.placard import Placard

Counted = tuple[Figures, Mapping[str, Figures]]
"""The figures of a wager, and by name those of the same wager played otherwise, for comparison."""


class Family(ABC):
    """The mathematics of the games whose rules are of one class."""

    rules: ClassVar[type[Placard]]
    kernels: ClassVar[tuple[Kernel[Any], ...]]
    """Every calculation of the family, with the options that it reads."""

    # --- exact figures ----------------------------------------------------------------------------------------------

    @abstractmethod
    def can_count(self, bet: Bet) -> bool:
        """Whether the figures of this bet can be worked out exactly."""

    @abstractmethod
    def counted(self, game: Game, wager: str, strategy: str) -> Counted:
        """The exact figures of a wager for the PAR sheet, under `best` or `timeout`."""

    def bonuses(self, game: Game, bet: Bet, strategy: str) -> Iterator[Entry]:
        """The bonuses of a bet that have no stake of their own; they follow it on the PAR sheet."""
        yield from ()

    @abstractmethod
    def figures(self, game: Game, wager: str, strategy: str) -> Figures | None:
        """The exact figures of a wager under any strategy; None where they are not known, or an option is not read."""

    @abstractmethod
    def unrounded(self, game: Game, wager: str, stake: int) -> bool:
        """Whether no payment on this stake is rounded down, so that it is paid as the exact figures pay it."""

    # --- rounds -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def shares_cards(self, game: Game) -> bool:
        """Whether everybody plays the same cards, so that players who decide alike have the same result."""

    @abstractmethod
    def player(self, job: Job) -> Player:
        """Whoever plays the blocks of a job, with everything prepared that they share."""

    @abstractmethod
    def blocks(self, crowd: Crowd) -> Block:
        """Plays blocks of a whole table, keeping what every player won in each round."""

    @abstractmethod
    def largest(self, crowd: Crowd) -> Largest:
        """The largest payout of a round."""

    # --- decisions --------------------------------------------------------------------------------------------------

    @abstractmethod
    def worths(self, game: Game, asked: Position) -> dict[str, float]:
        """What each answer to a question is worth, for each unit of the original wager."""

    @abstractmethod
    def warm_up(self, game: Game) -> None:
        """Do once what takes longer than any position: load and compile the kernels, and prepare the rules."""

    @abstractmethod
    def best_play(self, game: Game) -> Iterator[RenderableType]:
        """The best play, to be printed."""

    @abstractmethod
    def best_play_told(self, game: Game) -> dict[str, Any]:
        """As `podium strategy --json` writes it; refused where the best play is a text."""
