"""Match Up and Mega Blackjack: hands of one's own, a hole card, a peek."""

from tests.oracle.account import Account
from tests.oracle.cards import is_natural, may_become_natural
from tests.oracle.dealers import card_at, complete
from tests.oracle.hands import Player
from tests.oracle.options import Rules
from tests.oracle.settlement import settle_player
from tests.oracle.side_bets import buster_pays, first_three_pay

BUSTER_LINES = [("buster", "player"), ("buster", "dealer")]


def play_own_hands(rules: Rules, cards: list[str], accounts: list[Account], players: list[Player]) -> int:
    """Plays and settles everybody. Returns the number of cards that the table needed."""
    seats = len(players)
    dealt = [card_at(cards, place) for place in range(2 * seats + 2)]
    dealer = [dealt[seats], dealt[-1]]
    for seat, player in enumerate(players):
        player.take_first_two([dealt[seat], dealt[seats + 1 + seat]])
        settle_bonuses(rules, player, dealer[0])
    for player in players:
        player.offer_insurance(dealer[0])
    used = len(dealt)

    def draw() -> str:
        nonlocal used
        used += 1
        return card_at(cards, used - 1)

    if not (may_become_natural(dealer[0]) and is_natural(dealer)):
        for player in players:
            if not player.natural:
                player.play(draw)
    buster = any(line in account.lines for account in accounts for line in BUSTER_LINES)
    if buster or any(hand.in_play and not hand.natural for player in players for hand in player.hands):
        dealer = complete(dealer, cards[used:], hits_soft_17=rules.dealer_hits_soft_17)
        used += len(dealer) - 2
    for player in players:
        player.dealer = dealer
        settle_player(player, dealer)
    settle_busters(rules, accounts, dealer)
    return used


def settle_bonuses(rules: Rules, player: Player, up_card: str) -> None:
    if rules.mega:
        return
    for bet, paytable in rules.side_bets.items():
        pays = first_three_pay(bet, paytable, player.hands[0].cards, up_card)
        player.account.settle_side_bet(bet, "player", pays)


def settle_busters(rules: Rules, accounts: list[Account], dealer: list[str]) -> None:
    if "buster" not in rules.side_bets:
        return
    pays = buster_pays(rules.side_bets["buster"], dealer)
    for account in accounts:
        for bet, whom in BUSTER_LINES:
            account.settle_side_bet(bet, whom, pays)
