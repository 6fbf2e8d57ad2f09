"""The folder of a witness: its key, the house that it watches, and every checkpoint that it cosigned.

`latest.txt` has the last checkpoint of each log and is replaced as a whole; `cosigned-DAY.txt` has all of them, one day after
another, and is only ever added to. Refused checkpoints are kept as `refused-TIME.txt`: they may be evidence.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.fair import Entropy
from podium.record.store.keys import one_key
from podium.record.tlog import (
    Checkpoint,
    Malformed,
    NoteSigner,
    NoteVerifier,
    SignedNote,
    Submission,
    cosigned_at,
    is_consistent,
    read_notes,
    write_notes,
)
from podium.record.tlog.note import COSIGNATURE, ED25519

_ABOUT: Final = "witness.json"
_KEY: Final = "witness.key"
_LOCK: Final = "witness.lock"
_LATEST: Final = "latest.txt"
_FETCHED: Final = "fetched.txt"


class Inconsistent(Exception):
    """The record of a house contradicts what it showed before, in one sentence."""


class WitnessConfig(msgspec.Struct, forbid_unknown_fields=True):
    """The settings of a witness, from when its folder was made."""

    name: str
    """The name of its key."""
    keys: list[str]
    """The verifier keys of the house; more than one after the house has changed its key."""
    house: str = ""
    """The address of the house; empty where checkpoints come by mail."""


def is_witness(path: Path) -> bool:
    """Returns whether a directory is the folder of a witness."""
    return (path / _ABOUT).is_file()


class WitnessFolder:
    """One witness of one house."""

    def __init__(self, path: Path, entropy: Entropy) -> None:
        if not is_witness(path):
            raise Refused("witness-missing", directory=path)
        self.path: Final = path
        try:
            self.config: Final = msgspec.json.decode((path / _ABOUT).read_bytes(), type=WitnessConfig)
            self._houses: Final = [NoteVerifier.parse(key) for key in self.config.keys]
            self._signer: Final = NoteSigner(self.config.name, one_key(path / _KEY, entropy), COSIGNATURE)
        except (msgspec.MsgspecError, Malformed) as error:
            raise Refused("witness-damaged", file=path / _ABOUT, error=str(error)) from None

    @classmethod
    def make(cls, path: Path, entropy: Entropy, *, key: str, house: str = "", name: str = "") -> "WitnessFolder":
        """Makes the folder of a new witness."""
        if is_witness(path):
            raise Refused("witness-exists", directory=path)
        _house_key(key)
        path.mkdir(parents=True, exist_ok=True)
        try:
            own = NoteSigner(name or "w", one_key(path / _KEY, entropy), COSIGNATURE).verifier
        except Malformed as error:
            raise Refused("witness-name", error=str(error)) from None
        config = WitnessConfig(name or f"podium-witness/{own.key.hex()[:8]}", [key.strip()], house.rstrip("/"))
        write_durably(path / _ABOUT, msgspec.json.format(msgspec.json.encode(config)).decode() + "\n")
        return cls(path, entropy)

    def trust(self, key: str) -> None:
        """Accepts another key of the house, which it has changed to."""
        _house_key(key)
        if key.strip() not in self.config.keys:
            self.config.keys.append(key.strip())
            write_durably(self.path / _ABOUT, msgspec.json.format(msgspec.json.encode(self.config)).decode() + "\n")

    @property
    def key(self) -> NoteVerifier:
        """The key with which its cosignatures are verified."""
        return self._signer.verifier

    # --- what it has seen -------------------------------------------------------------------------------------------

    def latest(self) -> dict[str, SignedNote]:
        """Returns the last checkpoint that was cosigned of each log, by its origin."""
        file = self.path / _LATEST
        if not file.exists():
            return {}
        try:
            notes = list(read_notes(file.read_text(encoding="utf-8")))
            for note in notes:
                if cosigned_at(note, self.key) is None:
                    raise Malformed(f"{Checkpoint.parse(note.text).origin} was not cosigned by this witness.")
        except (Malformed, UnicodeDecodeError) as error:
            raise Refused("witness-damaged", file=file, error=str(error)) from None
        return {Checkpoint.parse(note.text).origin: note for note in notes}

    def sizes(self) -> dict[str, int]:
        """Returns how many entries of each log it has seen, by origin."""
        return {origin: Checkpoint.parse(note.text).size for origin, note in self.latest().items()}

    def history(self) -> Iterator[Path]:
        """Yields the files with all that was cosigned, the oldest first."""
        yield from sorted(self.path.glob("cosigned-*.txt"))

    # --- fetched, checked, cosigned ---------------------------------------------------------------------------------

    def put_fetched(self, text: str) -> None:
        """Keeps what was fetched, to be checked and cosigned."""
        write_durably(self.path / _FETCHED, text)

    def fetched(self) -> str:
        """Returns what was fetched last."""
        file = self.path / _FETCHED
        if not file.exists():
            raise Refused("witness-nothing-fetched", directory=self.path)
        return file.read_text(encoding="utf-8")

    def check(self, submitted: Iterable[Submission]) -> list[Submission]:
        """Returns the checkpoints that are new; raises `Inconsistent` if a log is not a continuation of the one that
        was seen."""
        latest, new, shown = self.latest(), [], set()
        for submission in submitted:
            checkpoint = self._signed(submission.note)
            if checkpoint.origin in shown:
                raise Inconsistent(f"{checkpoint.origin} is shown twice.")
            shown.add(checkpoint.origin)
            before = latest.get(checkpoint.origin)
            if before is None or self._grown(checkpoint, submission, before):
                new.append(submission)
        for origin in latest.keys() - shown:
            raise Inconsistent(f"{origin} is not shown any more; {self._seen(latest[origin])}.")
        return new

    def _signed(self, note: SignedNote) -> Checkpoint:
        checkpoint = Checkpoint.parse(note.text)
        try:
            signers = [key for key in self._houses if key.verified(note) is not None]
        except Malformed as error:
            raise Inconsistent(f"The checkpoint of {checkpoint.origin} is not sound: {error}") from None
        if not any(checkpoint.origin.startswith(f"{key.name}/") for key in signers):
            raise Inconsistent(f"The checkpoint of {checkpoint.origin} is not signed by the house.")
        return checkpoint

    def _grown(self, checkpoint: Checkpoint, submission: Submission, before: SignedNote) -> bool:
        """Returns whether the log has more entries than before, and is otherwise the same."""
        known = Checkpoint.parse(before.text)
        where = f"{checkpoint.origin} at entry {checkpoint.size}"
        if checkpoint.size < known.size:
            raise Inconsistent(f"{where} was cut or rolled back, or this is an older checkpoint: {self._seen(before)}.")
        if checkpoint.size == known.size:
            if checkpoint.root != known.root:
                raise Inconsistent(f"{where} was rewritten: {self._seen(before)}, with another root.")
            return False
        if submission.old != known.size:
            raise Refused("witness-proof-missing", log=checkpoint.origin, old=submission.old, size=known.size)
        if not is_consistent(known.size, known.root, checkpoint.size, checkpoint.root, submission.proof):
            raise Inconsistent(f"{where} does not begin with what it was, so it was rewritten: {self._seen(before)}.")
        return True

    def _seen(self, note: SignedNote) -> str:
        seconds = cosigned_at(note, self.key)
        when = "" if seconds is None else f" at {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
        return f"{Checkpoint.parse(note.text).size} entries were cosigned{when}"

    def cosign(self, submitted: Iterable[Submission], seconds: int) -> list[SignedNote]:
        """Checks and cosigns; returns the new notes, which are on the disk by then."""
        with self._alone():
            latest = self.latest()
            notes = [self._signer.cosign(each.note, seconds) for each in self.check(submitted)]
            if notes:
                day = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"
                append_durably(self.path / f"cosigned-{day}.txt", write_notes(notes))
                latest |= {Checkpoint.parse(note.text).origin: note for note in notes}
                write_durably(self.path / _LATEST, write_notes(latest[origin] for origin in sorted(latest)))
            return notes

    def keep_evidence(self, text: str, why: str, seconds: int) -> Path:
        """Keeps what was refused, with the reason."""
        file = self.path / f"refused-{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H-%M-%SZ}.txt"
        write_durably(file, f"{why}\n\n{text}")
        return file

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Locks the folder: two processes at once could cosign two histories."""
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _house_key(text: str) -> None:
    try:
        if NoteVerifier.parse(text).kind != ED25519:
            raise Malformed("It is the key of a witness.")
    except Malformed as error:
        raise Refused("witness-house-key", error=str(error)) from None


