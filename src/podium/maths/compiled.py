"""Numba, as the mathematics uses it: machine code from readable Python, kept between runs.

The compiled code lies beside the module, or where that cannot be written in the user's cache directory; where neither
can be written it is made anew in every process.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Decorates a kernel: no Python object in it, and other threads run while it does."""
    try:
        return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # no place for a cache
        return cast(F, njit(nogil=True, error_model="numpy")(function))


def in_python(kernel: F) -> F:
    """The same function without compilation: quicker where it is called from Python, many times for little work."""
    return cast(F, getattr(kernel, "py_func", kernel))
