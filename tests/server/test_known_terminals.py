"""SEC-3: only known terminals, where the house says so; a stolen cookie is of no use without the device."""

import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector, WSServerHandshakeError
from yarl import URL

from podium.house import HouseConfig
from podium.house.people import DUTIES
from podium.server.serve import Address
from tests.certificates import Authority
from tests.server.declared import DeclaredAnswers
from tests.server.served import CONFIG, PASSWORD, PIN, Browser, Said, Served, a_house
from tests.terminal import on_a_loop
from tests.terminal_keys import TerminalKey

ALL = msgspec.structs.replace(CONFIG, known_terminals="all")
STAFF = msgspec.structs.replace(CONFIG, known_terminals="staff")
MONEY = msgspec.structs.replace(ALL, guests=False)


class KnownBrowser(Browser):
    """A browser that is a known terminal, and proves it with every request."""

    key: TerminalKey
    last: dict[str, str]
    """The headers of the last request, as somebody may have seen them."""

    async def challenge(self) -> str:
        async with self._session.get(f"{self.base}/api/terminals/challenge") as answer:
            return str((await answer.json())["challenge"])

    async def ask(self, method: str, path: str, **more: Any) -> Said:
        url = URL(self.base + path).update_query(more.pop("params", {}))
        body = json.dumps(more.pop("json")).encode() if "json" in more else b""
        proof = self.key.request(await self.challenge(), method, url.path_qs, body)
        headers = {**more.pop("headers", {}), "Podium-Proof": proof, "Content-Type": "application/json"}
        self.last = headers
        async with self._session.request(method, url, data=body or None, headers=headers, **more) as response:
            if "json" not in response.headers.get("Content-Type", ""):
                return Said(response.status, await response.text())
            self._answers.check(method, path, response.status, await response.read())
            return Said(response.status, await response.json())

    async def line(self, tab: str = "tab", proof: str | None = None) -> aiohttp.ClientWebSocketResponse:
        """Opens a line with its proof."""
        shown = self.key.line(await self.challenge(), tab) if proof is None else proof
        return await self._session.ws_connect(f"{self.base}/ws?tab={tab}&proof={shown}")


async def known(served: Served, token: str) -> KnownBrowser:
    """A browser that becomes the terminal of a token."""
    plain = await served.browser()
    browser = KnownBrowser(plain._session, plain.base, plain._answers)
    browser.key = TerminalKey()
    said = await plain.post(
        "/api/terminals/here", token=token, public_key=browser.key.public, proof=browser.key.enrolment(token)
    )
    assert (said.status, said.body["proves"]) == (200, True), said
    return browser


@on_a_loop
async def test_sec_3_the_link_of_a_terminal_ends(tmp_path: Path) -> None:
    """A link that was not opened in time is void, also as a cookie; one that was opened in time stays a terminal."""
    config = msgspec.structs.replace(CONFIG, terminal_link_hours=2)
    async with a_house(tmp_path, config) as served:
        operator = await served.operator()
        late = (await operator.done("/api/terminals", name="late"))["token"]
        early = (await operator.done("/api/terminals", name="early"))["token"]
        reader = (await operator.done("/api/terminals", name="shoe", reads="t1"))["token"]
        cards = {each["name"]: each for each in (await operator.get("/api/terminals")).body}
        assert cards["late"]["expires"] == cards["late"]["time"] + 2 * 3_600_000
        assert cards["shoe"]["expires"] == 0
        browser = await served.browser()
        await browser.done("/api/terminals/here", token=early)
        served.later += 2 * 3_600_000
        again = await served.browser()
        said = await again.post("/api/terminals/here", token=late)
        assert (said.status, said.reason) == (
            422,
            "The link of the terminal late was not opened in time: ask the operator to enrol it again (SEC-3).",
        )
        assert served.opened is not None
        doors, now = served.opened.doors, served.opened.floor.clock()
        assert doors.identify(late, now) is None
        assert doors.identify(early, now) is not None
        assert doors.identify(reader, now) is not None
        operator = await served.browser()
        await operator.done("/api/sign-in", name="operator", password=PASSWORD)
        token = (await operator.done("/api/terminals", name="late"))["token"]
        await again.done("/api/terminals/here", token=token)
        assert (await operator.post("/api/terminals", name="late")).reason.startswith("The terminal name 'late' is")
        await served.restart()
        assert served.opened is not None
        assert served.opened.doors.identify(early, now) is not None


