"""INT-1, EVT-4: the house's own stream is replayed from its last snapshot, and the snapshot is proved like any other entry."""

from typing import Any

import pytest

from podium.basics.refusal import Refused
from podium.house.events import SNAPSHOT, Forgotten, HouseSnapshot, decode, encode
from podium.house.papers import find_ticket, self_check
from podium.house.people import Session
from podium.house.state import HOUSE
from podium.house.verify import Difference, verify
from podium.record import limits
from podium.record.journal import Chain, Entry
from podium.record.store import Append, Damaged, Reading, open_book, read_stream
from tests.limits.desk import NEVER, BusyDesk, busy_desk
from tests.simulator.state import own_state
from tests.test_papers import alter

EVERY = 30
VISITS = 40


def snapshots(desk: BusyDesk) -> list[Entry]:
    return [entry for entry in read_stream(desk.book, HOUSE) if entry.kind == SNAPSHOT]


class Counting:
    """A book that counts which entries of the house's own stream are read."""

    def __init__(self, book: Reading) -> None:
        self._book = book
        self.read: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._book, name)

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        found = self._book.entries(stream, after, limit)
        self.read += [entry.sequence for entry in found if stream == HOUSE]
        return found


def test_int_1_a_start_replays_the_house_s_stream_from_its_last_snapshot_only(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_ENTRIES_BETWEEN_SNAPSHOTS, counted: what a start reads does not grow with the days."""
    monkeypatch.setattr(limits, "MAX_PROVED_ENTRIES_PER_STREAM", 10)
    with busy_desk(place, EVERY) as desk:
        replayed, checked = [], []
        for visits in (VISITS, 3 * VISITS):
            for number in range(visits):
                desk.visit(1_000 * visits + number)
            start, check = Counting(desk.book), Counting(desk.book)
            self_check(check)
            house = desk.opened()
            house.come_back(start)
            replayed.append(len(start.read))
            checked.append(len(check.read))
            assert own_state(house) == own_state(desk.house)
        total = desk.book.heads()[HOUSE].sequence
        assert total > 4 * VISITS * 6
        # Never more than one stretch between two snapshots and what one append may add to it.
        assert max(replayed) <= EVERY + 10
        assert max(checked) <= EVERY + 10 + 11


def test_int_1_whoever_replays_from_the_beginning_finds_the_house_exactly_so(place: str) -> None:
    with busy_desk(place, EVERY) as desk:
        for number in range(VISITS):
            desk.visit(number)
        desk.sign_in()
        desk.buy_in("ann", "k1")
        assert len(snapshots(desk)) > 3
        whole, quick = desk.opened(), desk.comes_back()
        whole.restore({stream: read_stream(desk.book, stream) for stream in desk.book.heads()})
        assert own_state(whole) == own_state(quick) == own_state(desk.house)
        assert dict(whole.ledger) == dict(quick.ledger) == dict(desk.house.ledger)
        assert quick.shelf.every(Session) == desk.house.shelf.every(Session)
        verify(desk.book)
        # It goes on where it stood: the next entries are the same, hash for hash.
        for house in (quick, desk.house):
            house.admit("bob", "card", desk.now)
        assert [entry.hash for entry in quick.take_entries()] == [entry.hash for entry in desk.house.take_entries()]


def test_a_house_without_any_snapshot_opens_as_before(place: str) -> None:
    with busy_desk(place, NEVER) as desk:
        for number in range(VISITS):
            desk.visit(number)
        assert snapshots(desk) == []
        self_check(desk.book)
        house = desk.comes_back(EVERY)
        assert own_state(house) == own_state(desk.house)
        house.admit("ann", "card", desk.now)
        [admitted, snapshot] = house.take_entries()
        assert (admitted.kind, snapshot.kind) == ("player-admitted", SNAPSHOT)
        assert desk.book.write([Append([admitted, snapshot])]) == [None]
        assert own_state(desk.comes_back()) == own_state(house)
        verify(desk.book)


def test_a_snapshot_that_has_many_names_comes_less_often(place: str) -> None:
    """It never becomes the larger part of the stream."""
    with busy_desk(place, 5) as desk:
        for number in range(50):
            desk.buy_in(f"p{number}", f"k{number}")
        spaces = [entry.sequence for entry in snapshots(desk)]
        assert all(
            later - earlier >= len(decoded(entry).players)
            for earlier, later, entry in zip(spaces, spaces[1:], snapshots(desk), strict=False)
        )
        assert len(spaces) < 10


def decoded(entry: Entry) -> HouseSnapshot:
    event = decode(entry.payload)
    assert isinstance(event, HouseSnapshot)
    return event


# --- what is not as it was ----------------------------------------------------------------------------------------------


def forged(desk: BusyDesk, change: Any) -> list[Entry]:
    """The house's stream with every snapshot changed, and all its hashes made anew."""
    chain = Chain(HOUSE)
    made = []
    for entry in read_stream(desk.book, HOUSE):
        payload = encode(change(decoded(entry))) if entry.kind == SNAPSHOT else entry.payload
        made.append(chain.add(entry.time, entry.kind, payload, entry.transfers))
    return made


def replaced(snapshot: HouseSnapshot, **changes: Any) -> HouseSnapshot:
    return HouseSnapshot(**{name: getattr(snapshot, name) for name in snapshot.__struct_fields__} | changes)


@pytest.mark.parametrize(
    "change",
    [
        lambda snapshot: replaced(snapshot, players={**snapshot.players, "eve": "card"}),
        lambda snapshot: replaced(snapshot, players={}),
        lambda snapshot: replaced(snapshot, documents=snapshot.documents[1:]),
        lambda snapshot: replaced(
            snapshot, documents=(snapshot.documents[0]._replace(digest="0" * 64), *snapshot.documents[1:])
        ),
        lambda snapshot: replaced(snapshot, running=not snapshot.running),
        lambda snapshot: replaced(snapshot, version=snapshot.version + 1),
        lambda snapshot: replaced(snapshot, entries=snapshot.entries - 1),
    ],
    ids=["player added", "players removed", "document removed", "digest", "running", "version", "entries"],
)
def test_evt_4_a_house_that_was_written_down_otherwise_than_it_stood_is_found(tmp_path: Any, change: Any) -> None:
    with busy_desk(str(tmp_path / "house.db"), EVERY) as desk:
        desk.buy_in("ann", "k1")
        for number in range(VISITS):
            desk.visit(number)
        streams = {stream: list(read_stream(desk.book, stream)) for stream in desk.book.heads()}
        with pytest.raises(Refused, match="differs from what the entries before it give"):
            desk.opened().restore(streams | {HOUSE: forged(desk, change)})


def test_a_forgotten_player_with_money_is_found(tmp_path: Any) -> None:
    with busy_desk(str(tmp_path / "house.db")) as desk:
        desk.buy_in("ann", "k1")
        desk.house._record(Forgotten(("ann",)), desk.now)
        desk.keep()
        with pytest.raises(Difference, match="forgets ann, who has money here"):
            verify(desk.book)


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        (Forgotten(("nobody",)), "The journal drops the player nobody, who was not known"),
        (
            Forgotten((), (("person", "carl"),)),
            "The journal drops the person carl, which was not there or must be kept",
        ),
        (Forgotten((), (("session", "x"),)), "The journal drops the session x, which was not there"),
    ],
)
def test_what_must_be_kept_cannot_be_forgotten(tmp_path: Any, forgotten: Forgotten, said: str) -> None:
    with busy_desk(str(tmp_path / "house.db")) as desk:
        chain = Chain(HOUSE, desk.book.heads()[HOUSE])
        entry = chain.add(desk.now, "forgotten", encode(forgotten))
        assert desk.book.write([Append([entry])]) == [None]
        with pytest.raises(Refused, match=said):
            desk.comes_back()
        with pytest.raises(Difference, match=said):
            verify(desk.book)


