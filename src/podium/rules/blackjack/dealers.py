"""The dealer's hand in blackjack."""

from collections.abc import Iterable

from podium.basics.cards import Card, codes
from podium.rules.blackjack.held import Held
from podium.rules.results import DealerResult


class DealersHand(Held):
    """Cards are added while the rules make the dealer draw; later ones are not part of the hand."""

    __slots__ = ("hits_soft_17",)

    def __init__(self, cards: Iterable[Card], *, hits_soft_17: bool) -> None:
        super().__init__()
        self.hits_soft_17 = hits_soft_17
        for card in cards:
            if self.complete:
                break
            self.take(card)

    @property
    def complete(self) -> bool:
        """SBJ 9.b: totals of 16 or less are hit, and a soft 17 where the rules say so."""
        points = self.points
        return points > 17 or (points == 17 and not (self.hits_soft_17 and self.soft))

    @property
    def blackjack(self) -> bool:
        return len(self.cards) == 2 and self.aces and self.hard == 11

    @property
    def bust(self) -> bool:
        return self.hard > 21

    def result(self) -> DealerResult:
        return DealerResult(codes(self.cards), self.points, self.blackjack, self.bust)
