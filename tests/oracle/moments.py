"""MGB Dealing: what must still lie at stake on a player's hands while the round goes on. What is paid or collected at once does not."""

from typing import NamedTuple

from tests.oracle.cards import is_natural, may_become_natural, total


class Lying(NamedTuple):
    """A hand as everybody sees it, and what was staked on it, for the player and for the dealer."""

    cards: list[str]
    staked: int
    even_money: bool


def still_at_stake(hands: list[Lying], up_card: str, *, looked: bool | None) -> int:
    """`looked` is what the dealer saw under the up card: a blackjack, none, or nothing yet. All first cards are dealt."""
    cannot_tie = looked is False or not may_become_natural(up_card)
    pays_natural = len(hands) == 1 and cannot_tie
    return sum(
        hand.staked
        for hand in hands
        if total(hand.cards) <= 21 and not hand.even_money and not (pays_natural and is_natural(hand.cards))
    )
