"""MTR-3: coin in - coin out - attendant paid = change of the bank, after corrections and voids too.

The figures to compare with come from `tests/meter_oracle.py`, which shares no code with the meters.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from podium.basics.cards import card, cards
from podium.house.reports import Records, day, report
from podium.house.table import Table
from podium.play.round import Round
from podium.record.ledger import Transfer
from podium.record.meters import Meters
from podium.record.store import read_posted
from podium.rules.results import SeatResult
from tests.correcting import correct_card
from tests.floor import TestHouse, stadium
from tests.houses import NOON, PlayingHouse, all_games, correct, playing_house, void
from tests.meter_oracle import MeterOracle, meter_differences
from tests.metering import read_meters
from tests.reports import all_rounds, rows

POKER = "stadium-three-card-poker"


def live(**changes: object) -> TestHouse:
    house = TestHouse(t1=stadium(dealer="live", approvals=(), correction_approval=False, **changes))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.player("ann")
    return house


def deal(house: TestHouse, codes: str) -> None:
    for one in cards(codes):
        house.at("t1", lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]


def moved(house: TestHouse) -> Iterator[Transfer]:
    return (transfer for entry in house.store() for transfer in entry.transfers)


def games(meters: Meters) -> dict[str, int]:
    """The meters of games, without those of the cage."""
    names = ("coin_in", "coin_out", "attendant_paid_jackpots", "tips", "games_played", "games_won")
    return {name: getattr(meters, name) for name in names if getattr(meters, name)}


def test_mtr_3_after_a_correction_the_meters_are_those_of_the_round_as_it_was() -> None:
    """A misread king and queen of one suit had paid 25 to 1; the queen was a four."""
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 500}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ks 6c Qs")
    assert games(read_meters(moved(house))) == {"coin_in": 1_500, "coin_out": 13_000, "games_played": 1, "games_won": 1}
    house.at("t1", lambda table: correct_card(table, 3, card("4h"), house.now, by="dana", reason="misread"))
    house.decide("ann", "stand")
    deal(house, "Td 4s")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.balances()["bank/t1"] == 1_500
    assert games(read_meters(moved(house))) == {"coin_in": 1_500, "games_played": 1}


def test_mtr_3_after_a_void_coin_out_is_coin_in_although_a_side_bet_was_paid_early() -> None:
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_200, "royal-match-21": 500}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ks 6c Qs")
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="card on the floor"))
    assert games(read_meters(moved(house))) == {"coin_in": 1_700, "coin_out": 1_700}
    assert "bank/t1" not in house.balances()


def test_mtr_1_a_bet_that_is_changed_counts_as_it_was_in_the_end() -> None:
    house = live()
    house.bet("ann", 5_000)
    house.bet("ann", 1_000)
    assert games(read_meters(moved(house))) == {"coin_in": 1_000}


def test_void_1_the_lines_of_a_void_round_name_each_wager() -> None:
    """Also those that decisions added: insurance by itself, a split with the wager that was split, the dealer's too."""
    house = live()
    wagers, tips = {"blackjack": 1_000, "trilux": 300}, {"blackjack": 200}
    house.house.bet("ann", "t1", wagers, tips, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "8s Ah 8d")
    house.decide("ann", "insure")
    house.decide("ann", "split+dealer")
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="card on the floor"))
    (result,) = _round(house.table()).results.values()
    lines = [(wager.wager, wager.whose, wager.staked, wager.returned) for wager in result.wagers]
    assert lines == [
        ("blackjack", "player", 2_000, 2_000),
        ("trilux", "player", 300, 300),
        ("blackjack", "dealer", 400, 400),
        ("insurance", "player", 500, 500),
    ]


def test_void_1_a_void_round_of_three_card_poker_names_the_play_wager() -> None:
    house = TestHouse(t1=stadium(game="stadium-three-card-poker"))
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 1_000)
    house.run_until("deciding")
    house.decide("ann", "play")
    house.at("t1", lambda table: table.void(house.now, by="sue", reason="malfunction", approved_by="sam"))
    (result,) = _round(house.table()).results.values()
    assert [(wager.wager, wager.returned) for wager in result.wagers] == [("ante", 1_000), ("play", 1_000)]


def _round(table: Table) -> Round:
    assert table.round is not None
    return table.round


# --- every game, against the oracle ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayingHouse]:
    """Every game, at the podium where cards are corrected: Three Card Poker is dealt by the house."""
    config = all_games()
    tables = {
        name: msgspec.structs.replace(table, dealer="automated" if name.startswith(POKER) else "live")
        for name, table in config.tables.items()
    }
    where = tmp_path_factory.mktemp("meters") / "house.db"
    with playing_house(where, msgspec.structs.replace(config, tables=tables), name="meters") as playing:
        for table in playing.house.tables:
            playing.seat_bots(table)
            for _ in range(3):
                playing.play(table, 2)
                playing.play(table, 1, upset=lambda each: void(playing, each))
                if not table.startswith(POKER):
                    playing.play(table, 1, upset=lambda each: correct(playing, each))
        yield playing


def test_mtr_3_the_meters_of_every_table_are_what_its_recalled_rounds_come_to(playing: PlayingHouse) -> None:
    records, oracle = Records(), MeterOracle()
    records.catch_up(playing.book)
    oracle.moved(posted.transfer for posted in read_posted(playing.book))
    for told in all_rounds(playing.book, records):
        results = {part.seat: SeatResult((), None, tuple(part.settled)) for part in told.players}
        players = {part.seat: part.player for part in told.players}
        oracle.settled(told.table, told.round, players, results, void=told.status == "void")
    made = rows(report("meters", playing.book, records, day("2026-05-28"), NOON))
    for table in playing.house.tables:
        shown = {row["meter"]: row["journal"] for row in made if row["where"] == f"table {table}"}
        assert meter_differences(oracle, table, shown) == []
        assert shown["games_played"]


def test_mtr_3_the_oracle_sees_a_meter_that_is_wrong() -> None:
    oracle = MeterOracle()
    wrong = msgspec.structs.asdict(Meters(coin_in=5))
    assert meter_differences(oracle, "t1", wrong) == [
        "t1: coin_in is 5, but the settled rounds come to 0",
        "t1: coin in - coin out - attendant paid is 5, but its bank changed by 0",
    ]


def test_the_oracle_shares_no_code_with_what_it_judges() -> None:
    text = Path("tests/meter_oracle.py").read_text()
    imported = [line for line in text.splitlines() if line.startswith(("from podium", "import podium"))]
    assert imported == ["from podium.record.ledger import Transfer", "from podium.rules.results import SeatResult"]
