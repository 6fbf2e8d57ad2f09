"""Passkeys: staff sign in with a key that their device keeps, beside their password (WebAuthn, SEC-1).

The device asks its owner for a finger, a face or a PIN, and signs a challenge of the house for the house's own address: a key
cannot be guessed, used at another address, or phished. The house keeps only the public half.
"""

from collections import OrderedDict
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import House
from podium.house.events import Noted
from podium.house.people import Passkey, Person
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.doors import CameIn, Doors
from podium.server.floor import Floor
from podium.server.known import Where

CHALLENGE_BYTES: Final = 32
CHALLENGE_MS: Final = 5 * 60_000


class Site(NamedTuple):
    """The address of the house as a browser knows it: passkeys belong to its name."""

    origin: str
    name: str

    @classmethod
    def at(cls, origin: str) -> "Site":
        return cls(origin, urlsplit(origin).hostname or "")


class _Given(NamedTuple):
    person: str
    """The person who registers a passkey; "" for signing in."""
    expires: int


class Passkeys:
    """The passkeys of the people of a house, and the challenges that were given out."""

    def __init__(self, house: House, doors: Doors, entropy: Entropy) -> None:
        self._house: Final = house
        self._doors: Final = doors
        self._entropy: Final = entropy
        self._challenges: OrderedDict[bytes, _Given] = OrderedDict()
        """Each is used once. They are kept in memory only: after a restart one begins again."""

    def of(self, person: str) -> list[Passkey]:
        """A person's passkeys that were not removed, the oldest first."""
        mine = [each for each in self._house.shelf.every(Passkey) if each.person == person and each.active]
        return sorted(mine, key=lambda each: each.added)

    # --- registering ------------------------------------------------------------------------------------------------

    def begin_registration(self, person: str, site: Site, now: int) -> str:
        """The options with which a browser makes a passkey, as JSON."""
        self._check_person(person)
        self._check_room(person)
        options = generate_registration_options(
            rp_id=site.name,
            rp_name=self._house.config.name,
            user_id=person.encode(),
            user_name=person,
            challenge=self._challenge(person, now),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(known.key)) for known in self.of(person)
            ],
        )
        return options_to_json(options)

    async def register(self, floor: Floor, person: str, name: str, response: bytes, site: Site) -> Passkey:
        """Keeps the public half of a passkey that the person's device made."""
        if not name.strip() or len(name) > limits.MAX_PASSKEY_NAME_CHARS:
            raise Refused("passkey-name", most=limits.MAX_PASSKEY_NAME_CHARS)
        challenge = self._answered(response, person, floor.clock())
        try:
            made = verify_registration_response(
                credential=response.decode(),
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise Refused("passkey-not-made", error=shortened(str(error)), clause="SEC-1") from None
        key = bytes_to_base64url(made.credential_id)
        passkey = Passkey(key, person, name.strip(), made.credential_public_key.hex(), made.sign_count, floor.clock())

        def keep(now: int) -> None:
            self._check_person(person)
            self._check_room(person)
            if self._house.shelf.find(Passkey, key) is not None:
                raise Refused("passkey-known", clause="SEC-1")
            self._house.shelf.put(passkey, now)
            self._house.note(Noted("passkey-changed", person, person, "added", after=passkey.name), now)

        await floor.in_house(keep)
        return passkey

    async def remove(self, floor: Floor, person: str, key: str) -> None:
        """Removes one of a person's passkeys."""

        def remove(now: int) -> None:
            known = self._house.shelf.find(Passkey, key)
            if known is None or known.person != person or not known.active:
                raise Refused("passkey-unknown")
            self._house.shelf.put(msgspec.structs.replace(known, active=False), now)
            self._house.note(Noted("passkey-changed", person, person, "removed", before=known.name), now)

        await floor.in_house(remove)

    # --- signing in -------------------------------------------------------------------------------------------------

    def begin_sign_in(self, site: Site, now: int) -> str:
        """The options with which a browser signs in with a passkey, as JSON. It asks for no name: the passkey knows it."""
        options = generate_authentication_options(
            rp_id=site.name,
            challenge=self._challenge("", now),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    async def sign_in(self, floor: Floor, response: bytes, site: Site, address: str, where: Where) -> CameIn:
        """Signs a person in by the device's signature. Wrong passwords do not lock out a passkey."""
        person = ""
        with self._doors.passwords_tried.one(address, floor.clock()):
            try:
                challenge = self._answered(response, "", floor.clock())
                known = self._found(response)
                person = known.person
                count = self._signed(known, response, challenge, site)
                return await floor.in_house(lambda now: self._admit(known, count, where, now))
            except Refused as refusal:
                await self._doors.note_failure("sign-in-failed", person, address, str(refusal))
                raise

    def _found(self, response: bytes) -> Passkey:
        known = self._house.shelf.find(Passkey, _read(response).id)
        if known is None or not known.active:
            raise Refused("passkey-wrong", clause="SEC-1")
        return known

    def _signed(self, known: Passkey, response: bytes, challenge: bytes, site: Site) -> int:
        """The device's own count of signatures. If it goes back, the device may have been copied."""
        try:
            return verify_authentication_response(
                credential=response.decode(),
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=bytes.fromhex(known.public_key),
                credential_current_sign_count=known.sign_count,
                require_user_verification=True,
            ).new_sign_count
        except (WebAuthnException, ValueError):
            raise Refused("passkey-wrong", clause="SEC-1") from None

    def _admit(self, known: Passkey, count: int, where: Where, now: int) -> CameIn:
        """Decides by the current state of the account and the passkey."""
        if self._house.shelf.find(Passkey, known.key) is not known:
            raise Refused("account-changed")
        person = self._check_person(known.person)
        if not person.active:
            raise Refused("sign-in-closed")
        if count != known.sign_count:
            self._house.shelf.put(msgspec.structs.replace(known, sign_count=count), now)
        return self._doors.admit(person, where, now)

    # --- checks -----------------------------------------------------------------------------------------------------

    def _check_person(self, name: str) -> Person:
        """Passkeys are for staff: a player's terminal is anybody's device."""
        person = self._house.shelf.find(Person, name)
        if person is None or person.role == "player":
            raise Refused("passkey-staff", clause="SEC-1")
        return person

    def _check_room(self, person: str) -> None:
        if len(self.of(person)) >= limits.MAX_PASSKEYS_PER_PERSON:
            raise Refused("passkeys-full", most=limits.MAX_PASSKEYS_PER_PERSON)

    def _challenge(self, person: str, now: int) -> bytes:
        drawn = self._entropy(CHALLENGE_BYTES)
        self._challenges[drawn] = _Given(person, now + CHALLENGE_MS)
        while len(self._challenges) > limits.MAX_CHALLENGES:
            self._challenges.popitem(last=False)
        return drawn

    def _answered(self, response: bytes, person: str, now: int) -> bytes:
        """The challenge that a response answers, which is used up by it."""
        try:
            client = msgspec.json.decode(base64url_to_bytes(_read(response).response.client_data), type=_ClientData)
            challenge = base64url_to_bytes(client.challenge)
        except ValueError as error:
            raise Refused("passkey-not-understood", error=shortened(str(error))) from None
        known = self._challenges.pop(challenge, None)
        if known is None or known.person != person or now >= known.expires:
            raise Refused("passkey-late", clause="SEC-1")
        return challenge


class _ClientData(msgspec.Struct):
    challenge: str


class _Response(msgspec.Struct):
    client_data: str = msgspec.field(name="clientDataJSON")


class _Credential(msgspec.Struct):
    id: str
    response: _Response


def _read(response: bytes) -> _Credential:
    try:
        return msgspec.json.decode(response, type=_Credential)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("passkey-not-understood", error=shortened(str(error))) from None


english(
    "refused",
    {
        "passkey-not-understood": "What the browser sent is not a passkey: {error}.",
        "passkey-name": "A passkey has a name of up to {most} characters, by which you know the device.",
        "passkey-not-made": "This passkey cannot be added: {error}.",
        "passkey-known": "This passkey is already registered.",
        "passkey-unknown": "You have no such passkey.",
        "passkey-wrong": "This passkey is not known here, or its signature is wrong.",
        "passkey-late": "That took too long: begin again.",
        "passkey-staff": "Passkeys are for staff.",
        "passkeys-full": "You have {most} passkeys: remove one before you add another.",
    },
)
