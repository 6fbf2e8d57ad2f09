"""The command line: JSON alone on standard output, sentences on standard error.

Exit codes: 0 done, 1 a check found a difference or a run failed, 2 bad input or usage. A command's own module is
loaded when it is called, so that no command loads what only another one needs.

Touches the terminal and what its commands open.
"""

import errno
import os
import sys

from typer.exceptions import Abort, TyperException

from podium.basics.refusal import Refused
from podium.cli.app import app

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
"""The exit code of a program that was ended with Ctrl-C."""


def main() -> None:
    """`podium ...`"""
    if sys.stdout is None:  # the shell closed it
        print("There is no standard output to write to.", file=sys.stderr)
        sys.exit(FAILED)
    if hasattr(sys.stdout, "reconfigure"):
        # A terminal that cannot display a suit gets a question mark instead of an error.
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command; returns its exit code."""
    try:
        code = app(arguments, prog_name="podium", standalone_mode=False)
        sys.stdout.flush()
    except (Refused, TyperException) as error:
        return _complain(error)
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        return _give_up_output()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        print(f"Not everything could be written: {os.strerror(error.errno).lower()}.", file=sys.stderr)
        return _give_up_output()
    return int(code or 0)


def _give_up_output() -> int:
    """Silences standard output when its reader is gone; otherwise Python complains when it flushes the rest."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _complain(error: Refused | TyperException) -> int:
    """Prints a refusal on standard error."""
    said = str(error) if isinstance(error, Refused) else _usage(error)
    # It repeats what the user wrote, which must not control the terminal.
    print("".join(sign if sign.isprintable() or sign == "\n" else " " for sign in said), file=sys.stderr)
    return BAD_INPUT


def _usage(error: TyperException) -> str:
    said = error.format_message().rstrip()
    said = said if said.endswith((".", "?")) else f"{said}."
    context = getattr(error, "ctx", None)
    if context is None or "--help" in said:
        return said
    return f"{said} Try: {context.command_path} --help"
