"""SEC-7: keys have one purpose each, lie outside the data, and can be rotated; RNG-8: only their owner can read them."""

import stat
import sys
from hashlib import sha256
from hmac import new
from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.house import ticketing
from podium.house.tickets import Ticket, draw_number, ticket_key
from podium.record.seal import Seal, SealBroken
from podium.record.store import keys as store_keys
from podium.record.store.keys import (
    OLD_KEY,
    PURPOSES,
    KeyFolder,
    Keys,
    Ring,
    default_folder,
    find_ring,
    open_keys,
    read_keys,
    read_ring,
    source_of,
)
from podium.server.numbers import TicketNumbers
from tests.entropy import repeatable
from tests.houses import KEY, playing_house
from tests.server.served import a_house
from tests.terminal import on_a_loop
from tests.ticket_numbers import KEYS, ticket_numbers

ENTROPY = repeatable("keys")


def opened(data: Path, where: str = "") -> Keys:
    data.mkdir(exist_ok=True)
    return open_keys(source_of(where, data, ENTROPY), data)


def put(file: Path, text: str, mode: int = 0o600) -> Path:
    file.write_text(text, encoding="ascii")
    file.chmod(mode)
    return file


# --- a folder -------------------------------------------------------------------------------------------------------------


def test_sec_7_each_purpose_has_a_key_of_its_own_outside_the_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    keys = opened(data)
    assert list(data.iterdir()) == []
    folder = tmp_path / "data.keys"
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{purpose}.key" for purpose in PURPOSES)
    assert len({ring.current for ring in keys}) == 4
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert opened(data).ids == keys.ids


def test_sec_7_a_folder_inside_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="keep the keys of a house outside its data"):
        source_of(str(tmp_path / "data" / "keys"), tmp_path / "data", ENTROPY)


def test_sec_7_a_ring_shows_no_key(tmp_path: Path) -> None:
    keys = opened(tmp_path / "data")
    for ring in keys:
        assert ring.current.hex() not in repr(keys)
        assert repr(ring.current) not in repr(keys)
        assert not any(ring.current.hex().startswith(each) for each in ring.ids)


@pytest.mark.parametrize(("what", "mode"), [("seal.key", 0o640), ("", 0o750)])
def test_rng_8_keys_that_others_can_read_are_refused(tmp_path: Path, what: str, mode: int) -> None:
    opened(tmp_path / "data")
    (tmp_path / "data.keys" / what).chmod(mode)
    with pytest.raises(Refused, match=f"mode {mode:o}"):
        opened(tmp_path / "data")


@pytest.mark.parametrize("text", ["", "abc", "zz" * 32, "ab" * 31, f"{'ab' * 32}\n" * 2, "ab" * 3_000])
def test_what_is_no_key_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    file = put(tmp_path / "house.key", text)
    with pytest.raises(Refused, match="does not hold keys of a house"):
        read_ring("seal", file)
    assert file.read_text() == text


def test_sec_7_a_rotation_keeps_the_earlier_keys(tmp_path: Path) -> None:
    before = opened(tmp_path / "data").tickets
    folder = KeyFolder(tmp_path / "data.keys", ENTROPY)
    after = folder.rotate("tickets")
    assert after.keys[1:] == before.keys
    assert after.current != before.current
    for _ in range(len(after.keys), store_keys.MAX_KEYS):
        folder.rotate("tickets")
    with pytest.raises(Refused, match="which is the limit"):
        folder.rotate("tickets")


def test_sec_7_a_seal_opens_what_an_earlier_key_closed() -> None:
    old, new = bytes(32), bytes(range(32))
    sealed = Seal(old, ENTROPY).close(b"cards", "shoe 1")
    assert Ring("seal", (new, old)).seal(ENTROPY).open(sealed, "shoe 1") == b"cards"
    with pytest.raises(SealBroken):
        Ring("seal", (new,)).seal(ENTROPY).open(sealed, "shoe 1")
    fresh = Ring("seal", (new, old)).seal(ENTROPY).close(b"cards", "shoe 1")
    with pytest.raises(SealBroken):
        Seal(old, ENTROPY).open(fresh, "shoe 1")


