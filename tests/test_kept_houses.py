"""Houses recorded by earlier versions: this version opens, replays and verifies them, and plays on where they stopped.

Every house in tests/data/houses is tested; adding one needs no change here.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from podium.cli import run
from tests.houses import PlayingHouse
from tests.kept_houses.findings import (
    balances,
    book_of,
    findings,
    key_of,
    not_understood,
    opens_shoes,
    proved,
    restored_at_start,
    tables,
)
from tests.kept_houses.folder import KeptHouse, kept_houses
from tests.postgres import new_database
from tests.server.served import Served, until
from tests.terminal import on_a_loop

ALL = list(kept_houses())
PARTS = ("closed_at", "heads", "kinds", "proved", "balances", "documents", "tables", "rounds")
"""The parts of what `findings` returns."""


class UnpackedHouse:
    """A copy of a kept house that a test may change."""

    def __init__(self, kept: KeptHouse, data: Path, url: str) -> None:
        self.expected = kept.expected
        self.data = data
        self.url = url

    @property
    def place(self) -> str:
        """How the command line names it."""
        return self.url or str(self.data)

    def find(self, what: Any) -> Any:
        """Reads something from its book."""
        book = book_of(self.data, self.url)
        try:
            return what(book)
        finally:
            book.close()

    def check_continued(self) -> None:
        """The recorded entries are unchanged, rounds were added, and the whole record verifies."""
        recorded = self.expected["heads"]
        assert self.find(lambda book: hashes_at(book, recorded)) == recorded
        now = self.find(lambda book: proved(book, opens_shoes(self.data)))
        assert now["entries"] > self.expected["proved"]["entries"]
        assert now["rounds"] > self.expected["proved"]["rounds"]


def hashes_at(book: Any, heads: dict[str, Any]) -> dict[str, Any]:
    """The entries at which the streams ended when they were recorded."""
    return {
        stream: [entry.sequence, entry.hash.hex()]
        for stream, (sequence, _) in heads.items()
        for entry in book.entries(stream, sequence - 1, 1)
    }


@contextmanager
def unpacked(kept: KeptHouse, into: Path, request: pytest.FixtureRequest) -> Iterator[UnpackedHouse]:
    with ExitStack() as stack:
        url = ""
        if kept.store == "postgres":
            url = stack.enter_context(new_database(request.getfixturevalue("postgres_server")))
        yield UnpackedHouse(kept, kept.unpack(into, url), url)


@pytest.fixture(params=ALL, ids="-".join)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[UnpackedHouse]:
    with unpacked(request.param, tmp_path, request) as copy:
        yield copy


@pytest.fixture(scope="module", params=ALL, ids="-".join)
def looked_at(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What this version finds in a house, and what the version that recorded it found."""
    with unpacked(request.param, tmp_path_factory.mktemp("kept"), request) as copy:
        yield copy.find(lambda book: findings(book, opens_shoes(copy.data))), copy.expected


def test_both_stores_of_every_version_are_kept() -> None:
    versions = {kept.version for kept in ALL}
    assert {"180b39b", "f11091c", "57739e5", "924c90c"} <= versions
    assert {tuple(kept) for kept in ALL} == {
        (version, store) for version in versions for store in ("sqlite", "postgres")
    }


@pytest.mark.parametrize("part", PARTS)
def test_int_1_a_replay_from_the_first_entry_finds_what_its_version_found(
    looked_at: tuple[dict[str, Any], dict[str, Any]], part: str
) -> None:
    found, expected = looked_at
    assert found[part] == expected[part]


def test_every_field_of_every_entry_and_document_is_read(house: UnpackedHouse) -> None:
    assert house.find(not_understood) == []


