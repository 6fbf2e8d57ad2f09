"""Files named on the command line; one that cannot be read or written is refused."""

from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english


def unreadable(file: str | Path, error: OSError | UnicodeDecodeError) -> Refused:
    if isinstance(error, UnicodeDecodeError):
        return Refused("file-not-utf8", file=file)
    return Refused("file-unreadable", file=file, error=_reason(error))


def unwritable(file: Path, error: OSError) -> Refused:
    return Refused("page-unwritable", file=file, error=_reason(error))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


english(
    "refused",
    {
        "file-unreadable": "{file} cannot be read: {error}.",
        "file-not-utf8": "{file} is not UTF-8 text: save it as UTF-8.",
        "page-unwritable": "The page cannot be written to {file}: {error}.",
    },
)
