"""The rules of play of Stadium Three Card Poker."""

from podium.rules.bets import ANTE, ANTE_BONUS, PAIR_PLUS, PLAY, SIX_CARD_BONUS
from podium.rules.rulebook.book import Draft
from podium.rules.rulebook.common import write_amounts, write_bet, write_irregularities, write_rounding
from podium.rules.three_card import LINES


def write_three_card(draft: Draft) -> None:
    _write_the_game(draft)
    _write_wagers(draft)
    _write_deal(draft)
    _write_settlement(draft)
    _write_bonuses(draft)
    write_irregularities(draft)


def _write_the_game(draft: Draft) -> None:
    draft.section("The game")
    draft.say(
        f"{draft.game.title} is played by any number of players at terminals. Nine cards lie face up in three rows; three of "
        "them, which you choose before they are dealt, are your hand against the dealer's three.",
        TCP="intro",
    )
    draft.rule("decks")
    draft.say(
        "From the highest, the hands are: straight flush, three of a kind, straight, flush, pair, high card. Q-K-A is the "
        "highest straight and A-2-3 the lowest. Hands of one kind are compared by their ranks, and suits do not count."
    )


def _write_wagers(draft: Draft) -> None:
    draft.section("Wagers")
    draft.say('A round begins when the dealer presses "New Game" on the dealer terminal.', TCP="1")
    draft.say(
        "You choose any three different locations from 1 to 9. If you choose none, your hand is the first row, 1, 2 and 3.",
        TCP="2",
    )
    draft.say(
        "You take part by placing an Ante before the time for betting runs out. After that no more bets are taken.",
        TCP="3, 4",
    )
    draft.say("Together with an Ante you may place Pair Plus and Six Card Bonus on your own three cards.", TCP="3")
    lines = "; ".join(f"{line.replace('-', ' ')} is {_listed(LINES[line])}" for line in LINES)
    draft.say(f"You may also place either of them blind on any row or column: {lines}.", TCP="3.a")
    draft.rule("paytables")
    write_amounts(draft)
    draft.say("Wagers for the dealer are not taken.")


def _listed(locations: tuple[int, ...]) -> str:
    return ", ".join(str(location) for location in locations)


def _write_deal(draft: Draft) -> None:
    draft.section("The deal and your decision")
    draft.say(
        "Three packets of three cards are dealt face up: the first fills locations 1 to 3, the second 4 to 6, and the third "
        "7 to 9. In each, the bottom card of the face-up packet comes first.",
        TCP="4, 5, 6",
    )
    draft.say("Then you decide: Play, for a further wager that equals your Ante, or Fold.", TCP="7")
    draft.say(
        "If you fold, or your time runs out, you lose your Ante. Your bonus wagers stand. A time-out never takes more money "
        "from you.",
        TCP="7, 7.a",
    )
    draft.say(
        "When everybody has decided, the dealer's three cards are dealt, even if everybody folded: a round has twelve cards.",
        TCP="8",
    )


def _write_settlement(draft: Draft) -> None:
    draft.section("Settlement")
    draft.say('The system pays and collects every wager when the dealer presses "Confirm".', TCP="10")
    draft.say(
        "The dealer qualifies with queen high or better. If the dealer does not qualify, your Ante is paid 1 to 1 and your Play "
        "wager is a push.",
        TCP="9",
    )
    draft.say(
        "If the dealer qualifies, the better hand wins: if it is yours, Ante and Play are each paid 1 to 1; if it is the "
        "dealer's, both lose; if the hands are equal, both are a push.",
        ANTE.clause,
    )
    draft.say(f"{PLAY.title}: {PLAY.says[0].lower()}{PLAY.says[1:]}", PLAY.clause)
    write_rounding(draft)


def _write_bonuses(draft: Draft) -> None:
    rules = draft.game.rules
    draft.section("Ante Bonus, Pair Plus and Six Card Bonus")
    draft.rule("ante_bonus")
    draft.rule("pair_plus")
    draft.rule("six_card_bonus")
    for bet in (ANTE_BONUS, PAIR_PLUS, SIX_CARD_BONUS):
        name = getattr(rules, bet.name.replace("-", "_"))
        # The ante bonus stakes nothing of its own.
        otherwise = "pays nothing" if bet is ANTE_BONUS else "loses"
        write_bet(draft, bet, name, rules.paytable_named(bet, name), otherwise=otherwise)
    draft.say("A wager is paid once, for the highest line of its paytable that it fills.")
