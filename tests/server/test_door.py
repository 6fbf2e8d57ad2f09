"""The one door of a house: TLS, proxies, cookies, names, and the headers of every answer."""

import asyncio
import inspect
import json
import re
import shutil
import ssl
import string
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import msgspec
import pytest
import uvloop
from multidict import CIMultiDict

from podium.basics.refusal import Refused
from podium.client import Door, connect
from podium.house import HouseConfig
from podium.house.config import read_config
from podium.server import tls as tls_module
from podium.server.arrivals import Arrivals, counted_as
from podium.server.serve import Address
from podium.server.tls import Certificate, CertificateFiles
from podium.server.web.application import every_route
from tests.certificates import Authority
from tests.proxies import tls_proxy
from tests.server.served import CONFIG, Served, a_house, play
from tests.terminal import on_a_loop

ROOT = Path(__file__).parents[2]
POLICY_PARTS = ("default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'")


@asynccontextmanager
async def served_by_tls(data: Path, files: CertificateFiles, config: HouseConfig = CONFIG) -> AsyncIterator[Served]:
    served = Served(data, config)
    served.address = Address(port=0, tls=files)
    await served.open()
    try:
        yield served
    finally:
        await served.leave()


def port_of(served: Served) -> int:
    assert served.opened is not None
    return served.opened.port


async def plays_a_round(address: str, trusted: ssl.SSLContext) -> None:
    """Comes in as a guest and plays, over TLS."""
    async with Door(address, tls=trusted) as door:
        admitted = await door.guest()
    assert admitted.url.startswith("wss://")
    async with connect(*admitted, tls=trusted) as house:
        await house.watch("t1")
        await house.join()
        await play(house, {"blackjack": 500}, lambda: house.view.phase == "result")


async def cookies_of(address: str, trusted: ssl.SSLContext, **headers: str) -> list[str]:
    """The cookies that a guest is given."""
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        session.post(f"{address}/api/guest", ssl=trusted, headers=headers) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return answer.headers.getall("Set-Cookie")


# --- TLS ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
@on_a_loop
async def test_a_house_speaks_tls_at_its_one_port(tmp_path: Path, loop: Any) -> None:
    authority = Authority()
    async with served_by_tls(tmp_path / "data", authority.issue(tmp_path)) as served:
        address = f"https://localhost:{port_of(served)}"
        await plays_a_round(address, authority.trusted())
        [cookie] = await cookies_of(address, authority.trusted())
        assert cookie.startswith("__Host-podium=")
        for word in ("HttpOnly", "Secure", "SameSite=Strict", "Path=/"):
            assert word in cookie
        assert (
            Certificate(served.address.tls or CertificateFiles(Path(), Path())).context.minimum_version
            is ssl.TLSVersion.TLSv1_2
        )


@on_a_loop
async def test_a_house_without_tls_gives_a_cookie_that_works_without_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        [cookie] = await cookies_of(f"http://127.0.0.1:{port_of(served)}", ssl.create_default_context())
        assert cookie.startswith("podium=")
        assert "HttpOnly" in cookie
        assert "Secure" not in cookie


@on_a_loop
async def test_a_new_certificate_is_used_without_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls_module, "LOOK_SECONDS", 0.02)
    old, new = Authority(), Authority()
    files = old.issue(tmp_path)
    async with served_by_tls(tmp_path / "data", files) as served:
        address = f"https://localhost:{port_of(served)}"
        await cookies_of(address, old.trusted())
        # A pair that does not fit: the one of before stays in use, and the house notes it.
        (tmp_path / "other").mkdir()
        other = new.issue(tmp_path / "other")
        shutil.copy(other.certificate, files.certificate)
        while not [note for note in await served.notes() if note.kind == "certificate-refused"]:
            await asyncio.sleep(0.02)
        await cookies_of(address, old.trusted())
        shutil.copy(other.key, files.key)
        while not [note for note in await served.notes() if note.kind == "certificate-changed"]:
            await asyncio.sleep(0.02)
        await cookies_of(address, new.trusted())
        with pytest.raises(aiohttp.ClientSSLError):
            await cookies_of(address, old.trusted())


@pytest.mark.parametrize("broken", ["", "not PEM at all"])
def test_a_certificate_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path, broken: str) -> None:
    files = Authority().issue(tmp_path)
    if broken:
        files.key.write_text(broken)
    else:
        files.key.unlink()
    with pytest.raises(Refused, match=r"^The certificate .*house.pem with the key .*house.key cannot be used: .+\.$"):
        Certificate(files)


