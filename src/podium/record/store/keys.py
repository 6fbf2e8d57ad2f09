"""The keys of a house: one ring for each purpose, kept outside the data directory (SEC-7, RNG-8).

A ring is the current key and earlier ones: what was closed or filed under an earlier key still opens after a rotation. Keys
come from a folder with one file for each purpose, from systemd credentials, or from a command, for a TPM or an HSM.
"""

import os
import shlex
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from hmac import new
from pathlib import Path
from threading import Thread
from typing import Final, Literal, NamedTuple, Protocol, get_args

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.fair import Entropy
from podium.record.seal import KEY_BYTES, Seal
from podium.record.store.disk import sync_directory

Purpose = Literal["seal", "tickets", "sessions", "signature"]
PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)

MAX_KEYS: Final = 16
"""Keys in one ring: the current one and earlier ones."""
COMMAND_SECONDS: Final = 30
"""How long a command may take to print the keys of one purpose."""
MAX_KEYS_BYTES: Final = 4_096
"""The length of a file, a credential or a command's output with the keys of one purpose."""
SYSTEMD: Final = "systemd"
COMMAND: Final = "command:"
OLD_KEY: Final = "podium.key"
"""The seal's key in the data directory, where earlier versions kept it."""
_CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"


class Ring:
    """The keys of one purpose, the current one first. It never shows a key, neither in a log nor in a trace."""

    __slots__ = ("keys", "purpose")

    def __init__(self, purpose: Purpose, keys: tuple[bytes, ...]) -> None:
        self.purpose: Final = purpose
        self.keys: Final = keys

    @property
    def current(self) -> bytes:
        return self.keys[0]

    @property
    def ids(self) -> tuple[str, ...]:
        """A short name for each key, which reveals nothing about the key itself."""
        return tuple(
            sha256(b"podium-key-id-1\n%s\n%s" % (self.purpose.encode(), key)).hexdigest()[:12] for key in self.keys
        )

    def seal(self, entropy: Entropy) -> Seal:
        """A seal that closes with the current key and opens with any."""
        return Seal(self.current, entropy, earlier=self.keys[1:])

    def derived(self, use: str) -> "Ring":
        """A ring for one use within the purpose: its keys reveal nothing about the ring's own."""
        return Ring(self.purpose, tuple(new(key, use.encode(), sha256).digest() for key in self.keys))

    def __repr__(self) -> str:
        return f"Ring({self.purpose}: {', '.join(self.ids)})"


class Keys(NamedTuple):
    """All keys of a house."""

    seal: Ring
    """Closes the cards that are face down."""
    tickets: Ring
    """Files tickets by their numbers, and closes the numbers."""
    sessions: Ring
    """Files sessions, invitations and terminals by their tokens."""
    signature: Ring
    """Seeds of Ed25519 keys, which sign checkpoints of the record."""

    @property
    def ids(self) -> dict[str, tuple[str, ...]]:
        """The ids of all keys, by purpose."""
        return {ring.purpose: ring.ids for ring in self}

    @property
    def digest(self) -> str:
        """The same for two processes that have the same keys; it reveals nothing about them."""
        listed = "\n".join(" ".join([ring.purpose, *ring.ids]) for ring in self)
        return sha256(b"podium-keys-1\n%s" % listed.encode()).hexdigest()[:16]


class KeySource(Protocol):
    """Where the keys of a house come from."""

    def read(self, purpose: Purpose) -> Ring | None:
        """The ring of a purpose; None if there is none."""

    def named(self, purpose: Purpose) -> str:
        """The place of the ring of a purpose, in words."""

    def noted(self, name: str) -> str:
        """The note of that name beside the keys; empty if there is none."""

    def all_noted(self, ending: str) -> list[str]:
        """What is noted under every name with that ending."""


def source_of(
    where: str, data: Path | None, entropy: Entropy, environment: Mapping[str, str] = os.environ
) -> KeySource:
    """The source that `--keys` names: `systemd`, `command:PROGRAM ARGUMENTS` or a folder; by default the folder beside the
    data directory."""
    if where == SYSTEMD:
        directory = environment.get(_CREDENTIALS, "")
        if not directory:
            raise Refused("keys-no-credentials", variable=_CREDENTIALS)
        return Credentials(Path(directory))
    if where.startswith(COMMAND):
        return KeyCommand(where.removeprefix(COMMAND))
    if not where and data is None:
        raise Refused("keys-nowhere")
    folder = Path(where) if where else default_folder(data or Path())
    if data is not None and folder.absolute().is_relative_to(data.absolute()):
        raise Refused("keys-inside", folder=folder, data=data)
    return KeyFolder(folder, entropy)


def default_folder(data: Path) -> Path:
    """The folder for the keys of a house: beside its data directory, so that a copy of the data has no key."""
    whole = data.absolute()
    return whole.with_name(f"{whole.name}.keys")


def read_keys(source: KeySource) -> Keys:
    """All keys of a house, from a source that must have them."""
    return Keys(*(_ring(source, purpose) for purpose in PURPOSES))


