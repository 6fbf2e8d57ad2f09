"""The coach on a player's terminal: what each answer is worth, for who wants to know, where the operator allows it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from podium.maths.advice import worths
from podium.maths.sight import BoxPosition
from podium.rules.games import game
from tests.terminals.axe import has_no_violation
from tests.terminals.houses import OPTIONS
from tests.terminals.screens import DealerScreen, PlayerScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]

pytestmark = pytest.mark.usefixtures("compiled")


def test_a_player_asks_the_coach_and_is_shown_the_best_play(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("coached", 312), guest("coached")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("6s", "5h", "5d")
    coach = player.page.get_by_test_id("coach")
    expect(coach).to_have_attribute("aria-pressed", "false")
    expect(player.page.get_by_test_id("worth-hit")).to_have_count(0)
    coach.focus()
    player.page.keyboard.press("Space")

    found = worths(
        game("stadium-blackjack", OPTIONS["stadium-blackjack"]),
        BoxPosition(("double", "hit", "stand", "surrender"), 4, (4, 5)),
    )
    said = player.page.get_by_test_id("coach-says")
    expect(said).to_have_text(f"Best play: Double, +{found['double'] * 5:.2f} on average.")
    expect(said).to_have_attribute("role", "status")
    expect(player.page.get_by_test_id("worth-hit")).to_contain_text(f"+{found['hit'] * 5:.2f} (+{found['hit']:.3f})")
    expect(player.page.get_by_test_id("worth-surrender")).to_contain_text("\N{MINUS SIGN}2.50 (\N{MINUS SIGN}0.500)")
    best = player.page.get_by_role("button", name=re.compile("Double.*best"))
    expect(best).to_have_count(1)
    has_no_violation(player.page)

    # Whoever wants advice is advised on every question, until it is switched off.
    player.decide("hit")
    podium.deal("3c")
    expect(said).to_contain_text("Best play: Stand")
    coach.click()
    expect(player.page.get_by_test_id("worth-hit")).to_have_count(0)
    expect(player.can_decide("hit")).to_be_enabled()


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 844), (740, 360), (1920, 1080)])
def test_the_coach_leaves_every_answer_on_the_screen(guest: Guest, dealer: Dealer, width: int, height: int) -> None:
    table = f"coached-{width}"
    podium, player = dealer(table, 312), guest(table)
    player.page.set_viewport_size({"width": width, "height": height})
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("8s", "6h", "8d")

    def bottoms() -> list[float]:
        boxes = [
            player.can_decide(answer).bounding_box() for answer in ("stand", "hit", "double", "split", "surrender")
        ]
        return [box["y"] + box["height"] for box in boxes if box is not None]

    expect(player.can_decide("surrender")).to_be_enabled()
    before = bottoms()
    assert len(before) == 5
    assert max(before) <= height
    player.page.get_by_test_id("coach").click()
    expect(player.page.get_by_test_id("worth-split")).to_be_visible()
    assert max(bottoms()) <= height


def test_where_the_operator_does_not_allow_it_there_is_no_coach(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("uncoached", 312), guest("uncoached")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("6s", "5h", "5d")
    expect(player.can_decide("double")).to_be_enabled()
    expect(player.page.get_by_test_id("coach")).to_have_count(0)
