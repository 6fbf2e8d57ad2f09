"""`python -m tests.mutants.generated [MODULE ...]`: small faults made by rule in whole modules of money; tests must find each.

One operator, one number or one condition of a function is changed at a time, in a copy. A fault that makes no difference to anybody
may survive; `EQUIVALENT` says which do, and why. Stopped and started again, it goes on where it was, unless the program has changed.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Final, NamedTuple

from tests.evidence.results import Findings, kept, recorded
from tests.mutants.__main__ import copied, passes
from tests.mutants.listed import ROOT


class Module(NamedTuple):
    """A module, and the tests that must find what is wrong in it."""

    file: str
    tests: tuple[str, ...]


MODULES: Final = {
    "money": Module("src/podium/basics/money.py", ("tests/test_money.py", "tests/test_money_at_the_edges.py")),
    "ledger": Module("src/podium/record/ledger.py", ("tests/test_ledger.py",)),
    "results": Module(
        "src/podium/rules/results.py", ("tests/test_money_at_the_edges.py", "tests/clauses/test_sbj_5.py")
    ),
}
EQUIVALENT: Final = {
    "src/podium/rules/results.py:40:72: self.returned > self.staked -> self.returned >= self.staked": "equal amounts are a push before"
}
"""By fault, as it is printed: why nobody can tell it from the program."""

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COUNTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


class Fault(NamedTuple):
    """One change of a module: where, what, and the text that it makes of the module."""

    line: int
    column: int
    says: str
    text: str


def faults(text: str) -> list[Fault]:
    """Every fault of a module, in its order."""
    tree = ast.parse(text)
    found = []
    for place, node in enumerate(ast.walk(tree)):
        if not isinstance(node, ast.expr | ast.stmt):
            continue
        for change in range(_changes(node)):
            altered = deepcopy(tree)
            same = next(each for at, each in enumerate(ast.walk(altered)) if at == place)
            before = ast.unparse(node)
            _change(same, change)
            found.append(
                Fault(node.lineno, node.col_offset + 1, f"{before} -> {ast.unparse(same)}", ast.unparse(altered))
            )
    inside = _inside(tree)
    return sorted({fault for fault in found if fault.line in inside and "\n" not in fault.says})


def _inside(tree: ast.Module) -> set[int]:
    """The lines of statements in functions: not their signatures, and nothing at the top of the module."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {line for each in functions for line in range(each.body[0].lineno, (each.end_lineno or 0) + 1)}


def _changes(node: ast.AST) -> int:
    """How many faults can be made of a node."""
    match node:
        case ast.Compare(ops=ops):
            return sum(type(each) in COMPARED for each in ops)
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            return int(type(op) in COUNTED)
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.UnaryOp(op=ast.USub()):
            return 1
        case ast.Constant(value=bool() | int()):
            return 1
    return 0


def _change(node: ast.AST, change: int) -> None:
    match node:
        case ast.Compare(ops=ops):
            place = [at for at, each in enumerate(ops) if type(each) in COMPARED][change]
            ops[place] = COMPARED[type(ops[place])]()
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            node.op = COUNTED[type(op)]()
        case ast.BoolOp(op=both):
            node.op = ast.Or() if isinstance(both, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not()):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case ast.UnaryOp():
            node.op = ast.UAdd()
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant(value=int() as value):
            node.value = value + 1


def try_module(name: str, known: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Tries every fault of a module that is not known yet. Yields the fault and what came of it."""
    module = MODULES[name]
    with copied() as copy:
        if not passes(copy, module.tests):
            sys.exit("The tests fail on the program as it is: mend that first.")
        for fault in faults((ROOT / module.file).read_text(encoding="utf-8")):
            says = f"{module.file}:{fault.line}:{fault.column}: {fault.says}"
            if says not in known:
                Path(copy, module.file).write_text(fault.text, encoding="utf-8")
                known[says] = "survived" if passes(copy, module.tests) else "killed"
            if known[says] == "survived" and says in EQUIVALENT:
                known[says] = f"makes no difference: {EQUIVALENT[says]}"
            yield says, known[says]


def try_all(names: list[str], known: dict[str, str], findings: Findings) -> None:
    for name in names:
        for says, outcome in try_module(name, known):
            findings.details[says] = outcome
            outcomes = list(findings.details.values())
            findings.figures |= {
                "made": len(outcomes),
                "killed": outcomes.count("killed"),
                "survived": outcomes.count("survived"),
            }
            findings.failed = "survived" in outcomes
            print(f"{outcome:8}  {says}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.generated", description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[[], *MODULES], help="only these; all, if none is named")
    chosen = parser.parse_args()
    last = kept("generated-mutants")
    with recorded("generated-mutants") as findings:
        known = last.details if last is not None and last.program == findings.program else {}
        try_all(chosen.modules or list(MODULES), dict(known), findings)
    print(f"{findings.figures['killed']} of {findings.figures['made']} faults were found.")
    return 1 if findings.failed else 0


if __name__ == "__main__":
    sys.exit(main())
