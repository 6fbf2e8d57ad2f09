"""The whole house, simulated: some worlds in every run, as many as wanted with `make simulate` (docs/testing.md)."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.house import House
from podium.house.table import Table
from podium.house.table.state import AUTOMATED
from podium.house.table.table import SHOE_IS_EMPTY
from podium.play.events import CardDealt
from podium.record.ledger import LedgerFault
from podium.rules.asking import Decision
from podium.rules.blackjack.box import Box
from podium.rules.dealing import Dealing, OwnHands
from podium.server import show
from podium.server.floor import Floor
from podium.server.log import log
from podium.server.presence import Presence
from podium.server.web import pages
from podium.wire.messages import TableCard, TableView
from tests.simulator.durable import Caught
from tests.simulator.witness import Witness
from tests.simulator.world import World

BLOCK = 20
BLOCKS = 8


@pytest.mark.parametrize("block", range(BLOCKS))
def test_int_1_led_1_card_4_nothing_goes_wrong_in_any_world(block: int) -> None:
    """INT-1, LED-1, LED-2, PROT-1, CARD-4, CARD-5, GAME-1, GAME-3, DSC-2, SEC-4: in storms of crashes, lost lines and lies."""
    rounds = snapshots = excused = reopened = near = 0
    beside: Counter[str] = Counter()
    voids: Counter[str] = Counter()
    corrected: Counter[str] = Counter()
    practice: Counter[str] = Counter()
    details: Counter[str] = Counter()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        world = World(seed)
        try:
            world.run()
        except BaseException as error:
            error.add_note(f"World {seed} fails. Replay it: .venv/bin/python -m tests.simulator --seed {seed}")
            raise
        rounds += world.witness.rounds
        snapshots += world.witness.kinds["house-stood"]
        beside += world.witness.bets_beside
        voids += world.witness.voids_from_floor
        corrected += Counter({what: times for what, times in world.witness.details.items() if what.startswith("edit ")})
        corrected["swap"] += len(world.witness.swaps)
        practice += world.witness.practice.total
        details += world.witness.details
        excused += world.witness.absences.excused
        near += world.witness.own_limits.near
        reopened += world.witness.kinds["round-reopened"]
    assert rounds > BLOCK, "hardly anything was played"
    assert snapshots > BLOCK, "the house was hardly ever written down"
    assert min(beside["boxes"], beside["tables"]) > 1, "hardly anybody had several boxes or tables"
    assert voids["automated"] > 3, "hardly any automated round was voided from the floor"
    assert corrected.total() > 1, "hardly any card was corrected in its round"
    assert reopened > 3, "hardly any settled round was reopened"
    assert near > 3, "hardly anybody came near a limit of their own"
    assert practice["cards"], "hardly any dealer practised"
    assert details["reading replaced"], "hardly any misread card was corrected before it counted"
    assert details["rounds settled by the second engine"] > BLOCK, "hardly any round was settled twice"
    assert excused, "no table ever went on without somebody"


def test_a_world_is_the_same_every_time() -> None:
    """In another process, with other hashes: the seed alone decides."""
    told = set()
    for hashes in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-m", "tests.simulator", "--seed", "3"],
            env={**os.environ, "PYTHONHASHSEED": hashes},
            cwd=Path(__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(ran.stdout)
    (only,) = told
    assert len(only.splitlines()) > 50


# --- that the witness catches what it is there for ---------------------------------------------------------------------


def caught(kind: type[Floor] = Floor, worlds: int = 40) -> str:
    """What the witness says of the first world in which it catches something."""
    for seed in range(worlds):
        world = World(seed)
        world.floor_kind = kind
        try:
            world.run()
        except Caught as error:
            return str(error)
        except (Refused, LedgerFault):
            continue  # what is broken is not possible in this world, or the ledger itself has stopped it
    raise AssertionError(f"nothing was caught in {worlds} worlds")


class Hasty(Floor):
    """Tells before it is stored."""

    async def keep(self) -> None:
        self._later = asyncio.ensure_future(super().keep())


class Forgetful(Floor):
    """Forgets now and then what the desk has done."""

    async def keep(self) -> None:
        entries = self.house.take_entries()
        kept = [entry for entry in entries if entry.kind != "money-moved"]
        await self.store.append(kept)
        self.stored.update(self.house.take_touched())


def test_card_5_a_floor_that_tells_before_it_stores_is_caught() -> None:
    assert "stored is" in caught(Hasty) or "is not stored" in caught(Hasty)


def test_int_1_a_floor_that_loses_what_it_acknowledged_is_caught() -> None:
    assert "stored" in caught(Forgetful)


def test_card_4_a_hole_card_that_is_shown_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    as_it_is = show.Window.for_everybody

    def with_the_hole(window: show.Window, now: int) -> TableView:
        hole = window.table.face_down
        return msgspec.structs.replace(as_it_is(window, now), cards=[hole.code] if hole else [])

    monkeypatch.setattr(show.Window, "for_everybody", with_the_hole)
    assert "CARD-4" in caught()


def deal_as_before(table: Table, now: int) -> None:
    """The automated dealer of 180b39b: it wrote the hole card into the journal as it dealt it."""
    card = table.next_card()
    if card is None:
        table._void(now, by=AUTOMATED, reason=SHOE_IS_EMPTY)
    else:
        table._record(CardDealt(card), now)


def enter_as_before(table: Table, card: Card | None, now: int) -> None:
    table._record(CardDealt(card), now)


def test_rng_8_a_hole_card_that_is_stored_before_it_is_turned_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "deal_from_shoe", deal_as_before)
    assert "is stored, face down" in caught()


def test_rng_8_a_hole_card_that_a_dealer_enters_and_that_is_stored_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "deal", enter_as_before)
    assert "is stored, face down" in caught(worlds=400)


def test_card_4_a_hole_card_that_is_recalled_in_play_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "deal_from_shoe", deal_as_before)
    monkeypatch.setattr(Witness, "_only_open_cards_are_stored", lambda *_: None)
    monkeypatch.setattr(OwnHands, "face_down", Dealing.face_down)
    monkeypatch.setattr(show, "cards_shown", lambda played: ["?" for _ in played.face_up])
    monkeypatch.setattr(Witness, "_shown", lambda *_: None)
    assert "CARD-4: round" in caught()


def test_rng_8_a_card_in_the_log_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    as_it_is = Table.deal_from_shoe

    def and_say_so(table: Table, now: int) -> None:
        log.info("the next card", face=str(table.next_card()))
        as_it_is(table, now)

    monkeypatch.setattr(Table, "deal_from_shoe", and_say_so)
    assert "the log names" in caught()


def test_rng_8_a_card_in_a_report_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_the_hole(table: Table) -> TableCard:
        card = show.table_card(table)
        return msgspec.structs.replace(card, title=f"{card.title} {table.face_down}")

    monkeypatch.setattr(pages, "table_card", with_the_hole)
    assert "names the cards" in caught(worlds=200)


def test_rng_8_a_card_in_the_metrics_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def with_the_hole(shown: pages.Pages, _: web.Request) -> web.Response:
        faces = {str(table.face_down) for table in shown._floor.house.tables.values() if table.face_down}
        lines = "".join(f'podium_hole{{card="{face}"}} 1.0\n' for face in sorted(faces))
        return web.Response(body=shown._floor.metrics.text() + lines.encode())

    monkeypatch.setattr(pages.Pages, "metrics", with_the_hole)
    assert "/metrics names the cards" in caught(worlds=200)


def test_card_4_a_hole_card_in_a_refusal_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(table: Table, player: str, decision: str, now: int, **_: Any) -> None:
        raise Refused("not-a-card", text=str(table.face_down), ranks="")

    monkeypatch.setattr(Table, "decide", decide)
    assert "CARD-4: a refusal" in caught(worlds=200)


def test_dsc_2_a_floor_that_does_not_wait_for_those_who_are_there_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Presence, "lost_since", lambda presence, player, patience: 0)
    assert "was cut short by" in caught()


def test_dsc_2_a_floor_that_does_not_wait_after_a_start_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Presence, "lost_since", lambda presence, player, patience: presence.away_since(player))
    assert "was cut short by" in caught(worlds=200)


def test_dsc_2_a_house_that_gives_nobody_back_the_time_of_its_outage_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "resume", lambda *_: None)
    assert "ms after a start of the house" in caught()


def test_dsc_2_a_time_out_that_takes_money_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that doubles for whoever does not answer."""
    monkeypatch.setattr(
        Box, "time_out", lambda box: Decision("double" if "double" in box.question().allowed else "stand")
    )
    assert "DSC-2" in caught()


def test_prot_1_a_house_that_forgets_one_table_when_it_counts_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies on the other tables is not counted: the oracle finds a player beyond a limit."""
    monkeypatch.setattr(House, "at_stake", lambda house, player: 0)
    assert "PROT-1" in caught()
