"""RNG-1, RNG-2, TKT-1: the running house takes its chance from the operating system's generator, and from nothing else."""

import asyncio
import os
from pathlib import Path

import pytest

from podium.house.tickets import draw_number
from podium.record.fair import BLOCK_BYTES, NONCE_BYTES, shuffle
from tests.server.served import CONFIG, a_house
from tests.terminal import on_a_loop


class Recorder:
    """The system's generator, and everything that it gave."""

    def __init__(self) -> None:
        self.given: list[bytes] = []
        self._system = os.urandom

    def __call__(self, length: int) -> bytes:
        self.given.append(self._system(length))
        return self.given[-1]


class Replay:
    """Gives once more what the generator gave."""

    def __init__(self, given: list[bytes]) -> None:
        self._given = iter(given)

    def __call__(self, length: int) -> bytes:
        again = next(self._given)
        assert len(again) == length, "What was drawn here was drawn for something else."
        return again


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    monkeypatch.setattr(os, "urandom", recorder)
    return recorder


@on_a_loop
async def test_rng_1_rng_2_a_running_house_shuffles_with_the_system_s_generator(
    tmp_path: Path, generator: Recorder
) -> None:
    async with a_house(tmp_path, CONFIG) as served:
        table = served.house.table("t1")
        while table.shoe is None:
            await asyncio.sleep(0.01)
        dealt = table.shoe.shuffle
        assert dealt.nonce in generator.given
        # The words of a shuffle are drawn in blocks right before its nonce.
        first = last = generator.given.index(dealt.nonce)
        while len(generator.given[first - 1]) == BLOCK_BYTES:
            first -= 1
        again = shuffle("t1", dealt.number, table.shoe.decks, Replay(generator.given[first : last + 1]))
        assert (again.order, again.nonce) == (dealt.order, dealt.nonce)


@on_a_loop
async def test_tkt_1_a_running_house_draws_ticket_numbers_with_the_system_s_generator(
    tmp_path: Path, generator: Recorder
) -> None:
    async with a_house(tmp_path, CONFIG) as served:
        guest, _ = await served.guest()
        before = len(generator.given)
        number = (await guest.done("/api/cash-out"))["number"].replace(" ", "")
        drawn = [each for each in generator.given[before:] if len(each) == 8]
        assert number in {draw_number(Replay([each])) for each in drawn if int.from_bytes(each) < 18 * 10**18}


@on_a_loop
async def test_rng_11_a_running_house_stops_dealing_when_its_generator_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = os.urandom
    monkeypatch.setattr(os, "urandom", lambda length: bytes(length) if length == BLOCK_BYTES else system(length))
    async with a_house(tmp_path, CONFIG) as served:
        table = served.house.table("t1")
        while not table.paused:
            await asyncio.sleep(0.01)
        assert table.shoe is None
        operator = await served.operator()
        [noted] = (await operator.get("/api/events", kind="table-closed")).body
        assert (noted["source"], noted["who"]) == ("t1", "automated")
        assert noted["reason"].endswith("no shoe is shuffled until the house starts again")
        assert table.notice.key == "generator-repeats"


def test_rng_10_the_nonce_has_256_bits() -> None:
    assert NONCE_BYTES == 32
