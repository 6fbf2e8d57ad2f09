"""A bot's own record of a round, and the round played again from it.

A seat is replayed by itself, on the cards that its dealing would deal to it alone.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

import msgspec

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.client.swarm.strategies import Stakes
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, TimeExpired, WagersPlaced
from podium.play.round import Round
from podium.play.views import SeatView
from podium.rules.asking import Decisions, NextCard
from podium.rules.games import Game
from podium.rules.results import WagerResult
from podium.wire.messages import Seated

ALONE = 1
"""The seat of a player who is replayed alone."""

MOST_WAYS = 4096

Allowed = dict[str, tuple[int, int]]


@dataclass(slots=True)
class BetSlip:
    """What a bot staked in a round, what it was asked and what it answered, where the house acknowledged it."""

    round: int
    seat: int
    stakes: Stakes
    asked: dict[int, Allowed] = field(default_factory=dict)
    """By step: the answers that the house allowed, with their costs."""
    decided: dict[int, str] = field(default_factory=dict)
    """By step: what the bot answered. At a missing step, its time ran out."""
    corrected: bool = False
    settled: bool = False
    net: int = 0
    """What it has won or lost so far, as the house shows it."""


class OwnResult(NamedTuple):
    """The result of a seat by the bot's own copy of the rules."""

    wagers: list[WagerResult]
    asked: tuple[Allowed, ...]


_in_order = attrgetter("wager", "whose", "staked", "returned", "tips", "breakage")


def comparable(settled: Iterable[WagerResult]) -> list[WagerResult]:
    """Wagers as they are compared: in one order, and without the reasons, which are for people."""
    return sorted((msgspec.structs.replace(one, why=()) for one in settled), key=_in_order)


def said(wager: WagerResult) -> str:
    whose = " for the dealer" if wager.whose == "dealer" else ""
    tips = f", tips {wager.tips}" if wager.tips else ""
    return f"{wager.wager}{whose}: staked {wager.staked}, returned {wager.returned}{tips} ({wager.outcome})"


class TooFewCards(Exception):
    """By the bot's own rules, another card would have been dealt."""


def play(alone: Round, slip: BetSlip, dealt: Sequence[str]) -> list[Allowed]:
    """Plays a seat alone in a new round, as far as the rules can follow the house; returns what it is asked."""
    stakes = slip.stakes
    alone.apply(WagersPlaced(ALONE, dict(stakes.wagers), dict(stakes.for_dealer), stakes.spots))
    alone.apply(BettingClosed())
    coming = iter(dealt)
    asked: list[Allowed] = []
    while not alone.over:
        awaits = alone.awaits
        if isinstance(awaits, NextCard):
            code = next(coming, None)
            if code is None:
                raise TooFewCards
            alone.apply(CardDealt(card(code)))
        elif isinstance(awaits, Decisions):
            decision = slip.decided.get(len(asked))
            asked.append({choice: (cost.least, cost.most) for choice, cost in awaits[ALONE].allowed.items()})
            alone.apply(TimeExpired() if decision is None else Decided(ALONE, decision))
        else:
            alone.apply(Confirmed())
    return asked


class _Way(NamedTuple):
    """One way to play some cards. Thousands of bots play them in a few ways, and each way is replayed once."""

    fingerprint: str
    wagers: tuple[tuple[str, int], ...]
    for_dealer: tuple[tuple[str, int], ...]
    spots: tuple[int, ...]
    decided: tuple[tuple[int, str], ...]
    dealt: tuple[str, ...]


_worked_out: OrderedDict[_Way, OwnResult] = OrderedDict()


def worked_out(game: Game, slip: BetSlip, dealt: tuple[str, ...]) -> OwnResult:
    """The seat's result. Raises Refused or TooFewCards if the bot's own rules cannot follow the house."""
    stakes = slip.stakes
    decided = tuple(sorted(slip.decided.items()))
    way = _Way(
        game.fingerprint, tuple(stakes.wagers.items()), tuple(stakes.for_dealer.items()), stakes.spots, decided, dealt
    )
    known = _worked_out.get(way)
    if known is None:
        alone = Round(game)
        asked = play(alone, slip, dealt)
        known = _worked_out[way] = OwnResult(comparable(alone.results[ALONE].wagers), tuple(asked))
        if len(_worked_out) > MOST_WAYS:
            _worked_out.popitem(last=False)
    return known


# --- the comparison ---------------------------------------------------------------------------------------------------


def differences(game: Game, slip: BetSlip, dealt: tuple[str, ...], seat: Seated) -> Iterator[str]:
    """Every difference between the house's settlement and the bot's."""
    view = seat.view
    if view is None:
        yield "An acknowledged bet is not in the result."
        return
    try:
        own = worked_out(game, slip, dealt)
    except Refused as refusal:
        yield f"The house went on where the rules refuse: {refusal}"
        return
    except TooFewCards:
        yield f"The house dealt {len(dealt)} cards to this seat and the dealer, and by the rules more were needed."
        return
    shown = comparable(view.settled)
    if shown != own.wagers:
        for wager in sorted(set(shown) - set(own.wagers), key=_in_order):
            yield f"The house settled {said(wager)}."
        for wager in sorted(set(own.wagers) - set(shown), key=_in_order):
            yield f"The rules settle {said(wager)}."
    for step, allowed in slip.asked.items():
        by_rules = own.asked[step] if step < len(own.asked) else None
        if allowed != by_rules:
            yield f"At step {step} the house allowed {allowed}, and the rules allow {by_rules}."
    yield from money(
        view, sum(each.staked for each in own.wagers), sum(each.returned - each.tips for each in own.wagers)
    )


def money(view: SeatView, staked: int, returned: int) -> Iterator[str]:
    """Checks the sums of a box. That the credit follows them is checked with every message."""
    if (view.staked, view.returned) != (staked, returned):
        yield f"The house says {view.staked} staked and {view.returned} returned; it is {staked} and {returned}."
