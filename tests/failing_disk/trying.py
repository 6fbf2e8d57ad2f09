"""Every accident that can happen to a disk, at every step of a round; nothing acknowledged may be lost silently (INT-1, INT-5)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count, pairwise
from random import Random
from typing import Final

from podium.record.journal import Entry
from podium.record.store import Unavailable
from podium.record.store.sqlite import SqliteBook
from tests.failing_disk.disk import Content, FailingDisk, FailingFiles, Step
from tests.failing_disk.living import BOOK, LOG, LOG_PAGES, Judge, Lost, WrittenDisk, living, play_a_round
from tests.failing_disk.vfs import NAME, VFS

TABLES: Final = (
    "stadium-blackjack-1",
    "dynasty-blackjack-1",
    "match-up-blackjack-1",
    "mega-blackjack-1",
    "stadium-three-card-poker-1",
)


def played(
    content: Content, *tables: str, lies: Callable[[Step], bool] = lambda step: False, log_pages: int = LOG_PAGES
) -> WrittenDisk:
    """A disk on which a house came back and played a round of each of these tables; some syncs on it may lie."""
    disk = WrittenDisk(content)
    disk.fault = lambda number, step: "lie" if step.kind.startswith("sync") and lies(step) else None
    with living(disk, log_pages=log_pages) as house:
        for table in tables:
            play_a_round(house, table)
        done = len(disk.steps)
    del disk.steps[done:]
    return disk


def cut_power(disk: WrittenDisk, judge: Judge, *, times: int, every: int = 1, whole: bool = True) -> Counter[str]:
    """Lets the power fail after each step (or each n-th); what is left is drawn several times. Counts what was
    found."""
    found: Counter[str] = Counter()
    for steps, cut in disk.histories():
        if steps % every == 0:
            acknowledged = disk.acknowledged_after(steps) if whole else disk.noted_after(steps)
            for time in range(times):
                left = cut.left(Random(f"{steps} {time}") if time else None)
                found["found" if judge.judge(left, acknowledged, whole=whole) else "whole"] += 1
    return found


def cut_power_at_the_beginning(times: int) -> int:
    """Lets the power fail at each step of making a new book: there is none, or a whole one, and the next start goes
    on."""
    disk = FailingDisk()
    VFS.insert(disk)
    SqliteBook(BOOK, files=FailingFiles(disk, NAME)).close()
    cuts = 0
    for steps, cut in disk.histories():
        for time in range(times):
            played(cut.left(Random(f"{steps} {time}") if time else None))
            cuts += 1
    return cuts


def cut_power_again_and_again(content: Content, judge: Judge, seed: int, lives: int = 4) -> int:
    """Lives one life after another on the same disk, each ended by a power failure, some of them while the house comes
    back."""
    chance = Random(f"lives {seed}")
    acknowledged: list[Entry] = []
    for _ in range(lives):
        disk = played(content, chance.choice(TABLES))
        until = chance.randrange(len(disk.steps) + 1)
        cut = next(cut for steps, cut in disk.histories() if steps == until)
        content = cut.left(chance)
        acknowledged += disk.acknowledged_after(until)
        judge.judge(content, acknowledged)
    return lives


def refuse(content: Content, table: str, judge: Judge, kind: str) -> Counter[str]:
    """Refuses one step in each run, each step in turn, until a run has none left."""
    seen: Counter[str] = Counter()
    for number in count():
        refused = refuse_one(content, table, judge, kind, lambda at, step, number=number: at == number)  # type: ignore[misc]
        if refused is None:
            return seen
        seen[named(refused)] += 1
    raise AssertionError


def refuse_some(content: Content, table: str, judge: Judge, kind: str, *, every: int) -> Counter[str]:
    """Refuses one step in each run: each n-th one of every kind on every file, beginning with the first."""
    seen: Counter[str] = Counter()
    for name, times in Counter(named(step) for step in played(content, table).steps).items():
        for time in range(0, times, every):
            left = count()

            def is_wanted(_: int, step: Step, name: str = name, time: int = time, left: Iterator[int] = left) -> bool:
                return named(step) == name and next(left) == time

            seen[name] += refuse_one(content, table, judge, kind, is_wanted) is not None
    return +seen


def named(step: Step) -> str:
    return f"{step.kind} {step.name.removeprefix(str(BOOK))}"


def refuse_one(
    content: Content, table: str, judge: Judge, kind: str, wanted: Callable[[int, Step], bool]
) -> Step | None:
    """Refuses the first step that is wanted; returns it, if there was one. What the house says of the append that it could
    not keep is true, and it comes back from the disk afterwards, with or without a power failure."""
    disk, refused, said = _play_refused(content, table, kind, wanted)
    if refused is None:
        return None
    acknowledged = disk.acknowledged_after(len(disk.steps))
    *_, (_, cut) = disk.histories()
    for left in (disk.crash(), cut.left(None), cut.left(Random(f"{kind} {len(disk.steps)}"))):
        judge.judge(left, acknowledged)
        kept = judge.holds(left, disk.asked)
        if said and kept != {"Nothing": False, "This": True}.get(said, kept):
            raise Lost(f"{refused.kind} of {refused.name} was refused; the house said {said!r}, and kept is {kept}.")
    return refused


def _play_refused(
    content: Content, table: str, kind: str, wanted: Callable[[int, Step], bool]
) -> tuple[WrittenDisk, Step | None, str]:
    """Plays with one refused step; returns the disk, the step if there was one, and the first word that the house said of
    what it could not keep: Nothing, It, This, or none if it did not have to say anything."""
    disk, said, done = WrittenDisk(content), "", 0
    refused: list[Step] = []

    def fault(at: int, step: Step) -> str | None:
        if refused or not wanted(at, step):
            return None
        refused.append(step)
        return kind

    disk.fault = fault
    try:
        with living(disk) as house:
            try:
                play_a_round(house, table)
            finally:
                done = len(disk.steps)
    except Unavailable as unavailable:
        said = str(unavailable).rpartition(". ")[2].partition(" ")[0]
    if done:
        del disk.steps[done:]
    return disk, refused[0] if refused else None, said


def flip(content: Content, name: str, bits: Iterable[int], judge: Judge, acknowledged: list[Entry]) -> Counter[str]:
    """Flips one bit of a file on a disk at rest, each of these bits in turn."""
    found: Counter[str] = Counter()
    for bit in bits:
        data = bytearray(content[name])
        data[bit // 8] ^= 1 << bit % 8
        wrong = judge.judge({**content, name: bytes(data)}, acknowledged, whole=False)
        found["found" if wrong else "harmless"] += 1
    return found


def leave_remains(content: Content, table: str, chance: Random) -> Content:
    """A disk on which the power failed while a long commit was being written, so that a part of it lies in the log."""
    disk = played(content, table)
    syncs = [number for number, step in enumerate(disk.steps) if (step.kind, step.name) == ("sync", LOG)]
    lengths = {end: end - begin for begin, end in pairwise(syncs)}
    longest = max(lengths, key=lambda end: lengths[end])
    return next(cut for steps, cut in disk.histories() if steps == longest).left(chance)
