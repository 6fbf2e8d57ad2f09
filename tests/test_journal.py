"""The chain of entries (EVT-4): whatever is altered, left out, added or moved is found, and the first place named."""

from functools import reduce
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.record.journal import BEGINNING, START, BrokenChain, Chain, Entry, Head, follow
from podium.record.ledger import Transfer, account

STAKE = Transfer("s1", account("credit", "ann"), account("in-play", "t1", "ann"), 500, "stake", table="t1")

facts = st.lists(
    st.tuples(st.integers(0, 2**41), st.text(min_size=1, max_size=8), st.binary(max_size=20), st.booleans()),
    min_size=1,
    max_size=12,
)


def written(stream: str, happened: list[tuple[int, str, bytes, bool]]) -> list[Entry]:
    chain = Chain(stream)
    return [chain.add(time, kind, payload, (STAKE,) if money else ()) for time, kind, payload, money in happened]


def followed(entries: list[Entry], start: Head = START) -> Head:
    return reduce(follow, entries, start)


@given(facts)
def test_a_journal_that_was_only_added_to_is_whole(happened: list[tuple[int, str, bytes, bool]]) -> None:
    entries = written("t1", happened)
    head = followed(entries)
    assert head == Head(len(entries), entries[-1].hash)
    assert followed(entries[1:], Head(1, entries[0].hash)) == head
    assert [entry.transfers for entry in entries] == [(STAKE,) if money else () for *_, money in happened]


@given(facts, st.data())
def test_evt_4_any_alteration_is_found_where_it_is(
    happened: list[tuple[int, str, bytes, bool]], data: st.DataObject
) -> None:
    entries = written("t1", happened)
    at = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(["time", "kind", "payload", "money", "previous", "hash"]))
    old = getattr(entries[at], field)
    new: Any = data.draw(
        st.integers(0, 2**41) if field == "time" else st.text() if field == "kind" else st.binary(max_size=40)
    )
    if field in ("previous", "hash"):
        new = sha256(str(new).encode()).digest()
    changed: dict[str, Any] = {field: new}
    entries[at] = entries[at]._replace(**changed)
    if new == old:
        followed(entries)
        return
    with pytest.raises(BrokenChain, match=f"Entry {at + 1} of t1"):
        followed(entries)


def test_evt_4_a_text_cannot_move_from_one_field_into_the_next() -> None:
    first = Chain("t1").add(0, "ab", b"c")
    second = Chain("t1").add(0, "a", b"bc")
    third = Chain("t1").add(0, "ab", b"", ())
    assert len({first.hash, second.hash, third.hash, Chain("t1a").add(0, "b", b"c").hash}) == 4


ENTRIES = written("t1", [(1, "a", b"1", False), (2, "b", b"2", True), (3, "c", b"3", False)])


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([ENTRIES[0], ENTRIES[2]], "Entry 3 of t1 stands where entry 2 belongs"),
        ([ENTRIES[1], ENTRIES[2]], "Entry 2 of t1 stands where entry 1 belongs"),
        ([ENTRIES[0], ENTRIES[0]], "Entry 1 of t1 stands where entry 2 belongs"),
        ([ENTRIES[0], ENTRIES[2]._replace(sequence=2)], "Entry 2 of t1 follows"),
    ],
)
def test_evt_4_entries_left_out_repeated_or_moved_are_found(entries: list[Entry], said: str) -> None:
    with pytest.raises(BrokenChain, match=said):
        followed(entries)


def test_an_independent_program_comes_to_the_same_hash() -> None:
    """Written from docs/storage.md alone."""
    entry = ENTRIES[1]
    text = b"podium-journal-1\n" + entry.previous + (2).to_bytes(8) + (2).to_bytes(8)
    text += (2).to_bytes(2) + (1).to_bytes(2) + (1).to_bytes(4) + len(entry.money).to_bytes(4)
    assert sha256(text + b"t1" + b"b" + b"2" + entry.money).digest() == entry.hash
    assert ENTRIES[0].previous == BEGINNING == START.hash == bytes(32)
