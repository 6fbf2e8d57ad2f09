"""`podium rng collect`: output of the production generator for a test laboratory (RNG-11)."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import file_digest
from itertools import count, islice
from pathlib import Path
from typing import Final

import msgspec

from podium import __version__
from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.dealing import dealing
from podium.record.fair import BLOCK_BYTES, NUMBER_BYTES, Entropy, final_order, shuffle
from podium.record.generator import Generator
from podium.server.program import fingerprint

BLOCKS_PER_MIB: Final = (1 << 20) // BLOCK_BYTES
NUMBERS: Final = {each: str(number) for number, each in enumerate(DECK)}


class CollectedFile(msgspec.Struct, frozen=True):
    """A file as it was written."""

    bytes: int
    sha256: str


class Collected(msgspec.Struct, frozen=True):
    """What `collected.json` says of the files beside it."""

    made: str
    podium: str
    program: str
    """The fingerprint of the program (VER-1)."""
    complete: bool
    """Whether it ran to its end."""
    cutters: int
    cards: str
    """The cards in the order of their numbers, which start at 0."""
    files: dict[str, CollectedFile]


def collect(directory: Path, *, mib: int, shoes: int, decks: tuple[int, ...], cutters: int) -> int:
    """Writes the files. Returns 1 if it was stopped before they were complete."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise Refused("collect-not-empty", directory=directory)
    generator = Generator(os.urandom)
    parts = {"raw.bin": (mib * BLOCKS_PER_MIB, _blocks(generator))}
    parts |= {f"shoes-{each}-decks.csv": (shoes, _shoes(generator, each, cutters)) for each in decks}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        complete = _write(directory, parts)
        files = {each.name: _described(each) for each in sorted(directory.iterdir())}
        codes = " ".join(each.code for each in DECK)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        about = Collected(now, __version__, fingerprint(), complete, cutters, codes, files)
        (directory / "collected.json").write_bytes(msgspec.json.format(msgspec.json.encode(about), indent=2) + b"\n")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused("collect-unwritable", directory=directory, error=reason) from None
    for name, described in files.items():
        print(f"{name}: {described.bytes:,} bytes, SHA-256 {described.sha256}")
    return 0 if complete else 1


def _write(directory: Path, parts: dict[str, tuple[int, Iterator[bytes]]]) -> bool:
    """Writes that many pieces to each file. Returns whether all were written; Ctrl-C ends it after a whole piece."""
    with dealing(sum(wanted for wanted, _ in parts.values())) as progress:
        try:
            for name, (wanted, pieces) in parts.items():
                with (directory / name).open("wb") as file:
                    for piece in islice(pieces, wanted):
                        file.write(piece)
                        progress(1)
        except KeyboardInterrupt:
            return False
    return True


def _blocks(generator: Entropy) -> Iterator[bytes]:
    """The bytes of the generator, as a shuffle draws them."""
    while True:
        yield generator(BLOCK_BYTES)


def _shoes(generator: Entropy, decks: int, cutters: int) -> Iterator[bytes]:
    """Shoes in the order of dealing, a line each: shuffled by the house, then by the numbers of the terminals that cut."""
    for number in count(1):
        fresh = shuffle("laboratory", number, decks, generator)
        numbers = {f"seat-{seat}": generator(NUMBER_BYTES).hex() for seat in range(1, cutters + 1)}
        order = final_order(fresh.order, fresh.commitment, numbers)
        yield ",".join(map(NUMBERS.__getitem__, order)).encode() + b"\n"


def _described(file: Path) -> CollectedFile:
    with file.open("rb") as opened:
        return CollectedFile(file.stat().st_size, file_digest(opened, "sha256").hexdigest())


english(
    "refused",
    {
        "collect-not-empty": "{directory} is not an empty directory: name a new one.",
        "collect-unwritable": "{directory} cannot be written to: {error}.",
    },
)
