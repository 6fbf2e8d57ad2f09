"""A house opens in the right order: nobody is let in before it can answer (INT-2)."""

import asyncio
from pathlib import Path

from podium.client import Door, connect
from podium.server.serve import Address, close_house, open_house
from tests.server.served import CONFIG
from tests.terminal import on_a_loop


@on_a_loop
async def test_int_2_nobody_is_let_in_before_the_tables_are_open(tmp_path: Path) -> None:
    """The port answers when the tables do: the first terminal of a house that has just opened is shown its table."""
    opened = await open_house(tmp_path, Address(port=0), config=CONFIG)
    try:
        async with (
            asyncio.timeout(10),
            Door(f"http://127.0.0.1:{opened.port}") as door,
            connect(*await door.guest()) as terminal,
        ):
            assert (await terminal.watch("t1")).table == "t1"
    finally:
        opened.floor.stop()
        await close_house(opened)
