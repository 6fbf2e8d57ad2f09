"""The base class of all ways of dealing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Final

from podium.basics.cards import Card
from podium.basics.money import Odds
from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.rules.asking import Awaits, Decision, LaidCard, Place, Question
from podium.rules.bets import Bet, Sees
from podium.rules.dealing.layout import Layout, OwnView
from podium.rules.dealing.sentence import Sentence
from podium.rules.placard import Offer
from podium.rules.results import SeatResult, WagerResult, because
from podium.rules.seat import Seat, Stake, paid_by, settle_stake


class Moment(Enum):
    """When a side bet's cards are all dealt."""

    EARLY = "with the first cards, before anybody decides"
    LATE = "with the last card"


english(
    "refused",
    {
        "bet-not-shown": (
            "{wager:wager} is settled by {sees} ({clause}), which this way of dealing cannot show. "
            "Its side bets are settled by: {shown}."
        ),
    },
)


class Dealing(ABC):
    """The cards of one round, from the closing of bets to the last card.

    No code outside asks which dealing it is. A dealing does not know the credit: the round asks it for a decision's
    cost, and has it carried out once the credit covers it.
    """

    kind: ClassVar[str]
    """Its name in the list of games and on the wire."""
    acts_in_turn: ClassVar[bool] = False
    """Whether seats decide one after another, each in its own time; otherwise all decide in the same time."""
    sights: ClassVar[Mapping[Sees, Moment]]
    """What a side bet can see here, and when it is known. A game with a side bet that sees anything else is refused."""
    introduction: ClassVar[str]
    """The key of the sentence that the printed rules begin with, in the catalogue of the rules."""

    def __init__(self, rules: Any, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        self.offers: Final = offers
        self.seats: Final = seats
        self._laid: list[LaidCard] = []
        """Every card that was dealt, in order; None is one that the system does not know."""
        self.open: dict[int, Any] = {}
        """The seats that are asked something now."""
        self.insuring: set[int] = set()
        """The seats that are asked about insurance or even money, which comes first and has its own time."""
        known = [(self.sights[offer.bet.sees], offer) for offer in offers.values() if not offer.main]
        self._early: Final = [offer for moment, offer in known if moment is Moment.EARLY]
        self._late: Final = [offer for moment, offer in known if moment is Moment.LATE]
        self._found: Final[dict[tuple[str, tuple[Any, ...]], tuple[Odds | None, Phrase]]] = {}
        """What a side bet pays on what it sees, and why; computed once for all seats that see the same."""

    @classmethod
    def check(cls, side_bets: Iterable[Bet]) -> None:
        """Refuses a side bet that needs to see what this dealing cannot show."""
        for bet in side_bets:
            if bet.sees not in cls.sights:
                raise Refused("bet-not-shown", wager=bet.name, sees=bet.sees, shown=list(cls.sights), clause=bet.clause)

    # --- what comes next --------------------------------------------------------------------------------------------

    @abstractmethod
    def awaits(self) -> Awaits:
        """A card and its place, decisions, the peek, or the confirmation when every card is out."""

    def deal(self, place: Place, card: Card | None) -> None:
        """Puts the awaited card in its place; None is a hole card that nobody knows yet."""
        self._laid.append(LaidCard(place, card))
        self.take(place, card)

    @abstractmethod
    def take(self, place: Place, card: Card | None) -> None:
        """Continues play after a card was dealt."""

    @property
    def cards_dealt(self) -> int:
        return len(self._laid)

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

    def peeked(self, blackjack: bool) -> None:
        """The dealer looked at the hole card."""
        raise Refused("no-hole-card-to-see")

    def would_see_blackjack(self, hole: Card) -> bool:
        """The answer to the dealer's peek at a hole card that only the house knows."""
        raise Refused("no-hole-card-to-see")

    def turn(self, card: Card) -> None:
        """The hole card, dealt unknown, is turned over."""
        raise Refused("no-hole-card-to-turn")

    @abstractmethod
    def result(self, seat: Seat) -> SeatResult:
        """The result of a seat, once every card is out; it includes wagers that were settled earlier."""

    def stakes(self, seat: Seat) -> list[Stake]:
        """Everything that a seat has staked so far, wager by wager, with what decisions added."""
        return seat.placed

    def settled_at_once(self, seat: Seat) -> Mapping[int, Sequence[WagerResult]]:
        """The results of a seat's main wagers that are paid or collected already, though the round goes on: by hand, counted
        from 0."""
        return {}

    def may_settle_at_once(self) -> Collection[int]:
        """The seats whose main wagers can be paid or collected while the round goes on, in the order in which that is done."""
        return ()

    # --- what may be seen -------------------------------------------------------------------------------------------

    def face_up(self) -> list[LaidCard]:
        """The cards in the order of dealing with their places, as everybody may see them. Everything that is shown, recalled or
        reported of a round is built from this or from `layout`, and a card that lies face down is in neither."""
        down = self.face_down()
        if down is None:
            return list(self._laid)
        return [laid if laid.place != down else LaidCard(down, None) for laid in self._laid]

    def face_down(self) -> Place | None:
        """The place whose card lies face down; None where every card lies face up."""
        return None

    def _turn_over(self, place: Place, card: Card) -> None:
        """Sets the card at a place where it was dealt unknown."""
        self._laid = [laid if laid.place != place else LaidCard(place, card) for laid in self._laid]

    @abstractmethod
    def layout(self) -> Layout:
        """The table as everybody may see it."""

    @abstractmethod
    def own_view(self, seat: Seat) -> OwnView:
        """What a seat sees of its own besides its money; empty before it has a card."""

    def own_cards(self, seat: Seat) -> list[str]:
        """The cards of a seat's own hands, as far as they are dealt."""
        return [code for hand in self.own_view(seat).get("hands", ()) for code in hand.cards]

    def changed_by_card(self) -> Collection[int]:
        """The seats whose own view the last card changed; only their terminals get it again."""
        return self.seats

    @classmethod
    def alone(cls, layout: Layout, cards: Sequence[str], seat: int) -> Sequence[str]:
        """The cards of a round that is over, in the order in which they would be dealt if this seat played alone.

        A seat's result does not depend on other seats (GAME-4), so a player can check it with these cards.
        """
        return cards

    # --- what the printed rules say of it ---------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def describe_deal(cls, rules: Any) -> Iterator[Sentence]:
        """How the cards are dealt under these rules."""

    @classmethod
    def describe_dealers_hand(cls, rules: Any, offers: Iterable[Offer]) -> Iterator[Sentence]:
        """When the dealer's hand is played, and how far."""
        yield from ()

    # --- side bets --------------------------------------------------------------------------------------------------

    @abstractmethod
    def seen(self, offer: Offer, seat: Seat) -> tuple[Any, ...]:
        """What a seat's side bet sees, once it is known: what the bet's outcome function is given."""

    def settles_in_order(self) -> Sequence[int]:
        """The order of the seats where the side bets on the first cards are settled one seat after another; empty where
        they are settled all at once."""
        return ()

    def settle_early(self, seats: Collection[Seat]) -> None:
        """Settles the side bets that are known with the first cards."""
        for offer in self._early:
            wager = offer.wager
            for seat in seats:
                if wager in seat.amounts or wager in seat.for_dealer:
                    seat.settled += self._settled(offer, seat)

    def settled_late(self, seat: Seat) -> list[WagerResult]:
        """The results of a seat's side bets that are known with the last card."""
        return [
            result
            for offer in self._late
            if offer.wager in seat.amounts or offer.wager in seat.for_dealer
            for result in self._settled(offer, seat)
        ]

    def _settled(self, offer: Offer, seat: Seat) -> list[WagerResult]:
        seen = self.seen(offer, seat)
        found = self._found.get((offer.wager, seen))
        if found is None:
            found = self._found[offer.wager, seen] = self._outcome(offer, seen)
        odds, why = found
        return [settle_stake(offer.wager, whose, stake, odds, why) for whose, stake in seat.stakes_on(offer.wager)]

    def _outcome(self, offer: Offer, seen: tuple[Any, ...]) -> tuple[Odds | None, Phrase]:
        """What a wager pays on what it sees, and why."""
        outcome = offer.bet.of(*seen)
        odds = paid_by(offer, outcome)
        if odds is not None:
            line = offer.bet.line(offer.paytable, outcome) or ""
            return odds, because("paid", outcome=line, odds=odds)
        return None, self.why_not_paid(offer, outcome, *seen)

    def why_not_paid(self, offer: Offer, outcome: str | None, *seen: Any) -> Phrase:
        return because("not-paid", seen=" ".join(str(card) for card in seen))


english(
    "why",
    {
        "paid": "{outcome:outcome}: pays {odds:odds}.",
        "not-paid": "{seen:cards}: nothing that this wager pays.",
    },
)
english(
    "refused",
    {
        "no-hole-card-to-see": "There is no hole card to look at in this game.",
        "no-hole-card-to-turn": "There is no hole card to turn over in this game.",
    },
)
