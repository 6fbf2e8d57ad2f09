"""Community blackjack as an automaton over card values: rules and policy compiled into one table.

A state says all that matters for what the next card does; the rounds' ends are states as well, one for each net result, and
the next card after an end begins a round. So dealing is one look-up for each card, without a branch that depends on the
cards. Split hands would need too many states; where a pair is split, the table leaves and the box's own kernels play on.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.boxes import (
    ADDED,
    BUST,
    COLUMNS,
    DOUBLED,
    ENDED,
    EVENED,
    HAND,
    HELD,
    MOST_HANDS,
    NATURAL,
    STAKE,
    STOOD,
    SURRENDERED,
    Book,
    Box,
    Terms,
    choice,
    makes_blackjack,
    net_of,
    start,
)
from podium.maths.compiled import called, in_python
from podium.maths.dealer import BLACKJACK, BUST_PAYS, BUST_PUSHES
from podium.maths.positions import DOUBLE, SPLIT, STAND, SURRENDER
from podium.maths.shoe import ACE, TEN, VALUES

WIDTH: Final = 16
"""Places of a row of the table; the last six are not used, but make a state's row a shift away."""

_start, _choice, _net_of = called(start), called(choice), called(net_of)
_makes_blackjack = in_python(makes_blackjack)

Ends = tuple[int, ...]
"""What a hand comes to, by the dealer's end."""


@dataclass(frozen=True)
class Automaton:
    """The table. States from `ended` on are ends of rounds, and from `splits` on pairs to be split."""

    table: NDArray[np.uint16]
    """By state and value of the next card: the state after it."""
    ended: int
    splits: int
    nets: NDArray[np.int64]
    """By end: what the round came to."""
    split_boxes: NDArray[np.int64]
    """By pair to be split: up card, value of the pair, whether insured."""


