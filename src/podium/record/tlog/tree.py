"""The Merkle tree of RFC 6962: its root, what must be remembered to make it longer, and its two proofs.

A node is named by its level and its number there: leaf 5 is node 5 of level 0, and node `n` of level `k` stands over the
2^k leaves from `n * 2^k` on. Only complete nodes have names; their hashes never change however long the log becomes.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

EMPTY: Final = sha256(b"").digest()
"""The root of a log without entries."""
STORED_LEVELS: Final = 8
"""Of every 8 levels the lowest is stored, above the leaves: one hash for 256 entries, one for 65,536, and so on. From these
any other node follows by at most 128 of the next ones below it."""

NodeAt = Callable[[int, int], bytes]
"""The hash of the complete node of a level and a number."""


class Node(NamedTuple):
    """A complete node of a log."""

    level: int
    number: int
    hash: bytes


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """The right edge of a tree: all that is needed to add leaves and to know the root, a few hashes however long it is."""

    __slots__ = ("_peaks", "size")

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size = size
        """How many leaves there are."""
        self._peaks: list[bytes] = list(peaks)
        """The complete nodes that the leaves divide into, the highest first: one for each bit of `size` that is set."""
        if len(self._peaks) != size.bit_count():
            raise ValueError(f"{size} leaves have {size.bit_count()} peaks, not {len(self._peaks)}.")

    @classmethod
    def at(cls, size: int, node_at: NodeAt) -> "Frontier":
        """The frontier of a log of that size, from its nodes."""
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        return cls(size, [node_at(level, (size >> level) - 1) for level in levels])

    def add(self, entries: Iterable[bytes]) -> list[Node]:
        """Adds entries, and returns the nodes of stored levels that they completed."""
        completed: list[Node] = []
        peaks, size = self._peaks, self.size
        for entry in entries:
            node, level = sha256(b"\x00" + entry).digest(), 0
            while size >> level & 1:
                node = sha256(b"\x01" + peaks.pop() + node).digest()
                level += 1
                if level % STORED_LEVELS == 0:
                    completed.append(Node(level, size >> level, node))
            peaks.append(node)
            size += 1
        self.size = size
        return completed

    def root(self) -> bytes:
        """The hash of the whole tree."""
        if not self._peaks:
            return EMPTY
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


# --- proofs, made -------------------------------------------------------------------------------------------------------


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def range_hash(node_at: NodeAt, first: int, end: int) -> bytes:
    """The hash over the leaves from `first` up to, but not including, `end`, one of the ranges that a tree is divided
    into."""
    size = end - first
    if size == 0:
        return EMPTY
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node_at(level, first >> level)
    half = first + _split(size)
    return node_hash(range_hash(node_at, first, half), range_hash(node_at, half, end))


def inclusion_proof(node_at: NodeAt, leaf: int, size: int) -> list[bytes]:
    """RFC 6962 2.1.1: the proof that the leaf of that number, counted from 0, is in the log of that size."""
    if not 0 <= leaf < size:
        raise ValueError(f"A log of {size} leaves has no leaf {leaf}.")
    return _path(node_at, leaf, 0, size)


def _path(node_at: NodeAt, leaf: int, first: int, end: int) -> list[bytes]:
    if end - first == 1:
        return []
    half = first + _split(end - first)
    if leaf < half:
        return [*_path(node_at, leaf, first, half), range_hash(node_at, half, end)]
    return [*_path(node_at, leaf, half, end), range_hash(node_at, first, half)]


def consistency_proof(node_at: NodeAt, old: int, size: int) -> list[bytes]:
    """RFC 6962 2.1.2: the proof that the log of that size begins with the log that had `old` leaves."""
    if not 0 <= old <= size:
        raise ValueError(f"A log of {size} leaves had no {old} leaves before.")
    return _subproof(node_at, old, 0, size, known=True) if 0 < old < size else []


def _subproof(node_at: NodeAt, old: int, first: int, end: int, *, known: bool) -> list[bytes]:
    size = end - first
    if old == size:
        return [] if known else [range_hash(node_at, first, end)]
    half = _split(size)
    if old <= half:
        rest = range_hash(node_at, first + half, end)
        return [*_subproof(node_at, old, first, first + half, known=known), rest]
    begun = range_hash(node_at, first, first + half)
    return [*_subproof(node_at, old - half, first + half, end, known=False), begun]


# --- proofs, checked ----------------------------------------------------------------------------------------------------


def is_included(entry: bytes, leaf: int, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that an entry is the leaf of that number in the log of that size and root."""
    if not 0 <= leaf < size:
        return False
    at, last, found = leaf, size - 1, leaf_hash(entry)
    for other in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node_hash(other, found)
            at, last = _climb(at, last)
        else:
            found = node_hash(found, other)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the log of that size and root begins with the log of the `old` size and root."""
    if not 0 <= old <= size:
        return False
    if old == size:
        return not proof and old_root == root
    if old == 0:
        return not proof and old_root == EMPTY
    # A log of a power of two is a node of the longer one, and known already.
    path = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = now = path[0]
    for other in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            was, now = node_hash(other, was), node_hash(other, now)
            at, last = _climb(at, last)
        else:
            now = node_hash(now, other)
        at, last = at >> 1, last >> 1
    return last == 0 and was == old_root and now == root


def _climb(at: int, last: int) -> tuple[int, int]:
    """Skips the levels at which the last node has no sibling."""
    while at and not at & 1:
        at, last = at >> 1, last >> 1
    return at, last
