"""The chapters that every game has."""

from podium.basics.money import amount
from podium.rules.bets import Bet, Paytable, Sees
from podium.rules.placard import Offer
from podium.rules.rulebook.book import Draft

SETTLED = {
    Sees.FIRST_TWO: "It is settled as soon as the first cards are out.",
    Sees.FIRST_THREE: "It is settled as soon as the first cards are out.",
    Sees.OWN_THREE: "It is settled as soon as the nine cards are out.",
    Sees.SIX: "It is settled when the dealer's three cards are out.",
    Sees.DEALERS_HAND: "It is settled when the dealer's hand is complete.",
}


def write_amounts(draft: Draft) -> None:
    """What may be staked."""
    draft.rule("limits")
    draft.rule("chip")
    for offer in draft.game.rules.offers():
        if said := _own_limits(offer):
            draft.say(said, offer.clause)
    draft.say(
        "Money is counted in minor units, of which a hundred make one: 1.00 is 100 minor units. "
        "A stake leaves your credit when it is accepted, and a wager or a decision that your credit does not cover is refused."
    )


def _own_limits(offer: Offer) -> str:
    """The limits that the document itself sets to a wager."""
    if offer.most is None:
        return ""
    return f"{offer.bet.title} wagers are from {amount(offer.least)} to {amount(offer.most)}, in multiples of {amount(offer.chip)}."


def write_bet(draft: Draft, bet: Bet, paytable_name: str, paytable: Paytable, *, otherwise: str = "loses") -> None:
    """One wager that is paid by a paytable."""
    said = (
        bet.title + bet.says.removeprefix("It")
        if bet.says.startswith("It ")
        else f"{bet.title}: {bet.says[0].lower()}{bet.says[1:]}"
    )
    draft.say(f"{said} {SETTLED[bet.sees]}", bet.clause)
    draft.table(
        f"{bet.title}, paytable {paytable_name}",
        [(outcome.capitalize(), str(odds)) for outcome, odds in paytable.items()] + [("Anything else", otherwise)],
    )


def write_rounding(draft: Draft) -> None:
    draft.say(
        "Odds are exact. A payment that is not a whole number of minor units is rounded down to one, for each hand and "
        "each wager by itself, and the record of the round shows the remainder as breakage."
    )


def write_irregularities(draft: Draft) -> None:
    draft.section("Irregularities")
    draft.say("The card that was really dealt counts. A card that the shoe cannot hold is refused when it is entered.")
    draft.say(
        "If a card was entered wrongly, it is corrected before the result is confirmed, and the round is played again "
        "with the right card. Decisions that are still allowed stand; you are asked again where yours is not."
    )
    draft.say(
        "In any other irregularity the floor decides, with the fairness of the game in mind. A supervisor may void the "
        "round at any point, with a reason: then every stake goes back to the player who placed it, and whatever the "
        "round had paid already is taken back.",
        MUB="Payout tables, irregularities",
    )
    draft.say("If your terminal loses its link, the round goes on, and your decisions are made as when time runs out.")
