"""Amounts in whole minor units, and exact odds."""

from typing import NamedTuple, Self

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.basics.words import money as amount

__all__ = ["EVEN", "Odds", "amount"]

MAX_ODDS_CHARS = 10
"""The most characters on either side of the odds."""


class Odds(NamedTuple):
    """`Odds(3, 2)` pays three for every two staked, and the stake comes back as well."""

    pays: int
    per: int

    def __str__(self) -> str:
        return f"{self.pays} to {self.per}"

    def as_fact(self) -> str:
        return self.ratio

    @property
    def ratio(self) -> str:
        return f"{self.pays}:{self.per}"

    def on(self, stake: int) -> int:
        """The winnings on a stake, rounded down to a minor unit.

        >>> Odds(3, 2).on(25)
        37
        """
        return stake * self.pays // self.per

    def breakage(self, stake: int) -> str:
        """What rounding down withheld, as an exact fraction of a minor unit; empty if nothing.

        >>> Odds(3, 2).breakage(25)
        '1/2'
        """
        left = stake * self.pays % self.per
        return f"{left}/{self.per}" if left else ""

    @classmethod
    def read(cls, text: object) -> Self:
        """Reads odds from a configuration: `"5:2"`, `"5 to 2"`, or a whole number to one.

        >>> Odds.read("5:2")
        Odds(pays=5, per=2)
        """
        if isinstance(text, int) and not isinstance(text, bool):
            pays, per = text, 1
        else:
            left, _, right = str(text).replace(" to ", ":").partition(":")
            if not all(part.strip().isdecimal() and len(part) <= MAX_ODDS_CHARS for part in (left, right)):
                raise Refused("not-odds", text=shortened(str(text)))
            pays, per = int(left), int(right)
        if not (0 < pays <= 100_000 and 0 < per <= 1_000):
            raise Refused("odds-range", text=shortened(str(text)))
        return cls(pays, per)


EVEN = Odds(1, 1)

english(
    "refused",
    {
        "not-odds": "{text:quoted} is not odds: write them like 5:2, 5 to 2, or 5 (to one).",
        "odds-range": "odds of {text:quoted} are out of range: 1:1000 to 100000:1 are accepted.",
    },
)
