"""What somebody may see of a round: the layout once for all, and what belongs to one seat alone.

A view is built from what may be seen, not filtered from what must not: the hole card is in no view before it is
turned, and no view of the table names a player.
"""

from collections.abc import Collection

import msgspec

from podium.basics.cards import Card
from podium.play.round import Round
from podium.rules.asking import Decisions, NextCard, Question
from podium.rules.blackjack.box import Box, Hand
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.dealing import Community, Dealing, NineCards, OwnHands
from podium.rules.results import WagerResult
from podium.rules.seat import Seat


class HandView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A blackjack hand on the layout or on a terminal."""

    cards: list[str]
    total: int
    soft: bool = False
    state: str = ""
    """Empty while it is played, then: stood, bust, blackjack, even-money, surrender."""
    doubled: bool = False
    stake: int = 0
    toke: int = 0
    blackjack: bool = False


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards as they lie, for everybody. Each way of dealing fills its own part."""

    player: list[str] = []
    """Community: the two cards that everybody has."""
    dealer: list[str] = []
    """Community: the dealer's first card. Own hands: the dealer's cards that are face up. Nine cards: the packet."""
    stream: list[str] = []
    """Community: the cards after the first three, in the order of dealing."""
    dealers: dict[int, HandView] = {}
    """Community: by the number of cards that a player took, the dealer's hand for that player."""
    dealers_hand: HandView | None = None
    """Own hands: the dealer's hand as far as it is face up."""
    hole: bool = False
    """Own hands: a card lies face down."""
    seats: dict[int, list[HandView]] = {}
    """Own hands: every box."""
    turn: int = 0
    """Own hands: whose turn it is; 0 for nobody's."""
    array: list[str] = []
    """Nine cards: locations 1 to 9."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """A past round, in a line: the cards that everybody saw, how many seats won, and the largest win."""

    round: int
    layout: Layout
    seats: int
    won: int
    best: int = 0
    void: bool = False


class QuestionView(msgspec.Struct, frozen=True):
    """What a seat is asked: each answer with the least and the most that it costs."""

    about: str
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
    decision: str = ""
    """Nine cards: play or fold."""
    hand: str = ""
    """Nine cards: the player's hand in words."""
    dealers_hand: str = ""
    step: int = 0
    """How many decisions the seat has made in this round."""
    question: QuestionView | None = None
    settled: list[WagerResult] = []


def layout(played: Round) -> Layout:
    """The cards of a round, as everybody may see them."""
    if not played.dealt_for:
        return Layout()
    match played.dealing:
        case Community() as dealing:
            return _community(dealing)
        case OwnHands() as dealing:
            return _own_hands(dealing)
        case NineCards() as dealing:
            return Layout(array=_codes(dealing.array), dealer=_codes(dealing.packet))
    raise TypeError(played.dealing)


def seat_view(played: Round, number: int) -> SeatView:
    """What one seat sees of its own."""
    seat = played.seats[number]
    view = SeatView(
        seat=number,
        credit=seat.credit,
        wagers=seat.amounts,
        for_dealer=seat.for_dealer,
        spots=seat.spots,
        staked=seat.staked,
        returned=seat.returned,
        tips=seat.tips,
        step=len(played.decisions_of(number)),
        settled=list(seat.settled),
    )
    if not played.dealt_for or played.voided:
        return view
    awaits = played.awaits
    question = _question(awaits[number]) if isinstance(awaits, Decisions) and number in awaits else None
    return msgspec.structs.replace(view, question=question, **_own(played.dealing, seat))


def changed_by_card(played: Round) -> Collection[int]:
    """The seats whose own view the last card changed; that of everybody else is as it was before it."""
    match played.dealing:
        case Community() as dealing if len(dealing.first) < 3:
            return ()
        case Community() as dealing if dealing.stream:
            return [number for number, box in dealing.boxes.items() if box.taken == len(dealing.stream)]
        case NineCards() as dealing if len(dealing.array) < 9 or 0 < len(dealing.packet) < 3:
            return ()
    return played.seats


def _own(dealing: Dealing, seat: Seat) -> dict[str, object]:
    """The part of a seat's view that its way of dealing fills."""
    match dealing:
        case Community() | OwnHands():
            box = dealing.boxes.get(seat.number)
            return _box(box) if box and box.hands[0].cards else {}
        case NineCards():
            return dealing.words_for(seat)
    raise TypeError(dealing)


def _box(box: Box) -> dict[str, object]:
    return {
        "hands": [_hand(hand) for hand in box.hands],
        "playing": box.playing,
        "taken": box.taken,
        "finished": not box.asks and not box.owed,
        "insurance": box.insurance,
    }


def _community(dealing: Community) -> Layout:
    first = _codes(dealing.first)
    return Layout(
        player=[code for place, code in enumerate(first) if place != 1],
        dealer=first[1:2],
        stream=_codes(dealing.stream),
        dealers={taken: _dealers(hand) for taken, hand in dealing.dealers.items()},
    )


def _own_hands(dealing: OwnHands) -> Layout:
    open_hand = dealing.dealers_open_hand()
    return Layout(
        dealer=_codes(open_hand.cards) if open_hand else [],
        dealers_hand=_dealers(open_hand) if open_hand else None,
        hole=dealing.hole_is_down,
        seats={
            number: [_hand(hand) for hand in box.hands]
            if box.hands[0].cards
            else [HandView(_codes(dealing.first[number]), 0)]
            for number, box in dealing.boxes.items()
        },
        turn=dealing.turns[0] if dealing.turns else 0,
    )


def _hand(hand: Hand) -> HandView:
    return HandView(
        cards=_codes(hand.cards),
        total=hand.points,
        soft=hand.soft,
        state=hand.ended,
        doubled=hand.doubled,
        stake=hand.stake,
        toke=hand.toke,
        blackjack=hand.ended == "blackjack",
    )


def _dealers(hand: DealersHand) -> HandView:
    state = "bust" if hand.bust else "stood" if hand.complete else ""
    return HandView(_codes(hand.cards), hand.points, hand.soft, state, blackjack=hand.blackjack)


def _question(question: Question) -> QuestionView:
    return QuestionView(
        question.about, question.hand, {name: (cost.least, cost.most) for name, cost in question.allowed.items()}
    )


def _codes(cards: list[Card]) -> list[str]:
    return [card.code for card in cards]


def next_place(played: Round) -> str:
    """Where the next card goes, in words; empty when none is awaited."""
    awaits = played.awaits
    return str(awaits.place) if isinstance(awaits, NextCard) else ""


def outcome(number: int, played: Round) -> Outcome:
    """What everybody may remember of a round that is over."""
    nets = [result.net for result in played.results.values()]
    won = [net for net in nets if net > 0]
    return Outcome(number, layout(played), len(nets), len(won), max(won, default=0), played.voided)