@on_a_loop
async def test_half_a_handshake_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_HEAD_SECONDS counts from the first moment, and what waits is counted by its address."""
    monkeypatch.setattr("podium.server.limits.MAX_REQUEST_HEAD_SECONDS", 0.3)
    monkeypatch.setattr("podium.server.limits.MAX_HTTP_CONNECTIONS_PER_ADDRESS", 3)
    authority = Authority()
    async with served_by_tls(tmp_path / "data", authority.issue(tmp_path)) as served:
        lines = [await asyncio.open_connection("127.0.0.1", port_of(served)) for _ in range(5)]
        lines[-1][1].write(b"\x16\x03\x01")
        for reader, writer in lines:
            assert await reader.read() == b""
            writer.close()
        await cookies_of(f"https://localhost:{port_of(served)}", authority.trusted())


# --- a reverse proxy ------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_house_behind_a_proxy_with_tls(tmp_path: Path) -> None:
    """Pages, cookies and WebSockets by one address and one certificate, which is the proxy's."""
    authority = Authority()
    files = authority.issue(tmp_path)
    config = msgspec.structs.replace(CONFIG, proxies=("127.0.0.1",), guests_per_minute=5)
    async with a_house(tmp_path / "data", config) as served, tls_proxy(files, port_of(served)) as proxy:
        address = f"https://localhost:{proxy.port}"
        await plays_a_round(address, authority.trusted())
        [cookie] = await cookies_of(address, authority.trusted(), Origin=address)
        assert cookie.startswith("__Host-podium=")
        assert "Secure" in cookie
        async with aiohttp.ClientSession() as session, session.get(f"{address}/play", ssl=authority.trusted()) as page:
            assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
            assert f"wss://localhost:{proxy.port}" in page.headers["Content-Security-Policy"]
        # Limits by address count who asks the proxy, not the proxy.
        assert served.opened is not None
        assert list(served.opened.doors._guests_from._paid_until) == ["203.0.113.9"]


@on_a_loop
async def test_a_proxy_that_is_not_named_is_not_believed(tmp_path: Path) -> None:
    authority = Authority()
    async with a_house(tmp_path / "data") as served, tls_proxy(authority.issue(tmp_path), port_of(served)) as proxy:
        address = f"https://localhost:{proxy.port}"
        [cookie] = await cookies_of(address, authority.trusted())
        assert cookie.startswith("podium="), "the house knows of no TLS"
        async with aiohttp.ClientSession() as session:
            headers = {"Origin": address}
            async with session.post(f"{address}/api/guest", ssl=authority.trusted(), headers=headers) as answer:
                assert answer.status == 403
                said = (await answer.json())["reason"]
        assert said.endswith("If a proxy stands between them, the configuration must name it under proxies.")


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ([], "10.0.0.1"),
        (["9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6, 9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6", "9.9.9.9, 10.1.2.3"], "9.9.9.9"),
        (["nonsense"], "10.0.0.1"),
        (["6.6.6.6, nonsense, 10.1.2.3"], "10.1.2.3"),
        (["::ffff:9.9.9.9"], "9.9.9.9"),
        (["10.1.2.3"], "10.1.2.3"),
    ],
)
def test_the_right_most_address_that_is_no_proxy_s_is_who_asks(forwarded: list[str], address: str) -> None:
    arrivals = Arrivals(lambda: HouseConfig(proxies=("10.0.0.0/8",)))
    headers = CIMultiDict([("Host", "localhost"), *(("X-Forwarded-For", each) for each in forwarded)])
    assert arrivals.read("10.0.0.1", headers, tls=False).address == address
    assert arrivals.read("8.8.8.8", headers, tls=False).address == "8.8.8.8"


def test_limits_count_an_ipv6_network_as_one() -> None:
    assert counted_as("2001:db8:1:2:3::4") == counted_as("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert counted_as("192.0.2.7") == "192.0.2.7"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('proxies = ["house.example"]', "proxies: 'house.example' is not allowed: a proxy is an address or a network"),
        ('proxies = ["10.0.0.1/8"]', "proxies: '10.0.0.1/8' is not allowed"),
        (
            'hosts = ["https://play.example"]',
            "hosts: 'https://play.example' is not allowed: a name is like podium.lan",
        ),
        ("guests_at_once = 0", "guests_at_once = 0"),
    ],
)
def test_the_configuration_of_the_door_is_checked(line: str, said: str) -> None:
    with pytest.raises(Refused, match=said.replace("[", r"\[")):
        read_config(line)


# --- names, headers, tokens -----------------------------------------------------------------------------------------


