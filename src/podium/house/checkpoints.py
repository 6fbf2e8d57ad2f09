"""The checkpoints of a house: signed as its streams grow, and compared with what a witness elsewhere has seen (EVT-5).

Every stream is a transparency log of its own. The house's own stream vouches for the documents by their digests and names every
other stream by the tables of its configurations, so if all logs agree, the whole record is the one that was seen.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from podium.house.events import HouseConfigured, HouseStarted, decode
from podium.house.state import HOUSE, stream_of
from podium.record.store import (
    Damaged,
    Reading,
    Signed,
    StoredCheckpoint,
    StoredLog,
    grow,
    read_checkpoint,
    read_stream,
    roots_at,
)
from podium.record.tlog import (
    Checkpoint,
    Frontier,
    Malformed,
    Node,
    NoteSigner,
    NoteVerifier,
    Submission,
    origin_of,
    parse_note,
)

_STARTED: Final = str(HouseStarted.__struct_config__.tag)
_CONFIGURED: Final = str(HouseConfigured.__struct_config__.tag)
_NAME_DIGITS: Final = 16


def house_name(book: Reading) -> str:
    """The name of a house in its logs: the hash of its very first entry, so that no two houses share one."""
    first = book.hashes(HOUSE, 0, 1)
    if not first:
        raise Damaged(f"The stream {HOUSE} is empty: a house without it has no name (EVT-5).")
    return f"podium/{first[0].hex()[:_NAME_DIGITS]}"


class Signatory:
    """Signs a checkpoint of every stream that grew. It remembers the frontier of each, and otherwise reads it from the book."""

    def __init__(self, secret: bytes) -> None:
        self._secret: Final = secret
        self._frontiers: dict[str, Frontier] = {}

    def sign(self, book: Reading, now: int) -> list[Signed]:
        """New checkpoints for entries that are durable and not signed yet. Call `forget` when they could not be stored."""
        # The house's stream is read before the others, so every table that it names is there too.
        heads, known = book.heads(), {each.stream: each.size for each in book.checkpoints()}
        signer = NoteSigner(house_name(book), self._secret) if heads else None
        signed = []
        for stream, head in heads.items():
            size = known.get(stream, 0)
            if signer is not None and head.sequence > size:
                signed.append(self._sign(book, signer, stream, head.sequence, size, now))
        return signed

    def _sign(self, book: Reading, signer: NoteSigner, stream: str, size: int, before: int, now: int) -> Signed:
        frontier = self._frontiers.get(stream)
        if frontier is None or frontier.size != before:
            frontier = StoredLog(book, stream).frontier(before)
        nodes: list[Node] = []
        for completed in grow(book, stream, frontier, size):
            nodes += completed
        self._frontiers[stream] = frontier
        checkpoint = Checkpoint(origin_of(signer.verifier.name, stream), size, frontier.root())
        return Signed(StoredCheckpoint(stream, size, now, str(signer.sign(checkpoint.text()))), nodes)

    def forget(self) -> None:
        """Drops the last checkpoints, which may not have been stored; the book is read again."""
        self._frontiers.clear()


def public_half(secret: bytes) -> str:
    """The public half of the signing key, as the journal announces it."""
    return NoteSigner("podium", secret).verifier.key.hex()


def verifier_key(book: Reading, secret: bytes) -> NoteVerifier:
    """The public half of the signing key under the name of the house, as a regulator keeps it."""
    return NoteSigner(house_name(book), secret).verifier


def submissions(book: Reading, known: Mapping[str, int]) -> list[Submission]:
    """Returns the last checkpoint of every stream, with the proof that its log begins with what a witness knows of it: by
    origin, a number of entries."""
    made = []
    for stored in book.checkpoints():
        note, old = parse_note(stored.note), known.get(read_checkpoint(stored).origin, 0)
        # A log that is shorter than the witness's proves nothing, and the check reports it.
        proof = StoredLog(book, stored.stream).consistency(old, stored.size) if old <= stored.size else []
        made.append(Submission(note, old, tuple(proof)))
    return made


# --- the house's own checkpoints against its record ------------------------------------------------------------------------


class Named(NamedTuple):
    """The keys and streams that the house's own stream names."""

    signers: frozenset[bytes]
    """All public keys ever announced."""
    streams: dict[str, int]
    """Every stream, with the entry of the house's stream that named it first."""


def read_named(book: Reading) -> Named:
    signers, streams = set(), {HOUSE: 1}
    for entry in read_stream(book, HOUSE):
        if entry.kind not in (_STARTED, _CONFIGURED):
            continue
        match decode(entry.payload):
            case HouseStarted(signer=signer) if signer:
                signers.add(bytes.fromhex(signer))
            case HouseConfigured(config):
                for table in config.tables:
                    streams.setdefault(stream_of(table), entry.sequence)
    return Named(frozenset(signers), streams)


