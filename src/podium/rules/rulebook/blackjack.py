"""The rules of play of a blackjack game."""

from podium.basics.words import Phrase, english
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.placard import Offer
from podium.rules.rulebook.book import Draft
from podium.rules.rulebook.common import write_amounts, write_bet, write_deal, write_irregularities, write_rounding


def write_blackjack(draft: Draft, rules: BlackjackRules) -> None:
    _write_the_game(draft, rules)
    _write_wagers(draft, rules)
    write_deal(draft)
    _write_early(draft, rules)
    _write_decisions(draft, rules)
    _write_time(draft, rules)
    _write_dealers_hand(draft, rules)
    _write_settlement(draft, rules)
    _write_side_bets(draft)
    if rules.dealer_wagers:
        _write_dealer_wagers(draft, rules)
    write_irregularities(draft)


def _doubles(rules: BlackjackRules) -> bool:
    return rules.double == "on"


# --- the game and its wagers -----------------------------------------------------------------------------------------

english(
    "rules",
    {
        "game.aim": "The aim is a total nearer to 21 than the dealer's, without exceeding 21.",
        "game.values": "Cards from 2 to 10 count their number, jacks, queens and kings count 10, and an ace counts 1 or "
        "11, whichever is better for the hand. A total in which an ace counts 11 is soft; every other total is hard.",
        "game.blackjack": "A blackjack is an ace and a ten-value card as the first two cards of a hand. It beats every "
        "other 21.",
        "game.blackjack-and-splits": "A blackjack is an ace and a ten-value card as the first two cards of a hand. It "
        "beats every other 21. The same two cards after a split are 21, not blackjack.",
        "game.bust": "A hand that exceeds 21 is a bust and loses at once.",
    },
)


def _write_the_game(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("game")
    draft.introduce()
    draft.option("decks")
    if "seats" in draft.game.options:
        draft.option("seats")
    draft.say("game.aim")
    draft.say("game.values")
    draft.say("game.blackjack-and-splits" if rules.offers_splits else "game.blackjack")
    draft.say("game.bust")


english(
    "rules",
    {
        "wagers.take-part": "You take part by placing a Blackjack wager before the time for betting runs out. After that "
        "no more bets are taken.",
        "wagers.side-bets": "You may place a side bet only together with your Blackjack wager.",
    },
)


def _write_wagers(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("wagers")
    draft.say_if_written("wagers.new-game")
    draft.say("wagers.take-part", clause=rules.wagering_clause)
    draft.option("side_bets")
    if rules.side_bets:
        draft.say("wagers.side-bets", clause=rules.wagering_clause)
    draft.option("paytables")
    if "wager_amounts" in draft.game.options:
        draft.option("wager_amounts")
    write_amounts(draft)
    draft.option("dealer_wagers")


# --- decisions -------------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "early.title": "Insurance and even money",
        "early.not-both": "If you have blackjack, you may insure it or take even money, not both.",
        "early.insured-blackjack": "If you insured a blackjack and the dealer has blackjack too, your blackjack is a push "
        "and your insurance is paid: together 1 to 1 on your original wager.",
        "early.both-first": "Insurance and even money are offered before any other decision, and declined if your time "
        "runs out.",
        "early.insurance-first": "Insurance is offered before any other decision, and declined if your time runs out.",
        "early.even-money-first": "Even money is offered before any other decision, and declined if your time runs out.",
    },
)