def _ring(source: KeySource, purpose: Purpose) -> Ring:
    ring = source.read(purpose)
    if ring is None:
        raise Refused("keys-missing", purpose=purpose, source=source.named(purpose))
    return ring


def open_keys(source: KeySource, data: Path) -> Keys:
    """All keys of a house that is about to open. A folder is filled with the keys that are missing, and takes over the
    seal's key of an earlier version from the data directory."""
    old = data / OLD_KEY
    if isinstance(source, KeyFolder):
        source.create()
        if old.exists():
            source.adopt("seal", old)
        for purpose in PURPOSES:
            source.make(purpose)
    keys = read_keys(source)
    if old.exists() and not set(read_ring("seal", old).keys) <= set(keys.seal.keys):
        raise Refused("keys-old-not-known", file=old, source=source.named("seal"))
    return keys


def find_ring(source: KeySource, purpose: Purpose, data: Path | None = None) -> Ring | None:
    """The ring of one purpose, for a command that only reads; None if there is none. Nothing is created."""
    ring = source.read(purpose)
    if ring is None and purpose == "seal" and data is not None and (data / OLD_KEY).exists():
        return read_ring("seal", data / OLD_KEY)
    return ring


# --- a folder -----------------------------------------------------------------------------------------------------------


class KeyFolder:
    """A folder that only its owner can read, with a file for each purpose: one key in a line, the current one first."""

    def __init__(self, folder: Path, entropy: Entropy) -> None:
        self.folder: Final = folder
        self._entropy: Final = entropy

    def named(self, purpose: Purpose) -> str:
        return str(self._file(purpose))

    def _file(self, purpose: Purpose) -> Path:
        return self.folder / f"{purpose}.key"

    def read(self, purpose: Purpose) -> Ring | None:
        file = self._file(purpose)
        if not file.exists():
            return None
        check_private(self.folder, 0o700)
        return read_ring(purpose, file)

    def noted(self, name: str) -> str:
        return _noted(self.folder / name)

    def all_noted(self, ending: str) -> list[str]:
        return _all_noted(self.folder, ending)

    def note(self, name: str, text: str) -> None:
        """Notes a fact about the house that must hold even if somebody rewrites its book."""
        if self.noted(name) != text:
            self._replace(self.folder / name, text.encode() + b"\n")

    def create(self) -> None:
        """Creates the folder if it does not exist."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_private(self.folder, 0o700)

    def make(self, purpose: Purpose) -> None:
        """Draws the first key of a purpose, unless there is one."""
        if not self._file(purpose).exists():
            self._write(purpose, (self._entropy(KEY_BYTES),))

    def adopt(self, purpose: Purpose, old: Path) -> None:
        """Takes over a key from another file, which is removed when the key is durable here."""
        taken = read_ring(purpose, old).keys
        known = self.read(purpose)
        keys = known.keys if known is not None else ()
        self._write(purpose, (*keys, *(key for key in taken if key not in keys)))
        old.unlink()
        sync_directory(old.parent)

    def rotate(self, purpose: Purpose) -> Ring:
        """Draws a new current key; the others stay as earlier ones."""
        ring = _ring(self, purpose)
        if len(ring.keys) >= MAX_KEYS:
            raise Refused("keys-full", file=self._file(purpose), most=MAX_KEYS)
        self._write(purpose, (self._entropy(KEY_BYTES), *ring.keys))
        return _ring(self, purpose)

    def _write(self, purpose: Purpose, keys: tuple[bytes, ...]) -> None:
        self._replace(self._file(purpose), b"".join(key.hex().encode() + b"\n" for key in keys))

    def _replace(self, file: Path, content: bytes) -> None:
        """Replaces a file as a whole: after a crash it is the old one or the new one."""
        fresh = file.with_name(f".{file.name}.{self._entropy(4).hex()}")
        try:
            write_private(fresh, content)
            fresh.replace(file)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        sync_directory(self.folder)


def _noted(file: Path) -> str:
    return _start_of(file).decode(errors="replace").strip() if file.exists() else ""


def _all_noted(folder: Path, ending: str) -> list[str]:
    return [_noted(file) for file in sorted(folder.glob(f"*{ending}"))]


def write_private(file: Path, content: bytes) -> None:
    """Writes a new file that only its owner can read, and makes it durable."""
    made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(made, "wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())


def read_ring(purpose: Purpose, file: Path) -> Ring:
    """Reads the keys of a purpose from a file that only its owner can read."""
    check_private(file, 0o600)
    return Ring(purpose, _parse(_start_of(file), str(file)))


def one_key(file: Path, entropy: Entropy) -> bytes:
    """The key in a file of a program that has only one, like a witness; it is drawn if the file is missing."""
    if not file.exists():
        with suppress(FileExistsError):
            write_private(file, entropy(KEY_BYTES).hex().encode() + b"\n")
    return read_ring("signature", file).current


def _start_of(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MAX_KEYS_BYTES + 1)


def check_private(path: Path, wanted: int) -> None:
    """Refuses a file or a folder that others can read."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise Refused("key-mode", file=path, mode=f"{mode:o}", wanted=f"{wanted:o}")


