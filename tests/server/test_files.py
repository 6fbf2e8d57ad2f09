"""The files of the screens: packed as the browser likes it, kept for a year, asked for again only where the name may stay the same."""

import gzip
from pathlib import Path

import aiohttp
import pytest

from podium.server.web.files import STATIC, StaticFiles, coding_for
from tests.server.served import Served, a_house
from tests.terminal import on_a_loop

KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
UNPACKED = [path for path in (STATIC / "assets").iterdir() if path.suffix not in (".br", ".gz")]


async def address(served: Served) -> str:
    return (await served.browser()).base


@on_a_loop
async def test_every_file_is_sent_with_its_type_and_kept_for_a_year(tmp_path: Path) -> None:
    assert {path.suffix for path in UNPACKED} == set(KINDS)
    async with a_house(tmp_path) as served, aiohttp.ClientSession(auto_decompress=False) as session:
        for path in (*UNPACKED[::20], *(next(STATIC.glob(f"assets/*{suffix}")) for suffix in KINDS)):
            async with session.get(
                f"{await address(served)}/assets/{path.name}", headers={"Accept-Encoding": ""}
            ) as answer:
                assert await answer.read() == path.read_bytes()
                assert answer.content_type == KINDS[path.suffix], path.name
                assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
                assert "Content-Encoding" not in answer.headers


@on_a_loop
async def test_what_can_be_packed_is_sent_packed(tmp_path: Path) -> None:
    script = max(STATIC.glob("assets/*.js"), key=lambda path: path.stat().st_size)
    async with a_house(tmp_path) as served, aiohttp.ClientSession(auto_decompress=False) as session:
        for name, path in ((f"assets/{script.name}", script), ("play", STATIC / "play.html")):
            tags = set()
            for accepted, coding in (
                ("gzip, deflate, br, zstd", "br"),
                ("gzip", "gzip"),
                ("br;q=0, gzip;q=0.5", "gzip"),
            ):
                async with session.get(
                    f"{await address(served)}/{name}", headers={"Accept-Encoding": accepted}
                ) as answer:
                    body = await answer.read()
                    assert answer.headers["Content-Encoding"] == coding
                    assert answer.headers["Vary"] == "Accept-Encoding"
                    assert len(body) < path.stat().st_size * 0.6
                    if coding == "gzip":
                        assert gzip.decompress(body) == path.read_bytes()
                    tags.add(answer.headers["ETag"])
            assert len(tags) == 2  # one for each coding


@on_a_loop
async def test_a_page_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served, aiohttp.ClientSession() as session:
        async with session.get(f"{await address(served)}/play") as answer:
            assert answer.headers["Cache-Control"] == "no-cache"
            tag = answer.headers["ETag"]
        async with session.get(f"{await address(served)}/play", headers={"If-None-Match": tag}) as answer:
            assert (answer.status, await answer.read()) == (304, b"")
        other = {"If-None-Match": tag, "Accept-Encoding": "identity"}
        async with session.get(f"{await address(served)}/play", headers=other) as answer:
            assert answer.status == 200


@pytest.mark.parametrize(("accepted", "coding"), [("", ""), ("identity", ""), ("BR;q=1.0", "br"), ("gzip;q=0.0", "")])
def test_the_coding_is_one_that_the_browser_accepts(tmp_path: Path, accepted: str, coding: str) -> None:
    page = tmp_path / "page.html"
    page.write_text("as it is")
    for suffix in (".br", ".gz"):
        page.with_name(page.name + suffix).write_text("packed")
    assert coding_for(accepted, StaticFiles().read(page)) == coding


def test_what_was_packed_before_the_file_was_changed_is_not_sent(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.with_name("page.html.br").write_text("old")
    page.write_text("new")
    files = StaticFiles()
    assert set(files.read(page).bodies) == {""}
    page.with_name("page.html.gz").write_text("packed")
    assert set(StaticFiles().read(page).bodies) == {"", "gzip"}


def test_the_licences_of_the_typefaces_travel_with_them() -> None:
    for name in ("inter", "noto-sans-sc"):
        assert "SIL OPEN FONT LICENSE" in (STATIC / "assets" / f"{name}.LICENSE.txt").read_text().upper()
