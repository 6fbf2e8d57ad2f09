"""People and what they may do: accounts of their own, passwords, lockout, sessions, separate duties (SEC-1, SEC-2).

Everything is a value. The time and all randomness come in as arguments. Hashing a password is slow by design, so a server
does it on a thread.
"""

import re
from hashlib import sha256
from typing import Final, Literal, NamedTuple, get_args

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Plural, english
from podium.record.fair import Entropy

# --- roles and duties ---------------------------------------------------------------------------------------------------

Role = Literal["player", "dealer", "supervisor", "cashier", "host", "operator", "auditor"]
ROLES: Final = get_args(Role)

Duty = Literal[
    "bet",  # place wagers and decide
    "deal",  # enter cards, confirm results, ask for a correction
    "void",  # void a round, approve a correction
    "cash",  # buy-in, cash-out, tickets, attendant pay, tips, ask for an adjustment
    "transfer",  # electronic transfers from and to accounts elsewhere
    "adjust",  # approve an adjustment that a cashier asked for
    "exclude",  # keep the list of those who may not play
    "configure",  # games, limits, timers, tables
    "enrol",  # people and terminals
    "report",  # reports, meters, recall
    "audit",  # the journal itself, proofs, significant events
]

DUTIES: Final[dict[Role, frozenset[Duty]]] = {
    "player": frozenset({"bet"}),
    "dealer": frozenset({"deal"}),
    "supervisor": frozenset({"void", "adjust", "exclude", "report"}),
    "cashier": frozenset({"cash", "transfer"}),
    "host": frozenset({"transfer"}),
    "operator": frozenset({"configure", "enrol", "report"}),
    "auditor": frozenset({"report", "audit"}),
}
"""SEC-2: betting, dealing, handling money, overruling and setting the rules are duties of different people."""


CHECKS: Final[frozenset[Duty]] = frozenset({"void", "adjust", "enrol", "audit"})
"""Duties that check the work of others, or decide who does it."""


def checks(role: Role) -> bool:
    """Whether a role checks others: one person alone does not grant it (SEC-2)."""
    return bool(DUTIES[role] & CHECKS)


def require(role: Role, duty: Duty) -> None:
    """Refuses a duty that a role does not have."""
    if duty not in DUTIES[role]:
        others = [other for other in ROLES if duty in DUTIES[other]]
        raise Refused("other-duty", role=role, roles=others, clause="SEC-2")


# --- people -------------------------------------------------------------------------------------------------------------

MAX_FAILED_SIGN_INS: Final = 5
LOCKED_MS: Final = 15 * 60_000
"""After this time the person may try again, and each further failure locks again."""

GUEST: Final = "guest-"
"""The prefix of the names that the house gives to guests; no account may begin with it."""
_KEY: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")


class Person(msgspec.Struct, frozen=True):
    """One person's account. A player's key is the number of the player's card, and the password is a PIN."""

    key: str
    name: str
    role: Role
    password: str = ""
    """The argon2 hash; empty until the person has chosen one, and until then nobody can sign in."""
    failures: int = 0
    """Wrong passwords in a row, from terminals that are not enrolled; the server counts those at enrolled terminals
    separately."""
    locked_until: int = 0
    active: bool = True
    held: tuple[Role, ...] = ()
    """The person's earlier roles, the oldest first."""
    stamp: str = ""
    """Filled where it is stored (`house/stamps.py`)."""

    @property
    def strikes(self) -> "Strikes":
        return Strikes(self.failures, self.locked_until)


