"""EVT-4: the journal vouches for every stored document, and the ledger for every ticket; INT-2: a start looks at them."""

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import psycopg
import pytest

from podium.cli.serving import run
from podium.house import ticketing
from podium.house.papers import prove_documents, self_check
from podium.house.people import new_person
from podium.house.tickets import Ticket, Validation
from podium.house.verify import Difference, verify
from podium.record.store import Append, Damaged, prove_end
from podium.server.serve import Address
from tests.houses import PlayingHouse, playing_house
from tests.server.served import a_house
from tests.terminal import on_a_loop
from tests.ticket_numbers import ticket_numbers

NUMBERS = ticket_numbers("tickets")
FIRST, SECOND = (NUMBERS.draw(key) for key in ("k1", "k2"))


@pytest.fixture
def playing(place: str) -> Iterator[PlayingHouse]:
    """A house with two people, and two tickets of which one was redeemed."""
    with playing_house(place) as playing:
        [bot] = playing.seat_bots("dynasty-blackjack-1", 1)
        for name in ("ann", "bea"):
            playing.house.shelf.put(new_person(name, name, "cashier"), playing.now)
        for number, key in ((FIRST, "k1"), (SECOND, "k2")):
            ticketing.sell(playing.house, number, 5_000, playing.now, key=key, by="ann", terminal="cage-1")
        keep(playing)
        ticketing.redeem(playing.house, bot, FIRST, playing.now + 5, key="k3", terminal="terminal-1")
        keep(playing)
        yield playing


def keep(playing: PlayingHouse) -> None:
    documents = playing.house.take_documents()
    assert playing.book.write([Append(playing.house.take_entries(), documents)]) == [None]


def alter(place: str, statement: str) -> None:
    if place.startswith("postgresql"):
        with psycopg.connect(place) as server:
            assert server.execute(statement.encode()).rowcount == 1
    else:
        file = sqlite3.connect(place)
        with file:
            assert file.execute(statement).rowcount == 1
        file.close()


def test_a_house_with_people_and_tickets_is_proved(playing: PlayingHouse) -> None:
    found = verify(playing.book)
    assert (found.documents, found.tickets) == (5, 2)
    self_check(playing.book)


BODY = {"sqlite": "CAST(replace(CAST(body AS TEXT), {0}) AS BLOB)", "postgres": "convert_to(replace(convert_from(body, 'UTF8'), {0}), 'UTF8')"}  # fmt: skip
ALTERED = {
    "person": ("'\"cashier\"', '\"operator\"'", "kind = 'person' AND key = 'ann'", "Version 1 of the person ann was altered"),
    "ticket": ("'5000', '9000'", f"kind = 'ticket' AND key = '{SECOND.keys[0]}'", f"Version 1 of the ticket {SECOND.keys[0]} was altered"),
    "an old version": ("'5000', '9000'", f"kind = 'ticket' AND key = '{FIRST.keys[0]}' AND version = 1", f"Version 1 of the ticket {FIRST.keys[0]} was altered"),
}  # fmt: skip


@pytest.mark.parametrize("which", ALTERED)
def test_evt_4_an_altered_document_is_named(playing: PlayingHouse, place: str, which: str) -> None:
    changed, where, said = ALTERED[which]
    body = BODY["postgres" if place.startswith("postgresql") else "sqlite"].format(changed)
    alter(place, f"UPDATE documents SET body = {body} WHERE {where}")
    for proof in (verify, self_check):
        with pytest.raises((Difference, Damaged), match=said):
            proof(playing.book)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE documents SET time = time + 1 WHERE kind = 'person' AND key = 'bea'", "the person bea was altered"),
        (
            "DELETE FROM documents WHERE kind = 'person' AND key = 'bea'",
            "the person bea is in the journal, but it is not",
        ),
        (
            "INSERT INTO documents SELECT kind, key, 2, time, body FROM documents WHERE kind = 'person' AND key = 'bea'",
            "Version 2 of the person bea is stored, but the journal knows nothing of it",
        ),
        (
            "INSERT INTO documents SELECT 'operator', 'eve', 1, time, body FROM documents WHERE kind = 'person' AND key = 'bea'",
            "the operator eve is stored, but the journal knows nothing of it",
        ),
    ],
)
def test_evt_4_a_document_that_was_added_or_removed_is_named(
    playing: PlayingHouse, place: str, statement: str, said: str
) -> None:
    alter(place, statement)
    for proof in (verify, self_check):
        with pytest.raises((Difference, Damaged), match=said):
            proof(playing.book)


