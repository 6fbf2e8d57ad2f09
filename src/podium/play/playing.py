"""What each event does to a round, from the first wager to the result: the handlers that `Round.apply` finds.

A handler checks first and refuses what the rules do not allow; from there on it must succeed.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable

from podium.basics.cards import Card
from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, Plural, english
from podium.play.events import (
    BettingClosed,
    CardDealt,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.reasons import Reason
from podium.play.state import RoundState
from podium.play.tape import Made
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Place, expected, read_decision
from podium.rules.dealing import Dealing
from podium.rules.results import SeatResult, WagerResult, because
from podium.rules.seat import Seat, Stake
from podium.rules.wagers import check_limits, check_wagers


class RoundPlay(RoundState):
    """A round whose wagers, cards and decisions come in, and which is settled or voided."""

    # --- betting ----------------------------------------------------------------------------------------------------

    def _wagers_placed(self, event: WagersPlaced) -> None:
        if self._dealing is not None:
            raise Refused("bets-closed", who=_who(event), clause=self.game.rules.wagering_clause)
        if not event.amounts and not event.for_dealer and event.seat in self.seats:
            del self.seats[event.seat]
            self._count_payable(event)
            self._tape.placed.append(event)
            return
        try:
            check_wagers(self.game.rules, self.game.offers, event.amounts, event.for_dealer)
            if not self._taken:
                self._check_limits(event, ())
            self._check_room(event)
            spots = self.game.rules.read_spots(event.spots)
        except Refused as refusal:
            raise Refused("for-player", who=_who(event), why=refusal.phrase) from None
        seat = Seat(
            event.seat,
            event.amounts,
            event.for_dealer,
            name=event.name,
            spots=spots,
            brought=event.credit,
            terminal=event.terminal,
            shares=event.shares,
        )
        if event.credit is not None and seat.staked > event.credit:
            raise Refused("credit-short", who=seat.who, staked=seat.staked, credit=event.credit)
        self.seats[event.seat] = seat
        self._count_payable(event)
        self._tape.placed.append(event)

    def check_limits(self, event: WagersPlaced, own: Collection[int] = ()) -> None:
        """Refuses wagers outside the limits of the table, before they are taken. `own` are the other seats of the player."""
        if not event.amounts and not event.for_dealer:
            return
        try:
            check_wagers(self.game.rules, self.game.offers, event.amounts, event.for_dealer)
            self._check_limits(event, own)
        except Refused as refusal:
            raise Refused("for-player", who=_who(event), why=refusal.phrase) from None

    def _check_limits(self, event: WagersPlaced, own: Collection[int]) -> None:
        known = self._payable
        elsewhere = sum(known.get(number, 0) for number in own if number != event.seat)
        others = self._payable_together - known.get(event.seat, 0) - elsewhere
        amounts, for_dealer = event.amounts, event.for_dealer
        check_limits(self.game.rules, self.game.offers, amounts, for_dealer, elsewhere=elsewhere, others=others)

    def _count_payable(self, event: WagersPlaced) -> None:
        """Counts what the wagers of a seat can win, in place of those before. A sum, because thousands of seats may bet."""
        rules = self.game.rules
        if rules.most_payable or rules.most_payable_table:
            stakes = [*event.amounts.items(), *event.for_dealer.items()]
            payable = rules.payable(self.game.offers, stakes)
            self._payable_together += payable - self._payable.get(event.seat, 0)
            self._payable[event.seat] = payable

    def _check_room(self, event: WagersPlaced) -> None:
        places = self.game.rules.places
        if places is None or not event.amounts:
            return
        taken = sum(1 for seat in self.seats.values() if seat.amounts and seat.number != event.seat)
        if taken >= places:
            raise Refused("round-full", seats=places, clause=self.game.rules.clause("seats"))

    def _credit_added(self, event: CreditAdded) -> None:
        seat = self._seat(event.seat)
        if type(event.amount) is not int or event.amount < 1:
            raise Refused("credit-to-add", who=seat.who, amount=shortened(str(event.amount)))
        if seat.brought is not None:
            seat.brought += event.amount
        self._tape.placed.append(event)

    def _betting_closed(self, _: BettingClosed) -> None:
        if self._dealing is not None:
            raise Refused("bets-closed-already")
        if not self.seats:
            raise Refused("no-wagers")
        self._dealing = self.game.dealing(self.game.rules, self.game.offers, self.seats)

    # --- cards ------------------------------------------------------------------------------------------------------

    def _card_dealt(self, event: CardDealt) -> None:
        awaits = self.awaits
        card = event.card
        if not isinstance(awaits, NextCard):
            raise Refused("no-card-awaited", card=card or "?", awaited=expected(awaits))
        if card is not None:
            self.check_shoe(card)
        self._lay(awaits.place, card)

    def _lay(self, place: Place, card: Card | None) -> None:
        if card is None and not self.dealing.takes_unknown(place):
            raise Refused("hole-only", place=place)
        self._tape.cards.append(card)
        self.dealing.deal(place, card)

    def check_shoe(self, card: Card, *, besides: Card | None = None, place: int | None = None) -> None:
        """CARD-1: refuses a card of which its shoe has no more. `besides` lies face down, and the house knows it.
        `place` is how many cards were dealt before it; None for the next card."""
        faces, starts, shoe = self._faces(), self._starts, 0
        if starts:  # only those from the same shoe
            shoe = self._shoe_at(len(faces) if place is None else place)
            faces = faces[starts[shoe - 1] if shoe else 0 : starts[shoe] if shoe < len(starts) else None]
        gone = faces.count(card) + (0 if shoe else self.out.get(card, 0))
        if besides is card:
            gone += faces.count(None)
        if gone >= self.game.rules.decks:
            raise self._too_often(card)

    def _shoe_at(self, place: int) -> int:
        """Which of the round's shoes a card came from, counted from 0, by how many cards were dealt before it."""
        return bisect_right(self._starts, place)

    def _shoe_followed(self, _: ShoeFollowed) -> None:
        """CARD-10: cards dealt from here on count against the next shoe."""
        awaits = self.awaits
        if not isinstance(awaits, NextCard):
            raise Refused("no-shoe-awaited", awaited=expected(awaits))
        self._starts.append(self.cards_gone)

    def _too_often(self, card: Card) -> Refused:
        return Refused("card-again", card=card, decks=self.game.rules.decks, clause=self.game.rules.clause("decks"))

    def _hole_peeked(self, event: HolePeeked) -> None:
        self.dealing.peeked(event.blackjack)
        self._tape.peek = event.blackjack

    def _hole_turned(self, event: HoleTurned) -> None:
        if isinstance(self.awaits, HoleCard):
            self.check_shoe(event.card, place=self._tape.cards.index(None))
        self.dealing.turn(event.card)
        self._tape.turned = event.card

    # --- decisions --------------------------------------------------------------------------------------------------

    def _decided_by_player(self, event: Decided) -> None:
        seat = self._seat(event.seat)
        try:
            decision = read_decision(event.decision)
        except Refused as refusal:
            raise Refused("for-player", who=seat.who, why=refusal.phrase) from None
        self._decide(seat, Made(decision, False, event.credit, self.cards_gone))

    def _decide(self, seat: Seat, made: Made) -> None:
        """Carries out a decision, which must be allowed by the rules and covered by the credit."""
        dealing, decision = self._dealing, made.decision
        if dealing is None or seat.number not in dealing.open:
            raise Refused("nothing-asked", who=seat.who, decision=decision)
        try:
            cost = dealing.cost_of(seat.number, decision)
            if cost and (credit := _credit(seat, made)) is not None and cost > credit:
                raise Refused("costs-more", cost=cost, credit=credit)
        except Refused as refusal:
            allowed = _affordable(dealing, seat.number, _credit(seat, made))
            raise Refused("cannot", who=seat.who, decision=decision, why=refusal.phrase, allowed=allowed) from None
        seat.staked += cost
        dealing.decide(seat.number, decision, cost)
        self._tape.decided.setdefault(seat.number, []).append(made)

    def _time_expired(self, event: TimeExpired) -> None:
        awaits = self.awaits
        if not isinstance(awaits, Decisions):
            raise Refused("no-decision-awaited", awaited=expected(awaits))
        for number in event.seats or ():
            if number not in awaits:
                raise Refused("time-not-asked", seat=number)
        for number in event.seats if event.seats is not None else list(awaits):
            self._decide(self.seats[number], Made(self.dealing.time_out(number), True, None, self.cards_gone))

    def _seat(self, number: int) -> Seat:
        seat = self.seats.get(number)
        if seat is None:
            raise Refused("seat-not-in-round", seat=number)
        return seat

    # --- the end ----------------------------------------------------------------------------------------------------

    def _confirmed(self, _: Confirmed) -> None:
        awaits = self.awaits
        if not isinstance(awaits, Confirmation):
            raise Refused("not-confirmed", awaited=expected(awaits))
        self.results = {number: self._result(seat) for number, seat in self.seats.items()}
        for number, seat in self.seats.items():
            seat.settled = list(self.results[number].wagers)

    def _voided(self, event: Voided) -> None:
        """Returns every stake and takes back every payment, so that each credit is as it was before the round."""
        self.voided = True
        reason = Reason(event.why, " ".join(event.reason.split()).rstrip("."))
        why = (because("voided", reason=reason.fact) if reason else because("voided-without-reason"),)
        for number, seat in self.seats.items():
            returned = [WagerResult(wager, whose, stake, stake, 0, why) for wager, whose, stake in self._stakes(seat)]
            seat.settled = returned
            self.results[number] = SeatResult((), None, tuple(returned))

    def _stakes(self, seat: Seat) -> Iterable[Stake]:
        """Everything that a seat has staked, wager by wager."""
        return seat.placed if self._dealing is None else self._dealing.stakes(seat)


