"""`podium witness`: a second pair of eyes on the record of a house (EVT-5)."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.data import complain, opened
from podium.client.witness import (
    Inconsistent,
    Unreachable,
    WitnessFolder,
    fetch_from_house,
    is_witness,
    read_text,
)
from podium.client.witness.fetching import is_url
from podium.house.checkpoints import house_name, submissions
from podium.house.checkpoints import verifier_key as key_of_house
from podium.record.store import BOOK, Damaged, Reading, Unavailable
from podium.record.store.address import is_address
from podium.record.store.keys import find_ring, source_of
from podium.record.tlog import Checkpoint, Malformed, Submission, parse_note, read_submissions, write_notes
from podium.record.tlog.checkpoint import write_submissions

DONE = 0


def init(directory: Path, key: str, house: str, name: str) -> int:
    """Makes the folder of a new witness, and prints its key."""
    print(WitnessFolder.make(directory, os.urandom, key=key, house=house, name=name).key)
    return DONE


def trust(directory: Path, key: str) -> int:
    """Takes another key of the house."""
    _folder(directory).trust(key)
    return DONE


def show_key(where: str, keys: str = "") -> int:
    """Prints the verifier key of a witness, or of the house in a directory."""
    if not is_address(where) and is_witness(Path(where)):
        print(_folder(Path(where)).key)
        return DONE
    ring = find_ring(source_of(keys, None if is_address(where) else Path(where), os.urandom), "signature")
    if ring is None:
        raise Refused("signing-key-missing", directory=where)
    with opened(where) as book:
        print(key_of_house(book, ring.current))
    return DONE


def show(where: str, since: Path | None) -> int:
    """Prints checkpoints: those that a witness cosigned, or those that a house signed."""
    if not is_address(where) and is_witness(Path(where)):
        sys.stdout.write(write_notes(_folder(Path(where)).latest().values()))
        return DONE
    known = {}
    if since is not None:
        with _sound(str(since)):
            checkpoints = [Checkpoint.parse(each.note.text) for each in read_submissions(read_text(since))]
        known = {each.origin: each.size for each in checkpoints}
    try:
        with opened(where) as book, book.at_one_moment() as still:
            if since is None:
                sys.stdout.write(write_notes(parse_note(each.note) for each in still.checkpoints()))
            else:
                sys.stdout.write(write_submissions(_of_book(still, known)))
    except (Damaged, Unavailable) as fault:
        return complain(str(fault))
    return DONE


def fetch(directory: Path, source: str) -> int:
    """Fetches what a house shows now, without checking it."""
    folder = _folder(directory)
    try:
        text = _fetched(folder, source)
    except (Unreachable, Damaged, Unavailable) as fault:
        return complain(str(fault))
    folder.put_fetched(text)
    print(f"{len(_read(text, source or folder.config.house))} checkpoints fetched.")
    return DONE


def check(directory: Path, file: Path | None) -> int:
    """Checks what was fetched, or a file, against what was cosigned before."""
    folder = _folder(directory)
    text = read_text(file) if file else folder.fetched()
    submitted = _read(text, str(file or directory))
    try:
        new = folder.check(submitted)
    except Inconsistent as difference:
        return _shout(folder, text, difference)
    print(f"{len(submitted)} checkpoints are consistent with what was cosigned before; {len(new)} are new.")
    return DONE


def cosign(directory: Path, file: Path | None) -> int:
    """Checks what was fetched, or a file, and cosigns what is new; prints it."""
    folder = _folder(directory)
    text = read_text(file) if file else folder.fetched()
    try:
        notes = folder.cosign(_read(text, str(file or directory)), _now())
    except Inconsistent as difference:
        return _shout(folder, text, difference)
    sys.stdout.write(write_notes(notes))
    return DONE


def run(directory: Path, source: str, every: float) -> int:
    """Fetches, checks and cosigns, again and again, until something is not consistent."""
    folder = _folder(directory)
    while True:
        text = ""
        try:
            text = _fetched(folder, source)
            notes = folder.cosign(read_submissions(text), _now())
            if notes:
                print(
                    f"{_clock()} cosigned {len(notes)}; {sum(folder.sizes().values()):,} entries are seen.", flush=True
                )
        except Inconsistent as difference:
            return _shout(folder, text, difference)
        except (Unreachable, Unavailable, Damaged, Malformed) as fault:
            # The house may be closed, or the network down: look again.
            print(f"{_clock()} {fault}", file=sys.stderr, flush=True)
        time.sleep(every)


def serve(directory: Path, host: str, port: int) -> int:
    """Serves what was cosigned."""
    folder = _folder(directory)

    async def checkpoints(request: web.Request) -> web.Response:
        return web.Response(text=write_notes(folder.latest().values()))

    async def key(request: web.Request) -> web.Response:
        return web.Response(text=f"{folder.key}\n")

    async def history(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Type": "text/plain; charset=utf-8"})
        await answer.prepare(request)
        for file in folder.history():
            with file.open("rb") as open_file:
                while part := open_file.read(1 << 20):
                    await answer.write(part)
            await answer.write(b"\n\n")
        return answer

    app = web.Application()
    app.add_routes(
        [web.get("/checkpoints", checkpoints), web.get("/history", history), web.get("/key", key)],
    )
    try:
        web.run_app(app, host=host, port=port, print=lambda said: print(said, file=sys.stderr, flush=True))
    except OSError as error:
        return complain(f"The witness cannot listen at {host}:{port}: {error.strerror or error}.")
    return DONE


# --- where checkpoints come from ---------------------------------------------------------------------------------------------


def _folder(directory: Path) -> WitnessFolder:
    return WitnessFolder(directory, os.urandom)


def _now() -> int:
    return int(time.time())


def _clock() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def _fetched(folder: WitnessFolder, source: str) -> str:
    """Reads a source: the address of a house, its data, or a file; all with proofs from the last cosigned checkpoints."""
    where = source or folder.config.house
    if not where:
        raise Refused("witness-no-source")
    known = folder.sizes()
    if is_url(where):
        return write_submissions(fetch_from_house(where, known))
    if is_address(where) or (Path(where) / BOOK).exists():
        with opened(where) as book, book.at_one_moment() as still:
            return write_submissions(_of_book(still, known))
    return read_text(Path(where))


def _of_book(book: Reading, known: dict[str, int]) -> list[Submission]:
    made = submissions(book, known)
    if not made:
        raise Damaged(f"{house_name(book)} has signed nothing yet: `podium serve` does that.")
    return made


@contextmanager
def _sound(source: str) -> Iterator[None]:
    try:
        yield
    except Malformed as error:
        raise Refused("witness-text", source=source, error=str(error)) from None


def _read(text: str, source: str) -> list[Submission]:
    with _sound(source):
        found = list(read_submissions(text))
    if not found:
        raise Refused("witness-no-checkpoint", source=source)
    return found


def _shout(folder: WitnessFolder, text: str, difference: Inconsistent) -> int:
    """Says what is wrong; nothing is cosigned, and what was shown is kept as evidence."""
    kept = folder.keep_evidence(text, str(difference), _now())
    return complain(f"{difference} Nothing was cosigned; what was shown is in {kept} (EVT-5).")


english(
    "refused",
    {
        "signing-key-missing": "No key that signs the record of {directory} was found: the house makes it when it is first opened.",
        "witness-no-source": "Where is the house? Name its address, its data or a file.",
        "witness-no-checkpoint": "There is no checkpoint in {source}.",
    },
)
