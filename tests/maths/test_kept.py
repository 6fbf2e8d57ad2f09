"""Kept results: found again, and worked out anew when the file is damaged or cannot be written."""

import os
from pathlib import Path

import pytest

from podium.maths import kept


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "podium"


def work(result: list[int], calls: list[int]) -> list[int]:
    calls.append(1)
    return result


def test_a_result_is_worked_out_once_for_the_same_rules(cache: Path) -> None:
    calls: list[int] = []
    for _ in range(3):
        assert kept.kept("thing", b"rules", list[int], lambda: work([1, 2], calls)) == [1, 2]
    assert len(calls) == 1
    assert kept.kept("thing", b"other rules", list[int], lambda: work([3], calls)) == [3]
    assert len(calls) == 2
    assert len(list(cache.iterdir())) == 2


def test_only_the_results_that_were_used_last_stay_on_the_disk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.maths.limits.MAX_KEPT_RESULTS", 3)
    for number in range(3):
        kept.keep("thing", bytes([number]), [number])
        os.utime(kept._path("thing", bytes([number])), (number, number))
    kept.keep("other", b"", [9])
    assert kept.find("thing", bytes([0]), list[int]) == [0]
    kept.keep("thing", bytes([3]), [3])
    left = [number for number in range(4) if kept._path("thing", bytes([number])).exists()]
    assert left == [0, 2, 3]
    assert kept.find("other", b"", list[int]) == [9]


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"no digest", b"half"])
def test_a_damaged_file_is_replaced(cache: Path, damage: bytes) -> None:
    calls: list[int] = []
    kept.kept("thing", b"rules", list[int], lambda: work([1, 2], calls))
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-2] if damage == b"half" else damage)
    assert kept.kept("thing", b"rules", list[int], lambda: work([1, 2], calls)) == [1, 2]
    assert path.read_bytes() == whole
    assert len(calls) == 2


def test_a_digit_that_was_changed_is_noticed(cache: Path) -> None:
    kept.kept("thing", b"rules", list[int], lambda: [1, 2])
    (path,) = cache.iterdir()
    path.write_bytes(path.read_bytes().replace(b"[1,2]", b"[1,3]"))
    assert kept.kept("thing", b"rules", list[int], lambda: [1, 2]) == [1, 2]


def test_a_directory_that_cannot_be_made_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert kept.kept("thing", b"rules", list[int], lambda: [1]) == [1]


def test_a_relative_directory_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert kept.directory() == Path.home() / ".cache" / "podium"