# --- a house of an earlier version --------------------------------------------------------------------------------------


def test_the_seal_s_key_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    old = put(data / OLD_KEY, "11" * 32)
    ring = find_ring(source_of("", data, ENTROPY), "seal", data)
    assert ring is not None
    assert ring.current == b"\x11" * 32
    assert not default_folder(data).exists()
    assert opened(data).seal.keys == ring.keys
    assert not old.exists()
    assert opened(data).seal.keys == ring.keys


def test_a_start_that_was_interrupted_while_it_took_the_key_over_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    keys = opened(data)
    put(data / OLD_KEY, keys.seal.current.hex())
    assert opened(data).ids == keys.ids
    put(data / OLD_KEY, "11" * 32)
    assert opened(data).seal.keys == (*keys.seal.keys, b"\x11" * 32)
    assert not (data / OLD_KEY).exists()


def test_a_source_that_nobody_writes_must_have_the_key_of_the_earlier_version(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    put(data / OLD_KEY, "11" * 32)
    with pytest.raises(Refused, match="add it there as an earlier key"):
        opened(data, command(tmp_path, "print(sha256(sys.argv[1].encode()).hexdigest())"))
    assert (data / OLD_KEY).exists()


# --- systemd and commands -------------------------------------------------------------------------------------------------


def test_sec_7_keys_come_from_systemd_credentials(tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    environment = {"CREDENTIALS_DIRECTORY": str(credentials)}
    with pytest.raises(Refused, match="CREDENTIALS_DIRECTORY is not set"):
        source_of("systemd", tmp_path, ENTROPY, {})
    source = source_of("systemd", tmp_path, ENTROPY, environment)
    for number, purpose in enumerate(PURPOSES[:3]):
        put(credentials / f"{purpose}.key", f"{number}{number}" * 32, 0o440)
    with pytest.raises(Refused, match="no key for the purpose signature"):
        open_keys(source, tmp_path)
    put(credentials / "signature.key", f"{'aa' * 32}\n{'bb' * 32}\n", 0o440)
    assert open_keys(source, tmp_path).signature.keys == (b"\xaa" * 32, b"\xbb" * 32)
    assert len(list(credentials.iterdir())) == 4


def command(tmp_path: Path, body: str) -> str:
    script = tmp_path / "keys with space.py"
    script.write_text(f"import sys, time\nfrom hashlib import sha256\n{body}\n")
    return f"command:{sys.executable} '{script}'"


def test_sec_7_keys_come_from_a_command(tmp_path: Path) -> None:
    where = command(tmp_path, "print(sha256(sys.argv[1].encode()).hexdigest())")
    assert read_keys(source_of(where, tmp_path, ENTROPY)).ids == KEYS.ids


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit(3)", "did not give the keys for the purpose seal: it ended with the code 3"),
        ("print('not a key')", "does not hold keys of a house"),
        ("time.sleep(60)", "it took more than 0.5 s or printed too much"),
        ("print('a' * 1_000_000)", "it took more than 0.5 s or printed too much"),
    ],
)
def test_sec_7_a_command_that_fails_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, said: str
) -> None:
    monkeypatch.setattr(store_keys, "COMMAND_SECONDS", 0.5 if "0.5" in said else 30)
    with pytest.raises(Refused, match=said) as refused:
        read_keys(source_of(command(tmp_path, body), tmp_path, ENTROPY))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("where", ["command:", "command:'", "command:/no/such/program"])
def test_what_is_no_command_is_refused(tmp_path: Path, where: str) -> None:
    with pytest.raises(Refused, match=r"is not a command|no such file"):
        read_keys(source_of(where, tmp_path, ENTROPY))


# --- the command line, and the note -------------------------------------------------------------------------------------


def test_sec_7_podium_keys_lists_and_rotates_and_shows_no_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    before = opened(data)
    assert run(["keys", "rotate", "tickets", str(data)]) == 0
    assert run(["keys", "list", str(data)]) == 0
    told = capsys.readouterr().out
    after = opened(data)
    assert after.tickets.keys[1:] == before.tickets.keys
    assert f"tickets: current {after.tickets.ids[0]}, earlier {before.tickets.ids[0]}\n" in told
    assert not any(key.hex() in told for ring in after for key in ring.keys)
    assert run(["keys", "rotate", "shoes", str(data)]) == 2
    assert "Purposes: seal, tickets, sessions, signature." in capsys.readouterr().err


