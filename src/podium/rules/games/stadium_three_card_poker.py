"""Stadium Three Card Poker: three cards of an array of nine, against the dealer's three."""

from podium.rules.dealing import NineCards
from podium.rules.games.game import Game
from podium.rules.three_card import ThreeCardRules

GAME = Game(
    name="stadium-three-card-poker",
    short="TCP",
    title="Stadium Three Card Poker",
    order=3,
    dealing=NineCards,
    rules=ThreeCardRules(),
    clauses={
        "game.nine-cards": "intro",
        "wagers.new-game": "1",
        "wagers.locations": "2",
        "wagers.take-part-with-ante": "3, 4",
        "wagers.bonuses": "3",
        "wagers.blind": "3.a",
        "play-or-fold.packets": "4, 5, 6",
        "play-or-fold.choice": "7",
        "play-or-fold.folded": "7, 7.a",
        "play-or-fold.dealers-three": "8",
        "settlement.confirm": "10",
        "settlement.not-qualified": "9",
        "settlement.better-hand": "9",
    },
)
