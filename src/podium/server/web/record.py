"""The record itself: proved and backed up while the house is open."""

from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.verify import Difference
from podium.record.store import Damaged
from podium.server.terminals import Who
from podium.server.vigil import Vigil
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer


class RecordProof(msgspec.Struct, frozen=True):
    """How much of the record was proved."""

    entries: int
    transfers: int
    documents: int
    """Versions of people, sessions, tickets and terminals."""
    tickets: int
    rounds: int
    """Rounds replayed to the same settlement and the same transfers."""
    shoes: int
    """Shuffles that were revealed."""
    heads: dict[str, str]
    """By stream: the number and the hash of its last entry."""


class BackupCard(msgspec.Struct, frozen=True):
    """A backup that was written and read back."""

    file: str
    bytes: int
    sha256: str


class Record:
    def __init__(self, vigil: Vigil) -> None:
        self._vigil: Final = vigil

    async def prove(self, request: web.Request, who: Who) -> Answer[RecordProof]:
        """Prove the whole record, as `podium verify` does; a difference is noted, and stops play (EVT-1, INT-5)."""
        try:
            verified = await self._vigil.prove(who.name)
        except (Difference, Damaged) as difference:
            raise Refused("record-differs", difference=str(difference)) from None
        return answer(
            RecordProof(
                entries=verified.store.entries,
                transfers=verified.store.transfers,
                documents=verified.documents,
                tickets=verified.tickets,
                rounds=verified.rounds,
                shoes=verified.shoes,
                heads={stream: f"{head.sequence} {head.hash.hex()}" for stream, head in verified.heads.items()},
            )
        )

    async def back_up(self, request: web.Request, who: Who) -> Answer[BackupCard]:
        """Write a backup beside the book (BAK-1)."""
        return answer(BackupCard(*await self._vigil.back_up(who.name)))


def routes(reception: Reception) -> list[AnyRoute]:
    record = Record(reception.vigil)
    return [
        DutyRoute("POST", "/api/record/proof", record.prove, ("audit",)),
        DutyRoute("POST", "/api/record/backups", record.back_up, ("configure",)),
    ]


english("refused", {"record-differs": "The record does not prove itself: {difference}"})