def first_link(served: Served) -> str:
    assert served.opened is not None
    assert served.opened.first_terminal is not None
    return served.opened.first_terminal.partition("#")[2]


async def first_operator(served: Served) -> KnownBrowser:
    """The first operator, at the first known terminal of the house."""
    browser = await known(served, first_link(served))
    assert served.opened is not None
    assert served.opened.invitation is not None
    await browser.done("/api/invitations", token=served.opened.invitation.partition("#")[2], password=PASSWORD)
    return browser


async def enrolled(served: Served, operator: Browser, name: str, role: str) -> str:
    """Somebody who has chosen a password, at a browser that nobody knows; the name."""
    said = await operator.post("/api/people", name=name, role=role)
    invitation = said.body["invitation"].partition("#")[2]
    anywhere = await served.browser()
    await anywhere.done("/api/invitations", token=invitation, password=PIN if role == "player" else PASSWORD)
    if role != "player":
        assert (await anywhere.get("/api/me")).body is None
    return name


def stolen(served: Served, browser: Browser) -> Browser:
    """Another browser with all the cookies of this one."""
    jar = CookieJar(unsafe=True)
    jar.update_cookies({cookie.key: cookie.value for cookie in browser._session.cookie_jar}, URL(browser.base))
    session = ClientSession(cookie_jar=jar)
    served._sessions.append(session)
    return Browser(session, browser.base, browser._answers)


@pytest.mark.parametrize("config", [STAFF, ALL])
@on_a_loop
async def test_sec_3_staff_sign_in_at_known_terminals_alone(tmp_path: Path, config: HouseConfig) -> None:
    async with a_house(tmp_path / "data", config) as served:
        operator = await first_operator(served)
        assert (await operator.get("/api/me")).body["role"] == "operator"
        for role in ("supervisor", "dealer", "cashier"):
            name = await enrolled(served, operator, f"{role}-1", role)
            unknown = await served.browser()
            for password in (PASSWORD, "a wrong password"):
                said = await unknown.post("/api/sign-in", name=name, password=password)
                assert said.reason.startswith("Staff of this house work at its known terminals only: ask the operator")
            assert (await unknown.get("/api/me")).body is None
            token = (await operator.done("/api/terminals", name=f"{role}-desk"))["token"]
            desk = await known(served, token)
            assert (await desk.done("/api/sign-in", name=name, password=PASSWORD))["role"] == role
            assert (await desk.get("/api/me")).body["name"] == name
        notes = [note for note in await served.notes() if note.kind == "sign-in-failed"]
        assert {note.who for note in notes} == {"supervisor-1", "dealer-1", "cashier-1"}


@on_a_loop
async def test_sec_3_a_terminal_with_a_token_alone_is_not_a_known_one(tmp_path: Path) -> None:
    """Terminals of earlier versions showed a cookie, which can be copied."""
    data = tmp_path / "data"
    served = Served(data, CONFIG)
    await served.open()
    operator = await served.operator()
    token = (await operator.done("/api/terminals", name="cage-1"))["token"]
    assert not (await operator.done("/api/terminals/here", token=token))["proves"]
    assert not (await operator.get("/api/terminals")).body[0]["proves"]
    assert served.opened is not None
    served.house.configure(STAFF, served.clock(), by="operator")
    await served.opened.floor.keep()
    await served.restart()
    browser = served.moved(operator)
    assert (await browser.get("/api/me")).body is None
    assert "known terminals" in (await browser.post("/api/sign-in", name="operator", password=PASSWORD)).reason
    assert "can keep no key here" in (await browser.post("/api/terminals/here", token=token)).reason
    assert first_link(served)
    await served.leave()


