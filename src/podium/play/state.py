"""What a round knows and answers: what it awaits, which cards are out, what each seat gets."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH, english
from podium.play.events import AnyEvent, CardDealt, Decided, HolePeeked, HoleTurned, TimeExpired
from podium.play.tape import Tape
from podium.rules.asking import Awaits, Confirmation, LaidCard, Nothing, Wagers, expected
from podium.rules.capping import Cap
from podium.rules.dealing import Dealing
from podium.rules.games import Game
from podium.rules.results import SeatResult, WagerResult
from podium.rules.seat import Seat

FOLLOWS: Final = (HolePeeked, HoleTurned, Decided, TimeExpired)
"""The events that may follow the last card, besides another card."""


class RoundState:
    """The state of one round, and every question that may be asked about it. `Round` changes it."""

    def __init__(self, game: Game, out: Mapping[Card, int] | None = None, *, taken: bool = False) -> None:
        self.game: Final = game
        self._taken: Final = taken
        """Whether the wagers were already checked when they were taken, by the program and the limits of that time."""
        self._cap = self._new_cap()
        self.out = out or {}
        self.events: list[AnyEvent] = []
        """Everything that happened, in order; applied to a new round, it gives the same round."""
        self.seats: dict[int, Seat] = {}
        self._payable: dict[int, int] = {}
        """The most that the wagers of each seat can win, where the table has a limit of what it pays."""
        self._payable_together = 0
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

    def _new_cap(self) -> Cap | None:
        """What cuts a player's winnings to the most that one player is paid; None where such wagers are refused, or
        there is no limit."""
        rules = self.game.rules
        return Cap(rules.most_payable) if rules.caps else None

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
        gone = len(self._tape.cards)
        return gone if self._held is None else gone + len(self._held.cards)

    def _faces(self) -> Sequence[Card | None]:
        """Every card that left a shoe in this round, in order; None is a card that nobody knows."""
        cards, turned = self._tape.cards, self._tape.turned
        if self._held is not None:
            cards, turned = [*cards, *self._held.cards], turned or self._held.turned
        return cards if turned is None else [turned if card is None else card for card in cards]

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

    def _result(self, seat: Seat) -> SeatResult:
        result = self.dealing.result(seat)
        if self._cap is None:
            return result
        wagers = self._cap.result(seat, lambda box: self.dealing.result(box).wagers)
        return msgspec.structs.replace(result, wagers=wagers)

    def settled_at_once(self, seat: Seat) -> Mapping[int, Sequence[WagerResult]]:
        """The results of a seat's main wagers that are paid or collected already, while the round goes on: by hand, counted
        from 0."""
        if self._dealing is None or self.over:
            return {}
        return self._dealing.settled_at_once(seat) if self._cap is None else self._cap.paid(seat)

    def decisions_of(self, seat: int) -> list[tuple[str, bool]]:
        """A seat's decisions in order, each with whether the house made it because time ran out."""
        return [(str(made.decision), made.by_house) for made in self._tape.decided.get(seat, ())]

    @property
    def entered(self) -> tuple[Card | None, ...]:
        """The cards as they were dealt, also those that a correction left without a place; None was dealt face down."""
        return tuple(self._tape.followed_by(self._held).cards)

    def shows(self, number: int | None) -> bool:
        """Whether the card of that number lies face up."""
        laid = self.face_up
        return number is not None and number <= len(laid) and laid[number - 1].card is not None

    @property
    def peek_said(self) -> bool | None:
        """The dealer's answer about a hole card that nobody else has seen; None before the answer."""
        return self._tape.followed_by(self._held).peek

    def card_entered(self, number: int) -> Card | None:
        """The card of that number as it was entered, also one that a correction left without a place; None lies face down."""
        tape = self._tape.followed_by(self._held)
        return tape.cards[number - 1] or tape.turned

    def is_followed(self, number: int) -> bool:
        """Whether anything has followed the card of that number: another card, a look at the hole card, a decision or a
        time-out."""
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


english(
    "refused",
    {
        "no-card-out": "No card is out yet: betting is still open.",
        "round-not-finished": "The round is not finished: it awaits {awaited}.",
    },
)
