"""A further way of dealing and a game that is dealt so, as somebody would add them: one module, and nothing else changed.

Everybody shares three cards against the dealer's three. The dealer's first card lies face down while players decide.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from podium.basics.cards import Card, codes
from podium.basics.hands import ThreeCardHand, three_card_hand
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.rules.asking import Awaits, Confirmation, Cost, Decision, Decisions, HoleCard, NextCard, Place, Question
from podium.rules.bets import ANTE, PAIR_PLUS, PLAY, SIX_CARD_BONUS, Bet, Sees
from podium.rules.dealing import Dealing, Layout, Moment, OwnView, Sentence
from podium.rules.games import Game
from podium.rules.options import option
from podium.rules.placard import Offer, Rules
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult, because
from podium.rules.seat import Seat

DOWN = Place("dealer", 1)
english("place", {"shared": "shared {number}"})
english(
    "rules",
    {
        "game.shared-hand": "{game:game} is played by any number of players, who share one hand of three cards.",
        "deal.shared": "Three cards are dealt face up, then the dealer's first card face down; then you play or fold.",
    },
)


class SharedHand(Dealing):
    """SHH 2 to 4."""

    kind: ClassVar[str] = "shared-hand"
    introduction: ClassVar[str] = "game.shared-hand"
    sights: ClassVar[Mapping[Sees, Moment]] = {Sees.OWN_THREE: Moment.EARLY, Sees.SIX: Moment.LATE}

    def __init__(self, rules: Rules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.shared: list[Card] = []
        self._packet: list[Card | None] = []
        self.decisions: dict[int, Decision] = {}

    def awaits(self) -> Awaits:
        if len(self.shared) < 3:
            return NextCard(Place("shared", len(self.shared) + 1))
        if not self._packet:
            return NextCard(DOWN)
        if self.open:
            return Decisions(self.open, self.question)
        if self._packet[0] is None:
            return HoleCard()
        if len(self._packet) < 3:
            return NextCard(Place("dealer", len(self._packet) + 1))
        return Confirmation()

    def take(self, place: Place, card: Card | None) -> None:
        if place.where == "shared":
            assert card is not None
            self.shared.append(card)
            return
        self._packet.append(card)
        if place == DOWN:
            self.settle_early(self.seats.values())
            self.open = dict(self.seats)

    def takes_unknown(self, place: Place) -> bool:
        return place == DOWN

    def turn(self, card: Card) -> None:
        if not isinstance(self.awaits(), HoleCard):
            raise Refused("no-hole")
        self._packet[0] = card
        self._turn_over(DOWN, card)

    def question(self, seat: int) -> Question:
        ante = self.seats[seat].amounts[ANTE.name]
        return Question("play", 0, {"play": Cost(ante, ante), "fold": Cost(0, 0)})

    def cost_of(self, seat: int, decision: Decision) -> int:
        allowed = self.question(seat).allowed
        if str(decision) not in allowed:
            raise Refused("play-or-fold", clause="SHH 3")
        return allowed[decision.choice].least

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        self.decisions[seat] = decision
        del self.open[seat]

    def time_out(self, seat: int) -> Decision:
        return Decision("fold")

    # --- what may be seen -------------------------------------------------------------------------------------------

    def face_down(self) -> Place | None:
        is_down = self._packet and (self.open or self._packet[0] is None)
        return DOWN if is_down else None

    def layout(self) -> Layout:
        lying = [card.code for place, card in self.face_up() if place.where == "dealer" and card]
        return Layout(player=[card.code for card in self.shared], dealer=lying, hole=self.face_down() is not None)

    def own_view(self, seat: Seat) -> OwnView:
        decision = str(self.decisions.get(seat.number, ""))
        hand = self._hand.as_fact() if len(self.shared) == 3 else None
        return {"hand": hand, "decision": decision, "finished": bool(decision)}

    def changed_by_card(self) -> Collection[int]:
        return self.seats if len(self.shared) == 3 and len(self._packet) < 2 else ()

    def seen(self, offer: Offer, seat: Seat) -> tuple[Any, ...]:
        return (*self.shared, *self._packet) if offer.bet.sees is Sees.SIX else tuple(self.shared)

    # --- what the printed rules say of it ---------------------------------------------------------------------------

    @classmethod
    def describe_deal(cls, rules: Any) -> Iterator[Sentence]:
        yield Sentence("deal.shared")

    # --- the end ----------------------------------------------------------------------------------------------------

    @property
    def _hand(self) -> ThreeCardHand:
        return three_card_hand(self.shared)

    def result(self, seat: Seat) -> SeatResult:
        packet = [card for card in self._packet if card is not None]
        dealers = three_card_hand(packet)
        stake = seat.amounts[ANTE.name]
        main = [WagerResult(ANTE.name, "player", stake, 0, 0, (because("folded"),))]
        if self.decisions[seat.number].choice == "play":
            won = self._hand > dealers
            why = because("poker-win" if won else "poker-lose", yours=self._hand, dealers=dealers)
            back = 2 * stake if won else 0
            main = [WagerResult(bet.name, "player", stake, back, 0, (why,)) for bet in (ANTE, PLAY)]
        hand = HandResult(
            codes(self.shared), None, False, self._hand.as_fact(), main[0].outcome, stake, main[0].returned
        )
        dealer = DealerResult(codes(packet), name=dealers.as_fact())
        return SeatResult((hand,), dealer, (main[0], *seat.settled, *self.settled_late(seat), *main[1:]))


@dataclass(frozen=True, kw_only=True)
class SharedHandRules(Rules):
    """SHH."""

    decks: Literal[1] = option(1, clause="SHH 1", says={1: "The game is dealt from one standard 52-card deck."})

    main: ClassVar[Bet] = ANTE
    knows: ClassVar[tuple[Bet, ...]] = (PAIR_PLUS, SIX_CARD_BONUS)
    added: ClassVar[tuple[Bet, ...]] = (PLAY,)
    wagering_clause: ClassVar[str] = "SHH 1"

    def offers(self) -> Iterator[Offer]:
        yield Offer(ANTE.name, ANTE, "A", ANTE.paytables["A"], main=True)
        for bet in self.knows:
            name, paytable = next(iter(bet.paytables.items()))
            yield Offer(bet.name, bet, name, paytable)


GAME = Game(name="shared-hand", short="SHH", title="Shared Hand", order=6, dealing=SharedHand, rules=SharedHandRules())
