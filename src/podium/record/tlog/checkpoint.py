"""Checkpoints as C2SP publishes them: the origin of a log, its size and its root, in a signed note.

Several of them in one text are separated by an empty line. A submission is a checkpoint with the proof that its log begins
with the one that a witness saw before: what is sent to a witness, over the network or by mail.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from podium.record.tlog.note import (
    Malformed,
    NoteVerifier,
    SignedNote,
    from_base64,
    parse_signatures,
    timestamp_of,
)

MAX_PROOF_HASHES = 63
_HASH_BYTES = 32
_OLD = "old "
_EMPTY_LINES = re.compile(r"\n{2,}")


class Checkpoint(NamedTuple):
    """How long a log is, and the root of its tree."""

    origin: str
    """The log: `podium/HOUSE/STREAM`."""
    size: int
    root: bytes

    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Reads a checkpoint from the text of a note. Extension lines are not used here and are ignored."""
        lines = text.split("\n")
        if len(lines) < 4 or not all(lines[:-1]) or lines[-1]:
            raise Malformed("A checkpoint has three lines: the origin, the size, and the root.")
        origin, size, root = lines[0], lines[1], from_base64(lines[2])
        if len(root) != _HASH_BYTES:
            raise Malformed(f"The root of {origin} is not a SHA-256 hash.")
        return cls(origin, _number(size), root)


class Submission(NamedTuple):
    """A signed checkpoint, and the proof that its log begins with the first `old` entries."""

    note: SignedNote
    old: int = 0
    proof: tuple[bytes, ...] = ()


def origin_of(house: str, stream: str) -> str:
    """The log of a stream."""
    return f"{house}/{stream}"


def cosigned_at(note: SignedNote, witness: NoteVerifier) -> int | None:
    """When that witness cosigned a note, in seconds since 1970; None if it did not. A false cosignature is
    `Malformed`."""
    signature = witness.verified(note)
    return None if signature is None else timestamp_of(signature.bytes)


# --- several in one text ------------------------------------------------------------------------------------------------


def write_notes(notes: Iterable[SignedNote]) -> str:
    """Writes notes into one text, each followed by an empty line."""
    return "".join(f"{note}\n" for note in notes)


def read_notes(text: str, *, torn: bool = False) -> Iterator[SignedNote]:
    """Reads the notes in a text. `torn` ignores what is not a note: a file may have lost its end to a power cut."""
    return (each.note for each in read_submissions(text, torn=torn))


def write_submissions(submissions: Iterable[Submission]) -> str:
    """Writes submissions into one text, each followed by an empty line."""
    return "".join(f"{''.join(_proof_lines(each))}\n{each.note}\n" for each in submissions)


def _proof_lines(submission: Submission) -> Iterator[str]:
    yield f"{_OLD}{submission.old}\n"
    for each in submission.proof:
        yield f"{base64.b64encode(each).decode()}\n"


def read_submissions(text: str, *, torn: bool = False) -> Iterator[Submission]:
    """Reads the submissions in a text; plain notes count as submissions without a proof."""
    old, body = 0, ""
    proof: tuple[bytes, ...] = ()
    # Mail may have changed how lines end.
    for block in filter(None, _EMPTY_LINES.split(text.replace("\r\n", "\n").strip("\n"))):
        try:
            if block.startswith(_OLD):
                old, proof = _read_proof(block)
            elif block.startswith("\N{EM DASH} "):
                note = SignedNote(f"{body}\n", parse_signatures(block))
                Checkpoint.parse(note.text)
                yield Submission(note, old, proof)
                old, proof, body = 0, (), ""
            elif body:
                raise Malformed(f"The checkpoint of {body.partition(chr(10))[0][:80]} has no signature.")
            else:
                body = block
        except Malformed:
            if not torn:
                raise
            old, proof, body = 0, (), "" if block.startswith((_OLD, "\N{EM DASH} ")) else block
    if (body or old) and not torn:
        raise Malformed("The last checkpoint has no signature.")


def _read_proof(block: str) -> tuple[int, tuple[bytes, ...]]:
    first, *hashes = block.split("\n")
    if len(hashes) > MAX_PROOF_HASHES:
        raise Malformed(f"A proof has at most {MAX_PROOF_HASHES} hashes.")
    return _number(first.removeprefix(_OLD)), tuple(from_base64(each) for each in hashes)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or (text != "0" and text.startswith("0")) or len(text) > 18:
        raise Malformed(f"{text[:20]!r} is not the size of a log.")
    return int(text)
