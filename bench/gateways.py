"""A round through gateways: what a seat costs the house when others hold its sockets, and what it costs them.

The same house and the same terminals as in `bench.sockets`, first connected with the house itself, then through gateways in
processes of their own and a NATS server, in one run.

    python -m bench.gateways [--seats 1000] [--gateways 2] [--tables 1] [--rounds 2] [--think 3] [--alone]

`--alone` leaves the house without gateways out, for more terminals than one process may have open files.
"""

import argparse
import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import uvloop
from tests.nats import NatsServer

from bench._plain_c import compiled_program
from bench.sockets import Terminals, process, run_house, used_seconds
from podium.server.bus.gateway_end import GatewayEnd
from podium.server.bus.nats import BusAddress, join


class Through(NamedTuple):
    """What a round cost the processes, in seconds of the processor, and what the terminals saw."""

    house: float
    gateways: float
    bus: float
    saw: list[dict[str, Any]]

    @property
    def bets(self) -> int:
        return sum(saw["bets"] for saw in self.saw)

    def slowest(self, what: str) -> list[float]:
        """Median, 99th percentile and longest wait, each of the gateway where it is worst."""
        return [max(times) for times in zip(*(saw[what] for saw in self.saw), strict=True)]

    def __str__(self) -> str:
        each = 1e3 / self.bets
        waits = "; ".join(
            f"{what} {', '.join(f'{ms:.0f}' for ms in self.slowest(f'{what}_ms'))} ms" for what in ("bet", "decision")
        )
        return (
            f"house {self.house * each:.3f} ms a seat and round, gateways {self.gateways * each:.3f}, NATS {self.bus * each:.3f};"
            f" to acknowledgement (p50, p99, longest): {waits}; deadlines late by {max(s['late_ms'] for s in self.saw):.0f} ms"
        )


def run_gateway(bus: BusAddress, pipe: Pipe) -> None:
    """A process with a gateway."""

    async def gateway() -> None:
        end = GatewayEnd(await join(bus), bus.name, "http://gateway", None)
        await end.listen("127.0.0.1", 0)
        running = asyncio.create_task(end.run())
        while end.up is None:
            await asyncio.sleep(0.05)
        pipe.send(end.port)
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        running.cancel()
        await end.close()

    uvloop.run(gateway())


@contextmanager
def hall(
    program: Path, data: Path, options: argparse.Namespace, gateways: int
) -> Iterator[tuple[int, list[int], int, list[Terminals]]]:
    """A house with its terminals: its process, those of the gateways and of NATS, and the programs with the terminals."""
    tokens = data.with_suffix(".tokens")
    with ExitStack() as running:
        nats = NatsServer(data.parent)
        bus = BusAddress(nats.url) if gateways else None
        if gateways:
            nats.start()
            running.callback(nats.kill)
        house, port = running.enter_context(process(run_house, data, options.seats, options.tables, tokens, bus))
        doors = [(0, port)]
        if bus is not None:
            doors = [running.enter_context(process(run_gateway, bus)) for _ in range(gateways)]
        listed, share = tokens.read_text().splitlines(), options.seats // len(doors)
        programs = []
        for number, (_, door) in enumerate(doors):
            own = data.with_suffix(f".tokens-{number}")
            own.write_text("".join(f"{token}\n" for token in listed[number * share : (number + 1) * share]))
            programs.append(Terminals(program, door, share, options.tables, options.think, own))
        for order in ("connect", "watch", f"join {share}"):
            for each in programs:
                each.do(order)
            programs[0].do("quiet 300")
        yield house, [pid for pid, _ in doors if pid], nats.pid, programs
        for each in programs:
            each.end()


def played(program: Path, data: Path, options: argparse.Namespace, gateways: int) -> Through:
    with hall(program, data, options, gateways) as (house, others, bus, programs):
        for each in programs:
            each.order(f"play {options.rounds}")
        for each in programs:
            if each.hears() != "begun":
                raise SystemExit("The terminals have not begun to play.")

        def spent() -> tuple[float, float, float]:
            return used_seconds(house), sum(map(used_seconds, others)), used_seconds(bus) if bus else 0.0

        before = spent()
        saw = [each.told() for each in programs]
        house_spent, gateways_spent, bus_spent = (after - at for after, at in zip(spent(), before, strict=True))
    return Through(house_spent, gateways_spent, bus_spent, saw)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gateways")
    parser.add_argument("--seats", type=int, default=1_000)
    parser.add_argument("--gateways", type=int, default=2)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--think", type=float, default=3)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args(arguments or [])
    where = os.environ.get("PODIUM_BENCH_DIR")
    with TemporaryDirectory(prefix="podium-bench-", dir=where) as directory:
        program = compiled_program("sockets.c", Path(directory) / "sockets")
        print(f"{options.seats:,} seats at {options.tables} table{'s' * (options.tables > 1)}, {options.rounds} rounds")
        own = None
        if not options.alone:
            own = played(program, Path(directory) / "alone", options, 0)
            print(f"  its own sockets: {own}")
        through = played(program, Path(directory) / "through", options, options.gateways)
        print(f"  {options.gateways} gateways: {through}")
        if own is not None:
            ratio = through.house / through.bets / (own.house / own.bets)
            print(f"  the house takes {ratio:.2f} times the processor time of one that holds its own sockets")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
