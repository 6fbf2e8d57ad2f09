"""What every way of dealing does for a round."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

from podium.basics.cards import Card
from podium.basics.reasons import Reason, because
from podium.basics.refusal import Refused
from podium.rules.asking import Awaits, Decision, LaidCard, Place, Question
from podium.rules.placard import Offer
from podium.rules.results import SeatResult, WagerResult
from podium.rules.seat import Seat, paid_by, settle_stake


class Dealing(ABC):
    """The cards of one round, from the closing of bets to the last card.

    It knows no credit: a decision's cost is asked for first, and carried out when the round has found it covered.
    """

    def __init__(self, rules: Any, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        self.offers: Final = offers
        self.seats: Final = seats
        self._laid: list[LaidCard] = []
        """Every card that was dealt, in order; None is one that the system does not know."""
        self.open: dict[int, Any] = {}
        """The seats that are asked something now."""
        self.insuring: set[int] = set()
        """Those of them that are asked about insurance or even money, which comes first and has a time of its own."""

    @abstractmethod
    def awaits(self) -> Awaits:
        """A card and its place, decisions, the peek, or the confirmation when every card is out."""

    def deal(self, place: Place, card: Card | None) -> None:
        """The awaited card comes to its place; None is a hole card that nobody knows yet."""
        self._laid.append(LaidCard(place, card))
        self.take(place, card)

    @abstractmethod
    def take(self, place: Place, card: Card | None) -> None:
        """Play goes on with a card that has just been dealt."""

    @property
    def cards_dealt(self) -> int:
        return len(self._laid)

    def face_up(self) -> list[LaidCard]:
        """The cards in the order of dealing, as everybody may see them. Whatever is shown, recalled or reported of a
        round is built from this, and a card that lies face down is not in it."""
        return list(self._laid)

    def takes_unknown(self, place: Place) -> bool:
        """Whether a card that nobody knows may be dealt to this place."""
        return False

    @abstractmethod
    def question(self, seat: int) -> Question: ...

    @abstractmethod
    def cost_of(self, seat: int, decision: Decision) -> int:
        """What a decision costs; one that the rules do not allow is refused."""

    @abstractmethod
    def decide(self, seat: int, decision: Decision, cost: int) -> None: ...

    @abstractmethod
    def time_out(self, seat: int) -> Decision:
        """What the house decides when a seat's time has run out."""

    @abstractmethod
    def result(self, seat: Seat) -> SeatResult:
        """What a seat came to, once every card is out; wagers settled before are in it as they are."""

    def peeked(self, blackjack: bool) -> None:
        """The dealer looked at the hole card."""
        raise Refused("There is no hole card to look at in this game.")

    def turn(self, card: Card) -> None:
        """The hole card, dealt unknown, is turned over."""
        raise Refused("There is no hole card to turn over in this game.")

    # --- side bets --------------------------------------------------------------------------------------------------

    def settle_side_bets(self, seats: Sequence[Seat], wagers: Sequence[str], *seen: Any) -> None:
        """Settle wagers that see the same cards for all these seats, each outcome found once."""
        for wager in wagers:
            odds, why = self.outcome(self.offers[wager], *seen)
            for seat in seats:
                seat.settled += self.settle_on(seat, wager, odds, why)

    def settle_on(self, seat: Seat, wager: str, odds: Any, why: Reason) -> list[WagerResult]:
        return [settle_stake(wager, whose, stake, odds, why) for whose, stake in seat.stakes_on(wager)]

    def outcome(self, offer: Offer, *seen: Any) -> tuple[Any, Reason]:
        """What a wager pays on the cards that it sees, and why."""
        outcome = offer.bet.of(*seen)
        odds = paid_by(offer, outcome)
        if odds is not None:
            line = offer.bet.line(offer.paytable, outcome) or ""
            return odds, because("paid", outcome=line, odds=odds)
        return None, self.why_not_paid(offer, outcome, *seen)

    def why_not_paid(self, offer: Offer, outcome: str | None, *seen: Any) -> Reason:
        return because("not-paid", seen=" ".join(str(card) for card in seen))
