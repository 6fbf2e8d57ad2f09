"""Recall: any round in full, from the record of a house that has really played."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house.reports import (
    Records,
    day,
    for_player,
    report,
)
from podium.house.table import Table
from podium.house.table.events import decode, encode
from podium.house.verify import verify
from podium.play import notation
from podium.play.events import WagersPlaced
from podium.record.journal import Entry
from podium.record.store import Book
from podium.rules.games import GAMES
from tests.houses import NOON, all_games, playing_house
from tests.reports import all_rounds, rows

TODAY = day("2026-05-28")


# --- recall ---------------------------------------------------------------------------------------------------------------


def test_rec_2_every_payment_is_recomputed_from_the_record_alone(book: Book, records: Records) -> None:
    found = all_rounds(book, records)
    assert len(found) == 75
    assert {each.game for each in found} == set(GAMES)
    for each in found:
        assert each.difference == ""
        again = notation.read(each.notation)
        for part in each.players:
            if each.status != "in play":
                assert again.results[part.seat].net == part.net == part.credit_after + part.held - part.credit_before
            assert sum(payment.staked for payment in part.settled) in (part.staked, 0)


def test_rec_2_a_round_in_play_whose_bust_is_collected_already_has_no_difference(tmp_path: Path) -> None:
    """MGB: a bust is collected when it happens, and the round goes on."""

    def collected(table: Table) -> bool:
        played = None if table.between_rounds else table.in_play
        return played is not None and any(map(played.settled_at_once, played.seats.values()))

    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("mega-blackjack-1")
        playing.play_until("mega-blackjack-1", collected)
        playing.store()
        records = Records()
        records.catch_up(playing.book)
        told = records.recall(playing.book, "mega-blackjack-1", playing.house.table("mega-blackjack-1").round_number)
    assert (told.status, told.difference) == ("in play", "")


def test_rec_2_credit_after_a_round_is_credit_before_the_next(book: Book, records: Records) -> None:
    last: dict[str, int] = {}
    for each in reversed(all_rounds(book, records)):
        for part in each.players:
            assert part.credit_before == last.get(part.player, 10_000_00)
            last[part.player] = part.credit_after
    assert len(last) == 15


def test_rec_2_a_recall_tells_which_decisions_the_system_made(book: Book, records: Records) -> None:
    made = 0
    for each in all_rounds(book, records):
        by_system = Counter(step.seat for step in each.steps if step.by_system)
        for part in each.players:
            if each.table != "stadium-blackjack-1":  # a correction plays decisions again
                assert by_system[part.seat] == sum(by_house for _, by_house in part.decisions)
        made += by_system.total()
    assert made > 10


def test_rec_2_a_recall_names_time_table_dealer_and_rules(book: Book, records: Records) -> None:
    first = records.recall(book, "mega-blackjack-1", 1)
    assert (first.table, first.round, first.dealer, first.status) == ("mega-blackjack-1", 1, "automated", "settled")
    assert first.fingerprint == GAMES["mega-blackjack"].fingerprint
    assert (first.version, first.opened < first.ended) == (1, True)
    assert str(first.steps[0].said) == "Round 1 opened."
    assert str(first.steps[-1].said) == "Result confirmed."
    assert str(next(step.said for step in first.steps if step.said.key == "event.card")).startswith("Seat 1: ")
    assert all(payment.why for part in first.players for payment in part.settled)


def test_rec_2_a_round_in_play_is_recalled_as_far_as_it_went(book: Book, records: Records) -> None:
    last = records.recall(book, "mega-blackjack-1", 13)
    assert (last.status, last.ended) == ("in play", 0)
    assert last.players
    assert all(part.net == -part.staked + part.returned for part in last.players)


def test_void_1_a_void_round_gives_everything_back(book: Book, records: Records) -> None:
    void = records.recall(book, "dynasty-blackjack-1", 13)
    assert void.status == "void"
    assert all(part.credit_after == part.credit_before and not part.net for part in void.players)
    assert any(str(step.said) == "Void by dora, approved by sam: card on the floor." for step in void.steps)


def test_card_3_a_correction_is_recalled_with_who_and_why(book: Book, records: Records) -> None:
    corrected = records.recall(book, "stadium-blackjack-1", 13)
    told = [str(step.said) for step in corrected.steps]
    at = told.index("Card 1 corrected to 4h.")
    assert told[at - 1] == "Correction by dora, approved by sam: misread."
    assert corrected.cards.startswith("4h ")


class Altered:
    """A book in which one seat's wager of one round is written larger than it was."""

    def __init__(self, book: Book, altered: Entry) -> None:
        self.book, self.altered = book, altered

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        return [
            self.altered if entry[:2] == self.altered[:2] else entry
            for entry in self.book.entries(stream, after, limit)
        ]


