"""CARD-6: a dealer's terminal locks after five idle minutes, on the running house."""

from pathlib import Path

import msgspec
import pytest

from podium.wire.commands import TakePlace
from tests.server.served import CONFIG, QUICK, a_house
from tests.terminal import on_a_loop

LIVE = msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(QUICK, dealer="live")})
MINUTE_MS = 60_000


@pytest.mark.parametrize("minutes", [5, 2])
@on_a_loop
async def test_card_6_the_podium_locks_after_the_idle_minutes_and_a_player_s_terminal_does_not(
    tmp_path: Path, minutes: int
) -> None:
    async with a_house(tmp_path, msgspec.structs.replace(LIVE, idle_minutes=minutes)) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        guest, _ = await served.guest()
        async with await dealer.terminal() as podium:
            await podium.watch("t1")
            served.later += (minutes - 1) * MINUTE_MS
            await podium.do(TakePlace)  # something is done, so the minutes begin again
        served.later += (minutes - 1) * MINUTE_MS
        assert (await dealer.get("/api/me")).body["name"] == "dealer-1"
        served.later += MINUTE_MS
        assert (await dealer.get("/api/me")).body is None
        assert (await guest.get("/api/me")).body["role"] == "player"
