"""The rules of play of a configured game in plain English, written from the options and paytables that it runs on."""

from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import Game
from podium.rules.rulebook.blackjack import write_blackjack
from podium.rules.rulebook.book import Draft, Rulebook, RuleTable, Section, Sentence
from podium.rules.rulebook.three_card import write_three_card

__all__ = ["RuleTable", "Rulebook", "Section", "Sentence", "rulebook"]


def rulebook(game: Game) -> Rulebook:
    """The whole rules of play of that configuration."""
    draft = Draft(game)
    if isinstance(game.rules, BlackjackRules):
        write_blackjack(draft, game.rules)
    else:
        write_three_card(draft)
    return draft.finish()
