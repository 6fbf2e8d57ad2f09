"""Community dealing: everybody has the same two cards, and one stream of cards serves players and dealer.

Each player takes cards from the front of the stream while that player's hands need them; the first that the
player does not take, and all after it, are the dealer's cards for that player. So there is at most one dealer's hand
for each number of cards taken, and it is played once for all the players who took as many.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import ClassVar, Final

from podium.basics.cards import Card
from podium.basics.words import Phrase, english
from podium.rules.asking import Awaits, Confirmation, Decision, Decisions, NextCard, Place
from podium.rules.bets import Sees
from podium.rules.blackjack.box import Box
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.blackjack.settlement import settle
from podium.rules.dealing.boxes import BoxDealing, dealers_view
from podium.rules.dealing.dealing import Moment
from podium.rules.dealing.layout import Layout, card_codes
from podium.rules.dealing.sentence import Sentence
from podium.rules.placard import Offer
from podium.rules.results import SeatResult
from podium.rules.seat import Seat

FIRST_THREE: Final = (Place("player", 1), Place("dealer", 1), Place("player", 2))

NOTHING, SECOND_CARD, WHOLE_HAND = 0, 1, 2
"""How much of the dealer's hand a box must see to be settled."""


class Community(BoxDealing):
    """SBJ 4 to 9, DLB 4 to 6."""

    kind: ClassVar[str] = "community"
    introduction: ClassVar[str] = "game.community"
    sights: ClassVar[Mapping[Sees, Moment]] = {Sees.FIRST_TWO: Moment.EARLY, Sees.FIRST_THREE: Moment.EARLY}

    def __init__(self, rules: BlackjackRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.first: list[Card] = []
        self.stream: list[Card] = []
        self.taking: dict[int, Box] = {}
        """The boxes that take the next community card."""
        self.dealers: dict[int, DealersHand] = {}
        """By the number of cards that a player took: the dealer's hand for that player, as far as it is dealt."""
        self.needs: dict[int, int] = {}
        """By the same number: how much of that hand somebody must see."""
        self._met: dict[tuple[int, int], DealersHand] = {}

    def awaits(self) -> Awaits:
        if len(self.first) < 3:
            return NextCard(FIRST_THREE[len(self.first)])
        if self.open:
            return Decisions(self.open, self.question)
        if self.taking or self._dealer_needs_a_card():
            return NextCard(Place("community", len(self.stream) + 1))
        return Confirmation()

    # --- cards ------------------------------------------------------------------------------------------------------

    def take(self, place: Place, card: Card | None) -> None:
        assert card is not None
        if len(self.first) < 3:
            self.first.append(card)
            if len(self.first) == 3:
                self._begin()
            return
        self.stream.append(card)
        for hand in self.dealers.values():
            if not hand.complete:
                hand.take(card)
        taking, self.taking = self.taking, {}
        for number, box in taking.items():
            box.take(card)
            box.advance()
            self._go_on(number, box)

    @property
    def up_card(self) -> Card:
        return self.first[1]

    def _begin(self) -> None:
        """The third card is out: side bets are settled (SBJ 11), then everybody is asked."""
        first, dealers, second = self.first
        self.settle_early(self.seats.values())
        for number, box in self.boxes.items():
            box.start(first, second)
            box.offer_early(dealers)
            if box.early:
                self.insuring.add(number)
            box.advance()
            self._go_on(number, box)

    def seen(self, offer: Offer, seat: Seat) -> tuple[Card, ...]:
        first, dealers, second = self.first
        return (first, second) if offer.bet.sees is Sees.FIRST_TWO else (first, second, dealers)

    def _go_on(self, number: int, box: Box) -> None:
        """Asks the box, or gives it the next card, or leaves the rest of the stream to the dealer."""
        if box.asks:
            self.open[number] = box
            return
        self.open.pop(number, None)
        if box.owed:
            self.taking[number] = box
        else:
            self._finish(box)

    def own_cards(self, seat: Seat) -> list[str]:
        return super().own_cards(seat) or card_codes(self.first[::2])

    # --- the dealer's hands -----------------------------------------------------------------------------------------

    def _finish(self, box: Box) -> None:
        need = self._need(box)
        if need:
            self.needs[box.taken] = max(need, self.needs.get(box.taken, NOTHING))
            if box.taken not in self.dealers:
                self.dealers[box.taken] = self._dealers_hand(self.stream[box.taken :])

    def _dealers_hand(self, stream: list[Card]) -> DealersHand:
        return DealersHand([self.up_card, *stream], hits_soft_17=self.rules.dealer_hits_soft_17)

    def _need(self, box: Box) -> int:
        """SBJ 9.c, 9.d: a hand that stood needs the dealer's whole hand; a blackjack, insurance or a surrender that a
        dealer blackjack would undo needs the second card, and only if that could make a blackjack."""
        ended = {hand.ended for hand in box.hands}
        if "stood" in ended:
            return WHOLE_HAND
        undone = "surrender" in ended and self.rules.surrender == "not-against-blackjack"
        if (box.insured or undone or "blackjack" in ended) and self.up_card.points in (1, 10):
            return SECOND_CARD
        return NOTHING

    def _dealer_needs_a_card(self) -> bool:
        for taken, need in self.needs.items():
            hand = self.dealers[taken]
            if (not hand.complete) if need == WHOLE_HAND else len(hand.cards) < 2:
                return True
        return False

    def dealers_hand_for(self, box: Box) -> DealersHand:
        """The dealer's hand that a box meets: as much of it as the box had to see, so that nothing in it depends on
        what the other players did (GAME-4)."""
        need = self._need(box)
        if need == WHOLE_HAND:
            return self.dealers[box.taken]
        met = self._met.get((box.taken, need))
        if met is None:
            seen = self.stream[box.taken : box.taken + 1] if need == SECOND_CARD else []
            met = self._met[box.taken, need] = self._dealers_hand(seen)
        return met

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        box = self.boxes[seat]
        box.decide(decision, cost)
        self.insuring.discard(seat)
        self._go_on(seat, box)

    # --- what may be seen -------------------------------------------------------------------------------------------

    def layout(self) -> Layout:
        first = card_codes(self.first)
        return Layout(
            player=[code for place, code in enumerate(first) if place != 1],
            dealer=first[1:2],
            stream=card_codes(self.stream),
            dealers={taken: dealers_view(hand) for taken, hand in self.dealers.items()},
        )

    def changed_by_card(self) -> Collection[int]:
        """With the third card every seat's view changes; after that, only the views of those who took the card."""
        if len(self.first) < 3:
            return ()
        if not self.stream:
            return self.seats
        return [number for number, box in self.boxes.items() if box.taken == len(self.stream)]

    # --- the end ----------------------------------------------------------------------------------------------------

    def result(self, seat: Seat) -> SeatResult:
        box = self.boxes.get(seat.number)
        if box is None:
            return SeatResult((), None, tuple(seat.settled))
        dealer = self.dealers_hand_for(box)
        hands, wagers = settle(box, dealer)
        return SeatResult(tuple(hands), dealer.result(), (*seat.settled, *wagers))

    # --- what the printed rules say of it ---------------------------------------------------------------------------

    @classmethod
    def describe_deal(cls, rules: BlackjackRules) -> Iterator[Sentence]:
        yield Sentence("deal.first-three")
        yield Sentence("deal.stream")
        yield Sentence("deal.step-and-splits" if rules.offers_splits else "deal.step")
        yield Sentence("deal.your-cards")
        yield Sentence("deal.dealers-hands")

    @classmethod
    def describe_dealers_hand(cls, rules: BlackjackRules, offers: Iterable[Offer]) -> Iterator[Sentence]:
        yield Sentence("dealer.community")
        yield Sentence("dealer.not-played-out" if rules.surrender == "off" else "dealer.not-played-out-or-surrender")
        yield Sentence("dealer.against-blackjack-or-even-money" if rules.even_money else "dealer.against-blackjack")
        if left := _left(rules):
            yield Sentence("dealer.second-card", {"left": Phrase(f"rules.dealer.left.{left}")})
        yield Sentence("dealer.blackjack")


def _left(rules: BlackjackRules) -> str:
    """The wagers that may remain for a dealer's blackjack alone to decide."""
    undone = rules.surrender == "not-against-blackjack"
    if rules.insurance:
        return "both" if undone else "insurance"
    return "surrender" if undone else ""


english(
    "rules",
    {
        "game.community": "{game:game} is blackjack for any number of players at terminals. All share one player hand and "
        "one stream of community cards, and each decides on it independently.",
        "deal.first-three": "The dealer deals one card to the player hand, one to the dealer's hand, and a second card to "
        "the player hand, all face up.",
        "deal.stream": "Every card after these three is a community card of one stream, C1, C2, C3 and so on.",
        "deal.step": "In each step every player with a decision to make decides, or runs out of time; then one community "
        "card is dealt, and every player who asked for a card takes it. Nobody sees a card before deciding.",
        "deal.step-and-splits": "In each step every player with a decision to make decides, or runs out of time; then one "
        "community card is dealt, and every player who asked for a card, or is owed one by a split, takes it. Nobody sees "
        "a card before deciding.",
        "deal.your-cards": "You take cards from the front of the stream for as long as your hand needs them. The first "
        "card that you do not take, and every card after it, belongs to the dealer's hand that you meet.",
        "deal.dealers-hands": "If you stand at once you meet the dealer's first card with C1, C2 and so on; if you took "
        "two cards you meet it with C3, C4 and so on. Players can therefore meet different dealer's hands. What others do "
        "never changes your result.",
        "dealer.community": "When no player needs a card, community cards are dealt until every dealer's hand that still "
        "matters is complete. A dealer's hand ends as soon as it must stand; later cards are not part of it.",
        "dealer.not-played-out": "A dealer's hand is not played out if every hand that meets it has busted or been paid.",
        "dealer.not-played-out-or-surrender": "A dealer's hand is not played out if every hand that meets it has busted, "
        "surrendered or been paid.",
        "dealer.against-blackjack": "If the players have blackjack and the dealer's first card is an ace or a ten-value "
        "card, exactly one more card is dealt; otherwise none is.",
        "dealer.against-blackjack-or-even-money": "If the players have blackjack and the dealer's first card is an ace or "
        "a ten-value card, exactly one more card is dealt, unless everybody took even money; otherwise none is.",
        "dealer.second-card": "Where all that is left is {left}, only the dealer's second card is dealt, and only if it "
        "could make a blackjack.",
        "dealer.left.insurance": "an insurance wager",
        "dealer.left.surrender": "a surrender that a dealer blackjack would undo",
        "dealer.left.both": "an insurance wager or a surrender that a dealer blackjack would undo",
        "dealer.blackjack": "The dealer has blackjack against you if the dealer's first card and the next card of the "
        "hand that you meet are an ace and a ten-value card.",
    },
)
