"""The configuration of one table."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from podium.games import Game, game
from podium.refusal import Refused


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which game, by which rules, at which pace. Times are seconds."""

    game: str
    options: dict[str, Any] = {}
    dealer: Literal["automated", "live"] = "automated"
    betting_seconds: float = 15
    insurance_seconds: float = 8
    """For insurance and even money; then the time for deciding begins."""
    decision_seconds: float = 12
    result_seconds: float = 6
    card_seconds: float = 0.8
    """The automated dealer's pace; 0 deals at once."""
    shuffle_seconds: float = 2
    """How long the automated dealer waits for the terminals' part in a shuffle."""
    close_early: bool = True
    """Whether the next card comes when everybody has decided, before the time for deciding is over."""
    close_betting_early: bool = False
    """Whether betting closes when everybody who sits at the table has bet."""
    penetration: float = 0.75
    """The share of the shoe that is dealt before the cut card comes out."""
    seat_kept_minutes: float = 5
    """How long the seat of a player who has lost the connection is kept, when no wager of the player is in play (DSC-1)."""
    places: int | None = None
    """How many players may sit down; None for as many as the game takes."""
    approvals: tuple[Literal["correct", "void"], ...] = ("void",)
    """What needs a supervisor's approval besides the dealer's hand."""
    attendant_pays_from: int = 1_200_00
    """HP-1: a win of this much in one round locks the terminal until an attendant has paid; 0 for never."""

    coach: bool = False
    """Whether a player who is asked something may be told what each answer is worth."""

    def rules(self) -> Game:
        """The game with its options, checked."""
        return _rules(self.game, msgspec.json.encode(self.options, order="sorted"))

    def check(self) -> Game:
        """Refuse a configuration that cannot run a table."""
        for name in ("betting_seconds", "insurance_seconds", "decision_seconds"):
            if not 0 < getattr(self, name) <= 3600:
                raise Refused(f"{name} = {getattr(self, name)} is not possible: more than 0 and at most 3600 seconds.")
        for name in ("result_seconds", "card_seconds", "shuffle_seconds"):
            if not 0 <= getattr(self, name) <= 3600:
                raise Refused(f"{name} = {getattr(self, name)} is not possible: from 0 to 3600 seconds.")
        if not 0 < self.seat_kept_minutes <= 1440:
            raise Refused(
                f"seat_kept_minutes = {self.seat_kept_minutes} is not possible: more than 0 and at most 1440 minutes."
            )
        if not 0.1 <= self.penetration <= 0.9:
            raise Refused(
                f"penetration = {self.penetration} is not possible: the share of the shoe that is dealt, 0.1 to 0.9."
            )
        if self.places is not None and self.places < 1:
            raise Refused(f"places = {self.places} is not possible: 1 or more.")
        if self.attendant_pays_from < 0:
            raise Refused(f"attendant_pays_from = {self.attendant_pays_from} is not possible: 0 or more minor units.")
        return self.rules()

    @property
    def seats(self) -> int | None:
        """How many players may sit down, by the table and by the rules of the game."""
        limits = [limit for limit in (self.places, self.rules().rules.places) if limit is not None]
        return min(limits, default=None)


@lru_cache(maxsize=256)
def _rules(name: str, options: bytes) -> Game:
    """A game is put together once for a configuration, which is asked for its rules many times in every round."""
    return game(name, msgspec.json.decode(options))


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
