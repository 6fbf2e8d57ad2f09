"""The part of the printed rules that depends on the table, not on its game: the settings that matter to a player."""

from collections.abc import Iterator

from podium.basics.words import Phrase, Plural, english, phrase
from podium.house.table.config import TableConfig
from podium.rules.games import Game
from podium.rules.rulebook import Rulebook, rulebook


def table_rulebook(game: Game, config: TableConfig) -> Rulebook:
    """The rules of play of a table: those of its game and of the table itself."""
    return rulebook(game).with_chapter(Phrase("rules.table.title"), table_sentences(config))


def table_sentences(config: TableConfig) -> Iterator[tuple[Phrase, str]]:
    """The rules that the table sets, each with its clause."""
    if config.training:
        yield phrase("rules.table.training"), ""
    yield phrase("rules.table.boxes", boxes=config.boxes_per_player), ""
    if config.dealer == "live":
        yield from _live_shoe(config)
        yield phrase("rules.table.correction"), "CARD-2"
        yield Phrase(f"rules.table.after-correction.{config.after_correction}"), "CARD-3"
    yield phrase("rules.table.absent", seconds=f"{config.absent_seconds:g}"), "DSC-2"
    if config.resume_seconds:
        yield phrase("rules.table.resumed", seconds=f"{config.resume_seconds:g}"), "DSC-2"
    else:
        yield phrase("rules.table.resumed-as-left"), "DSC-2"
    yield phrase("rules.table.malfunction"), "VOID-4"
    if not config.reopen_minutes:
        yield phrase("rules.table.result-stands"), "VOID-4"
    elif config.dealer == "live":
        yield phrase("rules.table.reopened", minutes=f"{config.reopen_minutes:g}"), "VOID-4"
    else:
        yield phrase("rules.table.reopened-void", minutes=f"{config.reopen_minutes:g}"), "VOID-4"


def _live_shoe(config: TableConfig) -> Iterator[tuple[Phrase, str]]:
    """Who shuffles and when, and which cards are not played. An automated dealer's shuffle can be proved (RNG-10)."""
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
        "table.after-correction.decisions-stand": "A decision that you made before a correction stands, unless it is no longer possible with the right cards.",
        "table.after-correction.ask-affected": "If a correction changes your own hand, you decide again, unless a card was shown "
        "after your decision: then it stands.",
        "table.absent": "A player who has lost the connection or is leaving delays nobody: when everybody else has answered, the table waits "
        "{seconds} s from the question or the loss, and then decides as if the time had run out.",
        "table.resumed": "If the house itself is interrupted, your time stops: when play goes on, you have the time that was left, and "
        "at least {seconds} s unless the whole time is shorter.",
        "table.resumed-as-left": "If the house itself is interrupted, your time stops: when play goes on, you have the time that was left.",
        "table.malfunction": "A malfunction voids all pays and plays of the round: every stake is returned.",
        "table.result-stands": "A result stands once it is confirmed.",
        "table.reopened": "If a mistake is found within {minutes} minutes after a result was confirmed, two people of the house may "
        "settle the round again with the right cards, or void it. You are shown what it changed for you, also when you come "
        "back later. What was paid too much is taken back; if you have spent it, you owe it to the house.",
        "table.reopened-void": "If a malfunction is found within {minutes} minutes after a result, two people of the house may void "
        "the round. You are shown what it changed for you, also when you come back later. What was paid too much is taken "
        "back; if you have spent it, you owe it to the house.",
    },
)
