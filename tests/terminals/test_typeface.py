"""What a terminal loads: a typeface that has every character, packed files, and nothing twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, CDPSession, Page, expect

import podium
from tests.terminals.houses import RunningHouse

LANGUAGES: Final = Path(podium.__file__).parent / "languages"
TYPED: Final = "Ærøskøbing Łódź Ωμέγα Жанна Nguyễn 王小明 陳大文 龍鑫淼 ¥ € £ ½ ♠♥♦♣"
"""Names as people write them: nobody is a row of boxes."""
FIRST_VISIT_BYTES: Final = 230_000
"""The player's screen with its words, its typeface and the list of the Chinese parts; what the house says is not in it."""


def drawn_with(page: Page, text: str) -> dict[str, bool]:
    """The typefaces that draw a text, and whether each is one that is shipped."""
    page.evaluate(
        """text => {
            const place = document.createElement("p");
            place.id = "drawn";
            place.textContent = text;
            document.body.append(place);
        }""",
        text,
    )
    page.evaluate("document.fonts.ready.then(() => null)")
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "#drawn"})["nodeId"]
    fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    page.evaluate("document.querySelector('#drawn').remove()")
    return {font["familyName"]: font["isCustomFont"] for font in fonts}


def test_every_word_and_every_name_is_drawn_in_a_typeface_that_is_shipped(
    profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    page = profile(house).new_page()
    page.goto(f"{house.address}/play")
    expect(page.get_by_test_id("table-words")).to_be_visible()
    page.wait_for_function("[...document.fonts].some(face => face.family.includes('Noto Sans SC'))")
    said = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in LANGUAGES.glob("*.json")}
    texts = {code: "".join(sorted(set(json.dumps(words, ensure_ascii=False)))) for code, words in said.items()}
    for name, text in {**texts, "typed": TYPED}.items():
        fonts = drawn_with(page, text)
        assert fonts, name
        assert all(fonts.values()), (name, fonts)


def loaded(devtools: CDPSession, page: Page, address: str) -> tuple[int, list[str]]:
    """How many bytes of files came over the line, and the files that did."""
    names: dict[str, str] = {}
    bytes_of: dict[str, int] = {}

    def came(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["response"]["url"].removeprefix(address)

    def ended(event: dict[str, Any]) -> None:
        bytes_of[event["requestId"]] = int(event["encodedDataLength"])

    devtools.on("Network.responseReceived", came)
    devtools.on("Network.loadingFinished", ended)
    page.goto(f"{address}/play")
    expect(page.get_by_test_id("table-words")).to_be_visible()
    page.wait_for_function("[...document.fonts].some(face => face.family.includes('Noto Sans SC'))")
    page.wait_for_load_state("networkidle")
    files = {
        name: bytes_of.get(request, 0) for request, name in names.items() if name.startswith(("/assets/", "/play"))
    }
    return sum(files.values()), [name for name, size in files.items() if size]


def test_a_phone_loads_little_and_nothing_twice(
    profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    page = profile(house).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    first, files = loaded(devtools, page, house.address)
    assert 100_000 < first < FIRST_VISIT_BYTES, (first, files)
    assert not [name for name in files if "noto" in name and name.endswith(".woff2")]  # no Chinese is on the page
    devtools.detach()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    _, again = loaded(devtools, page, house.address)
    assert not [name for name in again if name.startswith("/assets/")]
    assert said == []
