"""Goes through every state that a world of the model can reach."""

from collections import deque
from typing import NamedTuple

from tests.wallets.model import Settings, Violation, beginning, check, is_home, steps


class Explored(NamedTuple):
    """What was found."""

    states: int
    home: int
    """How many of them are home."""
    violation: str
    """What must not be, and is; empty where everything holds."""
    path: tuple[str, ...]
    """The shortest way there."""


def explore(settings: Settings) -> Explored:
    """Every state, the nearest first, until one violates what must hold. Where none does, every state must have a way home."""
    first = beginning(settings)
    number = {first: 0}
    came_from: list[tuple[int, str]] = [(0, "")]
    before: list[list[int]] = [[]]
    home: list[int] = []
    queue = deque([first])
    while queue:
        world = queue.popleft()
        at = number[world]
        try:
            check(world)
            for what, after in steps(world, settings):
                then = number.setdefault(after, len(number))
                if then == len(before):
                    before.append([])
                    came_from.append((at, what))
                    queue.append(after)
                before[then].append(at)
        except Violation as violation:
            return Explored(len(number), len(home), str(violation), _path(came_from, at))
        if is_home(world, settings):
            home.append(at)
    lost = _without_a_way(before, home)
    if lost is not None:
        return Explored(len(number), len(home), "there is no way home", _path(came_from, lost))
    return Explored(len(number), len(home), "", ())


def _without_a_way(before: list[list[int]], home: list[int]) -> int | None:
    """The first state from which no home can be reached."""
    reached = bytearray(len(before))
    waiting = deque(home)
    while waiting:
        at = waiting.popleft()
        if not reached[at]:
            reached[at] = 1
            waiting.extend(before[at])
    return next((at for at, found in enumerate(reached) if not found), None)


def _path(came_from: list[tuple[int, str]], at: int) -> tuple[str, ...]:
    path: list[str] = []
    while at:
        at, what = came_from[at]
        path.append(what)
    return tuple(reversed(path))
