"""Tokens: what a terminal shows to prove who signed in at it.

A token says who it is for, in which role and until when, and carries a signature by the key of the house; so it needs
no storage, and is good again after a restart. Signing out, or a new password, makes the older tokens of a person void.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest, new
from typing import Final

import msgspec

TOKEN_DAYS: Final = {"player": 30, "display": 365}
"""How long a token is good; for everybody else it is a shift."""
SHIFT: Final = 12 * 3_600_000
DAY: Final = 24 * 3_600_000


class Claim(msgspec.Struct, frozen=True, array_like=True):
    """What a token says."""

    name: str
    role: str
    expires: int
    issued: int


class Tokens:
    """Makes and reads the tokens of one house."""

    def __init__(self, key: bytes) -> None:
        self._key: Final = sha256(b"podium-tokens-1\n" + key).digest()

    def issue(self, name: str, role: str, now: int) -> str:
        lasts = TOKEN_DAYS[role] * DAY if role in TOKEN_DAYS else SHIFT
        claim = msgspec.json.encode(Claim(name, role, now + lasts, now))
        return f"{_text(claim)}.{_text(self._sign(claim))}"

    def read(self, token: str, now: int) -> Claim | None:
        """What a token says, if it is whole and not too old."""
        said, _, signature = token.partition(".")
        try:
            claim = _bytes(said)
            if not compare_digest(self._sign(claim), _bytes(signature)):
                return None
            read = msgspec.json.decode(claim, type=Claim)
        except (ValueError, msgspec.MsgspecError):
            return None
        return read if now < read.expires else None

    def _sign(self, claim: bytes) -> bytes:
        return new(self._key, claim, sha256).digest()


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
