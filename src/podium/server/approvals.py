"""A supervisor's approval at another terminal: a code of six digits, valid once, for two minutes."""

from typing import Final, NamedTuple

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.fair import Entropy

LASTS: Final = 2 * 60_000
MAX_WRONG_CODES: Final = 5
"""Wrong codes before all open approvals become void, because six digits could be guessed."""
_CODES: Final = 10**6


class Approval(NamedTuple):
    """A code that was issued."""

    by: str
    expires: int


class Approvals:
    """The codes that were issued. They are kept in memory only: after a restart, ask for a new one."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy: Final = entropy
        self._out: dict[str, Approval] = {}
        self._wrong = 0

    def give(self, by: str, now: int) -> tuple[str, Approval]:
        """Issues a code for a supervisor, which replaces the one before."""
        self._out = {code: known for code, known in self._out.items() if known.by != by and now < known.expires}
        code = self._draw()
        while code in self._out:
            code = self._draw()
        self._out[code] = Approval(by, now + LASTS)
        return code, self._out[code]

    def use(self, code: str, now: int) -> str:
        """Uses a code: returns the supervisor who issued it. It is used up even if the request fails."""
        known = self._out.pop(code, None)
        if known is None:
            self._wrong += 1
            if self._wrong >= MAX_WRONG_CODES:
                self._out, self._wrong = {}, 0
            raise Refused("approval-unknown", clause="CARD-6")
        if now >= known.expires:
            raise Refused("approval-expired", clause="CARD-6")
        self._wrong = 0
        return known.by

    def _draw(self) -> str:
        """Six digits, all equally likely."""
        while True:
            drawn = int.from_bytes(self._entropy(4))
            if drawn < 4294 * _CODES:  # the rest of the range would favour the low codes
                return f"{drawn % _CODES:06d}"


english(
    "refused",
    {
        "approval-unknown": "No supervisor is known by that code: ask for a new one.",
        "approval-expired": "That approval has expired: it holds for two minutes. Ask for a new one.",
    },
)
