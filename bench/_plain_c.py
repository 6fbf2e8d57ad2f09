"""The simulation against plain scalar C loops of the same work: what both benchmarks of it share."""

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from podium.maths.jobs import BlockPlayer, Job
from podium.maths.simulation import player_of, simulate

TURNS = 5
LONG = 2.0
"""Seconds for which one core plays when it is compared with two: starting threads must not count."""


def compiled_c(source: str) -> Any:
    """The function `play` of a C file, by the compiler that is at hand."""
    with tempfile.TemporaryDirectory() as into:
        library = compiled_program(source, Path(into) / "plain.so", "-O3", "-shared", "-fPIC")
        play = ctypes.CDLL(str(library)).play
    play.restype = ctypes.c_int64
    return play


def compiled_program(source: str, into: Path, *options: str) -> Path:
    """A C file of this directory, compiled as a program or as the options say."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("This benchmark needs a C compiler (gcc or cc).")
    written = Path(__file__).with_name(source)
    subprocess.run([compiler, *(options or ("-O2",)), "-o", into, written], check=True)
    return into


def seconds(player: BlockPlayer, job: Job) -> float:
    """Processor seconds of one core, whatever else the machine does."""
    began = time.thread_time()
    for piece in player.pieces(job):
        player.play(piece)
    return time.thread_time() - began


def compare(job: Job, reference: Callable[[int], tuple[float, float]]) -> None:
    """Compares with a C loop that says how long these rounds took and what they added up to; then two cores with
    one."""
    player = player_of(job)
    player.warm_up(job)
    reference(1000)
    turns = [(reference(job.rounds)[0], seconds(player, job)) for _ in range(TURNS)]
    plain, own = median(c for c, _ in turns), median(own for _, own in turns)
    print(
        f"{job.game.name}, plain C: {job.rounds / plain / 1e6:.1f} million rounds a second, edge {-reference(job.rounds)[1]:.4f}"
    )
    print(f"{job.game.name}, podium: {job.rounds / own / 1e6:.1f} million rounds a second of one core")
    print(f"podium to plain C, one core: {median(c / own for c, own in turns):.2f} (at least 1.0)")
    two_cores(Job(job.game, int(job.rounds * LONG / own)))


def two_cores(job: Job) -> None:
    """Compares two cores with one. Where other processes want the cores, the clock says little, but the processor time
    of a round still counts."""
    turns = [(both(job, 1), both(job, 2)) for _ in range(TURNS)]
    clock = [one[0] / two[0] for one, two in turns]
    worked = median(two[1] / one[1] for one, two in turns)
    busy = f"; {os.getloadavg()[0]:.1f} processes wanted a core meanwhile" if hasattr(os, "getloadavg") else ""
    print(f"two cores to one: {median(clock):.2f}, at best {max(clock):.2f} (at least 1.8 on two idle cores{busy})")
    print(f"processor time of a round, on two cores to on one: {worked:.2f} (1.0 where they do not hinder each other)")


def both(job: Job, jobs: int) -> tuple[float, float]:
    """Seconds by the clock, and processor seconds of all cores."""
    began = time.process_time()
    simulated = simulate(job, jobs=jobs)
    return simulated.seconds, time.process_time() - began
