"""What a player asks besides the table: cash out, redeem a ticket, see shoes prove themselves."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import ticketing
from podium.house.house import stream_of
from podium.house.table.events import EndedShoe
from podium.house.table.shoes import proof_of
from podium.house.tickets import Ticket, read_number, shown_number, ticket_key
from podium.record.journal import Entry
from podium.record.store import Reading, read_stream
from podium.server.terminals import Who
from podium.server.web.reception import AnyRoute, DutyRoute, Reception, Route, answer


class Number(msgspec.Struct, forbid_unknown_fields=True):
    number: str


class PlayerDesk:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor

    async def cash_out(self, request: web.Request, who: Who) -> web.Response:
        """The whole credit as a ticket; not with wagers in play (CSH-2)."""
        key = self._reception.key(request, who)
        number = self._reception.ticket_number(key)
        house = self._floor.house
        ticket = await self._floor.once(
            key,
            lambda now: ticketing.cash_out(house, who.name, number, now, key=key, terminal=who.terminal),
            who.name,
            ticket=ticket_key(number),
        )
        self._floor.show_credit(who.name)
        return answer(printed(ticket, number))

    async def redeem(self, request: web.Request, who: Who) -> web.Response:
        """The ticket of that `number` becomes credit; it does so once (TKT-3)."""
        asked = await self._reception.read(request, Number)
        key = self._reception.key(request, who)
        house = self._floor.house
        async with self._reception.ticket_tried(request, who):
            await self._floor.once(
                key,
                lambda now: ticketing.redeem(house, who.name, asked.number, now, key=key, terminal=who.terminal),
                who.name,
                ticket=ticket_key(read_number(asked.number)),
            )
        self._floor.show_credit(who.name)
        return answer({"name": who.name, "credit": house.credit(who.name), "locked": house.held(who.name)})

    async def shoes(self, request: web.Request) -> web.Response:
        """The shoes of a `table` that have ended, the newest first."""
        table = self._floor.house.table(request.query.get("table", ""))
        ended = sorted(table.shoes.values(), reverse=True)
        return answer([shoe_card(shoe) for shoe in ended[:50]])

    async def proof(self, request: web.Request) -> web.Response:
        """All that a `shoe` of a `table` published, and the cards that were dealt from it (RNG-10, docs/fairness.md)."""
        table = self._floor.house.table(request.query.get("table", ""))
        number = request.query.get("shoe", "")
        shoe = table.shoes.get(int(number) if number.isdecimal() else 0)
        if shoe is None:
            raise Refused("shoe-not-ended", shoe=shortened(number), table=table.name)
        stream = stream_of(table.name)
        return answer(await self._reception.reading(lambda book: proof_of(shoe, part_of(book, stream, shoe))))


def part_of(book: Reading, stream: str, shoe: EndedShoe) -> Iterator[Entry]:
    """The journal of a table from the shuffle of a shoe to its end."""
    for entry in read_stream(book, stream, shoe.first - 1):
        yield entry
        if entry.sequence >= shoe.last:
            break


def shoe_card(shoe: EndedShoe) -> dict[str, Any]:
    return {"number": shoe.number, "cards": shoe.cards, "rounds": shoe.rounds, "commitment": shoe.commitment}


def printed(ticket: Ticket, number: str) -> dict[str, Any]:
    """What stands on the paper (TKT-1)."""
    return {
        "number": shown_number(number),
        "amount": ticket.amount,
        "site": ticket.site,
        "play_money": ticket.site == ticketing.PLAY_MONEY,
        "issued": ticket.issued,
        "expires": ticket.expires,
        "terminal": ticket.terminal,
        "state": ticket.state,
    }


def routes(reception: Reception) -> list[AnyRoute]:
    player = PlayerDesk(reception)
    return [
        DutyRoute("POST", "/api/cash-out", player.cash_out, ("bet",)),
        DutyRoute("POST", "/api/redeem", player.redeem, ("bet",)),
        Route("GET", "/api/shoes", player.shoes),
        Route("GET", "/api/proof", player.proof),
    ]


english("refused", {"shoe-not-ended": "No shoe {shoe:quoted} has ended at {table}."})
