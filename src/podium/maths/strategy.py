"""The best play as a strategy table, by total and pair against the dealer's first card, and the cost of following it.

The exact best play depends on every card of a hand. The table depends on totals only: each entry is the best decision on average over
the hands of that total, weighted by how often they occur when the table is followed.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.blackjack import Analysis, BestPlay
from podium.maths.play import follow
from podium.maths.positions import (
    DOUBLE,
    EVEN_MONEY,
    HIT,
    INSURE,
    NATURAL,
    SPLIT,
    STAND,
    SURRENDER,
    TWO_CARDS,
    Policy,
    all_hands,
    hand_of,
)
from podium.maths.shoe import ACE, VALUES
from podium.maths.upcard import UpCard
from podium.rules.games import Game

UP_CARDS: Final = (*range(1, VALUES), ACE)
"""In the order of the columns: 2 to 10, ace."""

NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")

LETTERS: Final = {
    "H": "hit",
    "S": "stand",
    "Dh": "double, or hit where that is not allowed",
    "Ds": "double, or stand where that is not allowed",
    "P": "split",
    "Rh": "surrender, or hit where that is not allowed",
    "Rs": "surrender, or stand where that is not allowed",
    "Rp": "surrender, or split where that is not allowed",
}

ROUNDS_OF_CHOICE: Final = 3
"""How often the table is recomputed with the hands that it leads to; after the second time it no longer changes."""

Row = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class StrategyTable:
    """The table and what it returns."""

    game: Game
    hard: tuple[Row, ...]
    soft: tuple[Row, ...]
    pairs: tuple[Row, ...]
    insurance: tuple[str, ...]
    """The hands that are insured."""
    even_money: bool
    best_edge: float
    """The house edge under the exact best play."""
    table_edge: float
    exceptions: tuple[tuple[str, str, str, str], ...]
    """First two cards on which the exact play differs: the cards, the dealer's card, the exact play, the table's play."""

    @property
    def cost(self) -> float:
        """The cost of following the table, as a share of the initial wager."""
        return self.table_edge - self.best_edge

    def rows(self) -> list[dict[str, Any]]:
        """A row for each hand, with the play against each first card of the dealer's."""
        kinds = (("hard", self.hard), ("soft", self.soft), ("pair", self.pairs))
        up_cards = [NAMES[up] for up in UP_CARDS]
        return [
            {"table": kind, "hand": name, **dict(zip(up_cards, row, strict=True))}
            for kind, listed in kinds
            for name, row in listed
        ]

    def to_dict(self) -> dict[str, Any]:
        up_cards = [NAMES[up] for up in UP_CARDS]
        return {
            "game": self.game.name,
            "options": self.game.changed(),
            "dealer": up_cards,
            "hard": {name: list(row) for name, row in self.hard},
            "soft": {name: list(row) for name, row in self.soft},
            "pairs": {name: list(row) for name, row in self.pairs},
            "insurance": list(self.insurance),
            "even_money": self.even_money,
            "letters": LETTERS,
            "house_edge": self.best_edge,
            "house_edge_of_the_table": self.table_edge,
            "cost_of_the_table": self.cost,
            "exceptions": [
                {"hand": hand, "dealer": dealer, "best": best, "table": table}
                for hand, dealer, best, table in self.exceptions
            ],
        }


def strategy_table(game: Game, of: Analysis) -> StrategyTable:
    """The strategy table of a blackjack game, from its analysis."""
    best = of.best_policy()
    table = by_totals(of, best)
    insured = [pair for pair in TWO_CARDS if best.early[hand_of(*pair)] == INSURE]
    return StrategyTable(
        game=game,
        hard=tuple((str(total), _row(of, table, _pair_of(total), total)) for total in range(5, 21)),
        soft=tuple((f"A-{value + 1}", _row(of, table, (ACE, value), 0)) for value in range(1, 9)),
        pairs=tuple((f"{NAMES[v]}-{NAMES[v]}", _row(of, table, (v, v), 0)) for v in (*range(1, VALUES), ACE)),
        insurance=tuple(_written(pair) for pair in insured),
        even_money=bool(best.early[hand_of(*NATURAL)] == EVEN_MONEY),
        best_edge=-of.outcome(best).mean,
        table_edge=-of.outcome(table).mean,
        exceptions=tuple(_exceptions(of, best, table)),
    )


