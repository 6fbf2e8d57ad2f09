"""What was asked for by whom, and what the journal holds of it: nothing happens unless somebody asked for it who
may."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from podium.house.events import MoneyMoved
from podium.house.events import decode as decode_house
from podium.house.state import HOUSE
from podium.record.journal import Entry
from podium.wire import commands

Claim = tuple[str, ...]
"""What somebody asked for, in the terms in which the journal tells it."""

MOVES = {
    "/api/cashier/buy-in": "cash-in",
    "/api/cashier/cash-out": "cash-out",
    "/api/cashier/attendant-pay": "win-handed",
    "/api/cashier/adjustments": "adjustment",
    "/api/cashier/tips/pay": "tip-paid",
    "/api/cashier/debts/pay": "debt-paid",
    "/api/cashier/debts/forgive": "debt-forgiven",
    "/api/transfers/in": "electronic-in",
    "/api/transfers/out": "electronic-out",
    "/api/cashier/tickets": "ticket-sold",
    "/api/cashier/tickets/pay": "ticket-cashed",
    "/api/cashier/tickets/void": "ticket-cashed",
    "/api/cash-out": "ticket-out",
    "/api/redeem": "ticket-in",
    "/api/sign-in/ticket": "ticket-in",
}
"""The requests that move money, and what the journal calls it."""
OWN = ("ticket-out", "ticket-in")
"""Moves that players ask for themselves."""


class Found(AssertionError):
    """The house did something that it must not do."""


def command_claim(who: str, command: commands.AnyCommand) -> Claim | None:
    """What a command of a person claims; None for those that leave nothing with a name in the journal."""
    match command:
        case commands.PlaceBet():
            placed = (sorted(command.wagers.items()), sorted(command.for_dealer.items()), list(command.spots))
            return ("bet", who, str(command.round), json.dumps(placed))
        case commands.Decide():
            return ("decide", who, str(command.round), command.decision)
        case commands.Join() | commands.Leave() | commands.TakePlace() | commands.LeavePlace():
            return (str(command.__struct_config__.tag), who)
    return None


def request_claim(who: str, path: str, body: dict[str, Any]) -> Claim | None:
    """What a request of a person claims; None for those that move no money."""
    what = MOVES.get(path)
    if what is None:
        return None
    if path == "/api/sign-in/ticket":
        return (what, "")
    # Tips belong to no player: the journal has the dealer as the reason.
    player = who if what in OWN else "" if what == "tip-paid" else str(body.get("name", ""))
    amount = str(abs(body["amount"])) if "amount" in body else ""
    return (what, "" if what in OWN else who, player, amount)


class Claims:
    """Everything that was asked for, on disk before it is sent, so that a run can be taken up again."""

    def __init__(self, file: Path) -> None:
        self.asked: set[Claim] = set()
        self.done: set[Claim] = set()
        """What the house said is done."""
        if file.exists():
            for line in file.read_text().splitlines():
                kind, *claim = json.loads(line)
                (self.asked if kind == "asked" else self.done).add(tuple(claim))
        self._file = file.open("a", buffering=1)

    def ask(self, claim: Claim | None) -> None:
        if claim is not None and claim not in self.asked:
            self.asked.add(claim)
            self._file.write(json.dumps(["asked", *claim]) + "\n")

    def answered(self, claim: Claim | None) -> None:
        if claim is not None and claim not in self.done:
            self.done.add(claim)
            self._file.write(json.dumps(["done", *claim]) + "\n")

    def close(self) -> None:
        self._file.close()

    # --- against the journal ----------------------------------------------------------------------------------------

    def check_desk(self, entries: Iterable[Entry], guest_credit: int) -> Counter[str]:
        """Checks that every movement at the desk was asked for, with that player and that amount. Returns how many
        there were of each kind."""
        moved: Counter[str] = Counter()
        for entry in entries:
            if entry.stream != HOUSE:
                continue
            event = decode_house(entry.payload)
            if isinstance(event, MoneyMoved):
                moved[event.what] += 1
                if not self._was_asked(event, entry, guest_credit):
                    raise Found(f"nobody asked for {event}")
        return moved

    def _was_asked(self, event: MoneyMoved, entry: Entry, guest_credit: int) -> bool:
        [transfer] = entry.transfers
        if transfer.id == f"welcome.{event.player}":
            return event.amount == guest_credit and event.by == "house"
        if transfer.id.startswith(f"goodbye.{event.player}."):
            return event.by == "house"
        if event.what == "ticket-in":
            return bool({(event.what, "", event.player, ""), (event.what, "")} & self.asked)
        if event.what == "ticket-out":
            return (event.what, "", event.player, "") in self.asked
        if event.what in ("ticket-cashed", "win-handed"):
            return (event.what, event.by, event.player, "") in self.asked
        return (event.what, event.by, event.player, str(event.amount)) in self.asked

    def check_tables(self, facts: Counter[tuple[Any, ...]], hostile: set[str], bots: set[str]) -> None:
        """Checks that every bet, decision and seat of a person was that person's own doing, and that what was
        acknowledged is there."""
        stored: set[Claim] = set()
        for fact in facts:
            claim = _claim_of(fact)
            if claim is None:
                continue
            stored.add(claim)
            if claim[1] not in bots and claim not in self.asked:
                raise Found(f"{claim[1]} never asked for {fact}")
        for claim in self.done:
            if (
                claim[0] in ("bet", "decide", "join")
                and claim[1] in hostile
                and claim not in stored
                and _matters(claim)
            ):
                raise Found(f"{claim} was acknowledged, and is not in the journal")


def _claim_of(fact: tuple[Any, ...]) -> Claim | None:
    match fact:
        case ("bet", _, number, who, wagers, for_dealer, spots):
            return ("bet", who, str(number), json.dumps((wagers, for_dealer, spots)))
        case ("decide", _, number, who, decision):
            return ("decide", who, str(number), decision)
        case ("join", _, who, _):
            return ("join", who)
        case ("take-place", _, who):
            return ("take-place", who)
    return None


def _matters(claim: Claim) -> bool:
    """Whether a claim leaves a trace: taking back a bet that was never made does not."""
    return claim[0] != "bet" or any(json.loads(claim[3])[:2])
