"""The listed mutants fit the program as it is: each fault can be put in, and its tests exist. `make mutants` runs them."""

import ast

import pytest

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
