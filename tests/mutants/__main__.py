"""`python -m tests.mutants [ID ...]`: tries the listed mutants of these standards, or all. Exit 1 if one survives.

First the tests of these mutants run on an unaltered copy, where they must pass: a test that fails there finds no fault.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.evidence.results import Findings, recorded
from tests.mutants.listed import ROOT, Mutant, listed

COPIED = ("src", "tests", "docs", "scripts", "web", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LINKED = (".venv", ".tools", ".node", ".browser", "web/node_modules")
MAX_SECONDS_PER_RUN = 600


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the program and its tests."""
    with TemporaryDirectory(prefix="podium-mutant-") as directory:
        copy = Path(directory)
        for name in COPIED:
            source = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__", "houses", "node_modules")
            _ = shutil.copytree(source, copy / name, ignore=ignored) if source.is_dir() else shutil.copy(source, copy)
        for name in LINKED:
            if (ROOT / name).exists():
                (copy / name).symlink_to(ROOT / name)
        yield copy


def passes(copy: Path, tests: Iterable[str]) -> bool:
    """Whether all of these tests pass in a copy."""
    named = sorted(set(tests))
    of_terminals = sorted({each.partition("::")[0].removeprefix("web/") for each in named if each.startswith("web/")})
    of_program = [each for each in named if not each.startswith("web/")]
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *of_program]
    vitest = ["../scripts/npm", "exec", "--", "vitest", "run", *of_terminals]
    return (not of_program or _run(pytest, copy, copy)) and (not of_terminals or _run(vitest, copy / "web", copy))


def _run(command: list[str], where: Path, copy: Path) -> bool:
    own = {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}"}
    done = subprocess.run(
        command, cwd=where, env=own, check=False, capture_output=True, text=True, timeout=MAX_SECONDS_PER_RUN
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"The tests could not be run.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def survives(mutant: Mutant) -> bool:
    """Whether the mutant's tests pass with the fault in the program."""
    with copied() as copy:
        mutant.put_into(copy)
        return passes(copy, mutant.tests)


def main() -> None:
    wanted = [mutant for mutant in listed() if not sys.argv[1:] or mutant.id in sys.argv[1:]]
    if not wanted:
        sys.exit(f"No mutant is listed for {', '.join(sys.argv[1:])}.")
    with recorded("mutants") as findings:
        survivors = try_all(wanted, findings)
    print(f"{len(wanted) - survivors} of {len(wanted)} mutants were killed.")
    sys.exit(1 if survivors else 0)


def try_all(wanted: list[Mutant], findings: Findings) -> int:
    """Tries one after another. Returns how many survive."""
    with copied() as copy:
        if not passes(copy, [test for mutant in wanted for test in mutant.tests]):
            sys.exit("The tests fail on the program as it is: mend that first.")
    survivors = 0
    for tried, mutant in enumerate(wanted, 1):
        alive = survives(mutant)
        survivors += alive
        findings.details[f"{mutant.id}: {mutant.says}"] = "survived" if alive else "killed"
        findings.figures |= {"listed": len(listed()), "tried": tried, "killed": tried - survivors}
        findings.failed = survivors > 0
        print(f"{'SURVIVED' if alive else 'killed'}  {mutant.id}: {mutant.says}", flush=True)
    return survivors


if __name__ == "__main__":
    main()
