"""Tokens of sessions, invitations and terminals: each is filed under a key that follows from it and from the keys of the
house for sessions, so that nobody who reads or writes the book can make one (SEC-7)."""

from collections.abc import Iterable
from functools import lru_cache
from hmac import digest
from typing import Final, TypeVar

import msgspec

from podium.house import House
from podium.house.people import Enrolled, Invitation, Session, draw_token, token_hash
from podium.record.fair import Entropy
from podium.record.store.keys import Keys
from podium.server import limits

Shown = Session | Invitation | Enrolled
"""The purpose of a token."""
S = TypeVar("S", Session, Invitation, Enrolled)

_USES: Final[dict[type[Shown], str]] = {
    Session: "podium-session-key-1",
    Invitation: "podium-invitation-key-1",
    Enrolled: "podium-terminal-key-1",
}
"""Each purpose has keys of its own, so the token of one is never taken for another's."""


class Tokens:
    """Draws tokens, and finds the keys of those that are shown."""

    def __init__(self, keys: Keys, entropy: Entropy) -> None:
        self._entropy: Final = entropy
        self.acts: Final = keys.sessions.derived("podium-act-1").keys
        """Under which approvals are bound to their acts, the current one first."""
        self._filing: Final = {kept: keys.sessions.derived(use).keys for kept, use in _USES.items()}
        # Every command of a terminal is checked against its session: the token is hashed when it is first shown, not each time.
        self._shown: Final = lru_cache(limits.MAX_KNOWN_TOKENS)(
            lambda kept, token: self._filed(kept, token_hash(token))
        )

    def draw(self) -> str:
        return draw_token(self._entropy)

    def key(self, kept: type[Shown], token: str) -> str:
        """The key under which a new token is filed."""
        return self._filed(kept, token_hash(token))[0]

    def keys(self, kept: type[Shown], token: str) -> tuple[str, ...]:
        """The keys under which a token may be filed, the current one first."""
        return self._shown(kept, token)

    def find(self, house: House, kept: type[S], token: str) -> S | None:
        """The record of a token that somebody shows."""
        found = (house.shelf.find(kept, key) for key in self.keys(kept, token))
        return next((each for each in found if each is not None), None)

    def refile(self, house: House, now: int) -> None:
        """Files what an earlier version filed under plain hashes: everybody stays signed in, and every link and terminal
        goes on. The old records are forgotten."""
        for kept in _USES:
            old = house.shelf.every(kept)
            for each in _in_use(old):
                house.shelf.put(msgspec.structs.replace(each, key=self._filed(kept, each.key)[0]), now)
            house.forget((), old, now)

    def _filed(self, kept: type[Shown], hashed: str) -> tuple[str, ...]:
        return tuple(digest(key, hashed.encode(), "sha256").hex() for key in self._filing[kept])


def _in_use(records: Iterable[Shown]) -> list[Shown]:
    return [
        each
        for each in records
        if not (
            each.ended if isinstance(each, Session) else each.used if isinstance(each, Invitation) else not each.active
        )
    ]
