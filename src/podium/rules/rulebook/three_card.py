"""The rules of play of Stadium Three Card Poker."""

from podium.basics.words import Phrase, english, phrase
from podium.rules.bets import ANTE_BONUS, PAIR_PLUS, PLAY, SIX_CARD_BONUS
from podium.rules.rulebook.book import Draft
from podium.rules.rulebook.common import write_amounts, write_bet, write_irregularities, write_rounding
from podium.rules.three_card import LINES, ThreeCardRules


def write_three_card(draft: Draft, rules: ThreeCardRules) -> None:
    _write_the_game(draft)
    _write_wagers(draft)
    _write_deal(draft, rules)
    _write_settlement(draft)
    _write_bonuses(draft, rules)
    write_irregularities(draft)


english(
    "rules",
    {
        "game.ranking": "From the highest, the hands are: straight flush, three of a kind, straight, flush, pair, high "
        "card. Q-K-A is the highest straight and A-2-3 the lowest. Hands of one kind are compared by their ranks, and "
        "suits do not count.",
    },
)


def _write_the_game(draft: Draft) -> None:
    draft.chapter("game")
    draft.introduce()
    draft.option("decks")
    draft.say("game.ranking")


english(
    "rules",
    {
        "wagers.locations": "You choose any three different locations from 1 to 9. If you choose none, your hand is the "
        "first row, 1, 2 and 3.",
        "wagers.take-part-with-ante": "You take part by placing an Ante before the time for betting runs out. After that "
        "no more bets are taken.",
        "wagers.bonuses": "Together with an Ante you may place Pair Plus and Six Card Bonus on your own three cards.",
        "wagers.blind": "You may also place either of them blind on any row or column: {lines}.",
        "wagers.not-for-the-dealer": "Wagers for the dealer are not taken.",
    },
)
english("pattern", {"line-of": "{line} ({locations})"})


def _write_wagers(draft: Draft) -> None:
    draft.chapter("wagers")
    draft.say_if_written("wagers.new-game")
    draft.say("wagers.locations")
    draft.say("wagers.take-part-with-ante")
    draft.say("wagers.bonuses")
    draft.say("wagers.blind", lines=[_line(line) for line in LINES])
    draft.option("paytables")
    write_amounts(draft)
    draft.say("wagers.not-for-the-dealer")


def _line(line: str) -> Phrase:
    """`row-1` is row 1, with its locations."""
    kind, _, number = line.partition("-")
    return phrase("pattern.line-of", line=Phrase(f"pattern.{kind}", {"n": int(number)}), locations=LINES[line])


english(
    "rules",
    {
        "play-or-fold.title": "The deal and your decision",
    },
)


def _write_deal(draft: Draft, rules: ThreeCardRules) -> None:
    draft.chapter("play-or-fold")
    draft.describe(draft.game.dealing.describe_deal(rules))


english(
    "rules",
    {
        "settlement.confirm": "The system pays and collects every wager that is not settled yet when the dealer presses "
        '"Confirm".',
        "settlement.not-qualified": "The dealer qualifies with queen high or better. If the dealer does not qualify, your "
        "Ante is paid 1 to 1 and your Play wager is a push.",
        "settlement.better-hand": "If the dealer qualifies, the better hand wins: if it is yours, Ante and Play are each "
        "paid 1 to 1; if it is the dealer's, both lose; if the hands are equal, both are a push.",
    },
)


def _write_settlement(draft: Draft) -> None:
    draft.chapter("settlement")
    draft.say("settlement.confirm")
    draft.say("settlement.not-qualified")
    draft.say("settlement.better-hand")
    draft.quote(PLAY.said, PLAY.clause)
    write_rounding(draft)


english(
    "rules",
    {
        "bonuses.title": "Ante Bonus, Pair Plus and Six Card Bonus",
        "bonuses.paid-once": "A wager is paid once, for the highest line of its paytable that it fills.",
    },
)


def _write_bonuses(draft: Draft, rules: ThreeCardRules) -> None:
    draft.chapter("bonuses")
    draft.option("ante_bonus")
    draft.option("pair_plus")
    draft.option("six_card_bonus")
    for bet in (ANTE_BONUS, PAIR_PLUS, SIX_CARD_BONUS):
        name = getattr(rules, bet.name.replace("-", "_"))
        # The ante bonus stakes nothing of its own.
        unlike = {"otherwise": "pays-nothing", "settled": "with-the-ante"} if bet is ANTE_BONUS else {}
        write_bet(draft, bet, name, rules.paytable_named(bet, name), **unlike)
    draft.say("bonuses.paid-once")