def write_durably(file: Path, text: str) -> None:
    """Replaces a file as a whole; it is on the disk when this returns."""
    made = file.with_name(f"{file.name}.new")
    with made.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    made.replace(file)
    _sync_directory(file.parent)


def append_durably(file: Path, text: str) -> None:
    """Adds to a file; it is on the disk when this returns. An empty line separates it from what a power cut tore off
    before."""
    new = not file.exists()
    with file.open("ab+") as out:
        if out.tell():
            out.seek(-2, os.SEEK_END) if out.tell() > 1 else out.seek(0)
            if out.read() != b"\n\n":
                text = f"\n\n{text}"
        out.write(text.encode())
        out.flush()
        os.fsync(out.fileno())
    if new:
        _sync_directory(file.parent)


def _sync_directory(path: Path) -> None:
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


english(
    "refused",
    {
        "witness-missing": "There is no witness in {directory}: make one with podium witness init.",
        "witness-exists": "There is already a witness in {directory}.",
        "witness-damaged": "{file} is damaged: {error}",
        "witness-name": "This cannot be the name of a witness: {error}",
        "witness-house-key": "This is not the key of a house: {error} `podium witness key` prints it.",
        "witness-nothing-fetched": "Nothing was fetched into {directory} yet: podium witness fetch does that.",
        "witness-proof-missing": "The proof of {log} starts at entry {old}, not at the {size} entries that were cosigned: make the file with `podium witness show --since`.",
    },
)
