"""`podium swarm`: plays with many bots, and reports what they found."""

import multiprocessing
import signal
import sys
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.swarm import Plan, Tally, run
from podium.client.swarm.report import as_data, as_text

FOUND = 1


def swarm(plan: Plan, *, processes: int, json: bool) -> int:
    """Lets the bots play, and reports; returns the exit code."""
    tally = run(plan) if processes == 1 else _in_processes(plan, processes)
    if json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(as_data(tally))).decode() + "\n")
    else:
        print(as_text(tally))
    return 0 if tally.well else FOUND


def _in_processes(plan: Plan, processes: int) -> Tally:
    """Divides the bots among several processes, and adds up their tallies."""
    context = multiprocessing.get_context("spawn")
    shares = [plan.bots // processes + (number < plan.bots % processes) for number in range(processes)]
    started: list[tuple[SpawnProcess, Connection]] = []

    def pass_on(*_signal: object) -> None:
        for process, _ in started:
            process.terminate()

    # Ctrl-C reaches every process of the terminal; other signals are passed on. Each process hands over its tally.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, pass_on)
    try:
        for number, share in enumerate(shares):
            part = msgspec.structs.replace(
                plan, bots=share, arrivals=plan.arrivals / processes, first=number * 1_000_000 + 1
            )
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_play, args=(part, theirs), name=f"bots {number + 1}")
            process.start()
            theirs.close()
            started.append((process, ours))
        tallies = [_result(process, ours) for process, ours in started]
    finally:
        for process, _ in started:
            process.join()
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


def _play(plan: Plan, whole: Connection) -> None:
    """Runs one process: sends its tally, or why it could not play. Signals are ignored before and after the bots play."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        whole.send(run(plan) if plan.bots else Tally())
    except Refused as refusal:
        whole.send(refusal)
    except BrokenPipeError:
        return  # the caller is gone


def _result(process: SpawnProcess, part: Connection) -> Tally:
    try:
        result: Tally | Refused = part.recv()
    except EOFError:
        process.join()
        if process.exitcode == -signal.SIGTERM:
            return Tally()  # ended before its first bot had come
        raise Refused("bots-failed") from None
    if isinstance(result, Refused):
        raise result
    return result


english("refused", {"bots-failed": "A process of bots has failed; the reason is printed above."})
