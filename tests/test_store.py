"""The stores: the same tests on SQLite and on a real PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from podium.basics.refusal import Refused
from podium.record.journal import Chain, Head
from podium.record.ledger import LedgerFault, Transfer, account
from podium.record.store import (
    Append,
    Book,
    Damaged,
    Document,
    Fenced,
    GroupCommit,
    Proved,
    Stale,
    Unavailable,
    Unsound,
    check_backup,
    open_book,
    prove,
    restore,
    schema,
)
from podium.record.store.backup import read_backup
from tests.history import CAGE, add, buy_in, some_history, stake, write


@pytest.fixture
def book(place: str) -> Iterator[Book]:
    opened = open_book(place)
    yield opened
    opened.close()


# --- what is written is there --------------------------------------------------------------------------------------------


def test_what_was_appended_is_read_back(book: Book, place: str) -> None:
    chain = some_history(book)
    book.close()
    again = open_book(place)
    try:
        assert again.heads()["t1"] == chain.head
        assert set(again.heads()) == {"cashier", "t1"}
        first, second = again.entries("t1")
        assert (first.transfers, second.payload) == ((stake("s1", "ann", 200),), b"\x00\xff\n\t\\N")
        assert again.entries("t1", after=1) == [second]
        assert again.entries("cashier", limit=1)[0].time == 1_700_000_000_000
        assert again.balances() == {
            CAGE: -800,
            account("credit", "ann"): 300,
            account("credit", "bob"): 300,
            account("in-play", "t1", "ann"): 200,
        }
        assert [posted.transfer.id for posted in again.posted()] == ["b1", "b2", "s1"]
        assert again.posted(after=again.posted()[1].position)[0].transfer == stake("s1", "ann", 200)
        assert prove(again) == Proved(streams=2, entries=4, transfers=3, accounts=4)
    finally:
        again.close()


def test_documents_keep_every_version(book: Book) -> None:
    some_history(book)
    latest = book.document("person", "ann")
    assert latest == Document("person", "ann", 2, 6, b"two")
    assert [(each.key, each.body) for each in book.versions()] == [("ann", b"one"), ("ann", b"two"), ("bob", b"b")]
    assert [(each.key, each.version) for each in book.documents("person")] == [("ann", 2), ("bob", 1)]
    assert book.document("person", "nobody") is None
    listed = [(each.key, each.version) for each in book.versions_of("person", ["bob", "ann", "nobody"])]
    assert listed == [("ann", 1), ("ann", 2), ("bob", 1)]
    assert book.versions_of("person", []) == []


def test_the_last_entry_of_a_kind(book: Book) -> None:
    chain = some_history(book)
    standing = add(chain, kind="table-stood")
    write(book, standing)
    write(book, add(chain))
    again = add(chain, kind="table-stood")
    write(book, again)
    assert book.last("t1", "table-stood") == again.entries[0]
    assert book.last("t1", "table-stood", before=again.entries[0].sequence) == standing.entries[0]
    assert book.last("t1", "table-stood", before=standing.entries[0].sequence) is None
    assert book.last("cashier", "table-stood") is None


# --- fencing -------------------------------------------------------------------------------------------------------------


def test_a_second_owner_of_a_table_cannot_append(book: Book) -> None:
    """design: the journal's key is (stream, sequence); the loser steps down, and reads again."""
    chain = some_history(book)
    other = Chain("t1", chain.head)
    write(book, add(chain, payload=b"first"))
    [outcome] = book.write([add(other, payload=b"second")])
    assert isinstance(outcome, Fenced)
    assert "Entry 3 of t1" in str(outcome)
    assert book.entries("t1")[-1].payload == b"first"


def test_two_processes_on_one_database_cannot_both_own_a_table(postgres_url: str) -> None:
    """Each has its own connection and its own idea of where the stream ends."""
    one, two = open_book(postgres_url), open_book(postgres_url)
    try:
        mine, theirs = Chain("t1"), Chain("t1")
        write(one, add(mine))
        first = add(theirs)
        assert [type(outcome) for outcome in two.write([first])] == [Fenced]
        after_reading = Chain("t1", two.heads()["t1"])
        write(two, add(after_reading, payload=b"taken over"))
        [outcome] = one.write([add(mine, payload=b"still here")])
        assert isinstance(outcome, Fenced)
        assert [entry.payload for entry in one.entries("t1")] == [b"{}", b"taken over"]
    finally:
        one.close()
        two.close()


