"""The largest payout of a round of blackjack.

Every first deal, every end of the dealer's hand and every way in which the player's hands can end is examined, with the settlement
code of the simulation.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import DECK
from podium.maths.blackjack_rounds import MAX_BUST_CARDS, SideBets
from podium.maths.boxes import (
    ADDED,
    COLUMNS,
    ENDED,
    EVENED,
    HAND,
    MAX_HANDS,
    NATURAL,
    STAKE,
    STOOD,
    SURRENDERED,
    VALUE_OF,
    PlayTables,
    Terms,
    hand_returns,
    net_of,
)
from podium.maths.compiled import called
from podium.maths.largest import Largest
from podium.maths.patrons import Patrons
from podium.maths.positions import all_hands, hand_of
from podium.maths.shoe import ACE, VALUES

Weights = NDArray[np.int64]

# --- the main wager ---------------------------------------------------------------------------------------------------------


_net_of, _hand_returns = called(net_of), called(hand_returns)


class End(NamedTuple):
    """How a dealer's hand ends; the points of a bust are 22."""

    points: int
    held: int
    blackjack: bool = False


@cache
def dealers_ends(up: int, hits_soft_17: bool) -> frozenset[End]:
    """Every way in which the dealer's hand can end from an up card; more than twelve cards count as twelve."""
    ends, open_hands = set(), {(up + 1, up == ACE, 1)}
    while open_hands:
        hard, ace, held = open_hands.pop()
        for value in range(VALUES):
            total, with_ace, cards = hard + value + 1, ace or value == ACE, min(held + 1, MAX_BUST_CARDS)
            soft = with_ace and total <= 11
            points = total + 10 if soft else total
            if points > 17 or (points == 17 and not (soft and hits_soft_17)):
                ends.add(End(min(points, 22), cards, cards == 2 and points == 21))
            else:
                open_hands.add((total, with_ace, cards))
    return frozenset(ends)


@cache
def totals_from(hand: int) -> frozenset[int]:
    """Every total that a hand can stand on, now or after any number of cards; a hand of 21 takes no more."""
    hands = all_hands()
    if hands.points[hand] == 21:
        return frozenset({21})
    following = [int(after) for after in hands.after[hand] if after >= 0]
    return frozenset({int(hands.points[hand])}).union(*map(totals_from, following))


class BestHands:
    """The most that the main wager can win, by the first two cards, the up card and the dealer's end."""

    def __init__(self, terms: Terms, tables: PlayTables) -> None:
        self.terms = terms
        self.tables = tables
        self.hands = all_hands()
        self._settled: dict[tuple[int, ...], int] = {}
        self._known: dict[tuple[int, ...], int] = {}

    def ends(self, up: int) -> frozenset[End]:
        return dealers_ends(up, self.terms.hits_soft_17 != 0)

    def best(self, first: int, second: int, up: int, end: End) -> int:
        """The better of playing insured and uninsured."""
        pushes = int(bool(self.terms.bust_pushes_from) and end.held >= self.terms.bust_pushes_from)
        key = min(first, second), max(first, second), int(up == ACE), end.points, pushes, int(end.blackjack)
        if key not in self._known:
            insurable = up == ACE and self.terms.insurance > 0
            found = [self._best(key[0], key[1], up, end, insured) for insured in range(1 + int(insurable))]
            self._known[key] = max(found)
        return self._known[key]

    def _best(self, first: int, second: int, up: int, end: End, insured: int) -> int:
        hand = hand_of(first, second)
        if self.hands.points[hand] == 21:
            ways = [self._net(21, NATURAL, 0, end, insured)]
            if up == ACE and self.terms.even_money:
                ways.append(self._net(21, EVENED, 0, end, insured))
            return max(ways)
        ways = [self._net(points, STOOD, added, end, insured) for points, added in self._ended(hand, 0)]
        if self.terms.surrender:
            ways.append(self._net(int(self.hands.points[hand]), SURRENDERED, 0, end, insured))
        if first == second and self.terms.splits:
            ended = self._split(first)
            leading = max(self._net(points, STOOD, added, end, insured) for points, added in ended)
            later = max(self._net(points, STOOD, added, end, insured, later=True) for points, added in ended)
            most = self.terms.splits if first != ACE or self.terms.resplit_aces else 1
            ways += [leading + count * later for count in range(1, most + 1)]
        return max(ways)

    def _split(self, value: int) -> set[tuple[int, int]]:
        """The ways in which a hand that begins with a split card can end."""
        ended = set()
        for second in range(VALUES):
            hand = hand_of(value, second)
            if value == ACE:  # SBJ 5.d.ii: a split ace gets one card
                ended.add((int(self.hands.points[hand]), 0))
            else:
                ended |= self._ended(hand, 1)
        return ended

    def _ended(self, hand: int, split: int) -> set[tuple[int, int]]:
        """The totals that a hand of two cards can stand on, each with what was added to its stake."""
        ended = {(points, 0) for points in totals_from(hand)}
        if self.hands.points[hand] < 21 and self.tables.may_double[split, hand]:
            doubled = [int(following) for following in self.hands.after[hand] if following >= 0]
            ended |= {(int(self.hands.points[following]), self.terms.double) for following in doubled}
        return ended

    def _net(self, points: int, ended: int, added: int, end: End, insured: int, *, later: bool = False) -> int:
        """The net result of such a hand; the first hand includes the insurance."""
        pushes = int(bool(self.terms.bust_pushes_from) and end.held >= self.terms.bust_pushes_from)
        key = points, ended, added, end.points, pushes, int(end.blackjack), insured, int(later)
        if key not in self._settled:
            box = np.zeros((MAX_HANDS + 1, COLUMNS), dtype=np.int64)
            box[0, HAND] = int(np.nonzero(self.hands.points == points)[0][0])
            box[0, ENDED], box[0, STAKE] = ended, self.terms.wager + added
            box[0, ADDED] = added + (self.terms.wager if later else 0)
            if later:
                back = _hand_returns(self.terms, self.tables, box, 0, insured, end.points, end.held, end.blackjack)
                net = int(back) - int(box[0, STAKE])
            else:
                net = int(_net_of(self.terms, self.tables, box, 1, insured, end.points, end.held, end.blackjack))
            self._settled[key] = net
        return self._settled[key]


