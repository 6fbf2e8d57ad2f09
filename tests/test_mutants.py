"""The listed mutants fit the program as it is: each fault can be put in, and its tests exist. `make mutants` runs them, and those
that are made by rule."""

import ast

import pytest

from tests.mutants.generated import EQUIVALENT, MODULES, faults
from tests.mutants.listed import ROOT, Mutant, listed


@pytest.mark.parametrize("mutant", listed(), ids=lambda mutant: f"{mutant.id}: {mutant.says}")
def test_a_listed_mutant_fits_the_program(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.was) == 1
    assert mutant.was != mutant.becomes
    for named in mutant.tests:
        file, _, name = named.partition("::")
        if mutant.in_terminals:
            assert f'test("{name}"' in (ROOT / file).read_text(encoding="utf-8")
            continue
        functions = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        assert name in {each.name for each in functions if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_faults_by_rule_turn_around_each_comparison_sum_number_and_condition() -> None:
    text = """
LIMIT = 5

def pays(stake: int = 3) -> bool:
    if stake < 2 and not stake:
        return True
    return -stake + 1 >= LIMIT
"""
    made = [(fault.line, fault.says) for fault in faults(text)]
    assert made == [
        (5, "stake < 2 -> stake <= 2"),
        (5, "stake < 2 and (not stake) -> stake < 2 or not stake"),
        (5, "2 -> 3"),
        (5, "not stake -> not not stake"),
        (6, "True -> False"),
        (7, "-stake + 1 -> -stake - 1"),
        (7, "-stake + 1 >= LIMIT -> -stake + 1 > LIMIT"),
        (7, "-stake -> +stake"),
        (7, "1 -> 2"),
    ]


def test_every_fault_that_makes_no_difference_is_one_that_is_made() -> None:
    made = {
        f"{module.file}:{fault.line}:{fault.column}: {fault.says}"
        for module in MODULES.values()
        for fault in faults((ROOT / module.file).read_text(encoding="utf-8"))
    }
    assert made >= EQUIVALENT.keys()
