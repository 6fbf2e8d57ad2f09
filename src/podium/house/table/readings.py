"""Cards from an enrolled reader: each is held until the dealer has had time to look at it (CARD-11)."""

from typing import Final, NamedTuple

import msgspec

from podium.basics.words import Phrase


class HeldReading(msgspec.Struct, frozen=True):
    """A card that was read and does not count yet."""

    entry: int
    """The entry of the journal that holds it; its number names the reading."""
    reader: str
    at: int
    sealed: str
    """Its sealed face, until it counts or the dealer has corrected it."""
    stopped: bool = False
    """Whether the dealer has stopped it, or it cannot be right: then it waits for the dealer."""
    why: Phrase | None = None
    """Why it cannot be right."""


class LastReading(NamedTuple):
    """The last reading of a reader. One with the same numbers is a repetition."""

    session: str
    number: int


class Readings:
    """What the readers of a table have read."""

    def __init__(self) -> None:
        self.held: HeldReading | None = None
        self.last: Final[dict[str, LastReading]] = {}
        """By reader."""
        self.unexpected: tuple[str, int] | None = None
        """The reader that last read a card that was not awaited, and when; None once a card has counted."""

    @property
    def waits(self) -> bool:
        """Whether a card is held that will count by itself."""
        return self.held is not None and not self.held.stopped

    def is_repeated(self, reader: str, session: str, number: int) -> bool:
        last = self.last.get(reader)
        return last is not None and last.session == session and number <= last.number

    def follows(self, reader: str, session: str, number: int) -> int | None:
        """The number that was expected, if this one skips some."""
        last = self.last.get(reader)
        due = last.number + 1 if last is not None and last.session == session else 1
        return due if last is not None and last.session == session and number != due else None

    def snapshot(self) -> dict[str, LastReading]:
        return dict(self.last)
