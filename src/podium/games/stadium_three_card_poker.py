"""Stadium Three Card Poker: three cards of an array of nine, against the dealer's three."""

from podium.dealing import NineCards
from podium.games.game import Game
from podium.threecard import ThreeCardRules

GAME = Game(
    name="stadium-three-card-poker",
    short="TCP",
    title="Stadium Three Card Poker",
    place=3,
    dealing=NineCards,
    rules=ThreeCardRules(),
)
