"""What a player's blackjack hands and insurance are worth against a dealer hand."""

from fractions import Fraction

from tests.oracle.account import with_winnings
from tests.oracle.cards import is_natural, total
from tests.oracle.hands import Hand, Player

EVEN = Fraction(1)


def settle_player(player: Player, dealer: list[str]) -> None:
    """Settles every hand, then the insurance."""
    for hand in player.hands:
        settle_hand(player, hand, dealer)
    if not player.insured:
        return
    if player.rules.standoff == "always-and-push-insurance" and ties(player.hands[0], dealer):
        player.account.give_back("insurance", "player", player.insured)
    elif is_natural(dealer):
        player.account.give_back("insurance", "player", 3 * player.insured)


def ties(hand: Hand, dealer: list[str]) -> bool:
    if not hand.in_play or hand.natural != is_natural(dealer):
        return False
    return total(hand.cards) == total(dealer)


def settle_hand(player: Player, hand: Hand, dealer: list[str]) -> None:
    rules = player.rules
    if hand.busted:
        lose(hand, "bust")
    elif hand.ended == "even-money":
        win(player, hand, "even-money", EVEN)
    elif hand.ended == "surrender":
        if rules.surrender == "not-against-blackjack" and is_natural(dealer):
            lose(hand, "surrender")
        else:
            give_back(player, hand, "surrender", hand.own // 2, hand.dealers // 2)
    elif ties(hand, dealer):
        tie(player, hand)
    elif hand.natural:
        win(player, hand, "blackjack", rules.blackjack_pays)
    elif is_natural(dealer):
        against_dealer_blackjack(player, hand)
    elif rules.mega and len(dealer) >= 4 and total(dealer) > 21:
        give_back(player, hand, "push", hand.own, hand.dealers)
    elif total(dealer) > 21 or total(hand.cards) > total(dealer):
        win(player, hand, "win", Fraction(3, 2) if rules.mega and total(hand.cards) == 21 else EVEN)
    else:
        lose(hand, "lose")


def tie(player: Player, hand: Hand) -> None:
    """SBJ 5.g. The dealer's wager is never insured, so it is lost only where every tie loses."""
    standoff = player.rules.standoff
    own = 0 if standoff == "never" or (standoff == "if-not-insured" and player.insured) else hand.own
    dealers = 0 if standoff == "never" else hand.dealers
    give_back(player, hand, "push" if own else "lose", own, dealers)


def against_dealer_blackjack(player: Player, hand: Hand) -> None:
    """SBJ 5.c.vii, 5.d.v: only what was staked first is lost, or everything."""
    if player.rules.dealer_blackjack_takes == "all":
        lose(hand, "lose")
    else:
        give_back(player, hand, "lose", hand.own - hand.own_initial, hand.dealers - hand.dealers_initial)


def lose(hand: Hand, result: str) -> None:
    hand.result = result


def win(player: Player, hand: Hand, result: str, odds: Fraction) -> None:
    hand.result = result
    hand.returned = with_winnings(hand.own, odds)
    player.account.give_back("blackjack", "player", hand.returned)
    if hand.dealers:
        player.account.tip("blackjack", with_winnings(hand.dealers, odds))


def give_back(player: Player, hand: Hand, result: str, own: int, dealers: int) -> None:
    hand.result = result
    hand.returned = own
    player.account.give_back("blackjack", "player", own)
    if hand.dealers:
        player.account.give_back("blackjack", "dealer", dealers)
