"""A terminal, across all its connections."""

from collections import OrderedDict
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.server import limits
from podium.server.gateway import Connection
from podium.wire.messages import Acknowledged, Message, Refusal

MAX_BEGINNING_CHARS: Final = 60
"""Characters left of a sentence that was cut: in any script, and escaped, they fit into an answer twice."""

encode: Final = msgspec.json.Encoder().encode


class Who(NamedTuple):
    """Who sits at a terminal."""

    name: str
    role: str
    terminal: str = ""
    """The name of the terminal, by which its meters are counted (MTR-1)."""
    device: str = ""
    """What tells a terminal that nobody enrolled from the others: its session. Empty where the name does."""
    reads: str = ""
    """The table at which it reads cards; empty for everything but a card reader."""


class Terminal:
    """One terminal, across all its connections."""

    def __init__(self, key: str, who: Who) -> None:
        self.key: Final = key
        self.who: Final = who
        self.connection: Connection | None = None
        self.tables: list[str] = []
        """The tables that it watches, the one that has been watched longest first."""
        self.token: Final = key.partition("~")[0]
        self.pending: set[int] = set()
        self.answers: OrderedDict[int, bytes] = OrderedDict()
        self.heard: dict[int, int] = {}
        """The hash of each command that waits for its answer or whose answer is kept, by its id."""

    def send(self, message: Message) -> None:
        if self.connection is not None:
            self.connection.send(encode(message))

    def answer(self, answer: Acknowledged | Refusal) -> None:
        """Answers a command and keeps the answer, because the terminal may not receive it and send the command again."""
        self.pending.discard(answer.id)
        self.answers[answer.id] = encoded = _within_limit(answer)
        while len(self.answers) > limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL:
            forgotten, _ = self.answers.popitem(last=False)
            self.heard.pop(forgotten, None)
        if self.connection is not None:
            self.connection.send(encoded)


def _within_limit(answer: Acknowledged | Refusal) -> bytes:
    """Encodes an answer. A refusal repeats what was asked, and must not grow with it."""
    encoded = encode(answer)
    if len(encoded) <= limits.MAX_ANSWER_BYTES or isinstance(answer, Acknowledged):
        return encoded
    cut = Refused("cut-short", beginning=answer.reason[:MAX_BEGINNING_CHARS])
    return encode(Refusal(id=answer.id, reason=str(cut), why=cut.phrase))


english("refused", {"cut-short": "{beginning} \N{HORIZONTAL ELLIPSIS}"})
