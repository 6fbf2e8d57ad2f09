"""The tables, once for every database: names, columns, order. Migrations and backups are made from this list."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from podium.record.store.interface import Damaged


class Columns(NamedTuple):
    """A table: its columns with their types, its key, and the order in which a backup lists it."""

    types: dict[str, str]
    key: str
    more: str = ""
    since: Mapping[str, int] = MappingProxyType({})
    """The schema that added a column, where that is not the first. Such columns are texts, empty in older rows."""
    added_by: int = 1
    """The schema that added the table."""

    @property
    def names(self) -> str:
        return ", ".join(self.types)

    def at(self, schema: int) -> dict[str, str]:
        """The columns that the table has in a schema."""
        return {name: kind for name, kind in self.types.items() if self.since.get(name, 1) <= schema}


TABLES: Final = {
    "journal": Columns(
        {
            "stream": "text",
            "sequence": "int",
            "time": "int",
            "kind": "text",
            "payload": "bytes",
            "money": "bytes",
            "previous": "bytes",
            "hash": "bytes",
        },
        key="stream, sequence",
    ),
    "transfers": Columns(
        {
            "position": "position",
            "id": "text",
            "stream": "text",
            "sequence": "int",
            "time": "int",
            "debit": "text",
            "credit": "text",
            "amount": "int",
            "kind": "text",
            '"table"': "text",
            "round": "text",
            "terminal": "text",
            "who": "text",
            "flow": "text",
        },
        key="position",
        more="UNIQUE (id), CHECK (amount > 0)",
        since={"flow": 2},
    ),
    # `guarded` marks the accounts that cannot be overdrawn.
    "balances": Columns({"account": "text", "amount": "int", "guarded": "int"}, key="account"),
    "documents": Columns(
        {"kind": "text", "key": "text", "version": "int", "time": "int", "body": "bytes"}, key="kind, key, version"
    ),
    # The last signed checkpoint of each stream, and the nodes of its tree that are complete (EVT-5).
    "checkpoints": Columns({"stream": "text", "size": "int", "time": "int", "note": "text"}, key="stream", added_by=3),
    "nodes": Columns(
        {"stream": "text", "level": "int", "number": "int", "hash": "bytes"}, key="stream, level, number", added_by=3
    ),
}

LEASE: Final = Columns(
    {
        "epoch": "int",
        "name": "text",
        "process": "text",
        "address": "text",
        "keys": "text",
        "since": "int",
        "until": "int",
    },
    key="epoch",
    added_by=4,
)
"""Which process owns the house; only where several can open the database at once. It is in no backup."""


def tables_at(schema: int) -> dict[str, Columns]:
    """The tables that a store of that schema has."""
    return {name: columns for name, columns in TABLES.items() if columns.added_by <= schema}


class Dialect(NamedTuple):
    """The type names of one database."""

    types: dict[str, str]
    clustered: str = ""
    more: tuple[str, ...] = ()
    several: bool = False
    """Whether several processes can open the database at once."""


def create_tables(dialect: Dialect) -> list[str]:
    """The statements that make a new store."""
    return [*_create(dialect, 1), *dialect.more]


def _create(dialect: Dialect, schema: int) -> list[str]:
    """The statements that make the tables that a schema added."""
    return [_create_one(dialect, name, columns) for name, columns in TABLES.items() if columns.added_by == schema]


def _create_one(dialect: Dialect, name: str, columns: Columns) -> str:
    parts = [f"{column} {dialect.types[kind]} NOT NULL" for column, kind in columns.at(columns.added_by).items()]
    parts += [f"PRIMARY KEY ({columns.key})", *([columns.more] if columns.more else [])]
    # A table whose key is a plain counter is kept in that order anyway.
    ordered = "" if "position" in columns.types.values() else dialect.clustered
    return f"CREATE TABLE {name} ({', '.join(parts)}) {ordered}".strip()


def add_flow(dialect: Dialect) -> list[str]:
    """Gives transfers a field for the flow they belong to; older ones have it in their id (`with_flow`)."""
    return [f"ALTER TABLE transfers ADD COLUMN flow {dialect.types['text']} NOT NULL DEFAULT ''"]


def add_checkpoints(dialect: Dialect) -> list[str]:
    """Makes every stream a transparency log; those of an older store begin with the entries that it has (EVT-5)."""
    return _create(dialect, 3)


def add_lease(dialect: Dialect) -> list[str]:
    """Notes in a database that several processes can open which of them may write; a file has a lock for that."""
    return [_create_one(dialect, "lease", LEASE)] if dialect.several else []


MIGRATIONS: Final[list[Callable[[Dialect], list[str]]]] = [create_tables, add_flow, add_checkpoints, add_lease]
"""From nothing to the first schema, from that to the second, and so on. Never change a step that was released."""


def schema_version() -> int:
    """The schema that this program writes; an older store is brought up to it when it is opened for writing."""
    return len(MIGRATIONS)


def check_schema(found: int) -> None:
    """Refuses a store that a newer program made."""
    if found > schema_version():
        raise Damaged(
            f"This store has schema {found}, made by a newer Podium than this one, which knows schema {schema_version()}."
            " Nothing was changed; use the newer program."
        )


def migrations_from(found: int, dialect: Dialect, to: int | None = None) -> list[str]:
    """The statements that bring a store of that schema up to date, or to another schema."""
    check_schema(found)
    return [statement for migration in MIGRATIONS[found:to] for statement in migration(dialect)]


def differences(found: Mapping[str, str], defined: Mapping[str, str]) -> list[str]:
    """How a database differs from its schema: a sentence for each object, by name and definition (EVT-4)."""
    strange = [
        f"The database has {name}, which the schema of a house does not define." for name in found.keys() - defined
    ]
    lacking = [f"The database lacks {name}, which the schema of a house defines." for name in defined.keys() - found]
    altered = [
        f"{name[:1].upper()}{name[1:]} is not as the schema of a house defines it."
        for name in found.keys() & defined
        if found[name] != defined[name]
    ]
    return sorted(strange) + sorted(lacking) + sorted(altered)
