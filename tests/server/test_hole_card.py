"""CARD-4: the dealer's hole card is in no answer of the house before it is turned."""

import json
from pathlib import Path

import msgspec

from podium.basics.cards import Card, card
from podium.client import Client
from podium.house import HouseConfig
from podium.house.reports import Records
from podium.house.table import Table
from podium.play.notation import read, write
from podium.play.seen import as_seen
from podium.record.store import open_book
from tests.correcting import correct_card
from tests.hidden import hole_card
from tests.houses import playing_house
from tests.server.served import CONFIG, QUICK, a_house, play
from tests.table import match_up_blackjack
from tests.terminal import on_a_loop

MATCH_UP: HouseConfig = msgspec.structs.replace(
    CONFIG, tables={"t1": msgspec.structs.replace(QUICK, game="match-up-blackjack", options={}, result_seconds=0)}
)


async def play_to_a_hidden_card(terminal: Client, table: Table) -> Card:
    """Plays until the guest is asked to decide against a hole card that the house knows and nobody may see."""
    await terminal.watch(table.name)
    await terminal.join()

    def hole() -> Card:
        known = hole_card(table)
        assert known is not None
        return known

    def hidden() -> bool:
        lying = [laid.card for laid in table.round.face_up] if table.round else []
        return None in lying and table.phase() == "deciding" and hole() not in lying

    await play(terminal, {"blackjack": 1_000}, hidden)
    return hole()


@on_a_loop
async def test_card_4_the_hole_card_is_in_no_recall_of_a_round_in_play(tmp_path: Path) -> None:
    async with a_house(tmp_path, MATCH_UP) as served:
        auditor = await served.staff(await served.operator(), "auditor")
        guest, _ = await served.guest()
        table = served.house.tables["t1"]
        async with await guest.terminal() as terminal:
            hole = await play_to_a_hidden_card(terminal, table)
            for said in (
                await guest.get("/api/rounds", table="t1"),
                await auditor.get("/api/recall", table="t1", round=table.round_number),
            ):
                recalled = said.body[0]
                assert (recalled["round"], recalled["status"]) == (table.round_number, "in play")
                assert recalled["record"]["cards"].split().count("unknown") == 1
                shown = json.dumps([recalled["steps"], recalled["record"]["steps"], recalled["record"]["cards"]])
                assert hole.code not in shown
                assert f"card {hole.code} " not in recalled["record"]["notation"]


def test_card_4_a_round_as_everybody_saw_it_can_be_read_back_and_comes_to_the_same() -> None:
    """An ace up: the dealer has looked, so it is known that the hole card makes no blackjack, and nothing more."""
    table = match_up_blackjack().bets(p1=1_000, p2=600).dealt("9s 8h Ac 2c 3d 6d")
    table.decides(p1="insure", p2="decline").decides(p1="double").dealt("Td")
    seen = as_seen(table.round)
    assert [laid.card for laid in seen.face_up] == [laid.card for laid in table.round.face_up]
    assert "6d" not in write(seen)
    table.voided("a card fell on the floor")
    shown = write(as_seen(table.round))
    assert "6d" not in shown
    assert read(shown).results == table.round.results


def test_card_4_a_corrected_hole_card_is_told_when_the_round_is_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "podium.db"
    with playing_house(path) as playing:
        table = playing.house.tables["match-up-blackjack-1"]
        playing.seat_bots(table.name, 2)
        playing.play_until(table.name, lambda table: table.phase() == "deciding")
        number = [str(laid.place) for laid in table.in_play.face_up].index("hole card") + 1
        right = next(each for each in map(card, ("5h", "5d", "5c")) if each not in table.in_play.cards)
        correct_card(table, number, right, playing.now, by="dora", reason="misread")
        playing.store()
        book = open_book(path, writable=False)
        records = Records()
        records.catch_up(book)
        [correction] = records.significant.search(kind="correction")
        assert (correction.before, correction.after) == ("unknown", "unknown")
        playing.play_until(table.name, lambda table: table.between_rounds)
        playing.store()
        records.catch_up(book)
        [correction] = records.significant.search(kind="correction")
        assert (correction.before != "unknown", correction.after) == (True, right.code)
        book.close()
