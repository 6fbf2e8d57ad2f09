"""`python -m tests.evidence.terminals`: runs the tests of the terminals and keeps what became of them."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.evidence.results import recorded
from tests.mutants.listed import ROOT


class TerminalsTest(msgspec.Struct, rename="camel"):
    title: str
    status: str


class TerminalsFile(msgspec.Struct, rename="camel"):
    name: str
    assertion_results: list[TerminalsTest]


class Report(msgspec.Struct, rename="camel"):
    """What vitest writes as JSON."""

    test_results: list[TerminalsFile]


def main() -> int:
    with recorded("terminals") as findings, TemporaryDirectory(prefix="podium-terminals-") as folder:
        report = Path(folder, "report.json")
        command = ["../scripts/npm", "exec", "--", "vitest", "run", "--reporter=json", f"--outputFile={report}"]
        done = subprocess.run(command, cwd=ROOT / "web", check=False)
        for file in msgspec.json.decode(report.read_bytes(), type=Report).test_results:
            place = Path(file.name).relative_to(ROOT).as_posix()
            findings.details |= {f"{place}::{each.title}": each.status for each in file.assertion_results}
        findings.figures |= dict(Counter(findings.details.values()))
        findings.failed = done.returncode != 0
    print(f"{len(findings.details)} tests of the terminals: {findings.figures}.")
    return 1 if findings.failed else 0


if __name__ == "__main__":
    sys.exit(main())
