"""What a store asks of the disk besides a database."""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from podium.record.store.interface import Unavailable


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable: a file that was renamed there has its new name after a power failure too."""
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Files:
    """The files of a book: everything that is done to them besides what SQLite does. A simulated disk has the same
    methods."""

    vfs: str = ""
    """The name of SQLite's VFS for these files; empty for the default one."""

    def exists(self, path: Path) -> bool:
        return path.exists()

    def size(self, path: Path) -> int:
        return path.stat().st_size

    def read(self, path: Path) -> bytes:
        """The bytes of a file; none if there is no such file."""
        return path.read_bytes() if path.exists() else b""

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def publish(self, made: Path, path: Path) -> None:
        """Gives a complete file its name, which it keeps after a power failure."""
        made.chmod(0o600)
        made.rename(path)
        sync_directory(path.parent)

    def write(self, path: Path, at: int, data: bytes) -> None:
        """Writes over a part of a small file; `sync` makes it durable."""
        opened = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(opened, data, at)
        finally:
            os.close(opened)

    def sync(self, path: Path) -> None:
        opened = os.open(path, os.O_WRONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

    def lock(self, path: Path) -> Callable[[], None]:
        """Lets one house write to a book; returns what releases it. The end of the process releases it too."""
        lock = os.open(_lock_file(path), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise Unavailable(f"{path} is in use by another house on this machine.") from None
        return lambda: os.close(lock)

    def is_locked(self, path: Path) -> bool:
        """Whether a house is writing to that book now."""
        with suppress(FileNotFoundError), _lock_file(path).open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
        return False


SYSTEM_FILES: Final = Files()


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")
