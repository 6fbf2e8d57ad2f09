"""Hostile browsers: requests made from the routes that the server declares, on bare sockets that can say anything."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from podium.server.web import AnyRoute, RouteTypes, types_of
from podium.server.web.routes import DutyRoute
from tests.fuzz.claims import MOVES, Claim, Claims, Found, request_claim
from tests.fuzz.people import BYSTANDERS, CARDS, OPERATOR, PASSWORD, STAFF, Persona
from tests.fuzz.shapes import TEXTS, Pools, anything, garbage, hostile, some, spoiled, understood
from tests.server.declared import DeclaredAnswers

FROM = ("127.0.0.2", 0)
"""The address of hostile requests: what they use up there, honest people do not miss."""
PATIENCE_SECONDS = 120
COSTLY = {"POST /api/record/proof": 0.002, "POST /api/record/backups": 0.01, "POST /api/sign-out": 0.2}
"""Requests that are made less often: they read or copy the whole record, or end the session."""
METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "X" * 40)


class Asked(NamedTuple):
    """A request as it goes out."""

    method: str
    path: str
    raw: bytes
    claims: tuple[Claim, ...]
    """What it asks for, as it was meant and as it was sent."""


class Heard(NamedTuple):
    """An answer as it came in."""

    status: int
    body: bytes
    json: bool
    stays: bool
    """Whether the connection stays open."""


class Seen:
    """Other people's ids that a persona has come across: tickets, approvals, tokens of invitations."""

    def __init__(self) -> None:
        self.tickets: list[str] = ["0000-0000-0000-0000-00", "1234 5678 9012 3456 78"]
        self.approvals: list[str] = ["nothing"]
        self.tokens: list[str] = ["nothing"]

    def look(self, body: bytes, chance: Random) -> None:
        """Remembers what an answer shows."""
        found = msgspec.json.decode(body)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, dict):
                _keep(self.tickets, each.get("number"), chance)
                _keep(self.approvals, each.get("key") if "asker" in each else None, chance)
                _keep(self.tokens, str(each.get("invitation") or "").partition("#")[2] or None, chance)


def _keep(known: list[str], value: object, chance: Random) -> None:
    if isinstance(value, str):
        if len(known) < 40:
            known.append(value)
        else:
            known[chance.randrange(40)] = value