class Strikes(NamedTuple):
    """Wrong passwords in a row, and the time until which no further one is checked (SEC-1)."""

    wrong: int = 0
    locked_until: int = 0

    def after_one_more(self, now: int) -> "Strikes":
        """One more wrong password; the fifth and every later one locks the account."""
        wrong = self.wrong + 1
        return Strikes(wrong, now + LOCKED_MS if wrong >= MAX_FAILED_SIGN_INS else 0)

    def check(self, now: int, *, in_flight: int = 0) -> None:
        """Refuses a further attempt. Pending attempts count as wrong, so simultaneous attempts gain nothing over sequential
        ones."""
        if now < self.locked_until:
            minutes = -((now - self.locked_until) // 60_000)
            raise Refused("sign-in-locked", minutes=minutes, clause="SEC-1")
        if in_flight >= max(1, MAX_FAILED_SIGN_INS - self.wrong):
            raise Refused("sign-in-at-once", clause="SEC-1")


def new_person(key: str, name: str, role: Role) -> Person:
    """Makes an account without a password: the person chooses it with an invitation, so that nobody else ever knows it."""
    if not _KEY.fullmatch(key):
        raise Refused("sign-in-name", name=shortened(key))
    if role not in DUTIES:
        raise Refused("not-a-role", role=shortened(role), roles=ROLES)
    if not name.strip():
        raise Refused("person-no-name")
    return Person(key, name.strip(), role)


class Passwords:
    """Hashes and checks passwords with argon2id. The parameters are argon2-cffi's defaults, unless a test needs it fast."""

    def __init__(self, entropy: Entropy, hasher: PasswordHasher | None = None) -> None:
        self._entropy: Final = entropy
        self._hasher: Final = hasher or PasswordHasher()
        # Checked when there is no such person, so that every answer takes the same time.
        self._nobody: Final = self._hash("nobody")

    def _hash(self, password: str) -> str:
        return self._hasher.hash(password, salt=self._entropy(16))

    def set(self, person: Person, password: str) -> Person:
        """The person with a new password, which also unlocks the account."""
        check_password(person, password)
        return msgspec.structs.replace(person, password=self._hash(password), failures=0, locked_until=0)

    def matches(self, person: Person | None, password: str) -> bool:
        """Whether it is the person's password. It takes just as long if there is no such person, or no password yet."""
        if person is None or not person.password:
            self._verify(self._nobody, password)
            return False
        return self._verify(person.password, password)

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerifyMismatchError, InvalidHashError):
            return False


def struck(person: Person, strikes: Strikes) -> Person:
    """The person with that many wrong passwords in a row."""
    return msgspec.structs.replace(person, failures=strikes.wrong, locked_until=strikes.locked_until)


def with_role(person: Person, role: Role) -> Person:
    """The person in another role. The record keeps those before it."""
    if role == person.role:
        return person
    return msgspec.structs.replace(person, role=role, held=(*person.held, person.role))


def check_password(person: Person, password: str) -> None:
    """Checks a new secret: players have a PIN, everybody else a password. Only the length counts."""
    if person.role == "player":
        if not (4 <= len(password) <= 8 and password.isascii() and password.isdecimal()):
            raise Refused("pin-digits", clause="SEC-1")
        if len(set(password)) == 1 or password in "01234567890" or password in "09876543210":
            raise Refused("pin-guessed", clause="SEC-1")
    elif not 10 <= len(password) <= 200:
        raise Refused("password-length", clause="SEC-1")
    elif person.key in password.lower() or len(set(password)) < 5:
        raise Refused("password-easy", clause="SEC-1")


# --- tokens: sessions and invitations -----------------------------------------------------------------------------------

TOKEN_BYTES: Final = 32


def draw_token(entropy: Entropy) -> str:
    """A random token of 256 bits, which the house does not keep."""
    return entropy(TOKEN_BYTES).hex()


def token_hash(token: str) -> str:
    """The hash of a token. Earlier versions filed its record under it; now the key also depends on a key of the house, so
    that nobody who can write the book can file one (SEC-7)."""
    return sha256(f"podium-token-1\n{token}\n".encode()).hexdigest()


