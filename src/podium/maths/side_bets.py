"""Exact figures of bets that the deal alone decides, for any paytable and any number of decks.

The deals are counted with the outcome functions that the table settles by. Equal cards are counted together: three cards of six decks
show 24,804 different sights, each with the number of ways in which the shoe can show it. Eight decks therefore cost no more than one,
and each sight is examined once, whatever the number of decks and the paytable.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from podium.basics.cards import DECK, Card
from podium.maths.figures import Figures, by_paytable
from podium.rules.bets import Bet, Paytable, Sees

Ways = Mapping[str | None, int]
"""The number of deals of each outcome; None is for deals without an outcome."""

Alike = tuple[int, ...]
"""How often each different card of a sight occurs, in descending order: (2, 1) is two equal cards and another one."""


def ways(bet: Bet, decks: int) -> Ways:
    """The number of deals from a shoe that give each outcome of a bet."""
    return _COUNTED[bet.sees](bet, decks)


def by_line(bet: Bet, paytable: Paytable, outcomes: Ways) -> Ways:
    """The number of deals for each line of the paytable."""
    lines: Counter[str | None] = Counter()
    for outcome, count in outcomes.items():
        lines[bet.line(paytable, outcome)] += count
    return lines


def figures(bet: Bet, paytable: Paytable, decks: int, *, staked: int = 1) -> Figures:
    """The figures of a bet on the player's first cards, or on three or six cards of the array."""
    counted = ways(bet, decks)
    how = f"Exact: all {sum(counted.values()):,} deals of {_SEEN[bet.sees]} from {_shoe(decks)} were counted."
    return by_paytable(by_line(bet, paytable, counted), paytable, how=how, staked=staked)


def can_count(bet: Bet) -> bool:
    """Whether the bet sees only cards that the deal alone decides."""
    return bet.sees in _COUNTED


def _shoe(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"


# --- two or three cards of a shoe -----------------------------------------------------------------------------------


def _alike(sight: tuple[Card, ...]) -> Alike:
    return tuple(sorted(Counter(sight).values(), reverse=True))


@cache
def _sights_of_two(bet: Bet) -> Mapping[tuple[str | None, Alike], int]:
    """The sights of the player's two cards, without order."""
    return Counter((bet.of(*two), _alike(two)) for two in combinations_with_replacement(DECK, 2))


@cache
def _sights_of_three(bet: Bet) -> Mapping[tuple[str | None, Alike], int]:
    """The sights of the player's two cards, without order, and the dealer's card; without any order if the bet ignores it."""
    three_ways: Counter[tuple[str | None, Alike]] = Counter()
    one_way: Counter[tuple[str | None, Alike]] = Counter()
    same = True
    for a, b, c in combinations_with_replacement(DECK, 3):
        outcomes = bet.of(a, b, c), bet.of(a, c, b), bet.of(b, c, a)
        alike = _alike((a, b, c))
        three_ways.update((outcome, alike) for outcome in outcomes)
        one_way[outcomes[0], alike] += 1
        same = same and outcomes[0] == outcomes[1] == outcomes[2]
    return one_way if same else three_ways


def _from_a_shoe(sights: Callable[[Bet], Mapping[tuple[str | None, Alike], int]], bet: Bet, decks: int) -> Ways:
    counted: Counter[str | None] = Counter()
    for (outcome, alike), number in sights(bet).items():
        counted[outcome] += number * prod(comb(decks, count) for count in alike)
    return counted


# --- three cards of one deck ----------------------------------------------------------------------------------------


@cache
def _hands_of_three(bet: Bet) -> Ways:
    return Counter(bet.of(*three) for three in combinations(DECK, 3))


# --- six cards of one deck ------------------------------------------------------------------------------------------

Six = tuple[Card, ...]


def six_card_sights() -> Iterator[tuple[Six, int]]:
    """Representatives of all 20,358,520 six-card hands, each with the number of hands that it represents.

    The best five of six cards depend on the six ranks and, if five or more cards share a suit, on which ones do. So each of the
    18,395 choices of ranks has one hand without a flush, and one for every choice of five or six different ranks for the flush.
    """
    for ranks in combinations_with_replacement(range(13), 6):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        left = prod(comb(4, count) for count in held.values())
        for suited in (some for size in (6, 5) for some in combinations(held, size)):
            # One of four suits is on exactly the suited ranks; the other cards of each rank have other suits.
            number = 4 * prod(comb(3, count - (rank in suited)) for rank, count in held.items())
            if number:
                yield _dealt(held, suited), number
                left -= number
        if left:
            yield _dealt(held, ()), left


def _dealt(held: Mapping[int, int], suited: tuple[int, ...]) -> Six:
    """Six cards of these ranks: spades on the suited ranks, and otherwise no five cards of one suit."""
    six = []
    for place, (rank, count) in enumerate(held.items()):
        if suited:
            suits = (3, 0, 1, 2)[:count] if rank in suited else (0, 1, 2)[:count]
        else:
            suits = tuple((place + step) % 4 for step in range(count))
        six += [DECK[4 * rank + suit] for suit in suits]
    return tuple(six)


@cache
def _hands_of_six(bet: Bet) -> Ways:
    counted: Counter[str | None] = Counter()
    for six, number in six_card_sights():
        counted[bet.of(*six)] += number
    return counted


_COUNTED: Mapping[Sees, Callable[[Bet, int], Ways]] = {
    Sees.FIRST_TWO: lambda bet, decks: _from_a_shoe(_sights_of_two, bet, decks),
    Sees.FIRST_THREE: lambda bet, decks: _from_a_shoe(_sights_of_three, bet, decks),
    Sees.OWN_THREE: lambda bet, decks: _hands_of_three(bet),
    Sees.SIX: lambda bet, decks: _hands_of_six(bet),
}

_SEEN = {
    Sees.FIRST_TWO: "the player's two cards",
    Sees.FIRST_THREE: "the player's two cards and the dealer's first",
    Sees.OWN_THREE: "three cards",
    Sees.SIX: "six cards",
}
