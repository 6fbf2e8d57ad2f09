"""Backups, archives and their copies, as a house makes them by itself and at its console."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from podium.basics.refusal import Refused
from podium.cli import run
from podium.house import House, HouseConfig
from podium.house.checkpoints import Signatory, public_half
from podium.house.table import TableConfig
from podium.record.store import Append, open_book
from podium.record.store.keys import open_keys, source_of
from podium.server import keeping
from podium.server.console import ArchiveNow
from podium.server.keeping import RETRY_SECONDS, Keeper
from tests.history import write
from tests.houses import PlayingHouse
from tests.server.served import CONFIG, Served, a_house
from tests.terminal import on_a_loop

LONG_AGO = 1_700_000_000_000
ENTRIES = 2_700
STANDS_EVERY = 500


@pytest.fixture
def old_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house that was played in years ago, on the disk with its keys, with a snapshot now and then."""
    data = tmp_path / "house"
    data.mkdir()
    defaults = House.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "snapshot_every", STANDS_EVERY)
    held = open_keys(source_of("", data, os.urandom), data)
    config = HouseConfig(tables={"t1": TableConfig("stadium-blackjack", card_seconds=0, result_seconds=0)})
    book = open_book(data / "podium.db")
    try:
        playing = PlayingHouse(book, config, key=held.seal.current, now=LONG_AGO)
        playing.house.started("fingerprint", playing.now, signer=public_half(held.signature.current))
        playing.seat_bots("t1", 9)
        while book.heads()["table/t1"].sequence < ENTRIES:
            playing.play("t1", 5)
        write(book, Append(checkpoints=Signatory(held.signature.current).sign(book, playing.now)))
    finally:
        book.close()
    return data


def keeper(served: Served, command: str = "") -> Keeper:
    """The keeper of a house that is served, with a command and a time of its own."""
    assert served.opened is not None
    opened = served.opened
    vigil, place = opened.reception.vigil, opened.data / "podium.db"
    return Keeper(
        opened.floor,
        vigil,
        opened.store,
        opened.data,
        place,
        copy_command=command,
        monotonic=lambda: served.later / 1_000,
    )