# --- documents ----------------------------------------------------------------------------------------------------------


def test_evt_4_a_start_finds_a_document_altered_that_the_house_keeps_in_mind(place: str) -> None:
    with busy_desk(place, EVERY) as desk:
        for number in range(VISITS):
            desk.visit(number)
        self_check(desk.book)
        alter(place, "UPDATE documents SET time = time + 1 WHERE kind = 'person' AND key = 'carl'")
        with pytest.raises(Damaged, match="Version 1 of the person carl was altered"):
            self_check(desk.book)
        alter(place, "UPDATE documents SET time = time - 1 WHERE kind = 'person' AND key = 'carl'")
        alter(
            place,
            "INSERT INTO documents SELECT kind, key, 2, time, body FROM documents WHERE kind = 'person' AND key = 'carl'",
        )
        with pytest.raises(
            Damaged, match="Version 2 of the person carl is stored, but the journal knows nothing of it"
        ):
            self_check(desk.book)


def test_evt_4_a_document_that_is_gone_is_named_by_whoever_looks_for_it(place: str) -> None:
    with busy_desk(place, EVERY) as desk:
        for number in range(VISITS):
            desk.visit(number)
        alter(place, "DELETE FROM documents WHERE kind = 'person' AND key = 'olga'")
        for looks in (self_check, lambda book: desk.comes_back()):
            with pytest.raises(Damaged, match="Version 1 of the person olga is in the journal, but it is not stored"):
                looks(desk.book)


def test_evt_4_what_the_house_has_forgotten_is_left_to_verify(place: str) -> None:
    """And it cannot be used: nobody can go on with an old session by altering it."""
    with busy_desk(place, EVERY) as desk:
        desk.visit(0)
        old = desk.book.documents("session")[0].key
        for number in range(1, VISITS):
            desk.visit(number)
        alter(place, f"UPDATE documents SET time = time + 1 WHERE kind = 'session' AND key = '{old}' AND version = 2")
        self_check(desk.book)
        assert desk.comes_back().shelf.find(Session, old) is None
        with pytest.raises(Difference, match=f"Version 2 of the session {old} was altered"):
            verify(desk.book)


# --- tickets, which are read from the store when they are shown -----------------------------------------------------------

BODY = {"sqlite": "CAST(replace(CAST(body AS TEXT), {0}) AS BLOB)", "postgres": "convert_to(replace(convert_from(body, 'UTF8'), {0}), 'UTF8')"}  # fmt: skip


@pytest.mark.parametrize("changed", ["'500', '900'", '\'"terminal":""\', \'"terminal":"x"\''])
def test_tkt_2_a_ticket_that_was_altered_in_the_store_is_found_before_it_is_paid(place: str, changed: str) -> None:
    with busy_desk(place, EVERY) as desk:
        key = desk.sell("k1").keys[0]
        for number in range(VISITS):
            desk.visit(number)
        assert find_ticket(desk.book, key) == desk.book.document("ticket", key)
        assert find_ticket(desk.book, "nothing") is None
        body = BODY["postgres" if place.startswith("postgresql") else "sqlite"].format(changed)
        alter(place, f"UPDATE documents SET body = {body} WHERE kind = 'ticket'")
        with pytest.raises(Damaged, match=f"ticket {key}"):
            find_ticket(desk.book, key)


def test_the_same_book_is_opened_again(place: str) -> None:
    with busy_desk(place, EVERY) as desk:
        for number in range(VISITS):
            desk.visit(number)
        before = own_state(desk.house)
    book = open_book(place)
    try:
        desk.book = book
        assert own_state(desk.comes_back()) == before
    finally:
        book.close()
