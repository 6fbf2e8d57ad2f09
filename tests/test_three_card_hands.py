"""Three cards of a shoe: hands that one deck cannot hold."""

import pytest

from podium.basics.cards import cards
from podium.basics.hands import three_card_hand
from podium.rules.bets.super_3 import SUPER_3
from podium.rules.bets.three_card_bonus import THREE_CARD_BONUS
from podium.rules.bets.trilux import TRILUX


@pytest.mark.parametrize("suited_pair", ["Qs Qs Ts", "Qs Ts Ts", "As As Qs", "4d 2d 2d"])
def test_a_suited_pair_two_ranks_from_its_third_card_is_a_flush_and_no_straight(suited_pair: str) -> None:
    three = cards(suited_pair)
    assert three_card_hand(three).category == "flush"
    assert TRILUX.of(*three) == THREE_CARD_BONUS.of(*three) == "flush"
    assert SUPER_3.of(*three) is None
