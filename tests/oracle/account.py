"""One player's money in a round: what left the credit, what came back, what the dealers got."""

from fractions import Fraction
from typing import Any

from tests.oracle.illegal import Illegal

UNLIMITED = 10**18


class Account:
    def __init__(self, name: str, credit: int | None) -> None:
        self.name = name
        self.credit = UNLIMITED if credit is None else credit
        self.opening = self.credit
        self.lowest = self.credit
        self.staked = 0
        self.returned = 0
        self.tips = 0
        self.lines: dict[tuple[str, str], list[int]] = {}

    def stake(self, wager: str, whom: str, amount: int) -> None:
        if amount > self.credit:
            raise Illegal(f"{self.name} has {self.credit} and cannot stake {amount} on {wager}")
        self.credit -= amount
        self.lowest = min(self.lowest, self.credit)
        self.staked += amount
        self.lines.setdefault((wager, whom), [0, 0])[0] += amount

    def give_back(self, wager: str, whom: str, amount: int) -> None:
        """To the player's credit: any return of the player's own wagers, and what is not won of the dealer's."""
        self.credit += amount
        self.returned += amount
        self.lines.setdefault((wager, whom), [0, 0])[1] += amount

    def tip(self, wager: str, amount: int) -> None:
        """A wager for the dealer won: stake and winnings go to the dealers."""
        self.tips += amount
        self.lines.setdefault((wager, "dealer"), [0, 0])[1] += amount

    def settle_side_bet(self, wager: str, whom: str, pays: Fraction | None) -> None:
        """Pays a side bet at the given odds to 1; None loses."""
        if (wager, whom) not in self.lines or pays is None:
            return
        amount = with_winnings(self.lines[wager, whom][0], pays)
        if whom == "player":
            self.give_back(wager, whom, amount)
        else:
            self.tip(wager, amount)

    def figures(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "staked": self.staked,
            "returned": self.returned,
            "tips": self.tips,
            "net": self.returned - self.staked,
            # The least credit with which these wagers and decisions could be paid for.
            "needed": self.opening - self.lowest,
            "wagers": [
                {
                    "wager": wager,
                    "for": whom,
                    "staked": staked,
                    "returned": returned,
                    "outcome": outcome(staked, returned),
                }
                for (wager, whom), (staked, returned) in self.lines.items()
            ],
        }


def outcome(staked: int, returned: int) -> str:
    if returned == staked:
        return "push"
    return "win" if returned > staked else "lose"


def with_winnings(stake: int, odds: Fraction) -> int:
    """The stake and what it wins, the winnings rounded down to a whole minor unit."""
    return stake + stake * odds.numerator // odds.denominator
