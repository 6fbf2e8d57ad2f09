"""A sentence that a way of dealing adds to the printed rules."""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    key: str
    """Where its words are in the catalogue of the rules: `deal.peek`."""
    facts: Mapping[str, object] = {}
    only_if_written: bool = False
    """Whether it is left out where the game's document has no clause for it."""
