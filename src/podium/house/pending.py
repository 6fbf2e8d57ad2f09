"""Acts that wait for a second person (SEC-6), as the house keeps them: a restart loses none, and allows none twice."""

from typing import Literal

import msgspec

from podium.basics.words import Phrase
from podium.house.people import Duty

ApprovalState = Literal["waiting", "accepted", "refused"]


class Pending(msgspec.Struct, frozen=True):
    """An act that somebody asked for, and what a second person said to it."""

    key: str
    asker: str
    place: str
    """The table, the account, the ticket or the person that it is about."""
    said: Phrase
    """What the second person is shown."""
    duties: tuple[Duty, ...]
    """The duties that may approve it."""
    binds: str
    """What the approval fits and nothing else, under a key of the house: it may name a card that lies face down (CARD-4)."""
    asked: int
    expires: int
    concerns: str = ""
    """Whose account it changes: that person may not approve it either."""
    state: ApprovalState = "waiting"
    by: str = ""
    """Who accepted or refused it."""
    over: bool = False
    """Whether it was carried out, or is void."""
    stamp: str = ""
