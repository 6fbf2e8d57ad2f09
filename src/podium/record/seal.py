"""A seal for data that must be stored but not readable: the cards that are still face down (RNG-8).

AES-256 in GCM, which also detects that sealed bytes were altered or moved to another place. The key is never kept in the
store that holds the sealed bytes.
"""

from contextlib import suppress
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from podium.record.fair import Entropy

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class SealBroken(Exception):
    """The sealed bytes were altered, belong to another place, or were sealed with another key."""


class Seal:
    """Seals with one key, and opens with that and earlier ones. `about` says what is sealed and where it belongs; it must be
    the same when it is opened."""

    __slots__ = ("_ciphers", "_entropy")

    def __init__(self, key: bytes, entropy: Entropy, *, earlier: tuple[bytes, ...] = ()) -> None:
        for each in (key, *earlier):
            if len(each) != KEY_BYTES:
                raise ValueError(f"The key of a seal is {KEY_BYTES} bytes, not {len(each)}.")
        self._ciphers = tuple(map(AESGCM, (key, *earlier)))
        self._entropy = entropy

    def close(self, secret: bytes, about: str) -> bytes:
        """Seals bytes: the result reveals only their length."""
        nonce = self._entropy(_NONCE_BYTES)
        return nonce + self._ciphers[0].encrypt(nonce, secret, about.encode())

    def open(self, sealed: bytes, about: str) -> bytes:
        """Opens sealed bytes; raises if they were altered."""
        for cipher in self._ciphers:
            with suppress(InvalidTag, ValueError):
                return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about.encode())
        raise SealBroken(
            f"The seal on {about} does not open: it was altered, or sealed with another key than this house has."
        )
