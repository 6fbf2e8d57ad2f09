"""`podium swarm`: a load of bots, and what they found."""

import multiprocessing
import signal
import sys
from concurrent.futures import ProcessPoolExecutor

import msgspec

from podium.swarm import Plan, Tally, run
from podium.swarm.report import as_data, as_text

FOUND = 1


def swarm(plan: Plan, *, processes: int, json: bool) -> int:
    """Let the bots play, and report; the code that the command ends with."""
    tally = run(plan) if processes == 1 else _in_processes(plan, processes)
    if json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(as_data(tally))).decode() + "\n")
    else:
        print(as_text(tally))
    return 0 if tally.well else FOUND


def _in_processes(plan: Plan, processes: int) -> Tally:
    """Share the bots among several processes, and add up what they saw."""
    shares = [plan.bots // processes + (number < plan.bots % processes) for number in range(processes)]
    plans = [
        msgspec.structs.replace(plan, bots=share, arrivals=plan.arrivals / processes, first=number * 1_000_000 + 1)
        for number, share in enumerate(shares)
        if share
    ]
    # Ctrl-C reaches every process of the terminal: each finishes its round and hands over what it saw.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ProcessPoolExecutor(len(plans), mp_context=multiprocessing.get_context("spawn")) as pool:
            tallies = list(pool.map(run, plans))
    finally:
        signal.signal(signal.SIGINT, before)
    whole = tallies[0]
    for tally in tallies[1:]:
        whole.add(tally)
    return whole