def test_podium_archive_moves_what_is_old_into_a_file_that_verify_and_recall_read(
    old_house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def podium(*arguments: str) -> str:
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    data = old_house
    first = podium("recall", "t1", "3", "--data", str(data), "--json")
    said = podium("archive", "--data", str(data), "--days", "30")
    [file] = (data / "archives").glob("*.archive")
    assert str(file) in said
    assert podium("recall", "t1", "3", "--data", str(data), "--json") == first
    verified = podium("verify", str(data))
    assert "Archives: 1 file with " in verified
    book = open_book(data / "podium.db", writable=False)
    assert book.first("table/t1") > 1_500
    book.close()
    assert podium("archive", "--data", str(data), "--days", "30") == "Nothing is old enough to be archived.\n"


@on_a_loop
async def test_evt_4_an_open_house_archives_by_itself_and_play_goes_on(tmp_path: Path, old_house: Path) -> None:
    served = Served(old_house, None)
    await served.open()
    assert served.opened is not None
    try:
        with pytest.raises(Refused, match="at least one"):
            raise_refused(await served.opened.console.carry_out(ArchiveNow(), "olga"))
        house = served.house
        house.configure(replace(house.config, archive_days=30), served.opened.floor.clock(), by="olga")
        await served.opened.floor.keep()
        await served.opened.keeper.look()
        assert served.opened.store._book.first("table/t1") > 1_500
        [noted] = [note for note in await served.notes() if note.kind == "archive-made"]
        assert len(noted.after) == 64
        proof = await served.opened.reception.vigil.prove("aud")
        assert proof.archives == 1
        [file] = (old_house / "archives").glob("*.archive")
        file.rename(tmp_path / file.name)
        with pytest.raises(Refused, match="is not in its folder"):
            await served.opened.reception.vigil.prove("aud")
        assert served.opened.floor.failed is None or not served.opened.floor.failed.done()
    finally:
        await served.leave()


def raise_refused(answer: Any) -> None:
    if answer.refused is not None:
        raise Refused.saying(answer.refused)


@on_a_loop
async def test_bak_1_a_backup_is_made_when_it_is_due_and_copied_by_the_operators_command(tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    async with a_house(tmp_path / "house", replace(CONFIG, backup_every_hours=12, backups_kept=2)) as served:
        keeps = keeper(served, f"cp --target-directory {away}")
        for hours in (0, 5, 8, 13, 13, 13):
            served.pass_time(hours * 3_600_000)
            await keeps.look()
        made = sorted(file.name for file in (tmp_path / "house" / "backups").glob("*.backup"))
        assert len(made) == 2
        copied = sorted(file.name for file in away.iterdir())
        assert len(copied) == 5
        assert copied[-2:] == made
        assert served.opened is not None
        assert served.opened.reception.vigil.health().backups.copied_at is not None


@on_a_loop
async def test_evt_1_a_copy_that_fails_is_noted_once_shown_by_health_and_tried_again(tmp_path: Path) -> None:
    command = tmp_path / "elsewhere"
    command.write_text("#!/bin/sh\nls $1 > /dev/null && echo 'no route to the other place' >&2\nexit 3\n")
    command.chmod(0o755)
    async with a_house(tmp_path / "house") as served:
        operator = await served.operator()
        await operator.done("/api/record/backups")
        keeps = keeper(served, str(command))
        for _ in range(2):
            await keeps.look()
            served.pass_time((RETRY_SECONDS + 1) * 1_000)
        assert served.opened is not None
        vigil = served.opened.reception.vigil
        [failed] = [note for note in await served.notes() if note.kind == "copy-failed"]
        assert failed.reason.endswith("ended with the code 3. no route to the other place")
        health = (await operator.get("/api/health")).body
        assert health["backups"]["why"]["key"] == "health.copy-failed"
        command.write_text("#!/bin/sh\nexit 0\n")
        served.pass_time((RETRY_SECONDS + 1) * 1_000)
        await keeps.look()
        assert vigil.health().backups.why is None
        assert [note.kind for note in await served.notes()].count("copy-failed") == 1


@on_a_loop
async def test_a_command_that_does_not_end_is_killed_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "COPY_SECONDS", 0.3)
    command = tmp_path / "hangs"
    command.write_text(f"#!/bin/sh\nsleep 60 &\necho $! > {tmp_path}/child\nwait\n")
    command.chmod(0o755)
    assert "took more than" in await keeping.copied([str(command)], tmp_path)
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("what the command started still runs")


@on_a_loop
async def test_health_says_how_long_the_disk_lasts(tmp_path: Path) -> None:
    async with a_house(tmp_path / "house") as served:
        assert served.opened is not None
        operator = await served.operator()
        vigil = served.opened.reception.vigil
        assert vigil.health().disk.days is None
        served.pass_time(30 * 3_600_000)
        await served.guest()
        await keeper(served).look()
        measured = vigil.growth
        assert measured is not None
        assert measured.whole_day
        written = await written_since_yesterday(served)
        assert 0 < written <= measured.entries <= written + 2
        disk = (await operator.get("/api/health")).body["disk"]
        assert disk["bytes_per_day"] == measured.bytes > 0
        assert (
            disk["days"] == disk["free_bytes"] // measured.bytes
            or abs(disk["days"] * measured.bytes - disk["free_bytes"]) < 10**9
        )
        vigil.growth = measured._replace(bytes=disk["free_bytes"] * 2 // 7)
        assert str(vigil.health().disk.why).endswith("the disk with the data of the house lasts 3 more days.")
        vigil.growth = measured._replace(bytes=disk["free_bytes"] * 2 // 7, measured_ms=3_600_000)
        assert vigil.health().disk.why is None


async def written_since_yesterday(served: Served) -> int:
    assert served.opened is not None
    since = served.opened.floor.clock() - 86_400_000

    def count(book: Any) -> int:
        return sum(entry.time >= since for stream in book.heads() for entry in book.entries(stream))

    return await served.opened.store.read(count)