def _parse(text: bytes, named: str) -> tuple[bytes, ...]:
    """Keys as they are written: one in a line, in hexadecimal digits, the current one first."""
    keys: tuple[bytes, ...] = ()
    if len(text) <= MAX_KEYS_BYTES:
        with suppress(ValueError):
            keys = tuple(bytes.fromhex(line) for line in text.decode("ascii").split())
    if not 0 < len(keys) <= MAX_KEYS or len(set(keys)) != len(keys) or any(len(key) != KEY_BYTES for key in keys):
        raise Refused("key-form", file=named, bytes=KEY_BYTES, most=MAX_KEYS)
    return keys


# --- systemd credentials, a command -----------------------------------------------------------------------------------------


class Credentials:
    """The credentials that systemd gives a service: files that only the service can read and nobody writes."""

    def __init__(self, directory: Path) -> None:
        self._directory: Final = directory

    def named(self, purpose: Purpose) -> str:
        return str(self._directory / f"{purpose}.key")

    def read(self, purpose: Purpose) -> Ring | None:
        file = self._directory / f"{purpose}.key"
        if not file.exists():
            return None
        # The mode is systemd's: its access list for the service looks like a readable group.
        return Ring(purpose, _parse(_start_of(file), str(file)))

    def noted(self, name: str) -> str:
        return _noted(self._directory / name)

    def all_noted(self, ending: str) -> list[str]:
        return _all_noted(self._directory, ending)


class KeyCommand:
    """A program that prints the keys of the purpose that its last argument names. It gets no shell and no input. It may also
    print what the operator noted under a name; one that does not know the name fails, and nothing is noted."""

    def __init__(self, command: str) -> None:
        try:
            self._words: Final = shlex.split(command)
        except ValueError:
            raise Refused("keys-command", command=shortened(command)) from None
        if not self._words:
            raise Refused("keys-command", command="")

    def named(self, purpose: Purpose) -> str:
        return f"{self._words[0]} ... {purpose}"

    def read(self, purpose: Purpose) -> Ring | None:
        printed, code = self._run(purpose)
        if printed is None:
            raise self._failed(purpose, f"it took more than {COMMAND_SECONDS} s or printed too much")
        if code:
            raise self._failed(purpose, f"it ended with the code {code}")
        return Ring(purpose, _parse(printed, self.named(purpose)))

    def noted(self, name: str) -> str:
        return self._noted(name.rpartition(".")[2])  # it is the command of one house

    def all_noted(self, ending: str) -> list[str]:
        return [self._noted(ending.removeprefix("."))]

    def _noted(self, name: str) -> str:
        printed, code = self._run(name, quiet=True)
        return "" if code or printed is None else printed.decode(errors="replace").strip()

    def _run(self, asked: str, *, quiet: bool = False) -> tuple[bytes | None, int]:
        """What the program printed, None if that is too long or takes too long, and the code with which it ended."""
        errors = subprocess.DEVNULL if quiet else None
        words = [*self._words, asked]
        try:
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as running:
                printed = _bounded(running)
        except OSError as error:
            raise self._failed(asked, (error.strerror or str(error)).lower()) from None
        return printed, running.returncode

    def _failed(self, purpose: str, why: str) -> Refused:
        return Refused("keys-command-failed", command=self._words[0], purpose=purpose, why=why)


def _bounded(running: "subprocess.Popen[bytes]") -> bytes | None:
    """What a program prints until it ends; None if the output is too long or takes too long, in which case it is
    killed."""
    printed: list[bytes] = []

    def read() -> None:
        assert running.stdout is not None
        printed.append(running.stdout.read(MAX_KEYS_BYTES + 1))

    reading = Thread(target=read, daemon=True)
    reading.start()
    reading.join(COMMAND_SECONDS)
    try:
        if printed and len(printed[0]) <= MAX_KEYS_BYTES:
            running.wait(COMMAND_SECONDS)
            return printed[0]
    except subprocess.TimeoutExpired:
        pass
    running.kill()
    return None


english(
    "refused",
    {
        "key-mode": "{file} can be read by others (mode {mode}): the keys of a house are for its owner alone (mode {wanted}).",
        "key-form": (
            "{file} does not hold keys of a house: a key is {bytes} bytes in hexadecimal digits, one in a line, all "
            "different, {most} at most."
        ),
        "keys-nowhere": "Say with --keys where the keys of this house are.",
        "keys-inside": "{folder} is inside {data}: keep the keys of a house outside its data, so that a copy of the data has no key.",
        "keys-missing": "The house has no key for the purpose {purpose}: {source} does not exist.",
        "keys-full": "{file} holds {most} keys, which is the limit: remove the oldest, which nothing needs any longer.",
        "keys-old-not-known": (
            "{file} is the seal's key of an earlier version, and it is not among the keys of {source}: add it there as an "
            "earlier key."
        ),
        "keys-no-credentials": "systemd gave no credentials: {variable} is not set.",
        "keys-command": "{command:quoted} is not a command: write command:PROGRAM ARGUMENTS.",
        "keys-command-failed": "{command} did not give the keys for the purpose {purpose}: {why}.",
    },
)
