"""A house in a process of its own, as `podium serve` opens it: it can be killed, and comes back where it was."""

import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, Literal

from podium.cli.verify import verify_house
from podium.house import DEMONSTRATION, HouseConfig
from podium.house.config import write_config
from podium.house.reports.recall import play_again
from podium.house.reports.rounds import round_of_number
from podium.house.table import TableConfig
from podium.record.ledger import account
from podium.record.store import BOOK, open_book

OPENED: Final = "Ctrl-C closes it"
"""How the last line begins that a house says when it has opened."""


OPTIONS: Final = {table.game: table.options for table in DEMONSTRATION.tables.values()}


def quick(game: str, dealer: Literal["automated", "live"] = "automated", **more: Any) -> TableConfig:
    """A table of the demonstration house where nobody is hurried, and nobody waits for the automated dealer.

    No attendant comes: the cards of an automated table are drawn by lot, and so may be a win that is paid by hand (HP-1).
    """
    pace: dict[str, Any] = {
        "betting_seconds": 600,
        "close_betting_early": dealer == "automated",
        "insurance_seconds": 600,
        "decision_seconds": 600,
        "absent_seconds": 600,
        "result_seconds": 600,
        "card_seconds": 0.05,
        "shuffle_seconds": 0.1,
        "attendant_pays_from": 0,
    }
    return TableConfig(game=game, dealer=dealer, **{"options": OPTIONS[game], **pace, **more})


class RunningHouse:
    """A house that serves its pages at `address`."""

    def __init__(self, data: Path, tables: dict[str, TableConfig], **more: Any) -> None:
        self._data: Final = data
        self._config: Final = data / "podium.toml"
        self._port: Final = _free_port()
        self._process: subprocess.Popen[str] | None = None
        self.address: Final = f"http://127.0.0.1:{self._port}"
        self.invitation = ""
        """The first operator's link."""
        self.first_terminal = ""
        """The first known terminal's link, where the house needs one."""
        self._config.write_text(write_config(HouseConfig(name="Test house", tables=tables, **{"guests": True, **more})))

    def open(self) -> None:
        command = [sys.executable, "-m", "podium", "serve", "--port", str(self._port)]
        with (self._data / "log").open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--data", str(self._data / "data"), "--config", str(self._config)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"/welcome#\S+", line):
                self.invitation = self.address + found[0]
            if found := re.search(r"/terminal#\S+", line):
                self.first_terminal = self.address + found[0]
            if line.startswith(OPENED):
                return
        raise AssertionError((self._data / "log").read_text())

    def kill(self) -> None:
        """As if the power went: nothing is put away (INT-2)."""
        self._end(hard=True)

    def close(self) -> None:
        self._end()

    def _end(self, *, hard: bool = False) -> None:
        if self._process is None:
            return
        self._process.kill() if hard else self._process.terminate()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def credit_of(self, name: str) -> int:
        """What the ledger says that a player has."""
        book = open_book(self._data / "data" / BOOK, writable=False)
        try:
            return book.balances().get(account("credit", name), 0)
        finally:
            book.close()

    def cards_of(self, table: str, number: int) -> list[str]:
        """The cards of a round as the journal has them, in the order in which they were dealt."""
        book = open_book(self._data / "data" / BOOK, writable=False)
        try:
            line = round_of_number(book, table, number)
            assert line is not None
            return [each.code if each else "" for each in play_again(book, line).round.cards]
        finally:
            book.close()

    def proves(self) -> bool:
        """Whether `podium verify` finds nothing wrong with the whole record."""
        return verify_house(str(self._data / "data")) == 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
