"""Who owns a house in PostgreSQL: waiting to take it over, and keeping its lease while this process serves it (HA-1).

The lease is renewed by the event loop, so a process that hangs loses it like one that is dead.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, time
from typing import TYPE_CHECKING, Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.store import Away, Fenced, Lease, Unavailable, watch_lease
from podium.record.store.keys import KeySource, read_keys
from podium.record.store.lease import LEASE_MS
from podium.server.log import log

if TYPE_CHECKING:
    from podium.record.store.postgres import LeaseWatch

LEASE_SECONDS: Final = LEASE_MS / 1_000
RENEW_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 0.5
"""Seconds between two looks of a process that waits."""
MAX_CLOCK_SECONDS: Final = 1.0
"""How far apart the clocks of this machine and of the database may be before it is logged: deadlines depend on the
clock."""


class LeaseEnded(Unavailable):
    """The lease could not be renewed before its end: another process may own the house by now."""


class Tenure:
    """Keeps the lease of a house while its process serves it."""

    def __init__(self, renew: Callable[[], None], *, gives_way: bool) -> None:
        """`gives_way`: if the lease could not be renewed in time, this process stops serving, because another one may
        have begun to. Otherwise it stops only when another one has."""
        self._renew: Final = renew
        self._gives_way: Final = gives_way
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Fails when this process must stop serving."""

    async def run(self) -> None:
        thread = ThreadPoolExecutor(1, thread_name_prefix="podium-lease")
        try:
            await self._keep(thread)
        finally:
            thread.shutdown(wait=False)  # it may wait for a database that does not answer

    async def _keep(self, thread: ThreadPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        began, ends = loop.time(), loop.time() + LEASE_SECONDS
        renewing: asyncio.Future[None] | None = None
        while not self.lost.done():
            if renewing is None:
                began, renewing = loop.time(), loop.run_in_executor(thread, self._renew)
            await asyncio.wait({renewing}, timeout=RENEW_SECONDS)
            done = renewing.done()
            if done and self._is_renewed(renewing):
                ends = began + LEASE_SECONDS
            elif self._gives_way and loop.time() > ends:
                self._lose(
                    LeaseEnded("The lease was not renewed in time: another process may have taken the house over.")
                )
            renewing = None if done else renewing
            await asyncio.sleep(max(0, began + RENEW_SECONDS - loop.time()))

    def _is_renewed(self, renewing: "asyncio.Future[None]") -> bool:
        try:
            renewing.result()
        except Fenced as fenced:
            self._lose(fenced)
        except Away as away:
            log.warning("the lease was not renewed", reason=str(away))
        except Exception as error:  # whatever it is, this process cannot know that it still owns the house
            self._lose(error)
        else:
            return True
        return False

    def _lose(self, why: Exception) -> None:
        if not self.lost.done():
            self.lost.set_exception(why)


class Standby:
    """A process that waits to take a house over."""

    def __init__(self, database: str, keys: KeySource, told: Callable[[Lease], None]) -> None:
        """`told` is called once with the lease of each other process."""
        self._database: Final = database
        self._keys: Final = keys
        self._told: Final = told
        self._watch: LeaseWatch | None = None
        self._watched_since = 0.0
        self._epoch: int | None = None
        self._owner = ""

    async def wait(self) -> str:
        """Waits until the house has no owner; returns the process that owned it meanwhile, if one did."""
        try:
            while True:
                try:
                    if await asyncio.to_thread(self._is_free):
                        return self._owner
                except Away as away:
                    self._close()
                    log.warning("the database does not answer", reason=str(away))
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._close()

    def _is_free(self) -> bool:
        if self._watch is None:
            self._watch = watch_lease(self._database, waits=True)
            self._watched_since = monotonic()
        lease = self._watch.lease()
        if lease is None:
            return True
        own = read_keys(self._keys).digest
        if lease.is_over:
            # After the database was away, its owner must have had the time to renew the lease.
            return lease.until == 0 or monotonic() - self._watched_since > LEASE_SECONDS
        if lease.keys != own:
            raise Refused("standby-other-keys", process=lease.process, clause="SEC-7")
        if lease.epoch != self._epoch:
            self._epoch, self._owner = lease.epoch, lease.process
            apart = abs(time() - lease.now / 1_000)
            if apart > MAX_CLOCK_SECONDS:
                log.warning("the clocks of this machine and of the database differ", seconds=round(apart, 1))
            self._told(lease)
        return False

    def _close(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None


english(
    "refused",
    {
        "standby-other-keys": (
            "{process} serves this house with other keys: copy all of its keys to this machine, or name them with --keys."
        ),
    },
)
