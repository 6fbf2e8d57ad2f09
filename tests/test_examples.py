"""The clients of the documentation play at a real house: the bot of docs/bots.md as it is printed, and the terminal in Node."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import pytest

from podium.house import DEMONSTRATION
from tests.terminals.houses import RunningHouse, quick

ROOT = Path(__file__).parent.parent
NODE = ROOT / "scripts" / "node"
TERMINAL = ROOT / "docs" / "examples" / "terminal.mjs"
PATIENCE = 60
"""Seconds that a busy machine may take to play two rounds."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """The tables of the demonstration house, without its pauses. A seat whose client was ended delays nobody for long."""
    pace: dict[str, Any] = {"betting_seconds": 5, "decision_seconds": 5, "insurance_seconds": 5, "result_seconds": 0.2}
    tables = {name: quick(table.game, **pace) for name, table in DEMONSTRATION.tables.items()}
    house = RunningHouse(tmp_path_factory.mktemp("examples"), tables)
    house.open()
    yield house
    house.close()


def commands(house: RunningHouse, kind: str) -> float:
    """How many commands of a kind the house has carried out."""
    with urlopen(f"{house.address}/metrics") as answer:
        found = re.search(rf'^podium_commands_total{{.*"{kind}".*}} (\S+)$', answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0


def test_the_bot_of_the_page_plays_as_it_is_printed(house: RunningHouse, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert "http://localhost:8000" in source
    program = tmp_path / "bot.py"
    program.write_text(source.replace("http://localhost:8000", house.address), encoding="utf-8")
    bets = commands(house, "bet")
    bot = subprocess.Popen([sys.executable, program], stderr=subprocess.PIPE, text=True)
    try:
        until = monotonic() + PATIENCE
        while commands(house, "bet") < bets + 3:
            assert bot.poll() is None, bot.communicate()[1]
            assert monotonic() < until
            sleep(0.05)
        assert commands(house, "decide") > 0
    finally:
        bot.kill()
        bot.communicate()


@pytest.mark.parametrize("table", DEMONSTRATION.tables)
def test_the_terminal_in_node_plays_every_game(house: RunningHouse, table: str) -> None:
    played = subprocess.run(
        [NODE, TERMINAL, house.address, table, "2"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (played.returncode, played.stderr) == (0, "")
    lines = played.stdout.splitlines()
    assert len(lines) == 2
    assert all(re.fullmatch(r"round \d+: .+ \((win|push|lose)\); credit \d+", line) for line in lines), lines


def test_the_terminal_in_node_comes_back_to_a_house_that_was_killed(tmp_path: Path) -> None:
    house = RunningHouse(tmp_path, {"t1": quick("stadium-blackjack", result_seconds=0.2)})
    house.open()
    command = [str(NODE), str(TERMINAL), house.address, "t1", "12"]
    terminal = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert terminal.stdout is not None
        assert terminal.stdout.readline().startswith("round ")
        house.kill()
        house.open()
        out, said = terminal.communicate(timeout=PATIENCE)
        rounds = [int(number) for number in re.findall(r"^round (\d+): ", out, re.MULTILINE)]
        assert len(rounds) == 11, said
        assert rounds == sorted(set(rounds))
        assert terminal.returncode == 0
    finally:
        terminal.kill()
        terminal.communicate()
        house.close()
