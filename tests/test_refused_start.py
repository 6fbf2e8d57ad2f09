"""What a machine refuses to a house, each in one sentence with what to do: a port, a folder, open files, a terminal that is closed."""

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from podium.cli import files, run
from podium.cli.serving import why_not
from podium.house.events import Noted
from podium.record.store import BOOK
from podium.server.serve import Address, allow_files
from podium.server.slips import SLIPS, leave
from tests.houses import playing_house

HERE = Address("127.0.0.1", 80)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            OSError(errno.EADDRINUSE, "in use"),
            "another program listens at 127.0.0.1:80. End it, or give another --port.",
        ),
        (PermissionError(errno.EACCES, "no"), "only root may listen at port 80. Give a --port from 1024 on, or "),
        (OSError(errno.EADDRNOTAVAIL, "no"), "127.0.0.1 is not an address of this machine. Give another --host; "),
        (socket.gaierror(-2, "Name or service not known"), "127.0.0.1 is not an address of this machine."),
        (
            NotADirectoryError(errno.ENOTDIR, "Not a directory", "/etc/passwd/data"),
            "/etc/passwd/data: not a directory.",
        ),
    ],
)
def test_what_the_system_refuses_is_told_with_what_to_do(error: OSError, says: str) -> None:
    assert why_not(error, HERE).startswith(says)


def test_a_house_does_not_begin_where_its_port_is_taken(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run(["serve", "--data", str(tmp_path / "data"), "--port", str(port)]) == 1
    said = capfd.readouterr().err.splitlines()[-1]
    assert said == (
        f"The house cannot open: another program listens at 127.0.0.1:{port}. End it, or give another --port."
    )


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user who owns nothing here."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "geteuid", lambda: 54_321)


@pytest.mark.usefixtures("forbidden")
@pytest.mark.parametrize(
    "words",
    [
        ["verify", "{}"],
        ["backup", "{}", "{}.backup"],
        ["report", "table-win", "--data", "{}"],
        ["people", "list", "--data", "{}"],
    ],
)
def test_a_house_of_another_user_is_not_read_and_whose_it_is_is_said(
    words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with playing_house(tmp_path / BOOK) as playing:
        playing.seat_bots("dynasty-blackjack-1")
    assert run([word.format(tmp_path) for word in words]) == 2
    owner = files.user_name(tmp_path.stat().st_uid)
    assert f" belongs to {owner}, and this is 54321: run this as {owner}, or give it" in capfd.readouterr().err


def test_a_slip_of_root_belongs_to_the_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sudo podium backup` leaves nothing that the house's own user cannot take away."""
    given: list[str] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, user, group: given.append(Path(path).suffix))
    leave(tmp_path, Noted("backup-made", "podium backup"), 1)
    assert given == ["", ".new"]
    assert len(list((tmp_path / SLIPS).glob("*.json"))) == 1


def started(data: Path, *before: str) -> subprocess.Popen[str]:
    words = [*before, sys.executable, "-m", "podium", "serve", "--port", "0", "--data", str(data)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_too_few_open_files_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    house = started(tmp_path / "data", "sh", "-c", 'ulimit -n 64; exec "$@"', "sh")
    _, complained = house.communicate(timeout=60)
    assert (house.returncode, (tmp_path / "data").exists()) == (2, False)
    assert complained.startswith("The system allows 64 open files, and a house needs 300 to begin, 23200 at its limits")
    assert "Traceback" not in complained


def test_a_terminal_that_is_closed_ends_the_house_as_it_is_told_to_end(tmp_path: Path) -> None:
    """SIGHUP: the journal has `house-stopped`."""
    house = started(tmp_path / "data", "env", "--default-signal=HUP")  # the tests may have been started with nohup
    assert house.stdout is not None
    while "Ctrl-C" not in house.stdout.readline():
        pass
    house.send_signal(signal.SIGHUP)
    try:
        house.communicate(timeout=60)
    finally:
        house.kill()
    assert house.returncode == 0
    assert b"house-stopped" in b"".join(each.read_bytes() for each in (tmp_path / "data").glob(f"{BOOK}*"))


def test_files_are_asked_for_and_no_more_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda _, most: asked.append(most))
    allow_files()
    assert asked == [(1024, 1024)]