@on_a_loop
async def test_sec_3_play_with_money_needs_a_known_terminal_where_the_house_says_so(tmp_path: Path) -> None:
    async with a_house(tmp_path / "data", ALL) as served:
        operator = await first_operator(served)
        await enrolled(served, operator, "supervisor-1", "supervisor")
        name = await enrolled(served, operator, "7001", "player")
        phone = await served.browser()
        said = await phone.post("/api/sign-in", name=name, password=PIN)
        assert said.reason.startswith("Real money is played at the house's own terminals only")
        cashier = await known(served, (await operator.done("/api/terminals", name="cage-1"))["token"])
        await enrolled(served, operator, "carl", "cashier")
        await cashier.done("/api/sign-in", name="carl", password=PASSWORD)
        number = (await cashier.done("/api/cashier/tickets", amount=5_000))["number"]
        assert "own terminals only" in (await phone.post("/api/sign-in/ticket", number=number)).reason
        assert (await phone.done("/api/guest"))["role"] == "player"  # play money
        place = await known(served, (await operator.done("/api/terminals", name="place-1"))["token"])
        assert (await place.done("/api/sign-in/ticket", number=number))["role"] == "player"
        line = await place.line()
        assert json.loads((await line.receive()).data)["is"] == "welcome"
        await line.close()


@on_a_loop
async def test_sec_3_in_a_house_without_guests_no_ticket_is_looked_at_elsewhere(tmp_path: Path) -> None:
    async with a_house(tmp_path / "data", MONEY) as served:
        said = await (await served.browser()).post("/api/sign-in/ticket", number="000000000000000000")
        assert "own terminals only" in said.reason


@pytest.mark.parametrize("config", [CONFIG, ALL])
@on_a_loop
async def test_sec_3_a_stolen_cookie_does_nothing_without_the_device(tmp_path: Path, config: HouseConfig) -> None:
    """Also in a house that does not insist on known terminals, whoever signs in at one is safe there."""
    async with a_house(tmp_path / "data", config) as served:
        if config is ALL:
            operator = await first_operator(served)
        else:
            first = await served.operator()
            operator = await known(served, (await first.done("/api/terminals", name="office"))["token"])
            await operator.done("/api/sign-in", name="operator", password=PASSWORD)
        assert (await operator.get("/api/people")).status == 200
        line = await operator.line()
        thief = stolen(served, operator)
        assert thief.token == operator.token
        assert (await thief.get("/api/people")).status == 401
        assert (await thief.get("/api/me")).body is None
        assert (await thief.get("/api/terminal")).status == 401
        assert (await stolen(served, operator).post("/api/sign-out")).status == 200
        assert (await operator.get("/api/me")).body["name"] == "operator"  # the thief did not even sign out
        for proof in ("", "&proof=", f"&proof={'0' * 32}.{'0' * 32}.{'0' * 128}"):
            with pytest.raises(WSServerHandshakeError) as refused:
                await thief._session.ws_connect(f"{thief.base}/ws?tab=t{proof}")
            assert refused.value.status == 401
        # Nor with more behind the token, which the desk would cut off.
        cut = await served.browser()
        cut._session.cookie_jar.update_cookies({"podium": f"{operator.token}~t"}, URL(operator.base))
        for address in ("/ws", "/ws?tab=t"):
            with pytest.raises(WSServerHandshakeError):
                await cut._session.ws_connect(cut.base + address)
        # Nor as a display, whose cookie has another name.
        disguised = await served.browser()
        disguised._session.cookie_jar.update_cookies({"podium-terminal": operator.token}, URL(operator.base))
        with pytest.raises(WSServerHandshakeError):
            await disguised._session.ws_connect(f"{thief.base}/ws?as=display")
        assert (await disguised.get("/api/terminal", **{"as": "display"})).status == 401
        # A device of the thief's own proves nothing of this one.
        other = KnownBrowser(thief._session, thief.base, thief._answers)
        other.key = TerminalKey()
        assert (await other.get("/api/people")).status == 401
        with pytest.raises(WSServerHandshakeError):
            await other.line()
        assert not line.closed
        await line.close()


