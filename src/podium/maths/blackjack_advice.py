"""What each answer to a question about a blackjack hand is worth."""

from typing import Final

import msgspec
import numpy as np

from podium.maths.blackjack import BestPlay
from podium.maths.positions import DECLINE, EVEN_MONEY, INSURE, NATURAL, empty_policy, hand_of
from podium.maths.shoe import Counts
from podium.maths.sight import BoxPosition
from podium.maths.splits import SplitPlay
from podium.maths.upcard import PreparedRules, UpCard

EARLY: Final = {"decline": DECLINE, "insure": INSURE, "even-money": EVEN_MONEY}
WORDS: Final = ("stand", "hit", "double")
"""In the order of the columns of `UpCard.values`."""


def box_worths(prepared: PreparedRules, shoe: Counts, asked: BoxPosition) -> dict[str, float]:
    """What each answer is worth when the round is dealt from this shoe."""
    left = shoe.copy()
    for value in asked.beside:
        left[value] -= 1
    up_card = UpCard(prepared, left, asked.up)
    found = _early(up_card, asked) if asked.about == "insurance" else _played(up_card, asked)
    return {choice: found[choice] for choice in asked.asked if choice in found}


def _played(up_card: UpCard, asked: BoxPosition) -> dict[str, float]:
    """The worth of standing, hitting, doubling, splitting and surrendering."""
    action = np.zeros(len(up_card.hands.cards), dtype=np.int8)
    values = up_card.values(int(asked.insured), action, choose=True, which=int(asked.later), pair=asked.pair)
    found = {word: float(values[hand_of(*asked.hand), place]) for place, word in enumerate(WORDS)}
    if "split" in asked.asked:
        found["split"] = _split(up_card, asked)
    if "surrender" in asked.asked:
        found["surrender"] = BestPlay(up_card, empty_policy()).surrender((asked.hand[0], asked.hand[1]))
    return found


def _split(up_card: UpCard, asked: BoxPosition) -> float:
    """The worth of all hands of the pair together, split as often as is best; each is played by its own cards (`splits`)."""
    prepared, insured, value = up_card.prepared, int(asked.insured), asked.hand[0]
    hands = [1, 1] if asked.later else [0, 1]
    actions = np.array([up_card.best_split_play(insured, which, value) for which in hands])
    most = prepared.allowed.splits[value] - asked.splits
    play = up_card.split_play(value, actions, most)
    pay = prepared.payoffs.hands[insured][hands]
    return max(SplitPlay(play.burned, times).expect(pay) for times in range(1, most + 1))


def _early(up_card: UpCard, asked: BoxPosition) -> dict[str, float]:
    """The worth of declining, insurance and even money, with the best play of the hand afterwards."""
    pair = asked.hand[0], asked.hand[1]
    worth = [0.0, 0.0] if pair == NATURAL else [_first(up_card, asked, insured) for insured in (False, True)]
    choices = BestPlay(up_card, empty_policy()).early(pair, worth)
    return {word: choices[choice] for word, choice in EARLY.items() if choice in choices}


def _first(up_card: UpCard, asked: BoxPosition, insured: bool) -> float:
    """The worth of the best play of the first two cards."""
    allowed = up_card.prepared.allowed.first[asked.hand[0], asked.hand[1]]
    after = msgspec.structs.replace(asked, asked=tuple(allowed), insured=insured)
    return max(value for choice, value in _played(up_card, after).items() if choice in allowed)
