"""What a table must be able to pay is counted as wagers come and go; a walk compares it with a sum over all seats (GAME-5)."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

import pytest

from podium.basics.refusal import Refused
from podium.basics.words import Phrase
from podium.house.table import Table, TableConfig
from tests.floor import TestHouse

PLAYERS: Final = tuple("abcdefgh")
BOUNDS: Final[tuple[dict[str, Any], ...]] = (
    {"most_payable_table": 40_000},
    {"most_payable_table": 20_000, "most_payable": 9_000},
    {"most_payable": 9_000},
    {"most_payable_table": 60_000, "most_payable": 5_000, "over_payable": "cap"},
    {},
)
LIMITS: Final = {"limits": {"blackjack": [100, 50_000], "trilux": [100, 50_000]}}
STEPS: Final = 600
CREDIT: Final = 100_000_000


def config(**bound: Any) -> TableConfig:
    return TableConfig(
        "stadium-blackjack", {**LIMITS, "dealer_wagers": True, **bound}, places=5, boxes=2, betting_seconds=3_600
    )


class Floor:
    """A table with five places and eight players who want them."""

    def __init__(self, chance: Random) -> None:
        self.chance: Final = chance
        self.house = TestHouse(t1=config(**BOUNDS[0]))
        self.met = {"payable-player": 0, "payable-table": 0, "taken": 0, "full": 0, "other bounds": 0}
        for player in PLAYERS:
            self.house.house.admit(player, "card", self.house.now)
            self.house.house.pay_in(player, CREDIT, self.house.now, key=player, by="carl")

    @property
    def table(self) -> Table:
        return self.house.table()

    @property
    def bets(self) -> bool:
        return self.table.phase() == "betting"

    def seated(self) -> tuple[str, int] | None:
        """Somebody's box."""
        boxes = [(player, box) for player, own in self.table.boxes.items() for box in own]
        return self.chance.choice(boxes) if boxes else None

    # --- what happens ---------------------------------------------------------------------------------------------------

    def sit(self) -> None:
        player = self.chance.choice(PLAYERS)
        box = 2 if player in self.table.seats else None
        try:
            self.house.house.sit_down(player, "t1", None, self.house.now, box=box)
        except Refused as refusal:
            self.met["full"] += "places" in str(refusal) or "seat" in str(refusal)

    def leave(self) -> None:
        if (found := self.seated()) is not None:
            player, box = found
            self.house.at("t1", lambda table: table.get_up(player, self.house.now, box=box))

    def change(self) -> None:
        """Other settings apply from the next round on."""
        self.house.house.configure_table("t1", config(**self.chance.choice(BOUNDS)), self.house.now, by="olga")
        self.met["other bounds"] += 1

    def play_on(self) -> None:
        if self.bets and self.table.in_play.seats:
            self.house.at("t1", lambda table: table.close_bets(self.house.now))
        if not self.bets and not self.table.between_rounds and self.chance.random() < 0.3:
            self.house.at("t1", lambda table: table.void(self.house.now, by="sue", reason="test", approved_by="sam"))
        if not self.bets:
            self.house.run_until("betting")

    def restart(self) -> None:
        self.house.house = self.house.restarted()

    def bet(self) -> None:
        if not self.bets or (found := self.seated()) is None:
            return
        player, box = found
        amounts, for_dealer = self.wagers(player, box)
        expected = self.refusal(player, box, amounts, for_dealer)
        before = self.placed()
        key = self.refused(lambda: self.house.house.bet(player, "t1", amounts, for_dealer, (), self.house.now, box=box))
        assert key == expected, f"{amounts} and {for_dealer} of {player}"
        assert not key or self.placed() == before
        self.met[key or "taken"] += 1

    def refused(self, bet: Callable[[], None]) -> str:
        """The key of the reason why a bet is refused; empty if it is taken."""
        try:
            bet()
        except Refused as refusal:
            why = refusal.phrase.facts["why"]
            return why.key.removeprefix("refused.") if isinstance(why, Phrase) else str(why)
        return ""

    def placed(self) -> dict[int, tuple[dict[str, int], dict[str, int]]]:
        return {seat: (dict(each.amounts), dict(each.for_dealer)) for seat, each in self.table.in_play.seats.items()}

    def wagers(self, player: str, box: int) -> tuple[dict[str, int], dict[str, int]]:
        """Wagers taken back, any wagers, or the most that would be taken, or a chip more than that."""
        chance = self.chance
        has_bet = self.table.boxes[player][box] in self.table.in_play.seats
        match chance.choice(["back", "any", "any", "edge", "over"][0 if has_bet else 1 :]):
            case "back":
                return {}, {}
            case "any":
                amounts = {"blackjack": 100 * chance.randint(1, 40)}
                amounts |= {"trilux": 100 * chance.randint(1, 5)} if chance.random() < 0.3 else {}
                return amounts, {"blackjack": 100 * chance.randint(1, 5)} if chance.random() < 0.3 else {}
            case edge:
                chip = self.table.in_play.game.offers["blackjack"].chip
                fits = max(
                    (
                        chips
                        for chips in range(1, 500)
                        if not self.refusal(player, box, {"blackjack": chips * chip}, {})
                    ),
                    default=0,
                )
                chips = max(100 // chip, fits + (edge == "over"))
                return {"blackjack": min(50_000, chips * chip)}, {}

    # --- what should happen, from all seats anew ------------------------------------------------------------------------

    def payable(self, wagers: Iterable[tuple[str, int]]) -> int:
        game = self.table.in_play.game
        return sum(game.rules.pays_most(game.offers[wager], amount) for wager, amount in wagers)

    def refusal(self, player: str, box: int, amounts: dict[str, int], for_dealer: dict[str, int]) -> str:
        """The key of the refusal that these wagers must get; empty where they must be taken."""
        if not amounts:
            return ""
        rules, own = self.table.in_play.game.rules, self.table.boxes[player]
        known = {
            number: self.payable([*seat.amounts.items(), *seat.for_dealer.items()])
            for number, seat in self.table.in_play.seats.items()
            if number != own[box]
        }
        wanted = self.payable([*amounts.items(), *for_dealer.items()])
        at_own = sum(known.get(number, 0) for number in own.values())
        if rules.most_payable and rules.over_payable == "refuse" and wanted + at_own > rules.most_payable:
            return "payable-player"
        if rules.most_payable_table and wanted + sum(known.values()) > rules.most_payable_table:
            return "payable-table"
        return ""


@pytest.mark.parametrize("seed", range(6))
def test_game_5_a_full_table_refuses_exactly_what_it_could_not_pay(seed: int) -> None:
    """Players come, leave, take back and change wagers at two boxes each, rounds are played and voided, the house is restarted
    and its settings change; each bet at the limit is taken, and one chip more is refused."""
    floor = Floor(Random(seed))
    for _ in range(5):
        floor.sit()
    floor.house.run_until("betting")
    acts: dict[Callable[[], None], int] = {
        floor.bet: 12, floor.sit: 4, floor.leave: 3, floor.play_on: 2, floor.change: 1, floor.restart: 1
    }  # fmt: skip
    for _ in range(STEPS):
        [act] = floor.chance.choices(list(acts), list(acts.values()))
        act()
    assert all(floor.met.values()), floor.met
