"""The files that follow from the protocol are those that it gives today."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_written_protocol_is_current() -> None:
    run = subprocess.run(
        [sys.executable, "scripts/protocol.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.returncode == 0
