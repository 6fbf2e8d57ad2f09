"""Stadium Blackjack: community cards, four side bets, wagers for the dealer."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.rules.bets import BET_THE_SET_21, ROYAL_MATCH_21, SUPER_3, TRILUX, Bet
from podium.rules.blackjack.rules import ANY_TOTAL, BlackjackPays, BlackjackRules
from podium.rules.dealing import Community
from podium.rules.games.game import Game
from podium.rules.options import option

AutoStand = Literal["S17/H12", "S17/H17", "S18/H17", "S18/H12"]


def _says_auto_stand(policy: str) -> str:
    soft, hard = policy[1:3], policy[5:7]
    return f"If your time runs out, your hand stands on a soft {soft} or a hard {hard}, or more, and otherwise hits."


@dataclass(frozen=True, kw_only=True)
class StadiumRules(BlackjackRules):
    """SBJ: the rules as `BlackjackRules` words them, with the document's paytables and its policy for time-outs."""

    decks: Literal[6, 8] = option(6, clause="SBJ intro")
    blackjack_pays: BlackjackPays = option("3:2", clause="SBJ 2.a")
    paytable: Literal[1, 2, 3, 4, 5] = option(
        1,
        clause="SBJ 5.c.ii, 5.c.iv, 5.d.iii",
        says=lambda paytable: (
            f"The table runs on paytable {paytable} of the document; where a rule below differs from it, the rule below is in force."
        ),
    )
    double: Literal["on"] = option("on", clause="SBJ 5.c")
    double_adds: Literal[1] = option(1, clause="SBJ 5.c")
    split: Literal["on"] = option("on", clause="SBJ 5.d")
    resplit_aces: Literal[False] = option(False, clause="SBJ 5.d.ii")
    insurance_least: Literal[0] = option(0, clause="SBJ 5.h.i")
    bust_pushes_from: Literal[0] = option(0, clause="SBJ 2.a")
    auto_stand: AutoStand = option("S17/H12", clause="SBJ 6.a", says=_says_auto_stand)
    side_bets: dict[str, str] = option(
        {"bet-the-set-21": "A", "royal-match-21": "A", "trilux": "TRI-01", "super-3": "1"}, clause="SBJ 2.b to 2.e"
    )

    knows: ClassVar[tuple[Bet, ...]] = (BET_THE_SET_21, ROYAL_MATCH_21, TRILUX, SUPER_3)
    wagering_clause: ClassVar[str] = "SBJ 2, 3"

    @property
    def stands_at(self) -> tuple[int, int]:
        return int(self.auto_stand[1:3]), int(self.auto_stand[5:7])


_WIDE = {"double_totals": ANY_TOTAL, "double_after_split": True, "max_splits": 2}
_NARROW = {"double_totals": (10, 11), "double_after_split": False, "max_splits": 1}

GAME = Game(
    name="stadium-blackjack",
    short="SBJ",
    title="Stadium Blackjack",
    place=1,
    dealing=Community,
    rules=StadiumRules(),
    implied={"paytable": {1: _WIDE, 2: _WIDE, 3: _WIDE, 4: _WIDE, 5: _NARROW}},
)
