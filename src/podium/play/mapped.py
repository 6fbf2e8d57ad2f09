"""The map of a table for its dealer: the seats that have bet, with their hands, and what Confirm will pay them."""

from typing import Annotated

import msgspec

from podium.basics.words import Phrase
from podium.play.round import Round
from podium.play.views import SeatView, seat_view
from podium.rules.asking import QUESTIONS, Confirmation
from podium.rules.dealing import HandView


class SeatOnMap(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that has bet, as its dealer sees it: by its number, without a name."""

    seat: int
    staked: int
    asked: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["", *QUESTIONS]})] = ""
    """What the seat is asked about now; empty if it is asked nothing."""
    decided: int = 0
    """How many decisions it has made in this round."""
    finished: bool = False
    """Whether no decision of this seat is still to come."""
    hands: list[HandView] = []
    playing: int = 0
    """The hand that is being played, counted from 0."""
    hand: Phrase | None = None
    """Nine cards: the name of the player's hand."""
    decision: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["", "play", "fold"]})] = ""
    """Nine cards: what the player decided; empty before."""
    returned: int = 0
    """What has been paid to the player's credit so far, stakes included."""
    pays: int | None = None
    """What Confirm will pay to the player's credit; null before every card is out, and when it is paid."""


def seats_on_map(played: Round, most: int) -> tuple[SeatOnMap, ...]:
    """The seats of a round in the order of their numbers, up to a limit."""
    confirms = isinstance(played.awaits, Confirmation)
    return tuple(_on_map(played, seat_view(played, number), confirms) for number in sorted(played.seats)[:most])


def _on_map(played: Round, view: SeatView, confirms: bool) -> SeatOnMap:
    return SeatOnMap(
        seat=view.seat,
        staked=view.staked,
        asked=view.question.about if view.question is not None else "",
        decided=view.step,
        finished=view.finished,
        hands=view.hands,
        playing=view.playing,
        hand=view.hand,
        decision=view.decision,
        returned=view.returned,
        pays=played.result(view.seat).returned - view.returned if confirms else None,
    )
