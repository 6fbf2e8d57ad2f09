"""The limits of the mathematics, and what happens when they are reached.

docs/limits.md is written from this module by `make docs`.
"""

from typing import Final

MAX_KEPT_RESULTS: Final = 1_000
"""Results of each kind in the cache directory on the disk. At the limit: the one that was used least recently is deleted, and
worked out again when it is needed."""
