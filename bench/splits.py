"""What the exact play leaves on the table by playing each split hand by its own cards: an estimate by simulation.

For pairs that are split, the first hand is played out at random; then the second is played by its own cards, and again by somebody
who has seen the first. The difference, weighted by how often the pair is split, is what the memory of one hand is worth.
"""

import math

import numpy as np
from numpy.typing import NDArray

from podium.maths.blackjack import policy_for
from podium.maths.dealer import ENDS
from podium.maths.families.blackjack import analysis
from podium.maths.play import fill_ends, next_card, value_play
from podium.maths.positions import DOUBLE, SPLIT, STAND, all_hands, hand_of
from podium.maths.shoe import ACE, VALUES, Counts
from podium.maths.upcard import UpCard
from podium.rules.games import Game, game

SAMPLES = 40
GAMES = ("stadium-blackjack", "dynasty-blackjack", "match-up-blackjack", "mega-blackjack")

Actions = NDArray[np.int8]


def first_hand(up_card: UpCard, value: int, action: Actions, random: np.random.Generator) -> Counts:
    """The shoe after a first hand was played out at random, its second card not of the pair's value."""
    hands = all_hands()
    left = up_card.shoe.copy()
    left[value] -= 2
    hand, doubled = hand_of(value), False
    while hand >= 0 and not doubled:
        if hands.cards[hand] >= 2:
            if action[hand] == STAND or hands.points[hand] == 21:
                break
            doubled = bool(action[hand] == DOUBLE)
        chances = np.empty(VALUES)
        next_card(left, up_card.up, up_card.prepared.peeks, chances)
        if hands.cards[hand] == 1:
            chances[value] = 0.0
        drawn = int(random.choice(VALUES, p=chances / chances.sum()))
        left[drawn] -= 1
        hand = int(hands.after[hand, drawn])
    return left


def worth(up_card: UpCard, left: Counts, value: int, action: Actions, *, choose: bool) -> float:
    """The worth of the second hand, played by `action` or by somebody who knows what is left."""
    prepared, hands = up_card.prepared, all_hands()
    shoe = left.copy()
    shoe[value] += 1  # the hand's own first card
    ends, known = np.zeros((len(hands.cards), ENDS)), np.zeros(len(hands.cards), dtype=np.bool_)
    holds = hands.counts[:, value] > 0
    fill_ends(prepared.dealer, hands, up_card.up, shoe, prepared.peeks, holds, ends, known)
    values = np.full((len(hands.cards), 4), -np.inf)
    may_double = prepared.may_double_split[value]
    own = action.copy()
    value_play(
        hands,
        up_card.up,
        shoe,
        prepared.peeks,
        ends,
        known,
        prepared.payoffs.hands[0, 1],
        may_double,
        own,
        values,
        choose,
    )
    chances = np.empty(VALUES)
    next_card(left, up_card.up, prepared.peeks, chances)
    return float(sum(chances[v] * values[hand_of(value, v), 3] for v in range(VALUES) if chances[v] > 0.0))


def gain(of: Game, random: np.random.Generator) -> tuple[float, float]:
    """What the memory of the first hand is worth, of the initial wager, and the standard error of that."""
    exact = analysis(of)
    policy = policy_for(exact, "best")
    total = variance = 0.0
    for up, up_card in exact.up_cards.items():
        for value in range(VALUES):
            if value == ACE or policy.first[0, up, hand_of(value, value)] != SPLIT:
                continue
            actions = policy.split[0, :, up, value]
            found = []
            for _ in range(SAMPLES):
                left = first_hand(up_card, value, actions[0], random)
                better = worth(up_card, left, value, actions[1], choose=True)
                found.append(better - worth(up_card, left, value, actions[1], choose=False))
            often = int(exact.shoe[up]) / int(exact.shoe.sum()) * up_card.dealt(value, value)
            total += often * float(np.mean(found))
            variance += (often * float(np.std(found))) ** 2 / SAMPLES
    return total, math.sqrt(variance)


def main() -> None:
    random = np.random.default_rng(1)
    for name in GAMES:
        value, error = gain(game(name), random)
        print(f"{name}: knowing the first hand is worth {value:.1e} of the wager on the second (error {error:.0e})")


if __name__ == "__main__":
    main()