@on_a_loop
async def test_a_stranger_s_name_that_leads_here_is_not_answered(tmp_path: Path) -> None:
    """DNS rebinding: pages, requests and files alike."""
    async with a_house(tmp_path) as served:
        browser = await served.browser()
        for path in ("/play", "/api/house", "/assets/x.js", "/nothing"):
            said = await browser.ask("GET", path, headers={"Host": "evil.example"})
            assert (said.status, said.reason[:57]) == (421, "This house does not answer to the name 'evil.example': it")


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:1", True),
        ("[::1]:8000", True),
        ("play.localhost", True),
        ("evil.example@localhost", False),
        ("localhost/evil.example", False),
        ("localhost?;script-src-elem *", False),
        ("localhost#evil.example", False),
        ("localhost:-1", False),
        ("localhost:99999999", False),
        ("localhost:", False),
        ("[fe80::1%25eth0]", False),
        ("[::1", False),
        ("127.1", False),
        ("", False),
    ],
)
def test_a_host_is_a_name_with_a_port_and_nothing_that_would_stand_in_a_header(host: str, answered: bool) -> None:
    """The policy of every page repeats it: what follows a `?` had become a part of the policy."""
    assert Arrivals(HouseConfig).answers_to(host) is answered


@pytest.mark.parametrize("origins", [("http://evil.example",), ("http://localhost", "http://evil.example"), ("null",)])
def test_every_origin_of_a_request_must_be_the_house_s_own(origins: tuple[str, ...]) -> None:
    arrivals = Arrivals(HouseConfig)
    headers = CIMultiDict([("Host", "localhost"), *(("Origin", each) for each in origins)])
    arrival = arrivals.read("127.0.0.1", headers, tls=False)
    with pytest.raises(Refused, match="comes from a page of"):
        arrivals.check_origin(arrival, headers)
    arrivals.check_origin(arrival, CIMultiDict([("Host", "localhost"), ("Origin", "http://localhost:80")]))


@pytest.mark.parametrize("page", ["deploy/nginx/podium.conf", "docs/operating.md"])
def test_nginx_passes_on_none_of_the_headers_that_a_house_believes(page: str) -> None:
    """A browser that names itself in one of them would be believed: nginx passes on whatever it is not told to set."""
    believed = set(re.findall(r'"(X-Forwarded-[A-Za-z]+)"', inspect.getsource(Arrivals)))
    text = (ROOT / page).read_text(encoding="utf-8")
    assert believed == set(re.findall(r"proxy_set_header (X-Forwarded-[A-Za-z]+) ", text))


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x", b"400"),
        ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12", b"400"),
        ("Connection: close", b"400"),
        ("Expect: miracles", b"417"),
    ],
)
@on_a_loop
async def test_a_handshake_that_is_none_is_refused_in_one_sentence(tmp_path: Path, head: str, status: bytes) -> None:
    async with a_house(tmp_path) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(served))
        path = "/api/house" if "Expect" in head else "/ws"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n\r\n".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.split()[1] == status
        length = int(re.findall(rb"Content-Length: (\d+)", answer)[0])
        assert json.loads(await reader.readexactly(length))["reason"].endswith(".")
        writer.close()


@on_a_loop
async def test_a_body_that_was_announced_may_come(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(served))
        head = b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        writer.write(head)
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"{}")
        assert (await reader.readline()).split()[1] in (b"200", b"422")
        writer.close()


