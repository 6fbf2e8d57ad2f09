"""The protocol by which several processes share a player's credit, in every order (HA-1, GAME-1, LED-2, CSH-2, PROT-1)."""

import pytest

from tests.wallets.exploring import explore
from tests.wallets.model import RULES, Settings

WORLDS = {
    "a bet and a cash-out": Settings(credit=1, orders=frozenset({"bet-x", "out"})),
    "a bet that wins, is cashed out and corrected": Settings(
        credit=1, orders=frozenset({"bet-x", "out"}), corrects=True, faults=0
    ),
    "cash that comes meanwhile": Settings(credit=1, orders=frozenset({"bet-x", "in", "out"}), faults=0),
    "a table that is moved": Settings(credit=1, orders=frozenset({"bet-x"}), moves=True),
}
"""Few enough states for every run of the tests; `python -m tests.wallets` has the others."""


@pytest.mark.parametrize("name", WORLDS)
def test_credit_is_neither_overdrawn_nor_lost_in_any_order(name: str) -> None:
    found = explore(WORLDS[name])
    assert not found.violation, found.path
    assert found.home
    assert found.states > 500


@pytest.mark.parametrize("rule", sorted(RULES))
def test_without_any_one_of_the_rules_something_is_lost(rule: str) -> None:
    found = explore(Settings(rules=RULES - {rule}))
    assert found.violation
    assert found.path
