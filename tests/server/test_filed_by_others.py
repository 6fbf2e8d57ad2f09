"""SEC-7: somebody who can write the book, and knows everything in it, can let nobody in.

Every forgery is written as a house writes: the document in its next version, and its digest in the journal's chain.
Only the keys of the house are unknown to the forger.
"""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from yarl import URL

from podium.basics.words import phrase
from podium.cli import run
from podium.house import House
from podium.house.events import DocumentsFiled, Filing, encode
from podium.house.pending import Pending
from podium.house.people import (
    Enrolled,
    Invitation,
    Passkey,
    Passwords,
    Person,
    Session,
    new_person,
    token_hash,
)
from podium.house.shelf import KINDS, Kept, digest, name_of
from podium.house.shuffling import SealedShuffler
from podium.house.stamps import since_note
from podium.house.tickets import TICKETS, Ticket
from podium.record.journal import Chain
from podium.record.ledger import Transfer, account
from podium.record.store import BOOK, Append, Damaged, Document, open_book
from podium.record.store.keys import KeyFolder, default_folder, open_keys, read_ring
from podium.server.clock import system_clock
from tests.server.served import CONFIG, EASY, PASSWORD, Browser, Served
from tests.terminal import on_a_loop

STRANGER = "f" * 64
"""A token that a stranger chose."""


