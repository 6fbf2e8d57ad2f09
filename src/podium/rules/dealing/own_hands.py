"""Own hands: every player has two cards, the dealer an up card and a hole card; boxes are played in turn."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.rules.asking import (
    Awaits,
    Confirmation,
    Decision,
    Decisions,
    HoleCard,
    NextCard,
    Peek,
    Place,
)
from podium.rules.bets import Sees
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.blackjack.settlement import settle, settle_hands
from podium.rules.dealing.boxes import BoxDealing, dealers_view, hand_view
from podium.rules.dealing.dealing import Moment
from podium.rules.dealing.layout import HandView, Layout, card_codes
from podium.rules.dealing.sentence import Sentence
from podium.rules.placard import Offer
from podium.rules.results import SeatResult, WagerResult, because
from podium.rules.seat import Seat

UP, HOLE, DRAW = Place("up-card"), Place("hole-card"), Place("draw")


class OwnHands(BoxDealing):
    """MUB 5 to 17, MGB Dealing."""

    kind: ClassVar[str] = "own-hands"
    introduction: ClassVar[str] = "game.own-hands"
    acts_in_turn: ClassVar[bool] = True
    sights: ClassVar[Mapping[Sees, Moment]] = {
        Sees.FIRST_TWO: Moment.EARLY,
        Sees.FIRST_THREE: Moment.EARLY,
        Sees.DEALERS_HAND: Moment.LATE,
    }

    def __init__(self, rules: BlackjackRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.first: dict[int, list[Card]] = {number: [] for number in self.boxes}
        boxes = [Place("seat", number) for number in self.boxes]
        self.to_deal: list[Place] = [*boxes, UP, *boxes, HOLE]
        """The places of the first cards that are still to come."""
        self.up_card: Card | None = None
        self._hole: Card | None = None
        """The hole card, once the system knows it: nobody else does before it is turned over (CARD-4)."""
        self.peek: bool | None = None
        """Whether the dealer has blackjack, where the dealer had to look; None before."""
        self._dealer: DealersHand | None = None
        """The dealer's hand, once the hole card is known and looked at. It may still lie face down."""
        self.turns: list[int] = []
        """The boxes that are still to be played, in the order of their turns."""

    def awaits(self) -> Awaits:
        if self.to_deal:
            return NextCard(self.to_deal[0])
        if self.open:
            return Decisions(self.open, self.question)
        if self._hole is None and self._must_peek and self.peek is None:
            return Peek()
        if self.turns:
            seat = self.turns[0]
            box = self.boxes[seat]
            return NextCard(Place("seat", seat, hand=box.hands.index(box.owed[0])))
        if self._hole is None:
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
            assert self._dealer is not None
            self._dealer.take(card)

    def _deal_first(self, place: Place, card: Card | None) -> None:
        if place == HOLE:
            self._hole = card
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
        for number in self.settles_in_order():
            self.settle_early([self.seats[number]])
        for number, box in self.boxes.items():
            box.start(*self.first[number])
            box.offer_early(up)
            if box.early:
                self.open[number] = box
                self.insuring.add(number)
        self._after_insurance()

    def settles_in_order(self) -> Sequence[int]:
        """MUB 7: from the dealer's right to left."""
        return list(reversed(self.boxes))

    def seen(self, offer: Offer, seat: Seat) -> tuple[Any, ...]:
        if offer.bet.sees is Sees.DEALERS_HAND:
            assert self._dealer is not None
            return len(self._dealer.cards), self._dealer.points
        first, second = self.first[seat.number]
        return (first, second) if offer.bet.sees is Sees.FIRST_TWO else (first, second, self._up)

    def _after_insurance(self) -> None:
        """MUB 11: with an ace or a ten up the dealer peeks, and a blackjack ends the round."""
        if self.open:
            return
        if self._must_peek and self.peek is None:
            if self._hole is None:
                return
            self.peek = self.would_see_blackjack(self._hole)
        if not self.peek:
            self.turns = list(self.boxes)
        if self._hole is not None:
            self._start_dealer(self._hole)
        self._go_on()

    def peeked(self, blackjack: bool) -> None:
        if not isinstance(self.awaits(), Peek):
            raise Refused("no-peek")
        self.peek = blackjack
        self._after_insurance()

    def would_see_blackjack(self, hole: Card) -> bool:
        return DealersHand([self._up, hole], hits_soft_17=True).blackjack

    def turn(self, card: Card) -> None:
        if not isinstance(self.awaits(), HoleCard):
            raise Refused("no-hole")
        if self._must_peek and self.would_see_blackjack(card) != self.peek:
            raise Refused("hole-not-blackjack" if self.peek else "hole-blackjack", card=card, clause="MUB 11")
        self._hole = card
        self._turn_over(HOLE, card)
        self._start_dealer(card)

    @property
    def _up(self) -> Card:
        assert self.up_card is not None
        return self.up_card

    @property
    def _must_peek(self) -> bool:
        return self.up_card is not None and self.up_card.points in (1, 10)

    def _go_on(self) -> None:
        """Asks the box whose turn it is, and moves on to the next once it is finished."""
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
        self._dealer = DealersHand([self._up, hole], hits_soft_17=self.rules.dealer_hits_soft_17)

    @property
    def _dealer_draws(self) -> bool:
        """MUB 14, MGB NOTE: only while a hand is neither busted nor paid, or a wager on the dealer's hand is in action."""
        assert self._dealer is not None
        if self._dealer.complete or self.peek:
            return False
        standing = any(hand.ended == "stood" for box in self.boxes.values() for hand in box.hands)
        return standing or any(seat.stakes_on(offer.wager) for offer in self._late for seat in self.seats.values())

    # --- what may be seen -------------------------------------------------------------------------------------------

    def face_down(self) -> Place | None:
        """The hole card is dealt face down, and turned for a blackjack or for the dealer's play."""
        is_turned = self._dealer and not self.open and not self.turns
        return None if self.to_deal or is_turned else HOLE

    def takes_unknown(self, place: Place) -> bool:
        return place == HOLE

    def layout(self) -> Layout:
        open_hand = self._dealers_open_hand()
        return Layout(
            dealer=card_codes(open_hand.cards) if open_hand else [],
            dealers_hand=dealers_view(open_hand) if open_hand else None,
            hole=self.face_down() is not None,
            seats={
                number: [hand_view(hand) for hand in box.hands]
                if box.hands[0].cards
                else [HandView(card_codes(self.first[number]), 0)]
                for number, box in self.boxes.items()
            },
            turn=self.turns[0] if self.turns else 0,
        )

    def _dealers_open_hand(self) -> DealersHand | None:
        """The part of the dealer's hand that everybody sees."""
        if self.up_card is None:
            return None
        if self._dealer and self.face_down() is None:
            return self._dealer
        return DealersHand([self.up_card], hits_soft_17=self.rules.dealer_hits_soft_17)

    @classmethod
    def alone(cls, layout: Layout, cards: Sequence[str], seat: int) -> Sequence[str]:
        boxes = sorted(layout.seats)
        place, count = boxes.index(seat), len(boxes)
        draws = {number: sum(len(hand.cards) for hand in hands) - 2 for number, hands in layout.seats.items()}
        begins = 2 * count + 2 + sum(draws[number] for number in boxes[:place])
        dealers = 2 * count + 2 + sum(draws.values())
        first, up, second, hole = cards[place], cards[count], cards[count + 1 + place], cards[2 * count + 1]
        return (first, up, second, hole, *cards[begins : begins + draws[seat]], *cards[dealers:])

    def own_cards(self, seat: Seat) -> list[str]:
        return super().own_cards(seat) or card_codes(self.first.get(seat.number, ()))

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        box = self.boxes[seat]
        box.decide(decision, cost)
        if seat in self.insuring:
            self.insuring.discard(seat)
            del self.open[seat]
            self._after_insurance()
        else:
            self._go_on()

    # --- the end ----------------------------------------------------------------------------------------------------

    def result(self, seat: Seat) -> SeatResult:
        assert self._dealer is not None
        dealer = self._dealer
        hands, wagers = settle(self.boxes[seat.number], dealer) if seat.number in self.boxes else ([], [])
        return SeatResult(tuple(hands), dealer.result(), (*seat.settled, *wagers, *self.settled_late(seat)))

    def settled_at_once(self, seat: Seat) -> Mapping[int, Sequence[WagerResult]]:
        """MGB: a blackjack is paid as soon as the dealer cannot have one, even money when it is taken, and each hand that busts
        is collected at once."""
        box = self.boxes.get(seat.number)
        if not self.rules.settles_at_once or box is None or not box.hands[0].cards:
            return {}
        settled = {"bust", "even-money", "blackjack"} if self._dealer_has_none else {"bust", "even-money"}
        # None of these results depends on the dealer's further cards.
        up_alone = DealersHand([self._up], hits_soft_17=self.rules.dealer_hits_soft_17)
        return {
            number: settle_hands(box, [hand], up_alone)[1]
            for number, hand in enumerate(box.hands)
            if hand.ended in settled
        }

    def may_settle_at_once(self) -> Collection[int]:
        return self.boxes if self.rules.settles_at_once else ()

    @property
    def _dealer_has_none(self) -> bool:
        """Whether the dealer cannot have a blackjack, as everybody knows."""
        return not self.to_deal and (not self._must_peek or self.peek is False)

    def why_not_paid(self, offer: Offer, outcome: str | None, *seen: object) -> Phrase:
        if offer.bet.sees is not Sees.DEALERS_HAND:
            return super().why_not_paid(offer, outcome, *seen)
        cards, points = seen
        return because("no-bust", dealers=points) if outcome is None else because("busted-not-paid", cards=cards)

    # --- what the printed rules say of it ---------------------------------------------------------------------------

    @classmethod
    def describe_deal(cls, rules: BlackjackRules) -> Iterator[Sentence]:
        yield Sentence("deal.one-at-a-time")
        yield Sentence("deal.only-with-wager")
        if rules.side_bets:
            yield Sentence("deal.side-bets-first", only_if_written=True)
        yield Sentence("deal.peek")
        yield Sentence("deal.unknown-hole-card")
        yield Sentence("deal.in-turn")

    @classmethod
    def describe_dealers_hand(cls, rules: BlackjackRules, offers: Iterable[Offer]) -> Iterator[Sentence]:
        bets = [offer.bet.name for offer in offers if offer.bet.sees is Sees.DEALERS_HAND]
        yield Sentence("dealer.own-hands-or-bets", {"bets": bets}) if bets else Sentence("dealer.own-hands")


