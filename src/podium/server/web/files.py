"""The files of the screens, cached in memory."""

import asyncio
import re
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import web

from podium.server.headers import YEAR_SECONDS, hash_of, policy
from podium.server.web.reception import ARRIVAL

STATIC: Final = Path(__file__).parent.parent / "static"
ASSETS: Final = "/assets/{name}"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")
_KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Listed here, because the system's own table differs from machine to machine."""
_CODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""How a file may be packed, the smallest first; the build writes the packed files beside it."""
_INLINE: Final = {kind: re.compile(f"<{kind}>(.*?)</{kind}>", re.DOTALL) for kind in ("script", "style")}


class Content(NamedTuple):
    """A file as it is sent."""

    bodies: dict[str, bytes]
    """By coding; the file as it is under the empty one."""
    kind: str
    tag: str
    changed: int
    inline: dict[str, list[str]]
    """The hashes of its inline scripts and styles, if it is a page."""


class StaticFiles:
    """Sends files, each read once and again when it has changed."""

    def __init__(self) -> None:
        self._known: Final[dict[Path, Content]] = {}

    async def page(self, request: web.Request, path: Path) -> web.Response:
        """A page: the browser asks each time whether it has changed. Inline scripts and styles are allowed by their
        hashes."""
        content = await asyncio.to_thread(self.read, path)
        allowed = policy(
            sockets=request[ARRIVAL].socket, scripts=content.inline["script"], styles=content.inline["style"]
        )
        return _sent(request, content, {"Cache-Control": "no-cache", "Content-Security-Policy": allowed})

    async def asset(self, request: web.Request) -> web.Response:
        """A script, a style or a picture. Its name changes with its content, so browsers may cache it."""
        name = request.match_info["name"]
        # The name must be that of a built file: nothing that leads elsewhere, however its slashes are written, and
        # nothing that the system refuses to look up.
        if not _NAME.fullmatch(name):
            raise web.HTTPNotFound
        try:
            content = await asyncio.to_thread(self.read, STATIC / "assets" / name)
        except OSError:
            raise web.HTTPNotFound from None
        return _sent(request, content, {"Cache-Control": f"public, max-age={YEAR_SECONDS}, immutable"})

    def read(self, path: Path) -> Content:
        """A file with its packed forms."""
        changed = path.stat().st_mtime_ns
        known = self._known.get(path)
        if known is None or known.changed != changed:
            body = path.read_bytes()
            kind = _KINDS.get(path.suffix, "application/octet-stream")
            inline = _inline(body) if kind == "text/html" else {}
            bodies = {"": body, **_packed(path, changed)}
            known = self._known[path] = Content(bodies, kind, sha256(body).hexdigest()[:32], changed, inline)
        return known


def _packed(path: Path, changed: int) -> dict[str, bytes]:
    """The packed forms of a file, unless the file was changed after the build."""
    beside = {coding: path.with_name(path.name + suffix) for coding, suffix in _CODINGS.items()}
    return {
        coding: packed.read_bytes()
        for coding, packed in beside.items()
        if packed.is_file() and packed.stat().st_mtime_ns >= changed
    }


def _inline(page: bytes) -> dict[str, list[str]]:
    return {kind: [hash_of(each) for each in found.findall(page.decode())] for kind, found in _INLINE.items()}


def coding_for(accepted: str, content: Content) -> str:
    """The coding in which a file is sent, by `Accept-Encoding`; empty for the file as it is."""
    wanted = set()
    for each in accepted.lower().split(","):
        coding, _, weight = each.replace(" ", "").partition(";q=")
        if weight.strip("0.") or not weight:
            wanted.add(coding)
    return next((coding for coding in _CODINGS if coding in wanted and coding in content.bodies), "")


def _sent(request: web.Request, content: Content, headers: dict[str, str]) -> web.Response:
    coding = coding_for(request.headers.get("Accept-Encoding", ""), content)
    tag = f'"{content.tag}{coding and f"-{coding}"}"'
    headers = {**headers, "ETag": tag, "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    if coding:
        headers["Content-Encoding"] = coding
    charset = "utf-8" if content.kind.startswith("text/") else None
    return web.Response(body=content.bodies[coding], content_type=content.kind, charset=charset, headers=headers)
