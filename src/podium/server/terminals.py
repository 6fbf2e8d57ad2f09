"""A terminal, across all its connections."""

from collections import OrderedDict
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.server import limits
from podium.server.gateway import Connection
from podium.wire.commands import AnyCommand
from podium.wire.messages import Acknowledged, Message, Refusal

MAX_BEGINNING_CHARS: Final = 60
"""The length of a sentence after it was cut: in any script, escaped, it fits into an answer twice."""

MAX_KEPT_BYTES: Final = 256
"""The longest command that is remembered as it was written; of a longer one its hash is kept."""

encode: Final = msgspec.json.Encoder().encode
decode: Final = msgspec.json.Decoder(AnyCommand).decode


class Who(NamedTuple):
    """Who sits at a terminal."""

    name: str
    role: str
    terminal: str = ""
    """The name of the terminal, by which its meters are counted (MTR-1)."""
    device: str = ""
    """Its session, which identifies a terminal that is not enrolled; empty if the name does."""
    reads: str = ""
    """The table at which it reads cards; empty for everything but a card reader."""


class Terminal:
    """One terminal, across all its connections."""

    def __init__(self, key: str, who: Who) -> None:
        self.key: Final = key
        self.who: Final = who
        self.connection: Connection | None = None
        self.tables: list[str] = []
        """The tables that it watches, the one watched longest first."""
        self.token: Final = key.partition("~")[0]
        self.pending: set[int] = set()
        self.answers: OrderedDict[int, bytes] = OrderedDict()
        self.heard: dict[int, bytes | int] = {}
        """Each command that waits for its answer or whose answer is kept, by its id: as it was written, or the hash of a long one."""

    def send(self, message: Message) -> None:
        if self.connection is not None:
            self.connection.send(encode(message))

    def remember(self, command: AnyCommand, message: bytes) -> None:
        """Remembers a command by its id, to recognize it when it is sent again."""
        self.heard[command.id] = message if len(message) <= MAX_KEPT_BYTES else _content(command)

    def has_heard(self, command: AnyCommand, message: bytes) -> bool:
        """Whether this is the remembered command of that id; it may be written in other bytes."""
        known = self.heard[command.id]
        if isinstance(known, bytes):
            return known == message or _content(decode(known)) == _content(command)
        return known == _content(command)

    def answer(self, answer: Acknowledged | Refusal) -> None:
        """Answers a command and keeps the answer, because the terminal may not receive it and send the command again."""
        self.pending.discard(answer.id)
        self.answers[answer.id] = encoded = _within_limit(answer)
        while len(self.answers) > limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL:
            forgotten, _ = self.answers.popitem(last=False)
            self.heard.pop(forgotten, None)
        if self.connection is not None:
            self.connection.send(encoded)


def _content(command: AnyCommand) -> int:
    return hash(encode(command))


def _within_limit(answer: Acknowledged | Refusal) -> bytes:
    """Encodes an answer. A refusal repeats what was asked, and must not grow with it."""
    encoded = encode(answer)
    if len(encoded) <= limits.MAX_ANSWER_BYTES or isinstance(answer, Acknowledged):
        return encoded
    cut = Refused("cut-short", beginning=answer.reason[:MAX_BEGINNING_CHARS])
    return encode(Refusal(id=answer.id, reason=str(cut), why=cut.phrase))


class _Numbered(msgspec.Struct):
    id: int = 0


def id_of(message: bytes) -> int:
    """The id of a message that could not be decoded."""
    try:
        return msgspec.json.decode(message, type=_Numbered).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0


english("refused", {"cut-short": "{beginning} \N{HORIZONTAL ELLIPSIS}"})
