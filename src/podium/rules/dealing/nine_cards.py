"""Nine cards: an array of three rows that everybody shares; each player's hand is three places of it."""

from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar, Final

from podium.basics.cards import Card, codes
from podium.basics.hands import ThreeCardHand, three_card_hand
from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.rules.asking import Awaits, Confirmation, Cost, Decision, Decisions, NextCard, Place, Question
from podium.rules.bets import ANTE, ANTE_BONUS, PLAY, Bet, Sees
from podium.rules.bets.ante import qualifies, showdown
from podium.rules.dealing.dealing import Dealing, Moment
from podium.rules.dealing.layout import Layout, OwnView, card_codes
from podium.rules.dealing.sentence import Sentence
from podium.rules.placard import Offer
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult, because
from podium.rules.seat import Seat, Stake
from podium.rules.three_card import LINES, ThreeCardRules

PLAYS, FOLDS = Decision("play"), Decision("fold")


class NineCards(Dealing):
    """TCP 4 to 10."""

    kind: ClassVar[str] = "nine-cards"
    introduction: ClassVar[str] = "game.nine-cards"
    sights: ClassVar[Mapping[Sees, Moment]] = {Sees.OWN_THREE: Moment.EARLY, Sees.SIX: Moment.LATE}

    def __init__(self, rules: ThreeCardRules, offers: Mapping[str, Offer], seats: Mapping[int, Seat]) -> None:
        super().__init__(rules, offers, seats)
        self.bonus_paytable: Final = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
        self.array: list[Card] = []
        self.packet: list[Card] = []
        """The dealer's three cards."""
        self.decisions: dict[int, Decision] = {}
        self.open: dict[int, Seat] = {}

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
            self.settle_early(self.seats.values())

    def cards_at(self, locations: tuple[int, ...]) -> list[Card]:
        return [self.array[location - 1] for location in locations]

    def seen(self, offer: Offer, seat: Seat) -> tuple[Card, ...]:
        """TCP 3.a: a wager lies on the player's own three cards, or blind on a row or column."""
        own = self.cards_at(LINES[offer.line] if offer.line else seat.spots)
        return (*own, *self.packet) if offer.bet.sees is Sees.SIX else tuple(own)

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
            raise Refused("play-amount", clause="TCP 7")
        raise Refused("play-or-fold", clause="TCP 7")

    def decide(self, seat: int, decision: Decision, cost: int) -> None:
        self.decisions[seat] = decision
        del self.open[seat]

    def time_out(self, seat: int) -> Decision:
        return FOLDS  # TCP 7.a: playing would take an additional wager

    # --- what may be seen -------------------------------------------------------------------------------------------

    def layout(self) -> Layout:
        return Layout(array=card_codes(self.array), dealer=card_codes(self.packet))

    def own_view(self, seat: Seat) -> OwnView:
        """What a seat decided, and the names of the hands whose cards are all out."""
        hand = three_card_hand(self.cards_at(seat.spots)).as_fact() if len(self.array) == 9 else None
        dealers = three_card_hand(self.packet).as_fact() if len(self.packet) == 3 else None
        decision = str(self.decisions.get(seat.number, ""))
        return {"hand": hand, "dealers_hand": dealers, "decision": decision, "finished": bool(decision)}

    def own_cards(self, seat: Seat) -> list[str]:
        return [self.array[spot - 1].code for spot in seat.spots if spot <= len(self.array)]

    def changed_by_card(self) -> Collection[int]:
        """The ninth card and the dealer's third change every seat's view; the others change none."""
        return self.seats if (len(self.array), len(self.packet)) in ((9, 0), (9, 3)) else ()

    # --- the end ----------------------------------------------------------------------------------------------------

    def stakes(self, seat: Seat) -> list[Stake]:
        played = self.decisions.get(seat.number) == PLAYS
        return [*seat.placed, Stake(PLAY.name, "player", seat.amounts[ANTE.name])] if played else seat.placed

    def result(self, seat: Seat) -> SeatResult:
        own = self.cards_at(seat.spots)
        hand, dealers = three_card_hand(own), three_card_hand(self.packet)
        played = self.decisions[seat.number] == PLAYS
        main = self._played(seat, own, hand, dealers) if played else [_folded(seat)]
        hands = HandResult(codes(own), None, False, hand.as_fact(), "fold", main[0].staked, 0)
        if played:
            result = main[0].outcome
            hands = HandResult(codes(own), None, False, hand.as_fact(), result, main[0].staked, main[0].returned)
        dealer = DealerResult(codes(self.packet), name=dealers.as_fact(), qualifies=qualifies(dealers))
        return SeatResult((hands,), dealer, (main[0], *seat.settled, *self.settled_late(seat), *main[1:]))

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

    # --- what the printed rules say of it ---------------------------------------------------------------------------

    @classmethod
    def describe_deal(cls, rules: ThreeCardRules) -> Iterator[Sentence]:
        yield Sentence("play-or-fold.packets")
        yield Sentence("play-or-fold.choice")
        yield Sentence("play-or-fold.folded")
        yield Sentence("play-or-fold.dealers-three")


def _returned(bet: Bet, outcome: str | None, stake: int) -> int:
    """An outcome that the paytable lists is paid, another is pushed, and none at all loses."""
    if outcome is None:
        return 0
    odds = bet.paytables["A"].get(outcome)
    return stake if odds is None else stake + odds.on(stake)


def _why(bet: Bet, outcome: str | None, hand: ThreeCardHand, dealers: ThreeCardHand) -> Phrase:
    if outcome == "dealer does not qualify":
        return because("not-qualified-ante" if bet is ANTE else "not-qualified-play", dealers=dealers)
    if outcome == "tie":
        return because("poker-tie", yours=hand, dealers=dealers)
    return because("poker-win" if outcome == "win" else "poker-lose", yours=hand, dealers=dealers)


def _folded(seat: Seat) -> WagerResult:
    return WagerResult(ANTE.name, "player", seat.amounts[ANTE.name], 0, 0, (because("folded"),))


english(
    "why",
    {
        "folded": "You folded.",
        "not-qualified-ante": "Dealer has {dealers} and does not qualify: the ante is paid.",
        "not-qualified-play": "Dealer has {dealers} and does not qualify: the play wager is pushed.",
        "poker-win": "Your {yours} beats the dealer's {dealers}.",
        "poker-lose": "Dealer's {dealers} beats your {yours}.",
        "poker-tie": "Your {yours} ties the dealer's {dealers}: pushed.",
    },
)
english(
    "refused",
    {
        "play-amount": "play costs exactly the ante, and fold nothing: neither takes an amount",
        "play-or-fold": "a hand is either played or folded",
    },
)
english(
    "rules",
    {
        "game.nine-cards": "{game:game} is played by any number of players at terminals. Nine cards lie face up in three "
        "rows; three of them, which you choose before they are dealt, are your hand against the dealer's three.",
        "play-or-fold.packets": "Three packets of three cards are dealt face up: the first fills locations 1 to 3, the "
        "second 4 to 6, and the third 7 to 9. In each, the bottom card of the face-up packet comes first.",
        "play-or-fold.choice": "Then you decide: Play, for a further wager that equals your Ante, or Fold.",
        "play-or-fold.folded": "If you fold, or your time runs out, you lose your Ante. Your bonus wagers stand. A "
        "time-out never takes more money from you.",
        "play-or-fold.dealers-three": "When everybody has decided, the dealer's three cards are dealt, even if everybody "
        "folded: a round has twelve cards.",
    },
)
