"""Where checkpoints come from: a house that is open, a witness that is served, a file that was mailed."""

from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.tlog import Checkpoint, Malformed, SignedNote, Submission, read_notes
from podium.record.tlog.note import from_base64

MAX_FETCHED_BYTES: Final = 256 * 1024 * 1024
"""Length of one answer. Checkpoints have a few hundred bytes for each stream; the history of a witness is longer."""
TIMEOUT_SECONDS: Final = 20


class Unreachable(Exception):
    """The other side did not answer, or sent something else; a later attempt may succeed."""


class _ProofBody(msgspec.Struct):
    proof: list[str]


def is_url(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def get(url: str) -> str:
    """Returns the text at an address."""
    try:
        with urlopen(Request(url, headers={"Accept": "*/*"}), timeout=TIMEOUT_SECONDS) as answer:
            text: bytes = answer.read(MAX_FETCHED_BYTES + 1)
    except HTTPError as error:
        raise Unreachable(f"{url} answered with {error.code}.") from None
    except (OSError, HTTPException, ValueError) as error:
        raise Unreachable(f"{url} does not answer: {shortened(str(getattr(error, 'reason', error)))}.") from None
    if len(text) > MAX_FETCHED_BYTES:
        raise Unreachable(f"{url} answered with more than {MAX_FETCHED_BYTES} bytes.")
    return text.decode(errors="replace")


def fetch_from_house(url: str, known: Mapping[str, int]) -> list[Submission]:
    """Returns what a house shows now, with proofs that its logs begin with what is known of them: by origin, a number
    of entries. It is not checked yet."""
    base = url.rstrip("/")
    try:
        notes = list(read_notes(get(f"{base}/api/checkpoints")))
        if not notes and not known:
            raise Unreachable(f"{base} has signed nothing yet.")
        return [_with_proof(base, each, known) for each in notes]
    except Malformed as error:
        raise Unreachable(f"{base} does not show sound checkpoints: {error}") from None


def _with_proof(url: str, note: SignedNote, known: Mapping[str, int]) -> Submission:
    checkpoint = Checkpoint.parse(note.text)
    old = known.get(checkpoint.origin, 0)
    if not 0 < old < checkpoint.size:
        return Submission(note, old)
    asked = urlencode({"stream": stream_in(checkpoint.origin), "from": old, "to": checkpoint.size})
    try:
        answer = msgspec.json.decode(get(f"{url}/api/log/consistency?{asked}"), type=_ProofBody)
    except msgspec.MsgspecError as error:
        raise Unreachable(f"{url} did not answer with a proof: {error}.") from None
    return Submission(note, old, tuple(from_base64(each) for each in answer.proof))


def stream_in(origin: str) -> str:
    """Returns the stream of a log: an origin is podium/HOUSE/STREAM."""
    return origin.split("/", 2)[-1]


def read_text(file: Path) -> str:
    """Returns the text of a file that was mailed or copied."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Refused("witness-no-file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("witness-unreadable", file=file, error=shortened(str(error))) from None


english(
    "refused",
    {
        "witness-no-file": "There is no file {file}.",
        "witness-unreadable": "{file} cannot be read: {error}",
    },
)
