"""The console of a house: its configuration and its accounts from the machine itself, through the running house or on its closed book."""

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

import aiohttp
import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house import HouseConfig, read_config, write_config
from podium.house.events import HouseConfigured, decode
from podium.house.table import TableConfig
from podium.record.store import open_book
from podium.server.console import user_named
from tests.history import notes_of
from tests.torture.house import ServedHouse, free_port

ROOT = Path(__file__).parent.parent
FIRST = HouseConfig(
    name="First", guests=True, tables={"t1": TableConfig("mega-blackjack"), "t2": TableConfig("mega-blackjack")}
)
PASSWORD = "correct horse battery"
ME = f"console/{user_named(os.getuid())}"


def podium(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "podium", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def sentences(text: str) -> list[str]:
    """What is said to people; the log is JSON lines."""
    return [line for line in text.splitlines() if not line.startswith("{")]


def house_in(data: Path) -> ServedHouse:
    return ServedHouse(data, "", free_port(Random(str(data))), FIRST)


def configured(data: Path) -> list[HouseConfigured]:
    book = open_book(data / "podium.db", writable=False)
    try:
        events = [decode(entry.payload) for entry in book.entries("house")]
    finally:
        book.close()
    return [event for event in events if isinstance(event, HouseConfigured)]


@pytest.mark.parametrize("running", [True, False], ids=["running", "closed"])
def test_the_house_is_the_master_of_its_configuration(tmp_path: Path, running: bool) -> None:
    """The file seeds an empty house; a later start with it reverts nothing, and says so."""
    data = tmp_path / "house"
    house = house_in(data)
    house.start()
    if not running:
        house.kill()
    tables = {"t1": TableConfig("mega-blackjack", betting_seconds=33), "t3": TableConfig("stadium-blackjack")}
    wanted = msgspec.structs.replace(FIRST, name="Second", tables=tables)
    file = tmp_path / "second.toml"
    file.write_text(write_config(wanted))
    try:
        compared = podium("config", "diff", str(file), "--data", str(data))
        assert compared.returncode == 1, compared.stderr
        assert compared.stdout.splitlines()[:2] == [
            'name: "First" -> "Second"',
            "tables.t1.betting_seconds: 15 -> 33",
        ]
        assert 'tables.t3.game: (not there) -> "stadium-blackjack"' in compared.stdout
        assert 'tables.t2.game: "mega-blackjack" -> (not there)' in compared.stdout
        assert len(configured(data)) == 1, "looking at the differences makes none"
        applied = podium("config", "apply", str(file), "--data", str(data))
        assert applied.returncode == 0, applied.stderr
        again = podium("config", "diff", str(file), "--data", str(data))
        assert (again.returncode, again.stdout) == (0, "The house has this configuration.\n")
        shown = podium("config", "show", "--data", str(data))
        # A table that the house deals itself takes nothing for a dealer unless it says so (SBJ 5.c.viii).
        without_tokes = {
            name: msgspec.structs.replace(table, options={"dealer_wagers": False}) for name, table in tables.items()
        }
        assert read_config(shown.stdout) == msgspec.structs.replace(wanted, tables=without_tokes)
        [_, second] = configured(data)
        assert (second.by, second.config.name) == (ME, "Second")
    finally:
        if house.running:
            house.kill()
    house.start()  # with the file of the first start
    try:
        said = sentences((data / "log").read_text())
        assert said[-1].startswith("The house keeps the configuration that it has, which is not that of ")
        assert "podium config diff" in said[-1]
        assert [event.config.name for event in configured(data)] == ["First", "Second"]
        tables_now = asyncio.run(_get(house, "/api/health"))["tables"]
        phases = {table["table"]: table["phase"] for table in tables_now}
        assert (phases["t2"], phases["t3"]) == ("closed", "betting")
    finally:
        house.kill()


def test_a_file_that_leaves_something_open_is_the_configuration_that_the_house_has(tmp_path: Path) -> None:
    """It says nothing of wagers for the dealer, which the house decides by who deals."""
    data = tmp_path / "house"
    house = house_in(data)
    for _ in range(2):
        house.start()
        house.kill()
    assert sentences((data / "log").read_text()) == []


async def _get(house: ServedHouse, path: str) -> dict[str, list[dict[str, str]]]:
    async with aiohttp.ClientSession() as session, session.get(house.pages + path) as answer:
        body: dict[str, list[dict[str, str]]] = await answer.json()
        return body


async def _chosen(house: ServedHouse, link: str) -> tuple[int, int]:
    """What it comes to when somebody chooses a password with a link, and signs in with it."""
    token = link.partition("#")[2]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        body = {"token": token, "password": PASSWORD}
        async with session.post(f"{house.pages}/api/invitations", json=body) as answer:
            chose, name = answer.status, (await answer.json()).get("name", "")
        async with session.post(f"{house.pages}/api/sign-in", json={"name": name, "password": PASSWORD}) as answer:
            return chose, answer.status


def link_in(ran: subprocess.CompletedProcess[str]) -> str:
    assert ran.returncode == 0, ran.stderr
    found = re.search(r"/welcome#\S+", ran.stdout)
    assert found is not None, ran.stdout
    return found[0]


@pytest.mark.parametrize("running", [True, False], ids=["running", "closed"])
def test_sec_1_a_sole_operator_who_lost_the_password_comes_back_by_the_console(tmp_path: Path, running: bool) -> None:
    house = house_in(tmp_path)
    house.start()
    assert asyncio.run(_chosen(house, house.invitation)) == (200, 200)
    if not running:
        house.kill()
    at = ("--data", str(tmp_path))
    try:
        link = link_in(podium("people", "reset", "operator", *at))
        dealer = link_in(podium("people", "invite", "ines", "--role", "dealer", *at))
        if not running:
            house.start()
        assert asyncio.run(_chosen(house, link)) == (200, 200)
        assert asyncio.run(_chosen(house, dealer)) == (200, 200)
        if not running:
            house.kill()
        listed = podium("people", "list", "--json", *at)
        assert [(each["name"], each["role"], each["active"]) for each in msgspec.json.decode(listed.stdout)] == [
            ("ines", "dealer", True),
            ("operator", "operator", True),
        ]
        assert podium("people", "close", "ines", *at).returncode == 0
        assert "ines      dealer      closed" in podium("people", "list", *at).stdout
        nobody = podium("people", "close", "otto", *at)
        assert (nobody.returncode, sentences(nobody.stderr)) == (2, ["Nobody is known here by the name 'otto'."])
        wrong = podium("people", "invite", "otto", "--role", "king", *at)
        assert wrong.returncode == 2
        assert "king" in wrong.stderr
    finally:
        if house.running:
            house.kill()
    book = open_book(tmp_path / "podium.db", writable=False)
    by_console = [(note.source, note.reason) for note in notes_of(book) if note.who == ME]
    book.close()
    assert by_console == [
        ("operator", "reset from the console"),
        ("ines", "invited from the console"),
        ("ines", "changed"),
    ]


def test_sec_2_the_console_does_not_replace_two_people_who_are_there(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    house.start()
    at = ("--data", str(tmp_path))
    try:
        assert stat.S_IMODE((tmp_path / "console.sock").stat().st_mode) == 0o600
        asyncio.run(_chosen(house, house.invitation))
        asyncio.run(_chosen(house, link_in(podium("people", "invite", "sue", "--role", "supervisor", *at))))
        refused = podium("people", "invite", "sam", "--role", "auditor", *at)
        assert refused.returncode == 2
        assert sentences(refused.stderr) == [
            "There are people here who check others: operator, sue. On the floor, two of them can give somebody the role of auditor"
            " or a new link (SEC-2)."
        ]
        assert podium("people", "invite", "dan", "--role", "dealer", *at).returncode == 0
    finally:
        house.kill()


def test_there_must_be_a_house(tmp_path: Path) -> None:
    for command in (["people", "list"], ["config", "show"]):
        ran = podium(*command, "--data", str(tmp_path / "none"))
        assert ran.returncode == 2
        assert ran.stderr == f"There is no house in {tmp_path / 'none'}: it has no podium.db.\n"


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('name = " "', "name = ' ' is not allowed: it must be a text of 1 to 80 characters."),
        ('currency = ""', "currency = '' is not allowed: it must be a text of 1 to 8 characters."),
        ("ticket_days = 100000", "ticket_days = 100000 is not allowed: it must be 1 to 3650."),
        ("backup_hours = -1", "backup_hours = -1 is not allowed: it must be 0 to 1000000000."),
        (
            "[tables.t1]\ngame = 'mega-blackjack'\ncard_seconds = 3600",
            "tables.t1: card_seconds = 3600.0 is not allowed: it must be 0 to 60.",
        ),
        (
            "[tables.t1]\ngame = 'mega-blackjack'\nbetting_seconds = nan",
            "tables.t1: betting_seconds = nan is not allowed",
        ),
        (
            "[tables.t1]\ngame = 'mega-blackjack'\noptions = {limits = {blackjack = [550, 50000]}, chip = 100}",
            "tables.t1: limits: 5.50 for Blackjack is not a multiple of the chip of 1.00, so nobody could bet it.",
        ),
        (
            "[tables.t1]\ngame = 'stadium-blackjack'\noptions = {paytables = {trilux = {MINE = {flush = '50000:1'}}}}",
            "tables.t1: paytables: flush of TriLux MINE would pay 50000:1; the most is 10,000 for 1.",
        ),
    ],
)
def test_a_configuration_that_nobody_means_is_refused_with_its_place(toml: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read_config(toml)
    assert str(refused.value).startswith(said)


def test_every_example_of_the_reference_page_is_accepted() -> None:
    """docs/configuration.md is generated; its examples are read as an operator would write them."""
    house, _, table = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8").partition("## Each table")
    examples = [re.findall(r"\| `(\w+ = .*?)` \|", part) for part in (house, table)]
    assert len(examples[0]) == len(HouseConfig.__struct_fields__) - 1
    lines = [line for line in examples[1] if not line.endswith("= absent")]
    text = "\n".join([*examples[0], "[tables.t1]", *lines]).replace("\\|", "|")
    assert read_config(text).tables["t1"].game == "stadium-blackjack"
