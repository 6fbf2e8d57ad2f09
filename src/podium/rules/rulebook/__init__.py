"""The rules of play of a configured game, generated as phrases from the options and paytables that it runs on."""

from collections.abc import Callable, Mapping
from typing import Any

from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import Game
from podium.rules.placard import Rules
from podium.rules.rulebook.blackjack import write_blackjack
from podium.rules.rulebook.book import Chapter, Draft, Rule, Rulebook, RuleTable, nearest
from podium.rules.rulebook.common import write_plain
from podium.rules.rulebook.three_card import write_three_card
from podium.rules.three_card import ThreeCardRules

__all__ = ["Chapter", "Rule", "RuleTable", "Rulebook", "rulebook"]

_WRITERS: Mapping[type[Rules], Callable[[Draft, Any], None]] = {
    BlackjackRules: write_blackjack,
    ThreeCardRules: write_three_card,
    Rules: write_plain,
}


def rulebook(game: Game) -> Rulebook:
    """The complete rules of play of a configuration."""
    draft = Draft(game)
    write = nearest(_WRITERS, type(game.rules))
    write(draft, game.rules)
    return draft.finish()
