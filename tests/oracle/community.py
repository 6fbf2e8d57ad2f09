"""Stadium and Dynasty Blackjack: everybody plays the same cards alone; the dealer's hand is made of what is left of
them."""

from tests.oracle.account import Account
from tests.oracle.cards import may_become_natural
from tests.oracle.dealers import card_at, complete
from tests.oracle.hands import Player
from tests.oracle.options import Rules
from tests.oracle.settlement import settle_player
from tests.oracle.side_bets import first_three_pay


def play_community(rules: Rules, cards: list[str], accounts: list[Account], players: list[Player]) -> int:
    """Plays and settles everybody. Returns the number of cards that the table needed."""
    first, up_card, second = (card_at(cards, place) for place in range(3))
    stream = cards[3:]
    for account in accounts:
        for bet, paytable in rules.side_bets.items():
            for whom in ("player", "dealer"):
                account.settle_side_bet(bet, whom, first_three_pay(bet, paytable, [first, second], up_card))
    for player in players:
        play_alone(player, [first, second], up_card, stream)
        player.dealer = dealer_hand(player, up_card, stream)
        settle_player(player, player.dealer)
    return 3 + max((player.taken + len(player.dealer) - 1 for player in players), default=0)


def play_alone(player: Player, two: list[str], up_card: str, stream: list[str]) -> None:
    def draw() -> str:
        player.taken += 1
        return card_at(stream, player.taken - 1)

    player.take_first_two(list(two))
    player.offer_insurance(up_card)
    if not player.natural:
        player.play(draw)


def dealer_hand(player: Player, up_card: str, stream: list[str]) -> list[str]:
    """The dealer's cards as far as this player's wagers need them."""
    left = stream[player.taken :]
    if needs_the_dealer(player):
        return complete([up_card], left, hits_soft_17=player.rules.dealer_hits_soft_17)
    if needs_the_second_card(player) and may_become_natural(up_card):
        return [up_card, card_at(left, 0)]
    return [up_card]


def needs_the_dealer(player: Player) -> bool:
    return not player.natural and any(hand.in_play for hand in player.hands)


def needs_the_second_card(player: Player) -> bool:
    """A blackjack not yet paid, an insurance, or a surrender that a dealer blackjack undoes."""
    first = player.hands[0]
    if player.natural:
        return first.ended != "even-money"
    undoable = first.ended == "surrender" and player.rules.surrender == "not-against-blackjack"
    return bool(player.insured) or undoable