@on_a_loop
async def test_sec_3_a_proof_is_for_one_request_and_once(tmp_path: Path) -> None:
    async with a_house(tmp_path / "data", ALL) as served:
        operator = await first_operator(served)
        await operator.get("/api/people")
        seen = operator.last
        thief = stolen(served, operator)
        for method, path in (("GET", "/api/people"), ("GET", "/api/terminals"), ("POST", "/api/people")):
            said = await thief.ask(method, path, headers=seen)
            assert (said.status, said.body["why"]["key"]) == (401, "refused.proof-wrong")
        challenge = await operator.challenge()
        fresh = operator.key.request(challenge, "POST", "/api/terminals", b'{"name": "mine"}')
        said = await thief.ask("POST", "/api/terminals", data=b'{"name": "yours"}', headers={"Podium-Proof": fresh})
        assert said.status == 401
        line_proof = operator.key.line(challenge, "tab")
        for tab in ("other", "tab"):
            if tab == "other":
                with pytest.raises(WSServerHandshakeError):
                    await operator.line(tab, line_proof)
            else:
                await (await operator.line(tab, line_proof)).close()
        with pytest.raises(WSServerHandshakeError):
            await operator.line("tab", line_proof)
        old = operator.key.request(challenge, "GET", "/api/people", b"")
        served.pass_time(121_000)
        said = await thief.ask("GET", "/api/people", headers={"Podium-Proof": old})
        assert (said.status, said.body["why"]["key"]) == (401, "refused.proof-late")


@pytest.mark.parametrize(
    "proof", [".", "..", "a.b.c", "x" * 8_000, "é.é.é", f"{'0' * 32}.{'0' * 32}", "....", "\t.\t.\t"]
)
@on_a_loop
async def test_sec_3_a_malformed_proof_is_refused_in_a_sentence(tmp_path: Path, proof: str) -> None:
    async with a_house(tmp_path / "data", ALL) as served:
        operator = await first_operator(served)
        said = await stolen(served, operator).ask("GET", "/api/people", headers={"Podium-Proof": proof})
        assert said.status == 401
        assert said.reason
        challenge = await operator.challenge()
        said = await stolen(served, operator).ask(
            "GET", "/api/people", headers={"Podium-Proof": f"{challenge}.{'0' * 32}.{proof}"}
        )
        assert (said.status, said.body["why"]["key"]) == (401, "refused.proof-wrong")


@on_a_loop
async def test_sec_3_a_link_makes_one_terminal_and_needs_the_key_that_it_names(tmp_path: Path) -> None:
    async with a_house(tmp_path / "data", ALL) as served:
        token = first_link(served)
        browser, key, other = await served.browser(), TerminalKey(), TerminalKey()
        said = await browser.post(
            "/api/terminals/here", token=token, public_key=key.public, proof=other.enrolment(token)
        )
        assert "was not proved" in said.reason
        for wrong in ("00", "zz", "1.3", key.public[:-2]):
            assert (
                "P-256" in (await browser.post("/api/terminals/here", token=token, public_key=wrong, proof="")).reason
            )
        await browser.done("/api/terminals/here", token=token, public_key=key.public, proof=key.enrolment(token))
        await browser.done("/api/terminals/here", token=token, public_key=key.public, proof=key.enrolment(token))
        said = await browser.post(
            "/api/terminals/here", token=token, public_key=other.public, proof=other.enrolment(token)
        )
        assert "Another browser is already the terminal" in said.reason
        assert (
            "Another browser is already the terminal" in (await browser.post("/api/terminals/here", token=token)).reason
        )


