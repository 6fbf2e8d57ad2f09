"""A card-reading shoe, a shuffler or a barcode reader at a table: its lines become readings of the house (docs/devices.md).

The adapter reads lines from a device and answers each one when the house has stored it, so that a device which repeats a
line without an answer loses no card and deals none twice.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Final, NamedTuple

from podium.basics.cards import DECK, Card, card
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.terminal import Client, Disconnected
from podium.wire.commands import ReadCard
from podium.wire.messages import TableView

MAX_LINE_CHARS: Final = 200
"""A longer line is noise, and is answered with an error."""
BETWEEN_ROUNDS: Final = ("waiting", "result", "void")


async def watch(house: Client) -> TableView:
    """Watches the table that this reader was enrolled for."""
    reads = house.welcome.reads if house.welcome else ""
    if not reads:
        raise Refused("device-not-enrolled", clause="SEC-3")
    return await house.watch(reads)


class Adapter:
    """Answers the lines of one device."""

    def __init__(self, house: Client) -> None:
        self._house: Final = house
        self._own: Final = f"adapter-{secrets.token_hex(4)}"
        self._count = 0
        self._session = self._own

    async def answer(self, line: str) -> str:
        """The answer to one line, once the house has taken what it says."""
        words = line.split()
        match words:
            case ["HELLO", session] if len(session) <= 40:
                self._session = session
                return f"READY {self._house.watching}"
            case ["PING"]:
                return "PONG"
            case ["CARD", number, code] if number.isdecimal() and int(number) >= 1:
                return await self._read(self._session, int(number), code)
            case ["CARD", code]:
                answer = await self._read(self._own, self._count + 1, code)
                self._count += answer.startswith("OK")
                return answer
        return "ERR " + str(Refused("device-line", line=line[:60]))

    async def _read(self, session: str, number: int, code: str) -> str:
        try:
            read = card(code)
            await self._house.do(ReadCard, session=session, number=number, card=read.code)
        except Refused as refusal:
            return f"NO {number} {refusal}"
        return f"OK {number}"

    async def serve(self, lines: AsyncIterator[str], say: Callable[[str], None]) -> None:
        """Answers every line in turn, until the device has no more."""
        async for line in lines:
            said = line.strip()
            if said:
                say(await self.answer(said))


async def lines_of(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """The lines of a device. A line that is too long is skipped to its end, and answered as noise."""
    while True:
        try:
            raw = await stream.readuntil(b"\n")
        except asyncio.IncompleteReadError as end:
            if end.partial:
                yield end.partial.decode("ascii", "replace")[:MAX_LINE_CHARS]
            return
        except asyncio.LimitOverrunError as too_long:
            await stream.readexactly(too_long.consumed)
            yield "?" * MAX_LINE_CHARS
            continue
        yield raw.decode("ascii", "replace")[:MAX_LINE_CHARS]


# --- a simulated shoe ---------------------------------------------------------------------------------------------


class Practice(NamedTuple):
    """How a simulated shoe deals."""

    pace: float = 1.2
    """Seconds from when a card is awaited until it is drawn."""
    misreads: float = 0
    stutters: float = 0
    """The share of cards that are read as another, and that are read twice."""
    seed: int | None = None
    cards: int = 0
    """The number of cards after which it ends; 0 for never."""


class SimulatedShoe:
    """Deals real shuffles at a real pace, and misreads some cards: for tests and for practice."""

    def __init__(self, house: Client, practice: Practice, tell: Callable[[str], None]) -> None:
        self._house: Final = house
        self._practice: Final = practice
        self._tell: Final = tell
        self._chance: Final = Random(secrets.token_bytes(16) if practice.seed is None else practice.seed)
        self._session: Final = f"practice-{secrets.token_hex(4)}"
        self._cards: list[Card] = []
        self._shuffled_for: tuple[int, int] | None = None
        self._dealt_for: tuple[int, ...] | None = None
        self._read = 0

    async def run(self) -> None:
        while not self._practice.cards or self._read < self._practice.cards:
            seen, view = self._house.changes, self._house.view
            asked = _awaited(view)
            if asked is None or asked == self._dealt_for:
                await self._house.changed(since=seen)
                continue
            await asyncio.sleep(self._practice.pace)
            if _awaited(self._house.view) == asked:
                self._dealt_for = asked
                await self._deal(self._house.view)

    async def _deal(self, view: TableView) -> None:
        self._shuffle(view)
        if not self._cards:
            self._tell("The shoe is empty: load the next one.")
            return
        drawn = self._cards.pop()
        read = drawn
        if self._chance.random() < self._practice.misreads:
            read = self._chance.choice([each for each in DECK if each is not drawn])
        self._read += 1
        await self._say(read)
        self._tell(f"{drawn}" if read is drawn else f"{drawn}, misread as {read}")
        if self._chance.random() < self._practice.stutters:
            await self._say(read)

    async def _say(self, read: Card) -> None:
        try:
            await self._house.do(ReadCard, session=self._session, number=self._read, card=read.code)
        except Refused as refusal:
            self._tell(str(refusal))

    def _shuffle(self, view: TableView) -> None:
        """A shoe is shuffled when it is loaded; a continuous shuffler has all cards again for every round."""
        assert view.shoe is not None
        again = view.round if view.shoe.shuffler == "continuous" else 0
        if self._shuffled_for != (view.shoe.number, again):
            self._shuffled_for = view.shoe.number, again
            self._cards = list(DECK) * (view.shoe.cards // len(DECK))
            self._chance.shuffle(self._cards)


def _awaited(view: TableView) -> tuple[int, ...] | None:
    """Which card the table waits for; None where it waits for none."""
    shoe = view.shoe
    if shoe is None or not view.dealer:
        return None
    burns = view.phase in BETWEEN_ROUNDS and shoe.to_burn and view.shoe_wanted is None
    if not burns and view.phase != "dealing":
        return None
    return view.round, len(view.cards), shoe.number, shoe.burned


__all__ = ["Adapter", "Disconnected", "Practice", "SimulatedShoe", "lines_of", "watch"]

english(
    "refused",
    {
        "device-not-enrolled": "This token is not a card reader's: enrol one on the floor, with the table at which it reads.",
        "device-line": "{line:quoted} is not a line of a device: HELLO session, CARD number card, CARD card or PING.",
    },
)
