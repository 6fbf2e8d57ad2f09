"""A seat in a round: its player, their stakes and their credit."""

from typing import Final, NamedTuple

from podium.basics.money import Odds
from podium.basics.words import Phrase
from podium.rules.asking import Place
from podium.rules.placard import Offer
from podium.rules.results import WagerResult


class Stake(NamedTuple):
    """What lies on one wager of a seat."""

    wager: str
    whose: str
    amount: int


class Seat:
    """One player's money in one round."""

    __slots__ = (
        "amounts",
        "brought",
        "for_dealer",
        "name",
        "number",
        "settled",
        "shares",
        "spots",
        "staked",
        "terminal",
    )

    def __init__(
        self,
        number: int,
        amounts: dict[str, int],
        for_dealer: dict[str, int],
        *,
        name: str = "",
        spots: tuple[int, ...] = (),
        brought: int | None = None,
        terminal: str = "",
        shares: int = 0,
    ) -> None:
        self.number: Final = number
        self.shares: Final = shares or number
        """The same for all boxes of a player that share the most that a player is paid."""
        self.name: Final = name
        self.amounts: Final = amounts
        self.for_dealer: Final = for_dealer
        self.spots: Final = spots
        self.terminal: Final = terminal
        self.brought = brought
        """The credit that the player came with and added since; None for unlimited."""
        self.staked = sum(amounts.values()) + sum(for_dealer.values())
        """Everything that left the credit so far."""
        self.settled: list[WagerResult] = []
        """The wagers that are decided and credited."""

    def __repr__(self) -> str:
        credit = self.credit
        return f"<Seat {self.number}: staked {self.staked}, credit {'unlimited' if credit is None else credit}>"

    @property
    def who(self) -> str | Phrase:
        """The name of the seat in a sentence: its player's name, or its number."""
        return self.name or Place("seat", self.number).as_fact()

    @property
    def returned(self) -> int:
        """Everything that came back to the credit so far."""
        return sum([wager.returned - wager.tips for wager in self.settled])

    @property
    def tips(self) -> int:
        return sum([wager.tips for wager in self.settled])

    @property
    def credit(self) -> int | None:
        return None if self.brought is None else self.brought - self.staked + self.returned

    @property
    def placed(self) -> list[Stake]:
        """What was staked before the deal, wager by wager, the player's first."""
        own = [Stake(wager, "player", amount) for wager, amount in self.amounts.items()]
        return own + [Stake(wager, "dealer", amount) for wager, amount in self.for_dealer.items()]

    def stakes_on(self, wager: str) -> list[tuple[str, int]]:
        """What lies on a wager, the player's first: ("player", 500), ("dealer", 100)."""
        return [
            (whose, stakes[wager])
            for whose, stakes in (("player", self.amounts), ("dealer", self.for_dealer))
            if wager in stakes
        ]


def paid_by(offer: Offer, outcome: str | None) -> Odds | None:
    """The odds that a table pays for an outcome; None if it loses."""
    line = offer.bet.line(offer.paytable, outcome)
    return None if line is None else offer.paytable[line]


def settle_stake(wager: str, whose: str, stake: int, odds: Odds | None, why: Phrase) -> WagerResult:
    """Settles a wager by a paytable. What a wager for the dealer returns goes to the tips."""
    if odds is None:
        return WagerResult(wager, whose, stake, 0, 0, (why,))
    returned = stake + odds.on(stake)
    return WagerResult(
        wager, whose, stake, returned, returned if whose == "dealer" else 0, (why,), odds.breakage(stake)
    )
