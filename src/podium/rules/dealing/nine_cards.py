"""Nine cards: an array of three rows that everybody shares; each player's hand is three places of it."""

from collections.abc import Mapping
from typing import Any, Final

from podium.basics.cards import Card, codes
from podium.basics.hands import ThreeCardHand, three_card_hand
from podium.basics.reasons import Reason, because
from podium.basics.refusal import Refused
from podium.rules.asking import Awaits, Confirmation, Cost, Decision, Decisions, NextCard, Place, Question
from podium.rules.bets import ANTE, ANTE_BONUS, PAIR_PLUS, PLAY, Bet
from podium.rules.bets.ante import qualifies, showdown
from podium.rules.dealing.dealing import Dealing
from podium.rules.placard import Offer
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult
from podium.rules.seat import Seat
from podium.rules.three_card import LINES, ThreeCardRules

PLAYS, FOLDS = Decision("play"), Decision("fold")


class NineCards(Dealing):
    """TCP 4 to 10."""

    def __init__(self, rules: ThreeCardRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.bonus_paytable: Final = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
        self.array: list[Card] = []
        self.packet: list[Card] = []
        """The dealer's three cards."""
        self.decisions: dict[int, Decision] = {}
        self.open: dict[int, Seat] = {}
        self._six: dict[tuple[str, tuple[int, ...]], tuple[Any, Reason]] = {}
        """What a Six Card Bonus pays on some locations, found once for everybody who chose them."""

    def awaits(self) -> Awaits:
        if len(self.array) < 9:
            return NextCard(Place("location", len(self.array) + 1))
        if self.open:
            return Decisions(self.open, self.question)
        if len(self.packet) < 3:
            return NextCard(Place("dealer", len(self.packet) + 1))
        return Confirmation()

    # --- cards ------------------------------------------------------------------------------------------------------

    def take(self, place: Place, card: Card | None) -> None:
        assert card is not None
        if len(self.array) == 9:
            self.packet.append(card)
            return
        self.array.append(card)
        if len(self.array) == 9:
            self.open = dict(self.seats)
            self._settle_pair_plus()

    def cards_at(self, locations: tuple[int, ...]) -> list[Card]:
        return [self.array[location - 1] for location in locations]

    def _settle_pair_plus(self) -> None:
        """Nine cards are out, so every Pair Plus is decided. On a line it is the same for everybody."""
        for wager, offer in self.offers.items():
            if offer.bet is not PAIR_PLUS:
                continue
            if offer.line:
                self.settle_side_bets(list(self.seats.values()), [wager], *self.cards_at(LINES[offer.line]))
            else:
                for seat in self.seats.values():
                    self.settle_side_bets([seat], [wager], *self.cards_at(seat.spots))

    # --- decisions --------------------------------------------------------------------------------------------------

    def question(self, seat: int) -> Question:
        ante = self.seats[seat].amounts[ANTE.name]
        return Question("play", 0, {"play": Cost(ante, ante), "fold": Cost(0, 0)})

    def cost_of(self, seat: int, decision: Decision) -> int:
        if decision == PLAYS:
            return self.seats[seat].amounts[ANTE.name]
        if decision == FOLDS:
            return 0
        if decision.choice in ("play", "fold"):
            raise Refused("play costs exactly the ante, and fold nothing: neither takes an amount (TCP 7)")
        raise Refused("a hand is either played or folded (TCP 7)")

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        self.decisions[seat] = decision
        del self.open[seat]

    def time_out(self, seat: int) -> Decision:
        return FOLDS  # TCP 7.a: playing would take an additional wager

    def words_for(self, seat: Seat) -> dict[str, object]:
        """What a seat did and what the hands are called, as far as they are out."""
        hand = three_card_hand(self.cards_at(seat.spots)).as_fact() if len(self.array) == 9 else None
        dealers = three_card_hand(self.packet).as_fact() if len(self.packet) == 3 else None
        decision = str(self.decisions.get(seat.number, ""))
        return {"hand": hand, "dealers_hand": dealers, "decision": decision, "finished": bool(decision)}

    # --- the end ----------------------------------------------------------------------------------------------------

    def result(self, seat: Seat) -> SeatResult:
        own = self.cards_at(seat.spots)
        hand, dealers = three_card_hand(own), three_card_hand(self.packet)
        played = self.decisions[seat.number] == PLAYS
        main = self._played(seat, own, hand, dealers) if played else [_folded(seat)]
        six = [
            result
            for wager, offer in self.offers.items()
            if wager in seat.amounts and offer.bet is not PAIR_PLUS and not offer.main
            for result in self._six_card_bonus(seat, wager, offer)
        ]
        hands = HandResult(codes(own), None, False, hand.as_fact(), "fold", main[0].staked, 0)
        if played:
            result = main[0].outcome
            hands = HandResult(codes(own), None, False, hand.as_fact(), result, main[0].staked, main[0].returned)
        dealer = DealerResult(codes(self.packet), name=dealers.as_fact(), qualifies=qualifies(dealers))
        return SeatResult((hands,), dealer, (main[0], *seat.settled, *six, *main[1:]))

    def _six_card_bonus(self, seat: Seat, wager: str, offer: Offer) -> list[WagerResult]:
        locations = LINES[offer.line] if offer.line else seat.spots
        key = offer.bet.name, locations
        if key not in self._six:
            self._six[key] = self.outcome(offer, *self.cards_at(locations), *self.packet)
        return self.settle_on(seat, wager, *self._six[key])

    def _played(self, seat: Seat, own: list[Card], hand: ThreeCardHand, dealers: ThreeCardHand) -> list[WagerResult]:
        """TCP 9: ante and play against the dealer, and the ante bonus whatever the dealer has."""
        stake = seat.amounts[ANTE.name]
        outcome = showdown(hand, dealers)
        wagers = [
            WagerResult(
                bet.name, "player", stake, _returned(bet, outcome, stake), 0, (_why(bet, outcome, hand, dealers),)
            )
            for bet in (ANTE, PLAY)
        ]
        bonus = ANTE_BONUS.of(*own)
        line = ANTE_BONUS.line(self.bonus_paytable, bonus)
        if line is not None:
            odds = self.bonus_paytable[line]
            why = because("paid", outcome=line, odds=odds)
            wagers.append(WagerResult(ANTE_BONUS.name, "player", 0, odds.on(stake), 0, (why,), odds.breakage(stake)))
        return wagers


def _returned(bet: Bet, outcome: str | None, stake: int) -> int:
    """An outcome that the paytable lists is paid, another is pushed, and none at all loses."""
    if outcome is None:
        return 0
    odds = bet.paytables["A"].get(outcome)
    return stake if odds is None else stake + odds.on(stake)


def _why(bet: Bet, outcome: str | None, hand: ThreeCardHand, dealers: ThreeCardHand) -> Reason:
    if outcome == "dealer does not qualify":
        return because(f"not-qualified-{bet.name}", dealers=dealers)
    key = {"win": "poker-win", "tie": "poker-tie"}.get(outcome or "", "poker-lose")
    return because(key, yours=hand, dealers=dealers)


def _folded(seat: Seat) -> WagerResult:
    return WagerResult(ANTE.name, "player", seat.amounts[ANTE.name], 0, 0, (because("folded"),))