def _pair_of(total: int) -> tuple[int, int] | None:
    """Two different cards with this hard total, if there are any."""
    return next((pair for pair in TWO_CARDS if ACE not in pair and pair[0] != pair[1] and sum(pair) + 2 == total), None)


def _written(pair: tuple[int, int]) -> str:
    return f"{NAMES[pair[0]]}-{NAMES[pair[1]]}"


def _row(of: Analysis, table: Policy, pair: tuple[int, int] | None, total: int) -> tuple[str, ...]:
    return tuple(_letter(of, table, up, pair, total) for up in UP_CARDS if up in of.up_cards)


def _letter(of: Analysis, table: Policy, up: int, pair: tuple[int, int] | None, total: int) -> str:
    """An entry of the table; the lower-case letter says what to do with more than two cards."""
    action = table.first[0, up]
    hands = all_hands()
    if pair is None:
        longer = next(hand for hand in range(len(hands.cards)) if hands.cards[hand] > 2 and hands.points[hand] == total)
        return "H" if action[longer] == HIT else "S"
    hand = hand_of(*pair)
    later = np.flatnonzero((hands.cards > 2) & (hands.points == hands.points[hand]) & (hands.soft == hands.soft[hand]))
    falls_back = "s" if len(later) and action[later[0]] == STAND else "h"
    match int(action[hand]):
        case 0:
            return "S"
        case 2:
            return f"D{falls_back}"
        case 3:
            return "P"
        case 4:
            return "Rp" if pair[0] == pair[1] and table.limit[0, up, pair[0]] else f"R{falls_back}"
    return "H"


def _exceptions(of: Analysis, best: Policy, table: Policy) -> list[tuple[str, str, str, str]]:
    words = ("stand", "hit", "double", "split", "surrender")
    return [
        (_written(pair), NAMES[up], words[best.first[0, up, hand_of(*pair)]], words[table.first[0, up, hand_of(*pair)]])
        for up in UP_CARDS
        if up in of.up_cards
        for pair in TWO_CARDS
        if pair != NATURAL and best.first[0, up, hand_of(*pair)] != table.first[0, up, hand_of(*pair)]
    ]


# --- choosing the table ---------------------------------------------------------------------------------------------------


def by_totals(of: Analysis, best: Policy) -> Policy:
    """The policy that looks at totals and pairs only."""
    table = Policy(best.early.copy(), best.first.copy(), best.split.copy(), best.limit.copy())
    for up, up_card in of.up_cards.items():
        for insured in (0, 1) if up == ACE and of.prepared.allowed.insurance else (0,):
            TotalPlay(up_card, table, insured).choose()
    return table


