"""Mega Blackjack with Buster: higher odds on blackjacks and 21, and a push when the dealer busts with four cards."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.rules.bets import BLACKJACK, Bet, bets_of
from podium.rules.blackjack.rules import ANY_TOTAL, SEATS_IN_WORDS, BlackjackRules
from podium.rules.dealing import OwnHands
from podium.rules.games.game import Game
from podium.rules.options import option

STANDARD = "MGB Rules (basic rules of standard Blackjack)"


@dataclass(frozen=True, kw_only=True)
class MegaRules(BlackjackRules):
    """MGB."""

    settles_at_once: ClassVar[bool] = True

    decks: Literal[6, 8] = option(6, clause="MGB Introduction")
    blackjack_pays: Literal["3:1"] = option(
        "3:1",
        clause="MGB 7, 8",
        says="A winning blackjack pays {blackjack:odds}, and every other winning 21 pays {other:odds} on the whole wager.",
        facts=lambda pays: {
            "blackjack": BLACKJACK.paytables[pays]["blackjack"],
            "other": BLACKJACK.paytables[pays]["21"],
        },
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
    seats: Literal[7, 1, 2, 3, 4, 5, 6] = option(7, clause="MGB Dealing", says=SEATS_IN_WORDS)

    knows: ClassVar[tuple[Bet, ...]] = bets_of("mega-blackjack")
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
    order=5,
    dealing=OwnHands,
    rules=MegaRules(),
    clauses={
        "game.own-hands": "Introduction",
        "game.blackjack": "8",
        "game.blackjack-and-splits": "3, 8",
        "deal.one-at-a-time": "Dealing",
        "deal.only-with-wager": "Wagering",
        "deal.peek": "8, Dealing",
        "dealer.own-hands": "Dealing",
        "dealer.own-hands-or-bets": "Dealing, NOTE",
        "settlement.at-once": "8, Dealing",
        "settlement.blackjack-first": "8, Dealing",
        "settlement.nearer": "9",
        "tokes.same-odds": "Toke Bets",
    },
)
