"""Branch coverage of money and settlement: `python -m tests.evidence.covering` runs the tests below and keeps what they reach.

Exit 1 unless every line and every branch is reached, or a test fails.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from tests.evidence.results import Findings, recorded
from tests.mutants.listed import ROOT

MODULES: Final = (
    # the ledger, what moves in a round and at debts, and the meters of it
    "src/podium/basics/money.py",
    "src/podium/record/ledger.py",
    "src/podium/record/meters.py",
    "src/podium/house/cash.py",
    "src/podium/house/debts.py",
    "src/podium/house/table/money.py",
    # what wagers are taken, and what they return
    "src/podium/rules/bets/*.py",
    "src/podium/rules/blackjack/settlement.py",
    "src/podium/rules/capping.py",
    "src/podium/rules/results.py",
    "src/podium/rules/seat.py",
    "src/podium/rules/three_card.py",
    "src/podium/rules/wagers.py",
)
TESTS: Final = (
    "tests/clauses",
    "tests/server/test_reopening.py",
    "tests/test_bets.py",
    "tests/test_bonuses_in_order.py",
    "tests/test_boxes.py",
    "tests/test_cash.py",
    "tests/test_corrections.py",
    "tests/test_house.py",
    "tests/test_ledger.py",
    "tests/test_limits_of_wagers.py",
    "tests/test_live_rounds.py",
    "tests/test_meters.py",
    "tests/test_money.py",
    "tests/test_money_at_the_edges.py",
    "tests/test_paid_at_once.py",
    "tests/test_script.py",
    "tests/test_tables.py",
    "tests/test_upsets.py",
)


def cover(findings: Findings, modules: tuple[str, ...] = MODULES, tests: tuple[str, ...] = TESTS) -> None:
    """Runs the tests and notes what they reach of the modules."""
    with TemporaryDirectory(prefix="podium-coverage-") as folder:
        data, report = Path(folder, "data"), Path(folder, "report.json")
        run = ["run", "--branch", f"--data-file={data}", f"--include={','.join(modules)}", "-m", "pytest"]
        passed = _coverage(*run, "-q", "-p", "no:cacheprovider", *tests)
        # An AssertionError stands where nothing can come: it is the program that is wrong, and no test can reach it.
        config = Path(folder, "coverage.ini")
        config.write_text("[report]\nexclude_also = raise AssertionError\n", encoding="utf-8")
        _ = _coverage("json", f"--rcfile={config}", f"--data-file={data}", "-o", str(report), "-q")
        said = msgspec.json.decode(report.read_bytes())
    for file, found in sorted(said["files"].items()):
        findings.details[file] = _described(found)
    totals = said["totals"]
    findings.figures |= {
        "modules": len(said["files"]),
        "statements": totals["num_statements"],
        "branches": totals["num_branches"],
        "statements missed": totals["missing_lines"],
        "branches missed": totals["missing_branches"],
        "percent": round(totals["percent_covered"], 2),
    }
    findings.failed = not passed or bool(totals["missing_lines"] or totals["missing_branches"])


def _coverage(*arguments: str) -> bool:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode == 0


def _described(found: dict[str, Any]) -> str:
    summary = found["summary"]
    said = f"{summary['num_statements']} statements, {summary['num_branches']} branches"
    missed = [str(line) for line in found["missing_lines"]]
    missed += [f"{before} to {after}" for before, after in found["missing_branches"]]
    return f"{said}: all reached" if not missed else f"{said}; missed {', '.join(missed)}"


def main() -> int:
    with recorded("coverage") as findings:
        cover(findings)
    for file, described in findings.details.items():
        print(f"{file}: {described}")
    print(f"{findings.figures['percent']} % of statements and branches.")
    return 1 if findings.failed else 0


if __name__ == "__main__":
    sys.exit(main())
