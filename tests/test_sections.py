"""A table is proved section by section as it is in one replay: the same counts, the same money, the same differences."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from podium.basics.cards import DECK
from podium.house import House
from podium.house.sections import Section, sections, whole
from podium.house.state import stream_of
from podium.house.table.events import SNAPSHOT, TableSnapshot, decode, encode
from podium.house.verify import Difference, Replayed, replay_section
from podium.play.events import CardDealt
from podium.record.journal import Entry
from podium.record.store import Book, open_book
from tests.forging import rewrite
from tests.houses import KEY, PlayingHouse

EVERY = 40


@pytest.fixture
def playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayingHouse:
    """Tables with many snapshots, and shoes that go on over them."""
    assert House.__init__.__kwdefaults__ is not None
    monkeypatch.setitem(House.__init__.__kwdefaults__, "snapshot_every", EVERY)
    book = open_book(tmp_path / "house.db")
    house = PlayingHouse(book)
    for table in house.house.tables:
        house.seat_bots(table)
        house.play(table, 12)
    return house


def together(parts: list[Replayed]) -> Replayed:
    moved: Counter[str] = Counter()
    for part in parts:
        moved.update(part.moved)
    counts = {name: sum(getattr(part, name) for part in parts) for name in Replayed._fields if name != "moved"}
    return Replayed({name: amount for name, amount in moved.items() if amount}, **counts)  # type: ignore[misc]  # plain names


@pytest.mark.parametrize("with_key", [True, False])
def test_ver_1_rng_10_sections_come_to_what_the_whole_comes_to(playing: PlayingHouse, *, with_key: bool) -> None:
    book, key = playing.book, playing.shuffler if with_key else None
    divided = carried = 0
    for table in playing.house.tables:
        stream = stream_of(table)
        last = book.heads()[stream].sequence
        parts = sections(book, stream, last, least=EVERY)
        assert sum(part.until - part.after - (part.after > 0) for part in parts) == last
        divided += len(parts) > 2
        replayed = [replay_section(book, part, key) for part in parts]
        carried += sum(part.shoes == 0 for part in replayed[:-1])
        assert together(replayed) == replay_section(book, whole(stream, last), key)
    assert divided > 3
    assert carried > 3  # shoes that began in one section and ended in another


def test_a_short_stream_is_one_section(playing: PlayingHouse) -> None:
    for table in playing.house.tables:
        stream = stream_of(table)
        last = playing.book.heads()[stream].sequence
        assert sections(playing.book, stream, last) == [whole(stream, last)]


def forged(playing: PlayingHouse, path: Path, stream: str, sequence: int, payload: bytes) -> Book:
    """The book after somebody who can write to the store has changed an entry, and made the chain good after it."""
    playing.book.close()
    rewrite(str(path), stream, lambda each: each._replace(payload=payload) if each.sequence == sequence else each, KEY)
    return open_book(path, writable=False)


def test_evt_4_a_section_must_come_to_the_snapshot_with_which_the_next_one_begins(
    playing: PlayingHouse, tmp_path: Path
) -> None:
    stream = stream_of(next(iter(playing.house.tables)))
    last = playing.book.heads()[stream].sequence
    middle = playing.book.last(stream, SNAPSHOT, last * 2 // 3)
    assert middle is not None
    stood = decode(middle.payload)
    assert isinstance(stood, TableSnapshot)
    other = encode(msgspec.structs.replace(stood, handle=stood.handle + 1))
    book = forged(playing, tmp_path / "house.db", stream, middle.sequence, other)
    parts = sections(book, stream, last, least=EVERY)
    [before] = [part for part in parts if part.until == middle.sequence]
    with pytest.raises(Difference, match="differs from its snapshot"):
        replay_section(book, before)
    book.close()


def test_rng_10_a_card_that_was_dealt_before_a_section_is_proved_where_its_shoe_is_laid_open(
    playing: PlayingHouse, tmp_path: Path
) -> None:
    stream, dealt, part = next(carried(playing))
    replay_section(playing.book, part)
    other = encode(CardDealt(next(card for card in DECK if card.code.encode() not in dealt.payload)))
    book = forged(playing, tmp_path / "house.db", stream, dealt.sequence, other)
    with pytest.raises(Difference, match="RNG-10"):
        replay_section(book, part)
    book.close()


def carried(playing: PlayingHouse) -> Iterator[tuple[str, Entry, Section]]:
    """Sections in which a shoe is laid open that was in use when they began, each with a card that was dealt from it before."""
    for table in playing.house.tables:
        stream, book = stream_of(table), playing.book
        for part in sections(book, stream, book.heads()[stream].sequence, least=EVERY)[1:]:
            ended = book.last(stream, "shoe-ended", part.until + 1)
            shuffled = book.last(stream, "shoe-shuffled", ended.sequence) if ended else None
            dealt = book.last(stream, "card-dealt", part.after)
            if not ended or not shuffled or not dealt or b'"card":"' not in dealt.payload:
                continue
            if shuffled.sequence < dealt.sequence < part.after < ended.sequence:
                yield stream, dealt, part
