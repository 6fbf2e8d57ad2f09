"""What the printed rules say of a table beside its game: the settings that decide for a player."""

from collections.abc import Iterator

from podium.basics.words import Phrase, Plural, english, phrase
from podium.house.table.config import TableConfig
from podium.rules.games import Game
from podium.rules.rulebook import Rulebook, rulebook


def table_rulebook(game: Game, config: TableConfig) -> Rulebook:
    """The rules of play of a table: those of its game, and what the table decides besides."""
    return rulebook(game).with_chapter(Phrase("rules.table.title"), _sentences(config))


def _sentences(config: TableConfig) -> Iterator[tuple[Phrase, str]]:
    if config.training:
        yield phrase("rules.table.training"), ""
    yield phrase("rules.table.boxes", boxes=config.boxes_per_player), ""
    if config.dealer == "live":
        yield from _live_shoe(config)
        yield phrase("rules.table.correction"), "CARD-2"
        yield Phrase(f"rules.table.after-correction.{config.after_correction}"), "CARD-3"
    yield phrase("rules.table.absent", seconds=f"{config.absent_seconds:g}"), "DSC-2"
    yield phrase("rules.table.malfunction"), "VOID-4"


def _live_shoe(config: TableConfig) -> Iterator[tuple[Phrase, str]]:
    """Who shuffles, when, and which cards nobody plays with. An automated dealer's shuffle proves itself (RNG-10)."""
    if config.shuffled_by != "none":
        yield Phrase(f"rules.table.shuffler.{config.shuffled_by}"), "CARD-10"
    elif config.to_game().rules.decks == 1:
        yield phrase("rules.table.shuffler.dealer"), "CARD-10"
    else:
        yield phrase("rules.table.shuffler.none", percent=round(config.penetration * 100)), "CARD-10"
    if config.burned:
        yield phrase("rules.table.burned", cards=config.burned), "CARD-10"


english(
    "rules",
    {
        "table.title": "At this table",
        "table.training": "Dealers practise at this table. Only guests play, with play money: nothing can be won or lost, and "
        "there are no wagers for the dealer.",
        "table.boxes": Plural(
            "boxes",
            one="You have one box at this table.",
            other="You may have up to {boxes} boxes at this table, each with its own wagers and decisions.",
        ),
        "table.shuffler.none": "The cards are dealt from a shoe, which is shuffled and counted before it is loaded. The cut card "
        "stands after about {percent} % of the cards: the round in which it comes out is the last of the shoe.",
        "table.shuffler.dealer": "The deck is shuffled and counted before every round.",
        "table.shuffler.every-round": "A shuffling machine gives a freshly shuffled deck for every round.",
        "table.shuffler.continuous": "A shuffling machine takes the cards back after each round and shuffles them in again: "
        "there is no cut card.",
        "table.burned": Plural(
            "cards",
            one="When a shoe is loaded, its first card is burned: nobody plays with it.",
            other="When a shoe is loaded, its first {cards} cards are burned: nobody plays with them.",
        ),
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
