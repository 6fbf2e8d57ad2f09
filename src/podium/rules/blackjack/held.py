"""The cards of a hand and their total."""

from podium.basics.cards import Card


class Held:
    """Cards with a running total, because a round asks for totals far more often than it deals."""

    __slots__ = ("aces", "cards", "hard")

    def __init__(self) -> None:
        self.cards: list[Card] = []
        self.hard = 0
        """The total with every ace as one."""
        self.aces = False

    def take(self, card: Card) -> None:
        self.cards.append(card)
        self.hard += card.points
        self.aces = self.aces or card.points == 1

    @property
    def soft(self) -> bool:
        return self.aces and self.hard <= 11

    @property
    def points(self) -> int:
        return self.hard + 10 if self.aces and self.hard <= 11 else self.hard
