"""SEC-7: a PostgreSQL password is never on a command line, nor in a sentence, a log or an answer."""

from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.cli.data import database_of
from podium.record.store import Unavailable, open_book
from podium.record.store.address import has_password, masked

PASSWORD = "s3cret-w0rd"
WITH = [
    f"postgresql://ann:{PASSWORD}@127.0.0.1:1/house",
    f"postgres://ann:{PASSWORD}@127.0.0.1:1/house",
    f"postgresql://127.0.0.1:1/house?user=ann&password={PASSWORD}",
    f"postgresql:///house?host=127.0.0.1&port=1&sslpassword={PASSWORD}",
]
WITHOUT = ["postgresql://ann@127.0.0.1:1/house", "postgresql:///house", "postgresql://ann:@/house?host=/tmp/socket"]


@pytest.mark.parametrize("address", WITH)
@pytest.mark.parametrize("command", ["verify", "backup", "restore", "serve"])
def test_sec_7_a_password_on_a_command_line_is_refused_and_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, command: str
) -> None:
    file = tmp_path / "backup"
    if command == "restore":
        file.write_bytes(b"")
    words = {
        "verify": ["verify", address],
        "backup": ["backup", address, str(file)],
        "restore": ["restore", str(file), address],
        "serve": ["serve", "--data", str(tmp_path / "data"), "--database", address],
    }
    assert run(words[command]) == 2
    said = capsys.readouterr()
    assert "A password on a command line can be read by everybody" in said.err
    assert PASSWORD not in said.err + said.out


@pytest.mark.parametrize("address", WITHOUT)
def test_an_address_without_a_password_is_taken(address: str) -> None:
    assert not has_password(address)
    assert database_of(address, None, {}) == address


def test_sec_7_an_address_with_a_password_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "database"
    file.write_text(f"{WITH[0]}\n")
    file.chmod(0o644)
    with pytest.raises(Refused, match="mode 644"):
        database_of("", file, {})
    file.chmod(0o600)
    assert database_of("", file, {}) == WITH[0]
    assert database_of("", None, {"PODIUM_DATABASE": WITH[1]}) == WITH[1]
    assert database_of("", None, {}) == ""
    with pytest.raises(Refused, match="not both"):
        database_of(WITHOUT[0], file, {})


@pytest.mark.parametrize("address", [*WITH, f"postgresql://ann:{PASSWORD}@127.0.0.1:1/house?no such={PASSWORD}"])
def test_sec_7_a_store_that_does_not_answer_tells_no_password(address: str) -> None:
    with pytest.raises((Unavailable, Refused)) as said:
        open_book(address)
    assert PASSWORD not in str(said.value)


def test_sec_7_a_password_is_masked_as_written_and_as_meant() -> None:
    address = "postgresql://ann:p%40ss@host/house"
    assert masked("p%40ss or p@ss", address) == "*** or ***"