class Requests:
    """Makes requests of a persona."""

    def __init__(self, routes: list[AnyRoute], tables: list[str], seen: Seen) -> None:
        self._routes: list[tuple[AnyRoute, RouteTypes]] = [(route, types_of(route.handler)) for route in routes]
        self._tables = tables
        self._seen = seen

    def make(self, persona: Persona, others: list[Persona], chance: Random) -> Asked:
        """A request for one of the routes, hostile in some way or in none."""
        route, types = self._route(persona, chance)
        pools = self._pools(persona, chance)
        path = self._path(route.path, pools, chance)
        query = self._query(types.query, pools, chance)
        body = self._body(types.body, pools, chance)
        method = route.method if chance.random() < 0.97 else chance.choice(METHODS)
        key = self._key(persona, others, chance)
        lines = [f"{method} {path}{query} HTTP/1.1", *self._headers(persona, key, body, chance), "", ""]
        raw = "\r\n".join(lines).encode("utf-8", "surrogatepass") + body
        sent = self._broken(raw, chance)
        claims = (self._claim(persona, method, path, types, each) for each in (body, sent.partition(b"\r\n\r\n")[2]))
        return Asked(method, path, sent, tuple(filter(None, claims)))

    def _route(self, persona: Persona, chance: Random) -> tuple[AnyRoute, RouteTypes]:
        while True:
            route, types = chance.choice(self._routes)
            mine = isinstance(route, DutyRoute) and persona.role in route.who.replace("guest", "player")
            if not mine and isinstance(route, DutyRoute) and chance.random() < 0.5:
                continue  # most of what is asked for is the persona's own business, or nobody's
            share = COSTLY.get(f"{route.method} {route.path}", 1.0) if mine or not isinstance(route, DutyRoute) else 1.0
            if chance.random() < share:
                return route, types

    def _claim(self, persona: Persona, method: str, path: str, types: RouteTypes, body: bytes) -> Claim | None:
        if method != "POST" or path not in MOVES:
            return None
        asked = understood(body, types.body) if types.body is not None else {}
        return None if asked is None else request_claim(persona.name, path, msgspec.to_builtins(asked))

    def _pools(self, persona: Persona, chance: Random) -> Pools:
        people = [
            *STAFF,
            *CARDS,
            *CARDS,
            *CARDS,
            *BYSTANDERS,
            OPERATOR,
            persona.name,
            "nobody",
            *chance.sample(TEXTS, 2),
        ]
        tables = [*self._tables, "nowhere", chance.choice(TEXTS)]
        if persona.role in ("operator", "supervisor"):
            # Those who may close accounts and tables do it to ones that nobody else needs.
            tables = ["spare-1", "nowhere", chance.choice(TEXTS)]
        if persona.role == "operator":
            people = [f"extra-{chance.randrange(30)}", "nobody", chance.choice(TEXTS)]
        return {
            "name": people,
            "who": people,
            "table": tables,
            "source": tables,
            "amount": [1, 100, 500, 2_000, -500, 0, 299_999, 300_001, 10**8, 10**8 + 1, 2**53, 2**63, -(2**63)],
            "number": self._seen.tickets,
            "key": self._seen.approvals,
            "token": self._seen.tokens,
            "password": ["0000", "wrong horse battery", PASSWORD + "!", *chance.sample(TEXTS, 2)],
            "old": ["0000", "wrong horse battery", ""],
            "new": ["1234", "a long enough password", ""],
            "approval": ["", "", "000000", "123456", chance.choice(TEXTS)],
            "game": ["stadium-blackjack", "mega-blackjack", "nothing"],
            "round": ["1", "2", "7", "-1", "1" * 30, chance.choice(TEXTS)],
            "shoe": ["1", "2", "-1", chance.choice(TEXTS)],
            "stream": ["house", *(f"table/{table}" for table in self._tables), chance.choice(TEXTS)],
            "first": ["", "2026-01-01", "1970-01-01", "9999-12-31", "0000-00-00", chance.choice(TEXTS)],
            "last": ["", "2026-12-31", "2099-01-01", chance.choice(TEXTS)],
            "options": [{}, {"decks": 8}, {"decks": chance.choice([0, -1, "8", 10**9])}, {"nothing": 1}],
            "settings": [{}, {"betting_seconds": 2}, {"betting_seconds": chance.choice([-1, 1e300, "x"])}],
            "config": [{"game": "stadium-blackjack"}, {"game": "stadium-blackjack", "penetration": 7}],
            "credential": ["", "{}", "[" * 50, json.dumps({"id": "x", "response": {}}), chance.choice(TEXTS)],
        }

    def _path(self, path: str, pools: Pools, chance: Random) -> str:
        for name in ("name", "table", "key"):
            if f"{{{name}}}" in path:
                text = str(chance.choice(pools[name])) or "-"
                path = path.replace(f"{{{name}}}", _quoted(text))
        if chance.random() < 0.02:
            path += chance.choice(["/", "//", "/..", "%00", "/" + _quoted(chance.choice(TEXTS))])
        return path

    def _query(self, kind: Any, pools: Pools, chance: Random) -> str:
        if kind is None:
            return "" if chance.random() < 0.97 else f"?{_quoted(str(anything(chance, 9)))}=1"
        asked = some(chance, kind, pools)
        if chance.random() < 0.3:
            asked = spoiled(chance, asked)
        if not isinstance(asked, dict):
            return f"?{_quoted(json.dumps(asked))}"
        text = urlencode({name: str(value)[:2_000] for name, value in asked.items()}, errors="surrogatepass")
        return f"?{text}{'&' + text if chance.random() < 0.03 else ''}"

    def _body(self, kind: Any, pools: Pools, chance: Random) -> bytes:
        if kind is None:
            return b"" if chance.random() < 0.9 else garbage(chance)
        return hostile(chance, some(chance, kind, pools))

    def _key(self, persona: Persona, others: list[Persona], chance: Random) -> str | None:
        way = chance.random()
        if way < 0.7:
            persona.keys.append(f"k{chance.randrange(10**12)}")
            del persona.keys[:-20]
            return persona.keys[-1]
        if way < 0.85 and persona.keys:
            return chance.choice(persona.keys)
        if way < 0.9 and (keys := chance.choice(others).keys):
            return chance.choice(keys)
        return None if way < 0.95 else chance.choice(["a.b", "x" * 65, "desk.carl.1", "../..", " "])

    def _headers(self, persona: Persona, key: str | None, body: bytes, chance: Random) -> list[str]:
        headers = {"Host": "127.0.0.1", "Content-Length": str(len(body)), "Content-Type": "application/json"}
        if persona.token:
            headers["Cookie"] = f"podium={persona.token}"
        if key is not None:
            headers["Idempotency-Key"] = key
        if chance.random() < 0.06:
            name, value = chance.choice(
                [
                    ("Host", "evil.example"),
                    ("Origin", "https://evil.example"),
                    ("Cookie", "podium=" + "x" * chance.choice([1, 64, 4_000])),
                    ("Cookie", f"podium-terminal={persona.token}; podium=%00"),
                    ("X-Forwarded-For", "203.0.113.7"),
                    ("Content-Length", chance.choice(["-1", "0x10", "99999999999999999999", "1, 2", ""])),
                    ("Transfer-Encoding", chance.choice(["chunked", "gzip", "chunked, chunked", "\x0bchunked"])),
                    ("Expect", "100-continue"),
                    ("Range", "bytes=-1,5-2"),
                    ("If-None-Match", '"' * 300),
                    ("If-Modified-Since", chance.choice(TEXTS[:10]).replace("\x00", "")),
                    ("Accept-Encoding", "gzip;q=nan, *;q=9"),
                    ("Upgrade", "websocket"),
                    ("Connection", "upgrade, close"),
                    ("Content-Encoding", "deflate"),
                    ("X-" + "a" * chance.choice([10, 9_000, 20_000]), "1"),
                ]
            )
            headers[name] = value
        return [f"{name}: {value}" for name, value in headers.items()]

    def _broken(self, raw: bytes, chance: Random) -> bytes:
        """The same bytes, or in a few cases something that is not an HTTP request."""
        if chance.random() > 0.02:
            return raw
        at = chance.randrange(len(raw))
        ways: list[Callable[[], bytes]] = [
            lambda: raw[:at],
            lambda: raw[:at] + chance.randbytes(1) + raw[at + 1 :],
            lambda: raw.replace(b"HTTP/1.1", chance.choice([b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b""]), 1),
            lambda: raw.replace(b"\r\n", b"\n"),
            lambda: chance.randbytes(chance.randint(1, 300)),
            lambda: b"\x16\x03\x01\x02\x00\x01" + chance.randbytes(60),
            lambda: raw[:at] + b"\x00" * 20_000 + raw[at:],
        ]
        return chance.choice(ways)()