english(
    "why",
    {
        "no-bust": "Dealer did not bust: {dealers}.",
        "busted-not-paid": "Dealer busted with {cards} cards, which this wager does not pay.",
    },
)
english(
    "refused",
    {
        "no-peek": "No peek is awaited: the dealer looks at an unknown hole card after insurance, with an ace or a ten up.",
        "no-hole": "No hole card can be turned now: it is turned when every player has had a turn.",
        "hole-blackjack": (
            "{card:cards} contradicts the peek, which saw no blackjack: enter the card that lies there, or let a supervisor "
            "correct or void."
        ),
        "hole-not-blackjack": (
            "{card:cards} contradicts the peek, which saw a blackjack: enter the card that lies there, or let a supervisor "
            "correct or void."
        ),
    },
)
english(
    "rules",
    {
        "game.own-hands": "{game:game} is blackjack in which every player has a hand against the same dealer.",
        "deal.one-at-a-time": "Cards are dealt one at a time: a first card to every player, from the dealer's left, and "
        "the dealer's up card, face up; then a second card to every player, and the dealer's hole card, face down.",
        "deal.only-with-wager": "You receive cards only if you placed a Blackjack wager.",
        "deal.side-bets-first": "Side bets are settled first, player by player from the dealer's right to left, before "
        "insurance and before the dealer looks at the hole card.",
        "deal.peek": "If the up card is an ace or a ten-value card, the dealer looks at the hole card, after insurance "
        "with an ace. A dealer blackjack is turned over and ends the round at once.",
        "deal.unknown-hole-card": "If the system does not know the hole card, the dealer answers on the dealer terminal "
        "whether it makes a blackjack. A hole card that contradicts this answer when it is turned is not accepted until a "
        "supervisor corrects or voids.",
        "deal.in-turn": "Otherwise the players play in turn, from the dealer's left.",
        "dealer.own-hands": "When every player has had a turn, the dealer turns over the hole card, and draws only while a "
        "hand is neither busted nor paid.",
        "dealer.own-hands-or-bets": "When every player has had a turn, the dealer turns over the hole card, and draws only "
        "while a hand is neither busted nor paid, or a {bets:wager} wager is in action.",
    },
)
