"""The running program: its fingerprint (VER-1), and the manifest of everything that runs (VER-2).

The manifest lists every file of the package, the interpreter's version, every installed distribution by the digest of its
RECORD, which has the digests of its files, and every file beside them that no distribution owns. It is signed as a C2SP
signed note with Ed25519, so that anybody who has the public key can check an installation with a copy of their own.
"""

import base64
import csv
import os
import platform
import sysconfig
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

import podium
from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.tlog import Malformed, NoteSigner, NoteVerifier, SignedNote, parse_note
from podium.record.tlog.note import ED25519

MAX_MANIFEST_BYTES: Final = 16_000_000
SIGNATURE_FOLLOWS: Final = "\n\n\N{EM DASH} "
_CHUNK_BYTES: Final = 1 << 20


class Installed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A distribution that is installed beside Podium."""

    version: str
    record: str
    """SHA-256 of its RECORD, which names its files with their digests."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that runs, with its SHA-256 digests."""

    podium: str
    python: str
    package: dict[str, str]
    """The files of Podium: Python, pages, scripts, languages."""
    dependencies: dict[str, Installed]
    others: dict[str, str]
    """Files beside the dependencies that none of them owns, such as those that Python runs at its start."""


class Installation(NamedTuple):
    """Where a copy of Podium and its dependencies are."""

    package: Path
    site: tuple[Path, ...]
    """The directories with the dependencies."""
    python: str
    """The version of the interpreter; empty if only the files can be looked at."""


def running() -> Installation:
    """The installation that runs this program."""
    paths = sysconfig.get_paths()
    site = tuple(dict.fromkeys(Path(paths[name]) for name in ("purelib", "platlib")))
    return Installation(Path(podium.__file__).parent, site, platform.python_version())


def installation_at(folder: Path) -> Installation:
    """Another installation: the folder of a virtual environment."""
    for site in (*sorted(folder.glob("lib/python*/site-packages")), folder / "Lib" / "site-packages"):
        places = [site] if site.is_dir() else []
        for pth in sorted(site.glob("*.pth")):
            places += [Path(line) for line in pth.read_text(encoding="utf-8").splitlines() if Path(line).is_absolute()]
        for place in places:
            if (place / "podium" / "__init__.py").is_file():
                return Installation(place / "podium", (site,), "")
    raise Refused("program-no-installation", folder=folder)


# --- the manifest -------------------------------------------------------------------------------------------------------


@cache
def fingerprint() -> str:
    """SHA-256 of the manifest of the running program. It reads every file of the package: call it on a thread first."""
    return sha256(manifest_text(manifest_of(running())).encode()).hexdigest()


def manifest_of(place: Installation) -> Manifest:
    """Lists everything that runs in an installation. The files of the dependencies are listed by their RECORDs, unread."""
    dependencies, owned = {}, set()
    for found in _distributions(place):
        record = _record(found)
        dependencies[_name(found)] = Installed(found.version, _digest(record) if record is not None else "")
        owned |= {file for file, _ in _files(found)}
    return Manifest(
        podium=_version_of(place.package),
        python=place.python,
        package={file.relative_to(place.package).as_posix(): _digest(file) for file in _below(place.package)},
        dependencies=dict(sorted(dependencies.items())),
        others={
            file.relative_to(site).as_posix(): _digest(file)
            for site in place.site
            for file in _below(site)
            if file not in owned and not file.is_relative_to(place.package)
        },
    )


def _distributions(place: Installation) -> Iterator[Distribution]:
    """Every distribution but Podium's own, whose files are listed one by one."""
    seen = set()
    for found in distributions(path=[str(site) for site in place.site]):
        if _name(found) not in seen and _name(found) != "podium":
            seen.add(_name(found))
            yield found


def _name(found: Distribution) -> str:
    return found.metadata["Name"].lower().replace("_", "-")


def _record(found: Distribution) -> Path | None:
    record = Path(str(found.locate_file(""))) / _folder(found) / "RECORD"
    return record if record.is_file() else None


def _folder(found: Distribution) -> str:
    return str(getattr(found, "_path", Path()).name)


def _files(found: Distribution) -> Iterator[tuple[Path, str]]:
    """The files of a distribution with the digests in its RECORD; a file without one is given an empty digest."""
    record = _record(found)
    if record is None:
        return
    root = Path(str(found.locate_file("")))
    with record.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            if row:
                algorithm, _, digest = row[1].partition("=")
                yield Path(os.path.normpath(root / row[0])), _hex(digest) if algorithm == "sha256" else ""


def _hex(digest: str) -> str:
    return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()


def _below(folder: Path) -> Iterator[Path]:
    """The files below a folder, except what Python compiled from them."""
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if not name.endswith((".pyc", ".pyo")):
                yield Path(path, name)


def _digest(file: Path) -> str:
    seen = sha256()
    with file.open("rb") as opened:
        while part := opened.read(_CHUNK_BYTES):
            seen.update(part)
    return seen.hexdigest()


def _version_of(package: Path) -> str:
    for line in (package / "__init__.py").read_text(encoding="utf-8").splitlines():
        if line.startswith("__version__"):
            return line.partition("=")[2].strip().strip("\"'")
    return ""


