"""A table for tests: a real round, driven in the words of the rule book.

    stadium_blackjack().bets(p1=10_00).dealt("9s 6d 2c").decides(p1="double").dealt("Td Th Kc")

Players are named; they sit in the order in which they bet.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from podium.basics.cards import Card, card, cards
from podium.basics.refusal import Refused
from podium.basics.words import Phrase
from podium.play.events import (
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Nothing, Peek, Wagers
from podium.rules.games import game
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult

OPENING_CREDIT = 100_000


class Table:
    """One round of one game."""

    def __init__(self, name: str, options: Mapping[str, Any] | None = None, out: str = "") -> None:
        gone = cards(out)
        self.round = Round(game(name, options), {one: gone.count(one) for one in gone})
        self.main = self.round.game.rules.main.name
        self.numbers: dict[str, int] = {}

    # --- what happens -----------------------------------------------------------------------------------------------

    def bet(
        self,
        player: str,
        wagers: Mapping[str, int] | int | None = None,
        *,
        dealer: Mapping[str, int] | int | None = None,
        spots: tuple[int, ...] = (),
        credit: int | None = OPENING_CREDIT,
    ) -> "Table":
        """One player's wagers; a bare amount is the main wager, and `dealer` is what is staked for the dealer."""
        number = self.numbers.get(player, len(self.numbers) + 1)
        self.apply(
            WagersPlaced(
                seat=number,
                amounts=self._stakes(wagers),
                for_dealer=self._stakes(dealer),
                spots=spots,
                credit=credit,
                name=player,
            )
        )
        self.numbers[player] = number
        return self

    def bets(self, **stakes: int | Mapping[str, int]) -> "Table":
        """Several players, each with an amount on the main wager or a table of wagers."""
        for player, wagers in stakes.items():
            self.bet(player, wagers)
        return self

    def _stakes(self, wagers: Mapping[str, int] | int | None) -> dict[str, int]:
        if wagers is None:
            return {}
        return {self.main: wagers} if isinstance(wagers, int) else dict(wagers)

    def dealt(self, codes: str = "") -> "Table":
        """Closes the betting, if it is still open, and deals these cards; `??` is a hole card that stays unknown."""
        if isinstance(self.round.awaits, Wagers):
            self.apply(BettingClosed())
        for code in codes.split():
            self.apply(CardDealt(None if code == "??" else card(code)))
        return self

    def decides(self, **decisions: str) -> "Table":
        for player, decision in decisions.items():
            self.apply(Decided(self.numbers[player], decision))
        return self

    def times_out(self, *players: str) -> "Table":
        """Time runs out for these players, or for everybody who is asked."""
        return self.apply(TimeExpired(tuple(self.numbers[player] for player in players) if players else None))

    def peeked(self, *, blackjack: bool) -> "Table":
        return self.apply(HolePeeked(blackjack))

    def turned(self, code: str) -> "Table":
        return self.apply(HoleTurned(card(code)))

    def corrected(self, number: int, code: str) -> "Table":
        return self.apply(CardCorrected(number, card(code)))

    def adds_credit(self, player: str, amount: int) -> "Table":
        return self.apply(CreditAdded(self.numbers[player], amount))

    def confirmed(self) -> "Table":
        return self.apply(Confirmed())

    def voided(self, reason: str = "") -> "Table":
        return self.apply(Voided(reason))

    def apply(self, event: AnyEvent) -> "Table":
        self.round.apply(event)
        return self

    # --- what is seen -----------------------------------------------------------------------------------------------

    @property
    def awaits(self) -> str:
        """What the round awaits, in a word or with the place of the next card."""
        match self.round.awaits:
            case NextCard(place):
                return f"card for {place}"
            case Decisions():
                return "decisions"
            case awaited:
                return AWAITED[type(awaited)]

    @property
    def asked(self) -> dict[str, set[str]]:
        """Who is asked now, and which answers the rules allow."""
        awaits = self.round.awaits
        if not isinstance(awaits, Decisions):
            return {}
        return {player: set(awaits[number].allowed) for player, number in self.numbers.items() if number in awaits}

    def choices(self, player: str) -> set[str]:
        return self.asked[player]

    def credit(self, player: str) -> int | None:
        return self.round.seats[self.numbers[player]].credit

    def result(self, player: str) -> SeatResult:
        return self.round.result(self.numbers[player])

    def net(self, player: str) -> int:
        return self.result(player).net

    def wager(self, player: str, wager: str, whose: str = "player") -> WagerResult:
        """What one wager came to: of all that are settled so far while the round is on, of the result afterwards."""
        done = self.awaits in ("confirmation", "nothing")
        lines = self.result(player).wagers if done else self.round.seats[self.numbers[player]].settled
        return next(line for line in lines if (line.wager, line.whose) == (wager, whose))

    def returned(self, player: str, wager: str | None = None, whose: str = "player") -> int:
        return self.wager(player, wager or self.main, whose).returned

    def hands(self, player: str) -> tuple[HandResult, ...]:
        return self.result(player).hands

    def dealer(self, player: str) -> DealerResult:
        dealer = self.result(player).dealer
        assert dealer is not None
        return dealer

    def why(self, player: str, wager: str | None = None, whose: str = "player") -> str:
        return " ".join(str(reason) for reason in self.wager(player, wager or self.main, whose).why)

    @property
    def cards(self) -> tuple[Card | None, ...]:
        return self.round.cards


AWAITED = {
    Wagers: "wagers",
    Peek: "peek",
    HoleCard: "hole card",
    Confirmation: "confirmation",
    Nothing: "nothing",
}


@contextmanager
def refused(clause: str, words: str = "") -> Iterator[None]:
    """What happens inside is refused, with this clause and these words in the sentence."""
    with pytest.raises(Refused) as caught:
        yield
    said = str(caught.value)
    assert clause in said, said
    assert words in said, said
    if CLAUSE.match(clause):
        assert any(clause in cited for cited in clauses_of(caught.value.phrase)), caught.value.phrase


def clauses_of(said: Phrase) -> Iterator[str]:
    """The clauses that a refusal cites, its own and those of the phrases inside it."""
    yield said.clause
    for fact in said.facts.values():
        if isinstance(fact, Phrase):
            yield from clauses_of(fact)


CLAUSE = re.compile(r"(SBJ|DLB|TCP|MUB|MGB) ")


def stadium_blackjack(**options: Any) -> Table:
    return Table("stadium-blackjack", options)


def dynasty_blackjack(**options: Any) -> Table:
    return Table("dynasty-blackjack", options)


def three_card_poker(**options: Any) -> Table:
    return Table("stadium-three-card-poker", options)


def match_up_blackjack(**options: Any) -> Table:
    return Table("match-up-blackjack", options)


def mega_blackjack(**options: Any) -> Table:
    return Table("mega-blackjack", options)
