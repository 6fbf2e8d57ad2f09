"""Approvals: one act, with its amount, asked for by one person and approved by another (SEC-6).

An act that needs a second person is simply tried: the house records it and refuses it for now. A second person sees exactly
that act on a screen of their own and accepts it there, or gives a code of six digits that fits this act alone, for a podium
without such a screen. Trying again then succeeds, once, within two minutes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest, digest
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.house.pending import Pending
from podium.house.people import Duty
from podium.house.shelf import Shelf
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.tries import AtNoCost

ASKING_MS: Final = 10 * 60_000
"""How long an act waits for a second person after it was last asked for."""
EXTENDED_MS: Final = 60_000
"""Asking again is stored when it makes an act wait this much longer: pressing a button twice writes nothing."""
APPROVAL_MS: Final = 2 * 60_000
"""How long it may be done once it was accepted, or a code was given."""
MAX_WRONG_CODES: Final = 5
"""Wrong codes for an act before its code becomes void: six digits could be guessed."""
_POSSIBLE_CODES: Final = 10**6


class Act(msgspec.Struct, frozen=True):
    """One act that needs a second person: an approval fits this one and no other."""

    asker: str
    place: str
    """The table, account, ticket or person that it is about."""
    said: Phrase
    """What the second person reads."""
    duties: tuple[Duty, ...]
    """The duties of those who may approve it."""
    amount: int = 0
    about: str = ""
    """What else it is tied to: the round, the card, the reason."""
    concerns: str = ""
    """The person whose account it changes, who may not approve it either."""

    def bound(self, key: bytes) -> str:
        """What an approval is bound to, so that nobody without the key learns it: it may name a card that lies face down."""
        binds = self.said.key, self.asker, self.place, self.amount, self.about
        return digest(key, b"podium-act-1\n" + msgspec.json.encode(binds), "sha256").hex()


@dataclass(slots=True)
class _Code:
    """A code that somebody gave for an act; in memory only, so that nobody who reads the book has it."""

    code: str
    by: str
    expires: int
    wrong: int = 0


class WrongCode(Refused):
    """A code that does not belong to this act, or is no longer valid."""


class Approvals:
    """The acts that wait for a second person. They are documents of the house and survive a restart, those that were accepted
    too; one that is carried out ends in the same append as what it allowed. Codes do not survive: a new one is asked for."""

    def __init__(self, entropy: Entropy, shelf: Shelf, keys: tuple[bytes, ...]) -> None:
        self._entropy: Final = entropy
        self._shelf: Final = shelf
        self._keys: Final = keys
        """Under which acts are bound, the current one first."""
        kept = sorted(shelf.every(Pending), key=lambda pending: pending.asked)
        self._pending: Final = {pending.key: pending for pending in kept if not pending.over}
        """By key, the oldest first."""
        self._codes: Final[dict[str, _Code]] = {}
        """By the key of the act."""

    # --- the one who asks -------------------------------------------------------------------------------------------

    def take(self, act: Act, code: str, now: int, may: Callable[[str, Pending], bool], *, clause: str = "SEC-6") -> str:
        """Uses up the approval of an act and returns who gave it. Without one, the act is refused and kept for a second
        person to see. `may` says whether somebody can approve it now."""
        self._forget(now)
        found = self._find(act)
        approver = self._approver(found)
        if found is not None and approver and not may(approver, found):
            self._end(found, now)  # the approver's account was closed, or has another role
            found = None
        if code:
            return self._take_by_code(found, code, now)
        if found is not None and found.state == "accepted":
            self._end(found, now)
            return found.by
        self._ask(act, found, now)
        raise AtNoCost("approval-waits", act=act.said, clause=clause)

    def _approver(self, pending: Pending | None) -> str:
        """Who accepted an act, or gave a code for it."""
        if pending is None or pending.state == "refused":
            return ""
        given = self._codes.get(pending.key)
        return given.by if given is not None else pending.by

    def _take_by_code(self, found: Pending | None, code: str, now: int) -> str:
        given = self._codes.get(found.key) if found is not None else None
        if found is None or given is None:
            raise WrongCode("approval-unknown", clause="SEC-6")
        if now >= given.expires:
            del self._codes[found.key]
            raise WrongCode("approval-expired", clause="SEC-6")
        if not compare_digest(code.encode(), given.code.encode()):
            given.wrong += 1
            if given.wrong >= MAX_WRONG_CODES:
                del self._codes[found.key]
            raise WrongCode("approval-unknown", clause="SEC-6")
        self._end(found, now)
        return given.by

    def _ask(self, act: Act, found: Pending | None, now: int) -> None:
        if found is not None and found.state == "waiting":
            if now + ASKING_MS - found.expires >= EXTENDED_MS:
                self._put(msgspec.structs.replace(found, said=act.said, expires=now + ASKING_MS), now)
            return
        if found is not None:
            self._end(found, now)
        mine = self.asked_by(act.asker, now)
        for pending in mine[: max(0, len(mine) + 1 - limits.MAX_PENDING_APPROVALS_PER_PERSON)]:
            self._end(pending, now)
        while len(self._pending) >= limits.MAX_PENDING_APPROVALS:
            self._end(next(iter(self._pending.values())), now)
        bound = act.bound(self._keys[0])
        key, expires = self._entropy(8).hex(), now + ASKING_MS
        asked = Pending(key, act.asker, act.place, act.said, act.duties, bound, now, expires, concerns=act.concerns)
        self._put(asked, now)

    def asked_by(self, person: str, now: int) -> list[Pending]:
        """The acts that somebody has asked a second person to approve."""
        self._forget(now)
        return [pending for pending in self._pending.values() if pending.asker == person]

    # --- the second person ------------------------------------------------------------------------------------------

    def waiting_for(self, person: str, now: int, may: Callable[[str, Pending], bool]) -> list[Pending]:
        """The acts that this person may approve; nobody sees their own."""
        self._forget(now)
        return [
            pending
            for pending in self._pending.values()
            if pending.state == "waiting" and pending.asker != person and may(person, pending)
        ]

    def decide(self, key: str, by: str, now: int, may: Callable[[str, Pending], bool], *, accept: bool) -> Pending:
        """Accepts or refuses an act."""
        pending = self._open(key, by, now, may)
        self._codes.pop(key, None)
        state, expires = "accepted" if accept else "refused", now + APPROVAL_MS
        decided = msgspec.structs.replace(pending, state=state, by=by, expires=expires)
        self._put(decided, now)
        return decided

    def give_code(self, key: str, by: str, now: int, may: Callable[[str, Pending], bool]) -> tuple[str, int]:
        """A code for an act, to be typed where it was asked for, and until when it holds; it replaces the previous one."""
        pending = self._open(key, by, now, may)
        given = _Code(self._draw(), by, now + APPROVAL_MS)
        self._codes[key] = given
        if pending.expires < given.expires:
            self._put(msgspec.structs.replace(pending, expires=given.expires), now)
        return given.code, given.expires

    def _open(self, key: str, by: str, now: int, may: Callable[[str, Pending], bool]) -> Pending:
        self._forget(now)
        pending = self._pending.get(key)
        if pending is None or pending.state != "waiting":
            raise Refused("approval-gone", clause="SEC-6")
        if pending.asker == by:
            raise Refused("approval-own", clause="SEC-6")
        if not may(by, pending):
            raise Refused("approval-not-yours", clause="SEC-2")
        return pending

    # --- ending -----------------------------------------------------------------------------------------------------

    def void(self, person: str, now: int) -> None:
        """Drops everything that a person asked for or approved, because the account was closed or changed, or the
        person signed out."""
        for pending in list(self._pending.values()):
            if person in (pending.asker, self._approver(pending)):
                self._end(pending, now)

    def over(self, now: int) -> list[Pending]:
        """The acts that nobody waits for any more, which the house may forget."""
        self._forget(now)
        return [pending for pending in self._shelf.every(Pending) if pending.key not in self._pending]

    def _put(self, pending: Pending, now: int) -> None:
        self._pending[pending.key] = pending
        self._shelf.put(pending, now)

    def _end(self, pending: Pending, now: int) -> None:
        """It is carried out, or void: also after a restart."""
        self._shelf.put(msgspec.structs.replace(pending, over=True), now)
        self._drop(pending.key)

    def _forget(self, now: int) -> None:
        for key in [pending.key for pending in self._pending.values() if now >= pending.expires]:
            self._drop(key)

    def _drop(self, key: str) -> None:
        del self._pending[key]
        self._codes.pop(key, None)

    def _find(self, act: Act) -> Pending | None:
        bound = {act.bound(key) for key in self._keys}
        return next((pending for pending in self._pending.values() if pending.binds in bound), None)

    def __len__(self) -> int:
        return len(self._pending)

    def _draw(self) -> str:
        """Six digits, all equally likely."""
        while True:
            drawn = int.from_bytes(self._entropy(4))
            if drawn < 4294 * _POSSIBLE_CODES:  # the rest of the range would favour low codes
                return f"{drawn % _POSSIBLE_CODES:06d}"


english(
    "act",
    {
        "void-round": "void round {round} at {table}, with {stake:money} at stake: {reason}",
        "correct-card": (
            "correct card {number} of round {round} at {table} from {was:cards} to {card:cards}, "
            "with {stake:money} at stake: {reason}"
        ),
        "correct-cards": "correct the cards of round {round} at {table}, with {stake:money} at stake: {fixes}. {reason}",
        "correct-face-down": (
            "correct card {number} of round {round} at {table}, which lies face down, with {stake:money} at stake: {reason}"
        ),
        "cash-out": "pay {amount:money} of the credit of {player} in cash",
        "forgive-debt": "forgive {player} a debt of {amount:money}: {reason}",
        "adjust": "adjust the credit of {player} by {amount:money}: {reason}",
        "void-ticket": "void the ticket ending in {ending} and pay its {amount:money}: {reason}",
        "grant-role": "give {name} the role {role:role}",
        "reopen-account": "reopen the account of {name}, with the role {role:role}",
        "invite-again": "give {name}, with the role {role:role}, a new link to choose a password with",
    },
)
english(
    "refused",
    {
        "approval-waits": "A second person must approve this first: {act}.",
        "approval-unknown": "That code does not fit this request: ask for a new one.",
        "approval-expired": "That code has expired: it is valid for two minutes. Ask for a new one.",
        "approval-gone": "This request is no longer open.",
        "approval-own": "Nobody approves their own request: a second person must.",
        "approval-not-yours": "This request is for somebody with other duties to approve.",
    },
)
