"""A plugin of pytest that keeps what became of every test: `python -m pytest -p tests.evidence.recording`."""

from collections import Counter
from contextlib import ExitStack
from typing import Final

import pytest

from tests.evidence.results import recorded

WORST_LAST: Final = ("passed", "skipped", "failed")


class Recorder:
    """Follows a run. A test with several parameters passed if it passed with all of them."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._findings = self._open.enter_context(recorded("tests"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed:
            return
        name, details = report.nodeid.partition("[")[0], self._findings.details
        details[name] = max(details.get(name, "passed"), report.outcome, key=WORST_LAST.index)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        came = Counter(self._findings.details.values())
        self._findings.figures |= {outcome: came[outcome] for outcome in WORST_LAST}
        self._findings.failed = exitstatus != 0
        self._open.close()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist reports to the process that keeps
        config.pluginmanager.register(Recorder())
