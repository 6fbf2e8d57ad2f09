"""Approvals: one act, with its amount, asked for by one person and approved by another (SEC-6).

An act that needs a second person is simply tried: the house records it and refuses it for now. A second person sees exactly
that act on a screen of their own and accepts it there, or gives a code of six digits that fits this act alone, for a podium
without such a screen. Trying again then succeeds, once, within two minutes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.house.people import Duty
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.tries import AtNoCost

ASKING_MS: Final = 10 * 60_000
"""How long an act waits for a second person after it was last asked for."""
APPROVAL_MS: Final = 2 * 60_000
"""How long it may be done once it was accepted, or a code was given."""
MAX_WRONG_CODES: Final = 5
"""Wrong codes for an act before its code becomes void: six digits could be guessed."""
_POSSIBLE_CODES: Final = 10**6

ApprovalState = Literal["waiting", "accepted", "refused"]


class Act(msgspec.Struct, frozen=True):
    """One act that needs a second person: an approval fits this one and no other."""

    asker: str
    place: str
    """The table, the account, the ticket or the person that it is about."""
    said: Phrase
    """What the second person is shown."""
    duties: tuple[Duty, ...]
    """The duties that may approve it."""
    amount: int = 0
    about: str = ""
    """What else it is bound to: the round, the card, the reason."""
    concerns: str = ""
    """Whose account it changes: that person may not approve it either."""

    @property
    def binds(self) -> tuple[str, str, str, int, str]:
        return self.said.key, self.asker, self.place, self.amount, self.about


@dataclass(slots=True)
class Pending:
    """An act that was asked for, and its state."""

    key: str
    act: Act
    asked: int
    expires: int
    state: ApprovalState = "waiting"
    by: str = ""
    """Who accepted or refused it, or gave the code."""
    code: str = ""
    code_expires: int = 0
    wrong: int = 0


class WrongCode(Refused):
    """A code that does not belong to this act, or is no longer valid."""


class Approvals:
    """The acts that wait for a second person. They are kept in memory only: after a restart, ask again."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy: Final = entropy
        self._pending: dict[str, Pending] = {}
        """By key, the oldest first."""

    # --- the one who asks -------------------------------------------------------------------------------------------

    def take(self, act: Act, code: str, now: int, may: Callable[[str, Act], bool], *, clause: str = "SEC-6") -> str:
        """Uses up the approval of an act and returns who gave it. Without one, the act is kept for a second person to see, and
        refused. `may` says whether somebody can approve it now."""
        self._forget(now)
        found = self._find(act)
        if found is not None and found.by and found.state != "refused" and not may(found.by, act):
            del self._pending[found.key]  # the approver's account was closed, or has another role
            found = None
        if code:
            return self._take_by_code(found, code, now)
        if found is not None and found.state == "accepted":
            del self._pending[found.key]
            return found.by
        self._ask(act, now)
        raise AtNoCost("approval-waits", act=act.said, clause=clause)

    def _take_by_code(self, found: Pending | None, code: str, now: int) -> str:
        if found is None or not found.code:
            raise WrongCode("approval-unknown", clause="SEC-6")
        if now >= found.code_expires:
            found.code = found.by = ""
            raise WrongCode("approval-expired", clause="SEC-6")
        if code != found.code:
            found.wrong += 1
            if found.wrong >= MAX_WRONG_CODES:
                found.code = found.by = ""
            raise WrongCode("approval-unknown", clause="SEC-6")
        del self._pending[found.key]
        return found.by

    def _ask(self, act: Act, now: int) -> Pending:
        found = self._find(act)
        if found is not None and found.state == "waiting":
            found.act, found.expires = act, max(found.expires, now + ASKING_MS)
            return found
        if found is not None:
            del self._pending[found.key]
        mine = [pending.key for pending in self._pending.values() if pending.act.asker == act.asker]
        for key in mine[: max(0, len(mine) + 1 - limits.MAX_PENDING_APPROVALS_PER_PERSON)]:
            del self._pending[key]
        while len(self._pending) >= limits.MAX_PENDING_APPROVALS:
            del self._pending[next(iter(self._pending))]
        asked = Pending(self._entropy(8).hex(), act, now, now + ASKING_MS)
        self._pending[asked.key] = asked
        return asked

    def asked_by(self, person: str, now: int) -> list[Pending]:
        """The acts that somebody has asked a second person to approve."""
        self._forget(now)
        return [pending for pending in self._pending.values() if pending.act.asker == person]

    # --- the second person ------------------------------------------------------------------------------------------

    def waiting_for(self, person: str, now: int, may: Callable[[str, Act], bool]) -> list[Pending]:
        """The acts that this person may approve; nobody sees their own."""
        self._forget(now)
        return [
            pending
            for pending in self._pending.values()
            if pending.state == "waiting" and pending.act.asker != person and may(person, pending.act)
        ]

    def decide(self, key: str, by: str, now: int, may: Callable[[str, Act], bool], *, accept: bool) -> Pending:
        """Accepts or refuses an act."""
        pending = self._open(key, by, now, may)
        pending.state, pending.by, pending.code = "accepted" if accept else "refused", by, ""
        pending.expires = now + APPROVAL_MS
        return pending

    def give_code(self, key: str, by: str, now: int, may: Callable[[str, Act], bool]) -> Pending:
        """A code for an act, to be typed where it was asked for; it replaces the previous one."""
        pending = self._open(key, by, now, may)
        pending.by, pending.code, pending.wrong = by, self._draw(), 0
        pending.code_expires = now + APPROVAL_MS
        pending.expires = max(pending.expires, now + APPROVAL_MS)
        return pending

    def _open(self, key: str, by: str, now: int, may: Callable[[str, Act], bool]) -> Pending:
        self._forget(now)
        pending = self._pending.get(key)
        if pending is None or pending.state != "waiting":
            raise Refused("approval-gone", clause="SEC-6")
        if pending.act.asker == by:
            raise Refused("approval-own", clause="SEC-6")
        if not may(by, pending.act):
            raise Refused("approval-not-yours", clause="SEC-2")
        return pending

    # --- ending -----------------------------------------------------------------------------------------------------

    def void(self, person: str) -> None:
        """Drops everything that a person asked for or approved, because the account was closed or changed, or the
        person signed out."""
        self._pending = {
            key: pending
            for key, pending in self._pending.items()
            if person not in (pending.act.asker, pending.by) or pending.state == "refused"
        }

    def _forget(self, now: int) -> None:
        over = [pending.key for pending in self._pending.values() if now >= pending.expires]
        for key in over:
            del self._pending[key]

    def _find(self, act: Act) -> Pending | None:
        return next((pending for pending in self._pending.values() if pending.act.binds == act.binds), None)

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
        "approval-expired": "That code has expired: it holds for two minutes. Ask for a new one.",
        "approval-gone": "This request is no longer open.",
        "approval-own": "Nobody approves their own request: a second person must.",
        "approval-not-yours": "This request is for somebody with other duties to approve.",
    },
)
