"""The mathematics as the house uses it: what wagers return, the largest payout, what a decision is worth.

It runs in its own processes, so that no table waits for it and the house itself does not load it. A `Worker` is a process that
answers one question after another (`podium.server.worker`). Its first question starts it, and it ends with the house. Returns,
previews and advice have a worker each, because working out a new table can take a minute, and people wait for a preview or for
advice.
"""

import asyncio
from typing import Any, Final, TypeVar

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase
from podium.maths.sight import Position
from podium.rules.games import Game, game
from podium.server.beside import Beside

MAX_WAITING: Final = 64
"""Open questions per worker, including the one that it is working on."""
MAX_ANSWER_BYTES: Final = 1 << 24
MAX_ATTEMPTS: Final = 2
"""Attempts per question, when the process ends instead of answering."""

NICE_LATER: Final = 15
NICE_SOON: Final = 5
"""The niceness of the mathematics: when nobody waits for it, and when somebody does."""
IDLE_SECONDS: Final = 60.0
"""Idle time after which a rarely used process ends; the next question starts another one."""

T = TypeVar("T")


# --- questions and answers ------------------------------------------------------------------------------------------


class Configuration(msgspec.Struct, frozen=True):
    """A configured game, by its name and the options that differ from its defaults."""

    name: str
    options: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> "Configuration":
        return cls(game.name, game.changed())

    def game(self) -> Game:
        return game(self.name, self.options)


class FindReturns(msgspec.Struct, frozen=True, tag="returns"):
    """The PAR sheet of a game, under the best play."""

    of: Configuration


class FindLargest(msgspec.Struct, frozen=True, tag="largest"):
    """The most that a player can win in a round with this main wager alone, in minor units."""

    of: Configuration
    wager: int


class FindWorths(msgspec.Struct, frozen=True, tag="worths"):
    """What each answer is worth to a player who sees this."""

    of: Configuration
    position: Position


class Prepare(msgspec.Struct, frozen=True, tag="prepare"):
    """Loads and compiles the kernels of this game in advance."""

    of: Configuration


MathsQuestion = FindReturns | FindLargest | FindWorths | Prepare


class MathsAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result, or the refusal, or the error."""

    found: msgspec.Raw = msgspec.Raw(b"null")
    refused: Phrase | None = None
    failed: str | None = None


class MathsFailed(RuntimeError):
    """There is no answer: too many questions are open, the process ended, or the calculation has an error."""


# --- workers --------------------------------------------------------------------------------------------------------


class Worker:
    """A process that answers questions in the order in which they are asked."""

    def __init__(self, nice: int, idle_seconds: float | None = None) -> None:
        self._process: Final = Beside("podium.server.worker", nice, MAX_ANSWER_BYTES)
        self._idle_seconds: Final = idle_seconds
        self._turn: Final = asyncio.Lock()
        self._open_questions = 0
        self._resting: asyncio.TimerHandle | None = None

    @property
    def process_id(self) -> int | None:
        """The running process; None while there is none."""
        return self._process.process_id

    async def ask(self, question: MathsQuestion, form: type[T]) -> T:
        """Returns the answer; raises `Refused` if the mathematics refuses, `MathsFailed` if there is no answer."""
        if self._open_questions >= MAX_WAITING:
            raise MathsFailed(f"{MAX_WAITING} questions are open")
        self._open_questions += 1
        try:
            async with self._turn:
                answer = await self._answer(msgspec.json.encode(question) + b"\n")
        finally:
            self._open_questions -= 1
            self._rest_later()
        if answer.refused is not None:
            raise Refused.saying(answer.refused)
        if answer.failed is not None:
            raise MathsFailed(answer.failed)
        return msgspec.json.decode(answer.found, type=form)

    async def _answer(self, question: bytes) -> MathsAnswer:
        for _ in range(MAX_ATTEMPTS):
            asked, answered = await self._process.lines()
            try:
                asked.write(question)
                await asked.drain()
                line = await answered.readline()
            except (BrokenPipeError, ConnectionResetError):
                line = b""
            except BaseException:  # the caller is gone, and the next question must not get this answer
                self._process.end()
                raise
            if line:
                return msgspec.json.decode(line, type=MathsAnswer)
            self._process.end()
        raise MathsFailed("the process ended without an answer")

    def _rest_later(self) -> None:
        """Ends the process when nothing is asked for a while."""
        if self._resting is not None:
            self._resting.cancel()
        if self._idle_seconds is not None:
            self._resting = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)

    def _rest(self) -> None:
        if not self._open_questions:
            self._process.end()

    async def close(self) -> None:
        """Ends the process, even in the middle of a question."""
        if self._resting is not None:
            self._resting.cancel()
        await self._process.close()


class Mathematics:
    """The workers of a house."""

    def __init__(self) -> None:
        self.returns: Final = Worker(NICE_LATER, IDLE_SECONDS)
        self.previews: Final = Worker(NICE_SOON, IDLE_SECONDS)
        self.advice: Final = Worker(NICE_SOON)

    async def close(self) -> None:
        for worker in (self.returns, self.previews, self.advice):
            await worker.close()
