"""The cashier's desk. A request that moves money happens once for its Idempotency-Key, however often it is sent."""

from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english, phrase
from podium.house import debts, electronic, ticketing, tipping
from podium.house.events import Noted
from podium.house.people import Person
from podium.house.tickets import Ticket, Validation
from podium.record.ledger import kind_of, names_of
from podium.server.approvals import Act
from podium.server.terminals import Who
from podium.server.web.cards import AccountCard, DebtCard, TicketCard, TicketNumber, account_card, ticket_card
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer


class PlayerName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player, by name or by the number of the card."""

    name: str = ""


class BuyIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cash for a player's credit."""

    name: str
    amount: int


class CashOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's credit for cash."""

    name: str
    amount: int
    approval: str = ""
    """A supervisor's code; needed above the limit of the house."""


class AttendantPay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player whose large win was paid by hand."""

    name: str


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction of a player's balance."""

    name: str
    amount: int
    """Above or below 0."""
    reason: str
    approval: str = ""
    """A supervisor's code."""


class ElectronicTransfer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Credit from or to a player's account elsewhere."""

    name: str
    amount: int
    reference: str
    """What the other system calls the transfer."""


class DebtPayment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's debt that is paid, in part or whole."""

    name: str
    amount: int
    in_cash: bool = False
    """In cash, instead of from the credit."""


class DebtForgiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A debt that the house forgives, in part or whole."""

    name: str
    amount: int
    reason: str
    approval: str = ""
    """A supervisor's code."""


class TipsPaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tips that the cage pays a dealer."""

    name: str
    """The dealer."""
    amount: int


class TipsCard(msgspec.Struct, frozen=True):
    """What a dealer was given and has not been paid."""

    name: str
    tips: int


class TicketSale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cash for a new ticket."""

    amount: int


class TicketVoid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket to make void."""

    number: str
    reason: str
    approval: str = ""
    """A supervisor's code."""


