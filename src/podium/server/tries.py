"""Sign-in attempts, counted when they begin: making a thousand at once gains nothing over making them in turn
(SEC-1)."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.people import Strikes
from podium.server import limits
from podium.server.arrivals import counted_as

MINUTE_MS: Final = 60_000


class AtNoCost(Refused):
    """Refused for now, because the house is busy or a second person must approve it first: the attempt does not count."""


class TriesByAddress:
    """The attempts of the last minute from each address that failed or are not answered yet. Successful ones do not
    count."""

    def __init__(self) -> None:
        self._began: OrderedDict[str, list[int]] = OrderedDict()

    @contextmanager
    def one(self, address: str, now: int) -> Iterator[None]:
        """Wraps one attempt. Refused when too many have failed or are still under way."""
        address = counted_as(address)
        recent = self._recent(address, now)
        if len(recent) >= limits.MAX_FAILURES_PER_MINUTE:
            raise Refused("too-many-tries", clause="SEC-1")
        recent.append(now)
        self._began[address] = recent
        self._began.move_to_end(address)
        while len(self._began) > limits.MAX_WATCHED_ADDRESSES:
            self._began.popitem(last=False)
        try:
            yield
        except AtNoCost:
            self._give_back(address, now)
            raise
        self._give_back(address, now)

    def _recent(self, address: str, now: int) -> list[int]:
        return [at for at in self._began.get(address, ()) if now - at < MINUTE_MS]

    def _give_back(self, address: str, at: int) -> None:
        began = self._began.get(address, [])
        if at in began:
            began.remove(at)
        if not began:
            self._began.pop(address, None)

    def failed(self, address: str, now: int) -> int:
        """How many attempts of the last minute failed, or are under way."""
        return len(self._recent(counted_as(address), now))

    def __len__(self) -> int:
        return len(self._began)


class TriesByName:
    """Attempts under way by name and by terminal, and the wrong passwords that no account keeps: those at an enrolled
    terminal, which a stranger elsewhere cannot use up, and those for names that nobody has."""

    def __init__(self) -> None:
        self._in_flight: Counter[tuple[str, str]] = Counter()
        self._strikes: OrderedDict[tuple[str, str], Strikes] = OrderedDict()

    @contextmanager
    def one(self, name: str, terminal: str, strikes: Strikes, now: int) -> Iterator[Callable[[], None]]:
        """Wraps one attempt for a name at a terminal, "" for one that is not enrolled. It is no longer under way when what
        it yields is called, so that a wrong password is not counted twice."""
        lane = name, terminal
        strikes.check(now, in_flight=self._in_flight[lane])
        self._in_flight[lane] += 1
        under_way = [lane]

        def decided() -> None:
            while under_way:
                self._in_flight[under_way.pop()] -= 1
            if not self._in_flight[lane]:
                del self._in_flight[lane]

        try:
            yield decided
        finally:
            decided()

    def strikes(self, name: str, terminal: str) -> Strikes:
        return self._strikes.get((name, terminal), Strikes())

    def strike(self, name: str, terminal: str, strikes: Strikes) -> None:
        """Remembers the number of wrong passwords for a name at a terminal; 0 is not kept."""
        lane = name, terminal
        self._strikes.pop(lane, None)
        if strikes.wrong:
            self._strikes[lane] = strikes
        while len(self._strikes) > limits.MAX_WATCHED_NAMES:
            self._strikes.popitem(last=False)


english("refused", {"too-many-tries": "Too many failed attempts from here: wait a minute."})
