"""A policy of the mathematics, as a player at the engine's table."""

from podium.blackjack.box import Box
from podium.maths.positions import DOUBLE, EVEN_MONEY, HIT, INSURE, SPLIT, STAND, SURRENDER, Policy, hand_of

WORDS = {HIT: "hit", STAND: "stand", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}


def decision(box: Box, up: int, policy: Policy) -> str:
    """What a policy decides where the engine asks."""
    allowed = box.question().allowed
    insured = int(box.insured)
    if box.early:
        wanted = policy.early[hand_of(*(card.points - 1 for card in box.hands[0].cards))]
        word = {INSURE: "insure", EVEN_MONEY: "even-money"}.get(int(wanted), "decline")
        return word if word in allowed else "decline"
    values = [card.points - 1 for card in box.hand.cards]
    hand = hand_of(*values)
    if len(box.hands) == 1:
        word = WORDS[int(policy.first[insured, up, hand])]
        if word == "split" and (word not in allowed or policy.limit[insured, up, values[0]] == 0):
            return "hit"
        return word if word in allowed else "hit"
    pair = values[0]
    if "split" in allowed and len(box.hands) - 1 < policy.limit[insured, up, pair]:
        return "split"
    if "hit" not in allowed:
        return "stand"
    word = WORDS[int(policy.split[insured, int(box.playing > 0), up, pair, hand])]
    return word if word in allowed and word in ("stand", "double") else "hit"