@pytest.fixture(params=["sqlite", "postgres"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Served:
    database = str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else ""
    return Served(tmp_path / "data", CONFIG, database=database)


def place_of(served: Served) -> str | Path:
    return served.database or served.data / BOOK


def file_document(served: Served, kept: Kept | None = None, *, again: tuple[str, str, int] | None = None) -> None:
    """Files a document as a house would, or the content of an earlier version once more."""
    book = open_book(place_of(served))
    try:
        if again is not None:
            kind, key, version = again
            body = next(each.body for each in book.versions_of(kind, [key]) if each.version == version)
        else:
            assert kept is not None
            (kind, key), body = name_of(kept), msgspec.json.encode(kept)
        last = book.document(kind, key)
        document = Document(kind, key, last.version + 1 if last else 1, system_clock(), body)
        filed = DocumentsFiled((Filing(kind, key, document.version, digest(document)),))
        entry = Chain("house", book.heads()["house"]).add(document.time, "documents-filed", encode(filed))
        assert book.write([Append([entry], [document])]) == [None]
    finally:
        book.close()


def stored(served: Served, kind: str) -> list[Any]:
    """The documents of a kind, with their stamps, as whoever reads the book sees them."""
    book = open_book(place_of(served), writable=False)
    try:
        return [msgspec.json.decode(each.body, type=KINDS[kind]) for each in book.documents(kind)]
    finally:
        book.close()


def inserted(served: Served, stamp: str) -> list[Kept]:
    """What a stranger files to come in; a stamp of another document is all that can be copied."""
    known = {person.key: person for person in stored(served, "person")}
    password = Passwords(os.urandom, EASY).set(known["operator"], "a stranger's own password")
    now = system_clock()
    return [
        Session(token_hash(STRANGER), "operator", "operator", "unenrolled", now, now, stamp=stamp),
        Invitation(token_hash(STRANGER), "operator", now + 3_600_000, stamp=stamp),
        Enrolled(token_hash(STRANGER), "cage-1", "operator", now, stamp=stamp),
        Passkey("c3RyYW5nZXI", "operator", "phone", "a5", 0, now, stamp=stamp),
        msgspec.structs.replace(password, stamp=stamp),
        msgspec.structs.replace(known["cashier-1"], role="operator", stamp=stamp),
        Person("eve", "eve", "operator", password.password, stamp=stamp),
        Pending("1", "cashier-1", "ann", phrase("act.cash-out"), ("adjust",), "", now, now + 1, by="sue", stamp=stamp),
    ]


@pytest.mark.parametrize("which", range(8))
@pytest.mark.parametrize("copied", [False, True])
@on_a_loop
async def test_sec_7_nobody_who_writes_the_book_lets_anybody_in(served: Served, which: int, copied: bool) -> None:
    await served.open()
    await served.staff(await served.operator(), "cashier")
    await served.leave()
    stamp = next(person.stamp for person in stored(served, "person") if person.key == "operator") if copied else ""
    file_document(served, inserted(served, stamp)[which])
    with pytest.raises(Damaged, match="was not filed by this house"):
        await served.open()


@on_a_loop
async def test_sec_7_a_session_of_one_s_own_cannot_be_made_another_s(served: Served) -> None:
    await served.open()
    await served.operator()
    await served.guest()
    await served.leave()
    [mine] = [session for session in stored(served, "session") if session.nameless]
    file_document(served, msgspec.structs.replace(mine, person="operator", role="operator", nameless=False))
    with pytest.raises(Damaged, match="was not filed by this house"):
        await served.open()


@on_a_loop
async def test_sec_7_a_version_of_before_is_not_taken_for_a_new_one(served: Served) -> None:
    """A session that was ended, and an account that was closed, stay so."""
    await served.open()
    operator = await served.operator()
    await served.staff(operator, "cashier")
    await operator.done("/api/people", name="cashier-1", role="cashier", active=False)
    await served.leave()
    before = max(each.version for each in _versions(served, "person", "cashier-1") if b'"active":true' in each.body)
    file_document(served, again=("person", "cashier-1", before))
    with pytest.raises(Damaged, match="was not filed by this house"):
        await served.open()


def _versions(served: Served, kind: str, key: str) -> list[Document]:
    book = open_book(place_of(served), writable=False)
    try:
        return book.versions_of(kind, [key])
    finally:
        book.close()


@on_a_loop
async def test_sec_7_podium_verify_names_a_document_that_another_filed(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    await served.open()
    await served.operator()
    await served.leave()
    where = [served.database, "--keys", str(default_folder(served.data))] if served.database else [str(served.data)]
    assert run(["verify", *where]) == 0
    assert "that let somebody in, each filed by the house itself." in capsys.readouterr().out
    file_document(served, Person("eve", "eve", "operator", "x"))
    assert run(["verify", *where]) == 1
    assert "the person eve was not filed by this house" in capsys.readouterr().err


@on_a_loop
async def test_sec_7_reading_the_book_gives_no_token_and_no_key_of_one(served: Served) -> None:
    """The hash of a token, which anybody can compute, is nowhere in the book."""
    await served.open()
    operator = await served.operator()
    terminal = (await operator.done("/api/terminals", name="cage-1"))["token"]
    invited = (await operator.done("/api/people", name="carl", role="cashier"))["invitation"].partition("#")[2]
    tokens = [operator.token, terminal, invited]
    await served.leave()
    keys = [each.key for kind in ("session", "terminal", "invitation") for each in stored(served, kind)]
    assert len(set(keys)) >= 3
    assert not {*tokens, *map(token_hash, tokens)} & set(keys)


# --- houses of earlier versions -----------------------------------------------------------------------------------------


def showing(browser: Browser, cookie: str, token: str) -> Browser:
    browser._session.cookie_jar.update_cookies({cookie: token}, URL(browser.base))
    return browser


@on_a_loop
async def test_sec_7_everybody_of_an_earlier_version_stays_signed_in(served: Served) -> None:
    """Tokens that were filed under plain hashes are filed anew at the first start; then plain hashes let nobody in."""
    old = earlier_house(served)
    await served.open()
    for person in ("operator", "guest-1"):
        browser = showing(await served.browser(), "podium", old[person])
        assert (await browser.get("/api/me")).body["name"] == person
    wall = await served.browser()
    assert (await wall.done("/api/terminals/here", token=old["wall"]))["name"] == "wall-1"
    invited = await served.browser()
    await invited.done("/api/invitations", token=old["invited"], password=PASSWORD)
    await served.restart()
    browser = showing(await served.browser(), "podium", old["operator"])
    assert (await browser.get("/api/me")).body["name"] == "operator"
    await served.leave()
    assert run(["verify", served.database or str(served.data)]) == 0
    file_document(served, Session(token_hash(STRANGER), "operator", "operator", "", system_clock(), system_clock()))
    with pytest.raises(Damaged, match="was not filed by this house"):
        await served.open()


def earlier_house(served: Served) -> dict[str, str]:
    """A house as an earlier version left it; the tokens that people hold."""
    tokens = {
        name: token * 64 for name, token in (("operator", "a"), ("guest-1", "b"), ("wall", "c"), ("invited", "d"))
    }
    served.data.mkdir()
    keys = open_keys(KeyFolder(default_folder(served.data), os.urandom), served.data)
    house, now = House(SealedShuffler(keys.seal.seal(os.urandom), os.urandom)), system_clock()
    house.configure(CONFIG, now)
    house.started("an earlier program", now, keys=keys.ids)
    operator = Passwords(os.urandom, EASY).set(new_person("operator", "operator", "operator"), PASSWORD)
    dora = new_person("dora", "dora", "dealer")
    house.admit("guest-1", "guest", now)
    for kept in (
        operator,
        dora,
        Session(token_hash(tokens["operator"]), "operator", "operator", "", now, now),
        Session(token_hash("ended"), "operator", "operator", "", now, now, ended=True),
        Session(token_hash(tokens["guest-1"]), "guest-1", "player", "", now, now, nameless=True),
        Enrolled(token_hash(tokens["wall"]), "wall-1", "operator", now),
        Invitation(token_hash(tokens["invited"]), "dora", now + 3_600_000),
    ):
        house.shelf.put(kept, now)
    book = open_book(place_of(served))
    documents = house.take_documents()
    assert book.write([Append(house.take_entries(), documents)]) == [None]
    book.close()
    served.config = None
    return tokens


@on_a_loop
async def test_sec_7_a_rotated_key_stamps_everything_anew_and_the_earlier_one_can_go(served: Served) -> None:
    await served.open()
    operator = await served.operator()
    await served.close()
    folder = KeyFolder(default_folder(served.data), os.urandom)
    folder.rotate("sessions")
    await served.open()
    assert (await served.moved(operator).get("/api/me")).body["name"] == "operator"
    await served.close()
    file = default_folder(served.data) / "sessions.key"
    file.write_text(file.read_text().splitlines()[0] + "\n")
    await served.open()
    assert (await served.moved(operator).get("/api/me")).body is None
    await served.moved(operator).done("/api/sign-in", name="operator", password=PASSWORD)
    await served.leave()


# --- a book that was rewritten to look older than stamps ------------------------------------------------------------------


@on_a_loop
async def test_sec_7_a_house_that_stamped_once_never_opens_a_book_without_stamps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The note beside the keys remembers it, whatever the book says."""
    served = Served(tmp_path / "data", CONFIG)
    await served.open()
    await served.leave()
    for file in served.data.glob("podium.db*"):
        file.unlink()
    served.data.rmdir()
    earlier_house(served)
    with pytest.raises(Damaged, match=r"stamps its documents since entry .* and the book has stamps nowhere"):
        await served.open()
    assert run(["verify", str(served.data)]) == 1
    assert "the book has stamps nowhere" in capsys.readouterr().err


@on_a_loop
async def test_sec_7_podium_verify_compares_a_database_with_the_notes_beside_its_keys(
    tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the address and the folder of the keys are known there: the book must fit one of the folder's notes."""
    served = Served(tmp_path / "data", CONFIG, database=postgres_url)
    await served.open()
    since = served.house.shelf.tickets_since
    await served.leave()
    folder = default_folder(served.data)
    verify = ["verify", postgres_url, "--keys", str(folder)]
    assert run(verify) == 0
    assert f"It stamps since entry {since} of its stream." in capsys.readouterr().out
    (folder / "another-house.stamped-since").write_text("7000\n")
    assert run(verify) == 0
    (folder / since_note(served.data)).unlink()  # the book of a house of these keys that stamped since entry 7000 alone
    assert run(verify) == 1
    assert f"since entry 7000 of its stream, and the book has stamps since entry {since}" in capsys.readouterr().err


@on_a_loop
async def test_sec_7_a_command_may_know_since_when_the_house_stamps(tmp_path: Path) -> None:
    served = Served(tmp_path / "data", CONFIG)
    await served.open()
    since = served.house.shelf.tickets_since
    await served.leave()
    script = tmp_path / "keys.sh"
    for noted, opens in ((since, True), (since + 1, False)):
        known = f'[ "$1" = stamped-since ] && echo {noted} || cat {default_folder(served.data)}/$1.key'
        script.write_text(f"#!/bin/sh\n{known}\n")
        said = run(["verify", str(served.data), "--keys", f"command:/bin/sh {script}"])
        assert said == (0 if opens else 1)
    script.write_text(f"#!/bin/sh\nexec cat {default_folder(served.data)}/$1.key\n")
    assert run(["verify", str(served.data), "--keys", f"command:/bin/sh {script}"]) == 0


@on_a_loop
async def test_sec_7_the_note_beside_the_keys_follows_an_earlier_version_s_first_start(tmp_path: Path) -> None:
    """A house of before stamps opens, and from then on they are there for good."""
    served = Served(tmp_path / "data", CONFIG)
    earlier_house(served)
    await served.open()
    since = served.house.shelf.tickets_since
    await served.restart()
    await served.leave()
    assert (default_folder(served.data) / since_note(served.data)).read_text() == f"{since}\n"


def sold(served: Served, ticket: Ticket, sold: Transfer) -> None:
    """Writes a sale as the house writes one: event, transfer, document and digest."""
    ring = read_ring("seal", default_folder(served.data) / "seal.key")
    house = House(SealedShuffler(ring.seal(os.urandom), os.urandom))
    book = open_book(place_of(served))
    try:
        house.come_back(book)
        house.shelf.tickets_since = 0  # the forger does not mind
        house.carry_out(sold, "", ticket.issued, ticket=ticket.key)
        house.shelf.put(ticket, ticket.issued)
        documents = house.take_documents()
        assert book.write([Append(house.take_entries(), documents)]) == [None]
    finally:
        book.close()


@pytest.mark.parametrize("copied", [False, True])
@on_a_loop
async def test_sec_7_a_ticket_that_another_filed_is_not_paid_though_the_ledger_agrees(
    served: Served, copied: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even by somebody who has the keys for numbers of tickets: its stamp is over its amount."""
    await served.open()
    operator = await served.operator()
    till = await served.staff(operator, "cashier", "carl")
    bought = await till.done("/api/cashier/tickets", amount=5_000)
    assert served.opened is not None
    drawn = served.opened.reception.numbers.draw("forged")
    await served.close()
    [honest] = stored(served, "ticket")
    now = system_clock()
    stamp = honest.stamp if copied else ""
    forged = msgspec.structs.replace(
        honest, key=drawn.keys[0], issued=now, amount=900_000, paid_by="forged", sealed=drawn.sealed, stamp=stamp
    )
    sold(served, forged, Transfer("forged", account("cage", "main"), TICKETS, 900_000, "ticket-sold", who="carl"))
    await served.open()
    till = served.moved(till)
    assert served.opened is not None
    assert (await till.post("/api/cashier/tickets/pay", number=drawn.number)).status == 500
    assert isinstance(served.opened.floor.failed and served.opened.floor.failed.exception(), Damaged)
    await served.leave()
    where = [served.database, "--keys", str(default_folder(served.data))] if served.database else [str(served.data)]
    assert run(["verify", *where]) == 1
    assert f"ticket {forged.key} was not filed by this house" in capsys.readouterr().err
    assert bought["amount"] == 5_000
