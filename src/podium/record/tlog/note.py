"""Signed notes as C2SP publishes them: a text, and under it a line for each signature.

A key has a name; in a signature line the name and four bytes of the key's hash identify it. The public half travels as
one line, `NAME+HASH+KEY`: the verifier key.
"""

import base64
import binascii
from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519: Final = 0x01
"""The type of a plain signature over the text."""
COSIGNATURE: Final = 0x04
"""The type of a witness's signature, which has a time in it."""

MAX_SIGNATURES: Final = 16
_DASH: Final = "\N{EM DASH} "
_KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
_TIME: Final = Struct(">Q")
MAX_SECONDS: Final = 253_402_300_799
"""The end of the year 9999."""
COSIGNATURE_BYTES: Final = _TIME.size + 64
"""Length of a cosignature: the time, and the signature itself."""


class Malformed(ValueError):
    """A text is not a note, a checkpoint or a key; the message is one sentence."""


class Signature(NamedTuple):
    """One line under a note."""

    name: str
    key_id: bytes
    bytes: bytes

    def line(self) -> str:
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.bytes).decode()}\n"


class SignedNote(NamedTuple):
    """A text with its signatures, which nobody has checked yet."""

    text: str
    """With the newline at its end."""
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(each.line() for each in self.signatures)}"


def parse_note(note: str) -> SignedNote:
    """Reads a note; anything that is not exactly one is `Malformed`."""
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise Malformed("A signed note is a text, an empty line, and lines with signatures.")
    return SignedNote(_plain(text) + "\n", parse_signatures(lines))


def parse_signatures(lines: str) -> tuple[Signature, ...]:
    """The signatures in the lines under a note."""
    signatures = tuple(_signature(line) for line in lines.removesuffix("\n").split("\n"))
    if len(signatures) > MAX_SIGNATURES:
        raise Malformed(f"A note has at most {MAX_SIGNATURES} signatures, not {len(signatures)}.")
    return signatures


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not _is_name(name):
        raise Malformed("A line under a note is a dash, the name of a key, and a signature.")
    raw = from_base64(encoded)
    if len(raw) <= _ID_BYTES:
        raise Malformed(f"The signature of {name} is too short.")
    return Signature(name, raw[:_ID_BYTES], raw[_ID_BYTES:])


def _plain(text: str) -> str:
    if any(sign < " " and sign != "\n" for sign in text):
        raise Malformed("A note has no control characters.")
    return text


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(sign.isspace() or sign < " " for sign in name)


def from_base64(text: str) -> bytes:
    """Standard base64 and nothing else."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("This is not base64.") from None
    if base64.b64encode(raw).decode() != text:
        raise Malformed("This is not base64 as it is written.")
    return raw


def _key_id(name: str, kind: int, key: bytes) -> bytes:
    return sha256(f"{name}\n".encode() + bytes([kind]) + key).digest()[:_ID_BYTES]


class NoteVerifier:
    """Checks the signatures of one key."""

    def __init__(self, name: str, key: bytes, kind: int = ED25519) -> None:
        if not _is_name(name):
            raise Malformed(f"{name!r} is not the name of a key: that has no space and no plus.")
        if len(key) != _KEY_BYTES or kind not in (ED25519, COSIGNATURE):
            raise Malformed("This is not an Ed25519 key.")
        self.name: Final = name
        self.kind: Final = kind
        self.key: Final = key
        self.key_id: Final = _key_id(name, kind, key)
        self._public: Final = Ed25519PublicKey.from_public_bytes(key)

    @classmethod
    def parse(cls, text: str) -> "NoteVerifier":
        """The key of a line `NAME+HASH+KEY`."""
        # The name has no plus; base64 may have some.
        parts = text.strip().split("+", 2)
        if len(parts) != 3:
            raise Malformed("A verifier key is NAME+HASH+KEY.")
        raw = from_base64(parts[2])
        found = cls(parts[0], raw[1:], raw[0] if raw else 0)
        if found.key_id.hex() != parts[1]:
            raise Malformed(f"The hash of the key {parts[0]} is {found.key_id.hex()}, not {parts[1]}: it was mistyped.")
        return found

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(bytes([self.kind]) + self.key).decode()}"

    def verified(self, note: SignedNote) -> Signature | None:
        """The signature of this key under a note, None if there is none; a false one makes the note `Malformed`."""
        for signature in note.signatures:
            if (signature.name, signature.key_id) == (self.name, self.key_id):
                if not self._is_right(note.text, signature.bytes):
                    raise Malformed(f"The signature of {self.name} is not one of this text.")
                return signature
        return None

    def _is_right(self, text: str, signed: bytes) -> bool:
        signature = signed
        if self.kind == COSIGNATURE:
            if len(signed) != COSIGNATURE_BYTES:
                return False
            text, signature = cosigned_text(text, timestamp_of(signed)), signed[_TIME.size :]
        try:
            self._public.verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


class NoteSigner:
    """Signs notes with one key."""

    def __init__(self, name: str, secret: bytes, kind: int = ED25519) -> None:
        self._private: Final = Ed25519PrivateKey.from_private_bytes(secret)
        self.verifier: Final = NoteVerifier(name, self._private.public_key().public_bytes_raw(), kind)

    def sign(self, text: str) -> SignedNote:
        """A note with the signature of this key."""
        return SignedNote(text, (self._signature(self._private.sign(text.encode())),))

    def cosign(self, note: SignedNote, seconds: int) -> SignedNote:
        """Adds a signature of this key with the time, in seconds since 1970, below those of the note."""
        signed = _TIME.pack(seconds) + self._private.sign(cosigned_text(note.text, seconds).encode())
        return SignedNote(note.text, (*note.signatures, self._signature(signed)))

    def _signature(self, signed: bytes) -> Signature:
        return Signature(self.verifier.name, self.verifier.key_id, signed)


def cosigned_text(text: str, seconds: int) -> str:
    """What a cosignature signs."""
    return f"cosignature/v1\ntime {seconds}\n{text}"


def timestamp_of(signed: bytes) -> int:
    """The time in a cosignature, in seconds since 1970."""
    seconds: int = _TIME.unpack(signed[: _TIME.size])[0]
    if seconds > MAX_SECONDS:
        raise Malformed("The time in this cosignature lies after the year 9999.")
    return seconds