class TotalPlay:
    """Chooses the column of one up card."""

    def __init__(self, up_card: UpCard, table: Policy, insured: int) -> None:
        self.up_card = up_card
        self.prepared = up_card.prepared
        self.table = table
        self.insured = insured
        self.action = table.first[insured, up_card.up]
        self.hands = all_hands()
        self.two = {pair: hand_of(*pair) for pair in TWO_CARDS if pair != NATURAL}

    def choose(self) -> None:
        for _ in range(ROUNDS_OF_CHOICE):
            values = self.up_card.values(self.insured, self._plain(), choose=False)
            self._choose_by_total(values, self._weights())
        self._choose_on_split_hands()

    def _plain(self) -> NDArray[np.int8]:
        """The actions, with splits and surrenders replaced by what is done if the hand is played on."""
        plain = self.action.copy()
        for pair, hand in self.two.items():
            if plain[hand] in (SPLIT, SURRENDER):
                plain[hand] = self._longer(pair)
        return plain

    def _longer(self, pair: tuple[int, int]) -> int:
        """The play with more than two cards of the same total."""
        hand, hands = hand_of(*pair), self.hands
        same = np.flatnonzero(
            (hands.cards > 2) & (hands.points == hands.points[hand]) & (hands.soft == hands.soft[hand])
        )
        return int(self.action[same[0]]) if len(same) else HIT

    def _weights(self) -> NDArray[np.float64]:
        """How often each hand occurs; hands that never do get a small weight, as if every hand were hit."""
        up_card, prepared = self.up_card, self.prepared
        weights = np.zeros(len(self.action))
        for action, weight in ((np.ones_like(self.action), 1e-9), (self._plain(), 1.0)):
            reached = np.zeros(len(action))
            for pair, hand in self.two.items():
                given_away = weight == 1.0 and self.action[hand] in (SPLIT, SURRENDER)
                reached[hand] = 0.0 if given_away else up_card.dealt(*pair)
            final = np.zeros((2, len(action)))
            follow(self.hands, up_card.up, up_card.shoe, prepared.peeks, prepared.may_double, action, reached, final)
            weights += weight * reached
        return weights

    def _choose_by_total(self, values: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        hands = self.hands
        pairs = [hand_of(value, value) for value in range(VALUES)]
        for soft in (False, True):
            for points in range(4, 21):
                same = np.flatnonzero((hands.points == points) & (hands.soft == soft) & (hands.cards >= 2))
                same = np.array([hand for hand in same if np.isfinite(values[hand, 0])], dtype=np.int64)
                if not len(same):
                    continue
                gain = float(np.sum(weights[same] * (values[same, 1] - values[same, 0])))
                longer = HIT if gain > 0 else STAND
                self.action[same[hands.cards[same] > 2]] = longer
                two = [int(hand) for hand in same if hands.cards[hand] == 2 and hand not in pairs]
                self._choose_two_cards(two, longer, values)
        for value in range(VALUES):
            hand = hand_of(value, value)
            if self.action[hand] not in (SPLIT, SURRENDER) and np.isfinite(values[hand, 0]):
                self.action[hand] = int(np.argmax(values[hand, :3]))

    def _choose_two_cards(self, two: list[int], longer: int, values: NDArray[np.float64]) -> None:
        """Chooses for all two-card hands of one total, except pairs: play on as with more cards, double or surrender."""
        if not two:
            return
        dealt = {hand: self.up_card.dealt(*pair) for pair, hand in self.two.items() if hand in two}
        worth = {longer: sum(chance * values[hand, longer] for hand, chance in dealt.items())}
        if all(self.prepared.may_double[hand] for hand in two):
            worth[DOUBLE] = sum(chance * values[hand, DOUBLE] for hand, chance in dealt.items())
        if "surrender" in self.prepared.allowed.first[next(pair for pair, hand in self.two.items() if hand == two[0])]:
            best = BestPlay(self.up_card, self.table)
            worth[SURRENDER] = sum(
                dealt[hand] * best.surrender(pair) for pair, hand in self.two.items() if hand in dealt
            )
        self.action[two] = max(worth, key=worth.__getitem__)

    def _choose_on_split_hands(self) -> None:
        """Plays split hands by their totals, like all others."""
        hands, prepared = self.hands, self.prepared
        for value in range(1, VALUES):
            own = self.table.split[self.insured, :, self.up_card.up, value]
            own[:] = self.action
            for second in range(VALUES):
                hand = hand_of(value, second)
                longer = self._longer((value, second)) if hands.points[hand] != 21 else STAND
                doubles = self.action[hand] == DOUBLE and prepared.may_double_split[value, hand]
                own[:, hand] = DOUBLE if doubles else longer
