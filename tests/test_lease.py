"""A house in PostgreSQL has one owner at a time: a process that lost it can no longer write, and another one takes
over."""

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.record.journal import Chain
from podium.record.store import Append, Away, Book, Owner, Superseded, open_book, prove, watch_lease
from podium.record.store.keys import KeyFolder, open_keys
from podium.server import tenure
from podium.server.tenure import LeaseEnded, Standby, Tenure
from tests.terminal import on_a_loop
from tests.torture.cluster import cluster_running
from tests.torture.takeover import withstand


def end_lease(url: str) -> None:
    """As when its owner was paused or cut off for too long."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE lease SET until = 1")


def write_next(book: Book, chain: Chain) -> Exception | None:
    [outcome] = book.write([Append([chain.add(1, "noted", b"{}")])])
    return outcome


@pytest.fixture
def owned(postgres_url: str) -> Iterator[Book]:
    with closing(open_book(postgres_url, alone=True, owner=Owner("http://one", "the keys"))) as book:
        yield book


def test_an_owner_that_was_taken_over_can_write_nothing(owned: Book, postgres_url: str) -> None:
    """HA-1: its connection is whole and its entries would follow the last one: only its epoch is over."""
    one, two = Chain("t1"), Chain("t2")
    assert write_next(owned, one) is None
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE lease SET epoch = epoch + 1, process = 'elsewhere:7'")
    for chain in (one, two):
        refused = write_next(owned, chain)
        assert isinstance(refused, Superseded)
        assert "elsewhere:7 (epoch 2) has taken this house over" in str(refused)
    with pytest.raises(Superseded):
        owned.renew()
    with closing(open_book(postgres_url, writable=False)) as book:
        assert {stream: head.sequence for stream, head in book.heads().items()} == {"t1": 1}


def test_nobody_takes_a_house_over_in_the_middle_of_a_write(owned: Book, postgres_url: str) -> None:
    """HA-1: a write that has begun holds the lease: a new epoch begins after it, or the write is not kept."""
    with psycopg.connect(postgres_url) as writing, psycopg.connect(postgres_url, autocommit=True) as taking:
        writing.execute("SELECT 1 FROM lease WHERE epoch = 1 FOR KEY SHARE")
        owned.renew()  # does not wait for the write
        taking.execute("SET lock_timeout = '200ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            taking.execute("UPDATE lease SET epoch = 2")


def test_ha_1_whoever_takes_over_goes_on_where_the_other_was_paused(owned: Book, postgres_url: str) -> None:
    chain = Chain("t1")
    assert write_next(owned, chain) is None
    end_lease(postgres_url)
    with closing(open_book(postgres_url, alone=True)) as taken:
        assert write_next(taken, Chain("t1", taken.heads()["t1"])) is None
        late = chain.add(2, "noted", b"{}")
        assert isinstance(owned.write([Append([late])])[0], Away)  # the server has ended its connection
        with pytest.raises(Superseded):
            owned.reconnect()
        assert prove(taken).entries == 2


def test_a_write_that_hangs_does_not_keep_the_house_from_being_taken(owned: Book, postgres_url: str) -> None:
    """A process that is paused in a transaction holds its locks: the server ends it."""
    writer = owned._writer.connection  # type: ignore[attr-defined]
    with writer.transaction(force_rollback=True):
        writer.execute("SELECT 1 FROM lease WHERE epoch = 1 FOR KEY SHARE")
        end_lease(postgres_url)
        with closing(open_book(postgres_url, alone=True)) as taken:
            assert write_next(taken, Chain("t1")) is None
        with pytest.raises(psycopg.OperationalError):
            writer.execute("SELECT 1")


def test_a_lease_that_is_over_is_renewed_unless_somebody_took_it(owned: Book, postgres_url: str) -> None:
    end_lease(postgres_url)
    owned.renew()
    with closing(watch_lease(postgres_url)) as watch:
        lease = watch.lease()
        assert lease is not None
        assert not lease.is_over
        assert (lease.epoch, lease.address, lease.keys, lease.connected) == (1, "http://one", "the keys", True)
        owned.close()
        given_back = watch.lease()
        assert given_back is not None
        assert (given_back.until, given_back.is_over) == (0, True)


# --- keeping it, and waiting for it ---------------------------------------------------------------------------------------


async def lost(renew: "object", *, gives_way: bool) -> BaseException | None:
    """Why a process stops that renews its lease like this; None if it does not, in a time that is long for it."""
    kept = Tenure(renew, gives_way=gives_way)  # type: ignore[arg-type]
    running = asyncio.create_task(kept.run())
    await asyncio.wait({kept.lost}, timeout=0.5)
    running.cancel()
    return kept.lost.exception() if kept.lost.done() else None


@on_a_loop
async def test_an_owner_that_cannot_renew_stops_where_another_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """HA-1: whether it can still reach the database or not."""
    monkeypatch.setattr(tenure, "LEASE_SECONDS", 0.1)
    monkeypatch.setattr(tenure, "RENEW_SECONDS", 0.02)
    hung = threading.Event()

    def cut_off() -> None:
        raise Away("The database does not answer.")

    def superseded() -> None:
        raise Superseded("Somebody else has it.")

    assert isinstance(await lost(cut_off, gives_way=True), LeaseEnded)
    assert isinstance(await lost(hung.wait, gives_way=True), LeaseEnded)
    assert await lost(cut_off, gives_way=False) is None
    assert isinstance(await lost(superseded, gives_way=False), Superseded)
    assert await lost(lambda: None, gives_way=True) is None
    hung.set()


@on_a_loop
async def test_a_process_waits_for_the_end_of_the_lease_and_needs_the_same_keys(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenure, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(tenure, "LEASE_SECONDS", 0.2)
    folder, other = KeyFolder(tmp_path / "one.keys", os.urandom), KeyFolder(tmp_path / "two.keys", os.urandom)
    keys = open_keys(folder, tmp_path)
    open_keys(other, tmp_path)
    assert await Standby(postgres_url, folder, print).wait() == ""  # nobody has ever had this house
    book = await asyncio.to_thread(open_book, postgres_url, alone=True, owner=Owner(keys=keys.digest))
    told: list[str] = []
    waiting = asyncio.create_task(Standby(postgres_url, folder, lambda lease: told.append(lease.process)).wait())
    with pytest.raises(Refused, match="with other keys"):
        await Standby(postgres_url, other, print).wait()
    assert not waiting.done()
    with closing(watch_lease(postgres_url)) as watch:
        while (
            len(watch.waiting()) != 1
        ):  # the server drops the refused one when it notices that its connection is closed
            await asyncio.sleep(0.02)
    end_lease(postgres_url)
    assert [await waiting] == told != [""]
    book.close()


def test_status_says_who_serves(postgres_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    def status() -> tuple[int, dict[str, object]]:
        code = run(["status", "--json", "--database", postgres_url])
        return code, json.loads(capfd.readouterr().out)

    assert status() == (1, {"serving": None, "waiting": []})
    book = open_book(postgres_url, alone=True, owner=Owner("http://one"))
    with closing(watch_lease(postgres_url, waits=True)):
        code, said = status()
        assert code == 0
        assert said["serving"]["state"] == "serves"  # type: ignore[index]
        assert said["serving"]["process"].endswith(f":{os.getpid()}")  # type: ignore[index]
        assert len(said["waiting"]) == 1  # type: ignore[arg-type]
    end_lease(postgres_url)
    assert run(["status", "--database", postgres_url]) == 1
    assert "its lease has ended, and nobody has taken over yet" in " ".join(capfd.readouterr().out.split())
    book.close()
    assert run(["status", "--database", postgres_url]) == 1
    assert "it has closed the house" in " ".join(capfd.readouterr().out.split())


def test_a_house_in_a_file_has_no_standby(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--standby", "--data", str(tmp_path)]) == 2
    assert "only in PostgreSQL" in capfd.readouterr().err
    open_book(tmp_path / "podium.db").close()
    assert run(["status", "--data", str(tmp_path)]) == 1
    assert capfd.readouterr().out == "nobody   The house is closed.\n"


def test_ha_1_int_1_another_process_goes_on_when_the_owner_is_paused_and_its_database_dies(tmp_path: Path) -> None:
    """Two real processes, two real servers, two gateways and a real bus under bots; `make torture` does more of it."""
    with cluster_running() as cluster:
        came_through = asyncio.run(withstand(tmp_path, cluster, ["pause", "failover", "gateway", "bus"], bots=10))
    assert came_through.epochs == 2
    assert came_through.rounds > 0
