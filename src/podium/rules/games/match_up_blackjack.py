"""Blackjack with Match Up and 3 Card Bonuses: own hands, a hole card, small wagers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.rules.bets import Bet, bets_of
from podium.rules.blackjack.rules import ANY_TOTAL, SEATS_IN_WORDS, BlackjackRules
from podium.rules.dealing import OwnHands
from podium.rules.games.game import Game
from podium.rules.options import option
from podium.rules.placard import Offer

AMOUNTS = (200, 400, 600, 800, 1000)
BONUS_LEAST, BONUS_MOST, DOLLAR = 100, 1000, 100


def _reads_amounts(value: Any) -> tuple[int, ...]:
    if isinstance(value, list | tuple) and value and all(type(entry) is int and entry in AMOUNTS for entry in value):
        return tuple(entry for entry in AMOUNTS if entry in value)
    raise Refused("amounts-form", amounts=AMOUNTS, clause="MUB 2")


@dataclass(frozen=True, kw_only=True)
class MatchUpRules(BlackjackRules):
    """MUB."""

    decks: Literal[6] = option(6, clause="MUB 1")
    blackjack_pays: Literal["3:2"] = option("3:2", clause="MUB 17")
    dealer_hits_soft_17: Literal[True] = option(True, clause="MUB 14")
    double: Literal["on"] = option("on", clause="MUB 13.c")
    double_totals: tuple[int, int] = option(ANY_TOTAL, clause="MUB 13.c", fixed=True)
    double_after_split: Literal[True] = option(True, clause="MUB 13.d")
    double_with_ace: Literal[True] = option(True, clause="MUB 13.c")
    double_for_less: Literal[False] = option(False, clause="MUB 13.c")
    double_adds: Literal[1] = option(1, clause="MUB 13.c")
    split: Literal["on"] = option("on", clause="MUB 13.d")
    max_splits: Literal[0, 1, 2, 3, 4] = option(4, clause="MUB 13.d")
    resplit_aces: Literal[False] = option(False, clause="MUB 13.d")
    split_draw: Literal["in-turn"] = option("in-turn", clause="MUB 13.d")
    surrender: Literal["off"] = option("off", clause="MUB 13.e")
    even_money: Literal[False] = option(False, clause="MUB 12")
    insurance: Literal[True] = option(True, clause="MUB 10")
    insurance_least: Literal[100] = option(100, clause="MUB 10")
    dealer_blackjack_takes: Literal["all"] = option("all", clause="MUB 12")
    keep_standoff_bet: Literal["always"] = option("always", clause="MUB 12, 16")
    bust_pushes_from: Literal[0] = option(0, clause="MUB 15")
    dealer_wagers: Literal[False] = option(False, clause="MUB 3")
    side_bets: dict[str, str] = option({"match-up": "A", "three-card-bonus": "A"}, clause="MUB 3")
    wager_amounts: tuple[int, ...] = option(
        AMOUNTS,
        clause="MUB 2",
        says="Your Blackjack wager is one of these amounts: {wager_amounts:money}.",
        reads=_reads_amounts,
        accepts=f"some of {list(AMOUNTS)}",
        examples=([200], [400, 1000]),
    )
    seats: Literal[7, 1, 2, 3, 4, 5, 6] = option(7, clause="MUB 5", says=SEATS_IN_WORDS)

    knows: ClassVar[tuple[Bet, ...]] = bets_of("match-up-blackjack")
    wagering_clause: ClassVar[str] = "MUB 3"

    @property
    def places(self) -> int:
        return self.seats

    @property
    def stands_at(self) -> tuple[int, int]:
        return 0, 0

    def offers(self) -> Iterator[Offer]:
        main, *bonuses = super().offers()
        yield replace(main, amounts=self.wager_amounts, clause="MUB 2")
        for bonus in bonuses:
            yield replace(bonus, least=BONUS_LEAST, most=BONUS_MOST, chip=DOLLAR, clause="MUB Bonus wagers")


GAME = Game(
    name="match-up-blackjack",
    short="MUB",
    title="Blackjack with Match Up and 3 Card Bonuses",
    order=4,
    dealing=OwnHands,
    rules=MatchUpRules(),
    clauses={
        "game.own-hands": "5",
        "game.aim": "Object of the game",
        "game.values": "4",
        "game.blackjack": "9",
        "game.blackjack-and-splits": "9, 13.d",
        "game.bust": "13.b",
        "deal.one-at-a-time": "5",
        "deal.only-with-wager": "3",
        "deal.side-bets-first": "6, 7, 8",
        "deal.peek": "11, 12",
        "deal.in-turn": "13",
        "decisions.hit": "13.b",
        "decisions.stand": "13.a",
        "dealer.own-hands": "14",
        "settlement.nearer": "16, 17",
        "irregularities.void": "Irregularities",
    },
)

english("refused", {"amounts-form": "the placard allows some of these amounts: {amounts:money}."})