class Cashier:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._house: Final = reception.floor.house

    async def account(self, request: web.Request, _: Who, query: PlayerName) -> Answer[AccountCard]:
        """The account of a player: credit, and what an attendant has to pay."""
        self._check_known(query.name)
        return self._account(query.name)

    async def buy_in(self, request: web.Request, who: Who, asked: BuyIn) -> Answer[AccountCard]:
        """Turn cash into credit."""
        key = await self._reception.key(request, who)

        def pay_in(now: int) -> None:
            self._check_known(asked.name)
            self._house.admit(asked.name, "card", now)
            self._house.pay_in(asked.name, asked.amount, now, key=key, by=who.name, terminal=who.terminal)

        await self._floor.once(key, pay_in, asked.name)
        return self._account(asked.name)

    async def cash_out(self, request: web.Request, who: Who, asked: CashOut) -> Answer[AccountCard]:
        """Turn credit into cash; above the limit of the house with a supervisor's approval (CSH-1)."""
        key = await self._reception.key(request, who)

        def pay_out(now: int) -> None:
            self._check_known(asked.name)
            second = ""
            if asked.amount > self._house.config.cash_out_limit and self._house.asked(key) is None:
                self._house.check_cash_out(asked.name, asked.amount)
                said = phrase("act.cash-out", player=asked.name, amount=asked.amount)
                act = Act(who.name, asked.name, said, ("adjust",), asked.amount)
                second = self._second(act, asked.approval, now)
                reason, credit = f"a cash-out of {asked.amount} by {who.name}", self._house.credit(asked.name)
                after = str(credit - asked.amount)
                self._house.note(Noted("override", asked.name, second, reason, str(credit), after), now)
            details = {"by": who.name, "second": second, "terminal": who.terminal}
            self._house.pay_out(asked.name, asked.amount, now, key=key, **details)

        await self._floor.once(key, pay_out, asked.name)
        return self._account(asked.name)

    async def attendant_pay(self, request: web.Request, who: Who, asked: AttendantPay) -> Answer[AccountCard]:
        """Record that a large win was paid by hand, which unlocks the terminal (HP-1)."""
        key = await self._reception.key(request, who)

        def paid(now: int) -> None:
            self._check_known(asked.name)
            self._house.attendant_paid(asked.name, now, key=key, by=who.name, terminal=who.terminal)

        await self._floor.once(key, paid, asked.name)
        return self._account(asked.name)

    async def adjust(self, request: web.Request, who: Who, asked: Adjustment) -> Answer[AccountCard]:
        """Correct a balance, with a supervisor's approval (CSH-1)."""
        key = await self._reception.key(request, who)

        def adjusted(now: int) -> None:
            self._check_known(asked.name)
            said = phrase("act.adjust", player=asked.name, amount=asked.amount, reason=shortened(asked.reason))
            act = Act(who.name, asked.name, said, ("adjust",), asked.amount, asked.reason)
            second = "" if self._house.asked(key) else self._second(act, asked.approval, now)
            told = {"by": who.name, "second": second, "reason": asked.reason, "terminal": who.terminal}
            self._house.adjust(asked.name, asked.amount, now, key=key, **told)

        await self._floor.once(key, adjusted, asked.name)
        return self._account(asked.name)

    async def transfer_in(self, request: web.Request, who: Who, asked: ElectronicTransfer) -> Answer[AccountCard]:
        """Give credit for money that left the player's account elsewhere."""
        key = await self._reception.key(request, who)

        def came(now: int) -> None:
            self._check_known(asked.name)
            self._house.admit(asked.name, "card", now)
            told = {"by": who.name, "reference": asked.reference, "terminal": who.terminal}
            electronic.transfer_in(self._house, asked.name, asked.amount, now, key=key, **told)

        await self._floor.once(key, came, asked.name)
        return self._account(asked.name)

    async def transfer_out(self, request: web.Request, who: Who, asked: ElectronicTransfer) -> Answer[AccountCard]:
        """Send credit to the player's account elsewhere, never what is in play (CSH-2)."""
        key = await self._reception.key(request, who)

        def went(now: int) -> None:
            self._check_known(asked.name)
            told = {"by": who.name, "reference": asked.reference, "terminal": who.terminal}
            electronic.transfer_out(self._house, asked.name, asked.amount, now, key=key, **told)

        await self._floor.once(key, went, asked.name)
        return self._account(asked.name)

    async def pay_debt(self, request: web.Request, who: Who, asked: DebtPayment) -> Answer[AccountCard]:
        """Pay a debt from the credit or in cash."""
        key = await self._reception.key(request, who)

        def paid(now: int) -> None:
            told = {"by": who.name, "terminal": who.terminal}
            debts.pay_debt(self._house, asked.name, asked.amount, now, key=key, in_cash=asked.in_cash, **told)

        await self._floor.once(key, paid, asked.name)
        return self._account(asked.name)

    async def forgive_debt(self, request: web.Request, who: Who, asked: DebtForgiven) -> Answer[AccountCard]:
        """Forgive a debt, with a supervisor's approval (CSH-1)."""
        key = await self._reception.key(request, who)

        def forgiven(now: int) -> None:
            said = phrase("act.forgive-debt", player=asked.name, amount=asked.amount, reason=shortened(asked.reason))
            act = Act(who.name, asked.name, said, ("adjust",), asked.amount, asked.reason)
            second = "" if self._house.asked(key) else self._second(act, asked.approval, now)
            told = {"by": who.name, "second": second, "reason": asked.reason, "terminal": who.terminal}
            debts.forgive_debt(self._house, asked.name, asked.amount, now, key=key, **told)

        await self._floor.once(key, forgiven, asked.name)
        return self._account(asked.name)

    async def debts(self, request: web.Request, _: Who) -> Answer[list[DebtCard]]:
        """Everybody who owes the house money, the largest debt first."""
        owed = {names_of(name)[-1]: -amount for name, amount in self._house.ledger if kind_of(name) == "debt"}
        return answer(
            [DebtCard(name, debt) for name, debt in sorted(owed.items(), key=lambda item: (-item[1], item[0]))]
        )

    async def tips(self, request: web.Request, _: Who) -> Answer[list[TipsCard]]:
        """Every dealer with tips that are not paid yet."""
        owed = sorted((names_of(name)[-1], amount) for name, amount in self._house.ledger if kind_of(name) == "tips")
        return answer([TipsCard(name, amount) for name, amount in owed if not self._house.is_guest(name)])

    async def pay_tips(self, request: web.Request, who: Who, asked: TipsPaid) -> Answer[TipsCard]:
        """Pay a dealer's tips in cash."""
        key = await self._reception.key(request, who)

        def paid(now: int) -> None:
            told = {"by": who.name, "terminal": who.terminal}
            tipping.pay_tips(self._house, asked.name, asked.amount, now, key=key, **told)

        await self._floor.once(key, paid)
        return answer(TipsCard(asked.name, tipping.tips_of(self._house, asked.name)))

    async def issue(self, request: web.Request, who: Who, asked: TicketSale) -> Answer[TicketCard]:
        """Sell a ticket for cash."""
        key = await self._reception.key(request, who)
        drawn = self._reception.numbers.draw(key)
        ticket = await self._floor.once(
            key,
            lambda now: ticketing.sell(
                self._house, drawn, asked.amount, now, key=key, by=who.name, terminal=who.terminal
            ),
            ticket=drawn,
        )
        return answer(ticket_card(ticket, self._reception.numbers.number_of(ticket, key)))

    async def find_ticket(self, request: web.Request, who: Who, asked: TicketNumber) -> Answer[TicketCard]:
        """Look up a ticket: its value and its state. Nothing is paid."""
        async with self._reception.ticket_tried(request, who):
            shown = self._reception.numbers.shown(asked.number)
            return answer(ticket_card(ticketing.look_up(self._house, shown), shown.number))

    async def pay_ticket(self, request: web.Request, who: Who, asked: TicketNumber) -> Answer[TicketCard]:
        """Pay a ticket in cash, once (TKT-3)."""
        async with self._reception.ticket_tried(request, who):
            shown = self._reception.numbers.shown(asked.number)
            key = await self._reception.key(request, who, ticket=shown)
            ticket = await self._floor.once(
                key,
                lambda now: ticketing.pay(self._house, shown, now, key=key, by=who.name, terminal=who.terminal),
                ticket=shown,
            )
        return answer(ticket_card(ticket, shown.number))

    async def void_ticket(self, request: web.Request, who: Who, asked: TicketVoid) -> Answer[TicketCard]:
        """Make a ticket void that expired or was spoilt, and pay it, with a supervisor's approval."""

        def void(now: int, shown: Validation, key: str) -> Ticket:
            act = self._voiding(asked, who, shown)
            second = "" if act is None or self._house.asked(key) else self._second(act, asked.approval, now)
            told = {"by": who.name, "second": second, "reason": asked.reason, "terminal": who.terminal}
            return ticketing.take_back(self._house, shown, now, key=key, **told)

        async with self._reception.ticket_tried(request, who):
            shown = self._reception.numbers.shown(asked.number)
            key = await self._reception.key(request, who, ticket=shown)
            ticket = await self._floor.once(key, lambda now: void(now, shown, key), ticket=shown)
        return answer(ticket_card(ticket, shown.number))

    def _voiding(self, asked: TicketVoid, who: Who, shown: Validation) -> Act | None:
        """The act of making a ticket void, for a supervisor to approve; None if there is no such ticket."""
        found = ticketing.find(self._house, shown)
        if found is None:
            return None
        said = phrase("act.void-ticket", ending=found.ending, amount=found.amount, reason=shortened(asked.reason))
        return Act(who.name, found.key, said, ("adjust",), found.amount, asked.reason)

    def _second(self, act: Act, approval: str, now: int) -> str:
        """The second person, who approved this very act (CSH-1)."""
        return self._reception.doors.approve(act, approval, now, clause="CSH-1")

    def _check_known(self, name: str) -> None:
        person = self._house.shelf.find(Person, name)
        if name not in self._house.players and (person is None or person.role != "player"):
            raise Refused("player-unknown", name=shortened(name))

    def _account(self, name: str) -> Answer[AccountCard]:
        self._floor.show_credit(name)
        return answer(account_card(self._house, name, self._floor.clock()))


