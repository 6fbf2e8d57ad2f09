"""EVT-5: `podium witness` with a real house on the network, by mail, and when something goes wrong on its side."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import socket

import pytest

from podium.basics.refusal import Refused
from podium.client.witness import Inconsistent, Unreachable, WitnessFolder, fetching
from podium.record.journal import Entry
from podium.record.store import open_book
from podium.record.tlog import Checkpoint, NoteSigner, Submission, read_notes
from podium.record.tlog.note import COSIGNATURE
from tests.entropy import repeatable
from tests.forging import rewrite
from tests.server.served import CONFIG, Served
from tests.terminal import on_a_loop
from tests.test_tlog import entries, mth, proof
from tests.test_witness import SECRET, Podium, WatchedHouse, another_reason, podium, without_last_sign_in

__all__ = ["podium"]

OTHER = str(NoteSigner("other", bytes(32), COSIGNATURE).verifier)
PODIUM = [sys.executable, "-m", "podium"]


def free_port() -> int:
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def started(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """A command in a process of its own, stopped with Ctrl-C when it is left."""
    command = [*PODIUM, *map(str, arguments)]
    # Tests that run in the background of a shell ignore Ctrl-C, and so would every process that they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        signal.signal(signal.SIGINT, before)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=20)


async def ran(*arguments: str | Path) -> tuple[int, str, str]:
    """A command in a process of its own, while the house goes on in this one."""
    command = [*PODIUM, *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


# --- over the network ---------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_witness_watches_a_house_that_is_open_and_verify_asks_it(tmp_path: Path) -> None:
    data, witness = tmp_path / "data", tmp_path / "w"
    served = Served(data, CONFIG)
    await served.open()
    assert served.opened is not None
    house = f"http://127.0.0.1:{served.opened.port}"
    code, key, _ = await ran("witness", "key", data)
    assert (code, key.strip()) == (0, str(await served.opened.signing.key()))
    assert (await ran("witness", "init", witness, "--house", house, "--key", key.strip(), "--name", "w.example"))[
        0
    ] == 0
    await served.opened.signing.sign()
    assert await ran("witness", "fetch", witness) == (0, "2 checkpoints fetched.\n", "")
    said = "2 checkpoints are consistent with what was cosigned before; 2 are new.\n"
    assert await ran("witness", "check", witness) == (0, said, "")
    code, out, _ = await ran("witness", "cosign", witness)
    assert (code, len(list(read_notes(out)))) == (0, 2)
    await (await served.browser()).done("/api/guest")
    await served.opened.signing.sign()
    assert (await ran("witness", "fetch", witness))[0] == 0
    code, out, _ = await ran("witness", "cosign", witness)
    assert [Checkpoint.parse(note.text).origin.rpartition("/")[2] for note in read_notes(out)] == ["house"]
    port = free_port()
    with started("witness", "serve", witness, "--port", str(port)):
        url = f"http://127.0.0.1:{port}"
        await asyncio.to_thread(until_answered, f"{url}/checkpoints")
        code, out, err = await ran("verify", data, "--witness", url)
        assert (code, err) == (0, "")
        assert "Its signatures were not checked" in out
        key = (await asyncio.to_thread(fetching.get, f"{url}/key")).strip()
        code, out, _ = await ran("verify", data, "--witness", url, "--witness-key", key)
        assert (code, "Its signatures" in out) == (0, False)
        await served.leave()
        secret = bytes.fromhex((data.with_name(f"{data.name}.keys") / "signature.key").read_text(encoding="ascii"))
        rewrite(str(data / "podium.db"), "house", later_guest, secret)
        assert (await ran("verify", data))[0] == 0
        code, _, err = await ran("verify", data, "--witness", url, "--witness-key", key)
        assert code == 1
        assert err.startswith("house was rewritten: it agrees up to entry ")
        assert "(seen by w.example at " in err


def later_guest(entry: Entry) -> Entry:
    return entry._replace(time=entry.time + 1) if entry.kind == "player-admitted" else entry


def until_answered(url: str) -> None:
    while True:
        try:
            fetching.get(url)
            return
        except Unreachable:
            time.sleep(0.05)


def test_run_goes_on_while_the_house_is_away_and_ends_when_it_was_rewritten(tmp_path: Path) -> None:
    watched = a_day(tmp_path)
    port = free_port()
    away = f"http://127.0.0.1:{port}"
    with started("witness", "run", watched.witness.path, away, "--every", "0.1") as running:
        assert running.stderr is not None
        for _ in range(2):
            assert f"{away}/api/checkpoints does not answer" in running.stderr.readline()
    assert running.returncode == 130
    new = WitnessFolder.make(tmp_path / "new", repeatable("new"), key=watched.witness.config.keys[0])
    with started("witness", "run", new.path, watched.where, "--every", "0.1") as running:
        assert running.stdout is not None
        assert "cosigned 6; " in running.stdout.readline()
        rewrite(watched.place, "house", without_last_sign_in, SECRET)
        assert running.wait(timeout=20) == 1
        assert running.stderr is not None
        with closing(open_book(watched.place, writable=False)) as book:
            left = book.heads()["house"].sequence
        assert f"/house at entry {left} was cut or rolled back, or this is an older checkpoint" in running.stderr.read()


def a_day(tmp_path: Path) -> WatchedHouse:
    (tmp_path / "data").mkdir()
    watched = WatchedHouse(str(tmp_path / "data"), str(tmp_path / "data" / "podium.db"), tmp_path / "witness")
    watched.day()
    return watched


# --- by mail ------------------------------------------------------------------------------------------------------------------


def test_checkpoints_are_mailed_cosigned_and_mailed_back(tmp_path: Path, podium: Podium) -> None:
    """The house and the witness have no network between them; each file is text that can be printed."""
    watched = a_day(tmp_path)
    mailed, back, other = tmp_path / "mailed.txt", tmp_path / "back.txt", tmp_path / "other"
    assert podium("witness", "init", other, "--key", watched.witness.config.keys[0])[0] == 0
    code, text, _ = podium("witness", "show", watched.where)
    assert code == 0
    assert all(len(line) < 120 for line in text.splitlines())
    mailed.write_text(text.replace("\n", "\r\n"), encoding="utf-8")
    code, text, _ = podium("witness", "cosign", other, mailed)
    assert (code, len(list(read_notes(text)))) == (0, 6)
    back.write_text(text, encoding="utf-8")
    playing = watched.reopened()
    playing.play("dynasty-blackjack-1", 1)
    watched.signs(playing)
    code, text, _ = podium("witness", "show", watched.where)
    mailed.write_text(text, encoding="utf-8")
    code, _, err = podium("witness", "cosign", other, mailed)
    assert code == 2
    assert "The proof of " in err
    assert podium("witness", "check", other, back)[0] == 0
    code, text, _ = podium("witness", "show", watched.where, "--since", back)
    mailed.write_text(text, encoding="utf-8")
    code, text, _ = podium("witness", "cosign", other, mailed)
    assert (code, len(list(read_notes(text)))) == (0, 2)
    code, shown, _ = podium("witness", "show", other)
    back.write_text(shown, encoding="utf-8")
    key = podium("witness", "key", other)[1].strip()
    code, _, err = podium("verify", watched.where, "--witness", back, "--witness-key", key)
    assert (code, err) == (0, "")
    rewrite(watched.place, "house", another_reason, SECRET)
    code, _, err = podium("verify", watched.where, "--witness", back, "--witness-key", key)
    assert (code, err.startswith("house was rewritten: it does not at entry ")) == (1, True)


def test_a_checkpoint_that_was_mistyped_is_refused_and_accuses_nobody(tmp_path: Path, podium: Podium) -> None:
    watched = a_day(tmp_path)
    typed = tmp_path / "typed.txt"
    text = podium("witness", "show", watched.where)[1]
    size = text.splitlines()[1]
    typed.write_text(text.replace(f"\n{size}\n", f"\n{int(size) - 1}\n", 1), encoding="utf-8")
    code, _, err = podium("verify", watched.where, "--witness", typed)
    assert (code, "does not hold sound checkpoints: The signature of podium/" in err) == (2, True)


@pytest.mark.parametrize("content", ["", "hello", "a\n1\nAAAA\n", "\xff"])
def test_a_file_that_holds_no_checkpoint_is_refused(tmp_path: Path, podium: Podium, content: str) -> None:
    watched = a_day(tmp_path)
    file = tmp_path / "file.txt"
    file.write_text(content, encoding="latin-1")
    for command in (("verify", watched.where, "--witness", file), ("witness", "cosign", watched.witness.path, file)):
        code, out, err = podium(*command)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_what_a_witness_is_not_told_is_asked_for_in_one_sentence(tmp_path: Path, podium: Podium) -> None:
    watched = a_day(tmp_path)
    key = watched.witness.config.keys[0]
    for code, command, said in [
        (2, ("witness", "check", tmp_path), "There is no witness in "),
        (2, ("witness", "init", watched.witness.path, "--key", key), "There is already a witness in "),
        (2, ("witness", "init", tmp_path / "x", "--key", key[:-4]), "This is not the key of a house: "),
        (2, ("witness", "init", tmp_path / "x", "--key", str(watched.witness.key)), "This is not the key of a house: "),
        (2, ("witness", "init", tmp_path / "x", "--key", key, "--name", "a b"), "This cannot be the name of a witness: "),
        (2, ("witness", "fetch", watched.witness.path), "Where is the house?"),
        (2, ("witness", "fetch", watched.witness.path, tmp_path / "nowhere"), "There is no file "),
        (2, ("witness", "check", watched.witness.path), "Nothing was fetched into "),
        (2, ("witness", "key", watched.where), "No key that signs the record of "),
        (2, ("verify", watched.where, "--witness", watched.witness.path, "--witness-key", "x"), "This is not the key of a witness"),
        (2, ("verify", watched.where, "--witness", watched.witness.path, "--witness-key", OTHER), "holds no checkpoint that this witness cosigned"),
        (2, ("verify", watched.where, "--witness", watched.witness.path, "--witness-key", key), "It is the key of a house."),
        (2, ("verify", watched.where, "--witness", tmp_path / "nowhere"), "There is no file "),
        (1, ("verify", watched.where, "--witness", f"http://127.0.0.1:{free_port()}"), "does not answer"),
        (1, ("witness", "fetch", watched.witness.path, f"http://127.0.0.1:{free_port()}"), "does not answer"),
    ]:  # fmt: skip
        assert podium(*command)[0] == code, command
        found, out, err = podium(*command)
        assert (found, out, said in err) == (code, "", True), (command, err)


# --- what a witness checks --------------------------------------------------------------------------------------------------

HOUSE = NoteSigner("podium/ab", bytes(range(32)))


def submission(
    size: int, old: int = 0, *, mark: bytes = b"", stream: str = "house", by: NoteSigner = HOUSE
) -> Submission:
    leaves = entries(size, mark)
    note = by.sign(Checkpoint(f"podium/ab/{stream}", size, mth(leaves)).text())
    return Submission(note, old, tuple(proof(old, leaves)) if 0 < old < size else ())


@pytest.fixture
def witness(tmp_path: Path) -> WitnessFolder:
    return WitnessFolder.make(tmp_path / "w", repeatable("w"), key=str(HOUSE.verifier))


def test_a_log_that_grew_is_cosigned_and_one_that_did_not_is_not_again(witness: WitnessFolder) -> None:
    assert len(witness.cosign([submission(3)], 100)) == 1
    assert witness.cosign([submission(3)], 101) == []
    assert len(witness.cosign([submission(7, 3)], 102)) == 1
    assert len(witness.cosign([submission(7), submission(1, stream="table/t1")], 103)) == 1
    assert witness.sizes() == {"podium/ab/house": 7, "podium/ab/table/t1": 1}


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ([submission(3, mark=b"x")], "podium/ab/house at entry 3 was rewritten: 3 entries were cosigned at 1970-01-01 00:01:40 UTC"),
        ([submission(7, 3, mark=b"x")], "podium/ab/house at entry 7 does not begin with what it was, so it was rewritten"),
        ([submission(7, 3)._replace(proof=())], "does not begin with what it was"),
        ([submission(2)], "podium/ab/house at entry 2 was cut or rolled back"),
        ([], "podium/ab/house is not shown any more; 3 entries were cosigned"),
        ([submission(7, 3), submission(8, 3)], "podium/ab/house is shown twice"),
        ([submission(7, 3, by=NoteSigner("podium/ab", bytes(32)))], "is not signed by the house"),
        ([submission(7, 3, by=NoteSigner("podium/a", bytes(range(32))))], "is not signed by the house"),
        ([submission(7, 3)._replace(note=submission(8).note._replace(signatures=submission(7).note.signatures))], "is not sound"),
    ],
)  # fmt: skip
def test_evt_5_what_is_not_the_same_log_grown_is_never_cosigned(
    witness: WitnessFolder, shown: list[Submission], said: str
) -> None:
    witness.cosign([submission(3)], 100)
    before = {file.name: file.read_bytes() for file in witness.path.iterdir()}
    with pytest.raises(Inconsistent, match=said):
        witness.cosign(shown, 200)
    assert before == {file.name: file.read_bytes() for file in witness.path.iterdir()}


def test_a_proof_from_another_size_is_asked_for_again(witness: WitnessFolder) -> None:
    witness.cosign([submission(3)], 100)
    with pytest.raises(Refused, match="The proof of podium/ab/house starts at entry 2, not at the 3 entries"):
        witness.cosign([submission(7, 2)], 200)


def test_a_house_that_changes_its_key_is_trusted_when_the_witness_is_told(witness: WitnessFolder) -> None:
    new = NoteSigner("podium/ab", bytes(32))
    witness.cosign([submission(3)], 100)
    witness.trust(str(new.verifier))
    again = WitnessFolder(witness.path, repeatable("w"))
    assert len(again.cosign([submission(7, 3, by=new)], 200)) == 1


def test_a_power_cut_leaves_a_witness_that_goes_on(witness: WitnessFolder) -> None:
    """The history is written before the state; whatever of it was torn off is passed over."""
    witness.cosign([submission(3)], 100)
    state = (witness.path / "latest.txt").read_bytes()
    witness.cosign([submission(7, 3)], 101)
    [history] = witness.history()
    whole = history.read_bytes()
    first = len(state)
    for kept in range(first, len(whole)):
        history.write_bytes(whole[:kept])
        (witness.path / "latest.txt").write_bytes(state)
        assert len(witness.cosign([submission(9, 3)], 102)) == 1
        sound = list(read_notes(history.read_text(encoding="utf-8", errors="replace"), torn=True))
        sizes = [Checkpoint.parse(note.text).size for note in sound]
        assert (sizes[0], sizes[-1]) == (3, 9)


def test_a_state_that_was_altered_is_refused(witness: WitnessFolder) -> None:
    witness.cosign([submission(3)], 100)
    file = witness.path / "latest.txt"
    file.write_text(file.read_text(encoding="utf-8").replace("\n3\n", "\n2\n"), encoding="utf-8")
    with pytest.raises(Refused, match=r"latest.txt is damaged: The signature of podium-witness/"):
        witness.latest()


def test_the_key_of_a_witness_is_its_own_and_nobody_else_reads_it(witness: WitnessFolder) -> None:
    assert (witness.path / "witness.key").stat().st_mode & 0o077 == 0
    assert str(WitnessFolder(witness.path, repeatable("other")).key) == str(witness.key)
