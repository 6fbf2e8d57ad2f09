"""Known terminals: a browser proves that it is the terminal that the operator enrolled (SEC-3).

The terminal keeps a key that never leaves it, or a client certificate. With the key it signs every request, over a challenge of
the house that is minutes old at most; with the certificate, TLS proves it for every connection. A session that begins there
works only there, so a stolen cookie is useless.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import House
from podium.house.people import Enrolled
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.arrivals import Evidence
from podium.server.tokens import Tokens

UNENROLLED: Final = "unenrolled"
"""The name in the meters for all terminals that are not enrolled, such as a guest's phone."""
CHALLENGE_BYTES: Final = 16
CHALLENGE_MS: Final = 60_000
"""After this time the house gives another challenge; the previous one stays valid for as long again."""
HALF_BYTES: Final = 32
"""A signature has two numbers of this length (ECDSA, P-256)."""
PROOF: Final = "Podium-Proof"
"""The header of a request with its proof: the challenge, a number used once and the signature, in hexadecimal digits, with
dots between them."""
CHALLENGE: Final = "Podium-Challenge"
"""The header of an answer with the challenge for the next proof."""


class NotProved(Exception):
    """A proof does not hold: the browser may try again with the challenge that comes with the answer."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal)
        self.refusal: Final = refusal


class Where(NamedTuple):
    """The terminal where somebody is, and whether that is proved."""

    terminal: str = UNENROLLED
    known: str = ""
    """The key of the enrolled terminal, where it was proved."""

    @property
    def is_enrolled(self) -> bool:
        return self.terminal not in ("", UNENROLLED)


class KnownTerminals:
    """The challenges of a house, and the known terminals that answer them."""

    def __init__(self, house: House, tokens: Tokens, entropy: Entropy, clock: Callable[[], int]) -> None:
        self._house: Final = house
        self._tokens: Final = tokens
        self._entropy: Final = entropy
        self._clock: Final = clock
        self._given: OrderedDict[str, tuple[int, set[str]]] = OrderedDict()
        """Each challenge with the time when it was first given, and the numbers that were used with it; the last two."""

    def challenge(self) -> str:
        """The challenge for the next proofs."""
        now = self._clock()
        for old, (since, _) in list(self._given.items()):
            if not 0 <= now - since < 2 * CHALLENGE_MS:
                del self._given[old]
        if self._given:
            last, (since, used) = next(reversed(self._given.items()))
            if now - since < CHALLENGE_MS and len(used) < limits.MAX_PROOFS_PER_CHALLENGE:
                return last
        drawn = self._entropy(CHALLENGE_BYTES).hex()
        self._given[drawn] = now, set()
        while len(self._given) > 2:
            self._given.popitem(last=False)
        return drawn

    def where(self, shown: Evidence, content: str) -> Where:
        """The terminal that a request comes from; its proof must cover `content`. A wrong proof is `NotProved`."""
        enrolled = self._tokens.find(self._house, Enrolled, shown.token) if shown.token else None
        if enrolled is None or not enrolled.is_valid(self._clock()):
            return Where()
        if not enrolled.is_known:
            return Where(enrolled.name)
        if enrolled.certificate and compare_digest(enrolled.certificate, shown.certificate):
            return Where(enrolled.name, enrolled.key)
        if enrolled.public_key and shown.proof:
            self._check(enrolled.public_key, shown.proof, content)
            return Where(enrolled.name, enrolled.key)
        return Where()

    def _check(self, public_key: str, proof: str, content: str) -> None:
        challenge, number, signature = (*proof.split("."), "", "", "")[:3]
        self.challenge()  # forgets those that are too old
        if challenge not in self._given:
            raise NotProved(Refused("proof-late", clause="SEC-3"))
        used = self._given[challenge][1]
        well_formed = len(number) == 2 * CHALLENGE_BYTES and number not in used
        if not well_formed or not is_signed(public_key, f"{content}{challenge}\n{number}\n", signature):
            raise NotProved(Refused("proof-wrong", clause="SEC-3"))
        used.add(number)


def about_request(method: str, target: str, body: bytes) -> str:
    """The text that the proof of a request signs."""
    return f"podium-request-1\n{method}\n{target}\n{sha256(body).hexdigest()}\n"


def about_line(tab: str) -> str:
    """The text that the proof of a line signs."""
    return f"podium-line-1\n{tab}\n"


def about_enrolment(token: str) -> str:
    """What a browser signs to show that it has the key with which it becomes a terminal."""
    return f"podium-terminal-1\n{token}\n"


def read_public_key(text: str) -> str:
    """The public half of a terminal's key, P-256 as SubjectPublicKeyInfo in hexadecimal digits; anything else is refused."""
    try:
        _loaded(text)
    except (ValueError, UnsupportedAlgorithm):
        raise Refused("terminal-key", clause="SEC-3") from None
    return text.lower()


def is_signed(public_key: str, content: str, signature: str) -> bool:
    """Whether the terminal with that key signed this text."""
    try:
        raw = bytes.fromhex(signature)
        if len(raw) != 2 * HALF_BYTES:
            return False
        numbers = (int.from_bytes(raw[:HALF_BYTES]), int.from_bytes(raw[HALF_BYTES:]))
        _loaded(public_key).verify(encode_dss_signature(*numbers), content.encode(), ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


@lru_cache(maxsize=limits.MAX_KNOWN_TERMINAL_KEYS)
def _loaded(public_key: str) -> EllipticCurvePublicKey:
    found = load_der_public_key(bytes.fromhex(public_key))
    if not isinstance(found, EllipticCurvePublicKey) or not isinstance(found.curve, SECP256R1):
        raise ValueError("not a key on P-256")
    return found


english(
    "refused",
    {
        "proof-late": "The proof of this terminal is too old: every request needs a new one.",
        "proof-wrong": "The proof of this terminal is wrong: the request was not made by the terminal that was enrolled.",
        "terminal-key": "A terminal's key is a public key on P-256, as SubjectPublicKeyInfo in hexadecimal digits.",
    },
)
