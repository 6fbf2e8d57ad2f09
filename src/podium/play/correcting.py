"""Corrections of a round: it is played again with the right cards, and decisions stand where they are still possible (CARD-2)."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count
from typing import Self

from podium.basics.cards import DECK, Card
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.play.events import (
    AnyEdit,
    BettingClosed,
    CardCorrected,
    CardsCorrected,
    HolePeeked,
    HoleTurned,
    WagersPlaced,
)
from podium.play.playing import RoundPlay
from podium.play.tape import Made, Tape, moved
from podium.rules.asking import QUESTIONS, Decisions, HoleCard, NextCard, Peek


class RoundCorrection(RoundPlay):
    """A round that can be played again with corrected cards."""

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
        """CARD-2: plays the round again with the right cards. Decisions stand, except those that are no longer possible
        and, where the table asks again, those of a player whose own hand changed. A player who has seen a later card in
        the meantime does not decide twice."""
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

    def _played_again(self, tape: Tape, edits: Sequence[AnyEdit] = ()) -> tuple[Self, Tape]:
        """The round with these cards, and the part of the tape that is not applied yet."""
        again = self._opened_again(tape, edits)
        again._check_shoes_hold(tape)
        seen = tape.followed_by(None)
        tape.placed.clear()
        again._find_places(tape, seen)
        return again, tape

    def _opened_again(self, tape: Tape, edits: Sequence[AnyEdit] = ()) -> Self:
        """A new round with the same wagers, before its first card."""
        again = type(self)(self.game, self.out, taken=True)
        again._starts = moved(self._starts, edits)
        for placed in tape.placed:
            if isinstance(placed, WagersPlaced):
                again._wagers_placed(placed)
            else:
                again._credit_added(placed)
        again._betting_closed(BettingClosed())
        return again

    def _become(self, again: Self, held: Tape) -> None:
        self.seats, self._dealing, self._tape, self._held = again.seats, again._dealing, again._tape, held
        self._starts = again._starts
        self._cap = self._new_cap()

    def _check_shoes_hold(self, tape: Tape) -> None:
        """CARD-1: refuses more copies of a card than its shoe holds. The first shoe had already dealt some."""
        shoes = [Counter(self.out), *(Counter[Card]() for _ in self._starts)]
        for place, laid in enumerate(tape.cards):
            face = tape.turned if laid is None else laid
            if face is not None:
                shoes[self._shoe_at(place)][face] += 1
        for each, times in chain.from_iterable(shoe.items() for shoe in shoes):
            if times > self.game.rules.decks:
                raise self._too_often(each)

    def _find_places(self, held: Tape, seen: Tape | None = None) -> None:
        """Applies the held tape again, as far as the round awaits it. `seen` is everything that was held at first."""
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


english(
    "refused",
    {
        "no-card-yet-to-correct": "No card can be corrected yet: betting is still open.",
        "nothing-to-correct": "A correction changes at least one card, or withdraws a peek.",
        "correct-would-ask": (
            "The decisions made at seats {seats} are not possible with these cards, and their players have already seen a later "
            "card, so they cannot be asked again: void the round."
        ),
        "correct-face-up": "Card {number} lies face up: say which card it is.",
    },
)
