"""What goes out to everybody who watches a table: in order, some at a time, and nothing that a later message replaces."""

from typing import Any, cast

from podium.server.gateway import Connection
from podium.server.outgoing import CHANGES, COMPLETE, Outgoing
from podium.server.terminals import Terminal, Who


class Heard:
    """A line that keeps what was sent."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.messages.append(message)


def hall(count: int) -> tuple[Outgoing, list[Terminal], list[Heard]]:
    outgoing, lines = Outgoing(), [Heard() for _ in range(count)]
    terminals = [Terminal(f"t{number}", Who(f"p{number}", "player")) for number in range(count)]
    for terminal, line in zip(terminals, lines, strict=True):
        outgoing.add(terminal, cast(Connection, cast(Any, line)))
    return outgoing, terminals, lines


def test_a_broadcast_is_sent_in_slices_and_reaches_everybody_once() -> None:
    outgoing, _, lines = hall(7)
    outgoing.put(COMPLETE, b"one")
    assert [outgoing.send(3), outgoing.send(3), outgoing.send(3)] == [3, 3, 1]
    assert not outgoing
    assert all(line.messages == [b"one"] for line in lines)


def test_whoever_has_yet_to_get_a_view_gets_the_newer_one_instead() -> None:
    outgoing, _, lines = hall(4)
    outgoing.put(COMPLETE, b"one")
    outgoing.send(1)
    outgoing.put(COMPLETE, b"two")
    while outgoing:
        outgoing.send(1)
    assert [line.messages for line in lines] == [[b"one", b"two"], *([[b"two"]] * 3)]


def test_counts_never_come_without_the_view_that_they_change() -> None:
    outgoing, _, lines = hall(3)
    outgoing.put(COMPLETE, b"view")
    outgoing.send(1)
    outgoing.put(CHANGES, b"counts")
    outgoing.put("history", b"history")
    while outgoing:
        outgoing.send(2)
    assert all(line.messages == [b"view", b"counts", b"history"] for line in lines)


def test_newer_counts_replace_older_ones_that_wait() -> None:
    outgoing, _, lines = hall(2)
    outgoing.put(CHANGES, b"1")
    outgoing.put(CHANGES, b"2")
    outgoing.send(10)
    assert all(line.messages == [b"2"] for line in lines)


def test_nothing_is_sent_to_one_who_left_or_over_a_line_that_was_replaced() -> None:
    outgoing, terminals, lines = hall(3)
    outgoing.put(COMPLETE, b"view")
    outgoing.remove(terminals[1])
    new = Heard()
    outgoing.add(terminals[2], cast(Connection, cast(Any, new)))
    outgoing.send(10)
    outgoing.put(CHANGES, b"counts")
    outgoing.send(10)
    assert [line.messages for line in (*lines, new)] == [[b"view", b"counts"], [], [], [b"counts"]]
