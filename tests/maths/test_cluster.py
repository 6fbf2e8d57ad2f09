"""`podium simulate --cluster` on two workers of this machine: the same result as here, and sentences for what cannot be."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import LocalCluster

from podium.basics.refusal import Refused
from podium.cli import run
from podium.maths.cluster import Order, simulate_on
from podium.maths.jobs import ROUNDS_PER_BLOCK, Job
from podium.maths.simulation import simulate
from podium.rules.games import game

TCP = "stadium-three-card-poker"

local_cluster: Any = LocalCluster  # it is not wholly typed


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler and two workers in processes of their own, on loopback."""
    with local_cluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", memory_limit=0
    ) as cluster:
        cluster.wait_for_workers(2, timeout=120)
        yield cluster.scheduler_address


@pytest.mark.parametrize(("strategy", "wagers"), [("mimic-dealer", {}), ("timeout", {"pair-plus": 100})])
def test_the_result_is_that_of_one_machine(address: str, strategy: str, wagers: dict[str, int]) -> None:
    job = Job(game(TCP), 5 * ROUNDS_PER_BLOCK + 77, seed=4, strategy=strategy, wagers=wagers, players=3)
    added: list[int] = []
    there = simulate_on(address, job, progress=added.append)
    assert there.wagers == simulate(job, jobs=1).wagers
    assert there.jobs == 2
    assert sum(added) == job.rounds


def test_the_command_says_the_same(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", TCP, "--rounds", "40000", "--strategy", "timeout", "--json"]
    said = []
    for where in ([], ["--cluster", address]):
        assert run([*command, *where]) == 0
        said.append(json.loads(capfd.readouterr().out)["wagers"])
    assert said[0] == said[1]


def test_an_order_makes_the_same_job() -> None:
    job = Job(game(TCP, {"six_card_bonus": "TCP-6B4"}), 10, seed=3, wagers={"six-card-bonus": 200}, players=2)
    again = Order.of(job).job()
    assert again.game.fingerprint == job.game.fingerprint
    assert (again.rounds, again.seed, again.players, again.wagers) == (10, 3, 2, job.wagers)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--cluster", "nowhere"], "There is no Dask scheduler at 'nowhere'"),
        (["--cluster", ""], "There is no Dask scheduler at ''"),
        (["--cluster", "host:99999"], "There is no Dask scheduler at 'host:99999'"),
        (["--cluster", "tcp://127.0.0.1:9", "--jobs", "2"], "give one of them"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", TCP, "--rounds", "10", *arguments]) == 2
    assert sentence in capfd.readouterr().err


def test_a_scheduler_without_workers_is_refused() -> None:
    with (
        local_cluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster,
        pytest.raises(Refused, match="has no workers"),
    ):
        simulate_on(cluster.scheduler_address, Job(game(TCP), 10, strategy="timeout"))
