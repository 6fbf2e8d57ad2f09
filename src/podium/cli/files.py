"""Files named on the command line; one that cannot be read or written is refused."""

import os
import pwd
from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english


def unreadable(file: str | Path, error: OSError | UnicodeDecodeError) -> Refused:
    if isinstance(error, UnicodeDecodeError):
        return Refused("file-not-utf8", file=file)
    return Refused("file-unreadable", file=file, error=_reason(error))


def unwritable(file: Path, error: OSError) -> Refused:
    return Refused("page-unwritable", file=file, error=_reason(error))


def not_allowed(path: Path, *, writing: bool = True) -> str:
    """Why this user may not use a file or a folder, and what to do; empty if that is not the reason."""
    try:
        found = path.stat()
    except PermissionError:
        return not_allowed(path.parent, writing=writing)
    except OSError:
        return ""
    folder = path.is_dir()
    if os.access(path, os.R_OK | (os.W_OK if writing else 0) | (os.X_OK if folder else 0)):
        return ""
    owner, user = user_name(found.st_uid), user_name(os.geteuid())
    if owner == user:
        mode = f"{'r' if not writing else 'rw'}{'x' if folder else ''}"
        return f"{path} has the mode {found.st_mode & 0o777:o}: `chmod u+{mode} {path}`."
    return f"{path} belongs to {owner}, and this is {user}: run this as {owner}, or give it to {user} with chown."


def user_name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


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
