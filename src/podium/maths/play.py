"""The kernels of the exact analysis of one up card: how the dealer's hand ends, the best play, and the hands that play leads to.

`left` are the cards that the player has not seen: the shoe without the up card, the player's hand and all other open cards. In a game
with a hole card that card is among them, but it does not make a blackjack, because the dealer has peeked (`peeks`).
"""

import numpy as np
from numpy.typing import NDArray

from podium.maths.compiled import compiled, part
from podium.maths.dealer import BLACKJACK, ENDS, MAX_DEALER_CARDS, DealerTable, fill_lines
from podium.maths.positions import BUST_ROW, DOUBLE, HIT, STAND, Hands
from podium.maths.shoe import ACE, TEN, VALUES, Counts

Chances = NDArray[np.float64]
Flags = NDArray[np.bool_]
Actions = NDArray[np.int8]


@part
def remove(hands: Hands, shoe: Counts, hand: int, left: Counts) -> bool:
    """Writes to `left` the shoe without a hand. Returns whether the shoe holds that hand."""
    for value in range(VALUES):
        left[value] = shoe[value] - hands.counts[hand, value]
        if left[value] < 0:
            return False
    return True


@compiled
def next_card(left: Counts, up: int, peeks: bool, chances: Chances) -> None:
    """Writes to `chances` the probability of each value for the player's next card."""
    cards = 0
    for value in range(VALUES):
        cards += left[value]
    if cards == 0:
        chances[:] = 0.0
        return
    for value in range(VALUES):
        chances[value] = left[value] / cards
    if peeks and cards > 1 and up in (ACE, TEN):
        barred = TEN if up == ACE else ACE  # the hole card is not of this value
        others = cards - left[barred]
        for value in range(VALUES):
            if value == barred:
                chances[value] = left[value] / (cards - 1)
            else:
                chances[value] = left[value] * (others - 1) / (others * (cards - 1)) if others > 0 else 0.0


@compiled
def fill_ends(
    table: DealerTable, hands: Hands, up: int, shoe: Counts, peeks: bool, wanted: Flags, ends: Chances, known: Flags
) -> None:
    """Fills in how the dealer's hand ends beside each wanted hand that is not known yet."""
    left = np.empty(VALUES, dtype=np.int64)
    one = np.empty(ENDS + 1)
    lines, share = np.empty(len(table.before) + 1), np.empty(MAX_DEALER_CARDS)
    for hand in range(len(wanted)):
        if known[hand] or not wanted[hand] or not remove(hands, shoe, hand, left):
            continue
        fill_lines(table, up, left, one, lines, share)
        if peeks and one[BLACKJACK] < 1.0:
            for end in range(ENDS):
                one[end] /= 1.0 - one[BLACKJACK]
            one[BLACKJACK] = 0.0
        for end in range(ENDS):
            ends[hand, end] = one[end]
        known[hand] = True


@part
def stand_value(ends: Chances, pay: Chances) -> float:
    value = 0.0
    for end in range(ENDS):
        value += ends[end] * pay[end]
    return value


@compiled
def value_play(
    hands: Hands,
    up: int,
    shoe: Counts,
    peeks: bool,
    ends: Chances,
    known: Flags,
    pay: Chances,
    may_double: Flags,
    action: Actions,
    values: Chances,
    choose: bool,
) -> None:
    """The worth of standing, hitting and doubling on every known hand and, in the last column of `values`, of the chosen play.

    With `choose` that is the best of them, which is written to `action`; otherwise it is what `action` prescribes.
    """
    left = np.empty(VALUES, dtype=np.int64)
    chances = np.empty(VALUES)
    for hand in range(len(known) - 1, -1, -1):
        if not known[hand] or not remove(hands, shoe, hand, left):
            continue
        stand = stand_value(ends[hand], pay[0, hands.row[hand]])
        values[hand, 0] = values[hand, 3] = stand
        values[hand, 1] = values[hand, 2] = -np.inf
        if hands.points[hand] == 21:
            continue
        next_card(left, up, peeks, chances)
        hit = double = 0.0
        for value in range(VALUES):
            after = hands.after[hand, value]
            if chances[value] == 0.0:
                continue
            hit += chances[value] * (values[after, 3] if after >= 0 else pay[0, BUST_ROW, 0])
            if may_double[hand]:
                row = hands.row[after] if after >= 0 else BUST_ROW
                double += chances[value] * (
                    stand_value(ends[after], pay[1, row]) if after >= 0 else pay[1, BUST_ROW, 0]
                )
        values[hand, 1] = hit
        if may_double[hand]:
            values[hand, 2] = double
        if choose:
            action[hand] = HIT if hit > stand else STAND
            if may_double[hand] and double > max(hit, stand):
                action[hand] = DOUBLE
        if action[hand] == DOUBLE and may_double[hand]:
            values[hand, 3] = double
        elif action[hand] != STAND:
            values[hand, 3] = hit


@compiled
def follow(
    hands: Hands,
    up: int,
    shoe: Counts,
    peeks: bool,
    may_double: Flags,
    action: Actions,
    reached: Chances,
    final: Chances,
) -> None:
    """Follows a policy. `reached` holds the probabilities of the first hands and gets those of all hands that are reached by hitting;
    `final` gets those of hands that end, by whether they were doubled. The remaining probability is that of busting."""
    left = np.empty(VALUES, dtype=np.int64)
    chances = np.empty(VALUES)
    for hand in range(len(reached)):
        chance = reached[hand]
        if chance == 0.0 or not remove(hands, shoe, hand, left):
            continue
        if hands.points[hand] == 21 or action[hand] == STAND:
            final[0, hand] += chance
            continue
        next_card(left, up, peeks, chances)
        doubled = action[hand] == DOUBLE and may_double[hand]
        for value in range(VALUES):
            after = hands.after[hand, value]
            if after < 0:
                continue
            if doubled:
                final[1, after] += chance * chances[value]
            else:
                reached[after] += chance * chances[value]


@compiled
def tally(hands: Hands, ends: Chances, final: Chances, joint: Chances) -> None:
    """Adds the probabilities of final hands to `joint`, by doubled, row and the dealer's end."""
    for doubled in range(2):
        for hand in range(final.shape[1]):
            if final[doubled, hand] > 0.0:
                for end in range(ENDS):
                    joint[doubled, hands.row[hand], end] += final[doubled, hand] * ends[hand, end]
