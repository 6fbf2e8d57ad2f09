"""Approvals on the screens of second persons (SEC-6): what waits for them, accepted or refused there."""

from typing import Final

import msgspec
from aiohttp import web

from podium.basics.words import Phrase
from podium.house.pending import ApprovalState, Pending
from podium.house.people import CHECKS
from podium.server.terminals import Who
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer


class ApprovalDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a second person accepts an act or refuses it."""

    accept: bool


class ApprovalCard(msgspec.Struct, frozen=True):
    """An act that needs a second person."""

    key: str
    said: Phrase
    """What is to be done, with its amount, its place and its reason."""
    asker: str
    asked: int
    expires: int
    state: ApprovalState
    by: str
    """Who accepted or refused it."""


class ApprovalCode(msgspec.Struct, frozen=True):
    """A code for one act, to be typed once where it was asked for."""

    code: str
    """Six digits."""
    expires: int


class ApprovalDesk:
    def __init__(self, reception: Reception) -> None:
        self._doors: Final = reception.doors

    async def waiting(self, request: web.Request, who: Who) -> Answer[list[ApprovalCard]]:
        """The acts that wait for your approval."""
        return answer([approval_card(pending) for pending in self._doors.waiting_for(who.name)])

    async def mine(self, request: web.Request, who: Who) -> Answer[list[ApprovalCard]]:
        """The acts that you asked a second person to approve."""
        return answer([approval_card(pending) for pending in self._doors.asked_by(who.name)])

    async def decide(self, request: web.Request, who: Who, asked: ApprovalDecision) -> Answer[ApprovalCard]:
        """Accept or refuse an act. Once accepted, it can be done once, within two minutes."""
        decided = await self._doors.decide_approval(request.match_info["key"], who.name, accept=asked.accept)
        return answer(approval_card(decided))

    async def code(self, request: web.Request, who: Who) -> Answer[ApprovalCode]:
        """Give a code for one act, valid for two minutes, for a terminal far from your screen."""
        code, expires = await self._doors.give_code(request.match_info["key"], who.name)
        return answer(ApprovalCode(code, expires))


def approval_card(pending: Pending) -> ApprovalCard:
    by = pending.by if pending.state != "waiting" else ""
    return ApprovalCard(pending.key, pending.said, pending.asker, pending.asked, pending.expires, pending.state, by)


def routes(reception: Reception) -> list[AnyRoute]:
    desk = ApprovalDesk(reception)
    second = tuple(sorted(CHECKS))
    return [
        DutyRoute("GET", "/api/approvals", desk.waiting, second),
        DutyRoute("GET", "/api/approvals/mine", desk.mine, ("deal", "cash", "enrol", "void")),
        DutyRoute("POST", "/api/approvals/{key}", desk.decide, second),
        DutyRoute("POST", "/api/approvals/{key}/code", desk.code, second),
    ]
