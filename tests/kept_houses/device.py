"""A device that keeps a passkey, in software: it answers the house's challenges as a phone does (WebAuthn)."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from os import urandom
from typing import Final

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT_VERIFIED_AND_ATTESTED: Final = 0x45
"""The flags of WebAuthn 6.1: the user is present and verified, and a credential is attached."""


def passkey_made(options: str, origin: str) -> str:
    """Makes a new passkey for the registration options of a house. Returns what a browser at `origin` sends."""
    wanted = json.loads(options)
    client = json.dumps({"type": "webauthn.create", "challenge": wanted["challenge"], "origin": origin}).encode()
    credential = urandom(16)
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    # COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256, and the two coordinates.
    public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
    attested = bytes(16) + len(credential).to_bytes(2, "big") + credential + public
    site = sha256(wanted["rp"]["id"].encode()).digest()
    data = site + bytes([PRESENT_VERIFIED_AND_ATTESTED]) + bytes(4) + attested
    attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
    parts = {"clientDataJSON": _encoded(client), "attestationObject": _encoded(attestation)}
    key = _encoded(credential)
    return json.dumps({"id": key, "rawId": key, "type": "public-key", "response": parts})


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