def prove_streams(book: Reading, named: Named) -> None:
    """Checks that every stream named in the house's own stream has entries, and that there is no other."""
    there = book.heads()
    for stream, entry in named.streams.items():
        if stream not in there:
            raise Damaged(f"Entry {entry} of {HOUSE} names {stream}, which has no entries any more (EVT-4).")
    for stream in there:
        if stream not in named.streams:
            raise Damaged(f"The journal has a stream {stream} that {HOUSE} does not name (EVT-4).")


def prove_signatures(book: Reading, named: Named) -> None:
    """Checks that every stored checkpoint is signed by a key that the house's stream announced."""
    name = house_name(book)
    verifiers = [NoteVerifier(name, key) for key in named.signers]
    for stored in book.checkpoints():
        if read_checkpoint(stored).origin != origin_of(name, stored.stream):
            raise Damaged(f"The checkpoint of {stored.stream} is one of another house (EVT-5).")
        try:
            if not any(verifier.verified(parse_note(stored.note)) for verifier in verifiers):
                raise Damaged(f"The checkpoint of {stored.stream} is not signed by a key of this house (EVT-5).")
        except Malformed as error:
            raise Damaged(f"The checkpoint of {stored.stream} is not sound: {error} (EVT-5)") from None


# --- the record against a witness ------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A checkpoint that a witness has seen, and when, in seconds since 1970."""

    checkpoint: Checkpoint
    seconds: int | None = None
    by: str = "the witness"

    def __str__(self) -> str:
        when = "" if self.seconds is None else f" at {datetime.fromtimestamp(self.seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
        return f"entry {self.checkpoint.size} (seen by {self.by}{when})"


class Witnessed(NamedTuple):
    """How far a record agrees with its witnesses."""

    streams: int
    entries: int
    """Entries that a witness has seen; none of them was altered since."""
    later: int
    """Entries that no witness has seen yet."""
    seconds: int | None
    """When a witness last saw something, in seconds since 1970."""


def compare(book: Reading, seen: Iterable[Seen], named: Named) -> Witnessed:
    """Compares a record with what witnesses have seen; the first difference is `Damaged`."""
    name = house_name(book)
    by_stream: dict[str, list[Seen]] = {}
    others = set()
    for each in seen:
        house, _, stream = each.checkpoint.origin.removeprefix("podium/").partition("/")
        if f"podium/{house}" == name:
            by_stream.setdefault(stream, []).append(each)
        else:
            others.add(each.checkpoint.origin)
    if not by_stream:
        found = f"the log {min(others)}" if others else "nothing"
        raise Damaged(
            f"The witness saw {found}, and this record is {name}: it is another house's, or it was rewritten from its "
            "first entry on (EVT-5)."
        )
    heads = {stream: head.sequence for stream, head in book.heads().items()}
    for stream, listed in sorted(by_stream.items()):
        _compare(book, stream, sorted(listed, key=lambda each: each.checkpoint.size), heads.get(stream, 0))
    covered = {stream: max(each.checkpoint.size for each in listed) for stream, listed in by_stream.items()}
    _nothing_kept_back(covered, named.streams)
    times = [each.seconds for listed in by_stream.values() for each in listed if each.seconds is not None]
    entries = sum(covered.values())
    return Witnessed(len(covered), entries, sum(heads.values()) - entries, max(times, default=None))


def _compare(book: Reading, stream: str, seen: list[Seen], reached: int) -> None:
    """Compares one stream at every size at which it was seen, the shortest first."""
    roots = roots_at(book, stream, [each.checkpoint.size for each in seen if each.checkpoint.size <= reached])
    agreed: Seen | None = None
    for each in seen:
        size, root = each.checkpoint.size, each.checkpoint.root
        if size > reached:
            raise Damaged(f"{stream} was cut or rolled back: it has {reached} entries, and there was {each} (EVT-5).")
        if roots[size] != root:
            since = f"it agrees up to {agreed}, but" if agreed else "it does"
            raise Damaged(f"{stream} was rewritten: {since} not at {each} (EVT-5).")
        agreed = each


def _nothing_kept_back(covered: Mapping[str, int], streams: Mapping[str, int]) -> None:
    """Checks that a witness that has seen a stream named has also seen that stream: all are signed and fetched
    together."""
    for stream, entry in streams.items():
        if stream not in covered and entry <= covered.get(HOUSE, 0):
            raise Damaged(
                f"{stream} was kept from the witness, which has seen it named in entry {entry} of {HOUSE} (EVT-5)."
            )
