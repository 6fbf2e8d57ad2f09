"""A device that keeps a key, as the browser of a known terminal does (SEC-3)."""

import os
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class TerminalKey:
    """The key, and what it signs."""

    def __init__(self) -> None:
        self._secret = ec.generate_private_key(ec.SECP256R1())

    @property
    def public(self) -> str:
        return self._secret.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex()

    def sign(self, content: str) -> str:
        one, two = decode_dss_signature(self._secret.sign(content.encode(), ec.ECDSA(SHA256())))
        return (one.to_bytes(32) + two.to_bytes(32)).hex()

    def enrolment(self, token: str) -> str:
        return self.sign(f"podium-terminal-1\n{token}\n")

    def request(self, challenge: str, method: str, target: str, body: bytes) -> str:
        return self._proof(f"podium-request-1\n{method}\n{target}\n{sha256(body).hexdigest()}\n", challenge)

    def line(self, challenge: str, tab: str) -> str:
        return self._proof(f"podium-line-1\n{tab}\n", challenge)

    def _proof(self, about: str, challenge: str) -> str:
        number = os.urandom(16).hex()
        signature = self.sign(f"{about}{challenge}\n{number}\n")
        return f"{challenge}.{number}.{signature}"
