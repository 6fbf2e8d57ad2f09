"""How a table records what happens to it, to be stored before anybody is told."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.house import limits
from podium.house.table.events import Happening
from podium.house.table.face_down import Sealing
from podium.house.table.money import debts, lacking
from podium.house.table.state import TableState
from podium.play.events import (
    AnyEvent,
    HolePeeked,
    HoleTurned,
    TakesBack,
)
from podium.record.ledger import Account, Transfer
from podium.rules.asking import HoleCard, Peek


class Recorded(NamedTuple):
    """Something that happened, when, and the money that it moved."""

    happening: Happening
    at: int
    transfers: tuple[Transfer, ...] = ()


class RecordingTable(TableState):
    """A table that records its happenings. `recorded` collects what must be made durable before anybody is told of it."""

    def __init__(
        self,
        name: str,
        sealing: Sealing,
        *,
        snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
        holds: Callable[[Account], int] | None = None,
    ) -> None:
        """`holds` gives the balance of an account; without it, money that is taken back is never missing."""
        super().__init__(name, sealing)
        self._holds: Final = holds
        self._snapshot_every: Final = snapshot_every
        self.recorded: list[Recorded] = []
        """Happenings that are yet to be stored."""
        self.news: list[Happening] = []
        """Happenings that are yet to be shown."""

    def _record(self, happening: Happening, now: int) -> None:
        """Applies a happening, and keeps it to be stored."""
        transfers = self.apply(happening, now)
        if isinstance(happening, TakesBack):
            happening, transfers = self._with_debts(happening, transfers)
        self.recorded.append(Recorded(happening, now, transfers))
        self.news.append(happening)
        self._settle_at_once(now)
        self._look_at_face_down(now)

    def _settle_at_once(self, now: int) -> None:
        """MUB 7, MUB 8, MGB Dealing: what is settled while the round goes on is settled before anything else happens."""
        if self.between_rounds:
            return
        while (settled := self._money.next_settled(self.in_play)) is not None:
            self._record(settled, now)

    def _with_debts(self, event: AnyEvent, transfers: tuple[Transfer, ...]) -> tuple[AnyEvent, tuple[Transfer, ...]]:
        """Adds the debts for money that the event takes back and the accounts no longer hold: no credit is ever negative."""
        owed = lacking(transfers, self._holds) if self._holds is not None else {}
        if not owed or self.round is None:
            return event, transfers
        event = msgspec.structs.replace(event, owed=owed)
        self.round.events[-1] = event
        return event, (*debts(self.name, self.round_number, self.happened, owed), *transfers)

    def _look_at_face_down(self, now: int) -> None:
        """Peeks at a face-down card that the house knows, and turns it, as soon as the rules ask for it; until then its face is
        sealed (CARD-4, RNG-8)."""
        if not self._down or self.between_rounds or not isinstance(self.in_play.awaits, Peek | HoleCard):
            return
        hole = self.face_down
        if hole is None:
            return
        # CARD-1: a card entered wrongly elsewhere can be the last one of its kind; then a dealer must look and correct.
        with suppress(Refused):
            if isinstance(self.in_play.awaits, Peek):
                self._record(HolePeeked(self.in_play.dealing.would_see_blackjack(hole)), now)
            else:
                before = self._down.entered_before(self.shoe.order if self.shoe is not None else None)
                self._record(HoleTurned(hole, before), now)