class Builder:
    """Finds the states, equal ones once: a state is what it does with each of the ten values."""

    def __init__(self, terms: Terms, book: Book) -> None:
        self.terms = terms
        self.book = book
        self.rows: dict[tuple[object, ...], int] = {}
        self.nets: dict[int, int] = {}
        self.splits: dict[tuple[int, int, int], int] = {}
        self._drawing: dict[tuple[object, ...], object] = {}
        self._known: dict[tuple[int, ...], int] = {}

    # A state is ("row", n), ("net", n) or ("split", n) until all are known and can be numbered.

    def row(self, after: list[object]) -> object:
        key = tuple(after)
        return ("row", self.rows.setdefault(key, len(self.rows)))

    def net(self, amount: int) -> object:
        return ("net", self.nets.setdefault(amount, len(self.nets)))

    def build(self) -> Automaton:
        first = self.row([self._dealt(first) for first in range(VALUES)])
        return self._numbered(first)

    def _dealt(self, first: int) -> object:
        return self.row(
            [self.row([self._begin(first, second, up) for second in range(VALUES)]) for up in range(VALUES)]
        )

    def _begin(self, first: int, second: int, up: int) -> object:
        """Three cards are out."""
        box = np.zeros((MOST_HANDS + 1, COLUMNS), dtype=np.int64)
        insured = _start(self.terms, self.book, 0, box, first, second, up)
        pair = first if first == second else -1
        if box[0, ENDED] == EVENED:
            return self.net(self._net(box, insured, 17, False))
        if box[0, ENDED] == NATURAL:
            return self._second_card(box, insured, up)
        return self._play(box, insured, up, pair)

    # --- the player ---------------------------------------------------------------------------------------------------

    def _play(self, box: Box, insured: int, up: int, pair: int) -> object:
        key = ("play", int(box[0, HAND]), insured, up)
        if key not in self._drawing:
            self._drawing[key] = self._decided(box, insured, up, pair)
        return self._drawing[key]

    def _decided(self, box: Box, insured: int, up: int, pair: int) -> object:
        terms = self.terms
        match _choice(terms, self.book, 0, box, 1, 0, up, pair, insured):
            case action if action == STAND:
                return self._stood(box, insured, up)
            case action if action == SURRENDER:
                given_up = box.copy()
                given_up[0, ENDED] = SURRENDERED
                return self._second_card(given_up, insured, up)
            case action if action == SPLIT:
                key = up, pair, insured
                return ("split", self.splits.setdefault(key, len(self.splits)))
            case action:
                doubles = terms.double if action == DOUBLE else 0
        return self.row([self._drawn(box, insured, up, value, doubles) for value in range(VALUES)])

    def _drawn(self, box: Box, insured: int, up: int, value: int, doubles: int) -> object:
        after = box.copy()
        hand = int(self.book.after[box[0, HAND], value])
        after[0, HELD] += 1
        after[0, STAKE] += doubles
        after[0, ADDED] += doubles
        after[0, DOUBLED] = int(doubles > 0)
        if hand < 0:
            after[0, ENDED] = BUST
            return self._second_card(after, insured, up)
        after[0, HAND] = hand
        if doubles or self.book.points[hand] == 21:
            return self._stood(after, insured, up)
        return self._play(after, insured, up, -1)

    # --- the dealer ----------------------------------------------------------------------------------------------------

    def _second_card(self, box: Box, insured: int, up: int) -> object:
        """A hand that needs the dealer's second card at the most, to see whether it makes a blackjack."""
        plain = self.net(self._net(box, insured, 17, False))
        undone = box[0, ENDED] == SURRENDERED and self.terms.surrender == 2
        if up not in (ACE, TEN) or not (insured or undone or box[0, ENDED] == NATURAL):
            return plain
        blackjack = self.net(self._net(box, insured, 21, True))
        return self.row([blackjack if _makes_blackjack(up, value) else plain for value in range(VALUES)])

    def _stood(self, box: Box, insured: int, up: int) -> object:
        stood = box.copy()
        stood[0, ENDED] = STOOD
        few, many = 3, max(4, self.terms.bust_pushes_from)
        ends = [self._net(stood, insured, 17 + end, False) for end in range(5)]
        ends += [self._net(stood, insured, 22, False, few), self._net(stood, insured, 22, False, many)]
        return self._dealer(up + 1, up == ACE, 1, (*ends, self._net(stood, insured, 21, True)))

    def _dealer(self, hard: int, ace: bool, held: int, ends: Ends) -> object:
        """The dealer's hand after some cards, against a hand that comes to these ends."""
        pushes_from = self.terms.bust_pushes_from
        held = min(held, pushes_from) if pushes_from else min(held, 2)
        key = ("dealer", hard, ace, held, ends)
        if key in self._drawing:
            return self._drawing[key]
        soft = ace and hard <= 11
        points = hard + 10 if soft else hard
        if points > 21:
            end = BUST_PUSHES if pushes_from and held >= pushes_from else BUST_PAYS
            found = self.net(ends[end])
        elif held > 1 and (points > 17 or (points == 17 and not (soft and self.terms.hits_soft_17))):
            found = self.net(ends[points - 17])
        else:
            found = self.row([self._next(hard, ace, held, value, ends) for value in range(VALUES)])
        self._drawing[key] = found
        return found

    def _next(self, hard: int, ace: bool, held: int, value: int, ends: Ends) -> object:
        if held == 1 and _makes_blackjack(hard - 1, value):
            return self.net(ends[BLACKJACK])
        return self._dealer(hard + value + 1, ace or value == ACE, held + 1, ends)

    def _net(self, box: Box, insured: int, points: int, blackjack: bool, held: int = 2) -> int:
        ended, stake, added = (int(box[0, column]) for column in (ENDED, STAKE, ADDED))
        key = int(self.book.points[box[0, HAND]]), ended, stake, added, insured, points, held, int(blackjack)
        if key not in self._known:
            self._known[key] = int(_net_of(self.terms, self.book, box, 1, insured, points, held, blackjack))
        return self._known[key]

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _numbered(self, first: object) -> Automaton:
        """Rows first, then ends, then splits; after an end comes what comes after the beginning."""
        begin = {"row": 0, "net": len(self.rows), "split": len(self.rows) + len(self.nets)}

        def number(state: object) -> int:
            assert isinstance(state, tuple)
            return int(begin[state[0]] + state[1])

        table = np.zeros((begin["split"] + len(self.splits), WIDTH), dtype=np.uint16)
        for after, place in self.rows.items():
            table[place, :VALUES] = [number(state) for state in after]
        table[begin["net"] :] = table[number(first)]
        return Automaton(
            table=table.reshape(-1),
            ended=begin["net"],
            splits=begin["split"],
            nets=np.array(list(self.nets), dtype=np.int64),
            split_boxes=np.array(list(self.splits), dtype=np.int64).reshape(len(self.splits), 3),
        )


def automaton(terms: Terms, book: Book) -> Automaton:
    """The automaton of the first strategy of a book."""
    return Builder(terms, book).build()
