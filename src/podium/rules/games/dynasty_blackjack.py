"""IGT Dynasty Live Blackjack: like Stadium Blackjack, except for what is defined here."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.rules.bets import Bet, bets_of
from podium.rules.blackjack.rules import (
    ANY_TOTAL,
    BlackjackPays,
    BlackjackRules,
    OnOff,
    SplitDraw,
    Standoff,
    Surrender,
    Takes,
)
from podium.rules.dealing import Community
from podium.rules.games.game import Game
from podium.rules.options import option

Timeout = Literal["stand", "hit-hard-11-soft-16"]

SILENT = "DLB (as SBJ: the document is silent)"


@dataclass(frozen=True, kw_only=True)
class DynastyRules(BlackjackRules):
    """DLB. Where the document says nothing, the option and its values are Stadium Blackjack's."""

    decks: Literal[6, 4, 8] = option(6, clause="DLB 1")
    blackjack_pays: BlackjackPays = option("3:2", clause=SILENT)
    dealer_hits_soft_17: bool = option(True, clause=SILENT)
    double: OnOff = option("on", clause="DLB 5.c")
    double_totals: tuple[int, int] = option(ANY_TOTAL, clause="DLB 5.c")
    double_after_split: bool = option(True, clause="DLB 5.c")
    double_with_ace: bool = option(True, clause="DLB 5.c")
    double_for_less: bool = option(False, clause="DLB 5.c")
    double_adds: Literal[1, 2] = option(
        1,
        clause="DLB 5.c",
        says={
            1: "Doubling adds your original wager once, so that the hand plays for twice the original wager. "
            "This is the usual reading of the clause; its other reading is not in force.",
            2: "Doubling adds twice your original wager, so that the hand plays for three times the original wager. "
            "This is the literal reading of the clause; its other reading is not in force.",
        },
    )
    split: OnOff = option("on", clause="DLB 5.d")
    max_splits: Literal[0, 1, 2, 3, 4] = option(1, clause="DLB 5.d")
    resplit_aces: Literal[False] = option(False, clause="DLB 5.d")
    split_draw: SplitDraw = option("at-once", clause="DLB 5.d")
    surrender: Surrender = option("not-against-blackjack", clause="DLB 5.e")
    even_money: bool = option(False, clause=SILENT)
    insurance: bool = option(False, clause=SILENT)
    insurance_least: Literal[0] = option(0, clause=SILENT)
    dealer_blackjack_takes: Takes = option("initial", clause=SILENT)
    keep_standoff_bet: Standoff = option("always", clause=SILENT)
    bust_pushes_from: Literal[0] = option(0, clause=SILENT)
    dealer_wagers: bool = option(False, clause=SILENT)
    side_bets: dict[str, str] = option({}, clause="DLB 9")
    timeout: Timeout = option(
        "stand",
        clause="DLB 7",
        says={
            "stand": "If your time runs out, your hand stands.",
            "hit-hard-11-soft-16": "If your time runs out, your hand hits on hard 11 or less or soft 16 or less, and otherwise stands.",
        },
        chapter="time",
    )

    knows: ClassVar[tuple[Bet, ...]] = bets_of("dynasty-blackjack")
    wagering_clause: ClassVar[str] = "DLB 3"

    @property
    def stands_at(self) -> tuple[int, int]:
        return (0, 0) if self.timeout == "stand" else (17, 12)


GAME = Game(
    name="dynasty-blackjack",
    short="DLB",
    title="IGT Dynasty Live Blackjack",
    order=2,
    dealing=Community,
    rules=DynastyRules(),
    clauses={
        "game.community": "intro, 4",
        "wagers.new-game": "2",
        "deal.first-three": "4",
        "deal.stream": "5",
        "deal.step": "5",
        "deal.step-and-splits": "5",
        "deal.your-cards": "6",
        "deal.dealers-hands": "6",
        "decisions.hit": "5.a",
        "decisions.stand": "5.b",
        "dealer.community": "6",
        "settlement.confirm-result": "8",
    },
)
