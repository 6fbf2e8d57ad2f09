"""The lease of a house in a database that several processes can reach: one of them may write (HA-1).

The database has one row: an epoch, which process owns the house, and when its lease ends by the database's own clock. Whoever
takes the house over raises the epoch. Every write holds the row with its own epoch until it is committed, so a process that
was paused or cut off and comes back cannot write. Renewing changes no key of the row: no write waits for it.
"""

import os
import socket
from time import monotonic, sleep
from typing import Final, NamedTuple

from podium.record.store.interface import Fenced, Unavailable
from podium.record.store.reading import Query
from podium.record.store.schema import LEASE

LEASE_MS: Final = 5_000
"""Milliseconds after which a lease ends that nobody has renewed."""
LOCK_SECONDS: Final = 10
"""Seconds in which the connections of a house that has just ended must be gone."""

_SERVING: Final = 0x484F5553
"""The advisory lock that the writing connection of a house holds."""
_NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_WAITS: Final = "podium waits "
_NAME_CHARS: Final = 63
"""The longest name of a connection."""


class InUse(Unavailable):
    """Another process has this house open."""


class Superseded(Fenced):
    """Another process has taken this house over: this one must stop."""


class Owner(NamedTuple):
    """How a process describes itself when it takes a house."""

    address: str = ""
    """The address at which its terminals reach it."""
    keys: str = ""
    """A digest of the ids of its keys: whoever takes over needs the same ones."""


NOBODY: Final = Owner()


class Lease(NamedTuple):
    """Who owns a house, as the database says."""

    epoch: int
    name: str
    """The name of its connections."""
    process: str
    """Machine and process id."""
    address: str
    keys: str
    since: int
    until: int
    """When it ends, in milliseconds; 0 when it was given back."""
    now: int
    """When this was read, by the database's clock."""
    connected: bool
    """Whether the owner has a connection to this database."""

    @property
    def is_over(self) -> bool:
        return self.until <= self.now


class Waits(NamedTuple):
    """A process that waits to take a house over."""

    process: str
    since: int


def this_process() -> str:
    """This process, as others read it: machine and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


def waiting_name() -> str:
    """The name of the connection of a process that waits."""
    return f"{_WAITS}{this_process()}"[:_NAME_CHARS]


def find_lease(query: Query) -> Lease | None:
    """The lease; None in a database that never had one."""
    [[there]] = query("SELECT to_regclass('lease') IS NOT NULL")
    if not there:
        return None
    rows = query(
        f"SELECT {LEASE.names}, {_NOW}, EXISTS (SELECT 1 FROM pg_stat_activity AS a WHERE a.application_name = lease.name"
        " AND a.datname = current_database()) FROM lease"
    )
    return Lease(*rows[0]) if rows else None


def find_waiting(query: Query) -> list[Waits]:
    """The processes that wait, in the order in which they came."""
    rows = query(
        "SELECT application_name, (extract(epoch FROM backend_start) * 1000)::bigint FROM pg_stat_activity"
        " WHERE datname = current_database() AND starts_with(application_name, ?) ORDER BY backend_start",
        _WAITS,
    )
    return [Waits(name.removeprefix(_WAITS), since) for name, since in rows]


class Tenancy:
    """The lease as one process takes and keeps it."""

    def __init__(self, name: str, owner: Owner) -> None:
        self.name: Final = name
        """The name of the process's connections, by which it knows one that it has lost."""
        self._owner: Final = owner
        self.epoch = 0
        """The epoch in which this process owns the house; 0 before it has taken it."""

    def lock(self, query: Query) -> None:
        """Makes this connection the only one that writes for the house; the lock ends with it.

        A lost connection of our own may still hold the lock until the server notices, and so may that of an owner whose
        lease is over: both are ended, and what they had not committed is gone.
        """
        until = monotonic() + LOCK_SECONDS
        while True:
            lease = find_lease(query)
            if self.epoch and (lease is None or lease.epoch != self.epoch):
                raise superseded(lease)
            others = lease is not None and lease.connected and not lease.is_over and lease.name != self.name
            if not others and query("SELECT pg_try_advisory_lock(?)", _SERVING)[0][0]:
                return
            ended = {self.name, lease.name} if lease is not None and lease.is_over else {self.name}
            holders = _holders(query)
            for pid, holder, _, _ in holders:
                if holder in ended:
                    query("SELECT pg_terminate_backend(?)", pid)
            if monotonic() > until and (holders or others):
                raise InUse(_in_use(holders, lease))
            sleep(0.1)

    def take(self, query: Query) -> None:
        """Begins a new epoch, once the lock is held: the process that wrote before no longer can."""
        rest = self.name, this_process(), self._owner.address, self._owner.keys
        ends = f"{_NOW}, {_NOW} + {LEASE_MS}"
        found = query(
            f"UPDATE lease SET ({LEASE.names}) = ROW (epoch + 1, ?, ?, ?, ?, {ends}) RETURNING epoch", *rest
        ) or query(f"INSERT INTO lease ({LEASE.names}) VALUES (1, ?, ?, ?, ?, {ends}) RETURNING epoch", *rest)
        self.epoch = found[0][0]

    def hold(self, query: Query) -> None:
        """In a transaction that writes: nobody can take the house over before it ends. Raises `Superseded` if somebody has."""
        if not query("SELECT 1 FROM lease WHERE epoch = ? FOR KEY SHARE", self.epoch):
            raise superseded(find_lease(query))

    def renew(self, query: Query) -> None:
        """Extends the lease by its full time from now, even one that had ended, unless somebody has taken it."""
        if not query(f"UPDATE lease SET until = {_NOW} + {LEASE_MS} WHERE epoch = ? RETURNING 1", self.epoch):
            raise superseded(find_lease(query))

    def give_back(self, query: Query) -> None:
        """Ends the lease now, so that nobody has to wait for its end."""
        query("UPDATE lease SET until = 0 WHERE epoch = ? RETURNING 1", self.epoch)


def superseded(lease: Lease | None) -> Superseded:
    by = "Another process" if lease is None else f"{lease.process} (epoch {lease.epoch})"
    return Superseded(f"{by} has taken this house over: this process can no longer write, and stops serving.")


def _holders(query: Query) -> list[tuple[int, str, str, object]]:
    """The connections that hold the lock."""
    return query(
        "SELECT a.pid, a.application_name, coalesce(host(a.client_addr), 'this machine'), a.backend_start"
        " FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid) WHERE l.locktype = 'advisory' AND l.granted"
        " AND l.classid = 0 AND l.objid = ? AND a.datname = current_database()",
        _SERVING,
    )


def _in_use(holders: list[tuple[int, str, str, object]], lease: Lease | None) -> str:
    who = f"{lease.process} has its lease" if lease is not None and not holders else ""
    for _, _, host, since in holders[:1]:
        who = f"it has been connected from {host} since {since:%Y-%m-%d %H:%M}"
    return (
        f"Another house serves from this database: {who}. Stop it first, start this one with --standby to wait for its end, or"
        " give this house a database of its own."
    )
