"""The keys of a house: a file for each, beside the store and never inside it (RNG-8, EVT-5)."""

import os
import stat
from pathlib import Path
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.fair import Entropy
from podium.record.seal import KEY_BYTES

SIGNING_KEY: Final = "podium.signing"
"""How the key that signs checkpoints is called in the directory of a house (EVT-5)."""


def read_key(path: Path, entropy: Entropy) -> bytes:
    """Reads the key from a file, which is created if it is missing; refused if other users can read it."""
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _checked(path)
    with os.fdopen(made, "wb") as file:
        file.write(entropy(KEY_BYTES).hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return _checked(path)


def signing_key(directory: Path, entropy: Entropy) -> bytes:
    """The secret half of the key that signs the checkpoints of the house in a directory, for that and nothing else."""
    return read_key(directory / SIGNING_KEY, entropy)


def _checked(path: Path) -> bytes:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise Refused("key-mode", file=path, mode=f"{mode:o}")
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Refused("key-form", file=path, bytes=KEY_BYTES)
    return key


english(
    "refused",
    {
        "key-mode": "{file} can be read by others (mode {mode}): the key of a house has mode 600.",
        "key-form": "{file} is not the key of a house: that is {bytes} bytes in hexadecimal digits.",
    },
)
