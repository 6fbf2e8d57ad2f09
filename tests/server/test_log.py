"""One log: everything that the server or a library logs is a line of JSON on standard error."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientConnectionResetError, ClientSession, web

from podium.server.log import LibraryLines, log, log_libraries
from tests.server.served import a_house
from tests.terminal import on_a_loop


@pytest.fixture(autouse=True)
def libraries() -> Iterator[None]:
    log_libraries()
    log_libraries()
    yield
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, LibraryLines)]:
        root.removeHandler(handler)


def lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


def test_what_a_library_warns_of_is_one_line_like_our_own(capfd: pytest.CaptureFixture[str]) -> None:
    log.warning("no advice", rules="abc")
    logging.getLogger("asyncio").warning("Executing %s took %.3f seconds", "a task", 0.25)
    logging.getLogger("picows").info("New connection accepted")
    own, library = lines(capfd)
    assert set(own) == {"event", "level", "timestamp", "rules"}
    assert (library["event"], library["level"], library["library"]) == (
        "Executing a task took 0.250 seconds",
        "warning",
        "asyncio",
    )
    assert set(library) == {"event", "level", "timestamp", "library"}


@on_a_loop
async def test_an_error_of_asyncio_is_one_line_with_its_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    fault = RuntimeError("nobody waits for this")
    asyncio.get_running_loop().call_exception_handler({"message": "A task failed.", "exception": fault})
    [line] = lines(capfd)
    assert (line["event"], line["level"], line["library"]) == ("A task failed.", "error", "asyncio")
    assert "nobody waits for this" in line["exception"]


@on_a_loop
async def test_an_error_of_aiohttp_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    async def forgetful(_: web.BaseRequest) -> Any:
        return None

    runner = web.ServerRunner(web.Server(forgetful, access_log=None))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        port = runner.addresses[0][1]
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 500
    finally:
        await runner.cleanup()
    said = lines(capfd)
    assert said
    assert {line["library"] for line in said} == {"aiohttp.server"}
    assert {line["level"] for line in said} == {"error"}


@on_a_loop
async def test_sec_7_a_request_that_cannot_be_read_writes_nothing_into_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A stranger could fill the log with it, and what it holds may be a token."""
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for head in ("GET /play\x01", "GET /play HTTP/1.1\r\nContent-Length: -1", "X" * 40 + " /play HTTP/1.1"):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
            writer.write(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\nnull")).startswith(b"HTTP/1.1 200")
            writer.write(f"{head}\r\nHost: localhost\r\nCookie: podium=0123456789abcdef\r\n\r\n".encode())
            assert (await reader.read()).split()[1] == b"400"
            writer.close()
    said = lines(capfd)
    assert not [line for line in said if line["level"] != "info"], said
    assert "0123456789abcdef" not in json.dumps(said)


@on_a_loop
async def test_a_browser_that_leaves_before_it_may_go_on_writes_no_error_into_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(_: web.Request) -> None:
        raise ClientConnectionResetError("Cannot write to closing transport")

    monkeypatch.setattr("aiohttp.web_urldispatcher._default_expect_handler", gone)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
        writer.write(
            b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        await reader.read()
        writer.close()
    assert not [line for line in lines(capfd) if line["level"] == "error"]