# --- the whole table --------------------------------------------------------------------------------------------------------


def largest_of_community(best: BestHands, sides: SideBets, patrons: Patrons) -> Largest:
    """Everybody can decide alike and win the same, so the most that the table wins is the sum of what each player can win."""
    staked = np.array([party.players for party in patrons.parties]) @ patrons.multiples
    main = np.zeros((VALUES, VALUES, VALUES), dtype=np.int64)
    for first, second, up in np.ndindex(main.shape):
        main[first, second, up] = max(best.best(first, second, up, end) for end in best.ends(up))
    early = (staked[1:] @ sides.early).reshape(52, 52, 52)
    won = staked[0] * main[np.ix_(VALUE_OF, VALUE_OF, VALUE_OF)] + early
    first, second, up = (int(place) for place in np.unravel_index(int(won.argmax()), won.shape))
    how = (
        f"Everybody holds {DECK[first]} {DECK[second]} against {DECK[up]} and plays alike; of all first deals, plays and dealer's "
        "hands none pays more."
    )
    return Largest(int(won.max()), True, how)


def largest_of_own_hands(best: BestHands, sides: SideBets, decks: int, patrons: Patrons) -> Largest:
    """The seats share the up card and the dealer's end, and no card is dealt more often than the shoe holds it."""
    seats: Counter[tuple[int, ...]] = Counter()
    for party, multiples in zip(patrons.parties, patrons.multiples.tolist(), strict=True):
        seats[tuple(multiples)] += party.players
    cases = []
    for up in range(52):
        for end in best.ends(int(VALUE_OF[up])):
            groups = [(many, _won(best, sides, staked, up, end)) for staked, many in seats.items()]
            cases.append((sum(many * int(won.max()) for many, won in groups), up, groups))
    cases.sort(key=lambda case: -case[0])
    most = -(2**62)
    for bound, up, groups in cases:
        if bound <= most:
            break
        most = max(most, sum(seated(won, up, decks, many) for many, won in groups))
    how = "The best first cards for all seats that the shoe holds against one up card, with the best end of every hand"
    if patrons.players == 1:
        return Largest(most, True, f"{how}.")
    alike = "" if len(seats) == 1 else ", the seats of each stake by themselves"
    return Largest(
        most, False, f"{how}{alike}; the house cannot lose more, whether or not the shoe also holds all later cards."
    )


def _won(best: BestHands, sides: SideBets, staked: tuple[int, ...], up: int, end: End) -> Weights:
    """What a seat with these stakes wins with each pair of first cards, against this up card and end."""
    value, bets = int(VALUE_OF[up]), len(sides.early)
    main = np.array([[best.best(first, second, value, end) for second in range(VALUES)] for first in range(VALUES)])
    early = (np.array(staked[1 : 1 + bets], dtype=np.int64) @ sides.early).reshape(52, 52, 52)[:, :, up]
    buster = np.array(staked[1 + bets :], dtype=np.int64) @ sides.buster[:, end.held if end.points > 21 else 0]
    won: Weights = staked[0] * main[np.ix_(VALUE_OF, VALUE_OF)] + early + buster
    return won


def seated(won: Weights, up: int, decks: int, seats: int) -> int:
    """The most that these seats can win together, each by its first two cards, given the cards of the shoe."""
    pairs = sorted(((int(won[a, b]), a, b) for a in range(52) for b in range(a, 52)), reverse=True)
    left = [decks] * 52
    left[up] -= 1
    most = -(2**62)

    def seat(start: int, free: int, so_far: int) -> None:
        nonlocal most
        if free == 0:
            most = max(most, so_far)
            return
        for place in range(start, len(pairs)):
            weight, first, second = pairs[place]
            if so_far + free * weight <= most:
                return
            left[first] -= 1
            left[second] -= 1
            if left[first] >= 0 and left[second] >= 0:
                seat(place, free - 1, so_far + weight)
            left[first] += 1
            left[second] += 1

    seat(0, seats, 0)
    return most