def _credit(seat: Seat, made: Made) -> int | None:
    """The credit for a decision: given with the decision, or else the round's own."""
    return seat.credit if made.credit is None else made.credit


def _affordable(dealing: Dealing, seat: int, credit: int | None) -> list[str]:
    allowed = dealing.question(seat).allowed
    return [choice for choice, cost in allowed.items() if credit is None or cost.least <= credit]


def _who(event: WagersPlaced) -> str | Phrase:
    """Who bets, in a sentence."""
    return event.name or Place("seat", event.seat).as_fact()


english(
    "why",
    {
        "voided": "The round was void: {reason}. Every stake came back.",
        "voided-without-reason": "The round was void. Every stake came back.",
    },
)
english(
    "refused",
    {
        "bets-closed": "{who}: no more bets, betting is closed.",
        "for-player": "{who}: {why}.",
        "credit-short": "{who}: wagers of {staked:money} are more than the credit of {credit:money}.",
        "credit-to-add": "{who}: {amount:quoted} cannot be added to the credit: it is a whole number of minor units, 1 or more.",
        "round-full": Plural(
            "seats",
            one="the table has one seat, and it is taken",
            other="the table has {seats} seats, and they are taken",
        ),
        "bets-closed-already": "Betting is already closed.",
        "no-wagers": "Nobody has placed a wager, so there is nothing to deal for.",
        "no-card-awaited": "{card:cards} cannot be dealt now: the round awaits {awaited}.",
        "no-shoe-awaited": "The next shoe cannot follow now: the round awaits {awaited}.",
        "hole-only": "Only a hole card can be dealt face down. The next card goes to: {place}.",
        "card-again": Plural(
            "decks",
            one="{card:cards} cannot come again: one deck holds it once, and it is out",
            other="{card:cards} cannot come again: {decks} decks hold it {decks} times, and all are out",
        ),
        "nothing-asked": "{who} cannot {decision}: nothing is asked of {who} now.",
        "costs-more": "it costs {cost:money}, and the credit is {credit:money}",
        "cannot": "{who} cannot {decision}: {why}. Allowed now: {allowed:decision}.",
        "no-decision-awaited": "Time cannot run out now: the round awaits {awaited}.",
        "time-not-asked": "Time cannot run out for seat {seat}: nothing is asked of it now.",
        "seat-not-in-round": "Seat {seat} has no wager in this round.",
        "not-confirmed": "The result cannot be confirmed yet: the round awaits {awaited}.",
    },
)
