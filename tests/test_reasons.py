"""Every reason that the house gives has its sentence, with the facts that stand in it; and every sentence is given somewhere."""

import ast
import pickle
from pathlib import Path
from string import Formatter

from podium.basics.reasons import REASONS, REFUSALS, because
from podium.basics.refusal import Refused

SOURCE = Path(__file__).parent.parent / "src" / "podium"
SENTENCES = REASONS | REFUSALS
CHOSEN = {"wager-least", "wager-limits"}
"""Given by the same call: which of them depends on whether there is a most."""


def given() -> dict[str, list[set[str]]]:
    """The keys that stand in calls of `because`, with the facts of each call."""
    found: dict[str, list[set[str]]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("because", "_goodbye")
            ):
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    found.setdefault(str(key.value), []).append({each.arg for each in node.keywords if each.arg})
    return found


def test_a_reason_is_either_for_a_wager_or_for_a_refusal() -> None:
    assert not REASONS.keys() & REFUSALS.keys()


def test_every_reason_that_is_given_has_a_sentence_with_its_facts() -> None:
    for key, calls in given().items():
        wanted = {name for _, name, _, _ in Formatter().parse(SENTENCES[key]) if name}
        assert all(facts == wanted for facts in calls), key


def test_every_refusal_is_given_somewhere() -> None:
    assert REFUSALS.keys() - CHOSEN <= given().keys()


def test_a_refusal_is_a_sentence_and_keeps_its_reason() -> None:
    seat = because("seat-taken", seat=3)
    assert (str(Refused(seat)), Refused(seat).why) == ("Seat 3 is taken.", seat)
    wrapped = Refused(f"ann: {seat}", seat)
    assert (str(wrapped), wrapped.why) == ("ann: Seat 3 is taken.", seat)
    assert Refused("Something else.").why is None
    again = pickle.loads(pickle.dumps(wrapped))
    assert (str(again), again.why) == (str(wrapped), seat)
