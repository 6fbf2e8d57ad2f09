"""Numba, as the mathematics uses it: machine code from readable Python, kept between runs.

Numba asks only whether a kernel's own file has changed, not the files of the kernels that it calls. So the compiled code of
this very state of the sources has a directory of its own, in the user's cache; where that cannot be written, in the
directory for temporary files.
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
"""Its types know neither its settings nor all of its flags."""


unsigned: Final = np.uint64
"""Makes a place in an array that machine code need not ask whether it is counted from the end."""


def sources() -> str:
    """A name for the present state of the sources."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache() -> Path:
    """Where compiled code is kept: the first place that can be written."""
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
    """Decorates a kernel: no Python object in it, and other threads run while it does."""
    return cast(F, _numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def part(function: F) -> F:
    """Decorates a part of a kernel that makes no array: it is written into every kernel that calls it.

    Without Numba's runtime (`_nrt`) no references to arrays are counted; counting them took four fifths of the time.
    """
    return cast(F, _numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function))


def in_python(kernel: F) -> F:
    """The same function without compilation: quicker where it is called from Python, many times for little work."""
    return cast(F, getattr(kernel, "py_func", kernel))


def called(kernel: F) -> F:
    """A part that is called from Python: compiled by itself and kept between runs, which parts are not."""
    return compiled(in_python(kernel))