def test_a_gap_or_another_history_is_refused(book: Book) -> None:
    some_history(book)
    ahead = Chain("t1", Head(9, bytes(32)))
    elsewhere = Chain("t1", Head(2, bytes(32)))
    assert [type(each) for each in book.write([add(ahead), add(elsewhere)])] == [Fenced, Fenced]


def test_nothing_follows_an_append_that_failed(book: Book) -> None:
    """The owner must stop and read again: what it appends next would stand on something that was never written."""
    chain = some_history(book)
    outcomes = book.write([add(chain, stake("too much", "bob", 9_999)), add(chain)])
    assert [type(each) for each in outcomes] == [Refused, Fenced]
    assert [type(each) for each in book.write([add(chain)])] == [Fenced]


def test_one_sqlite_file_belongs_to_one_house(tmp_path: Path) -> None:
    book = open_book(tmp_path / "house.db")
    with pytest.raises(Unavailable, match="in use by another house"):
        open_book(tmp_path / "house.db")
    reader = open_book(tmp_path / "house.db", writable=False)
    some_history(book)
    assert set(reader.heads()) == {"cashier", "t1"}
    with pytest.raises(Unavailable, match="reading only"):
        reader.write([Append()])
    reader.close()
    book.close()
    open_book(tmp_path / "house.db").close()


# --- money ---------------------------------------------------------------------------------------------------------------


def test_led_2_a_transfer_sent_again_is_harmless(book: Book) -> None:
    some_history(book)
    again = Chain("terminal-9")
    write(book, add(again, stake("s1", "ann", 200)))
    assert book.balances()[account("credit", "ann")] == 300
    assert len(book.posted()) == 3
    prove(book)


def test_led_2_another_transfer_under_its_id_is_a_fault_and_writes_nothing(book: Book) -> None:
    some_history(book)
    before = book.checksum()
    [outcome] = book.write([add(Chain("terminal-9"), stake("s1", "ann", 201))])
    assert isinstance(outcome, LedgerFault)
    assert book.checksum() == before


def test_led_2_the_same_id_twice_in_one_batch_and_in_one_append(book: Book) -> None:
    some_history(book)
    one, two, three = Chain("a"), Chain("b"), Chain("c")
    same = buy_in("x", "ann", 10)
    outcomes = book.write(
        [add(one, same), add(two, same), add(three, same, same), add(Chain("d"), buy_in("x", "ann", 11))]
    )
    assert [type(each) for each in outcomes] == [type(None), type(None), type(None), LedgerFault]
    assert book.balances()[account("credit", "ann")] == 310
    prove(book)


def test_game_1_the_store_itself_refuses_to_overdraw(book: Book) -> None:
    some_history(book)
    before = book.checksum()
    [outcome] = book.write([add(Chain("a"), stake("s2", "bob", 301))])
    assert isinstance(outcome, Refused)
    assert "credit/bob" in str(outcome)
    assert book.checksum() == before
    write(book, add(Chain("a"), stake("s2", "bob", 300)))


def test_one_caller_s_mistake_is_nobody_else_s(book: Book) -> None:
    some_history(book)
    chains = [Chain(f"s{number}") for number in range(6)]
    outcomes = book.write(
        [
            add(chains[0], buy_in("n0", "ann", 1)),
            add(chains[1], stake("n1", "bob", 99_999)),
            add(chains[2], stake("s1", "ann", 999)),
            add(Chain("t1"), buy_in("n2", "ann", 1)),
            Append(documents=[Document("person", "ann", 2, 7, b"late")]),
            add(chains[3], buy_in("n3", "bob", 1)),
        ]
    )
    assert [type(each) for each in outcomes] == [type(None), Refused, LedgerFault, Fenced, Stale, type(None)]
    assert (book.balances()[account("credit", "ann")], book.balances()[account("credit", "bob")]) == (301, 301)
    assert book.transfer("n2") is None
    assert book.entries("s1") == []
    prove(book)


