"""RNG-11: `podium rng collect` writes what a laboratory asks for, from the path that deals in production."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from podium.basics.cards import DECK
from podium.cli import collecting
from podium.record.generator import START_BYTES
from tests.entropy import repeatable

COLLECT = [sys.executable, "-m", "podium", "rng", "collect"]


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COLLECT, *map(str, arguments)], capture_output=True, text=True, check=False)


def test_rng_11_raw_output_and_shoes_are_collected(tmp_path: Path) -> None:
    where = tmp_path / "collected"
    done = run(where, "--mib", 1, "--shoes", 20, "--decks", 1, "--decks", 6, "--cutters", 2)
    assert (done.returncode, done.stderr) == (0, "")
    about = json.loads((where / "collected.json").read_text())
    assert (about["complete"], about["cutters"], about["cards"].split()) == (True, 2, [each.code for each in DECK])
    assert set(about["files"]) == {"raw.bin", "shoes-1-decks.csv", "shoes-6-decks.csv"}
    for name, said in about["files"].items():
        content = (where / name).read_bytes()
        assert (said["bytes"], said["sha256"]) == (len(content), sha256(content).hexdigest())
        assert f"{name}: {len(content):,} bytes, SHA-256 {said['sha256']}" in done.stdout
    assert (where / "raw.bin").stat().st_size == 1 << 20
    for decks in (1, 6):
        lines = (where / f"shoes-{decks}-decks.csv").read_text().splitlines()
        assert len(set(lines)) == 20
        for line in lines:
            assert Counter(map(int, line.split(","))) == dict.fromkeys(range(52), decks)


def test_rng_11_what_is_collected_is_what_the_system_s_generator_gave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", repeatable("collected"))
    collecting.collect(tmp_path / "it", mib=1, shoes=0, decks=(1,), cutters=0)
    again = repeatable("collected")
    again(START_BYTES)
    assert (tmp_path / "it" / "raw.bin").read_bytes() == b"".join(again(1024) for _ in range(1024))


def test_a_directory_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    done = run(tmp_path)
    assert (done.returncode, done.stderr) == (2, f"{tmp_path} is not an empty directory: name a new one.\n")
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]


def test_stopped_with_ctrl_c_it_keeps_whole_shoes(tmp_path: Path) -> None:
    where = tmp_path / "collected"
    running = subprocess.Popen(
        [*COLLECT, str(where), "--mib", "0", "--shoes", "10000000", "--decks", "8"],
        stdout=subprocess.DEVNULL,
        # A shell that starts the tests in the background has them ignore Ctrl-C, and they would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # this process has one thread here
    )
    shoes = where / "shoes-8-decks.csv"
    while not (shoes.exists() and shoes.stat().st_size):
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=60) == 1
    assert json.loads((where / "collected.json").read_text())["complete"] is False
    assert all(len(line.split(",")) == 416 for line in shoes.read_text().splitlines())
