"""Stadium Blackjack: community cards, four side bets, wagers for the dealer."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.rules.bets import Bet, bets_of
from podium.rules.blackjack.rules import ANY_TOTAL, BlackjackPays, BlackjackRules
from podium.rules.dealing import Community
from podium.rules.games.game import Game
from podium.rules.options import option

AutoStand = Literal["S17/H12", "S17/H17", "S18/H17", "S18/H12"]


def _totals(policy: str) -> tuple[int, int]:
    """The soft and the hard total from which a hand stands: `S17/H12` is 17 and 12."""
    return int(policy[1:3]), int(policy[5:7])


@dataclass(frozen=True, kw_only=True)
class StadiumRules(BlackjackRules):
    """SBJ: the rules as `BlackjackRules` words them, with the document's paytables and its policy for time-outs."""

    decks: Literal[6, 8] = option(6, clause="SBJ intro")
    blackjack_pays: BlackjackPays = option("3:2", clause="SBJ 2.a")
    paytable: Literal[1, 2, 3, 4, 5] = option(
        1,
        clause="SBJ 5.c.ii, 5.c.iv, 5.d.iii",
        says="The table runs on paytable {paytable} of the document; where a rule below differs from it, the rule below is in force.",
    )
    double: Literal["on"] = option("on", clause="SBJ 5.c")
    double_adds: Literal[1] = option(1, clause="SBJ 5.c")
    split: Literal["on"] = option("on", clause="SBJ 5.d")
    resplit_aces: Literal[False] = option(False, clause="SBJ 5.d.ii")
    insurance_least: Literal[0] = option(0, clause="SBJ 5.h.i")
    bust_pushes_from: Literal[0] = option(0, clause="SBJ 2.a")
    auto_stand: AutoStand = option(
        "S17/H12",
        clause="SBJ 6.a",
        says="If your time runs out, your hand stands on a soft {soft} or a hard {hard}, or more, and otherwise hits.",
        facts=lambda policy: dict(zip(("soft", "hard"), _totals(policy), strict=True)),
        chapter="time",
    )
    side_bets: dict[str, str] = option(
        {"bet-the-set-21": "A", "royal-match-21": "A", "trilux": "TRI-01", "super-3": "1"}, clause="SBJ 2.b to 2.e"
    )

    knows: ClassVar[tuple[Bet, ...]] = bets_of("stadium-blackjack")
    wagering_clause: ClassVar[str] = "SBJ 2, 3"

    @property
    def stands_at(self) -> tuple[int, int]:
        return _totals(self.auto_stand)


_WIDE = {"double_totals": ANY_TOTAL, "double_after_split": True, "max_splits": 2}
_NARROW = {"double_totals": (10, 11), "double_after_split": False, "max_splits": 1}

GAME = Game(
    name="stadium-blackjack",
    short="SBJ",
    title="Stadium Blackjack",
    order=1,
    dealing=Community,
    rules=StadiumRules(),
    implied={"paytable": {1: _WIDE, 2: _WIDE, 3: _WIDE, 4: _WIDE, 5: _NARROW}},
    boxes=3,
    clauses={
        "game.community": "intro, 5",
        "game.blackjack": "2.a",
        "game.blackjack-and-splits": "2.a, 5.d.i",
        "game.bust": "2.a",
        "wagers.take-part": "1, 2, 4",
        "deal.first-three": "4",
        "deal.stream": "7",
        "deal.step": "7, 8",
        "deal.step-and-splits": "7, 8",
        "deal.your-cards": "7.d, 9.a",
        "deal.dealers-hands": "9.a",
        "early.insured-blackjack": "5.h.i",
        "early.insurance-first": "5.h.iii",
        "early.even-money-first": "5.h.iii",
        "early.both-first": "5.h.iii",
        "decisions.hit": "5.a",
        "decisions.stand": "5.b",
        "decisions.best-total": "5.c.ii",
        "decisions.doubled-bust": "5.c.vi",
        "decisions.no-surrender": "5.f",
        "decisions.no-surrender-after-split": "5.f",
        "dealer.community": "9",
        "dealer.not-played-out": "9.c",
        "dealer.not-played-out-or-surrender": "9.c",
        "dealer.against-blackjack": "9.d",
        "dealer.against-blackjack-or-even-money": "9.d",
        "settlement.confirmed": "10",
        "settlement.nearer": "2.a",
        "tokes.own-wager": "3",
        "tokes.own-wager-and-side-bets": "3",
        "tokes.needs": "2.e, 3",
        "tokes.follows": "5.c.viii, 5.d.vi",
        "tokes.follows-for-less": "5.c.viii, 5.d.vi",
    },
)
