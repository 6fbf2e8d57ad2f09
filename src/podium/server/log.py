"""The log of the server: JSON lines on standard error, from the level in PODIUM_LOG on (debug, info, warning; default info).

It records requests and their outcome. It never contains a token, a password, a ticket's number, a query string or a
card: log calls pass plain facts, and the values of these keys are always redacted. There is no other log: warnings and
errors of the libraries (asyncio, aiohttp, picows) become lines of this one.
"""

import logging
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

import structlog

SECRET: Final = frozenset({"token", "password", "number", "cookie", "code", "approval", "cards", "card"})

LEVEL: Final = level if (level := os.environ.get("PODIUM_LOG", "")) in ("debug", "info", "warning", "error") else "info"


def strike_out(_: Any, __: str, fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {key: "(not logged)" if key in SECRET else value for key, value in fields.items()}


structlog.configure(
    processors=[
        strike_out,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(),
    ],
    wrapper_class=structlog.make_filtering_bound_logger(LEVEL),
    # Looked up each time, because a test may have replaced the stream.
    logger_factory=lambda *_: structlog.WriteLogger(sys.stderr),
)

log: Final[structlog.stdlib.BoundLogger] = structlog.get_logger("podium")


def place_of(error: BaseException) -> str:
    """The type of an error and its place, never its message, which may contain secrets."""
    frames = extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


class LibraryLines(logging.Handler):
    """Turns records of Python's own logging, which the libraries use, into lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            log.log(record.levelno, record.getMessage(), library=record.name, exc_info=record.exc_info)
        except Exception:
            self.handleError(record)


def log_libraries() -> None:
    """Routes the logging of the libraries in this process to the log."""
    root = logging.getLogger()
    if not any(isinstance(handler, LibraryLines) for handler in root.handlers):
        root.addHandler(LibraryLines())