@on_a_loop
async def test_every_answer_carries_the_headers(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served, aiohttp.ClientSession() as session:
        base = f"http://127.0.0.1:{port_of(served)}"
        asked = [
            ("GET", "/", {}),
            ("GET", "/play", {}),
            ("GET", "/welcome", {}),
            ("GET", "/terminal", {}),
            ("GET", "/api/house", {}),
            ("GET", "/metrics", {}),
            ("GET", "/nothing", {}),
            ("GET", "/assets/nothing.js", {}),
            ("GET", "/ws", {}),
            ("DELETE", "/api/house", {}),
            ("GET", "/api/people", {}),
            ("POST", "/api/guest", {"Origin": "https://evil.example"}),
            ("GET", "/api/house", {"Host": "evil.example"}),
            ("POST", "/api/sign-in", {"Content-Length": "x"}),
            ("GET", "/api/house?token=1", {}),
        ]
        for method, path, headers in asked:
            async with session.request(method, base + path, headers=headers, allow_redirects=False) as answer:
                said = f"{method} {path} {answer.status}"
                for part in POLICY_PARTS:
                    assert part in answer.headers["Content-Security-Policy"], said
                assert answer.headers["X-Content-Type-Options"] == "nosniff", said
                assert answer.headers["X-Frame-Options"] == "DENY", said
                assert answer.headers["Referrer-Policy"] == "no-referrer", said
                assert "Strict-Transport-Security" not in answer.headers, said
                assert answer.headers["Server"] == "Podium", said
                page = path in ("/play", "/welcome", "/terminal") and answer.status == 200
                assert answer.headers["Cache-Control"] == ("no-cache" if page else "no-store"), said


@pytest.mark.parametrize(
    "name",
    [
        "..%2F..%2Fserve.py",
        "x%2F..%2F..%2F..%2Flimits.py",
        "..%2Fplay.html",
        "..",
        ".",
        "%00",
        "%2Fetc%2Fpasswd",
        "a" * 5_000,
    ],
)
@on_a_loop
async def test_a_file_comes_from_the_folder_of_the_screens_alone(tmp_path: Path, name: str) -> None:
    async with a_house(tmp_path) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(served))
        writer.write(f"GET /assets/{name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert (await reader.readline()).split()[1] in (b"404", b"400")
        writer.close()
        assert [note for note in await served.notes() if note.kind == "program-error"] == []


@on_a_loop
async def test_an_address_that_names_another_house_than_its_host_is_not_answered(tmp_path: Path) -> None:
    """A whole address in the first line, as to a proxy: only Host is checked, so nothing else may name a house."""
    async with a_house(tmp_path) as served:
        for target in ("http://other.example/api/me", "other.example:80", "*"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(served))
            writer.write(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            assert (await reader.readline()).split()[1] in (b"400", b"404")
            writer.close()


@on_a_loop
async def test_no_token_is_told_or_taken_in_an_address_or_a_body(tmp_path: Path) -> None:
    """Whoever signs in gets the token in the cookie alone; a token in an address is refused wherever it stands."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        guest, _ = await served.guest()
        assert served.opened is not None
        for browser in (operator, guest):
            for routes in every_route(served.opened.reception).values():
                for route in routes:
                    if route.method == "GET" and "{" not in route.path:
                        assert browser.token not in str((await browser.get(route.path)).body), route.path
            for path in ("/play", "/api/house", "/api/terminal", "/ws"):
                said = await browser.get(path, token=browser.token)
                assert (said.status, said.reason[:34]) == (400, "A session token has no place in an")


# --- crafted queries ------------------------------------------------------------------------------------------------

NASTY = [
    *(
        "",
        "0",
        "-1",
        "9" * 30,
        "9" * 5_000,
        "1e9",
        "NaN",
        "²",
        "٣",
        "0x10",
        " 1",
        "1;2",
        "null",
        "true",
        "[]",
        "{}",
        "%00",
    ),
    *(
        "\0",
        "\ud800".encode("utf-16", "surrogatepass").hex(),
        "\u202e",
        "' OR 1=1 --",
        "../../etc/passwd",
        "t1",
        "t1\0",
    ),
    *("2026-02-30", "0000-00-00", "9999-12-31", "99999-01-01", "2026-01-01T00:00:00Z", "-2026-01-01", "x" * 4_000),
]


@on_a_loop
async def test_a_crafted_query_makes_no_program_error(tmp_path: Path) -> None:
    """Whatever a query holds, the answer is given, or refused with a sentence; nothing is noted as an error of the program."""
    chance = Random(7)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        people = [
            operator,
            await served.staff(operator, "auditor"),
            await served.staff(operator, "cashier"),
            (await served.guest())[0],
            await served.browser(),
        ]
        assert served.opened is not None
        routes = [route for listed in every_route(served.opened.reception).values() for route in listed]
        names = (
            "table",
            "shoe",
            "round",
            "from",
            "to",
            "kind",
            "source",
            "who",
            "text",
            "format",
            "name",
            "as",
            "x",
            "",
        )
        for route in routes:
            if route.method != "GET":
                continue
            for _ in range(12):
                path = route.path
                while "{" in path:
                    before, _, rest = path.partition("{")
                    path = f"{before}{chance.choice(NASTY)[:200].replace('/', '%2F') or 'x'}{rest.partition('}')[2]}"
                query = {chance.choice(names): chance.choice(NASTY) for _ in range(chance.randrange(4))}
                said = await chance.choice(people).ask("GET", path, params=query, allow_redirects=False)
                assert said.status < 500 or said.body == "The terminals are not built: run `make web`.", (
                    path,
                    query,
                    said,
                )
        for raw in (
            b"/api/rounds?table=%ff%fe",
            b"/api/proof?shoe=%00&table=t1",
            b"/api/events?%",
            b"/%ff",
            b"/api/shoes?\x80=\x81",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(served))
            writer.write(b"GET " + raw + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            status = int((await reader.readline()).split()[1])
            assert 400 <= status < 500, raw
            writer.close()
        letters = string.printable + "é\0\x7f"
        for _ in range(200):
            text = "".join(chance.choices(letters, k=chance.randrange(40)))
            path = chance.choice(["/api/rounds", "/api/proof", "/api/recall", "/api/events", "/api/reports/table-win"])
            said = await people[1].ask("GET", path, params={chance.choice(names): text})
            assert said.status < 500, (path, text, said)
        assert [note for note in await served.notes() if note.kind == "program-error"] == []
