"""Results that are expensive to compute, kept in the user's cache directory under the rules that they depend on.

If a file is missing, damaged or of another form, the result is computed again. If the directory is not writable, it is not kept.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from podium.maths import limits

T = TypeVar("T")


def directory() -> Path:
    """The directory of kept results, below XDG_CACHE_HOME; that is ~/.cache unless it is set to an absolute path."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "podium"


def kept(name: str, key: bytes, form: type[T], work_out: Callable[[], T]) -> T:
    """The result that is kept under this key; if there is none, it is computed and kept."""
    found = find(name, key, form)
    if found is None:
        found = work_out()
        keep(name, key, found)
    return found


def find(name: str, key: bytes, form: type[T]) -> T | None:
    """The result that is kept under this key, or None."""
    path = _path(name, key)
    found = _read(path, form)
    if found is not None:
        with contextlib.suppress(OSError):
            os.utime(path)
    return found


def keep(name: str, key: bytes, result: object) -> None:
    """Keeps a result if the directory is writable, and deletes those beyond the limit."""
    with contextlib.suppress(OSError):
        _write(_path(name, key), msgspec.json.encode(result))
        _prune(name)


def _path(name: str, key: bytes) -> Path:
    return directory() / f"{name}-{hashlib.sha256(key).hexdigest()[:32]}.json"


def _prune(name: str) -> None:
    """Deletes the least recently used results: every preview of a configuration and every new program adds some."""
    used = [(path.stat().st_mtime_ns, path) for path in directory().glob(f"{name}-*.json")]
    for _, path in sorted(used)[: -limits.MAX_KEPT_RESULTS]:
        path.unlink(missing_ok=True)


def _read(path: Path, form: type[T]) -> T | None:
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
        if digest.decode() != hashlib.sha256(body).hexdigest():
            return None
        return msgspec.json.decode(body, type=form)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError):
        return None


def _write(path: Path, body: bytes) -> None:
    """Replaces the file atomically: another process may be reading or writing it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    Path(file.name).replace(path)
