"""One round: a fold over events.

A round says what it awaits and changes by nothing but `apply(event)`. It reads no clock, draws no card and holds no
lock: dealers, players and timers supply the events. What the rules do not allow is refused, and then nothing has
changed.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count
from types import MappingProxyType
from typing import Any, Final

import msgspec

from podium.basics.cards import DECK, Card, card
from podium.basics.refusal import Refused, shortened
from podium.basics.words import ENGLISH, Phrase, Plural, english
from podium.play.events import (
    AnyEdit,
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
    CardReplaced,
    CardsCorrected,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    TimeExpired,
    Voided,
    WagersPlaced,
    is_sound,
)
from podium.play.reasons import Reason
from podium.play.tape import Made, Tape, moved
from podium.rules.asking import (
    QUESTIONS,
    Awaits,
    Confirmation,
    Decisions,
    HoleCard,
    LaidCard,
    NextCard,
    Nothing,
    Peek,
    Place,
    Wagers,
    expected,
    read_decision,
)
from podium.rules.dealing import Dealing
from podium.rules.games import Game
from podium.rules.results import SeatResult, WagerResult, because
from podium.rules.seat import Seat, Stake, capped
from podium.rules.wagers import check_limits, check_wagers

FOLLOWS: Final = (HolePeeked, HoleTurned, Decided, TimeExpired)
"""What may follow the last card, besides another one."""


class Round:
    """The state of one round of a game. `out` has the cards that left the shoe before it."""

    def __init__(self, game: Game, out: Mapping[Card, int] | None = None, *, taken: bool = False) -> None:
        self.game: Final = game
        self._taken: Final = taken
        """Whether wagers were checked against the limits when they were taken, by the program and the limits of that time."""
        self.out: Final = out or {}
        self.events: list[AnyEvent] = []
        """Everything that happened, in order; applied to a new round, it gives the same round."""
        self.seats: dict[int, Seat] = {}
        self.results: dict[int, SeatResult] = {}
        """The result of every seat, once the round is over."""
        self.voided = False
        self._dealing: Dealing | None = None
        self._tape = Tape()
        """Everything that came in, by kind, so that the round can be played again with a corrected card."""
        self._held: Tape | None = None
        """What came in before a correction and has not been applied again yet."""
        self._starts: list[int] = []
        """How many cards were out each time that a shoe ran out and the next one followed."""

    def __repr__(self) -> str:
        seats = "1 seat" if len(self.seats) == 1 else f"{len(self.seats)} seats"
        state = "void" if self.voided else "over" if self.over else f"awaits {ENGLISH.say(expected(self.awaits))}"
        return f"<Round of {self.game.name}: {seats}, {state}>"

    # --- asking -----------------------------------------------------------------------------------------------------

    @property
    def awaits(self) -> Awaits:
        """What must come next."""
        if self.over:
            return Nothing()
        return Wagers() if self._dealing is None else self._dealing.awaits()

    @property
    def over(self) -> bool:
        return self.voided or bool(self.results)

    @property
    def dealt_for(self) -> bool:
        """Whether betting is closed, so that cards are dealt for those who bet."""
        return self._dealing is not None

    @property
    def dealing(self) -> Dealing:
        """The cards as they lie; there are none before betting is closed."""
        if self._dealing is None:
            raise Refused("no-card-out")
        return self._dealing

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The cards that the rules needed so far, in the order of dealing; None is a hole card not yet turned."""
        tape = self._tape
        return tuple(tape.turned if card is None else card for card in tape.cards)

    @property
    def face_up(self) -> list[LaidCard]:
        """The cards in the order of dealing with their places, as everybody may see them; None lies face down."""
        return [] if self._dealing is None else self._dealing.face_up()

    def lies_face_down(self, number: int) -> bool:
        """Whether the card of that number, counted from 1 in the order of dealing, lies face down."""
        laid = self.face_up
        return type(number) is int and 1 <= number <= len(laid) and laid[number - 1].card is None

    @property
    def cards_out(self) -> list[Card]:
        """Every card that left the shoe in this round, including those that a correction left without a place."""
        return [*self._tape.shown, *(self._held.shown if self._held is not None else ())]

    @property
    def cards_gone(self) -> int:
        """How many cards have left the shoe in this round, also those whose faces nobody has seen."""
        return len(self._tape.cards) + (len(self._held.cards) if self._held is not None else 0)

    def _faces(self) -> list[Card | None]:
        """Every card that left a shoe in this round, in order; None is one that nobody knows."""
        cards, turned = self._tape.cards, self._tape.turned
        if self._held is not None:
            cards, turned = [*cards, *self._held.cards], turned or self._held.turned
        return [turned if card is None else card for card in cards]

    @property
    def cards_of_shoe(self) -> tuple[list[Card], int]:
        """The cards of this round that came from the shoe in use: those whose faces are known, and how many in all."""
        start = self._starts[-1] if self._starts else 0
        faces = self._faces()[start:]
        return [card for card in faces if card is not None], len(faces)

    @property
    def cards_dealt(self) -> int:
        return 0 if self._dealing is None else self._dealing.cards_dealt

    def result(self, seat: int) -> SeatResult:
        """The result of a seat: what every wager returns, and why. Known when every card is out."""
        if self.over:
            return self.results[seat]
        if not isinstance(self.awaits, Confirmation):
            raise Refused("round-not-finished", awaited=expected(self.awaits))
        return self._result(self.seats[seat])

    def settled_at_once(self, seat: Seat) -> Sequence[WagerResult]:
        """The results of a seat's main wagers that are paid or collected already, while the round goes on."""
        return () if self._dealing is None or self.over else self._dealing.settled_at_once(seat)

    def decisions_of(self, seat: int) -> list[tuple[str, bool]]:
        """A seat's decisions in order, each with whether the house made it because time ran out."""
        return [(str(made.decision), made.by_house) for made in self._tape.decided.get(seat, ())]

    @property
    def entered(self) -> tuple[Card | None, ...]:
        """The cards as they were dealt, also those that a correction left without a place; None was dealt face down."""
        return tuple(self._tape.followed_by(self._held).cards)

    @property
    def face_down_number(self) -> int | None:
        """The number of the card that is dealt face down in this round; None where there is none."""
        again = self._opened_again(self._tape.followed_by(self._held))
        for number in count(1):
            awaits = again.awaits
            if not isinstance(awaits, NextCard):
                return None
            if again.dealing.takes_unknown(awaits.place):
                return number
            again.dealing.deal(awaits.place, DECK[0])
        return None

    def shows(self, number: int | None) -> bool:
        """Whether the card of that number lies face up."""
        laid = self.face_up
        return number is not None and number <= len(laid) and laid[number - 1].card is not None

    @property
    def peek_said(self) -> bool | None:
        """What the dealer said of a hole card that nobody else has seen; None before."""
        return self._tape.followed_by(self._held).peek

    def card_entered(self, number: int) -> Card | None:
        """The card of that number as it was entered, also one that a correction left without a place; None lies face down."""
        tape = self._tape.followed_by(self._held)
        return tape.cards[number - 1] or tape.turned

    def is_followed(self, number: int) -> bool:
        """Whether anything has followed the card of that number: another card, a look at the hole card, a decision, the end of
        the time for one."""
        if number < len(self._tape.followed_by(self._held).cards):
            return True
        return self._followed_since(CardDealt)

    @property
    def peek_is_followed(self) -> bool:
        """Whether anything has followed the dealer's answer about the hole card."""
        return self._followed_since(HolePeeked)

    def _followed_since(self, kind: type[AnyEvent]) -> bool:
        last = next((at for at, event in enumerate(reversed(self.events)) if isinstance(event, kind)), 0)
        return any(isinstance(event, (*FOLLOWS, CardDealt)) for event in self.events[len(self.events) - last :])

    # --- the one way in ---------------------------------------------------------------------------------------------

    def apply(self, event: AnyEvent) -> None:
        """Applies an event; a refused one changes nothing."""
        if not is_sound(event):
            raise Refused("not-an-event", event=shortened(repr(event)))
        if self.over:
            raise Refused("round-finished")
        _HANDLERS[type(event)](self, event)
        self.events.append(event)
        if self._held is not None:
            self._find_places(self._held)
        if self._cap and not self.over:
            for seat in self.seats.values():  # side bets that are paid before the end
                seat.settled = capped(seat.settled, self._cap)

    # --- the same, said shortly -------------------------------------------------------------------------------------

    def bet(
        self,
        seat: int,
        *,
        name: str = "",
        credit: int | None = None,
        for_dealer: Mapping[str, int] = MappingProxyType({}),
        spots: tuple[int, ...] = (),
        **amounts: int,
    ) -> None:
        """Places wagers: `round.bet(7, blackjack=10_00, six_card_bonus=5_00)`; underscores in names stand for dashes."""
        placed = {wager.replace("_", "-"): amount for wager, amount in amounts.items()}
        self.apply(WagersPlaced(seat, placed, dict(for_dealer), spots, credit, name))

    def close_betting(self) -> None:
        """Closes betting."""
        self.apply(BettingClosed())

    def deal(self, codes: str) -> None:
        """Deals cards in order: `round.deal("9s 6h 2c")`. `?` is a hole card that nobody knows yet."""
        for code in codes.split():
            self.apply(CardDealt(None if code == "?" else card(code)))

    def decide(self, seat: int, decision: str) -> None:
        """Makes a player's decision: `round.decide(7, "double")`."""
        self.apply(Decided(seat, decision))

    def peek(self, *, blackjack: bool) -> None:
        """Records the dealer's look at an unknown hole card: whether it makes a blackjack."""
        self.apply(HolePeeked(blackjack))

    def turn_hole(self, code: str) -> None:
        """Turns over a hole card that was dealt unknown: `round.turn_hole("Kd")`."""
        self.apply(HoleTurned(card(code)))

    def correct(self, number: int, code: str) -> None:
        """Corrects the card of that number, counted from 1 in the order of dealing."""
        self.apply(CardCorrected(number, card(code)))

    def edit(self, *edits: AnyEdit, asks_affected: bool = False) -> None:
        """Corrects the cards by several edits at once."""
        self.apply(CardsCorrected(edits, asks_affected))

    def time_out(self, *seats: int) -> None:
        """Lets the time run out for these seats, or for every seat that is asked."""
        self.apply(TimeExpired(seats or None))

    def confirm(self) -> None:
        """Confirms the result; then `results` has the result of every seat."""
        self.apply(Confirmed())

    def void(self, reason: str = "") -> None:
        """Voids the round: every stake goes back."""
        self.apply(Voided(reason))

    # --- betting ----------------------------------------------------------------------------------------------------

    def _wagers_placed(self, event: WagersPlaced) -> None:
        if self._dealing is not None:
            raise Refused("bets-closed", who=_who(event), clause=self.game.rules.wagering_clause)
        if not event.amounts and not event.for_dealer and event.seat in self.seats:
            del self.seats[event.seat]
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
        )
        if event.credit is not None and seat.staked > event.credit:
            raise Refused("credit-short", who=seat.who, staked=seat.staked, credit=event.credit)
        self.seats[event.seat] = seat
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
        rules, offers = self.game.rules, self.game.offers
        elsewhere = others = 0
        if rules.most_payable or rules.most_payable_table:
            for number, seat in self.seats.items():
                if number != event.seat:
                    payable = rules.payable(offers, ((wager, amount) for wager, _, amount in seat.placed))
                    elsewhere, others = (
                        (elsewhere + payable, others) if number in own else (elsewhere, others + payable)
                    )
        check_limits(rules, offers, event.amounts, event.for_dealer, elsewhere=elsewhere, others=others)

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
        """CARD-1: refuses a card of which its shoe has no more. `besides` lies face down, and the house knows it. `place` is
        how many cards were dealt before it; the next card of all where it is None."""
        faces, starts = self._faces(), self._starts
        shoe = self._shoe_at(len(faces) if place is None else place)
        if starts:  # only those from the same shoe
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
        """CARD-10: what is dealt from here on is counted against the next shoe."""
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
        self._decide(seat, Made(decision, by_house=False, credit=event.credit))

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
        if made.cards is None:
            made = Made(decision, made.by_house, made.credit, self.cards_gone)
        self._tape.decided.setdefault(seat.number, []).append(made)

    def _time_expired(self, event: TimeExpired) -> None:
        awaits = self.awaits
        if not isinstance(awaits, Decisions):
            raise Refused("no-decision-awaited", awaited=expected(awaits))
        for number in event.seats or ():
            if number not in awaits:
                raise Refused("time-not-asked", seat=number)
        for number in event.seats if event.seats is not None else list(awaits):
            self._decide(self.seats[number], Made(self.dealing.time_out(number), by_house=True))

    def _seat(self, number: int) -> Seat:
        seat = self.seats.get(number)
        if seat is None:
            raise Refused("seat-not-in-round", seat=number)
        return seat

    # --- the end ----------------------------------------------------------------------------------------------------

    def _result(self, seat: Seat) -> SeatResult:
        result, most = self.dealing.result(seat), self._cap
        if not most:
            return result
        return msgspec.structs.replace(result, wagers=tuple(capped(result.wagers, most, paid=seat.settled)))

    @property
    def _cap(self) -> int:
        """The most that one seat is paid in a round, where more is cut off; 0 for no limit."""
        return self.game.rules.most_payable if self.game.rules.over_payable == "cap" else 0

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

    # --- correction -------------------------------------------------------------------------------------------------

    def _card_corrected(self, event: CardCorrected) -> None:
        """CARD-2: plays the round again with the right card. A decision that it makes illegal becomes an open question again."""
        if self._dealing is None:
            raise Refused("no-card-yet-to-correct")
        if event.card is None and not self.lies_face_down(event.number):
            raise Refused("correct-face-up", number=event.number)
        tape = self._tape.followed_by(self._held)
        tape.correct(event.number, event.card)
        self._become(*self._played_again(tape))

    def _cards_corrected(self, event: CardsCorrected) -> None:
        """CARD-2: plays the round again with the right cards. Decisions stand, but for those that are not possible any more; and
        where the table asks again, for those of a player whose own hand changed. Nobody decides twice who has meanwhile seen
        a later card."""
        if self._dealing is None:
            raise Refused("no-card-yet-to-correct")
        if not event.edits:
            raise Refused("nothing-to-correct")
        tape = self._edited(event)
        again, held = self._played_again(tape, event.edits)
        if event.asks_affected:
            affected = [seat for seat in self.seats if self._own_cards(seat) != again._own_cards(seat)]
            tape = self._edited(event)
            tape.ask_again(affected)
            again, held = self._played_again(tape, event.edits)
        if held.undone:
            raise Refused("correct-would-ask", seats=sorted(held.undone), clause="CARD-2")
        self._become(again, held)

    def _edited(self, event: CardsCorrected) -> Tape:
        tape = self._tape.followed_by(self._held)
        tape.edit(event.edits)
        return tape

    def _own_cards(self, seat: int) -> list[str]:
        return self.dealing.own_cards(self.seats[seat])

    def _played_again(self, tape: Tape, edits: Sequence[AnyEdit] = ()) -> "tuple[Round, Tape]":
        """The round with these cards, and what of the tape has no place in it yet."""
        again = self._opened_again(tape, edits)
        again._check_shoes_hold(tape)
        seen = tape.followed_by(None)
        tape.placed.clear()
        again._find_places(tape, seen)
        return again, tape

    def _opened_again(self, tape: Tape, edits: Sequence[AnyEdit] = ()) -> "Round":
        """A new round with the same wagers, before its first card."""
        again = Round(self.game, self.out, taken=True)
        again._starts = moved(self._starts, edits)
        for placed in tape.placed:
            again.apply(placed)
        again.apply(BettingClosed())
        return again

    def _become(self, again: "Round", held: Tape) -> None:
        self.seats, self._dealing, self._tape, self._held = again.seats, again._dealing, again._tape, held
        self._starts = again._starts

    def _check_shoes_hold(self, tape: Tape) -> None:
        """CARD-1: refuses cards of which a shoe of the round has fewer; the first had dealt others before."""
        shoes = [Counter(self.out), *(Counter[Card]() for _ in self._starts)]
        for place, laid in enumerate(tape.cards):
            face = tape.turned if laid is None else laid
            if face is not None:
                shoes[self._shoe_at(place)][face] += 1
        for each, times in chain.from_iterable(shoe.items() for shoe in shoes):
            if times > self.game.rules.decks:
                raise self._too_often(each)

    def _find_places(self, held: Tape, seen: Tape | None = None) -> None:
        """Applies again what is held, as far as the round awaits it. `seen` is everything that was held at first."""
        while True:
            awaits = self.awaits
            if isinstance(awaits, NextCard) and held.cards:
                self._lay(awaits.place, held.cards.pop(0))  # the correction has checked the shoes
            elif isinstance(awaits, Peek) and held.peek is not None:
                self._hole_peeked(HolePeeked(held.take_peek()))
            elif isinstance(awaits, HoleCard) and held.turned is not None:
                self._turn_again(held)
            elif not (isinstance(awaits, Decisions) and self._decide_all_again(held, awaits, seen)):
                return

    def _turn_again(self, held: Tape) -> None:
        """Drops a turned hole card that contradicts a new peek: it must be turned again."""
        assert held.turned is not None
        card, held.turned = held.turned, None
        with suppress(Refused):
            self._hole_turned(HoleTurned(card))

    def _decide_all_again(self, held: Tape, awaits: Decisions, seen: Tape | None) -> bool:
        stands = [self._decide_again(held, seat, seen) for seat in awaits]
        return any(stands)

    def _decide_again(self, held: Tape, seat: int, seen: Tape | None) -> bool:
        """Whether the seat's earlier decision still counts. From the first one that does not, the seat decides again."""
        made = held.decided.get(seat, [])
        asked = list(QUESTIONS)
        about = asked.index(self.dealing.question(seat).about)
        while made and asked.index(made[0].decision.about) < about:  # an answer to a question that is no longer asked
            made.pop(0)
        if not made or asked.index(made[0].decision.about) > about:
            return False
        before = made.pop(0)
        again = before  # what the house decides for a player follows from the actual cards
        if before.by_house:
            again = Made(self.dealing.time_out(seat), by_house=True, credit=before.credit, cards=before.cards)
        try:
            self._decide(self.seats[seat], again)
        except Refused:
            if seen is not None and seen.has_seen_more(before):
                held.undone.add(seat)
            made.clear()
            return False
        return True


