"""Community blackjack as an automaton over card values: rules and policy compiled into one table.

A state holds everything that decides what the next card does. The end of a round is a state too, one for each net result, and the
card after it begins a new round. Dealing is therefore one table look-up per card, without a branch that depends on the cards. Split
hands would need too many states: where a pair is split, play leaves the table and continues in the kernels of `boxes`.
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
    MAX_HANDS,
    NATURAL,
    STAKE,
    STOOD,
    SURRENDERED,
    Box,
    PlayTables,
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

ROW_WIDTH: Final = 16
"""Entries of a row of the table. Six are unused, so that the row of a state is found by a shift."""

_start, _choice, _net_of = called(start), called(choice), called(net_of)
_makes_blackjack = in_python(makes_blackjack)

Ends = tuple[int, ...]
"""The net result of a hand, by how the dealer's hand ends."""


@dataclass(frozen=True)
class Automaton:
    """The states and their transitions. States from `ended` on are ends of rounds, and those from `splits` on are pairs to be split."""

    table: NDArray[np.uint16]
    """By state and value of the next card: the next state."""
    ended: int
    splits: int
    nets: NDArray[np.int64]
    """By end of a round: its net result."""
    split_boxes: NDArray[np.int64]
    """By pair to be split: the up card, the value of the pair, whether the player is insured."""


class Builder:
    """Finds the states. States that do the same with each of the ten values are one state."""

    def __init__(self, terms: Terms, tables: PlayTables) -> None:
        self.terms = terms
        self.tables = tables
        self.rows: dict[tuple[object, ...], int] = {}
        self.nets: dict[int, int] = {}
        self.splits: dict[tuple[int, int, int], int] = {}
        self._drawing: dict[tuple[object, ...], object] = {}
        self._known: dict[tuple[int, ...], int] = {}

    # Until all states are known and can be numbered, a state is ("row", n), ("net", n) or ("split", n).

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
        """The state after the first three cards."""
        box = np.zeros((MAX_HANDS + 1, COLUMNS), dtype=np.int64)
        insured = _start(self.terms, self.tables, 0, box, first, second, up)
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
        match _choice(terms, self.tables, 0, box, 1, 0, up, pair, insured):
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
        hand = int(self.tables.after[box[0, HAND], value])
        after[0, HELD] += 1
        after[0, STAKE] += doubles
        after[0, ADDED] += doubles
        after[0, DOUBLED] = int(doubles > 0)
        if hand < 0:
            after[0, ENDED] = BUST
            return self._second_card(after, insured, up)
        after[0, HAND] = hand
        if doubles or self.tables.points[hand] == 21:
            return self._stood(after, insured, up)
        return self._play(after, insured, up, -1)

    # --- the dealer ----------------------------------------------------------------------------------------------------

    def _second_card(self, box: Box, insured: int, up: int) -> object:
        """A hand that needs no more than the dealer's second card, to see whether the dealer has blackjack."""
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
        """The dealer's hand after some cards, against a hand with these results by the dealer's end."""
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
        key = int(self.tables.points[box[0, HAND]]), ended, stake, added, insured, points, held, int(blackjack)
        if key not in self._known:
            self._known[key] = int(_net_of(self.terms, self.tables, box, 1, insured, points, held, blackjack))
        return self._known[key]

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _numbered(self, first: object) -> Automaton:
        """Numbers the states: rows, then ends, then splits. The card after an end does what the first card of a round does."""
        begin = {"row": 0, "net": len(self.rows), "split": len(self.rows) + len(self.nets)}

        def number(state: object) -> int:
            assert isinstance(state, tuple)
            return int(begin[state[0]] + state[1])

        table = np.zeros((begin["split"] + len(self.splits), ROW_WIDTH), dtype=np.uint16)
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


def automaton(terms: Terms, tables: PlayTables) -> Automaton:
    """Builds the automaton for the first strategy of the tables."""
    return Builder(terms, tables).build()
