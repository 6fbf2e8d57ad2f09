"""What all ways of dealing blackjack share: every player has a box, and the box knows what may be decided."""

from collections.abc import Mapping
from typing import Final

from podium.rules.asking import Decision, Question
from podium.rules.bets import INSURANCE
from podium.rules.blackjack.box import Box, Hand
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.dealing.dealing import Dealing
from podium.rules.dealing.layout import HandView, OwnView, card_codes
from podium.rules.placard import Offer
from podium.rules.seat import Seat, Stake


class BoxDealing(Dealing):
    """Blackjack, in any way of dealing."""

    def __init__(self, rules: BlackjackRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.rules: Final = rules
        # Seats that act in turn do so in the order of their numbers.
        order = sorted(seats) if self.acts_in_turn else seats
        self.boxes: Final = {
            number: Box(rules, seats[number].amounts["blackjack"], seats[number].for_dealer.get("blackjack", 0))
            for number in order
            if "blackjack" in seats[number].amounts
        }
        self.open: dict[int, Box] = {}

    def question(self, seat: int) -> Question:
        return self.boxes[seat].question()

    def cost_of(self, seat: int, decision: Decision) -> int:
        return self.boxes[seat].cost_of(decision)

    def time_out(self, seat: int) -> Decision:
        return self.boxes[seat].time_out()

    def stakes(self, seat: Seat) -> list[Stake]:
        """Doubles and splits count with the wager that they add to."""
        box = self.boxes.get(seat.number)
        if box is None:
            return seat.placed
        lies = {
            ("blackjack", "player"): sum(hand.stake for hand in box.hands),
            ("blackjack", "dealer"): sum(hand.toke for hand in box.hands),
        }
        stakes = [Stake(wager, whose, lies.get((wager, whose), amount)) for wager, whose, amount in seat.placed]
        return [*stakes, Stake(INSURANCE.name, "player", box.insurance)] if box.insured else stakes

    def own_view(self, seat: Seat) -> OwnView:
        box = self.boxes.get(seat.number)
        if box is None or not box.hands[0].cards:
            return {}
        return {
            "hands": [hand_view(hand) for hand in box.hands],
            "playing": box.playing,
            "taken": box.taken,
            "finished": not box.asks and not box.owed,
            "insurance": box.insurance,
        }


def hand_view(hand: Hand) -> HandView:
    """A player's hand as everybody may see it."""
    return HandView(
        cards=card_codes(hand.cards),
        total=hand.points,
        soft=hand.soft,
        state=hand.ended,
        doubled=hand.doubled,
        stake=hand.stake,
        toke=hand.toke,
        blackjack=hand.ended == "blackjack",
    )


def dealers_view(hand: DealersHand) -> HandView:
    """A dealer's hand with all cards face up."""
    state = "bust" if hand.bust else "stood" if hand.complete else ""
    return HandView(card_codes(hand.cards), hand.points, hand.soft, state, blackjack=hand.blackjack)
