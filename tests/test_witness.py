"""EVT-4, EVT-5: somebody who can write the record, and even sign it, cannot rewrite what a witness has seen.

Every attack is made on a real SQLite file and on a real PostgreSQL database, with everything made anew that an owner can
make anew; `podium verify` alone is then content, or it names what the owner forgot.
"""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from podium.cli import run
from podium.client.witness import WitnessFolder
from podium.house import House, ticketing
from podium.house.checkpoints import Signatory, public_half, submissions, verifier_key
from podium.house.events import DocumentsFiled, Filing, HouseConfigured, MoneyMoved, Noted, decode, encode
from podium.house.people import new_person
from podium.house.shelf import digest
from podium.record.journal import Chain, Entry, write_transfers
from podium.record.store import Append, Document, open_book, restore
from podium.record.tlog import Checkpoint, read_notes
from tests.entropy import repeatable
from tests.forging import Change, Database, rewrite, sign_anew
from tests.houses import PlayingHouse
from tests.ticket_numbers import ticket_numbers

SECRET = bytes(range(32))
MONDAY = 1_767_600_000
"""A moment, in seconds since 1970: 2026-01-05 08:00 UTC."""
TABLE = "dynasty-blackjack-1"
NUMBERS = ticket_numbers("tickets")
NUMBER = NUMBERS.draw("k1")
Podium = Callable[..., tuple[int, str, str]]


