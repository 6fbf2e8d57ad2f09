"""Mega Blackjack with Buster: higher odds on blackjacks and 21, and a push when the dealer busts with four cards."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.rules.bets import BUSTER, Bet
from podium.rules.blackjack.rules import ANY_TOTAL, BlackjackRules, says_seats
from podium.rules.dealing import OwnHands
from podium.rules.games.game import Game
from podium.rules.options import option

STANDARD = "MGB Rules (basic rules of standard Blackjack)"


@dataclass(frozen=True, kw_only=True)
class MegaRules(BlackjackRules):
    """MGB."""

    decks: Literal[6, 8] = option(6, clause="MGB Introduction")
    blackjack_pays: Literal["3:1"] = option(
        "3:1",
        clause="MGB 7, 8",
        says={"3:1": "A winning blackjack pays 3 to 1, and every other winning 21 pays 3 to 2 on the whole wager."},
    )
    dealer_hits_soft_17: Literal[True] = option(True, clause="MGB 1")
    double: Literal["on"] = option("on", clause=STANDARD)
    double_totals: tuple[int, int] = option(ANY_TOTAL, clause=STANDARD, fixed=True)
    double_after_split: Literal[True] = option(True, clause="MGB 4")
    double_with_ace: Literal[True] = option(True, clause=STANDARD)
    double_for_less: Literal[False] = option(False, clause=STANDARD)
    double_adds: Literal[1] = option(1, clause=STANDARD)
    split: Literal["on"] = option("on", clause="MGB 2")
    max_splits: Literal[0, 1, 2, 3, 4] = option(3, clause="MGB 2")
    resplit_aces: Literal[True] = option(True, clause="MGB 2")
    split_draw: Literal["in-turn"] = option("in-turn", clause=STANDARD)
    surrender: Literal["off"] = option("off", clause="MGB 5")
    even_money: Literal[True] = option(True, clause="MGB 10")
    insurance: Literal[True] = option(True, clause="MGB Dealing")
    insurance_least: Literal[0] = option(0, clause="MGB Dealing")
    dealer_blackjack_takes: Literal["all"] = option("all", clause=STANDARD)
    keep_standoff_bet: Literal["always"] = option("always", clause="MGB 9")
    bust_pushes_from: Literal[4] = option(4, clause="MGB 6")
    dealer_wagers: bool = option(True, clause="MGB Toke Bets")
    side_bets: dict[str, str] = option({"buster": "MEGA-1"}, clause="MGB Optional Buster Blackjack wager")
    seats: Literal[7, 1, 2, 3, 4, 5, 6] = option(7, clause="MGB Dealing", says=says_seats)

    knows: ClassVar[tuple[Bet, ...]] = (BUSTER,)
    wagering_clause: ClassVar[str] = "MGB Wagering"

    @property
    def places(self) -> int:
        return self.seats

    @property
    def stands_at(self) -> tuple[int, int]:
        return 0, 0


GAME = Game(
    name="mega-blackjack",
    short="MGB",
    title="Mega Blackjack with Buster",
    place=5,
    dealing=OwnHands,
    rules=MegaRules(),
)
