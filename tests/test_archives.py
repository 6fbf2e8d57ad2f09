"""Archives on both stores: what was moved into a file is read, proved and recalled as before (EVT-4, EVT-5)."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from podium.basics.words import Phrase
from podium.house import House, HouseConfig
from podium.house.archiving import file_archive, make_archive, next_pruning
from podium.house.checkpoints import Signatory, public_half
from podium.house.papers import self_check
from podium.house.reports import Records
from podium.house.reports.intervals import Interval
from podium.house.reports.records import RoundsWanted
from podium.house.table import TableConfig
from podium.house.verify import Difference, Verified, verify
from podium.record.store import (
    Append,
    Book,
    Damaged,
    Fenced,
    Pruned,
    Reading,
    StoredLog,
    open_book,
    read_posted,
    read_stream,
    restore,
)
from podium.record.store.archived import FOLDER, FOLDER_VARIABLE, MissingArchive, archives_of
from tests.history import write
from tests.houses import PlayingHouse

TABLES = ("blackjack-1", "poker-1")
SECRET = bytes(range(32))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short evening is long enough for several archives of several blocks."""
    monkeypatch.setattr("podium.record.limits.MAX_PROVED_ENTRIES_PER_STREAM", 20)
    monkeypatch.setattr("podium.record.limits.MAX_ENTRIES_PER_ARCHIVE_BLOCK", 16)
    monkeypatch.setattr("podium.record.limits.MAX_ENTRIES_PRUNED_AT_ONCE", 7)
    monkeypatch.setattr("podium.house.archiving.MIN_ARCHIVED_ENTRIES", 10)
    defaults = House.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "snapshot_every", 30)


class Archiving:
    """A house that plays, signs its record and archives it."""

    def __init__(self, book: Book, folder: Path) -> None:
        quick: dict[str, Any] = {"card_seconds": 0, "result_seconds": 0}
        tables = {
            "blackjack-1": TableConfig("stadium-blackjack", **quick),
            "poker-1": TableConfig("stadium-three-card-poker", **quick),
        }
        self.playing = PlayingHouse(book, HouseConfig(tables=tables))
        self.book, self.folder = book, folder
        self.playing.house.started("fingerprint", self.playing.now, signer=public_half(SECRET))
        for table in TABLES:
            self.playing.seat_bots(table)

    def play(self, rounds: int = 40) -> None:
        for table in TABLES:
            self.playing.play(table, rounds)
        write(self.book, Append(checkpoints=Signatory(SECRET).sign(self.book, self.playing.now)))

    def archive(self, before: int | None = None) -> bool:
        """Writes and files an archive; what it holds stays in the book."""
        made = make_archive(self.book, self.folder, before or self.playing.now)
        if made is None:
            return False
        file_archive(self.playing.house, made, self.playing.now, by="olga")
        documents = self.playing.house.take_documents()
        write(self.book, Append(self.playing.house.take_entries(), documents))
        return True

    def prune(self, most: int = 10_000) -> int:
        done = 0
        while done < most and (part := next_pruning(self.book)) is not None:
            write(self.book, Append(pruned=[part]))
            done += 1
        return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / FOLDER


@pytest.fixture
def archiving(place: str, folder: Path) -> Iterator[Archiving]:
    book = open_book(place)
    archiving = Archiving(book, folder)
    archiving.play()
    yield archiving
    book.close()


def everything(book: Reading) -> dict[str, Any]:
    """All that can be read of tables and money, through every way of reading."""
    streams = [stream for stream in book.heads() if stream != "house"]
    kinds = {entry.kind for stream in streams for entry in read_stream(book, stream)}
    ends = {stream: book.heads()[stream].sequence for stream in streams}
    return {
        "entries": {stream: list(read_stream(book, stream)) for stream in streams},
        "paged": {
            stream: [book.entries(stream, after, 3) for after in range(0, end, 17)] for stream, end in ends.items()
        },
        "hashes": {
            stream: [book.hashes(stream, after, 9) for after in range(0, end, 19)] for stream, end in ends.items()
        },
        "last": {
            (s, kind, before): book.last(s, kind, before)
            for s in streams
            for kind in kinds
            for before in (None, 5, 60, 130)
        },
        "posted": list(read_posted(book)),
        "posted after": [book.posted(after, 2) for after in range(0, 900, 31)],
        "sums": [book.sums(after) for after in (0, 1, 150, 600, book.last_position())],
        "inclusion": {stream: StoredLog(book, stream).inclusion(3, end) for stream, end in ends.items()},
        "consistency": {stream: StoredLog(book, stream).consistency(37, end) for stream, end in ends.items()},
    }


def without_house(verified: Verified) -> dict[str, Any]:
    """What does not change because an archive was filed."""
    return {field: getattr(verified, field) for field in ("rounds", "shoes", "cards", "in_play", "tables", "tickets")}


def test_evt_4_what_is_archived_is_read_and_proved_as_before(archiving: Archiving) -> None:
    before, proved = everything(archiving.book), verify(archiving.book)
    size = archiving.book.first("table/blackjack-1")
    assert size == 1
    assert archiving.archive()
    for most in (0, 3, 9, 10_000):
        archiving.prune(most)
        assert everything(archiving.book) == before
        self_check(archiving.book)
        again = verify(archiving.book)
        assert without_house(again) == without_house(proved)
        assert (again.archives, again.store.transfers) == (1, proved.store.transfers)
    assert archiving.book.first("table/blackjack-1") > 30
    assert archiving.book.first("table/poker-1") > 30
    assert archiving.prune() == 0


