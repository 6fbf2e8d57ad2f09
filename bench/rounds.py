"""What a seat costs: the same with ten seats and with ten thousand.

Prints microseconds for orientation and, as the figures that count, each cost per seat as a ratio to the cost with ten
seats in the same run.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter

from podium.basics.cards import DECK, Card
from podium.play.events import AnyEvent, BettingClosed, CardDealt, Confirmed, Decided, TimeExpired, WagersPlaced
from podium.play.round import Round
from podium.play.script import settle
from podium.rules.asking import Confirmation, Decisions, NextCard
from podium.rules.games import Game, game

SIZES = (10, 1_000, 10_000)
ROUNDS = Path(__file__).parent.parent / "tests" / "data" / "rounds.jsonl"

Costs = dict[str, float]


def community_round(chosen: Game, seats: int) -> Costs:
    """Seconds per seat of each phase of a community round in which everybody makes two side bets."""
    shoe = _shoe(chosen)
    played, spent = Round(chosen), Costs()
    bets = [
        WagersPlaced(seat, {"blackjack": 1000 + seat, "trilux": 500, "royal-match-21": 300}, credit=1_000_000)
        for seat in range(1, seats + 1)
    ]
    spent["wagers"] = _time(lambda: _apply(played, bets))
    played.apply(BettingClosed())
    spent["first three cards, side bets"] = _time(lambda: _apply(played, (CardDealt(next(shoe)) for _ in range(3))))
    asked = played.awaits
    assert isinstance(asked, Decisions)
    hits = [Decided(seat, "hit" if seat % 2 else "stand") for seat in asked]
    spent["decisions"] = _time(lambda: _apply(played, hits))
    spent["a card for half of them"] = _time(lambda: _apply(played, [CardDealt(next(shoe))]))
    while not isinstance(awaits := played.awaits, Confirmation):
        played.apply(CardDealt(next(shoe)) if isinstance(awaits, NextCard) else TimeExpired())
    spent["settlement"] = _time(lambda: _apply(played, [Confirmed()]))
    return {phase: seconds / seats for phase, seconds in spent.items()}


def nine_card_round(chosen: Game, seats: int) -> Costs:
    shoe = _shoe(chosen)
    played, spent = Round(chosen), Costs()
    spots = random.Random(7)
    bets = [
        WagersPlaced(
            seat,
            {
                "ante": 1000,
                "pair-plus": 100,
                "six-card-bonus": 100,
                "pair-plus@row-2": 100,
                "six-card-bonus@column-1": 100,
            },
            spots=tuple(spots.sample(range(1, 10), 3)),
            credit=1_000_000,
        )
        for seat in range(1, seats + 1)
    ]
    spent["wagers"] = _time(lambda: _apply(played, bets))
    played.apply(BettingClosed())
    spent["nine cards, Pair Plus"] = _time(lambda: _apply(played, (CardDealt(next(shoe)) for _ in range(9))))
    decisions = [Decided(seat, "play" if seat % 3 else "fold") for seat in range(1, seats + 1)]
    spent["decisions"] = _time(lambda: _apply(played, decisions))
    for _ in range(3):
        played.apply(CardDealt(next(shoe)))
    spent["settlement"] = _time(lambda: _apply(played, [Confirmed()]))
    return {phase: seconds / seats for phase, seconds in spent.items()}


def _shoe(chosen: Game) -> Iterator[Card]:
    """The same cards every time: first a hand that everybody must decide on."""
    shuffled = list(DECK) * chosen.rules.decks
    random.Random(11).shuffle(shuffled)
    low = [card for card in shuffled if 4 <= card.points <= 8]
    return iter([*low[:3], *(card for card in shuffled if card not in low[:3])])


def _apply(played: Round, events: Iterable[AnyEvent]) -> None:
    for event in events:
        played.apply(event)


def _time(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _best(measure: Callable[[Game, int], Costs], chosen: Game, seats: int) -> Costs:
    runs = [measure(chosen, seats) for _ in range(max(3, 200 // seats))]
    return {phase: min(run[phase] for run in runs) for phase in runs[0]}


def main() -> None:
    for name, measure in (("stadium-blackjack", community_round), ("stadium-three-card-poker", nine_card_round)):
        costs = {seats: _best(measure, game(name), seats) for seats in SIZES}
        print(f"{name}: microseconds per seat, and the ratio to {SIZES[0]} seats")
        for phase in costs[SIZES[0]]:
            row = "".join(
                f"{cost[phase] * 1e6:9.2f} ({cost[phase] / costs[SIZES[0]][phase]:4.2f})" for cost in costs.values()
            )
            print(f"  {phase:30}{row}")
        print(f"  settling {SIZES[-1]:,} seats: {costs[SIZES[-1]]['settlement'] * SIZES[-1]:.2f} s")
    _settle_lines()


def _settle_lines() -> None:
    """Scripts a second, against reading and writing the same JSON."""
    scripts = [json.dumps(json.loads(line)["script"]) for line in ROUNDS.read_text().splitlines()] * 20
    bare = _time(lambda: [json.dumps(json.loads(script)) for script in scripts])
    played = _time(lambda: [settle(script) for script in scripts])
    players = sum(len(json.loads(script)["players"]) for script in scripts) / len(scripts)
    print(f"settle: {len(scripts) / played:,.0f} scripts of {players:.1f} players a second, one process")
    print(f"  {played / bare:.1f} times the cost of reading and writing their JSON")
