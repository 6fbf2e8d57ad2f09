"""The files of the screens, from memory: what is read once is sent many times."""

import asyncio
import re
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import web

from podium.server.headers import YEAR_SECONDS, hash_of, policy
from podium.server.web.reception import ARRIVAL

STATIC: Final = Path(__file__).parent.parent / "static"
ASSETS: Final = "/assets/{name}"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")
_INLINE: Final = {kind: re.compile(f"<{kind}>(.*?)</{kind}>", re.DOTALL) for kind in ("script", "style")}


class Content(NamedTuple):
    """A file as it is sent."""

    body: bytes
    kind: str
    tag: str
    changed: int
    inline: dict[str, list[str]]
    """The hashes of the scripts and of the styles that stand in it, where it is a page."""


class StaticFiles:
    """Sends files, each read once and again when it has changed."""

    def __init__(self) -> None:
        self._known: Final[dict[Path, Content]] = {}

    async def page(self, request: web.Request, path: Path) -> web.Response:
        """A page: the browser asks each time whether it has changed. What stands in it may run by its hash."""
        content = await asyncio.to_thread(self._read, path)
        allowed = policy(
            sockets=request[ARRIVAL].socket, scripts=content.inline["script"], styles=content.inline["style"]
        )
        return _sent(request, content, {"Cache-Control": "no-cache", "Content-Security-Policy": allowed})

    async def asset(self, request: web.Request) -> web.Response:
        """A part of a screen: a script, a style, a picture. Its name changes with what is in it, so a browser may keep it."""
        name = request.match_info["name"]
        path = STATIC / "assets" / name
        # A name is one of those that were built, and nothing that leads elsewhere, however its strokes are written.
        if not _NAME.fullmatch(name) or not path.is_file():
            raise web.HTTPNotFound
        content = await asyncio.to_thread(self._read, path)
        return _sent(request, content, {"Cache-Control": f"public, max-age={YEAR_SECONDS}, immutable"})

    def _read(self, path: Path) -> Content:
        changed = path.stat().st_mtime_ns
        known = self._known.get(path)
        if known is None or known.changed != changed:
            body = path.read_bytes()
            kind = guess_type(path.name)[0] or "application/octet-stream"
            tag = f'"{sha256(body).hexdigest()[:32]}"'
            known = self._known[path] = Content(body, kind, tag, changed, _inline(body) if kind == "text/html" else {})
        return known


def _inline(page: bytes) -> dict[str, list[str]]:
    return {kind: [hash_of(each) for each in found.findall(page.decode())] for kind, found in _INLINE.items()}


def _sent(request: web.Request, content: Content, headers: dict[str, str]) -> web.Response:
    headers = {**headers, "ETag": content.tag}
    if request.headers.get("If-None-Match") == content.tag:
        return web.Response(status=304, headers=headers)
    charset = "utf-8" if content.kind.startswith("text/") else None
    return web.Response(body=content.body, content_type=content.kind, charset=charset, headers=headers)