@on_a_loop
async def test_sec_3_dismissing_a_known_terminal_ends_what_was_begun_there(tmp_path: Path) -> None:
    async with a_house(tmp_path / "data", STAFF) as served:
        operator = await first_operator(served)
        await enrolled(served, operator, "supervisor-1", "supervisor")
        await enrolled(served, operator, "carl", "cashier")
        desk = await known(served, (await operator.done("/api/terminals", name="cage-1"))["token"])
        await desk.done("/api/sign-in", name="carl", password=PASSWORD)
        line = await desk.line()
        await line.receive()
        assert (await operator.ask("DELETE", "/api/terminals/cage-1")).status == 200
        assert (await desk.get("/api/me")).body is None
        assert json.loads((await line.receive()).data)["is"] == "goodbye"
        assert "known terminals" in (await desk.post("/api/sign-in", name="carl", password=PASSWORD)).reason
        assert served.opened is not None
        await served.restart()
        assert served.opened.first_terminal is None


# --- certificates -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def house_with_certificates(tmp_path: Path, authority: Authority) -> AsyncIterator[Served]:
    served = Served(tmp_path / "data", STAFF)
    clients = tmp_path / "clients.pem"
    clients.write_bytes(authority.pem)
    served.address = Address(port=0, tls=authority.issue(tmp_path)._replace(clients=clients))
    await served.open()
    try:
        yield served
    finally:
        await served.leave()


async def by_tls(served: Served, context: ssl.SSLContext) -> Browser:
    assert served.opened is not None
    session = ClientSession(connector=TCPConnector(ssl=context), cookie_jar=CookieJar(unsafe=True))
    served._sessions.append(session)
    return Browser(session, f"https://127.0.0.1:{served.opened.port}", DeclaredAnswers(served.opened.reception))


@on_a_loop
async def test_sec_3_a_certificate_makes_a_known_terminal(tmp_path: Path) -> None:
    authority = Authority()
    contexts = []
    for number in range(2):
        (tmp_path / f"client-{number}").mkdir()
        files = authority.issue(tmp_path / f"client-{number}", f"terminal-{number}")
        context = authority.trusted()
        context.load_cert_chain(files.certificate, files.key)
        contexts.append(context)
    async with house_with_certificates(tmp_path, authority) as served:
        token = first_link(served)
        bare = await by_tls(served, authority.trusted())
        assert "can keep no key" in (await bare.post("/api/terminals/here", token=token)).reason
        terminal = await by_tls(served, contexts[0])
        assert (await terminal.done("/api/terminals/here", token=token))["proves"]
        assert served.opened is not None
        assert served.opened.invitation is not None
        invitation = served.opened.invitation.partition("#")[2]
        await terminal.done("/api/invitations", token=invitation, password=PASSWORD)
        assert (await terminal.get("/api/people")).status == 200
        line = await terminal._session.ws_connect(f"{terminal.base}/ws?tab=t")
        assert json.loads((await line.receive()).data)["is"] == "welcome"
        await line.close()
        for context in (authority.trusted(), contexts[1]):
            thief = await by_tls(served, context)
            thief._session.cookie_jar.update_cookies(
                {cookie.key: cookie.value for cookie in terminal._session.cookie_jar}, URL(terminal.base)
            )
            assert (await thief.get("/api/people")).status == 401
            with pytest.raises(WSServerHandshakeError):
                await thief._session.ws_connect(f"{thief.base}/ws?tab=t")


@on_a_loop
async def test_sec_3_a_certificate_of_another_authority_is_not_served(tmp_path: Path) -> None:
    authority, other = Authority(), Authority()
    (tmp_path / "client").mkdir()
    files = other.issue(tmp_path / "client")
    context = authority.trusted()
    context.load_cert_chain(files.certificate, files.key)
    async with house_with_certificates(tmp_path, authority) as served:
        with pytest.raises(aiohttp.ClientError):
            await (await by_tls(served, context)).get("/api/house")


def test_every_role_but_the_player_is_staff() -> None:
    assert [role for role, duties in DUTIES.items() if "bet" in duties] == ["player"]
