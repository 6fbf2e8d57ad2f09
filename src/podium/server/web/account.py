"""Your own account: another password, and passkeys (SEC-1)."""

from typing import Final

import msgspec
from aiohttp import web

from podium.house.people import DUTIES, Duty, Passkey
from podium.server.passkeys import Site
from podium.server.terminals import Who
from podium.server.web.cards import Done, PersonCard
from podium.server.web.reception import ARRIVAL, WHERE, Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, Route, answer


class PasswordChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The present password and the new one."""

    old: str
    new: str


class PasskeyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that the browser made."""

    name: str
    """What the person calls the device."""
    credential: str
    """What the browser answered, as JSON."""


class PasskeySignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that the browser used."""

    credential: str
    """What the browser answered, as JSON."""


class PasskeyOptions(msgspec.Struct, frozen=True):
    """What the browser needs to make or use a passkey."""

    options: str
    """JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""


class PasskeyCard(msgspec.Struct, frozen=True):
    """One of your passkeys."""

    key: str
    name: str
    added: int


class OwnAccount:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._passkeys: Final = reception.passkeys

    async def change_password(self, request: web.Request, who: Who, asked: PasswordChange) -> Answer[Done]:
        """Choose another password or PIN. Your other sessions end."""
        token = self._reception.token(request)
        await self._reception.doors.change_password(token, asked.old, asked.new, request[ARRIVAL].address)
        return answer(Done())

    async def passkeys(self, request: web.Request, who: Who) -> Answer[list[PasskeyCard]]:
        """Your passkeys."""
        return answer([passkey_card(each) for each in self._passkeys.of(who.name)])

    async def begin(self, request: web.Request, who: Who) -> Answer[PasskeyOptions]:
        """Begin to add a passkey."""
        return answer(
            PasskeyOptions(self._passkeys.begin_registration(who.name, self._site(request), self._floor.clock()))
        )

    async def add(self, request: web.Request, who: Who, asked: PasskeyForm) -> Answer[PasskeyCard]:
        """Add the passkey that the browser made."""
        site, made = self._site(request), asked.credential.encode()
        return answer(passkey_card(await self._passkeys.register(self._floor, who.name, asked.name, made, site)))

    async def remove(self, request: web.Request, who: Who) -> Answer[Done]:
        """Remove one of your passkeys."""
        await self._passkeys.remove(self._floor, who.name, request.match_info["key"])
        return answer(Done())

    async def begin_sign_in(self, request: web.Request) -> Answer[PasskeyOptions]:
        """Begin to sign in with a passkey."""
        return answer(PasskeyOptions(self._passkeys.begin_sign_in(self._site(request), self._floor.clock())))

    async def sign_in(self, request: web.Request, asked: PasskeySignIn) -> Answer[PersonCard]:
        """Sign in with a passkey."""
        where = request[ARRIVAL].address, request[WHERE]
        signed = asked.credential.encode()
        came_in = await self._passkeys.sign_in(self._floor, signed, self._site(request), *where)
        return self._reception.came_in(request, came_in)

    def _site(self, request: web.Request) -> Site:
        """The address of the house that the browser used; names other than the house's own were refused before."""
        return Site.at(request[ARRIVAL].origin)


def passkey_card(passkey: Passkey) -> PasskeyCard:
    return PasskeyCard(passkey.key, passkey.name, passkey.added)


STAFF: Final[tuple[Duty, ...]] = tuple(
    sorted({duty for role, duties in DUTIES.items() if role != "player" for duty in duties})
)
EVERYBODY: Final[tuple[Duty, ...]] = ("bet", *STAFF)


def routes(reception: Reception) -> list[AnyRoute]:
    own = OwnAccount(reception)
    return [
        DutyRoute("POST", "/api/me/password", own.change_password, EVERYBODY),
        DutyRoute("GET", "/api/me/passkeys", own.passkeys, STAFF),
        DutyRoute("POST", "/api/me/passkeys/begin", own.begin, STAFF),
        DutyRoute("POST", "/api/me/passkeys", own.add, STAFF),
        DutyRoute("DELETE", "/api/me/passkeys/{key}", own.remove, STAFF),
        Route("POST", "/api/sign-in/passkey/begin", own.begin_sign_in),
        Route("POST", "/api/sign-in/passkey", own.sign_in),
    ]