def test_rec_2_a_record_that_was_altered_disagrees_with_its_money(book: Book, records: Records) -> None:
    table = "dynasty-blackjack-1"
    placed = next(entry for entry in book.entries(f"table/{table}") if entry.kind == "wagers-placed")
    event = decode(placed.payload)
    assert isinstance(event, WagersPlaced)
    more = msgspec.structs.replace(event, amounts={"blackjack": event.amounts["blackjack"] + 500})
    altered: Any = Altered(book, placed._replace(payload=encode(more)))
    said = records.recall(altered, table, 1).difference
    assert re.fullmatch(rf"(bank|credit)/{table}.* was moved by -?\d+, but the record comes to -?\d+\.", said)
    assert records.recall(altered, table, 2).difference == ""


@pytest.mark.parametrize("game", ["mega-blackjack", "match-up-blackjack", "stadium-blackjack"])
def test_rec_2_a_live_dealer_s_rounds_are_recalled_and_tipped(tmp_path: Path, game: str) -> None:
    name = f"{game}-1"
    with playing_house(tmp_path / "podium.db", all_games(dealer="live")) as playing:
        table = playing.house.table(name)
        table.take_place("dora", playing.now)
        playing.seat_bots(name)
        playing.play(name, 8)
        table.take_place("dirk", playing.now)
        playing.play(name, 8)
        records = Records()
        records.catch_up(playing.book)
        found = [records.recall(playing.book, name, number) for number in range(1, 17)]
        assert [each.difference for each in found] == [""] * 16
        assert [each.dealer for each in found] == ["dora"] * 8 + ["dirk"] * 8
        assert [notation.read(each.notation).over for each in found] == [True] * 16
        tips = {row["dealer"]: row["tips"] for row in rows(report("tips", playing.book, records, TODAY, NOON))}
        given = {
            dealer: sum(part.tips for each in found if each.dealer == dealer for part in each.players)
            for dealer in ("dirk", "dora")
        }
        assert tips == {dealer: amount for dealer, amount in given.items() if amount}
        assert records.significant.search(kind="shoe-loaded")[0].who == "dora"
        assert verify(playing.book).live_shoes == len(records.significant.search(kind="shoe-loaded"))


def test_rec_1_the_last_fifty_rounds_of_a_player(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1", 1, credit=1_000_000_00)
        playing.play("dynasty-blackjack-1", 60)
        records = Records()
        records.catch_up(playing.book)
        found = records.search(playing.book, player="dynasty-blackjack-1.bot1")
        assert [line.round for line in found] == list(range(60, 10, -1))
        assert records.recall(playing.book, "dynasty-blackjack-1", 1).players
        assert records.search(playing.book, player="nobody") == []


def test_rounds_older_than_the_index_are_found_in_the_journal(
    book: Book, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.house.limits.MAX_INDEXED_ROUNDS_PER_PLAYER", 3)
    forgetful = Records()
    forgetful.catch_up(book)
    player, table = "dynasty-blackjack-1.bot2", "dynasty-blackjack-1"
    assert len(forgetful.rounds.of_player(player)) == 3
    assert [line.round for line in forgetful.search(book, player=player, table=table)] == [
        line.round for line in records.search(book, player=player, table=table)
    ]


def test_rounds_are_searched_by_table_number_and_player(book: Book, records: Records) -> None:
    assert [line.round for line in records.search(book, table="match-up-blackjack-1")] == list(range(12, 0, -1))
    second = records.rounds.find("match-up-blackjack-1", 2)
    assert second is not None
    played = records.search(book, table="match-up-blackjack-1", player="match-up-blackjack-1.bot1")
    assert second in played
    assert records.search(book, table="match-up-blackjack-1", player="mega-blackjack-1.bot1") == []
    assert len(records.search(book, limit=7)) == 7
    with pytest.raises(Refused, match="There is no round '99' at 'match-up-blackjack-1'"):
        records.recall(book, "match-up-blackjack-1", 99)


def test_a_player_s_recall_shows_nobody_else(book: Book, records: Records) -> None:
    whole = records.recall(book, "mega-blackjack-1", 2)
    own = for_player(whole, "mega-blackjack-1.bot2")
    assert [part.player for part in own.players] == ["mega-blackjack-1.bot2"]
    seat = own.players[0].seat
    assert {step.seat for step in own.steps} <= {0, seat}
    assert (own.notation, own.cards) == ("", whole.cards)
    assert not msgspec.json.encode(own).count(b"bot1")
    doubtful = msgspec.structs.replace(whole, difference="credit/mega-blackjack-1.bot1 was moved by 5")
    assert for_player(doubtful, "mega-blackjack-1.bot2").difference == "The money of this round is being looked into."