def as_seen(played: Round) -> Round:
    """The same round as everybody saw it: a card that lies face down is dealt unknown, and a peek says that it is not a
    blackjack. The results are the same."""
    down = [laid.card is not known for laid, known in zip(played.face_up, played.cards, strict=True)]
    if not any(down):
        return played
    hidden = down.index(True)
    seen = Round(played.game, played.out, taken=True)
    for event in played.events:
        if isinstance(seen.awaits, Peek):
            seen.apply(HolePeeked(blackjack=False))  # a blackjack would have been turned over
        if isinstance(event, CardDealt) and len(seen.face_up) == hidden:
            seen.apply(CardDealt(None))
        elif isinstance(event, CardsCorrected):
            seen.apply(_as_everybody_saw(event, hidden + 1))
        elif not (isinstance(event, CardCorrected) and event.number == hidden + 1):
            seen.apply(event)
    return seen


def _as_everybody_saw(event: CardsCorrected, hidden: int) -> CardsCorrected:
    edits = [
        CardReplaced(hidden, None) if isinstance(edit, CardReplaced) and edit.number == hidden else edit
        for edit in event.edits
    ]
    return CardsCorrected(tuple(edits), event.asks_affected)


_HANDLERS: Final[dict[type, Any]] = {
    WagersPlaced: Round._wagers_placed,
    CreditAdded: Round._credit_added,
    BettingClosed: Round._betting_closed,
    CardDealt: Round._card_dealt,
    ShoeFollowed: Round._shoe_followed,
    HolePeeked: Round._hole_peeked,
    HoleTurned: Round._hole_turned,
    Decided: Round._decided_by_player,
    TimeExpired: Round._time_expired,
    Confirmed: Round._confirmed,
    CardCorrected: Round._card_corrected,
    CardsCorrected: Round._cards_corrected,
    Voided: Round._voided,
}


