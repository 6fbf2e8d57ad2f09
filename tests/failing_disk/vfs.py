"""The VFS by which SQLite uses a failing disk, registered by ctypes in the library that the sqlite3 module is linked
with."""

import _sqlite3
import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_longlong, c_void_p
from random import Random
from typing import Any, Final

from tests.failing_disk.disk import FailingDisk, Refusal, Step

NAME: Final = "failing"

OK, BUSY, IO_ERROR, NOT_FOUND, FULL, CANNOT_OPEN = 0, 5, 10, 12, 13, 14
SHORT_READ, NOT_WRITTEN, NOT_SYNCED, NOT_TRUNCATED, NOT_DELETED = (IO_ERROR | more << 8 for more in (2, 3, 4, 6, 10))
NOTHING_TO_DELETE: Final = IO_ERROR | 23 << 8
READ_ONLY, CREATE = 1, 4
POWER_SAFE_OVERWRITE: Final = 0x1000
UNLOCK, LOCK, SHARED, EXCLUSIVE = 1, 2, 4, 8
SHM_LOCKS: Final = 8

_P, _I, _L = c_void_p, c_int, c_longlong
_FILE_CALLS: Final[dict[str, Any]] = {
    "xClose": CFUNCTYPE(_I, _P),
    "xRead": CFUNCTYPE(_I, _P, _P, _I, _L),
    "xWrite": CFUNCTYPE(_I, _P, _P, _I, _L),
    "xTruncate": CFUNCTYPE(_I, _P, _L),
    "xSync": CFUNCTYPE(_I, _P, _I),
    "xFileSize": CFUNCTYPE(_I, _P, POINTER(_L)),
    "xLock": CFUNCTYPE(_I, _P, _I),
    "xUnlock": CFUNCTYPE(_I, _P, _I),
    "xCheckReservedLock": CFUNCTYPE(_I, _P, POINTER(_I)),
    "xFileControl": CFUNCTYPE(_I, _P, _I, _P),
    "xSectorSize": CFUNCTYPE(_I, _P),
    "xDeviceCharacteristics": CFUNCTYPE(_I, _P),
    "xShmMap": CFUNCTYPE(_I, _P, _I, _I, _I, POINTER(_P)),
    "xShmLock": CFUNCTYPE(_I, _P, _I, _I, _I),
    "xShmBarrier": CFUNCTYPE(None, _P),
    "xShmUnmap": CFUNCTYPE(_I, _P, _I),
}
_VFS_CALLS: Final[dict[str, Any]] = {
    "xOpen": CFUNCTYPE(_I, _P, _P, _P, _I, POINTER(_I)),
    "xDelete": CFUNCTYPE(_I, _P, c_char_p, _I),
    "xAccess": CFUNCTYPE(_I, _P, c_char_p, _I, POINTER(_I)),
    "xFullPathname": CFUNCTYPE(_I, _P, c_char_p, _I, _P),
    "xDlOpen": _P,
    "xDlError": _P,
    "xDlSym": _P,
    "xDlClose": _P,
    "xRandomness": CFUNCTYPE(_I, _P, _I, _P),
    "xSleep": CFUNCTYPE(_I, _P, _I),
    "xCurrentTime": CFUNCTYPE(_I, _P, POINTER(c_double)),
    "xGetLastError": CFUNCTYPE(_I, _P, _I, _P),
    "xCurrentTimeInt64": CFUNCTYPE(_I, _P, POINTER(_L)),
}


class _Methods(ctypes.Structure):
    _fields_ = [("iVersion", _I), *_FILE_CALLS.items(), ("xFetch", _P), ("xUnfetch", _P)]  # ctypes wants a list


class _File(ctypes.Structure):
    _fields_ = [("pMethods", POINTER(_Methods)), ("number", _L)]


class _Vfs(ctypes.Structure):
    _fields_ = [
        ("iVersion", _I),
        ("szOsFile", _I),
        ("mxPathname", _I),
        ("pNext", _P),
        ("zName", c_char_p),
        ("pAppData", _P),
        *_VFS_CALLS.items(),
        ("xSetSystemCall", _P),
        ("xGetSystemCall", _P),
        ("xNextSystemCall", _P),
    ]