def test_int_1_time_1_a_start_restores_the_same_tables_and_balances(house: UnpackedHouse) -> None:
    """The recording holds `table-stood` entries, so this replay begins in the middle of the tables' journals."""
    assert any("table-stood" in kinds for kinds in house.expected["kinds"].values())
    restored = house.find(lambda book: restored_at_start(book, opens_shoes(house.data)))
    assert tables(restored) == house.expected["tables"]
    assert balances(restored) == house.expected["balances"]


def test_podium_verify_finds_no_difference(house: UnpackedHouse, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", house.place]) == 0
    assert capsys.readouterr().out.endswith("No difference was found.\n")


def test_bak_2_a_backup_from_the_recording_can_be_restored(house: UnpackedHouse, tmp_path: Path) -> None:
    [backup] = (house.data / "backups").iterdir()
    assert run(["restore", str(backup), str(tmp_path / "restored")]) == 0
    assert run(["verify", str(tmp_path / "restored")]) == 0


def test_rounds_in_play_are_played_to_their_end_and_followed_by_new_ones(house: UnpackedHouse) -> None:
    book = book_of(house.data, house.url, writable=True)
    try:
        playing = PlayingHouse(book, key=key_of(house.data), now=house.expected["closed_at"])
        for name, table in house.expected["tables"].items():
            if table["seats"] and table["phase"] not in ("closed", "paused"):
                playing.play(name, 1)
                assert playing.house.table(name).round_number == table["round"] + 1
    finally:
        book.close()
    house.check_continued()


@on_a_loop
async def test_the_house_is_served_again_and_its_people_play_on(house: UnpackedHouse) -> None:
    """Recorded passwords, seats, open questions and slips, through the server of this version."""
    served = Served(house.data, None, database=house.url)
    served.later = house.expected["closed_at"] - served.clock()
    await served.open()
    try:
        found, expected = tables(served.house), house.expected["tables"]
        for name, table in expected.items():  # the time in which the house was closed is given back (DSC-2)
            assert (found[name]["deadline"] or 0) >= (table["deadline"] or 0)
            table["deadline"] = found[name]["deadline"]
        assert found == expected
        assert house.expected["slip"] in [[note.kind, note.source, note.who] for note in await served.notes()]
        await answer_what_is_asked(served, house.expected)
        await open_what_rests(served, house.expected)
        await let_rounds_end(served, house.expected)
    finally:
        await served.leave()
    house.check_continued()


async def answer_what_is_asked(served: Served, expected: dict[str, Any]) -> None:
    """Every player with an account who has a decision open signs in with the recorded password and stands."""
    passwords = expected["passwords"]
    asked = [
        (name, player) for name, table in expected["tables"].items() for player in table["asked"] if player in passwords
    ]
    assert asked
    for name, player in asked:
        browser = await served.browser()
        await browser.done("/api/sign-in", name=player, password=passwords[player])
        async with await browser.terminal() as terminal:
            await terminal.watch(name)
            await stand(terminal)


async def stand(terminal: Any) -> None:
    await until(terminal, lambda: terminal.turn() is not None)
    await terminal.decide("stand")


async def open_what_rests(served: Served, expected: dict[str, Any]) -> None:
    """The recorded operator signs in and opens the tables that were closed or paused."""
    operator = await served.browser()
    await operator.done("/api/sign-in", name="operator", password=expected["passwords"]["operator"])
    for name, table in expected["tables"].items():
        if table["phase"] in ("closed", "paused"):
            opened = await operator.done(f"/api/floor/tables/{name}", state="open")
            assert opened["phase"] not in ("closed", "paused")


async def let_rounds_end(served: Served, expected: dict[str, Any]) -> None:
    """Lets time pass until the automated dealer has ended the rounds in play and opened new ones."""
    waiting = {
        name: table["round"]
        for name, table in expected["tables"].items()
        if table["asked"] and served.house.table(name).upcoming.dealer == "automated"
    }
    assert waiting
    while any(served.house.table(name).round_number == number for name, number in waiting.items()):
        served.pass_time(10_000)
        await asyncio.sleep(0.01)
