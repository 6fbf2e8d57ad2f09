"""What a player asks for away from the table: cash out, redeem a ticket, check the shoes that have ended."""

from collections import OrderedDict
from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import ticketing
from podium.house.table.events import EndedShoe
from podium.house.table.shoes import DealtProof
from podium.server import limits
from podium.server.clerks.questions import MAX_NUMBER_DIGITS, ProveShoe
from podium.server.terminals import Who
from podium.server.web.cards import AccountCard, Done, TicketCard, TicketNumber, account_card, ticket_card
from podium.server.web.reception import ARRIVAL, Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, Route, answer
from podium.wire.commands import Counted

MAX_SHOES_LISTED: Final = 50


class ShoesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table whose shoes are listed."""

    table: str = ""


class ProofQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shoe that has ended."""

    table: str = ""
    shoe: str = ""
    """Its number at the table."""


class ShoeCard(msgspec.Struct, frozen=True):
    """A shoe that has ended."""

    number: int
    cards: int
    rounds: tuple[int, int]
    """The first and the last round dealt from it; 0 and 0 if none was."""
    commitment: str
    kept_back: tuple[str, ...]
    """The seats that kept their numbers back: the shoe was discarded undealt."""


class NoticeForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notice of a reopened round that the player has read."""

    table: str
    round: Counted
    telling: Counted


class PlayerDesk:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._proofs: Final[OrderedDict[tuple[str, int, int], bytes]] = OrderedDict()
        """The proofs that were asked for last, by table, number and last entry: what has ended does not change."""

    async def cash_out(self, request: web.Request, who: Who) -> Answer[TicketCard]:
        """Turn the whole credit into a ticket; refused while wagers are in play (CSH-2)."""
        key = await self._reception.key(request, who)
        drawn = self._reception.numbers.draw(key)
        house = self._floor.house
        ticket = await self._floor.once(
            key,
            lambda now: ticketing.cash_out(house, who.name, drawn, now, key=key, terminal=who.terminal),
            who.name,
            ticket=drawn,
        )
        self._floor.show_credit(who.name)
        return answer(ticket_card(ticket, self._reception.numbers.number_of(ticket, key)))

    async def redeem(self, request: web.Request, who: Who, asked: TicketNumber) -> Answer[AccountCard]:
        """Turn a ticket into credit, once (TKT-3)."""
        house = self._floor.house
        async with self._reception.ticket_tried(request, who):
            shown = self._reception.numbers.shown(asked.number)
            key = await self._reception.key(request, who, ticket=shown)
            await self._floor.once(
                key,
                lambda now: ticketing.redeem(house, who.name, shown, now, key=key, terminal=who.terminal),
                who.name,
                ticket=shown,
            )
        self._floor.show_credit(who.name)
        return answer(account_card(house, who.name, self._floor.clock()))

    async def read_notice(self, request: web.Request, who: Who, asked: NoticeForm) -> Answer[Done]:
        """Mark the notice of a reopened round as read; harmless if it is already (VOID-4)."""
        name, told = self._floor.house.table(asked.table).name, (asked.round, asked.telling)

        def read(now: int) -> None:
            table = self._floor.house.table(name)
            if any((each.round, each.telling) == told for each in table.tellings.unread.get(who.name, ())):
                table.read_notice(who.name, *told, now)

        await self._floor.at_table(name, read)
        return answer(Done())

    async def shoes(self, request: web.Request, query: ShoesQuery) -> Answer[list[ShoeCard]]:
        """The shoes of a table that have ended, the newest first."""
        table = self._floor.house.table(query.table)
        ended = sorted(table.shoes.values(), reverse=True)
        kept_back = table.cutting.kept_back
        return answer([shoe_card(shoe, kept_back.get(shoe.number, ())) for shoe in ended[:MAX_SHOES_LISTED]])

    async def proof(self, request: web.Request, query: ProofQuery) -> Answer[DealtProof]:
        """Everything that a shoe published, and the cards that were dealt from it (RNG-10, docs/fairness.md)."""
        table = self._floor.house.table(query.table)
        shoe = table.shoes.get(int(query.shoe) if query.shoe.isdecimal() and len(query.shoe) < MAX_NUMBER_DIGITS else 0)
        if shoe is None:
            raise Refused("shoe-not-ended", shoe=shortened(query.shoe), table=table.name)
        key = table.name, shoe.number, shoe.last
        found = self._proofs.get(key)
        if found is None:
            read = await self._reception.read(ProveShoe(table.name, shoe), request[ARRIVAL].counted_as)
            if not isinstance(read.body, bytes):  # a long one is not kept in memory
                return read
            found = read.body
        self._proofs[key] = found
        self._proofs.move_to_end(key)
        while len(self._proofs) > limits.MAX_KNOWN_PROOFS:
            self._proofs.popitem(last=False)
        return Answer(body=found, content_type="application/json")


def shoe_card(shoe: EndedShoe, kept_back: tuple[str, ...]) -> ShoeCard:
    return ShoeCard(shoe.number, shoe.cards, shoe.rounds, shoe.commitment, kept_back)


def routes(reception: Reception) -> list[AnyRoute]:
    player = PlayerDesk(reception)
    return [
        DutyRoute("POST", "/api/cash-out", player.cash_out, ("bet",)),
        DutyRoute("POST", "/api/redeem", player.redeem, ("bet",)),
        DutyRoute("POST", "/api/notices/read", player.read_notice, ("bet",)),
        Route("GET", "/api/shoes", player.shoes),
        Route("GET", "/api/proof", player.proof),
    ]


english("refused", {"shoe-not-ended": "No shoe {shoe:quoted} has ended at {table}."})
