"""What was acknowledged last, noted beside the book, so that a loss is found (INT-5).

SQLite takes damaged bytes at the end of its log for a write that was never finished, and opens without it; it notices
neither a log that is gone nor a page that a disk reported as written and never wrote. So the book notes in a small file
how far every stream goes. A book that does not go that far has lost something that was acknowledged.

The note is written after every commit, and synced a moment later or about once a second, so nobody waits for it. It is
written to two places in turn, so that a power failure that tears one note leaves the one before.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from podium.record.journal import Entry
from podium.record.store.disk import Files
from podium.record.store.interface import Append, Reading

_PLACE_BYTES: Final = 256 * 1024
"""Enough for a thousand streams with long names."""
_DIGEST_BYTES: Final = 16
_SIZE_BYTES: Final = 4


class Trace(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that an append wrote. An append is stored whole or not at all, so finding one thing is enough."""

    stream: str = ""
    sequence: int = 0
    """The entry of the stream, or the number of entries that a checkpoint covers."""
    hash: str = ""
    """The hash of the entry or of a document's body; empty for a checkpoint."""
    kind: str = ""
    key: str = ""
    version: int = 0

    def __str__(self) -> str:
        if self.version:
            return f"version {self.version} of {self.kind} {self.key}"
        return f"entry {self.sequence} of {self.stream}" if self.hash else f"the checkpoint of {self.stream}"


def trace_of(append: Append) -> Trace | None:
    """What to look for to know whether an append is stored; None if it is empty."""
    if append.entries:
        last = append.entries[-1]
        return Trace(stream=last.stream, sequence=last.sequence, hash=last.hash.hex())
    if append.documents:
        document = append.documents[-1]
        body = sha256(document.body).hexdigest()
        return Trace(kind=document.kind, key=document.key, version=document.version, hash=body)
    if append.checkpoints:
        checkpoint = append.checkpoints[-1].checkpoint
        return Trace(stream=checkpoint.stream, sequence=checkpoint.size)
    return None


def is_stored(book: Reading, trace: Trace) -> bool:
    """Whether a book holds this; a later version or checkpoint of the same thing follows from it."""
    if trace.version:
        found = [each for each in book.versions_of(trace.kind, [trace.key]) if each.version == trace.version]
        return bool(found) and sha256(found[0].body).hexdigest() == trace.hash
    if trace.hash:
        hashes = book.hashes(trace.stream, trace.sequence - 1, 1)
        return bool(hashes) and hashes[0].hex() == trace.hash
    return any(each.stream == trace.stream and each.size >= trace.sequence for each in book.checkpoints())


class Note(msgspec.Struct, frozen=True):
    """How far a book goes."""

    number: int
    """Grows with every note; the higher one of two counts."""
    ends: dict[str, tuple[int, str]]
    """The last entry of every stream, and its hash."""
    other: Trace | None = None
    """A document or a checkpoint, where the last commit had no entry."""

    def traces(self) -> Iterator[Trace]:
        for stream, (sequence, hash) in self.ends.items():
            yield Trace(stream=stream, sequence=sequence, hash=hash)
        if self.other is not None:
            yield self.other


class LastCommit:
    """The note beside a book's file."""

    def __init__(self, files: Files, book: Path) -> None:
        self._files: Final = files
        self.path: Final = last_commit_file(book)
        self._unsynced = False
        self._note = self.read() or Note(0, {})

    def read(self) -> Note | None:
        """The newer of the two notes that is whole; None if there is none."""
        data = self._files.read(self.path)
        notes = filter(None, (_note(data[at : at + _PLACE_BYTES]) for at in (0, _PLACE_BYTES)))
        return max(notes, key=lambda note: note.number, default=None)

    def write(self, kept: Iterable[Append]) -> None:
        """Notes what a commit has made durable."""
        last: dict[str, Entry] = {}
        other = None
        for append in kept:
            for entry in append.entries:
                last[entry.stream] = entry
            if not append.entries:
                other = trace_of(append) or other
        ends = {stream: (entry.sequence, entry.hash.hex()) for stream, entry in last.items()}
        note = Note(self._note.number + 1, self._note.ends | ends, other)
        written = packed(note)
        # A note that is too long for its place is not written: the one before it still holds.
        if len(written) <= _PLACE_BYTES:
            self._files.write(self.path, note.number % 2 * _PLACE_BYTES, written)
            self._note, self._unsynced = note, True

    def sync(self) -> None:
        """Makes the note durable."""
        if self._unsynced:
            self._files.sync(self.path)
            self._unsynced = False


def last_commit_file(book: Path) -> Path:
    return book.with_name(f"{book.name}.last")


def packed(note: msgspec.Struct) -> bytes:
    """A note as it is written into a file: digest, size, JSON."""
    body = msgspec.json.encode(note)
    return sha256(body).digest()[:_DIGEST_BYTES] + len(body).to_bytes(_SIZE_BYTES) + body


def unpacked(place: bytes) -> bytes | None:
    """The JSON of the note that was written there; None if it is not whole."""
    start = _DIGEST_BYTES + _SIZE_BYTES
    body = place[start : start + int.from_bytes(place[_DIGEST_BYTES:start])]
    return body if body and sha256(body).digest()[:_DIGEST_BYTES] == place[:_DIGEST_BYTES] else None


def _note(place: bytes) -> Note | None:
    body = unpacked(place)
    return None if body is None else msgspec.json.decode(body, type=Note)