def routes(reception: Reception) -> list[AnyRoute]:
    cashier = Cashier(reception)
    return [
        DutyRoute("GET", "/api/cashier/account", cashier.account, ("cash",)),
        DutyRoute("POST", "/api/cashier/buy-in", cashier.buy_in, ("cash",)),
        DutyRoute("POST", "/api/cashier/cash-out", cashier.cash_out, ("cash",)),
        DutyRoute("POST", "/api/cashier/attendant-pay", cashier.attendant_pay, ("cash",)),
        DutyRoute("POST", "/api/cashier/adjustments", cashier.adjust, ("cash",)),
        DutyRoute("GET", "/api/cashier/tips", cashier.tips, ("cash", "adjust")),
        DutyRoute("POST", "/api/cashier/tips/pay", cashier.pay_tips, ("cash",)),
        DutyRoute("POST", "/api/transfers/in", cashier.transfer_in, ("transfer",)),
        DutyRoute("POST", "/api/transfers/out", cashier.transfer_out, ("transfer",)),
        DutyRoute("POST", "/api/cashier/debts/pay", cashier.pay_debt, ("cash",)),
        DutyRoute("POST", "/api/cashier/debts/forgive", cashier.forgive_debt, ("cash",)),
        DutyRoute("GET", "/api/cashier/debts", cashier.debts, ("cash", "adjust")),
        DutyRoute("POST", "/api/cashier/tickets", cashier.issue, ("cash",)),
        DutyRoute("POST", "/api/cashier/tickets/find", cashier.find_ticket, ("cash",)),
        DutyRoute("POST", "/api/cashier/tickets/pay", cashier.pay_ticket, ("cash",)),
        DutyRoute("POST", "/api/cashier/tickets/void", cashier.void_ticket, ("cash",)),
    ]


english(
    "refused",
    {
        "player-unknown": "No player is known here by the name {name:quoted}.",
    },
)
