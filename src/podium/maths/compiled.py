"""How the mathematics uses Numba: machine code compiled from readable Python and cached between runs.

Numba checks only whether a kernel's own file has changed, not the files of the kernels that it calls. Each version of the sources
therefore has a cache directory of its own, in the user's cache or, if that is not writable, in the directory for temporary files.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_numba: Any = numba
"""Untyped: Numba's annotations cover neither its configuration nor all of its flags."""


unsigned: Final = np.uint64
"""Converts an index so that the compiled code need not check for negative indices."""


def sources() -> str:
    """A name for this version of the sources."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache() -> Path:
    """The directory for compiled code: the first one that is writable."""
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for place in (own, Path(tempfile.gettempdir()) / f"podium-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        kept = place / "podium" / f"kernels-{sources()}"
        try:
            kept.mkdir(parents=True, exist_ok=True)
            if os.access(kept, os.W_OK):
                return kept
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="podium-kernels-"))


if not os.environ.get("NUMBA_CACHE_DIR"):
    _numba.config.CACHE_DIR = str(_cache())


def compiled(function: F) -> F:
    """Decorates a kernel: it uses no Python objects and releases the interpreter lock."""
    return cast(F, _numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def part(function: F) -> F:
    """Decorates a part of a kernel that allocates no array: it is inlined into every kernel that calls it.

    Without Numba's runtime (`_nrt`) references to arrays are not counted; counting them took four fifths of the time.
    """
    return cast(F, _numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function))


def in_python(kernel: F) -> F:
    """The function before compilation: faster where Python calls it many times for little work."""
    return cast(F, getattr(kernel, "py_func", kernel))


def called(kernel: F) -> F:
    """A part that Python calls: compiled on its own and cached between runs, which parts are not."""
    return compiled(in_python(kernel))
