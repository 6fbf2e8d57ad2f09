"""Simulation beyond one machine: the blocks of a job on the workers of an existing Dask scheduler.

A block is the unit here too: it has its own stream, and the sums are added in the order of the blocks. So the result is
that of one machine to the last digit, however many workers there are and whichever of them plays a block.
"""

import socket
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.maths.compiled import sources
from podium.maths.jobs import Job, Player, Sums
from podium.maths.simulate import AHEAD, Simulated, added, in_order, measured, player_of
from podium.rules.games import game

PATIENCE: Final = 10
"""Seconds to wait for the scheduler's answer."""

MOST_PIECES: Final = 64
"""Pieces of a task: large enough that handing it out costs little, small enough that the last one is not waited for long."""


class Order(msgspec.Struct, frozen=True):
    """A job as it travels: every worker makes the job itself from the rules that it has."""

    game: str
    options: bytes
    rounds: int
    seed: int
    strategy: str
    players: int
    wagers: tuple[tuple[str, int], ...]
    penetration: float

    @classmethod
    def of(cls, job: Job) -> "Order":
        options = msgspec.json.encode(job.game.changed())
        wagers = tuple(job.wagers.items())
        return cls(job.game.name, options, job.rounds, job.seed, job.strategy, job.players, wagers, job.penetration)

    def job(self) -> Job:
        return Job(
            game(self.game, msgspec.json.decode(self.options)),
            self.rounds,
            seed=self.seed,
            strategy=self.strategy,
            players=self.players,
            wagers=dict(self.wagers),
            penetration=self.penetration,
        )


# --- on a worker --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _player(order: Order) -> Player:
    """Prepared and compiled once on every worker."""
    job = order.job()
    player = player_of(job)
    player.warm_up(job)
    return player


def get_ready(order: Order) -> str:
    """Prepare a worker; gives the state of its sources, by which it plays."""
    _player(order)
    return sources()


def play_pieces(order: Order, pieces: list[range]) -> list[Sums]:
    player = _player(order)
    return [player.play(piece) for piece in pieces]


# --- whoever asks -----------------------------------------------------------------------------------------------------------


def simulate_on(address: str, job: Job, *, progress: Callable[[int], None] | None = None) -> Simulated:
    """Play a job on the workers of the scheduler at an address like tcp://10.0.0.5:8786."""
    with _client(address) as client:
        order = Order.of(job)
        threads = sum(client.nthreads().values())
        if not threads:
            raise Refused("cluster-no-workers", address=address)
        for worker, state in client.run(get_ready, order).items():
            if state != sources():
                raise Refused("cluster-version", worker=worker)
        player = player_of(job)
        tasks = _tasks(player.pieces(job), min(MOST_PIECES, -(-job.blocks // (4 * threads * player.at_once))))
        began = time.perf_counter()
        parts = in_order(lambda task: client.submit(play_pieces, order, task, pure=False), tasks, AHEAD * threads)
        sums = added(job, player.pieces(job), chain.from_iterable(parts), progress)
        seconds = time.perf_counter() - began
    return Simulated(job, threads, seconds, measured(job, sums))


def _tasks(pieces: Iterator[range], size: int) -> Iterator[list[range]]:
    while task := list(islice(pieces, size)):
        yield task


def _check_address(address: str) -> None:
    """Knock before Dask does: a client of its own that finds nobody complains for twenty seconds more."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        host, port = parts.hostname, parts.port
        if not host or not port:
            raise ValueError
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except (OSError, ValueError):
        raise _nobody(address) from None


def _nobody(address: str) -> Refused:
    return Refused("cluster-unknown", address=shortened(address))


def _client(address: str) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415  # an extra, which one machine does not need
    except ImportError:
        raise Refused("cluster-needs-dask") from None
    _check_address(address)
    try:
        connect: Any = Client  # it is not wholly typed
        return connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise _nobody(address) from None


english(
    "refused",
    {
        "cluster-unknown": "There is no Dask scheduler at {address:quoted}: give an address like tcp://10.0.0.5:8786.",
        "cluster-no-workers": "The scheduler at {address} has no workers: start some with `dask worker {address}`.",
        "cluster-version": "The worker {worker} has another version of Podium and might play differently: nothing was played.",
        "cluster-needs-dask": "--cluster needs Dask distributed: install Podium with its extra `cluster`.",
    },
)