def _credit(seat: Seat, made: Made) -> int | None:
    """What the player has for a decision: as the decision tells it, or else as the round knows it."""
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
        "no-card-out": "No card is out yet: betting is still open.",
        "round-not-finished": "The round is not finished: it awaits {awaited}.",
        "round-finished": "The round is over: nothing more can happen in it.",
        "not-an-event": "{event:quoted} is not an event of a round.",
        "bets-closed": "{who}: no more bets, betting is closed.",
        "for-player": "{who}: {why}.",
        "credit-short": "{who}: wagers of {staked:money} are more than the credit of {credit:money}.",
        "credit-to-add": "{who}: {amount:quoted} cannot be added to the credit: it is a whole number of minor units, 1 or more.",
        "round-full": Plural(
            "seats",
            one="the table has one seat, and it is taken",
            other="the table has {seats} seats, and they are taken",
        ),
        "bets-closed-already": "Betting is closed already.",
        "no-wagers": "Nobody has placed a wager, so there is nothing to deal for.",
        "no-card-awaited": "No card is awaited now, but {awaited}: {card:cards} is not dealt.",
        "no-shoe-awaited": "No card is awaited now, but {awaited}: the next shoe cannot follow.",
        "hole-only": "Only a hole card can be dealt face down. The next card goes to: {place}.",
        "card-again": Plural(
            "decks",
            one="{card:cards} cannot come again: one deck holds it once, and it is out",
            other="{card:cards} cannot come again: {decks} decks hold it {decks} times, and all are out",
        ),
        "nothing-asked": "{who} cannot {decision}: nothing is asked of {who} now.",
        "costs-more": "it costs {cost:money}, and the credit is {credit:money}",
        "cannot": "{who} cannot {decision}: {why}. Allowed now: {allowed:decision}.",
        "no-decision-awaited": "No decision is awaited now, but {awaited}: time cannot run out.",
        "time-not-asked": "Time cannot run out for seat {seat}: nothing is asked of it now.",
        "seat-not-in-round": "Seat {seat} has no wager in this round.",
        "not-confirmed": "The result cannot be confirmed yet: the round awaits {awaited}.",
        "no-card-yet-to-correct": "No card can be corrected yet: betting is still open.",
        "nothing-to-correct": "A correction changes at least one card, or withdraws a peek.",
        "correct-would-ask": (
            "The decisions that were made at seats {seats} are not possible with these cards, and whoever sits there has seen a "
            "later card, so nobody can be asked again: void the round."
        ),
        "correct-face-up": "Card {number} does not lie face down: a card that everybody sees is corrected to one that they see.",
    },
)
