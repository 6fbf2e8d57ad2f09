"""Backups: one file with a whole store, from any of the databases, which can be restored into any other (BAK-1, BAK-2).

The first line says what it is; then comes a line of JSON for every row, table by table in the order of the keys; the
last line has the number of rows and the SHA-256 of all bytes before it. The same content gives the same bytes, so two
stores are equal when their backups are.
"""

import base64
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from podium.record.store.disk import sync_directory
from podium.record.store.interface import Damaged
from podium.record.store.reading import Row
from podium.record.store.schema import TABLES, Columns, check_schema, tables_at

_FORMAT: Final = "podium-backup-1"
_ROWS_AT_ONCE: Final = 2_000
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder().decode


def backup_lines(select: Callable[[str], Iterable[Row]], schema: int) -> Iterator[bytes]:
    """All lines but the last, for a store of that schema. `select` must read from one consistent snapshot."""
    yield _encode({"format": _FORMAT, "schema": schema}) + b"\n"
    for name, columns in tables_at(schema).items():
        for row in select(f"SELECT {', '.join(columns.at(schema))} FROM {name} ORDER BY {columns.key}"):
            yield _encode([name, *row]) + b"\n"


def checksum_of(select: Callable[[str], Iterable[Row]], schema: int) -> str:
    """The checksum that a backup made now would have. Equal stores have equal checksums."""
    digest = sha256()
    for line in backup_lines(select, schema):
        digest.update(line)
    return digest.hexdigest()


def write_backup(to: Path, select: Callable[[str], Iterable[Row]], schema: int) -> str:
    """Writes a backup and returns its checksum. The file gets its name only when it is complete and on the disk."""
    digest, rows = sha256(), -1
    made = to.with_name(f"{to.name}.new")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        for line in backup_lines(select, schema):
            digest.update(line)
            file.write(line)
            rows += 1
        file.write(_encode({"rows": rows, "sha256": digest.hexdigest()}) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    made.rename(to)
    sync_directory(to.parent)
    return digest.hexdigest()


def check_backup(path: Path) -> str:
    """Reads a backup to its end and returns its checksum; raises `Damaged` if it is not what was written."""
    digest, rows, last = sha256(), -1, b""
    with path.open("rb") as file:
        for line in file:
            if last:
                digest.update(last)
                rows += 1
            last = line
    try:
        end = _decode(last)
        whole = isinstance(end, dict) and end == {"rows": rows, "sha256": digest.hexdigest()}
    except msgspec.DecodeError:
        whole = False
    if not whole:
        raise Damaged(f"{path} is not a whole backup: its last line does not match what stands before it.")
    return digest.hexdigest()


def backup_schema(path: Path) -> int:
    """The schema of the store that a backup was made from."""
    with path.open("rb") as file:
        head = _decode(file.readline())
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise Damaged(f"{path} is not a backup of a house.")
    schema = int(head["schema"])
    check_schema(schema)
    return schema


def read_backup(path: Path) -> Iterator[tuple[str, list[Row]]]:
    """The rows of a checked backup in batches, each with its table."""
    schema = backup_schema(path)
    with path.open("rb") as file:
        file.readline()
        rows = (row for row in map(_decode, file) if isinstance(row, list))
        for table, listed in groupby(rows, key=lambda row: str(row[0])):
            while some := list(islice(listed, _ROWS_AT_ONCE)):
                yield table, [_row(TABLES[table], row[1:], schema) for row in some]


def _row(columns: Columns, row: list[Any], schema: int) -> list[Any]:
    kinds = columns.at(schema).values()
    values = [base64.b64decode(value) if kind == "bytes" else value for value, kind in zip(row, kinds, strict=True)]
    return values + [""] * (len(columns.types) - len(kinds))
