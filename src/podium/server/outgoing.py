"""Messages that wait to be sent to those who watch a table: one message for many, written to some of them at a time.

Ten thousand writes take a tenth of a second. If a table made them all at once, everybody who acts would wait for it.
"""

from collections.abc import Iterable
from typing import Final

from podium.server.gateway import Connection
from podium.server.terminals import Terminal

COMPLETE: Final = "table"
"""The kind of a message that shows a table completely, including what `CHANGES` would change."""
CHANGES: Final = "counts"


class _Broadcast:
    """One message, and who has yet to get it."""

    __slots__ = ("at", "kind", "lines", "message")

    def __init__(self, kind: str, message: bytes, lines: list[Connection]) -> None:
        self.kind: Final = kind
        self.message: Final = message
        self.lines: Final = lines
        self.at = 0


class Outgoing:
    """The messages for everybody who watches one table, in order."""

    def __init__(self) -> None:
        self._of: dict[Terminal, Connection] = {}
        self._lines: dict[Connection, None] = {}
        self._listed: list[Connection] | None = None
        """The same as a list, which the broadcasts share until it changes."""
        self._queue: list[_Broadcast] = []

    def __bool__(self) -> bool:
        return bool(self._queue)

    def add(self, terminal: Terminal, line: Connection) -> None:
        """Adds a line that begins to watch and has been shown everything: it gets what comes after."""
        self.remove(terminal)
        self._of[terminal] = line
        self._lines[line] = None
        self._listed = None

    def remove(self, terminal: Terminal) -> None:
        """Sends nothing more over a line; harmless if it does not watch."""
        line = self._of.pop(terminal, None)
        if line is not None:
            del self._lines[line]
            self._listed = None

    def put(self, kind: str, message: bytes) -> None:
        """Queues a message for everybody. Those who have yet to get a message that it replaces do not get that one."""
        replaced = (COMPLETE, CHANGES) if kind == COMPLETE else (kind,)
        self._queue = [waiting for waiting in self._queue if waiting.kind not in replaced]
        if self._listed is None:
            self._listed = list(self._lines)
        if self._listed:
            self._queue.append(_Broadcast(kind, message, self._listed))

    def send(self, most: int) -> int:
        """Sends at most that many messages. Returns how many it sent."""
        sent = 0
        while self._queue and sent < most:
            first = self._queue[0]
            some = first.lines[first.at : first.at + most - sent]
            first.at += len(some)
            sent += len(some)
            self._write(some, first.message)
            if first.at >= len(first.lines):
                del self._queue[0]
        return sent

    def _write(self, lines: Iterable[Connection], message: bytes) -> None:
        watching = self._lines
        for line in lines:
            if line in watching:  # not to one that has left since
                line.send(message)