@pytest.mark.parametrize(
    "change",
    [
        {"payload": "text"},
        {"time": 2**63},
        {"time": "noon"},
        {"kind": None},
        {"money": b"[{]"},
        {"money": b'[{"id":"z","debit":"cage/desk","credit":"credit/ann","amount":-5,"kind":"cash-in"}]'},
    ],
)
def test_one_caller_s_nonsense_is_nobody_else_s(book: Book, change: dict[str, Any]) -> None:
    some_history(book)
    nonsense = Chain("a").add(1, "x")._replace(**change)
    outcomes = book.write([add(Chain("b")), Append([nonsense]), add(Chain("c"), buy_in("n", "ann", 1))])
    assert [type(each) for each in outcomes] == [type(None), Unsound, type(None)]
    assert book.entries("a") == []
    assert book.balances()[account("credit", "ann")] == 301
    prove(book)


def test_reading_where_no_house_was_is_refused(place: str) -> None:
    with pytest.raises(Damaged, match=r"not there|no house's store"):
        open_book(place, writable=False)


def test_money_and_documents_of_one_append_stand_or_fall_together(book: Book) -> None:
    some_history(book)
    before = book.checksum()
    chain = Chain("a")
    entry = chain.add(1, "x", b"", (buy_in("n", "ann", 5),))
    [outcome] = book.write([Append([entry], [Document("person", "ann", 9, 7, b"?")])])
    assert isinstance(outcome, Stale)
    assert book.checksum() == before


def test_a_large_batch_is_one_transaction(book: Book) -> None:
    chains = [Chain(f"cashier-{number}") for number in range(3)]
    write(book, *[add(chains[at % 3], buy_in(f"b{at}", f"p{at}", at + 1)) for at in range(1_300)])
    assert book.balances()[CAGE] == -sum(range(1, 1_301))
    assert prove(book) == Proved(3, 1_300, 1_300, 1_301)


# --- group commit --------------------------------------------------------------------------------------------------------


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_tkt_3_a_hundred_simultaneous_redemptions_pay_once(place: str) -> None:
    async def redeem() -> None:
        store = GroupCommit(open_book(place))
        sold = Transfer("sold", CAGE, account("tickets"), 700, "ticket-sold")
        await store.append([Chain("cashier").add(1, "sold", b"", (sold,))])

        async def at_terminal(number: int) -> None:
            paid = Transfer("ticket/8", account("tickets"), account("credit", f"p{number}"), 700, "ticket-in")
            await store.append([Chain(f"terminal-{number}").add(2, "redeemed", b"", (paid,))])

        outcomes = await asyncio.gather(*[at_terminal(number) for number in range(100)], return_exceptions=True)
        assert sum(outcome is None for outcome in outcomes) == 1
        assert sum(isinstance(outcome, LedgerFault) for outcome in outcomes) == 99
        balances = await store.read(lambda book: book.balances())
        assert sorted(balances.values()) == [-700, 700]
        await store.read(prove)
        await store.close()

    run(redeem())


def test_every_caller_goes_on_with_its_own_outcome(place: str) -> None:
    async def play() -> None:
        store = GroupCommit(open_book(place))
        chain = Chain("cashier")
        await store.append([chain.add(1, "in", b"", (buy_in("in", "ann", 1_000),))])

        async def terminal(number: int) -> None:
            own = Chain(f"terminal-{number}")
            for at in range(5):
                await store.append([own.add(at, "stake", b"", (stake(f"{number}/{at}", "ann", 10),))])

        outcomes = await asyncio.gather(*[terminal(number) for number in range(40)], return_exceptions=True)
        refused = [each for each in outcomes if each is not None]
        assert all(isinstance(each, Refused) for each in refused)
        balances = await store.read(lambda book: book.balances())
        assert balances[account("in-play", "t1", "ann")] == 10 * len(await store.read(lambda book: book.posted())) - 10
        # Everybody went on until refused, so exactly the credit was staked.
        assert balances.get(account("credit", "ann"), 0) == 0
        await store.read(prove)
        await store.close()
        with pytest.raises(Unavailable, match="closed"):
            await store.append([])

    run(play())


def test_a_caller_that_goes_away_harms_nobody(place: str) -> None:
    async def play() -> None:
        store = GroupCommit(open_book(place))
        chain = Chain("t1")
        first = asyncio.create_task(store.append([chain.add(1, "a")]))
        second = asyncio.create_task(store.append([chain.add(2, "b")]))
        await asyncio.sleep(0)
        first.cancel()
        await second
        assert [entry.kind for entry in await store.read(lambda book: book.entries("t1"))] == ["a", "b"]
        await store.close()

    run(play())


