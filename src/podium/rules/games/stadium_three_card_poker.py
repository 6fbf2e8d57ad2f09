"""Stadium Three Card Poker: three cards of an array of nine, against the dealer's three."""

from podium.rules.dealing import NineCards
from podium.rules.games.game import Game
from podium.rules.three_card import ThreeCardRules

GAME = Game(
    name="stadium-three-card-poker",
    short="TCP",
    title="Stadium Three Card Poker",
    place=3,
    dealing=NineCards,
    rules=ThreeCardRules(),
)
