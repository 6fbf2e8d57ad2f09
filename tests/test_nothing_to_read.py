"""RNG-8, SEC-7: nobody learns a card to come or a ticket from the book, a backup, a slip or the log of a house that was
played in."""

import json
import re
import sqlite3
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from podium.house.state import stream_of
from podium.house.table.events import ShoeShuffled
from podium.house.table.events import decode as decode_table
from podium.house.tickets import ticket_key
from podium.record.store import Reading, read_stream
from podium.record.store.keys import default_folder, read_ring
from tests.server.served import Served, a_house
from tests.terminal import on_a_loop


def everything(data: Path) -> bytes:
    """Every byte in the data directory: the book, its log, backups, slips; and every value in the book and the backups."""
    files = [file for file in sorted(data.rglob("*")) if file.is_file()]
    parts = [file.read_bytes() for file in files]
    parts += [part for file in files if file.suffix == ".backup" for part in values_of_backup(file)]
    return b"\n".join([*parts, *values_of_book(data / "podium.db")])


def values_of_book(file: Path) -> Iterator[bytes]:
    """Every value of every table: in the file, a long one may be spread over pages."""
    with closing(sqlite3.connect(file)) as book:
        for (table,) in book.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in book.execute(f"SELECT * FROM {table}"):
                yield from (value if isinstance(value, bytes) else str(value).encode() for value in row)


def values_of_backup(file: Path) -> Iterator[bytes]:
    """Every value of every line, also those that are written in base64."""
    for line in file.read_text(encoding="utf-8").splitlines():
        for value in re.findall(r'"([A-Za-z0-9+/]{16,}={0,2})"', line):
            with suppress(Error):
                yield b64decode(value, validate=True)


def forms_of(number: str) -> list[str]:
    """A validation number as somebody could find it, and what could be compared with every number there is."""
    digits = number.replace(" ", "")
    hashes = [
        sha256(text.encode()).hexdigest() for text in (digits, number, f"{digits}\n", f"podium-ticket-1\n{digits}\n")
    ]
    return [number, digits, digits[:18], digits[2:], ticket_key(digits), *hashes]


def shuffles_of(book: Reading, table: str) -> list[ShoeShuffled]:
    found = [decode_table(entry.payload) for entry in read_stream(book, stream_of(table))]
    return [each for each in found if isinstance(each, ShoeShuffled)]


async def the_shoe_in_use(served: Served) -> tuple[str, str, list[str]]:
    """The order of a shoe that lies face down, its nonce, and how the journal has it."""
    assert served.opened is not None
    for name in served.house.tables:
        shuffled = await served.opened.store.read(partial(shuffles_of, table=name))
        if shuffled:
            secret = served.house._sealing.open(name, shuffled[-1])
            return (
                json.dumps([str(card) for card in secret.order[-20:]])[1:-1],
                secret.nonce.hex(),
                [shuffled[-1].sealed],
            )
    raise AssertionError("no shoe was shuffled")


@on_a_loop
async def test_rng_8_sec_7_reading_gives_no_card_and_no_ticket(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    async with a_house(data) as served:
        operator = await served.operator()
        cashier = await served.staff(operator, "cashier", "carl")
        guest, _ = await served.guest()
        numbers = [
            (await cashier.done("/api/cashier/tickets", "t1", amount=500))["number"],
            (await cashier.done("/api/cashier/tickets", "t2", amount=700))["number"],
            (await guest.done("/api/cash-out"))["number"],
        ]
        await cashier.done("/api/cashier/tickets/pay", number=numbers[0])
        assert (await cashier.done("/api/cashier/tickets", "t2", amount=700))["number"] == numbers[1]
        assert served.opened is not None
        await served.opened.reception.vigil.back_up("olga")
        cards, nonce, sealed = await the_shoe_in_use(served)
    told = capfd.readouterr()
    read = everything(data) + told.out.encode() + told.err.encode()
    assert list((data / "backups").glob("*.backup"))
    # The search finds what is there to be found: the sealed shoe, and the last digits that a ticket is called by.
    assert sealed[0].encode() in read
    assert numbers[1][-4:].encode() in read
    for number in numbers:
        for form in forms_of(number):
            assert form.encode() not in read
            assert bytes.fromhex(form) not in read if len(form) == 64 else True
    assert cards.encode() not in read
    assert cards.replace(" ", "").encode() not in read
    assert nonce.encode() not in read
    assert bytes.fromhex(nonce) not in read
    folder = default_folder(data)
    for file in folder.glob("*.key"):
        for key in read_ring("seal", file).keys:
            assert key.hex().encode() not in read
            assert key not in read
    for found in re.findall(rb'"sealed":"([A-Za-z0-9+/=]+)"', read):
        assert not any(number.replace(" ", "").encode() in b64decode(found) for number in numbers)
