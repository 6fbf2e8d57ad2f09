"""Own hands: every player has two cards, the dealer an up card and a hole card; boxes are played in turn."""

from collections.abc import Mapping
from typing import Final

from podium.basics.cards import Card
from podium.basics.reasons import Reason, because
from podium.basics.refusal import Refused
from podium.rules.asking import (
    Awaits,
    Confirmation,
    Decision,
    Decisions,
    HoleCard,
    LaidCard,
    NextCard,
    Peek,
    Place,
    Question,
)
from podium.rules.bets import BUSTER, Sees
from podium.rules.blackjack.box import Box
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.blackjack.settlement import settle
from podium.rules.dealing.dealing import Dealing
from podium.rules.placard import Offer
from podium.rules.results import SeatResult
from podium.rules.seat import Seat

UP, HOLE, DRAW = Place("up-card"), Place("hole-card"), Place("draw")


class OwnHands(Dealing):
    """MUB 5 to 17, MGB Dealing."""

    def __init__(self, rules: BlackjackRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.rules: Final = rules
        self.boxes: Final = {
            number: Box(rules, seats[number].amounts["blackjack"], seats[number].for_dealer.get("blackjack", 0))
            for number in sorted(seats)
            if "blackjack" in seats[number].amounts
        }
        self.first: dict[int, list[Card]] = {number: [] for number in self.boxes}
        boxes = [Place("seat", number) for number in self.boxes]
        self.to_deal: list[Place] = [*boxes, UP, *boxes, HOLE]
        """The places of the first cards that are still to come."""
        self.up_card: Card | None = None
        self.hole_card: Card | None = None
        self.peek: bool | None = None
        """Whether the dealer has blackjack, where the dealer had to look; None before."""
        self.dealer: DealersHand | None = None
        """The dealer's hand, once the hole card is turned."""
        self.turns: list[int] = []
        """The boxes that are still to be played, in the order of their turns."""
        self.open: dict[int, Box] = {}

    def awaits(self) -> Awaits:
        if self.to_deal:
            return NextCard(self.to_deal[0])
        if self.open:
            return Decisions(self.open, self.question)
        if self.hole_card is None and self._must_peek and self.peek is None:
            return Peek()
        if self.turns:
            seat = self.turns[0]
            box = self.boxes[seat]
            return NextCard(Place("seat", seat, hand=box.hands.index(box.owed[0])))
        if self.hole_card is None:
            return HoleCard()
        if self._dealer_draws:
            return NextCard(DRAW)
        return Confirmation()

    # --- cards ------------------------------------------------------------------------------------------------------

    def take(self, place: Place, card: Card | None) -> None:
        if self.to_deal:
            self._deal_first(self.to_deal.pop(0), card)
            return
        assert card is not None
        if self.turns:
            box = self.boxes[self.turns[0]]
            box.take(card)
            box.advance()
            self._go_on()
        else:
            assert self.dealer is not None
            self.dealer.take(card)

    def _deal_first(self, place: Place, card: Card | None) -> None:
        if place == HOLE:
            self.hole_card = card
            self._begin()
            return
        assert card is not None
        if place == UP:
            self.up_card = card
        else:
            self.first[place.number].append(card)

    def _begin(self) -> None:
        """Two cards each: the bonus wagers are settled (MUB 6 to 8), then insurance is offered."""
        up = self.up_card
        assert up is not None
        early = [wager for wager, offer in self.offers.items() if not offer.main and offer.bet is not BUSTER]
        for number in reversed(self.boxes):  # MUB 7: from the dealer's right to left
            first, second = self.first[number]
            for wager in early:
                seen = (first, second) if self.offers[wager].bet.sees is Sees.FIRST_TWO else (first, second, up)
                self.settle_side_bets([self.seats[number]], [wager], *seen)
        for number, box in self.boxes.items():
            box.start(*self.first[number])
            box.offer_early(up)
            if box.early:
                self.open[number] = box
                self.insuring.add(number)
        self._after_insurance()

    def _after_insurance(self) -> None:
        """MUB 11: with an ace or a ten up the dealer peeks, and a blackjack ends the round."""
        if self.open:
            return
        if self._must_peek and self.peek is None:
            if self.hole_card is None:
                return
            self.peek = DealersHand([self._up, self.hole_card], hits_soft_17=True).blackjack
        if not self.peek:
            self.turns = list(self.boxes)
        if self.hole_card is not None:
            self._start_dealer(self.hole_card)
        self._go_on()

    def peeked(self, blackjack: bool) -> None:
        if not isinstance(self.awaits(), Peek):
            raise Refused(because("no-peek"))
        self.peek = blackjack
        self._after_insurance()

    def turn(self, card: Card) -> None:
        if not isinstance(self.awaits(), HoleCard):
            raise Refused(because("no-hole"))
        blackjack = DealersHand([self._up, card], hits_soft_17=True).blackjack
        if self._must_peek and blackjack != self.peek:
            saw = "blackjack" if self.peek else "no blackjack"
            raise Refused(
                f"{card} contradicts the peek, which saw {saw}: enter the card that lies there, "
                "or let a supervisor correct or void (MUB 11).",
                because("hole-contradicts", card=card),
            )
        self.hole_card = card
        self._laid = [LaidCard(place, card if place == HOLE else laid) for place, laid in self._laid]
        self._start_dealer(card)

    @property
    def _up(self) -> Card:
        assert self.up_card is not None
        return self.up_card

    @property
    def _must_peek(self) -> bool:
        return self.up_card is not None and self.up_card.points in (1, 10)

    def _go_on(self) -> None:
        """Ask the box whose turn it is; one that is finished makes room for the next."""
        self.open.clear()
        while self.turns:
            box = self.boxes[self.turns[0]]
            box.advance()
            if box.asks:
                self.open[self.turns[0]] = box
                return
            if box.owed:
                return
            self.turns.pop(0)

    # --- the dealer's hand ------------------------------------------------------------------------------------------

    def _start_dealer(self, hole: Card) -> None:
        self.dealer = DealersHand([self._up, hole], hits_soft_17=self.rules.dealer_hits_soft_17)

    @property
    def _dealer_draws(self) -> bool:
        """MUB 14, MGB NOTE: only while a hand is neither busted nor paid, or a Buster wager is in action."""
        assert self.dealer is not None
        if self.dealer.complete or self.peek:
            return False
        standing = any(hand.ended == "stood" for box in self.boxes.values() for hand in box.hands)
        return standing or any(
            BUSTER.name in seat.amounts or BUSTER.name in seat.for_dealer for seat in self.seats.values()
        )

    @property
    def hole_is_down(self) -> bool:
        """Whether the hole card lies face down: dealt, and neither turned for a blackjack nor for the dealer's play."""
        return not self.to_deal and not (self.dealer and not self.open and not self.turns)

    def face_up(self) -> list[LaidCard]:
        if not self.hole_is_down:
            return super().face_up()
        return [laid if laid.place != HOLE else LaidCard(HOLE, None) for laid in self._laid]

    def takes_unknown(self, place: Place) -> bool:
        return place == HOLE

    def dealers_open_hand(self) -> DealersHand | None:
        """The dealer's hand as far as everybody sees it."""
        if self.up_card is None:
            return None
        if self.dealer and not self.hole_is_down:
            return self.dealer
        return DealersHand([self.up_card], hits_soft_17=self.rules.dealer_hits_soft_17)

    # --- decisions --------------------------------------------------------------------------------------------------

    def question(self, seat: int) -> Question:
        return self.boxes[seat].question()

    def cost_of(self, seat: int, decision: Decision) -> int:
        return self.boxes[seat].cost_of(decision)

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        box = self.boxes[seat]
        box.decide(decision, cost)
        if seat in self.insuring:
            self.insuring.discard(seat)
            del self.open[seat]
            self._after_insurance()
        else:
            self._go_on()

    def time_out(self, seat: int) -> Decision:
        return self.boxes[seat].time_out()

    # --- the end ----------------------------------------------------------------------------------------------------

    def result(self, seat: Seat) -> SeatResult:
        assert self.dealer is not None
        dealer = self.dealer
        hands, wagers = settle(self.boxes[seat.number], dealer) if seat.number in self.boxes else ([], [])
        for wager, offer in self.offers.items():
            if offer.bet is BUSTER:
                odds, why = self.outcome(offer, len(dealer.cards), dealer.points)
                wagers += self.settle_on(seat, wager, odds, why)
        return SeatResult(tuple(hands), dealer.result(), (*seat.settled, *wagers))

    def why_not_paid(self, offer: Offer, outcome: str | None, *seen: object) -> Reason:
        if offer.bet is not BUSTER:
            return super().why_not_paid(offer, outcome, *seen)
        cards, points = seen
        return because("no-bust", dealers=points) if outcome is None else because("busted-not-paid", cards=cards)