def test_evt_5_a_house_plays_on_beside_its_archives_and_fills_further_ones(archiving: Archiving, place: str) -> None:
    for _ in range(2):
        assert archiving.archive()
        archiving.prune()
        archiving.play(10)
    before = everything(archiving.book)
    assert archiving.archive()
    archiving.prune(4)
    assert len(archives_of(archiving.book)) == 3
    archiving.book.close()
    book = open_book(place)
    try:
        self_check(book)
        assert everything(book) == before
        playing = PlayingHouse(book, now=archiving.playing.now + 1)
        playing.play("blackjack-1", 2)
        verified = verify(book)
        assert verified.archives == 3
        assert verified.archived == sum(archive.entries for archive in archives_of(book))
    finally:
        book.close()


def test_rec_1_a_round_in_an_archive_is_recalled_in_full(archiving: Archiving) -> None:
    everyone = Interval(Phrase("report.span"), 0, archiving.playing.now + 1)
    wanted = RoundsWanted(player="blackjack-1.bot1")

    def recalled() -> Any:
        records = Records()
        records.catch_up(archiving.book)
        rounds = [records.recall(archiving.book, "blackjack-1", number) for number in (1, 2, 9, 40)]
        return rounds, [line.round for line in records.look_for(archiving.book, wanted, everyone)]

    before = recalled()
    archiving.archive()
    archiving.prune()
    assert recalled() == before


def test_what_a_start_reads_what_is_not_signed_and_what_is_young_stays_in_the_book(archiving: Archiving) -> None:
    archiving.play(3)
    assert not archiving.archive(before=1_000)
    signed = {each.stream: each.size for each in archiving.book.checkpoints()}
    for table in TABLES:
        archiving.playing.play(table, 60)  # not signed
    assert archiving.archive()
    for each in archives_of(archiving.book)[0].ranges:
        snapshot = archiving.book.last(each.stream, "table-stood")
        assert snapshot is not None
        assert each.last <= signed[each.stream]
        assert each.last < snapshot.sequence


def test_bak_2_a_backup_is_restored_beside_its_archives_into_either_store(
    archiving: Archiving, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archiving.archive()
    archiving.prune()
    before = everything(archiving.book)
    checksum = archiving.book.back_up(tmp_path / "house.backup")
    copytree(folder, tmp_path / "restored" / FOLDER)
    rmtree(folder)
    with pytest.raises(Damaged, match=r"archive .*Z\.archive is missing"):
        restore(tmp_path / "house.backup", str(tmp_path / "house2.db"))
    restore(tmp_path / "house.backup", tmp_path / "restored" / "podium.db")
    book = open_book(tmp_path / "restored" / "podium.db")
    try:
        assert everything(book) == before
        assert book.checksum() == checksum
    finally:
        book.close()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "restored" / FOLDER))
    assert everything(archiving.book) == before


def test_evt_4_an_archive_that_is_missing_or_altered_is_named(archiving: Archiving, folder: Path) -> None:
    archiving.archive()
    archiving.prune()
    [file] = folder.iterdir()
    whole = file.read_bytes()
    for at in (3, 40, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(Difference, match=file.name):
            verify(archiving.book)
    file.write_bytes(whole[:-20])
    with pytest.raises(Difference, match=file.name):
        verify(archiving.book)
    file.unlink()
    with pytest.raises(MissingArchive, match=f"{file.name} is missing"):
        verify(archiving.book)
    with pytest.raises(MissingArchive, match=f"{file.name} is missing"):
        archiving.book.entries("table/blackjack-1")
    self_check(archiving.book)  # a start does not need it
    file.write_bytes(whole)
    verify(archiving.book)


def test_evt_4_a_book_that_lost_more_than_was_archived_is_found(archiving: Archiving) -> None:
    archiving.archive()
    archiving.prune()
    young = archiving.book.entries("table/blackjack-1", archiving.book.first("table/blackjack-1") - 1, 1)[0]
    lost = [posted.position for posted in read_posted(archiving.book) if posted.sequence == young.sequence]
    write(archiving.book, Append(pruned=[Pruned("table/blackjack-1", young.sequence, lost)]))
    with pytest.raises(Difference, match=f"table/blackjack-1.*{young.sequence}"):
        verify(archiving.book)


def test_the_last_entry_of_a_stream_is_never_deleted(archiving: Archiving) -> None:
    end = archiving.book.heads()["table/poker-1"].sequence
    [refused] = archiving.book.write([Append(pruned=[Pruned("table/poker-1", end, [])])])
    assert isinstance(refused, Fenced)
    assert archiving.book.first("table/poker-1") == 1


def test_an_archive_that_differs_from_the_ledger_is_not_made(archiving: Archiving, folder: Path) -> None:
    """The ledger lost a transfer of an entry that is to be archived: nothing is written, nothing is deleted."""
    first = next(posted for posted in read_posted(archiving.book) if posted.stream == "table/blackjack-1")
    write(archiving.book, Append(pruned=[Pruned("table/blackjack-1", 0, [first.position])]))
    with pytest.raises(Damaged, match=f"entry {first.sequence} of table/blackjack-1"):
        make_archive(archiving.book, folder, archiving.playing.now)
    assert not list(folder.glob("*.archive"))
