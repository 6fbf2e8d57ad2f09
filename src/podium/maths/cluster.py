"""Simulation beyond one machine: the blocks of a job on the workers of an existing Dask scheduler.

Blocks are the unit here too: each has its own random stream, and the sums are added in the order of the blocks. The result is
therefore the same as on one machine, to the last digit, whatever the number of workers.
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
from podium.maths.jobs import BlockPlayer, Job, Sums
from podium.maths.simulation import PIECES_AHEAD_PER_CORE, Simulated, added, in_order, measured, player_of
from podium.rules.games import game

CONNECT_SECONDS: Final = 10
"""How long to wait for the scheduler to answer."""

MAX_PIECES_PER_TASK: Final = 64
"""Large enough that scheduling a task costs little, small enough that the last one does not take long."""


class Order(msgspec.Struct, frozen=True):
    """A job as it is sent to the workers: each worker makes the job itself, from its own copy of the rules."""

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
def _player(order: Order) -> BlockPlayer:
    """Prepares and compiles a job once on each worker."""
    job = order.job()
    player = player_of(job)
    player.warm_up(job)
    return player


def get_ready(order: Order) -> str:
    """Prepares a worker; returns the version of its sources."""
    _player(order)
    return sources()


def play_pieces(order: Order, pieces: list[range]) -> list[Sums]:
    player = _player(order)
    return [player.play(piece) for piece in pieces]


# --- the client -------------------------------------------------------------------------------------------------------------


def simulate_on(address: str, job: Job, *, progress: Callable[[int], None] | None = None) -> Simulated:
    """Plays a job on the workers of the scheduler at an address like tcp://10.0.0.5:8786."""
    with _client(address) as client:
        order = Order.of(job)
        threads = sum(client.nthreads().values())
        if not threads:
            raise Refused("cluster-no-workers", address=address)
        for worker, state in client.run(get_ready, order).items():
            if state != sources():
                raise Refused("cluster-version", worker=worker)
        player = player_of(job)
        tasks = _tasks(player.pieces(job), min(MAX_PIECES_PER_TASK, -(-job.blocks // (4 * threads * player.at_once))))
        began = time.perf_counter()
        parts = in_order(
            lambda task: client.submit(play_pieces, order, task, pure=False), tasks, PIECES_AHEAD_PER_CORE * threads
        )
        sums = added(job, player.pieces(job), chain.from_iterable(parts), progress)
        seconds = time.perf_counter() - began
    return Simulated(job, threads, seconds, measured(job, sums))


def _tasks(pieces: Iterator[range], size: int) -> Iterator[list[range]]:
    while task := list(islice(pieces, size)):
        yield task


def _check_address(address: str) -> None:
    """Checks that somebody listens there: a Dask client that finds nobody keeps complaining for another twenty seconds."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        host, port = parts.hostname, parts.port
        if not host or not port:
            raise ValueError
        socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except (OSError, ValueError):
        raise _nobody(address) from None


def _nobody(address: str) -> Refused:
    return Refused("cluster-unknown", address=shortened(address))


def _client(address: str) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415  # an extra that one machine does not need
    except ImportError:
        raise Refused("cluster-needs-dask") from None
    _check_address(address)
    try:
        connect: Any = Client  # it is only partly typed
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
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