SESSION_MS: Final = 12 * 3_600_000
NAMELESS_SESSION_MS: Final = 30 * 24 * 3_600_000
"""A guest, or a player who came with a ticket, can claim the credit only by the session, so it lasts long."""
IDLE_MS: Final[dict[Role, int]] = {
    "player": 30 * 60_000,
    # C.6.5: a dealer's terminal locks after five idle minutes.
    "dealer": 5 * 60_000,
    "supervisor": 15 * 60_000,
    "cashier": 10 * 60_000,
    "host": SESSION_MS,
    "operator": 15 * 60_000,
    "auditor": 15 * 60_000,
}


class Session(msgspec.Struct, frozen=True):
    """A person signed in at one terminal, until the session expires or has been idle for too long."""

    key: str
    person: str
    role: Role
    terminal: str
    began: int
    seen: int
    ended: bool = False
    nameless: bool = False
    """Whether the player has no account: a guest, or the holder of a ticket."""
    stamp: str = ""
    device: str = ""
    """The key of the enrolled terminal that proved itself, without which the session does not work; empty for a
    session that works in any browser."""


def begin_session(person: Person, key: str, terminal: str, now: int, device: str = "") -> Session:
    """The session of somebody who has just signed in; its token is filed under `key`."""
    return Session(key, person.key, person.role, terminal, now, now, device=device)


def begin_nameless(player: str, key: str, terminal: str, now: int, device: str = "") -> Session:
    """The session of a player without an account."""
    return Session(key, player, "player", terminal, now, now, nameless=True, device=device)