# --- tickets against the ledger -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "changes", "said"),
    [
        (SECOND, {"amount": 9_000}, r"was issued for 9000 at \d+, but the ledger has 5000"),
        (SECOND, {"issued": 1}, "was issued for 5000 at 1, but the ledger has 5000 at"),
        (SECOND, {"state": "redeemed"}, "is redeemed, but the ledger did not pay it"),
        (FIRST, {"state": "outstanding"}, "is outstanding, but the ledger paid it"),
        (FIRST, {"settled": 1}, "was redeemed for 5000 at 1, but the ledger has 5000 at"),
    ],
)
def test_tkt_2_a_ticket_that_says_something_else_than_the_ledger_is_named(
    playing: PlayingHouse, number: Validation, changes: dict[str, object], said: str
) -> None:
    """Written by the house itself, so that the journal vouches for it: the ledger does not."""
    ticket = playing.house.shelf.find(Ticket, number.keys[0])
    assert ticket is not None
    playing.house.shelf.put(msgspec.structs.replace(ticket, **changes), playing.now)
    keep(playing)
    with pytest.raises(Difference, match=f"The ticket {ticket.key} ending in {ticket.ending} {said}"):
        verify(playing.book)


def test_tkt_2_money_for_a_ticket_that_has_no_record_is_named(playing: PlayingHouse) -> None:
    ticketing.sell(playing.house, NUMBERS.draw("k9"), 700, playing.now, key="k9", by="ann")
    playing.house.shelf.take()
    assert playing.book.write([Append(playing.house.take_entries())]) == [None]
    with pytest.raises(Difference, match="moved the worth of a ticket that has no record"):
        verify(playing.book)


# --- at the start -------------------------------------------------------------------------------------------------------

LAST = "stream = 'house' AND sequence = (SELECT max(sequence) FROM journal WHERE stream = 'house')"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE balances SET amount = amount + 1 WHERE account = 'cage/main'", "cage/main stands at"),
        ("UPDATE transfers SET amount = amount + 1 WHERE position = 1", "but its transfers come to|The ledger has"),
        (f"UPDATE journal SET time = time + 1 WHERE {LAST}", "was altered"),
        ("DELETE FROM transfers WHERE position = (SELECT max(position) FROM transfers)", "The ledger has no transfer"),
    ],
)
def test_int_2_a_start_finds_wrong_balances_and_a_broken_end(
    playing: PlayingHouse, place: str, statement: str, said: str
) -> None:
    alter(place, statement)
    with pytest.raises(Damaged, match=said):
        self_check(playing.book)


def test_int_2_only_the_end_of_a_long_stream_is_read_at_the_start(
    playing: PlayingHouse, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.record.limits.MAX_PROVED_ENTRIES_PER_STREAM", 3)
    prove_end(playing.book)
    alter(place, "UPDATE journal SET kind = 'x' WHERE stream = 'house' AND sequence = 2")
    prove_end(playing.book)
    with pytest.raises(Difference, match="Entry 2 of house was altered"):
        verify(playing.book)


@on_a_loop
async def test_int_2_int_5_a_house_whose_record_does_not_prove_itself_serves_nobody_and_keeps_it(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
        await served.close()
        alter(str(tmp_path / "podium.db"), "UPDATE documents SET time = time + 1 WHERE kind = 'person' AND version = 1")
        before = sha256((tmp_path / "podium.db").read_bytes()).digest()
        with pytest.raises(Damaged, match="Version 1 of the person operator was altered"):
            await served.open()
        assert sha256((tmp_path / "podium.db").read_bytes()).digest() == before
        alter(str(tmp_path / "podium.db"), "UPDATE documents SET time = time - 1 WHERE kind = 'person' AND version = 1")
        await served.open()


def test_int_2_serve_says_in_one_sentence_why_it_does_not_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
    alter(str(tmp_path / "podium.db"), "UPDATE balances SET amount = amount + 7 WHERE account = 'cage/main'")
    assert run(tmp_path, None, Address(port=0)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    [line] = [line for line in said.err.splitlines() if not line.startswith("{")]
    assert line.startswith("The house cannot open: cage/main stands at ")


def test_the_documents_of_a_long_list_are_read_page_by_page(
    playing: PlayingHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.record.store.proof._ROWS_PER_PAGE", 2)
    assert prove_documents(playing.book) == 5
