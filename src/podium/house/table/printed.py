"""What the printed rules say of a table beside its game: the settings that decide for a player."""

from collections.abc import Iterator

from podium.basics.words import Phrase, english, phrase
from podium.house.table.config import TableConfig
from podium.rules.games import Game
from podium.rules.rulebook import Rulebook, rulebook


def table_rulebook(game: Game, config: TableConfig) -> Rulebook:
    """The rules of play of a table: those of its game, and what the table decides besides."""
    return rulebook(game).with_chapter(Phrase("rules.table.title"), _sentences(config))


def _sentences(config: TableConfig) -> Iterator[tuple[Phrase, str]]:
    if config.dealer == "live":
        yield phrase("rules.table.correction"), "CARD-2"
        yield Phrase(f"rules.table.after-correction.{config.after_correction}"), "CARD-3"
    yield phrase("rules.table.absent", seconds=f"{config.absent_seconds:g}"), "DSC-2"
    yield phrase("rules.table.malfunction"), "VOID-4"


english(
    "rules",
    {
        "table.title": "At this table",
        "table.correction": "If a card was entered wrongly, the card on the table counts. The table waits while it is corrected; "
        "then every wager is settled by the right cards, and you are shown what it changed for you.",
        "table.after-correction.decisions-stand": "A decision that you made before a correction stands, unless it is not "
        "possible any more with the right cards.",
        "table.after-correction.ask-affected": "If a correction changes your own hand, you decide again, unless a card was shown "
        "after your decision: then it stands.",
        "table.absent": "Whoever has lost the connection or is leaving delays nobody: when everybody else has answered, the table waits "
        "{seconds} s from the question or the loss, and then decides as when the time is over.",
        "table.malfunction": "A malfunction voids all pays and plays of the round: every stake is returned.",
    },
)