def check_session(session: Session | None, now: int, *, dealer_idle: int = IDLE_MS["dealer"]) -> Session:
    """Continues a session, or refuses with the reason to sign in again. A house may lock its dealers sooner."""
    if session is None:
        raise Refused("not-signed-in")
    if session.ended:
        raise Refused("session-ended")
    if session.nameless:
        if now - session.began >= NAMELESS_SESSION_MS:
            raise Refused("session-thirty-days", clause="SEC-1")
        return msgspec.structs.replace(session, seen=max(now, session.seen))
    if now - session.began >= SESSION_MS:
        raise Refused("session-twelve-hours", clause="SEC-1")
    idle = min(dealer_idle, IDLE_MS["dealer"]) if session.role == "dealer" else IDLE_MS[session.role]
    if now - session.seen >= idle:
        raise Refused("session-idle", minutes=-(-idle // 60_000), clause="CARD-6")
    return msgspec.structs.replace(session, seen=max(now, session.seen))


def is_over(session: Session, now: int) -> bool:
    """Whether the account may not use any session now."""
    if session.ended or session.nameless:
        return session.ended or now - session.began >= NAMELESS_SESSION_MS
    return now - session.began >= SESSION_MS or now - session.seen >= IDLE_MS[session.role]


def end_session(session: Session) -> Session:
    return msgspec.structs.replace(session, ended=True)


INVITATION_MS: Final = 24 * 3_600_000


class Invitation(msgspec.Struct, frozen=True):
    """A link that lets one person choose a password, once. The first operator and everybody later get in this way."""

    key: str
    person: str
    expires: int
    used: bool = False
    stamp: str = ""


def invite(person: Person, key: str, now: int) -> Invitation:
    """Makes an invitation for a person; its token, which is filed under `key`, goes into the link."""
    return Invitation(key, person.key, now + INVITATION_MS)


def accept(invitation: Invitation | None, now: int) -> Invitation:
    """The invitation as used; the person may now choose a password."""
    if invitation is None:
        raise Refused("link-unknown")
    if invitation.used:
        raise Refused("link-used")
    if now >= invitation.expires:
        raise Refused("link-expired")
    return msgspec.structs.replace(invitation, used=True)


class Passkey(msgspec.Struct, frozen=True):
    """The public half of a key on a staff member's device (WebAuthn)."""

    key: str
    """The id that the device gave it, in base64url."""
    person: str
    name: str
    """The person's name for the device."""
    public_key: str
    """COSE, in hexadecimal."""
    sign_count: int
    added: int
    active: bool = True
    stamp: str = ""


# --- terminals ----------------------------------------------------------------------------------------------------------


class Enrolled(msgspec.Struct, frozen=True):
    """SEC-3: a terminal that the operator enrolled. By itself it shows only what is public; a person who signs in there
    plays under the terminal's name, for its meters (MTR-1)."""

    key: str
    """The key under which its token is filed."""
    name: str
    by: str
    time: int
    active: bool = True
    stamp: str = ""
    reads: str = ""
    """The table at which it reads cards, where it is a card reader and no terminal for people (CARD-11)."""
    public_key: str = ""
    """The public half of the key that its browser keeps; empty until the browser has become the terminal, or has none."""
    certificate: str = ""
    """The SHA-256 of its client certificate, where it has one."""
    expires: int = 0
    """Until when its link must be opened; 0 once a browser has opened it, for a card reader, and for terminals that were enrolled
    before links had an end."""

    def is_valid(self, now: int) -> bool:
        """Whether its token is valid: the terminal was not dismissed, and its link was opened or still can be."""
        return self.active and (not self.expires or now < self.expires)

    @property
    def is_known(self) -> bool:
        """Whether it can prove its identity."""
        return bool(self.public_key or self.certificate)


def enrol(name: str, key: str, by: str, now: int, *, reads: str = "", link_ms: int = 0) -> Enrolled:
    """Enrols a terminal, whose link must be opened within `link_ms`; or a card reader, which has none."""
    if not _KEY.fullmatch(name):
        raise Refused("terminal-name", name=shortened(name))
    return Enrolled(key, name, by, now, reads=reads, expires=0 if reads or not link_ms else now + link_ms)


english(
    "role",
    {
        "player": "player",
        "dealer": "dealer",
        "supervisor": "supervisor",
        "cashier": "cashier",
        "host": "host system",
        "operator": "operator",
        "auditor": "auditor",
    },
)
english(
    "refused",
    {
        # duties
        "other-duty": "The role {role:role} may not do this. Roles that may: {roles:role}.",
        "not-a-role": "{role:quoted} is not a role. Roles: {roles}.",
        # accounts
        "sign-in-name": (
            "{name:quoted} is not a name to sign in with: it has up to 32 small letters, digits, dots, dashes and underscores, "
            "and begins with a letter or digit."
        ),
        "person-no-name": "A person needs a name.",
        "pin-digits": "A PIN has four to eight digits.",
        "pin-guessed": "This PIN is too easy to guess: choose another.",
        "password-length": "A password has ten characters or more, 200 at most.",
        "password-easy": "This password is too easy: it repeats itself or holds the name.",
        # signing in
        "sign-in-locked": Plural(
            "minutes",
            one="Too many wrong passwords: try again in one minute.",
            other="Too many wrong passwords: try again in {minutes} minutes.",
        ),
        "sign-in-at-once": "Too many attempts to sign in with this name at once: try again in a moment.",
        "account-changed": "This account was changed in the meantime: try again.",
        "not-signed-in": "Nobody is signed in here; sign in.",
        "session-ended": "This session was ended; sign in again.",
        "session-twelve-hours": "This session has lasted twelve hours; sign in again.",
        "session-thirty-days": "This session has lasted thirty days; ask at the cashier for the credit.",
        "session-idle": Plural(
            "minutes",
            one="Nothing happened here for a minute; sign in again.",
            other="Nothing happened here for {minutes} minutes; sign in again.",
        ),
        "link-unknown": "This link is not known here; ask the operator for a new one.",
        "link-used": "This link was already used; it works once. Ask the operator for a new one.",
        "link-expired": "This link has expired; ask the operator for a new one.",
        # terminals
        "terminal-name": (
            "{name:quoted} is not a name for a terminal: it has up to 32 small letters, digits, dots, dashes and underscores, "
            "and begins with a letter or digit."
        ),
    },
)
