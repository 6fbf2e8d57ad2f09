"""A policy of the mathematics, as a player at the engine's table."""

from collections.abc import Sequence

from podium.basics.cards import Card
from podium.maths import three_card
from podium.maths.array_play import LOOK, PLAY, Plan, hand_places, place_of
from podium.maths.positions import DOUBLE, EVEN_MONEY, HIT, INSURE, SPLIT, STAND, SURRENDER, Policy, hand_of
from podium.rules.blackjack.box import Box
from podium.rules.dealing import NineCards

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


def poker_decision(dealing: NineCards, own: Sequence[Card], plan: Plan) -> str:
    """The same in Three Card Poker; who looks counts the dealer's packets that the cards in sight leave, one by one."""
    first, second, third = (card.index for card in own)
    planned = plan[place_of(hand_places(), first, second, third)]
    if planned == LOOK:
        others = [card for card in dealing.cards_at(tuple(range(1, 10))) if card not in own]
        return "play" if three_card.plays(own, others) else "fold"
    return "play" if planned == PLAY else "fold"
