"""Settles the hands of a box against a dealer's hand."""

from typing import NamedTuple

from podium.basics.cards import codes
from podium.basics.money import EVEN, Odds
from podium.basics.words import Phrase, english
from podium.rules.bets import BLACKJACK, INSURANCE
from podium.rules.blackjack.box import Box, Hand
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.results import HandResult, WagerResult, because

LOSES, PUSHES, WINS, HALVES, RETURNS_ADDED = "loses", "pushes", "wins", "halves", "returns added"


class Fate(NamedTuple):
    """What happens to the wagers on a hand."""

    result: str
    """As the record names it: win, lose, push, blackjack, bust, surrender, even-money."""
    how: str
    why: Phrase
    odds: Odds = EVEN

    def returned(self, stake: int, added: int) -> int:
        match self.how:
            case "wins":
                return stake + self.odds.on(stake)
            case "pushes":
                return stake
            case "halves":
                return stake // 2
            case "returns added":
                return added
        return 0

    def breakage(self, stake: int) -> str:
        if self.how == WINS:
            return self.odds.breakage(stake)
        return "1/2" if self.how == HALVES and stake % 2 else ""


def fate(box: Box, hand: Hand, dealer: DealersHand) -> Fate:
    """What happens to a hand: first by its own cards (a bust, a surrender), then by the dealer's blackjack, then by the
    totals."""
    rules = box.rules
    match hand.ended:
        case "bust":
            return Fate("bust", LOSES, because("bust", yours=hand.hard))  # SBJ 5.c.vi, 5.d.iv
        case "surrender":
            if dealer.blackjack and rules.surrender == "not-against-blackjack":
                return Fate("surrender", LOSES, because("surrender-undone", clause=rules.clause("surrender")))
            return Fate("surrender", HALVES, because("surrendered"))
        case "even-money":
            return Fate("even-money", WINS, because("even-money"))
    if dealer.blackjack and hand.ended != "blackjack":
        return _against_blackjack(box, hand)
    natural = hand.ended == "blackjack"
    outcome = BLACKJACK.of(
        hand.points, natural, dealer.points, dealer.blackjack, len(dealer.cards), rules.bust_pushes_from
    )
    if outcome is None:
        return Fate("lose", LOSES, because("lose", yours=hand.points, dealers=dealer.points))
    if outcome == "push":
        return _push(box, hand, dealer)
    odds = rules.main_paytable[BLACKJACK.line(rules.main_paytable, outcome) or "win"]
    return Fate("blackjack" if natural else "win", WINS, _why_won(hand, dealer, odds, natural), odds)


def _against_blackjack(box: Box, hand: Hand) -> Fate:
    """SBJ 5.c.vii, 5.d.v: a dealer blackjack takes the initial wager, and the additional ones where the rules say so."""
    rules = box.rules
    if rules.dealer_blackjack_takes == "initial" and hand.added:
        clause = rules.clause("dealer_blackjack_takes")
        why = because("dealer-blackjack-returns", yours=hand.points, clause=clause)
        return Fate("lose", RETURNS_ADDED, why)
    return Fate("lose", LOSES, because("dealer-blackjack", yours=hand.points))


def _push(box: Box, hand: Hand, dealer: DealersHand) -> Fate:
    rules = box.rules
    if dealer.bust:
        clause = rules.clause("bust_pushes_from")
        return Fate("push", PUSHES, because("dealer-busted-push", cards=len(dealer.cards), clause=clause))
    if rules.keep_standoff_bet == "never":
        clause = rules.clause("keep_standoff_bet")
        return Fate("lose", LOSES, because("tie-loses", yours=hand.points, clause=clause))
    if hand.ended == "blackjack":
        return Fate("push", PUSHES, because("blackjack-tied"))
    return Fate("push", PUSHES, because("push", yours=hand.points, dealers=dealer.points))


def _why_won(hand: Hand, dealer: DealersHand, odds: Odds, natural: bool) -> Phrase:
    if natural:
        return because("blackjack", odds=odds)
    if dealer.bust:
        if odds == EVEN:
            return because("dealer-busted", dealers=dealer.points)
        return because("dealer-busted-pays", dealers=dealer.points, odds=odds)
    if odds == EVEN:
        return because("win", yours=hand.points, dealers=dealer.points)
    return because("win-pays", yours=hand.points, dealers=dealer.points, odds=odds)


def _is_tie(hand: Hand, dealer: DealersHand) -> bool:
    """SBJ 5.g: whether both hands have the same value. A push because the dealer busted is not a tie."""
    if hand.ended not in ("stood", "blackjack") or dealer.bust:
        return False
    return (hand.ended == "blackjack") == dealer.blackjack and hand.points == dealer.points


def settle(box: Box, dealer: DealersHand) -> tuple[list[HandResult], list[WagerResult]]:
    """Every hand of the box, and its wagers: the player's, the dealer's, insurance."""
    hands, wagers = settle_hands(box, box.hands, dealer)
    if box.insured:
        wagers.append(_insurance(box, dealer))
    return hands, wagers


