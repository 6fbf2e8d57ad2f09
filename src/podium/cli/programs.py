"""`podium program`: the manifest of everything that runs, and its signature; `podium verify --program`."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.cli.data import complain
from podium.cli.files import unreadable
from podium.record.seal import KEY_BYTES
from podium.record.store.keys import write_private
from podium.server.program import (
    differences,
    installation_at,
    load_manifest,
    manifest_of,
    manifest_text,
    read_manifest,
    running,
    signed,
    unsound,
    verifier,
)

MAX_PRINTED_DIFFERENCES: Final = 20
"""How many differences are printed."""
PROVED = 0


def print_manifest(at: Path | None) -> None:
    """Prints the manifest of an installation."""
    print(manifest_text(manifest_of(installation_at(at) if at else running())), end="")


def make_key(file: Path, name: str) -> None:
    """Draws a key to sign manifests with, and prints its public part."""
    if not name or "+" in name or any(sign.isspace() for sign in name):
        raise Refused("signer-name", name=shortened(name))
    seed = os.urandom(KEY_BYTES)
    try:
        write_private(file, f"{name} {seed.hex()}\n".encode())
    except FileExistsError:
        raise Refused("signer-file-exists", file=file) from None
    except OSError as error:
        raise unreadable(file, error) from None
    print(verifier(name, seed))


def sign(file: Path, key: Path) -> None:
    """Prints a manifest with a signature below it."""
    text, (name, _, digits) = _text(file), _text(key).strip().partition(" ")
    seed = b""
    with suppress(ValueError):
        seed = bytes.fromhex(digits)
    if len(seed) != KEY_BYTES:
        raise Refused("signer-key", file=key)
    read_manifest(text.encode())
    print(signed(text, name, seed), end="")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None


def verify_program(manifest: Path | None, signer: str, at: Path | None) -> int:
    """Compares an installation with a manifest, and its dependencies with their own records."""
    place = installation_at(at) if at else running()
    found = differences(load_manifest(manifest, signer), place) if manifest else unsound(place)
    if found:
        more = [f"And {len(found) - MAX_PRINTED_DIFFERENCES} more."] if len(found) > MAX_PRINTED_DIFFERENCES else []
        return complain("\n".join([*found[:MAX_PRINTED_DIFFERENCES], *more]))
    listed = manifest_of(place)
    print(
        f"Program: Podium {listed.podium} in {place.package}, {len(listed.package)} files, "
        f"{len(listed.dependencies)} dependencies, each as its RECORD has it."
    )
    said = f"as {manifest} has it{', signed by ' + signer.partition('+')[0] if signer else ''}"
    print(f"Everything is {said}." if manifest else "It was compared with no manifest: name one with --manifest.")
    return PROVED


english(
    "refused",
    {
        "signer-name": "{name:quoted} is not the name of a signer: it has neither spaces nor a plus sign.",
        "signer-file-exists": "{file} already exists: a key is written to a new file.",
        "signer-key": "{file} is not a key to sign with: `podium program key` makes one.",
    },
)
