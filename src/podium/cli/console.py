"""Requests at the console of a house: to the running house, or on its book while it is closed."""

import asyncio
import os
from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.data import opened
from podium.cli.files import not_allowed
from podium.house import HouseConfig
from podium.house.events import HouseConfigured, decode
from podium.house.state import HOUSE
from podium.record.store import BOOK, Damaged, Fenced, Unavailable
from podium.server.console import AnyRequest, ConsoleAnswer, ReadConfig, ask_console, user_named
from podium.server.serve import close_house, open_house
from podium.server.vigil import UnknownProgram


def ask(data: Path, request: AnyRequest, *, database: str = "", keys: str = "") -> ConsoleAnswer:
    """The answer of the house in that directory; a refusal carries the house's sentence."""
    if forbidden := not_allowed(data, writing=False):
        raise Refused("house-unreadable", error=forbidden)
    if not database and not (data / BOOK).exists():
        raise Refused("house-missing", directory=str(data), book=BOOK)
    try:
        answer = ask_console(data, request)
    except PermissionError:
        raise Refused("console-not-yours", directory=str(data)) from None
    if answer is None and isinstance(request, ReadConfig):
        return ConsoleAnswer(config=_stored_config(database or str(data)))
    if answer is None:
        try:
            answer = asyncio.run(_on_closed_book(data, request, database, keys))
        except (Damaged, Fenced, Unavailable, UnknownProgram) as error:
            raise Refused("console-closed", error=str(error)) from None
    if answer.refused is not None:
        raise Refused.saying(answer.refused)
    return answer


def _stored_config(where: str) -> HouseConfig:
    """The configuration of a house that is closed, without opening it."""
    with opened(where) as book:
        entry = book.last(HOUSE, "house-configured")
    configured = None if entry is None else decode(entry.payload)
    if not isinstance(configured, HouseConfigured):
        raise Refused("house-empty")
    return configured.config


async def _on_closed_book(data: Path, request: AnyRequest, database: str, keys: str) -> ConsoleAnswer:
    house = await open_house(data, None, database=database, keys=keys)
    try:
        return await house.console.carry_out(request, user_named(os.getuid()))
    finally:
        await close_house(house)


english(
    "refused",
    {
        "console-not-yours": "The console of the house in {directory} is for the user who runs it: become that user first.",
        "console-closed": "The house cannot be opened: {error}",
    },
)