def test_verify_finds_the_key_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir()
    with playing_house(data / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play("dynasty-blackjack-1", 1)
    elsewhere.mkdir(mode=0o700)
    put(elsewhere / "seal.key", KEY.hex())
    assert run(["verify", str(data)]) == 0
    assert "not checked, for want of the seal's key" in capsys.readouterr().out
    assert run(["verify", str(data), "--keys", str(elsewhere)]) == 0
    assert "1 shoe checked under the seal" in capsys.readouterr().out


@on_a_loop
async def test_sec_7_a_house_that_starts_with_other_keys_notes_it_and_plays_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with a_house(data) as served:
        assert "keys-changed" not in [note.kind for note in await served.notes()]
        await served.restart()
        assert "keys-changed" not in [note.kind for note in await served.notes()]
        rings = {purpose: KeyFolder(default_folder(data), ENTROPY).rotate(purpose) for purpose in PURPOSES}
        await served.restart()
        [note] = [note for note in await served.notes() if note.kind == "keys-changed"]
        for ring in rings.values():
            assert f"{ring.purpose} {' '.join(ring.ids)}" in note.after
            assert ring.ids[0] not in note.before
            assert not any(key.hex() in f"{note}" for key in ring.keys)
        await served.restart()
        assert [note.kind for note in await served.notes()].count("keys-changed") == 1


# --- tickets ----------------------------------------------------------------------------------------------------------------


def test_tkt_1_numbers_are_drawn_and_not_derived() -> None:
    numbers = ticket_numbers("drawn")
    assert numbers.draw("k1").number != numbers.draw("k1").number


def test_sec_7_a_ticket_s_key_cannot_be_computed_without_the_key() -> None:
    drawn = ticket_numbers("one").draw("k1")
    other = ticket_numbers("two", KEYS._replace(tickets=Ring("tickets", (bytes(32),))))
    assert drawn.keys[0] != ticket_key(drawn.number)
    assert drawn.keys[0] not in other.shown(drawn.number).keys


def test_sec_7_a_ticket_is_found_and_shown_again_after_a_rotation(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        house = playing.house
        drawn = ticket_numbers("before").draw("k1")
        sold = ticketing.sell(house, drawn, 500, playing.now, key="k1", by="ann")
        rotated = TicketNumbers(KEYS._replace(tickets=Ring("tickets", (bytes(32), *KEYS.tickets.keys))), ENTROPY)
        assert rotated.number_of(sold, "k1") == drawn.number
        assert ticketing.find(house, rotated.shown(drawn.number)) == sold
        assert ticketing.sell(house, rotated.draw("k1"), 500, playing.now, key="k1", by="ann") == sold
        lost = TicketNumbers(KEYS._replace(tickets=Ring("tickets", (bytes(32),))), ENTROPY)
        assert ticketing.find(house, lost.shown(drawn.number)) is None
        with pytest.raises(SealBroken):
            lost.number_of(sold, "k1")


def test_a_ticket_of_an_earlier_version_is_found_and_shown_again() -> None:
    """Its number was derived from the seal's key and the request, and its record filed under a plain hash."""

    secret = sha256(b"podium-tickets-1\n" + KEYS.seal.current).digest()
    counted = iter(range(10))
    number = draw_number(lambda size: new(secret, f"k1\n{next(counted)}\n".encode(), sha256).digest()[:size])
    ticket = Ticket(ticket_key(number), number[-4:], "Hall 1", "t1", 0, 500, 10)
    numbers = ticket_numbers("later")
    assert ticket.key in numbers.shown(number).keys
    assert ticket.key in numbers.draw("k1").keys[1:]
    assert numbers.number_of(ticket, "k1") == number
    assert ticket.transfers == (f"ticket/{ticket.key}/out", f"ticket/{ticket.key}/in")
