"""The rules of play of a configured game in plain English, written from the options and paytables that it runs on."""

from podium.blackjack.rules import BlackjackRules
from podium.games import Game
from podium.rulebook.blackjack import write_blackjack
from podium.rulebook.book import Draft, Rulebook, Section, Sentence, Table
from podium.rulebook.three_card import write_three_card

__all__ = ["Rulebook", "Section", "Sentence", "Table", "rulebook"]


def rulebook(game: Game) -> Rulebook:
    """The whole rules of play of that configuration."""
    draft = Draft(game)
    if isinstance(game.rules, BlackjackRules):
        write_blackjack(draft, game.rules)
    else:
        write_three_card(draft)
    return draft.finish()
