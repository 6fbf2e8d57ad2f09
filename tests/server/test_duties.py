"""SEC-2: every route, asked by every role and by a stranger. A role without the duty does not reach the handler."""

from http import HTTPStatus
from pathlib import Path

from podium.house.people import ROLES
from podium.server.web import AnyRoute, DutyRoute, every_route
from tests.server.served import Browser, Served, a_house
from tests.terminal import on_a_loop

LOOKING = {"supervisor", "operator", "auditor"}
MAY_ASK = {
    "POST /api/me/password": set(ROLES),
    "GET /api/me/passkeys": set(ROLES) - {"player"},
    "POST /api/me/passkeys/begin": set(ROLES) - {"player"},
    "POST /api/me/passkeys": set(ROLES) - {"player"},
    "DELETE /api/me/passkeys/{key}": set(ROLES) - {"player"},
    "GET /api/approvals": LOOKING,
    "GET /api/approvals/mine": {"cashier", "dealer", "operator", "supervisor"},
    "POST /api/approvals/{key}": LOOKING,
    "POST /api/approvals/{key}/code": LOOKING,
    "GET /api/people": {"operator", "auditor"},
    "POST /api/people": {"operator"},
    "POST /api/people/{name}/invitation": {"operator"},
    "GET /api/terminals": {"operator", "auditor"},
    "POST /api/terminals": {"operator"},
    "DELETE /api/terminals/{name}": {"operator"},
    "POST /api/cash-out": {"player"},
    "POST /api/redeem": {"player"},
    "POST /api/notices/read": {"player"},
    "GET /api/protection": {"player"},
    "POST /api/protection/limits": {"player"},
    "POST /api/protection/break": {"player"},
    "POST /api/protection/exclusion": {"player"},
    "POST /api/protection/reminder": {"player"},
    "POST /api/protection/age": {"player"},
    "POST /api/cashier/age": {"cashier"},
    "GET /api/floor/exclusions": {"supervisor", "cashier", "auditor"},
    "POST /api/floor/exclusions": {"supervisor"},
    "POST /api/floor/exclusions/lift": {"supervisor"},
    "GET /api/cashier/account": {"cashier"},
    "POST /api/cashier/buy-in": {"cashier"},
    "POST /api/cashier/cash-out": {"cashier"},
    "POST /api/cashier/attendant-pay": {"cashier"},
    "POST /api/cashier/adjustments": {"cashier"},
    "GET /api/cashier/tips": {"cashier", "supervisor"},
    "POST /api/floor/tips/share": {"supervisor"},
    "POST /api/cashier/tips/pay": {"cashier"},
    "POST /api/cashier/tickets/find": {"cashier"},
    "POST /api/transfers/in": {"cashier", "host"},
    "POST /api/transfers/out": {"cashier", "host"},
    "POST /api/cashier/debts/pay": {"cashier"},
    "POST /api/cashier/debts/forgive": {"cashier"},
    "GET /api/cashier/debts": {"cashier", "supervisor"},
    "POST /api/cashier/tickets": {"cashier"},
    "POST /api/cashier/tickets/pay": {"cashier"},
    "POST /api/cashier/tickets/void": {"cashier"},
    "GET /api/floor/tables": LOOKING,
    "POST /api/floor/tables": {"operator"},
    "POST /api/floor/tables/{table}": {"supervisor", "operator"},
    "POST /api/floor/tables/{table}/shoe": {"supervisor", "operator"},
    "POST /api/floor/tables/{table}/void": {"supervisor"},
    "POST /api/floor/tables/{table}/correction/begin": {"supervisor"},
    "POST /api/floor/tables/{table}/correction/abandon": {"supervisor"},
    "POST /api/floor/tables/{table}/correction": {"supervisor"},
    "GET /api/floor/tables/{table}/reopening": {"dealer", "supervisor"},
    "POST /api/floor/tables/{table}/reopening": {"dealer", "supervisor"},
    "GET /api/floor/tables/{table}/options": LOOKING,
    "GET /api/floor/tables/{table}/settings": LOOKING,
    "POST /api/floor/tables/{table}/preview": {"operator"},
    "POST /api/floor/tables/{table}/schedule": {"operator"},
    "GET /api/rounds": {"player"},
    "GET /api/recall": LOOKING,
    "GET /api/recall/search": LOOKING,
    "GET /api/events": LOOKING,
    "GET /api/calendar": LOOKING,
    "GET /api/reports": LOOKING,
    "GET /api/reports/{name}": LOOKING,
    "POST /api/record/proof": {"auditor"},
    "POST /api/record/backups": {"operator"},
}
"""Who may ask for what belongs to somebody's duties."""
OPEN = {
    *("GET /", "GET /play", "GET /dealer", "GET /floor", "GET /display/{table}", "GET /welcome", "GET /terminal"),
    *("GET /api/house", "GET /api/health", "GET /metrics", "GET /api/tables", "GET /api/shoes", "GET /api/proof"),
    *("GET /api/me", "POST /api/guest", "POST /api/sign-in", "POST /api/sign-in/ticket", "POST /api/sign-out"),
    *("POST /api/sign-in/passkey/begin", "POST /api/sign-in/passkey"),
    *("POST /api/invitations", "POST /api/terminals/here", "GET /api/terminals/challenge"),
    "GET /api/rules",  # in a house without guests: at an enrolled terminal (test_before_sitting_down.py)
    *("GET /api/checkpoints", "GET /api/log/consistency", "GET /api/log/inclusion"),
}
TOKEN_NEEDED = {"GET /api/terminal"}


def named(route: AnyRoute) -> str:
    return f"{route.method} {route.path}"


def routes_of(served: Served) -> list[AnyRoute]:
    assert served.opened is not None
    return [route for routes in every_route(served.opened.reception).values() for route in routes]


async def status(browser: Browser, route: AnyRoute) -> int:
    path = route.path.format(name="nobody", table="t1", key="0")
    return (await browser.ask(route.method, path, allow_redirects=False)).status


async def everybody(served: Served) -> dict[str, Browser]:
    """Somebody of each role, signed in."""
    operator = await served.operator()
    return {role: operator if role == "operator" else await served.staff(operator, role, f"{role}-1") for role in ROLES}


@on_a_loop
async def test_sec_2_every_route_is_answered_for_its_roles_and_refused_to_all_others(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guarded = [route for route in routes_of(served) if isinstance(route, DutyRoute)]
        assert {named(route) for route in guarded} == set(MAY_ASK)
        people = await everybody(served)
        stranger = await served.browser()
        for route in guarded:
            let_in = {
                role
                for role, browser in people.items()
                if await status(browser, route) not in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
            }
            assert let_in == MAY_ASK[named(route)], named(route)
            assert await status(stranger, route) == HTTPStatus.UNAUTHORIZED, named(route)


@on_a_loop
async def test_sec_2_what_is_open_to_anybody_is_answered_to_a_stranger(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        open_to_all = [route for route in routes_of(served) if not isinstance(route, DutyRoute)]
        assert {named(route) for route in open_to_all} == OPEN | TOKEN_NEEDED
        for route in open_to_all:
            refused = await status(await served.browser(), route) in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
            assert refused == (named(route) in TOKEN_NEEDED), named(route)


@on_a_loop
async def test_sec_2_a_refusal_says_whose_duty_it_is(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        player = await served.staff(await served.operator(), "player", "ann")
        said = await player.post("/api/cashier/buy-in", name="ann", amount=100)
        assert (said.status, said.reason) == (
            HTTPStatus.FORBIDDEN,
            "The role player may not do this. Roles that may: cashier (SEC-2).",
        )