# --- backup and restore --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("into", ["sqlite", "postgres"])
def test_bak_1_bak_2_a_restore_is_proved_equal(
    book: Book, into: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """From either database into either database."""
    chain = some_history(book)
    checksum = book.back_up(tmp_path / "backup")
    assert check_backup(tmp_path / "backup") == checksum == book.checksum()
    write(book, add(chain))
    assert book.checksum() != checksum
    target = "postgresql" if into == "postgres" else str(tmp_path / "restored.db")
    if into == "postgres":
        server = request.getfixturevalue("postgres_server")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")
            connection.execute("CREATE DATABASE restored")
        target = server.replace("/postgres?", "/restored?")
    assert restore(tmp_path / "backup", target) == Proved(2, 4, 3, 4)
    restored = open_book(target)
    try:
        assert restored.checksum() == checksum
        # And the house goes on from there.
        write(restored, add(Chain("t1", restored.heads()["t1"]), stake("later", "bob", 5)))
        prove(restored)
    finally:
        restored.close()
    with pytest.raises(Refused, match="not empty"):
        restore(tmp_path / "backup", target)


def test_bak_1_a_backup_while_running_is_of_one_moment(place: str, tmp_path: Path) -> None:
    async def play() -> None:
        store = GroupCommit(open_book(place))
        chain = Chain("t1")
        stop = False

        async def house() -> None:
            number = 0
            while not stop:
                number += 1
                await store.append([chain.add(number, "in", b"x" * 50, (buy_in(f"b{number}", "ann", 1),))])

        playing = asyncio.create_task(house())
        copies = []
        for number in range(3):
            await asyncio.sleep(0.05)
            backup = tmp_path / f"backup-{number}"
            copier = open_book(place, writable=False)
            await asyncio.to_thread(copier.back_up, backup)
            copier.close()
            copies.append(await asyncio.to_thread(restore, backup, tmp_path / f"copy-{number}.db"))
        stop = True
        await playing
        assert 0 < copies[0].entries < copies[1].entries < copies[2].entries < chain.head.sequence
        await store.close()

    run(play())


def test_bak_2_a_restore_that_loses_something_is_found(
    book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where what is left proves itself: an earlier version of a document hangs on no chain of the store."""
    some_history(book)
    book.back_up(tmp_path / "backup")

    def without_a_document(backup: Path) -> Iterator[tuple[str, list[Any]]]:
        for table, rows in read_backup(backup):
            yield table, list(rows)[1:] if table == "documents" else list(rows)

    monkeypatch.setattr("podium.record.store.read_backup", without_a_document)
    with pytest.raises(Damaged, match="What was restored has the checksum "):
        restore(tmp_path / "backup", str(tmp_path / "restored.db"))


@pytest.mark.parametrize("harm", ["cut", "altered", "added", "empty"])
def test_bak_2_a_damaged_backup_is_not_restored(tmp_path: Path, harm: str) -> None:
    book = open_book(tmp_path / "house.db")
    some_history(book)
    book.back_up(tmp_path / "backup")
    book.close()
    lines = (tmp_path / "backup").read_bytes().splitlines(keepends=True)
    harmed = {
        "cut": lines[:-1],
        "altered": [lines[0], lines[1].replace(b"1", b"2"), *lines[2:]],
        "added": [*lines[:-1], lines[-2], lines[-1]],
        "empty": [],
    }
    (tmp_path / "backup").write_bytes(b"".join(harmed[harm]))
    with pytest.raises(Damaged, match="not a whole backup"):
        restore(tmp_path / "backup", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


# --- alteration is found -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE journal SET payload = money WHERE stream = 't1' AND sequence = 1", "Entry 1 of t1 was altered"),
        ("DELETE FROM journal WHERE stream = 't1' AND sequence = 1", "Entry 2 of t1 stands where entry 1 belongs"),
        ("UPDATE transfers SET amount = 201 WHERE id = 's1'", "The ledger has"),
        ("UPDATE transfers SET credit = 'credit/bob' WHERE id = 's1'", "The ledger has"),
        ("DELETE FROM transfers WHERE id = 'b2'", "The ledger has no transfer b2, which entry 1 of cashier moves"),
        ("UPDATE balances SET amount = 301 WHERE account = 'credit/ann'", "credit/ann stands at 301"),
        ("DELETE FROM balances WHERE account = 'credit/ann'", "credit/ann stands at 0"),
    ],
)
def test_evt_4_whatever_is_altered_in_the_store_is_found(book: Book, place: str, statement: str, said: str) -> None:
    some_history(book)
    prove(book)
    alter(place, statement)
    with pytest.raises(Damaged, match=said):
        prove(book)


def alter(place: str, statement: str) -> None:
    if place.startswith("postgresql"):
        with psycopg.connect(place) as server:
            server.execute(statement.encode())
    else:
        file = sqlite3.connect(place)
        with file:
            file.execute(statement)
        file.close()


# --- a lost connection --------------------------------------------------------------------------------------------------


def test_a_lost_connection_is_told_and_the_next_write_goes_on(postgres_url: str, postgres_server: str) -> None:
    book = open_book(postgres_url)
    chain = Chain("t1")
    write(book, add(chain))
    good = chain.head
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [conninfo_to_dict(postgres_url)["dbname"]],
        )
    [outcome] = book.write([add(chain)])
    assert isinstance(outcome, Unavailable)
    with pytest.raises(Unavailable):
        book.heads()
    assert book.heads()["t1"] == good
    write(book, add(Chain("t1", good)))
    book.close()


# --- migrations ----------------------------------------------------------------------------------------------------------


def test_an_older_store_is_brought_up_to_date_and_a_newer_one_left_alone(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = open_book(place)
    chain = some_history(book)
    book.close()
    with monkeypatch.context() as later:
        later.setattr(
            schema, "MIGRATIONS", [*schema.MIGRATIONS, lambda _: ["CREATE INDEX by_time ON transfers (time)"]]
        )
        newer = open_book(place)
        write(newer, add(chain))
        prove(newer)
        newer.close()
        open_book(place).close()
    with pytest.raises(Damaged, match="newer Podium"):
        open_book(place)


def back_to_schema_1(place: str) -> None:
    """A store as the first schema had it: without the flow of a transfer."""
    if place.startswith("postgresql"):
        with psycopg.connect(place, autocommit=True) as server:
            server.execute("ALTER TABLE transfers DROP COLUMN flow")
            server.execute("DROP TABLE checkpoints, nodes, lease")
            server.execute("UPDATE podium_schema SET version = 1")
        return
    with closing(sqlite3.connect(place)) as file:
        file.execute("ALTER TABLE transfers DROP COLUMN flow")
        file.execute("DROP TABLE checkpoints")
        file.execute("DROP TABLE nodes")
        file.execute("PRAGMA user_version = 1")


@pytest.fixture
def older(place: str) -> str:
    """A store of the first schema, in which flows stand in the ids alone."""
    book = open_book(place)
    some_history(book)
    write(book, add(Chain("t2"), stake("t2.1.4.stake", "bob", 50)))
    book.close()
    back_to_schema_1(place)
    return place


def flows(book: Book) -> list[tuple[str, str]]:
    return [(posted.transfer.id, posted.transfer.flow) for posted in book.posted()]


def test_a_store_of_the_first_schema_is_read_proved_and_left_as_it_is(older: str) -> None:
    book = open_book(older, writable=False)
    try:
        assert prove(book).transfers == 4
        assert flows(book)[-1] == ("t2.1.4.stake", "stake")
        with book.at_one_moment() as reading:
            assert prove(reading).transfers == 4
        assert book.schema == 1  # type: ignore[attr-defined]
    finally:
        book.close()


def test_a_store_of_the_first_schema_goes_on_in_the_second(older: str) -> None:
    book = open_book(older)
    try:
        later = msgspec.structs.replace(stake("t2.2.4.stake_back", "bob", 20), flow="stake_back")
        write(book, add(Chain("t2", book.heads()["t2"]), later))
        assert prove(book).transfers == 5
        assert flows(book)[-2:] == [("t2.1.4.stake", "stake"), ("t2.2.4.stake_back", "stake_back")]
    finally:
        book.close()


def test_bak_2_a_backup_of_the_first_schema_is_restored_and_proved_equal(older: str, tmp_path: Path) -> None:
    book = open_book(older, writable=False)
    checksum = book.back_up(tmp_path / "backup")
    book.close()
    assert b'"schema":1' in (tmp_path / "backup").read_bytes()
    assert restore(tmp_path / "backup", tmp_path / "restored.db").transfers == 4
    restored = open_book(tmp_path / "restored.db")
    try:
        assert restored.checksum(1) == checksum != restored.checksum()
        assert flows(restored)[-1] == ("t2.1.4.stake", "stake")
    finally:
        restored.close()
