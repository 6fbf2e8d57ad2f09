"""RNG-8: the key of the house's seal lies in a file of its own that nobody else can read."""

from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.record.store.keyfile import read_key
from tests.entropy import repeatable


def test_rng_8_a_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    key = read_key(path, repeatable("key"))
    assert len(key) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path, repeatable("another")) == key


def test_rng_8_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    read_key(path, repeatable("key"))
    path.chmod(0o640)
    with pytest.raises(Refused, match=r"mode 640.*mode 600"):
        read_key(path, repeatable("key"))


@pytest.mark.parametrize("text", ["", "abc", "zz" * 32, "ab" * 31])
def test_what_is_no_key_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "house.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(Refused, match="not the key of a house"):
        read_key(path, repeatable("key"))
    assert path.read_text() == text
