"""What may be seen of a round: the layout, the same for everybody, and the view of one seat.

A view is built from what may be seen, not filtered from what must not: the hole card is in no view before it is
turned, and no view of the table names a player.
"""

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Annotated

import msgspec

from podium.basics.words import Phrase
from podium.play.round import Round
from podium.rules.asking import QUESTIONS, Decisions, NextCard, Question
from podium.rules.dealing import HandView, Layout, OwnView
from podium.rules.results import SeatResult, WagerResult, together

__all__ = [
    "BonusView",
    "HandView",
    "Layout",
    "Outcome",
    "QuestionView",
    "SeatView",
    "bonuses",
    "changed_by_card",
    "layout",
    "next_place",
    "outcome",
    "seat_view",
    "settled_layout",
]


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """A past round on one line: the cards that everybody saw, how many seats won, and the largest win."""

    round: int
    layout: Layout
    seats: int
    won: int
    best: int = 0
    void: bool = False


class QuestionView(msgspec.Struct, frozen=True):
    """The question to a seat: each answer with the least and the most that it costs."""

    about: Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(QUESTIONS)})]
    hand: int
    allowed: dict[str, tuple[int, int]]


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What only the player of a seat sees."""

    seat: int
    credit: int | None
    wagers: dict[str, int]
    for_dealer: dict[str, int] = {}
    spots: tuple[int, ...] = ()
    staked: int = 0
    returned: int = 0
    tips: int = 0
    hands: list[HandView] = []
    playing: int = 0
    taken: int = 0
    """Community: how many cards of the stream are the player's; the rest are the dealer's."""
    finished: bool = False
    insurance: int = 0
    decision: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["", "play", "fold"]})] = ""
    """Nine cards: what the player decided; empty before."""
    hand: Phrase | None = None
    """Nine cards: the name of the player's hand."""
    dealers_hand: Phrase | None = None
    step: int = 0
    """How many decisions the seat has made in this round."""
    question: QuestionView | None = None
    settled: list[WagerResult] = []
    by_house: str = ""
    """The last decision of the seat, if the house made it because time ran out."""


class BonusView(msgspec.Struct, frozen=True):
    """A seat whose side bets on the first cards are settled, and whether one of them won."""

    seat: int
    won: bool


def bonuses(played: Round) -> list[BonusView]:
    """The seats whose side bets on the first cards are settled one after another, in their order (MUB 7)."""
    if not played.dealt_for or played.voided:
        return []
    main = played.game.rules.main.name
    early = {
        number: [
            line
            for line in played.seats[number].settled
            if line.wager in played.seats[number].amounts and line.wager != main
        ]
        for number in played.dealing.settles_in_order()
    }
    return [
        BonusView(number, any(line.returned > line.staked for line in lines))
        for number, lines in early.items()
        if lines
    ]


def layout(played: Round) -> Layout:
    """The cards of a round, as everybody may see them. Snapshots have it: what it says of a round never changes."""
    return played.dealing.layout() if played.dealt_for else Layout()


def settled_layout(played: Round) -> Layout:
    """The same for the screens: with what each hand returned that is settled."""
    lying = layout(played)
    if not lying.seats:
        return lying
    return msgspec.structs.replace(
        lying, seats={seat: _settled(played, seat, hands) for seat, hands in lying.seats.items()}
    )


def seat_view(played: Round, number: int, credit: int | None = None) -> SeatView:
    """The seat's own view. `credit` is what the player can spend, where the round does not keep it itself."""
    seat = played.seats[number]
    own: OwnView = {}
    question = None
    if played.dealt_for and not played.voided:
        own = played.dealing.own_view(seat)
        awaits = played.awaits
        question = _question(awaits[number]) if isinstance(awaits, Decisions) and number in awaits else None
    if "hands" in own:
        own["hands"] = _settled(played, number, own["hands"])
    at_once = together(chain.from_iterable(played.settled_at_once(seat).values()))
    made = played.decisions_of(number)
    return SeatView(
        seat=number,
        credit=seat.credit if credit is None else credit,
        wagers=seat.amounts,
        for_dealer=seat.for_dealer,
        spots=seat.spots,
        staked=seat.staked,
        returned=seat.returned + sum(wager.returned - wager.tips for wager in at_once),
        tips=seat.tips + sum(wager.tips for wager in at_once),
        step=len(made),
        question=question,
        settled=[*seat.settled, *at_once],
        by_house=made[-1][0] if made and made[-1][1] else "",
        **own,
    )


def _settled(played: Round, number: int, hands: list[HandView]) -> list[HandView]:
    """The hands of a seat with what each returned, as far as they are settled."""
    if number in played.results:
        return _settled_in_the_end(hands, played.results[number], played.game.rules.main.name)
    at_once = played.settled_at_once(played.seats[number])
    return [
        msgspec.structs.replace(hand, returned=_returned(at_once[place])) if place in at_once else hand
        for place, hand in enumerate(hands)
    ]


def _returned(wagers: Iterable[WagerResult]) -> int:
    return sum(wager.returned for wager in wagers if wager.whose == "player")


def _settled_in_the_end(hands: list[HandView], result: SeatResult, main: str) -> list[HandView]:
    """The hands with what each returned; without it where the most that the house pays has cut the sum of them."""
    if not result.hands:
        return hands
    returned = _returned(wager for wager in result.wagers if wager.wager == main)
    if returned != sum(hand.returned for hand in result.hands):
        return hands
    return [
        msgspec.structs.replace(hand, returned=came.returned) for hand, came in zip(hands, result.hands, strict=True)
    ]


def changed_by_card(played: Round) -> Collection[int]:
    """The seats whose own view the last card changed; all other views are as before."""
    return played.dealing.changed_by_card()


def _question(question: Question) -> QuestionView:
    return QuestionView(
        question.about, question.hand, {name: (cost.least, cost.most) for name, cost in question.allowed.items()}
    )


def next_place(played: Round) -> Phrase | None:
    """Where the next card goes; None when no card is awaited."""
    awaits = played.awaits
    return awaits.place.as_fact() if isinstance(awaits, NextCard) else None


def outcome(number: int, played: Round) -> Outcome:
    """The line that everybody may see of a round that is over."""
    nets = [result.net for result in played.results.values()]
    won = [net for net in nets if net > 0]
    return Outcome(number, layout(played), len(nets), len(won), max(won, default=0), played.voided)
