"""Every route declares what it answers, and a house answers that: the types of the terminals are written from it."""

from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest

from podium.server.cookies import DISPLAY, SESSION
from tests.server.declared import DeclaredAnswers, declared
from tests.server.served import a_house
from tests.terminal import on_a_loop


@on_a_loop
async def test_every_route_of_the_interface_declares_its_answer(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        types = declared(served.opened.reception)
        without = {route for route, each in types.items() if each.answers is None}
        assert {route for route in without if " /api/" in route} == {"GET /api/checkpoints"}, "signed notes are text"
        assert "GET /play" in without
        assert all(issubclass(each.body, msgspec.Struct) for each in types.values() if each.body is not None)


@pytest.mark.parametrize(
    "body",
    [
        b'{"name":"ann","role":"player"}',
        b'{"name":"ann","role":"player","active":"yes"}',
        b'{"name":"ann","role":"player","active":true,"guests":0}',
    ],
)
@on_a_loop
async def test_an_answer_that_is_not_as_declared_is_found(tmp_path: Path, body: bytes) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        answers = DeclaredAnswers(served.opened.reception)
        answers.check("GET", "/api/me", HTTPStatus.OK, b'{"name":"ann","role":"player","active":true}')
        with pytest.raises((msgspec.ValidationError, AssertionError)):
            answers.check("GET", "/api/me", HTTPStatus.OK, body)


@on_a_loop
async def test_an_unknown_parameter_is_refused(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for path in ("/api/tables", "/api/shoes", "/api/events", "/api/floor/tables/t1/options"):
            said = await operator.get(path, tabel="t1")
            assert said.status == HTTPStatus.UNPROCESSABLE_ENTITY
            assert said.reason == "The request is not understood: Object contains unknown field `tabel`."
        guest, name = await served.guest()
        said = await guest.post("/api/cash-out", amount=500)
        assert said.reason == "The request is not understood: Object contains unknown field `amount`."
        assert served.house.credit(name) == 100_000
        assert (await operator.get("/api/reports/table-win", format="pdf")).status == HTTPStatus.UNPROCESSABLE_ENTITY


@on_a_loop
async def test_a_display_is_not_a_person(tmp_path: Path) -> None:
    """In a house that allows guests anybody may look as a display; that signs nobody in."""
    async with a_house(tmp_path) as served:
        browser, headers = await served.browser(), {"Cookie": f"{SESSION}={DISPLAY}"}
        assert (await browser.ask("GET", "/api/me", headers=headers)).body is None
        assert (await browser.ask("GET", "/api/rounds", headers=headers)).status == HTTPStatus.UNAUTHORIZED
