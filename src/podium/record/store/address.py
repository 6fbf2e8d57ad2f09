"""Addresses of PostgreSQL databases, which may hold a password that nobody else may see (SEC-7)."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_SECRETS: Final = ("password", "sslpassword")
_HIDDEN: Final = "***"


def is_address(where: str) -> bool:
    """Whether this is the address of a PostgreSQL database."""
    return where.startswith(("postgresql://", "postgres://"))


def has_password(address: str) -> bool:
    """Whether an address holds a password, before the host or among its parameters."""
    return bool(_passwords(address))


def _passwords(address: str) -> list[str]:
    """The passwords in an address, as written and as meant."""
    authority = re.match(r"[a-z]+://([^/?#]*)@", address)
    written = [authority[1].partition(":")[2]] if authority else []
    query = urlsplit(address).query
    written += [value for name, value in parse_qsl(query, keep_blank_values=True) if name in _SECRETS]
    return [each for each in dict.fromkeys([*written, *map(unquote, written)]) if each]


def masked(text: str, address: str) -> str:
    """A sentence about an address, without its passwords."""
    for password in sorted(_passwords(address), key=len, reverse=True):
        text = text.replace(password, _HIDDEN)
    return text
