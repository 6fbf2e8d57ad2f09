"""The transparency log of a stream, as a book has it: entries as leaves, and the nodes that are stored above them.

A checkpoint covers entries that are durable, and is stored together with the nodes that were completed since the one
before. Continuing from it takes a few hundred hashes, however long the stream is.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from podium.record.store.interface import Damaged, Reading, StoredCheckpoint
from podium.record.tlog import (
    STORED_LEVELS,
    Checkpoint,
    Frontier,
    Malformed,
    Node,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    parse_note,
)

_ROWS_PER_PAGE: Final = 5_000


class StoredLog:
    """The log of one stream, as far as its nodes are stored: up to its last checkpoint."""

    def __init__(self, book: Reading, stream: str) -> None:
        self._book: Final = book
        self._stream: Final = stream

    def frontier(self, size: int) -> Frontier:
        """The frontier at a size."""
        return Frontier.at(size, self._node_at)

    def consistency(self, old: int, size: int) -> list[bytes]:
        """The proof that the log of a size begins with the one that had `old` entries."""
        return consistency_proof(self._node_at, old, size)

    def inclusion(self, sequence: int, size: int) -> list[bytes]:
        """The proof that the log of a size has the entry of that sequence number."""
        return inclusion_proof(self._node_at, sequence - 1, size)

    def _node_at(self, level: int, number: int) -> bytes:
        stored = level // STORED_LEVELS * STORED_LEVELS
        count = 1 << level - stored
        hashes = self._stored(stored, number * count, count)
        if len(hashes) != count:
            raise Damaged(
                f"Node {number} of level {level} of {self._stream} does not follow from what is stored (EVT-5)."
            )
        while len(hashes) > 1:
            hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
        return hashes[0]

    def _stored(self, level: int, first: int, count: int) -> list[bytes]:
        if level == 0:
            return [leaf_hash(entry) for entry in self._book.hashes(self._stream, first, count)]
        nodes = self._book.nodes(self._stream, level, first, count)
        return [node.hash for node in nodes if node.number < first + count]


def grow(book: Reading, stream: str, frontier: Frontier, size: int) -> Iterator[list[Node]]:
    """Adds the entries of a stream to a frontier until it has that size, page by page. Yields the nodes that each completed."""
    while frontier.size < size:
        page = book.hashes(stream, frontier.size, min(_ROWS_PER_PAGE, size - frontier.size))
        if not page:
            raise Damaged(f"{stream} ends with entry {frontier.size}, but {size} were expected (EVT-5).")
        yield frontier.add(page)


def roots_at(book: Reading, stream: str, sizes: Iterable[int]) -> dict[int, bytes]:
    """The root of a stream's log at each of these sizes, from its entries alone."""
    frontier, roots = Frontier(), {}
    for size in sorted(set(sizes)):
        for _ in grow(book, stream, frontier, size):
            pass
        roots[size] = frontier.root()
    return roots


def read_checkpoint(stored: StoredCheckpoint) -> Checkpoint:
    """Reads a stored checkpoint; `Damaged` if it is not one of its stream."""
    try:
        checkpoint = Checkpoint.parse(parse_note(stored.note).text)
    except Malformed as error:
        raise Damaged(f"The checkpoint of {stored.stream} is not one: {error} (EVT-5)") from None
    if checkpoint.size != stored.size or not checkpoint.origin.endswith(f"/{stored.stream}"):
        raise Damaged(f"The checkpoint of {stored.stream} at entry {stored.size} is one of another (EVT-5).")
    return checkpoint


def prove_checkpoints(book: Reading) -> int:
    """Proves that every checkpoint is the root of its stream's entries and that every stored node follows from them;
    returns how many there are."""
    checkpoints = book.checkpoints()
    wanted: dict[tuple[str, int], int] = {}
    for stored in checkpoints:
        root = read_checkpoint(stored).root
        frontier = Frontier()
        for completed in grow(book, stored.stream, frontier, stored.size):
            _prove_nodes(book, stored.stream, completed)
        if frontier.root() != root:
            raise _differs(stored)
        for level in range(STORED_LEVELS, stored.size.bit_length(), STORED_LEVELS):
            wanted[stored.stream, level] = stored.size >> level
    for (stream, _), _ in sorted(book.node_counts().items() ^ wanted.items()):
        raise Damaged(f"The nodes of {stream} that are stored are not those of its checkpoint (EVT-5).")
    return len(checkpoints)


def prove_checkpoint_ends(book: Reading) -> None:
    """Proves quickly that every checkpoint follows from the stored nodes and the last entries before it."""
    heads = book.heads()
    for stored in book.checkpoints():
        reached = heads[stored.stream].sequence if stored.stream in heads else 0
        if reached < stored.size:
            raise Damaged(f"{stored.stream} was cut: {stored.size} entries were signed, and it has {reached} (EVT-5).")
        if StoredLog(book, stored.stream).frontier(stored.size).root() != read_checkpoint(stored).root:
            raise _differs(stored)


def _differs(stored: StoredCheckpoint) -> Damaged:
    return Damaged(
        f"{stored.stream} was rewritten: its first {stored.size} entries are not those of the signed checkpoint (EVT-5)."
    )


def _prove_nodes(book: Reading, stream: str, completed: Iterable[Node]) -> None:
    for node in completed:
        if book.nodes(stream, node.level, node.number, 1) != [node]:
            raise Damaged(f"Node {node.number} of level {node.level} of {stream} was altered (EVT-5).")
