"""The rules of play of a blackjack game."""

from podium.rules.bets import BETS
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.dealing import Community
from podium.rules.rulebook.book import Draft
from podium.rules.rulebook.common import write_amounts, write_bet, write_irregularities, write_rounding


def write_blackjack(draft: Draft, rules: BlackjackRules) -> None:
    _write_the_game(draft, rules)
    _write_wagers(draft, rules)
    _write_community_deal(draft, rules) if _is_community(draft) else _write_own_deal(draft, rules)
    _write_early(draft, rules)
    _write_decisions(draft, rules)
    _write_time(draft, rules)
    _write_dealers_hand(draft, rules)
    _write_settlement(draft, rules)
    _write_side_bets(draft)
    if rules.dealer_wagers:
        _write_dealer_wagers(draft, rules)
    write_irregularities(draft)


def _is_community(draft: Draft) -> bool:
    return draft.game.dealing is Community


def _splits(rules: BlackjackRules) -> bool:
    return rules.split == "on" and rules.max_splits > 0


def _doubles(rules: BlackjackRules) -> bool:
    return rules.double == "on"


def _write_the_game(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("The game")
    if _is_community(draft):
        draft.say(
            f"{draft.game.title} is blackjack for any number of players at terminals. All share one player hand and one "
            "stream of community cards, and each decides on it independently.",
            SBJ="intro, 5",
            DLB="intro, 4",
        )
    else:
        draft.say(
            f"{draft.game.title} is blackjack in which every player has a hand against the same dealer.",
            MUB="5",
            MGB="Introduction",
        )
    draft.rule("decks")
    if "seats" in draft.game.options:
        draft.rule("seats")
    draft.say("The aim is a total nearer to 21 than the dealer's, without exceeding 21.", MUB="Object of the game")
    draft.say(
        "Cards from 2 to 10 count their number, jacks, queens and kings count 10, and an ace counts 1 or 11, whichever is "
        "better for the hand. A total in which an ace counts 11 is soft; every other total is hard.",
        MUB="4",
    )
    after_split = " The same two cards after a split are 21, not blackjack." if _splits(rules) else ""
    draft.say(
        "A blackjack is an ace and a ten-value card as the first two cards of a hand. It beats every other 21."
        + after_split,
        SBJ="2.a, 5.d.i" if _splits(rules) else "2.a",
        MUB="9, 13.d" if _splits(rules) else "9",
        MGB="3, 8" if _splits(rules) else "8",
    )
    draft.say("A hand that exceeds 21 is a bust and loses at once.", SBJ="2.a", MUB="13.b")


def _write_wagers(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("Wagers")
    if draft.game.short == "DLB":
        draft.say('A round begins when the dealer presses "New Game" on the dealer terminal.', DLB="2")
    draft.say(
        "You take part by placing a Blackjack wager before the time for betting runs out. After that no more bets are taken.",
        rules.wagering_clause,
        SBJ="1, 2, 4",
    )
    draft.rule("side_bets")
    if rules.side_bets:
        draft.say("You may place a side bet only together with your Blackjack wager.", rules.wagering_clause)
    draft.rule("paytables")
    if "wager_amounts" in draft.game.options:
        draft.rule("wager_amounts")
    write_amounts(draft)
    draft.rule("dealer_wagers")


def _write_community_deal(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("The deal")
    draft.say(
        "The dealer deals one card to the player hand, one to the dealer's hand, and a second card to the player hand, all "
        "face up.",
        SBJ="4",
        DLB="4",
    )
    draft.say("Every card after these three is a community card of one stream, C1, C2, C3 and so on.", SBJ="7", DLB="5")
    owed = ", or is owed one by a split," if _splits(rules) else ""
    draft.say(
        "In each step every player with a decision to make decides, or runs out of time; then one community card is dealt, "
        f"and every player who asked for a card{owed} takes it. Nobody sees a card before deciding.",
        SBJ="7, 8",
        DLB="5",
    )
    draft.say(
        "You take cards from the front of the stream for as long as your hand needs them. The first card that you do not take, "
        "and every card after it, belongs to the dealer's hand that you meet.",
        SBJ="7.d, 9.a",
        DLB="6",
    )
    draft.say(
        "If you stand at once you meet the dealer's first card with C1, C2 and so on; if you took two cards you meet it with "
        "C3, C4 and so on. Players can therefore meet different dealer's hands. What others do never changes your result.",
        SBJ="9.a",
        DLB="6",
    )


def _write_own_deal(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("The deal")
    draft.say(
        "Cards are dealt one at a time: a first card to every player, from the dealer's left, and the dealer's up card, face "
        "up; then a second card to every player, and the dealer's hole card, face down.",
        MUB="5",
        MGB="Dealing",
    )
    draft.say("You receive cards only if you placed a Blackjack wager.", MUB="3", MGB="Wagering")
    if draft.game.short == "MUB" and rules.side_bets:
        draft.say(
            "Side bets are settled first, player by player from the dealer's right to left, before insurance and before the "
            "dealer looks at the hole card.",
            MUB="6, 7, 8",
        )
    draft.say(
        "If the up card is an ace or a ten-value card, the dealer looks at the hole card, after insurance with an ace. "
        "A dealer blackjack is turned over and ends the round at once.",
        MUB="11, 12",
        MGB="8, Dealing",
    )
    draft.say(
        "If the system does not know the hole card, the dealer answers on the dealer terminal whether it makes a blackjack. "
        "A hole card that contradicts this answer when it is turned is not accepted until a supervisor corrects or voids.",
    )
    draft.say("Otherwise the players play in turn, from the dealer's left.", MUB="13")


def _write_early(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("Insurance and even money")
    draft.rule("insurance")
    if rules.insurance:
        draft.rule("insurance_least")
    else:
        draft.leave_out("insurance_least")
    draft.rule("even_money")
    if rules.insurance and rules.even_money:
        draft.say("If you have blackjack, you may insure it or take even money, not both.")
    if rules.insurance and rules.keep_standoff_bet == "always" and not rules.insurance_least:
        draft.say(
            "If you insured a blackjack and the dealer has blackjack too, your blackjack is a push and your insurance is paid: "
            "together 1 to 1 on your original wager.",
            SBJ="5.h.i",
        )
    if offered := [name for name in ("insurance", "even money") if getattr(rules, name.replace(" ", "_"))]:
        are = "are" if len(offered) > 1 else "is"
        draft.say(
            f"{' and '.join(offered).capitalize()} {are} offered before any other decision, and declined if your time runs out.",
            SBJ="5.h.iii",
        )


def _write_decisions(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("Your decisions")
    draft.say("Hit: you take another card.", SBJ="5.a", DLB="5.a", MUB="13.b")
    draft.say("Stand: you take no more cards.", SBJ="5.b", DLB="5.b", MUB="13.a")
    draft.say("A hand of 21 stands by itself.")
    if "paytable" in draft.game.options:
        draft.rule("paytable")
    draft.rule("double")
    _write_doubling(draft, rules)
    if _splits(rules):
        draft.rule("split")
        draft.rule("max_splits")
        draft.rule("resplit_aces", as_if=rules.resplit_aces and rules.max_splits > 1)
        draft.rule("split_draw")
    else:
        draft.rule("split" if rules.split == "off" else "max_splits")
        draft.leave_out("split", "max_splits", "resplit_aces", "split_draw")
    draft.rule("surrender")
    if rules.surrender != "off":
        after = ", nor after a split" if _splits(rules) else ""
        draft.say(f"You cannot surrender a blackjack{after}.", SBJ="5.f")


def _write_doubling(draft: Draft, rules: BlackjackRules) -> None:
    details = ("double_totals", "double_after_split", "double_with_ace", "double_for_less", "double_adds")
    if not _doubles(rules):
        draft.leave_out(*details)
        return
    for name in details:
        if name == "double_after_split" and not _splits(rules):
            draft.leave_out(name)
        else:
            draft.rule(name)
    if rules.double_with_ace:
        draft.say("The total of a hand is its best total, so that an ace and a nine are 20.", SBJ="5.c.ii")
    draft.say("A doubled hand that busts loses its whole wager, whatever the dealer has.", SBJ="5.c.vi")


def _write_time(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("When your time runs out")
    policy = next((name for name in ("auto_stand", "timeout") if name in draft.game.options), None)
    if policy:
        draft.rule(policy)
    else:
        draft.say("If your time runs out, your hand stands.")
    if _splits(rules) and rules.resplit_aces and rules.max_splits > 1:
        draft.say("A split ace that could be split again stands.")
    draft.say("A decision that is made because time ran out never takes more money from you.")


def _write_dealers_hand(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("The dealer's hand")
    draft.rule("dealer_hits_soft_17")
    if _is_community(draft):
        _write_community_dealer(draft, rules)
        return
    buster = "buster" in rules.side_bets
    draft.say(
        "When every player has had a turn, the dealer turns over the hole card, and draws only while a hand is neither busted "
        "nor paid" + (", or a Buster wager is in action." if buster else "."),
        MUB="14",
        MGB="Dealing, NOTE" if buster else "Dealing",
    )


def _write_community_dealer(draft: Draft, rules: BlackjackRules) -> None:
    draft.say(
        "When no player needs a card, community cards are dealt until every dealer's hand that still matters is complete. A "
        "dealer's hand ends as soon as it must stand; later cards are not part of it.",
        SBJ="9",
        DLB="6",
    )
    gone = "busted, surrendered" if rules.surrender != "off" else "busted"
    draft.say(
        f"A dealer's hand is not played out if every hand that meets it has {gone} or been paid.",
        SBJ="9.c",
    )
    unless = ", unless everybody took even money" if rules.even_money else ""
    draft.say(
        "If the players have blackjack and the dealer's first card is an ace or a ten-value card, exactly one more card is "
        f"dealt{unless}; otherwise none is.",
        SBJ="9.d",
    )
    left = ["an insurance wager"] if rules.insurance else []
    left += ["a surrender that a dealer blackjack would undo"] if rules.surrender == "not-against-blackjack" else []
    if left:
        draft.say(
            f"Where all that is left is {' or '.join(left)}, only the dealer's second card is dealt, and only if it could make "
            "a blackjack.",
        )
    draft.say(
        "The dealer has blackjack against you if the dealer's first card and the next card of the hand that you meet are an "
        "ace and a ten-value card.",
    )


def _write_settlement(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("Settlement")
    if draft.game.short == "DLB":
        draft.say(
            'When all cards are out, the dealer presses "Confirm Result"; the system then pays and collects every wager.',
            DLB="8",
        )
    else:
        draft.say("The system pays and collects every wager when the result is confirmed.", SBJ="10")
    draft.rule("blackjack_pays")
    if draft.game.short == "MGB":
        draft.say(
            "Your blackjack is decided before anybody plays: it wins unless the dealer has blackjack too, and then it is a push.",
            MGB="8, Dealing",
        )
    draft.say(
        "A hand nearer to 21 than the dealer's wins, and a hand further from it loses. Every win that these rules do not pay "
        "otherwise is paid 1 to 1.",
        SBJ="2.a",
        MUB="16, 17",
        MGB="9",
    )
    draft.rule("bust_pushes_from")
    _write_dealer_blackjack(draft, rules)
    # Without insurance nobody is insured, and a tie is a push as it always is.
    pushes = rules.keep_standoff_bet != "never" and not rules.insurance
    draft.rule("keep_standoff_bet", as_if="always" if pushes else None)
    write_rounding(draft)


def _write_dealer_blackjack(draft: Draft, rules: BlackjackRules) -> None:
    if _doubles(rules) or _splits(rules):
        draft.rule("dealer_blackjack_takes")
        return
    draft.leave_out("dealer_blackjack_takes")
    draft.say(
        "If the dealer has blackjack, every hand without blackjack loses.", rules.clause("dealer_blackjack_takes")
    )


def _write_side_bets(draft: Draft) -> None:
    side_bets = [offer for offer in draft.game.offers.values() if not offer.main]
    if not side_bets:
        return
    draft.section("Side bets")
    for offer in side_bets:
        write_bet(draft, offer.bet, offer.paytable_name, offer.paytable)
        if offer.bet.needs:
            taken = "" if offer.bet.needs in draft.game.offers else ", which this table does not take"
            draft.say(f"{offer.bet.title} needs a {BETS[offer.bet.needs].title} wager{taken}.", offer.bet.clause)
    draft.say(
        "A side bet is paid once, for the highest line of its paytable that it fills. Your hand's fate does not matter to it."
    )


def _write_dealer_wagers(draft: Draft, rules: BlackjackRules) -> None:
    draft.section("Wagers for the dealer")
    clause = rules.tokes_clause
    side = " A side bet for the dealer needs none of your own." if rules.side_bets else ""
    draft.say(f"A Blackjack wager for the dealer needs your own Blackjack wager.{side}", clause, SBJ="3")
    if {"super-3", "trilux"} <= rules.side_bets.keys():
        draft.say("Super 3 for the dealer needs a TriLux wager, yours or the dealer's.", "SBJ 2.e, 3")
    draft.say("A wager for the dealer is paid at the same odds as yours.", MGB="Toke Bets")
    draft.say(
        "When it wins, stake and winnings go to the dealers' tips. When it is a push, or the round is void, it goes back to "
        "your credit."
    )
    added = [name for name, is_on in (("double", _doubles(rules)), ("split", _splits(rules))) if is_on]
    if added:
        less = " It is not doubled if you double for less." if _doubles(rules) and rules.double_for_less else ""
        draft.say(
            f"The dealer's Blackjack wager follows your first hand. If you {' or '.join(added)} a hand that carries it, you may "
            f"add the same for the dealer from your credit; if you do not, it stays as it is.{less}",
            clause,
            SBJ="5.c.viii, 5.d.vi",
        )
    if rules.insurance:
        draft.say("A wager for the dealer is never insured.")
    given = [
        name for name, is_on in (("Even money", rules.even_money), ("Surrender", rules.surrender != "off")) if is_on
    ]
    if given:
        draft.say(
            f"{' and '.join(given).capitalize()} {'treat' if len(given) > 1 else 'treats'} the dealer's wager as your own"
            + ("; the half that a surrender keeps goes back to your credit." if rules.surrender != "off" else ".")
        )
