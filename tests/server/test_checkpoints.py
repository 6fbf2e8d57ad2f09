"""EVT-5: a house that is open signs its record, and anybody may ask for checkpoints and proofs."""

import asyncio
import base64
from pathlib import Path

import pytest

from podium.record.store import open_book, prove_checkpoints
from podium.record.tlog import Checkpoint, NoteVerifier, is_consistent, is_included, read_notes
from podium.server import limits
from tests.server.served import CONFIG, Browser, Served, a_house
from tests.terminal import on_a_loop


async def checkpoints(browser: Browser, key: NoteVerifier) -> dict[str, Checkpoint]:
    """By stream what the house has signed; every signature is checked."""
    said = await browser.get("/api/checkpoints")
    assert said.status == 200
    found = {}
    for note in read_notes(said.body):
        assert key.verified(note) is not None
        checkpoint = Checkpoint.parse(note.text)
        found[checkpoint.origin.removeprefix(f"{key.name}/")] = checkpoint
    return found


async def proof(browser: Browser, path: str, **query: str | int) -> list[bytes]:
    said = await browser.get(path, **query)
    assert said.status == 200, said
    return [base64.b64decode(each) for each in said.body["proof"]]


@on_a_loop
async def test_everybody_is_given_signed_checkpoints_and_proofs(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        signing, key = served.opened.signing, await served.opened.signing.key()
        assert await signing.sign() == 2
        anybody = await served.browser()
        before = await checkpoints(anybody, key)
        assert set(before) == {"house", "table/t1"}
        await anybody.done("/api/guest")
        assert await signing.sign() >= 1
        after = await checkpoints(anybody, key)
        old, new = before["house"], after["house"]
        assert new.size > old.size
        shown = await proof(anybody, "/api/log/consistency", stream="house", **{"from": old.size, "to": new.size})
        assert is_consistent(old.size, old.root, new.size, new.root, shown)
        [entry] = await served.opened.store.read(lambda book: book.hashes("house", 1, 1))
        shown = await proof(anybody, "/api/log/inclusion", stream="house", entry=2, to=new.size)
        assert is_included(entry, 1, new.size, new.root, shown)
        table = after["table/t1"]
        assert (
            await proof(anybody, "/api/log/consistency", stream="table/t1", **{"from": table.size, "to": table.size})
            == []
        )


@on_a_loop
async def test_a_proof_about_what_is_not_signed_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        await served.opened.signing.sign()
        anybody = await served.browser()
        too_many = await anybody.get("/api/log/consistency", stream="house", **{"from": 1, "to": 10_000})
        assert (too_many.status, too_many.reason.partition(":")[0]) == (
            422,
            "There is no proof about 10000 entries of house",
        )
        wrong: list[dict[str, str | int]] = [
            {},
            {"from": "x", "to": 1},
            {"from": "-1", "to": 1},
            {"from": 1, "to": "9" * 30},
        ]
        for bad in wrong:
            said = await anybody.get("/api/log/consistency", stream="house", **bad)
            assert (said.status, "not understood" in said.reason) == (422, True)
        for stream in ("", "nowhere", "x' OR '1'='1"):
            assert (await anybody.get("/api/log/consistency", stream=stream, **{"from": 0, "to": 1})).status == 422
        assert (await anybody.get("/api/log/inclusion", stream="house", entry=0, to=1)).status == 422


@on_a_loop
async def test_the_record_is_signed_by_itself_every_few_seconds_and_to_its_last_entry_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MIN_SECONDS_BETWEEN_CHECKPOINTS", 0.01)
    async with a_house(tmp_path) as served:
        anybody = await served.browser()
        while not (await anybody.get("/api/checkpoints")).body:
            await asyncio.sleep(0.01)
    book = open_book(tmp_path / "podium.db", writable=False)
    try:
        signed = {each.stream: each.size for each in book.checkpoints()}
        assert signed == {stream: head.sequence for stream, head in book.heads().items()}
        assert prove_checkpoints(book) == 2
    finally:
        book.close()


@on_a_loop
async def test_the_key_stays_and_is_announced_in_the_journal(tmp_path: Path) -> None:
    served = Served(tmp_path, CONFIG)
    await served.open()
    assert served.opened is not None
    key = await served.opened.signing.key()
    await served.restart()
    assert str(await served.opened.signing.key()) == str(key)
    assert (tmp_path.with_name(f"{tmp_path.name}.keys") / "signature.key").stat().st_mode & 0o077 == 0
    entries = await served.opened.store.read(lambda book: book.entries("house"))
    started = [entry.payload for entry in entries if entry.kind == "house-started"]
    assert len(started) == 2
    assert all(key.key.hex().encode() in payload for payload in started)
    await served.leave()