class Browser:
    """One browser after another of any persona, each on a connection that is used until it breaks."""

    def __init__(self, port: int, requests: Requests, answers: DeclaredAnswers, claims: Claims, seen: Seen) -> None:
        self._port = port
        self._requests = requests
        self._answers = answers
        self._claims = claims
        self._seen = seen
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, persona: Persona, others: list[Persona], chance: Random) -> int:
        """Asks for something; the status of the answer, and 0 if there was none."""
        asked = self._requests.make(persona, others, chance)
        for claim in asked.claims:
            self._claims.ask(claim)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                heard = await self._send(asked)
        except (OSError, EOFError) as error:
            self.close()
            if isinstance(error, TimeoutError):
                raise Found(f"{asked.method} {asked.path} was not answered: {asked.raw[:500]!r}") from None
            return 0
        self._check(asked, heard, chance)
        if not heard.stays:
            self.close()
        return heard.status

    async def _send(self, asked: Asked) -> Heard:
        if self._open is None:
            self._open = await asyncio.open_connection("127.0.0.1", self._port, local_addr=FROM, limit=2**24)
        reader, writer = self._open
        writer.write(asked.raw)
        # Half a request is never answered before its time is up; the other half never comes.
        cut_off = b"\r\n\r\n" not in asked.raw or _says_more(asked.raw)
        if cut_off:
            writer.write_eof()
        heard = await _answer(reader, asked.method)
        return heard._replace(stays=heard.stays and not cut_off)

    def _check(self, asked: Asked, heard: Heard, chance: Random) -> None:
        if heard.status >= 500:
            raise Found(f"{heard.status} to {asked.raw[:1_500]!r}: {heard.body[:500]!r}")
        if b"Traceback" in heard.body:
            raise Found(f"{asked.method} {asked.path} shows the inside of the program: {heard.body[:1_000]!r}")
        if not heard.json or asked.method == "HEAD":
            return
        with suppress(ValueError):  # a path of no route
            self._answers.check(asked.method, asked.path, heard.status, heard.body)
        if heard.status == 200:
            self._seen.look(heard.body, chance)

    def close(self) -> None:
        if self._open is not None:
            self._open[1].transport.abort()
            self._open = None


def _quoted(text: str) -> str:
    return quote(text[:2_000], safe="", errors="surrogatepass")


def _says_more(raw: bytes) -> bool:
    head, _, body = raw.partition(b"\r\n\r\n")
    length = [line.partition(b":")[2].strip() for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")]
    return not length or length[0] != str(len(body)).encode() or b"Transfer-Encoding" in head


async def _answer(reader: asyncio.StreamReader, method: str) -> Heard:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split()[1])
    if status == 100:
        return await _answer(reader, method)
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    if method == "HEAD" or status in (204, 304):
        body = b""
    elif "content-length" in fields:
        body = await reader.readexactly(int(fields["content-length"]))
    elif "chunked" in fields.get("transfer-encoding", ""):
        body = await _chunks(reader)
    else:
        body = await reader.read()
    stays = (
        fields.get("connection", "keep-alive") == "keep-alive" and "content-length" in fields and not reader.at_eof()
    )
    return Heard(status, body, "json" in fields.get("content-type", ""), stays)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)