# --- comparing ----------------------------------------------------------------------------------------------------------


def differences(wanted: Manifest, place: Installation) -> list[str]:
    """The files that were altered, removed or added in an installation, one sentence each."""
    found = manifest_of(place)
    said = [f"The version of Podium is {found.podium}, not {wanted.podium}."] if found.podium != wanted.podium else []
    if place.python and wanted.python != found.python:
        said.append(f"The version of Python is {found.python}, not {wanted.python}.")
    said += _compared("file", wanted.package, found.package)
    said += _compared("dependency", wanted.dependencies, found.dependencies)
    said += _compared("file beside the dependencies", wanted.others, found.others)
    return said + unsound(place)


def _compared(
    what: str, wanted: dict[str, str] | dict[str, Installed], found: dict[str, str] | dict[str, Installed]
) -> list[str]:
    altered = [f"The {what} {name} was altered." for name in wanted if name in found and wanted[name] != found[name]]
    missing = [f"The {what} {name} is missing." for name in wanted if name not in found]
    return altered + missing + [f"The {what} {name} was added." for name in found if name not in wanted]


def unsound(place: Installation) -> list[str]:
    """Dependencies whose files differ from their RECORD."""
    said = []
    for found in _distributions(place):
        if _record(found) is None:
            said.append(f"The dependency {_name(found)} has no RECORD of its files.")
        for file, digest in _files(found):
            if digest and not file.is_file():
                said.append(f"{file} of the dependency {_name(found)} is missing.")
            elif digest and _digest(file) != digest:
                said.append(f"{file} of the dependency {_name(found)} was altered.")
    return said


# --- signed notes ---------------------------------------------------------------------------------------------------------


def manifest_text(manifest: Manifest) -> str:
    """The text that is signed: JSON, with a line for each file."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1).decode() + "\n"


def signed(text: str, name: str, seed: bytes) -> str:
    """A text with a signature below it, as a C2SP signed note; a text that is signed already has one more."""
    note = _note(text)
    added = _signer(name, seed).sign(note.text)
    return str(SignedNote(note.text, (*note.signatures, *added.signatures)))


def _signer(name: str, seed: bytes) -> NoteSigner:
    try:
        return NoteSigner(name, seed)
    except Malformed as error:
        raise Refused("program-signer-name", error=str(error)) from None


def _note(text: str) -> SignedNote:
    """Reads a text with the signatures below it, if it has any."""
    if SIGNATURE_FOLLOWS in text:
        try:
            return parse_note(text)
        except Malformed as error:
            raise Refused("program-manifest", error=str(error).removesuffix(".")) from None
    return SignedNote(text.rstrip("\n") + "\n", ())


def verifier(name: str, seed: bytes) -> str:
    """The public key of a signer as a verifier key: name, hash and key."""
    return str(_signer(name, seed).verifier)


def read_manifest(note: bytes, signer: str = "") -> Manifest:
    """Reads a manifest; if `signer`, the public key of somebody, is given, it must be signed by them."""
    found = _note(note.decode(errors="replace"))
    if signer and not _is_signed(found, _public(signer)):
        raise Refused("program-not-signed", signer=signer.partition("+")[0], clause="VER-2")
    try:
        return msgspec.json.decode(found.text, type=Manifest)
    except msgspec.MsgspecError as error:
        raise Refused("program-manifest", error=shortened(str(error))) from None


def load_manifest(file: Path, signer: str = "") -> Manifest:
    """Reads a manifest from a file."""
    try:
        with file.open("rb") as opened:
            note = opened.read(MAX_MANIFEST_BYTES + 1)
    except OSError as error:
        raise Refused("program-manifest-file", file=file, error=(error.strerror or str(error)).lower()) from None
    if len(note) > MAX_MANIFEST_BYTES:
        raise Refused("program-manifest", error="it is too long")
    return read_manifest(note, signer)


def _public(signer: str) -> NoteVerifier:
    try:
        found = NoteVerifier.parse(signer)
    except Malformed:
        raise Refused("program-signer", signer=shortened(signer)) from None
    if found.kind != ED25519:
        raise Refused("program-signer", signer=shortened(signer))
    return found


def _is_signed(note: SignedNote, signer: NoteVerifier) -> bool:
    try:
        return signer.verified(note) is not None
    except Malformed:  # a false signature under the signer's name
        return False


english(
    "refused",
    {
        "program-no-installation": "There is no installation of Podium in {folder}: name the folder of a virtual environment.",
        "program-not-signed": "The manifest is not signed by {signer}.",
        "program-signer": "{signer:quoted} is not a public key: it is NAME+HASH+KEY, as `podium program key` prints it.",
        "program-signer-name": "The manifest cannot be signed: {error}",
        "program-manifest": "The manifest cannot be read: {error}.",
        "program-manifest-file": "The manifest {file} cannot be read: {error}.",
        "program-strict": "The program is not the one in the manifest, and the house is configured to stay closed then: {difference}",
        "program-strict-signer": 'With program = "strict" the configuration names the manifest and its signer.',
    },
)