class _Opened:
    """One connection's hold on one file."""

    def __init__(self, name: str, disk: FailingDisk, *, read_only: bool) -> None:
        self.name: Final = name
        self.read_only: Final = read_only
        self.disk: Final = disk
        self.level = 0


class FailingVfs:
    """Registered once in a process; `disk` is the one on which files are opened from now on."""

    def __init__(self) -> None:
        self.disk = FailingDisk()
        self._opened: dict[int, _Opened] = {}
        self._number = 0
        self._chance = Random(NAME)
        self._methods = _Methods(iVersion=2)
        for name, call in _FILE_CALLS.items():
            setattr(self._methods, name, call(getattr(self, name)))
        self._vfs = _Vfs(iVersion=2, szOsFile=ctypes.sizeof(_File), mxPathname=512, zName=NAME.encode())
        for name, call in _VFS_CALLS.items():
            if call is not _P:
                setattr(self._vfs, name, call(getattr(self, name)))
        library = ctypes.CDLL(_sqlite3.__file__)  # its symbols are those of the library that it is linked with
        assert library.sqlite3_vfs_register(ctypes.byref(self._vfs), 0) == OK

    def insert(self, disk: FailingDisk) -> None:
        """Opens files on this disk from now on; those that are open stay on theirs."""
        self.disk = disk

    def _file(self, pointer: int) -> _Opened:
        return self._opened[_File.from_address(pointer).number]

    @staticmethod
    def _tried(failed: int, do: Callable[[Step], None], step: Step) -> int:
        try:
            do(step)
        except Refusal as refusal:
            return FULL if str(refusal) == "full" else failed
        return OK

    # --- files --------------------------------------------------------------------------------------------------------

    def xOpen(self, _: int, name: int, pointer: int, flags: int, out: Any) -> int:  # noqa: N802  # SQLite's names
        file, disk = _File.from_address(pointer), self.disk
        with disk.turn:
            self._number += 1
            called = ctypes.string_at(name).decode() if name else f"temporary {self._number}"
            if called not in disk.now and (
                not flags & CREATE or self._tried(CANNOT_OPEN, disk.do, Step("create", called))
            ):
                file.pMethods = None
                return CANNOT_OPEN
            file.pMethods, file.number = ctypes.pointer(self._methods), self._number
            self._opened[self._number] = _Opened(called, disk, read_only=bool(flags & READ_ONLY))
            if out:
                out[0] = flags
            return OK

    def xClose(self, pointer: int) -> int:  # noqa: N802
        number = _File.from_address(pointer).number
        file = self._opened.pop(number)
        for held in file.disk.shared_locks.get(file.name, []):
            held.pop(number, None)
        return OK

    def xRead(self, pointer: int, buffer: int, size: int, at: int) -> int:  # noqa: N802
        file = self._file(pointer)
        data = file.disk.read(file.name, at, size)
        ctypes.memmove(buffer, data, len(data))
        if len(data) < size:
            ctypes.memset(buffer + len(data), 0, size - len(data))
            return SHORT_READ
        return OK

    def xWrite(self, pointer: int, buffer: int, size: int, at: int) -> int:  # noqa: N802
        file = self._file(pointer)
        return self._tried(NOT_WRITTEN, file.disk.do, Step("write", file.name, at, ctypes.string_at(buffer, size)))

    def xTruncate(self, pointer: int, size: int) -> int:  # noqa: N802
        file = self._file(pointer)
        return self._tried(NOT_TRUNCATED, file.disk.do, Step("truncate", file.name, size))

    def xSync(self, pointer: int, _flags: int) -> int:  # noqa: N802
        file = self._file(pointer)
        return self._tried(NOT_SYNCED, file.disk.do, Step("sync", file.name))

    def xFileSize(self, pointer: int, out: Any) -> int:  # noqa: N802
        file = self._file(pointer)
        out[0] = len(file.disk.now[file.name])
        return OK

    def xFileControl(self, _pointer: int, _what: int, _value: int) -> int:  # noqa: N802
        return NOT_FOUND

    def xSectorSize(self, _pointer: int) -> int:  # noqa: N802
        return 4096

    def xDeviceCharacteristics(self, _pointer: int) -> int:  # noqa: N802
        """As SQLite assumes of every disk: a write can tear, but harms nothing beside it. It promises nothing else."""
        return POWER_SAFE_OVERWRITE

    # --- locks and shared memory ----------------------------------------------------------------------------------------

    def _others(self, file: _Opened) -> list[int]:
        return [
            other.level
            for other in self._opened.values()
            if other is not file and (other.name, other.disk) == (file.name, file.disk)
        ]

    def xLock(self, pointer: int, level: int) -> int:  # noqa: N802
        file = self._file(pointer)
        with file.disk.turn:
            others = self._others(file)
            most_allowed = {1: 2, 2: 1, 3: 1, 4: 0}.get(level, 4)
            # A file that is open for reading cannot be locked for writing.
            if any(other > most_allowed for other in others) or (file.read_only and level > 1):
                return BUSY
            file.level = max(file.level, level)
            return OK

    def xUnlock(self, pointer: int, level: int) -> int:  # noqa: N802
        file = self._file(pointer)
        file.level = min(file.level, level)
        return OK

    def xCheckReservedLock(self, pointer: int, out: Any) -> int:  # noqa: N802
        file = self._file(pointer)
        out[0] = int(any(level >= 2 for level in self._others(file)))
        return OK

    def xShmMap(self, pointer: int, region: int, size: int, extend: int, out: Any) -> int:  # noqa: N802
        file = self._file(pointer)
        with file.disk.turn:
            regions = file.disk.shared.setdefault(file.name, [])
            while len(regions) <= region:
                if not extend:
                    out[0] = None
                    return OK
                regions.append(ctypes.create_string_buffer(size))
            out[0] = ctypes.addressof(regions[region])
            return OK

    def xShmLock(self, pointer: int, first: int, count: int, flags: int) -> int:  # noqa: N802
        file, own = self._file(pointer), _File.from_address(pointer).number
        with file.disk.turn:
            held = file.disk.shared_locks.setdefault(file.name, [{} for _ in range(SHM_LOCKS)])
            wanted = held[first : first + count]
            if flags & LOCK:
                for each in wanted:
                    others = {kind for holder, kind in each.items() if holder != own}
                    if others and (flags & EXCLUSIVE or "exclusive" in others):
                        return BUSY
            for each in wanted:
                if flags & UNLOCK:
                    each.pop(own, None)
                else:
                    each[own] = "exclusive" if flags & EXCLUSIVE else "shared"
            return OK

    def xShmBarrier(self, _pointer: int) -> None:  # noqa: N802
        """Python lets one thread in at a time."""

    def xShmUnmap(self, pointer: int, delete: int) -> int:  # noqa: N802
        file = self._file(pointer)
        if delete:
            file.disk.unmapped += file.disk.shared.pop(file.name, [])
        return OK

    # --- names ----------------------------------------------------------------------------------------------------------

    def xDelete(self, _: int, name: bytes, sync: int) -> int:  # noqa: N802
        called = name.decode()
        if called not in self.disk.now:
            return NOTHING_TO_DELETE
        done = self._tried(NOT_DELETED, self.disk.do, Step("remove", called))
        if done == OK and sync:
            done = self._tried(NOT_DELETED, self.disk.do, Step("sync-names", called))
        return done

    def xAccess(self, _: int, name: bytes, _flags: int, out: Any) -> int:  # noqa: N802
        out[0] = int(name.decode() in self.disk.now)
        return OK

    def xFullPathname(self, _: int, name: bytes, _size: int, out: int) -> int:  # noqa: N802
        ctypes.memmove(out, name + b"\0", len(name) + 1)
        return OK

    # --- the rest of a system ---------------------------------------------------------------------------------------------

    def xRandomness(self, _: int, size: int, out: int) -> int:  # noqa: N802
        ctypes.memmove(out, self._chance.randbytes(size), size)
        return size

    def xSleep(self, _: int, microseconds: int) -> int:  # noqa: N802
        return microseconds

    def xCurrentTime(self, _: int, out: Any) -> int:  # noqa: N802
        out[0] = 2_460_000.5
        return OK

    def xCurrentTimeInt64(self, _: int, out: Any) -> int:  # noqa: N802
        out[0] = 212_544_043_200_000
        return OK

    def xGetLastError(self, _: int, _size: int, _out: int) -> int:  # noqa: N802
        return 0


VFS: Final = FailingVfs()
"""SQLite keeps the pointer for as long as the process lives."""
