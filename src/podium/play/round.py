"""One round: a fold over events.

A round says what it awaits and changes by nothing but `apply(event)`. It reads no clock, draws no card and holds no
lock: dealers, players and timers supply the events. What the rules do not allow is refused, and then nothing has
changed.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from podium.basics.cards import card
from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.play.correcting import RoundCorrection
from podium.play.events import (
    AnyEdit,
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
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


class Round(RoundCorrection):
    """One round of a game. It changes by `apply` alone; the other methods make the event and apply it. `out` has the cards that
    left the shoe before it."""

    def apply(self, event: AnyEvent) -> None:
        """Applies an event; a refused one changes nothing."""
        if not is_sound(event):
            raise Refused("not-an-event", event=shortened(repr(event)))
        if self.voided or self.results:  # `over`, without the call: this runs for every event
            raise Refused("round-finished")
        _HANDLERS[type(event)](self, event)
        self.events.append(event)
        if self._held is not None:
            self._find_places(self._held)
        if self._cap is not None and self._dealing is not None and not self.over:
            only = event.seat if isinstance(event, Decided) and self._held is None else None
            self._cap.look(self.seats, self._dealing.settled_at_once, only)

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


english(
    "refused",
    {
        "round-finished": "The round is over: nothing more can happen in it.",
        "not-an-event": "{event:quoted} is not an event of a round.",
    },
)