def settle_hands(box: Box, settled: list[Hand], dealer: DealersHand) -> tuple[list[HandResult], list[WagerResult]]:
    """These hands of a box, and the main wagers on them: the player's and the dealer's."""
    fates = [fate(box, hand, dealer) for hand in settled]
    own = [_for_the_player(box, hand, dealer, fate) for hand, fate in zip(settled, fates, strict=True)]
    hands = [
        HandResult(
            cards=codes(hand.cards),
            total=hand.points,
            soft=hand.soft,
            name=None,
            result=fate.result,
            staked=hand.stake,
            returned=fate.returned(hand.stake, hand.added),
        )
        for hand, fate in zip(settled, own, strict=True)
    ]
    wagers = [
        WagerResult(
            wager="blackjack",
            whose="player",
            staked=sum([hand.stake for hand in settled]),
            returned=sum([hand.returned for hand in hands]),
            tips=0,
            why=tuple([fate.why for fate in own]),
            breakage=_together([fate.breakage(hand.stake) for hand, fate in zip(settled, own, strict=True)]),
        )
    ]
    carried = [(hand, fate) for hand, fate in zip(settled, fates, strict=True) if hand.toke]
    if carried:
        wagers.append(_toke(carried))
    return hands, wagers


def _for_the_player(box: Box, hand: Hand, dealer: DealersHand, fate: Fate) -> Fate:
    """SBJ 5.g `if-not-insured`: an insured player loses ties; a wager for the dealer is never insured."""
    rules = box.rules
    if box.insured and rules.keep_standoff_bet == "if-not-insured" and _is_tie(hand, dealer):
        clause = rules.clause("keep_standoff_bet")
        return Fate("lose", LOSES, because("tie-insured-loses", yours=hand.points, clause=clause))
    return fate


def _toke(carried: list[tuple[Hand, Fate]]) -> WagerResult:
    """The wager for the dealer: what wins goes to the tips, what is pushed or returned to the player."""
    returned = tips = 0
    for hand, fate in carried:
        back = fate.returned(hand.toke, hand.toke_added)
        returned += back
        tips += back if fate.how == WINS else 0
    return WagerResult(
        wager="blackjack",
        whose="dealer",
        staked=sum([hand.toke for hand, _ in carried]),
        returned=returned,
        tips=tips,
        why=tuple([fate.why for _, fate in carried]),
        breakage=_together([fate.breakage(hand.toke) for hand, fate in carried]),
    )


def _insurance(box: Box, dealer: DealersHand) -> WagerResult:
    rules, stake = box.rules, box.insurance
    outcome = INSURANCE.of(len(dealer.cards), dealer.points)
    if rules.keep_standoff_bet == "always-and-push-insurance" and _is_tie(box.hands[0], dealer):
        returned, why = stake, because("insurance-pushed", clause=rules.clause("keep_standoff_bet"))
    elif outcome is None:
        returned, why = 0, because("insurance-lost")
    else:
        returned, why = stake + INSURANCE.paytables["A"][outcome].on(stake), because("insurance-paid")
    return WagerResult("insurance", "player", stake, returned, 0, (why,))


def _together(fractions: list[str]) -> str:
    return " + ".join([fraction for fraction in fractions if fraction])


english(
    "why",
    {
        "bust": "You busted with {yours}.",
        "surrendered": "You surrendered and kept half of the wager.",
        "surrender-undone": "You surrendered, but the dealer has blackjack: the whole wager is lost ({clause}).",
        "even-money": "You took even money on your blackjack.",
        "blackjack": "Your blackjack pays {odds:odds}.",
        "blackjack-tied": "Your blackjack ties the dealer's: pushed.",
        "dealer-blackjack": "Dealer blackjack beats your {yours}.",
        "dealer-blackjack-returns": "Dealer blackjack beats your {yours}; the additional wager came back ({clause}).",
        "dealer-busted": "Dealer busted with {dealers}.",
        "dealer-busted-pays": "Dealer busted with {dealers}; your 21 pays {odds:odds}.",
        "dealer-busted-push": "Pushed: dealer busted with {cards} cards ({clause}).",
        "win": "Your {yours} beats dealer {dealers}.",
        "win-pays": "Your {yours} beats dealer {dealers} and pays {odds:odds}.",
        "lose": "Dealer {dealers} beats your {yours}.",
        "push": "Pushed: {yours} against {dealers}.",
        "tie-loses": "A tie at {yours}: ties lose here ({clause}).",
        "tie-insured-loses": "A tie at {yours}: an insured wager loses a tie here ({clause}).",
        "insurance-paid": "Dealer has blackjack: insurance pays 2 to 1.",
        "insurance-lost": "Dealer has no blackjack: insurance is lost.",
        "insurance-pushed": "Your hand tied, so insurance came back ({clause}).",
    },
)
