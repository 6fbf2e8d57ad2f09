"""The console: what the administrator of the machine does to a house without signing in, through a Unix socket beside its book.

A user who can open the socket owns the data of the house anyway. Everything that is done here is in the journal, with the name
of the system's user. The same requests are carried out on the book of a house that is closed.
"""

import asyncio
import os
import pwd
import socket
import struct
from pathlib import Path
from typing import Any, Final

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english
from podium.house import HouseConfig
from podium.house.config import check
from podium.house.people import Person, Role
from podium.record.store.archive import Archive
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.keeping import Keeper
from podium.server.log import log

SOCKET: Final = "console.sock"
"""The name of the socket in the directory of a house."""
MAX_REQUEST_BYTES: Final = 4_000_000
"""The most bytes of a request; a configuration is the longest."""


class ConsoleRequest(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A request at the console."""


class ReadConfig(ConsoleRequest, frozen=True, tag="read-config"):
    """The configuration of the house."""


class ApplyConfig(ConsoleRequest, frozen=True, tag="apply-config"):
    """Another configuration for the house."""

    config: HouseConfig
    instead_of: HouseConfig
    """The configuration that was compared with it: if the house has another one by now, nothing is changed."""


class ListPeople(ConsoleRequest, frozen=True, tag="list-people"):
    """Everybody who has an account."""


class InvitePerson(ConsoleRequest, frozen=True, tag="invite-person"):
    """A new account, and a link to it."""

    name: str
    role: Role


class ClosePerson(ConsoleRequest, frozen=True, tag="close-person"):
    """Closes an account, and ends its sessions."""

    name: str


class ResetPerson(ConsoleRequest, frozen=True, tag="reset-person"):
    """Makes a link with which somebody who has lost the password chooses another."""

    name: str


class ArchiveNow(ConsoleRequest, frozen=True, tag="archive"):
    """Moves what is older than this many days into archives; None for the days of the configuration."""

    days: int | None = None


AnyRequest = ArchiveNow | ReadConfig | ApplyConfig | ListPeople | InvitePerson | ClosePerson | ResetPerson


class AccountLine(msgspec.Struct, frozen=True):
    """An account, as the console lists it."""

    name: str
    role: Role
    active: bool
    password: bool
    """Whether the person has chosen one."""


class ConsoleAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a request: one of these."""

    refused: Phrase | None = None
    config: HouseConfig | None = None
    people: list[AccountLine] = []
    archives: list[Archive] = []
    """The archives that were made."""
    link: str = ""
    """The path of a page where a password is chosen; it is shown this once."""


_decode: Final = msgspec.json.Decoder(AnyRequest).decode


class Console:
    """Carries out requests at the console."""

    def __init__(self, floor: Floor, enrolment: Enrolment, keeper: Keeper) -> None:
        self._keeper: Final = keeper
        self._floor: Final = floor
        self._enrolment: Final = enrolment

    async def carry_out(self, request: AnyRequest, user: str) -> ConsoleAnswer:
        """Carries out one request. `user` is the system's user who asks."""
        by = f"console/{user}"
        try:
            return await self._carry_out(request, by)
        except Refused as refusal:
            return ConsoleAnswer(refused=refusal.phrase)

    async def _carry_out(self, request: AnyRequest, by: str) -> ConsoleAnswer:
        match request:
            case ReadConfig():
                return ConsoleAnswer(config=self._floor.house.config)
            case ApplyConfig(config, instead_of):
                await self._configure(config, instead_of, by)
                return ConsoleAnswer(config=config)
            case ArchiveNow(days):
                return ConsoleAnswer(archives=await self._archive(days, by))
            case ListPeople():
                return ConsoleAnswer(people=[_account(person) for person in self._enrolment.people()])
            case InvitePerson(name, role):
                return _link(await self._enrolment.invite_from_console(self._floor, name, role, by=by))
            case ResetPerson(name):
                return _link(await self._enrolment.reset_from_console(self._floor, name, by=by))
            case ClosePerson(name):
                await self._enrolment.close_from_console(self._floor, name, by=by)
                return ConsoleAnswer()

    async def _archive(self, days: int | None, by: str) -> list[Archive]:
        chosen = self._floor.house.config.archive_days if days is None else days
        if chosen < 1:
            raise Refused("archive-days")
        return await self._keeper.archive(by, chosen)

    async def _configure(self, config: HouseConfig, instead_of: HouseConfig, by: str) -> None:
        check(config)

        def enter(now: int) -> None:
            if self._floor.house.config != instead_of:
                raise Refused("config-changed-meanwhile")
            if config != instead_of:
                self._floor.house.configure(config, now, by=by)

        await self._floor.in_house(enter)
        if self._floor.failed is not None:
            self._floor.open_tables()


def _account(person: Person) -> AccountLine:
    return AccountLine(person.key, person.role, person.active, bool(person.password))


def _link(token: str) -> ConsoleAnswer:
    return ConsoleAnswer(link=f"/welcome#{token}")


# --- the socket ------------------------------------------------------------------------------------------------------------


async def listen_at_console(data: Path, console: Console) -> asyncio.Server:
    """Listens at the socket beside the book, which only the owner of the house may use."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = await _answered(console, await reader.readline(), _user_of(writer))
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()
        except (OSError, ValueError) as error:  # a client that went away or sent too much
            log.warning("a request at the console failed", error=str(error))
        finally:
            writer.close()

    directory = os.open(data, os.O_RDONLY)
    try:
        (data / SOCKET).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as made:
            before = os.umask(0o177)
            try:
                # Through the open directory: the path of a socket may have only about a hundred bytes.
                made.bind(f"/proc/self/fd/{directory}/{SOCKET}")
            finally:
                os.umask(before)
            server = await asyncio.start_unix_server(serve, sock=made.dup(), limit=MAX_REQUEST_BYTES)
    finally:
        os.close(directory)
    return server


async def _answered(console: Console, line: bytes, user: str) -> ConsoleAnswer:
    try:
        request = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return ConsoleAnswer(refused=Refused("not-at-console", error=shortened(str(error))).phrase)
    return await console.carry_out(request, user)


def _user_of(writer: asyncio.StreamWriter) -> str:
    """The system's user at the other end, as the system says it."""
    line: Any = writer.get_extra_info("socket")
    _, uid, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return user_named(uid)


def user_named(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:  # a user without a name
        return str(uid)


def ask_console(data: Path, request: ConsoleRequest) -> ConsoleAnswer | None:
    """Asks the house that serves from that directory; None if none does."""
    if not (data / SOCKET).exists():
        return None
    directory = os.open(data, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(f"/proc/self/fd/{directory}/{SOCKET}")
            except ConnectionRefusedError:  # left by a house that was killed
                return None
            line.sendall(msgspec.json.encode(request) + b"\n")
            with line.makefile("rb") as answered:
                return msgspec.json.decode(answered.readline(), type=ConsoleAnswer)
    finally:
        os.close(directory)


english(
    "refused",
    {
        "config-changed-meanwhile": "The configuration of the house was changed in the meantime: look at the differences again.",
        "archive-days": "Say with --days how many days stay in the book, at least one; the configuration of the house has no archive_days.",
        "not-at-console": "That is not a request at the console: {error}.",
    },
)
