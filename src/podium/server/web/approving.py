"""Approvals on the screens of second persons (SEC-6): what waits for them, accepted or refused there."""

from typing import Any, Final

import msgspec
from aiohttp import web

from podium.house.people import CHECKS
from podium.server.approvals import Pending
from podium.server.terminals import Who
from podium.server.web.reception import AnyRoute, DutyRoute, Reception, answer


class ApprovalDecision(msgspec.Struct, forbid_unknown_fields=True):
    accept: bool


class ApprovalDesk:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._doors: Final = reception.doors

    async def waiting(self, request: web.Request, who: Who) -> web.Response:
        """What waits for your approval: each act with its amount, its place and who asks."""
        return answer([_card(pending) for pending in self._doors.waiting_for(who.name)])

    async def mine(self, request: web.Request, who: Who) -> web.Response:
        """What you have asked a second person for, and what has become of it."""
        return answer([_card(pending) for pending in self._doors.asked_by(who.name)])

    async def decide(self, request: web.Request, who: Who) -> web.Response:
        """Accept or refuse an act; what is accepted can be done once, within two minutes."""
        asked = await self._reception.read(request, ApprovalDecision)
        decided = await self._doors.decide_approval(request.match_info["key"], who.name, accept=asked.accept)
        return answer(_card(decided))

    async def code(self, request: web.Request, who: Who) -> web.Response:
        """A `code` of six digits for one act, for two minutes, to be typed once where it was asked for."""
        given = self._doors.give_code(request.match_info["key"], who.name)
        return answer({"code": given.code, "expires": given.code_expires})


def _card(pending: Pending) -> dict[str, Any]:
    act = pending.act
    return {
        "key": pending.key,
        "kind": act.said.key.removeprefix("act."),
        "said": act.said,
        "asker": act.asker,
        "asked": pending.asked,
        "expires": pending.expires,
        "state": pending.state,
        "by": pending.by if pending.state != "waiting" else "",
    }


def routes(reception: Reception) -> list[AnyRoute]:
    approving = ApprovalDesk(reception)
    second = tuple(sorted(CHECKS))
    return [
        DutyRoute("GET", "/api/approvals", approving.waiting, second),
        DutyRoute("GET", "/api/approvals/mine", approving.mine, ("deal", "cash", "enrol")),
        DutyRoute("POST", "/api/approvals/{key}", approving.decide, second),
        DutyRoute("POST", "/api/approvals/{key}/code", approving.code, second),
    ]