@pytest.fixture
def podium(capsys: pytest.CaptureFixture[str]) -> Podium:
    """Runs a command in this process: its exit code, its output, its complaints."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        sys.stdout.flush()
        written = capsys.readouterr()
        return code, written.out, written.err

    return call


class WatchedHouse:
    """A house that plays, signs, and is watched by a witness in another folder."""

    def __init__(self, where: str, book: str, folder: Path) -> None:
        self.where = where
        """As the command line names it."""
        self.place = book
        self.secret = SECRET
        self.playing = PlayingHouse(open_book(book))
        self.playing.house.started("fingerprint", self.playing.now, signer=public_half(SECRET))
        self.keep()
        self.signatory = Signatory(SECRET)
        self.witness = WitnessFolder.make(
            folder, repeatable("witness"), key=str(verifier_key(self.playing.book, SECRET))
        )

    def keep(self) -> None:
        house = self.playing.house
        documents = house.take_documents()
        assert self.playing.book.write([Append(house.take_entries(), documents)]) == [None]

    def is_seen(self, minutes: int) -> None:
        """The house signs, and the witness looks at it, so many minutes after Monday at eight."""
        book = self.playing.book
        assert book.write([Append(checkpoints=self.signatory.sign(book, self.playing.now))]) == [None]
        assert self.witness.cosign(submissions(book, self.witness.sizes()), MONDAY + 60 * minutes)

    def reopened(self) -> PlayingHouse:
        """The house opened again after its day."""
        return PlayingHouse(open_book(self.place), now=self.playing.now)

    def signs(self, playing: PlayingHouse) -> None:
        """The house that was opened again signs, and closes."""
        signed = Signatory(SECRET).sign(playing.book, playing.now)
        assert playing.book.write([Append(checkpoints=signed)]) == [None]
        playing.book.close()

    def day(self) -> None:
        """Rounds, a sign-in that failed, an adjustment, a ticket that was paid; the witness looks three times."""
        house, now = self.playing.house, self.playing.now
        [bot, *_] = self.playing.seat_bots(TABLE)
        self.playing.play(TABLE, 2)
        self.is_seen(0)
        house.note(Noted("sign-in-failed", "terminal-7", who="dora", reason="wrong password"), now)
        house.adjust(bot, 1_500, now, key="a-1", by="sam", second="olga", reason="misprint", terminal="cage-1")
        house.shelf.put(new_person("ann", "ann", "cashier"), now)
        ticketing.sell(house, NUMBER, 5_000, now, key="k1", by="ann", terminal="cage-1")
        self.keep()
        self.is_seen(10)
        ticketing.redeem(house, bot, NUMBERS.shown(NUMBER.number), now + 5, key="k2", terminal="terminal-1")
        self.keep()
        self.playing.play(TABLE, 1)
        house.note(Noted("sign-in-failed", "terminal-8", who="eve", reason="wrong password"), now)
        self.keep()
        self.is_seen(20)
        self.playing.book.close()


@pytest.fixture(params=["sqlite", "postgres"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> WatchedHouse:
    """A house that was closed after a day that a witness saw."""
    if request.param == "postgres":
        where = place = str(request.getfixturevalue("postgres_url"))
    else:
        (tmp_path / "data").mkdir()
        where, place = str(tmp_path / "data"), str(tmp_path / "data" / "podium.db")
    watched = WatchedHouse(where, place, tmp_path / "witness")
    watched.day()
    return watched


def test_evt_5_a_record_that_was_not_touched_agrees_with_its_witness(watched: WatchedHouse, podium: Podium) -> None:
    code, out, err = podium("verify", watched.where, "--witness", watched.witness.path)
    assert (code, err) == (0, "")
    assert "Checkpoints: 6 streams signed by the house" in out
    assert ", 0 entries not signed yet." in out
    assert "of 6 streams seen, last at 2026-01-05 08:20:00 UTC; none was altered since. 0 entries not seen yet." in out
    assert out.endswith("No difference was found.\n")


# --- the record made anew, signed with the house's own key -------------------------------------------------------------------


def without_sign_in(entry: Entry) -> Entry | None:
    return None if b'"dora"' in entry.payload else entry


def without_last_sign_in(entry: Entry) -> Entry | None:
    return None if b'"eve"' in entry.payload else entry


def another_reason(entry: Entry) -> Entry:
    return entry._replace(payload=entry.payload.replace(b"misprint", b"goodwill"))


def another_beginning(entry: Entry) -> Entry:
    return entry._replace(time=entry.time - 1) if entry.sequence == 1 else entry


REWRITTEN: dict[str, tuple[Change, str]] = {
    "a sign-in erased": (without_sign_in, "house was rewritten: it agrees up to entry {0} (seen by {by} at 2026-01-05 08:00:00 UTC), but not at entry {1} (seen by {by} at 2026-01-05 08:10:00 UTC) (EVT-5)."),
    "the last entry erased": (without_last_sign_in, "house was cut or rolled back: it has {3} entries, and there was entry {2} (seen by {by} at 2026-01-05 08:20:00 UTC) (EVT-5)."),
    "the reason of an adjustment": (another_reason, "house was rewritten: it agrees up to entry {0} (seen by {by} at 2026-01-05 08:00:00 UTC), but not at entry {1} (seen by {by} at 2026-01-05 08:10:00 UTC) (EVT-5)."),
}  # fmt: skip


@pytest.mark.parametrize("attack", REWRITTEN)
def test_evt_5_a_rewritten_record_is_found_and_by_when(watched: WatchedHouse, podium: Podium, attack: str) -> None:
    change, said = REWRITTEN[attack]
    rewrite(watched.place, "house", change, SECRET)
    code, out, _ = podium("verify", watched.where)
    assert (code, out.endswith("No difference was found.\n")) == (0, True), "the owner has forgotten something"
    code, out, err = podium("verify", watched.where, "--witness", watched.witness.path)
    sizes = seen_sizes(watched.witness, "/house")
    assert (code, out) == (1, "")
    assert err.strip() == said.format(*sizes, sizes[-1] - 1, by=watched.witness.key.name)


def seen_sizes(witness: WitnessFolder, log: str) -> list[int]:
    notes = [note for file in witness.history() for note in read_notes(file.read_text(encoding="utf-8"))]
    found = [Checkpoint.parse(note.text) for note in notes]
    return [each.size for each in found if each.origin.endswith(log)]


def test_evt_5_an_altered_adjustment_is_found(watched: WatchedHouse, podium: Podium) -> None:
    """The amount in the event, in the transfer, in the ledger and in the balances: all of it agrees, and it is not true."""

    def change(entry: Entry) -> Entry:
        event = decode(entry.payload)
        if not isinstance(event, MoneyMoved) or event.what != "adjustment":
            return entry
        [transfer] = entry.transfers
        return entry._replace(
            payload=encode(msgspec.structs.replace(event, amount=9_500, after=event.after + 8_000)),
            money=write_transfers((msgspec.structs.replace(transfer, amount=9_500),)),
        )

    database = Database(watched.place)
    assert database.run("UPDATE transfers SET amount = 9500 WHERE kind = 'adjustment'") == 1
    for account, more in ((f"credit/{TABLE}.bot1", 8_000), ("adjustments", -8_000)):
        assert database.run("UPDATE balances SET amount = amount + ? WHERE account = ?", [(more, account)]) == 1
    rewrite(watched.place, "house", change, SECRET)
    check_found_by_the_witness_alone(watched, podium)


def check_found_by_the_witness_alone(
    watched: WatchedHouse, podium: Podium, said: str = "house was rewritten: "
) -> None:
    assert podium("verify", watched.where)[0] == 0, podium("verify", watched.where)
    code, _, err = podium("verify", watched.where, "--witness", watched.witness.path)
    assert (code, err.startswith(said)) == (1, True), err


def test_evt_5_a_forged_ticket_that_was_paid_is_found(watched: WatchedHouse, podium: Podium) -> None:
    """Its amount in every version of the document, in the digests, in the events, and in the ledger."""
    database = Database(watched.place)
    book = open_book(watched.place, writable=False)
    tickets = [each for each in book.versions() if each.kind == "ticket"]
    book.close()
    assert len(tickets) == 2
    forged = [each._replace(body=each.body.replace(b'"amount":5000', b'"amount":9000')) for each in tickets]
    database.run("UPDATE documents SET body = ? WHERE kind = ? AND key = ? AND version = ?", [(each.body, *each[:3]) for each in forged])  # fmt: skip

    def change(entry: Entry) -> Entry:
        event = decode(entry.payload)
        if isinstance(event, DocumentsFiled):
            return entry._replace(
                payload=encode(DocumentsFiled(tuple(refiled(each, forged) for each in event.documents)))
            )
        if isinstance(event, MoneyMoved) and any(each.kind.startswith("ticket") for each in entry.transfers):
            transfers = tuple(msgspec.structs.replace(each, amount=9_000) for each in entry.transfers)
            return entry._replace(
                payload=encode(msgspec.structs.replace(event, amount=9_000)), money=write_transfers(transfers)
            )
        return entry

    tickets_sold = (
        "UPDATE transfers SET amount = 9000 WHERE amount = 5000 AND (debit = 'tickets' OR credit = 'tickets')"
    )
    assert database.run(tickets_sold) == 2
    for account, more in ((f"credit/{TABLE}.bot1", 4_000), ("cage/main", -4_000)):
        assert database.run("UPDATE balances SET amount = amount + ? WHERE account = ?", [(more, account)]) == 1
    rewrite(watched.place, "house", change, SECRET)
    check_found_by_the_witness_alone(watched, podium)


def refiled(filing: Filing, forged: list[Document]) -> Filing:
    for document in forged:
        if document[:3] == filing[:3]:
            return filing._replace(digest=digest(document))
    return filing


def test_evt_5_a_table_that_never_was_is_found(watched: WatchedHouse, podium: Podium) -> None:
    """A whole stream erased, and its name in every configuration: nothing was ever played at that table."""
    database, gone = Database(watched.place), "mega-blackjack-1"
    assert database.run("DELETE FROM journal WHERE stream = ?", [(f"table/{gone}",)])

    def change(entry: Entry) -> Entry:
        event = decode(entry.payload)
        if not isinstance(event, HouseConfigured):
            return entry
        tables = {name: table for name, table in event.config.tables.items() if name != gone}
        config = msgspec.structs.replace(event.config, tables=tables)
        return entry._replace(payload=encode(HouseConfigured(config, event.version, event.by)))

    rewrite(watched.place, "house", change, SECRET)
    check_found_by_the_witness_alone(watched, podium, "The witness saw the log podium/")


def test_evt_5_a_record_with_another_beginning_is_not_the_one_that_was_seen(
    watched: WatchedHouse, podium: Podium
) -> None:
    rewrite(watched.place, "house", another_beginning, SECRET)
    check_found_by_the_witness_alone(watched, podium, "The witness saw the log podium/")


def test_evt_4_a_book_that_was_emptied_is_a_difference(watched: WatchedHouse, podium: Podium) -> None:
    database = Database(watched.place)
    for table in ("journal", "transfers", "balances", "documents", "nodes", "checkpoints"):
        database.run(f"DELETE FROM {table}")
    for more in ((), ("--witness", watched.witness.path)):
        code, out, err = podium("verify", watched.where, *more)
        assert (code, out) == (1, "")
        assert err == "The book holds no entry at all: whatever this house recorded is gone (EVT-4).\n"


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_evt_5_a_record_that_was_rolled_back_is_found(
    request: pytest.FixtureRequest, tmp_path: Path, podium: Podium, store: str
) -> None:
    (tmp_path / "data").mkdir()
    where, place = str(tmp_path / "data"), str(tmp_path / "data" / "podium.db")
    if store == "postgres":
        where = place = str(request.getfixturevalue("postgres_url"))
    watched = WatchedHouse(where, place, tmp_path / "witness")
    watched.playing.seat_bots(TABLE)
    watched.playing.play(TABLE, 1)
    watched.is_seen(0)
    watched.playing.book.back_up(tmp_path / "backup")
    watched.playing.play(TABLE, 1)
    watched.is_seen(10)
    watched.playing.book.close()
    if store == "postgres":
        Database(place).run("DROP SCHEMA public CASCADE")
        Database(place).run("CREATE SCHEMA public")
    else:
        shutil.rmtree(tmp_path / "data")
        (tmp_path / "data").mkdir()
    restore(tmp_path / "backup", place)
    check_found_by_the_witness_alone(watched, podium, f"table/{TABLE} was cut or rolled back: it has ")


def test_evt_5_a_stream_that_was_kept_from_the_witness_is_named(
    watched: WatchedHouse, podium: Podium, tmp_path: Path
) -> None:
    notes = [note for note in watched.witness.latest().values() if f"/table/{TABLE}\n" not in note.text]
    (tmp_path / "seen.txt").write_text("\n".join(str(note) for note in notes), encoding="utf-8")
    code, _, err = podium("verify", watched.where, "--witness", tmp_path / "seen.txt")
    assert (code, err.strip()) == (
        1,
        f"table/{TABLE} was kept from the witness, which has seen it named in entry 1 of house (EVT-5).",
    )


def test_evt_5_a_witness_refuses_to_cosign_a_record_that_was_rewritten(watched: WatchedHouse, podium: Podium) -> None:
    rewrite(watched.place, "house", another_reason, SECRET)
    playing = watched.reopened()
    playing.play(TABLE, 1)
    watched.signs(playing)
    before = watched.witness.sizes()
    assert podium("witness", "fetch", watched.witness.path, watched.where)[0] == 0
    for command in ("check", "cosign"):
        code, out, err = podium("witness", command, watched.witness.path)
        assert (code, out) == (1, "")
        assert "/house at entry " in err
        assert "does not begin with what it was, so it was rewritten" in err
        assert "entries were cosigned at 2026-01-05 08:20:00 UTC. Nothing was cosigned" in err
    assert podium("witness", "run", watched.witness.path, watched.where)[0] == 1
    assert watched.witness.sizes() == before
    assert any(file.name.startswith("refused-") for file in watched.witness.path.iterdir())


# --- what verify finds by itself -----------------------------------------------------------------------------------------------

STRANGERS = {
    "a table": ("CREATE TABLE shadow (id INTEGER)", r"The database has the (table |column id of public\.)shadow, which"),
    "a view": ("CREATE VIEW shown AS SELECT 1 AS one", r"The database has the (view|relation) (public\.)?shown, which"),
    "an index": ("CREATE INDEX by_time ON transfers (time)", r"The database has the (index|relation) (public\.)?by_time, which"),
    "a column": ("ALTER TABLE documents ADD COLUMN aside TEXT", r"(The table documents is not as|The database has the column aside of public\.documents, which)"),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGERS)
def test_evt_4_what_no_house_makes_is_named(watched: WatchedHouse, podium: Podium, what: str) -> None:
    statement, said = STRANGERS[what]
    Database(watched.place).run(statement)
    check_named(watched, podium, said)


def check_named(watched: WatchedHouse, podium: Podium, said: str) -> None:
    code, out, err = podium("verify", watched.where)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert re.search(said, err), err


def test_evt_4_a_trigger_is_named(watched: WatchedHouse, podium: Podium) -> None:
    database = Database(watched.place)
    if watched.place.startswith("postgresql"):
        database.run("CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        database.run("CREATE TRIGGER quiet BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION swallow()")
    else:
        database.run("CREATE TRIGGER quiet BEFORE INSERT ON journal BEGIN SELECT RAISE(IGNORE); END")
    check_named(watched, podium, "The database has the (trigger quiet|function swallow)")


def test_evt_4_what_only_postgresql_has_is_named(postgres_url: str, tmp_path: Path, podium: Podium) -> None:
    watched = WatchedHouse(postgres_url, postgres_url, tmp_path / "witness")
    watched.playing.book.close()
    database = Database(postgres_url)
    for made, undone, said in [
        ("CREATE RULE none AS ON DELETE TO journal DO INSTEAD NOTHING", "DROP RULE none ON journal", "the rule none of public.journal"),
        ("ALTER TABLE journal ENABLE ROW LEVEL SECURITY", "ALTER TABLE journal DISABLE ROW LEVEL SECURITY", "The relation public.journal is not as"),
        ("CREATE SCHEMA aside CREATE TABLE journal (id INTEGER)", "DROP SCHEMA aside CASCADE", "aside.journal"),
        ("ALTER TABLE transfers DROP CONSTRAINT transfers_amount_check", "ALTER TABLE transfers ADD CHECK (amount > 0)", "lacks the constraint transfers_amount_check"),
        ("ALTER TABLE journal ALTER COLUMN kind DROP NOT NULL", "ALTER TABLE journal ALTER COLUMN kind SET NOT NULL", "The column kind of public.journal is not as"),
    ]:  # fmt: skip
        database.run(made)
        check_named(watched, podium, said)
        database.run(undone)
        assert podium("verify", watched.where)[0] == 0


def test_evt_4_game_1_a_guard_that_was_taken_off_is_named(watched: WatchedHouse, podium: Podium) -> None:
    database, account = Database(watched.place), f"credit/{TABLE}.bot1"
    assert database.run("UPDATE balances SET guarded = 0 WHERE account = ?", [(account,)]) == 1
    check_named(watched, podium, rf"^{account} is not kept from being overdrawn")


def test_evt_4_an_account_that_nothing_moved_is_named(watched: WatchedHouse, podium: Podium) -> None:
    Database(watched.place).run("INSERT INTO balances (account, amount, guarded) VALUES ('credit/mallory', 0, 1)")
    check_named(watched, podium, "an account credit/mallory that no transfer ever moved")


def test_evt_4_a_stream_whose_entries_are_all_gone_is_named(watched: WatchedHouse, podium: Podium) -> None:
    database = Database(watched.place)
    assert database.run("DELETE FROM journal WHERE stream = 'table/mega-blackjack-1'")
    check_named(watched, podium, "table/mega-blackjack-1 ends with entry 0, but ")
    sign_anew(watched.place, SECRET)
    check_named(watched, podium, "Entry 1 of house names table/mega-blackjack-1, which has no entries any more")


def test_evt_4_a_stream_that_the_house_does_not_name_is_named(watched: WatchedHouse, podium: Podium) -> None:
    book = open_book(watched.place, writable=False)
    copied = book.entries("table/mega-blackjack-1")
    book.close()
    database = Database(watched.place)
    chain = Chain("table/backroom")
    made = [chain.add(each.time, each.kind, each.payload) for each in copied]
    database.run("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", made)
    sign_anew(watched.place, SECRET)
    check_named(watched, podium, "The journal has a stream table/backroom that house does not name")


def test_evt_4_a_transfer_without_an_entry_is_named(watched: WatchedHouse, podium: Podium) -> None:
    values = ("forged", "house", 3, 1, "cage/main", "credit/mallory", 100, "cash-in", "", "", "", "", "")
    Database(watched.place).run(
        'INSERT INTO transfers (id, stream, sequence, time, debit, credit, amount, kind, "table", round, terminal, who, flow)'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [values],
    )
    check_named(
        watched, podium, "The ledger has forged at 1 from entry 3 of house, but the journal does not have it there"
    )


@pytest.mark.parametrize("kind", ["table-stood", "house-stood"])
def test_evt_4_int_1_a_snapshot_that_does_not_follow_is_named(
    tmp_path: Path, podium: Podium, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A start would begin from it; verify replays from the first entry, and finds the table or the house otherwise."""
    for often in ("snapshot_every", "house_snapshot_every"):
        monkeypatch.setitem(House.__init__.__kwdefaults__, often, 5)  # type: ignore[arg-type]
    (tmp_path / "data").mkdir()
    watched = WatchedHouse(str(tmp_path / "data"), str(tmp_path / "data" / "podium.db"), tmp_path / "witness")
    watched.day()
    assert podium("verify", watched.where)[0] == 0

    def change(entry: Entry) -> Entry:
        if entry.kind != kind:
            return entry
        return entry._replace(payload=entry.payload.replace(b"bot1", b"bot9"))

    rewrite(watched.place, "house" if kind == "house-stood" else f"table/{TABLE}", change, SECRET)
    check_named(watched, podium, r"cannot be played again: .*\(INT-1\)")
