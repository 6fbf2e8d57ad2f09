"""A key that a card reader keeps in a file, with which it proves to be the reader that was enrolled (SEC-3, CARD-11).

It is the same proof as that of a terminal whose browser keeps a key: with the token alone nobody can enter a card.
"""

import os
import secrets
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.door import Door

HALF_BYTES: Final = 32
"""The length of each of the two numbers of a signature."""
NUMBER_BYTES: Final = 16
"""The length of the number that is used once in each proof."""


class ReaderKey:
    """The key in a file, which is drawn where the file does not exist."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            _draw(file)
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise Refused("reader-key-mode", file=file)
        try:
            found = load_pem_private_key(file.read_bytes(), password=None)
        except ValueError:
            found = None
        if not isinstance(found, EllipticCurvePrivateKey) or not isinstance(found.curve, SECP256R1):
            raise Refused("reader-key-form", file=file)
        self._secret: Final = found

    @property
    def public(self) -> str:
        return self._secret.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex()

    def sign(self, content: str) -> str:
        one, two = decode_dss_signature(self._secret.sign(content.encode(), ECDSA(SHA256())))
        return (one.to_bytes(HALF_BYTES) + two.to_bytes(HALF_BYTES)).hex()

    async def prove(self, house: str, token: str, tab: str) -> str:
        """The proof that opens a line to a house, over a challenge of the house. The public half is sent first: after
        the first time the token is worthless without the key, and sending it again changes nothing."""
        try:
            async with Door(house) as door:
                await door.become(token, self.public, self.sign(f"podium-terminal-1\n{token}\n"))
                challenge = await door.challenge()
        except Refused as refusal:
            if refusal.key == "no-house":
                raise ConnectionError(str(refusal)) from None  # retried like the line itself
            raise
        number = secrets.token_hex(NUMBER_BYTES)
        signature = self.sign(f"podium-line-1\n{tab}\n{challenge}\n{number}\n")
        return f"{challenge}.{number}.{signature}"


def _draw(file: Path) -> None:
    made = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(made)
        written.flush()
        os.fsync(written.fileno())


english(
    "refused",
    {
        "reader-key-mode": "{file} can be read by others: the key of a card reader is for its owner alone (mode 600).",
        "reader-key-form": "{file} does not hold the key of a card reader: it is a private key on P-256 as PEM.",
    },
)
