"""Compares the money in play at a table of Mega Blackjack with what the oracle says must still lie there."""

from podium.house.table import Table
from podium.play.round import Round
from podium.rules.dealing import HandView, OwnHands
from tests.oracle.moments import Lying, still_at_stake


def at_stake(table: Table, player: str) -> int | None:
    """What must lie in play for a player at the table; None where this is not known from the cards."""
    if table.between_rounds or not table.in_play.dealt_for:
        return None
    played, dealing = table.in_play, table.in_play.dealing
    if not isinstance(dealing, OwnHands) or not dealing.rules.settles_at_once or dealing.to_deal:
        return None
    lying = dealing.layout()
    seats = [number for number in table.boxes.get(player, {}).values() if number in played.seats]
    return sum(_at_seat(played, number, lying.seats.get(number, []), lying.dealer[0], dealing.peek) for number in seats)


def _at_seat(played: Round, number: int, hands: list[HandView], up_card: str, looked: bool | None) -> int:
    stakes = {(stake.wager, stake.whose): stake.amount for stake in played.dealing.stakes(played.seats[number])}
    beside = sum(amount for (wager, _), amount in stakes.items() if wager != "blackjack")
    on_hands = [Lying(hand.cards, hand.stake + hand.toke, hand.state == "even-money") for hand in hands]
    return beside + still_at_stake(on_hands, up_card, looked=looked)
