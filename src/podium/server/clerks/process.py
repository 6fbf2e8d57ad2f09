"""A clerk: a process that reads the record, one question after another, and writes answers to its standard output.

The house starts it (`podium.server.clerks`). The first line of its input says where the book is, each further line is a
question. It ends when its input does.
"""

import os
import sys
from collections.abc import Iterator
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.house.reports import Records
from podium.record.store import Away, Book
from podium.record.store.archived import MissingArchive
from podium.server.clerks.frames import AWAY, END, FAILED, HEAD, PART, PART_BYTES, REFUSED, Opening
from podium.server.clerks.questions import Question, answered
from podium.server.log import place_of


class ReadingDesk:
    """The book, and what was indexed of it so far."""

    def __init__(self, opening: Opening) -> None:
        self._opening: Final = opening
        self._book: Book | None = None
        self._records: Final = Records()

    def reply(self, line: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The answer to a question, in parts."""
        try:
            question = _decode(line)
            self._book = self._book or self._opening.book()
            for found in answered(question, self._book, self._records):
                for at in range(0, len(found), PART_BYTES):
                    yield PART, found[at : at + PART_BYTES]
        except Refused as refusal:
            yield REFUSED, msgspec.json.encode(refusal.phrase)
        except MissingArchive as missing:
            yield REFUSED, msgspec.json.encode(Refused("archive-missing", archive=missing.name).phrase)
        except Away as away:
            yield AWAY, str(away).encode()
        except Exception as error:
            yield FAILED, place_of(error).encode()
        else:
            yield END, b""


_decode: Final = msgspec.json.Decoder(Question).decode


def main() -> None:
    # Only answers go to standard output; anything else that prints goes to standard error.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        desk = ReadingDesk(msgspec.json.decode(sys.stdin.buffer.readline(), type=Opening))
        for line in sys.stdin.buffer:
            for kind, part in desk.reply(line):
                answers.write(HEAD.pack(kind, len(part)) + part)
            answers.flush()


if __name__ == "__main__":
    main()