def _write_early(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("early")
    draft.option("insurance")
    if rules.insurance:
        draft.option("insurance_least")
    else:
        draft.leave_out("insurance_least")
    draft.option("even_money")
    if rules.insurance and rules.even_money:
        draft.say("early.not-both")
    if rules.insurance and rules.keep_standoff_bet == "always" and not rules.insurance_least:
        draft.say("early.insured-blackjack")
    if rules.insurance and rules.even_money:
        draft.say("early.both-first")
    elif rules.insurance:
        draft.say("early.insurance-first")
    elif rules.even_money:
        draft.say("early.even-money-first")


english(
    "rules",
    {
        "decisions.title": "Your decisions",
        "decisions.hit": "Hit: you take another card.",
        "decisions.stand": "Stand: you take no more cards.",
        "decisions.twenty-one": "A hand of 21 stands by itself.",
        "decisions.best-total": "The total of a hand is its best total, so that an ace and a nine are 20.",
        "decisions.doubled-bust": "A doubled hand that busts loses its whole wager, whatever the dealer has.",
        "decisions.no-surrender": "You cannot surrender a blackjack.",
        "decisions.no-surrender-after-split": "You cannot surrender a blackjack, nor after a split.",
    },
)


def _write_decisions(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("decisions")
    draft.say("decisions.hit")
    draft.say("decisions.stand")
    draft.say("decisions.twenty-one")
    if "paytable" in draft.game.options:
        draft.option("paytable")
    draft.option("double")
    _write_doubling(draft, rules)
    if rules.offers_splits:
        draft.option("split")
        draft.option("max_splits")
        draft.option("resplit_aces", as_if=rules.resplit_aces and rules.max_splits > 1)
        draft.option("split_draw")
    else:
        draft.option("split" if rules.split == "off" else "max_splits")
        draft.leave_out("split", "max_splits", "resplit_aces", "split_draw")
    draft.option("surrender")
    if rules.surrender != "off":
        draft.say("decisions.no-surrender-after-split" if rules.offers_splits else "decisions.no-surrender")


def _write_doubling(draft: Draft, rules: BlackjackRules) -> None:
    details = ("double_totals", "double_after_split", "double_with_ace", "double_for_less", "double_adds")
    if not _doubles(rules):
        draft.leave_out(*details)
        return
    for name in details:
        if name == "double_after_split" and not rules.offers_splits:
            draft.leave_out(name)
        else:
            draft.option(name)
    if rules.double_with_ace:
        draft.say("decisions.best-total")
    draft.say("decisions.doubled-bust")


english(
    "rules",
    {
        "time.title": "When your time runs out",
        "time.stands": "If your time runs out, your hand stands.",
        "time.split-ace": "A split ace that could be split again stands.",
        "time.no-more-money": "A decision that is made because time ran out never takes more money from you.",
    },
)


def _write_time(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("time")
    policies = [name for name, option in draft.game.options.items() if option.chapter == "time"]
    for name in policies:
        draft.option(name)
    if not policies:
        draft.say("time.stands")
    if rules.offers_splits and rules.resplit_aces and rules.max_splits > 1:
        draft.say("time.split-ace")
    draft.say("time.no-more-money")


# --- the end of a round ----------------------------------------------------------------------------------------------


english("rules", {"dealer.title": "The dealer's hand"})


def _write_dealers_hand(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("dealer")
    draft.option("dealer_hits_soft_17")
    draft.describe(draft.game.dealing.describe_dealers_hand(rules, draft.game.offers.values()))


english(
    "rules",
    {
        "settlement.confirmed": "The system pays and collects every wager that is not settled yet when the result is "
        "confirmed.",
        "settlement.confirm-result": 'When all cards are out, the dealer presses "Confirm Result"; the system then pays '
        "and collects every wager that is not settled yet.",
        "settlement.at-once": "A blackjack is paid as soon as it is certain that the dealer has none, even money when you "
        "take it, and a hand that busts is collected at once.",
        "settlement.blackjack-first": "Your blackjack is decided before anybody plays: it wins unless the dealer has "
        "blackjack too, and then it is a push.",
        "settlement.nearer": "A hand nearer to 21 than the dealer's wins, and a hand further from it loses. Every win that "
        "these rules do not pay otherwise is paid 1 to 1.",
        "settlement.dealer-blackjack": "If the dealer has blackjack, every hand without blackjack loses.",
    },
)


def _write_settlement(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("settlement")
    if not draft.say_if_written("settlement.confirm-result"):
        draft.say("settlement.confirmed")
    if rules.settles_at_once:
        draft.say("settlement.at-once")
    draft.option("blackjack_pays")
    draft.say_if_written("settlement.blackjack-first")
    draft.say("settlement.nearer")
    draft.option("bust_pushes_from")
    _write_dealer_blackjack(draft, rules)
    # Without insurance nobody is insured, so a tie is always a push.
    pushes = rules.keep_standoff_bet != "never" and not rules.insurance
    draft.option("keep_standoff_bet", as_if="always" if pushes else None)
    write_rounding(draft)


def _write_dealer_blackjack(draft: Draft, rules: BlackjackRules) -> None:
    if _doubles(rules) or rules.offers_splits:
        draft.option("dealer_blackjack_takes")
        return
    draft.leave_out("dealer_blackjack_takes")
    draft.say("settlement.dealer-blackjack", clause=rules.clause("dealer_blackjack_takes"))


# --- side bets and wagers for the dealer -----------------------------------------------------------------------------

english(
    "rules",
    {
        "side-bets.title": "Side bets",
        "side-bets.needs": "{bet:wager} needs a {needed:wager} wager.",
        "side-bets.needs-not-taken": "{bet:wager} needs a {needed:wager} wager, which this table does not take.",
        "side-bets.paid-once": "A side bet is paid once, for the highest line of its paytable that it reaches. The result of your hand does not matter to it.",
    },
)


def _side_bets(draft: Draft) -> list[Offer]:
    return [offer for offer in draft.game.offers.values() if not offer.main]


def _write_side_bets(draft: Draft) -> None:
    if not _side_bets(draft):
        return
    draft.chapter("side-bets")
    for offer in _side_bets(draft):
        bet = offer.bet
        write_bet(draft, bet, offer.paytable_name, offer.paytable)
        if bet.needs:
            key = "side-bets.needs" if bet.needs in draft.game.offers else "side-bets.needs-not-taken"
            draft.say(key, clause=bet.clause, bet=bet.name, needed=bet.needs)
    draft.say("side-bets.paid-once")


english(
    "rules",
    {
        "tokes.title": "Wagers for the dealer",
        "tokes.own-wager": "A Blackjack wager for the dealer needs your own Blackjack wager.",
        "tokes.own-wager-and-side-bets": "A Blackjack wager for the dealer needs your own Blackjack wager. A side bet for "
        "the dealer needs none of your own.",
        "tokes.no-seat": "It needs no seat either, and can be made where all seats are taken.",
        "tokes.needs": "{bet:wager} for the dealer needs a {needed:wager} wager, yours or the dealer's.",
        "tokes.same-odds": "A wager for the dealer is paid at the same odds as yours.",
        "tokes.tips": "When it wins, stake and winnings go to the dealers' tips. When it is a push, or the round is void, "
        "it goes back to your credit.",
        "tokes.follows": "The dealer's Blackjack wager follows your first hand. If you {act} a hand that carries it, you "
        "may add the same for the dealer from your credit; if you do not, it stays as it is.",
        "tokes.follows-for-less": "The dealer's Blackjack wager follows your first hand. If you {act} a hand that carries "
        "it, you may add the same for the dealer from your credit; if you do not, it stays as it is. It is not doubled if "
        "you double for less.",
        "tokes.act.double": "double",
        "tokes.act.split": "split",
        "tokes.act.both": "double or split",
        "tokes.not-insured": "A wager for the dealer is never insured.",
        "tokes.as-yours.even-money": "Even money treats the dealer's wager as your own.",
        "tokes.as-yours.surrender": "Surrender treats the dealer's wager as your own; the half that a surrender keeps goes "
        "back to your credit.",
        "tokes.as-yours.both": "Even money and surrender treat the dealer's wager as your own; the half that a surrender "
        "keeps goes back to your credit.",
    },
)


def _write_dealer_wagers(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("tokes")
    clause = rules.tokes_clause
    draft.say("tokes.own-wager-and-side-bets" if rules.side_bets else "tokes.own-wager", clause=clause)
    if rules.tokes_need_no_seat:
        draft.say("tokes.no-seat", clause=clause)
    for offer in _side_bets(draft):
        if offer.bet.needs in draft.game.offers:
            draft.say("tokes.needs", clause=offer.bet.clause, bet=offer.wager, needed=offer.bet.needs)
    draft.say("tokes.same-odds")
    draft.say("tokes.tips")
    if act := _one_or_both(double=_doubles(rules), split=rules.offers_splits):
        for_less = _doubles(rules) and rules.double_for_less
        follows = "tokes.follows-for-less" if for_less else "tokes.follows"
        draft.say(follows, clause=clause, act=Phrase(f"rules.tokes.act.{act}"))
    if rules.insurance:
        draft.say("tokes.not-insured")
    if given := _one_or_both(**{"even-money": rules.even_money, "surrender": rules.surrender != "off"}):
        draft.say(f"tokes.as-yours.{given}")


def _one_or_both(**offered: bool) -> str:
    """Which of two things is offered; empty for neither."""
    found = [name for name, is_offered in offered.items() if is_offered]
    return "both" if len(found) == 2 else "".join(found)
