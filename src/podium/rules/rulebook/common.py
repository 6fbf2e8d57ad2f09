"""The chapters that every game has."""

from podium.basics.words import Phrase, english, phrase
from podium.rules.bets import Bet, Paytable
from podium.rules.placard import Offer, Rules
from podium.rules.rulebook.book import Draft

english(
    "rules",
    {
        "bets.described": "{says}. {settled}.",
        "bets.settled.first-two": "It is settled as soon as the first cards are out",
        "bets.settled.first-three": "It is settled as soon as the first cards are out",
        "bets.settled.own-three": "It is settled as soon as the nine cards are out",
        "bets.settled.six": "It is settled when the result is confirmed",
        "bets.settled.dealers-hand": "It is settled when the result is confirmed",
        "bets.settled.with-the-ante": "It is paid with your Ante, when the result is confirmed",
        "bets.paytable": "{bet:wager}, paytable {name}",
        "bets.otherwise": "anything else",
        "bets.loses": "loses",
        "bets.pays-nothing": "pays nothing",
    },
)


def write_bet(
    draft: Draft, bet: Bet, paytable_name: str, paytable: Paytable, *, otherwise: str = "loses", settled: str = ""
) -> None:
    """One wager that is paid by a paytable. `settled` says when, if not as soon as its cards are known."""
    when = Phrase(f"rules.bets.settled.{settled or bet.sees.slug}")
    draft.say("bets.described", clause=bet.clause, says=bet.said, settled=when)
    rows = [
        [Phrase(f"outcome.{outcome}"), phrase("pattern.odds", pays=odds.pays, per=odds.per)]
        for outcome, odds in paytable.items()
    ]
    rows.append([phrase("rules.bets.otherwise"), Phrase(f"rules.bets.{otherwise}")])
    draft.table(phrase("rules.bets.paytable", bet=bet.name, name=paytable_name), rows)


# --- wagers ----------------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "wagers.title": "Wagers",
        "wagers.new-game": 'A round begins when the dealer presses "New Game" on the dealer terminal.',
        "wagers.limits-of-lines": "A limit of a wager applies to each row and column that it lies on.",
        "wagers.unlisted": "A side bet without a limit of its own takes at most a quarter of the highest wager on {wager:wager}.",
        "wagers.designator": "The paytables of this table have the designator {designator}.",
        "wagers.own-limits": "{wager:wager} wagers are from {least:money} to {most:money}, in multiples of {chip:money}.",
        "wagers.money": "Money is counted in minor units: 1.00 is 100 minor units. A stake leaves your credit when it is "
        "accepted, and a wager or a decision that your credit does not cover is refused.",
    },
)


def write_amounts(draft: Draft) -> None:
    """Writes what may be staked."""
    draft.option("limits")
    rules, offers = draft.game.rules, list(draft.game.rules.offers())
    lines = any(offer.line for offer in offers)
    if rules.limits and lines:
        draft.say("wagers.limits-of-lines", clause=rules.clause("limits"))
    if any(rules.takes_a_quarter(offer) for offer in offers):
        draft.say("wagers.unlisted", clause=rules.clause("limits"), wager=rules.main.name)
    if lines or rules.most_together:
        draft.option("most_together")
    else:
        draft.leave_out("most_together")
    draft.option("chip")
    if rules.takes_tokes:
        draft.option("toke_least")
    else:
        draft.leave_out("toke_least")
    for offer in offers:
        _write_own_limits(draft, offer)
    draft.option("most_payable")
    if rules.most_payable:
        draft.option("over_payable")
    else:
        draft.leave_out("over_payable")
    draft.option("most_payable_table")
    if rules.designator:
        draft.say("wagers.designator", clause=rules.designator_clause, designator=rules.designator)
    draft.say("wagers.money")


def _write_own_limits(draft: Draft, offer: Offer) -> None:
    """Writes the limits that the document itself sets for a wager."""
    if offer.most is not None:
        limits = {"least": offer.least, "most": offer.most, "chip": offer.chip}
        draft.say("wagers.own-limits", clause=offer.clause, wager=offer.wager, **limits)


# --- the deal --------------------------------------------------------------------------------------------------------

english("rules", {"game.title": "The game", "deal.title": "The deal"})


def write_deal(draft: Draft) -> None:
    draft.chapter("deal")
    draft.describe(draft.game.dealing.describe_deal(draft.game.rules))


# --- settlement ------------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "settlement.title": "Settlement",
        "settlement.rounding": "Odds are exact. A payment that is not a whole number of minor units is rounded down to "
        "one, for each hand and each wager by itself, and the record of the round shows the remainder as breakage.",
    },
)


def write_rounding(draft: Draft) -> None:
    draft.say("settlement.rounding")


# --- irregularities --------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "irregularities.title": "Irregularities",
        "irregularities.real-card": "The card that was really dealt counts. A card that the shoe cannot hold is refused "
        "when it is entered.",
        "irregularities.correction": "If a card was entered wrongly, it is corrected before the result is confirmed, and "
        "the round is played again with the right card. Decisions that are still allowed stand; you are asked again where "
        "yours is not.",
        "irregularities.void": "In any other irregularity the floor decides, with the fairness of the game in mind. A "
        "supervisor may void the round at any point, with a reason: then every stake goes back to the player who placed "
        "it, and whatever the round had paid already is taken back.",
        "irregularities.lost-link": "If your terminal loses its connection, the round goes on, and your decisions are made as if time had run out.",
    },
)


def write_irregularities(draft: Draft) -> None:
    draft.chapter("irregularities")
    draft.say("irregularities.real-card")
    draft.say("irregularities.correction")
    draft.say("irregularities.void")
    draft.say("irregularities.lost-link")


def write_plain(draft: Draft, _: Rules) -> None:
    """The rules of a game that has no writer of its own: what its dealing, its bets and its options say of themselves."""
    draft.chapter("game")
    draft.introduce()
    draft.option("decks")
    draft.chapter("wagers")
    write_amounts(draft)
    for offer in draft.game.offers.values():
        if not offer.main:
            write_bet(draft, offer.bet, offer.paytable_name, offer.paytable)
    write_deal(draft)
    write_irregularities(draft)
