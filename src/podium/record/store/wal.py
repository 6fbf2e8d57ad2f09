"""Checks SQLite's write-ahead log before SQLite opens it.

SQLite takes the first frame with a wrong checksum for the end of the log, and drops what follows. After a power
failure that is right: only the last, unfinished commit can be torn. But an earlier damaged byte would silently lose
commits that were acknowledged, so it must stop the house instead (INT-5).
"""

from struct import Struct, unpack
from typing import Final

_HEADER: Final = Struct(">8I")
_FRAME: Final = Struct(">6I")


def _checksum(data: bytes, words: str, first: int, second: int) -> tuple[int, int]:
    values = unpack(f"{words}{len(data) // 4}I", data)
    for at in range(0, len(values), 2):
        first = (first + values[at] + second) & 0xFFFFFFFF
        second = (second + values[at + 1] + first) & 0xFFFFFFFF
    return first, second


def first_lost_commit(data: bytes) -> int | None:
    """Where a log is damaged so that an acknowledged commit would be lost; None if it is sound or missing.

    Every commit is on the disk before the next one begins. So if two commits end in or after a wrong frame, the first of
    them was acknowledged.
    """
    if len(data) < _HEADER.size:
        return None
    magic, _, page, _, salt_1, salt_2, sum_1, sum_2 = _HEADER.unpack_from(data)
    words = ">" if magic & 1 else "<"
    size = _FRAME.size + page
    if magic & ~1 != 0x377F0682 or _checksum(data[:24], words, 0, 0) != (sum_1, sum_2):
        return 0 if len(data) > _HEADER.size else None
    sums, wrong, commits = (sum_1, sum_2), None, 0
    for at in range(_HEADER.size, len(data) - size + 1, size):
        _, commit, frame_salt_1, frame_salt_2, *frame_sums = _FRAME.unpack_from(data, at)
        ours = (frame_salt_1, frame_salt_2) == (salt_1, salt_2)
        if wrong is None:
            sums = _checksum(data[at : at + 8], words, *sums)
            sums = _checksum(data[at + _FRAME.size : at + size], words, *sums)
            if not ours or sums != tuple(frame_sums):
                wrong = at
        if wrong is not None and ours and commit:
            commits += 1
    return wrong if commits > 1 else None
