"""A dealing answers for itself."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.play.events import (
    BettingClosed,
    CardDealt,
    Confirmed,
    WagersPlaced,
)
from podium.play.round import Round
from podium.rules.bets import BUSTER, INSURANCE, TRILUX, Bet
from podium.rules.games import GAMES
from podium.rules.games.mega_blackjack import MegaRules
from podium.rules.games.stadium_blackjack import StadiumRules


def dealt(played: Round, codes: str) -> Round:
    for each in cards(codes):
        played.apply(CardDealt(each))
    return played


# --- a bet that a dealing cannot show -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BusterRules(StadiumRules):
    """Lists a bet that community dealing has no cards for."""

    knows: ClassVar[tuple[Bet, ...]] = (TRILUX, BUSTER)


BUSTED = replace(GAMES["stadium-blackjack"], name="stadium-buster", rules=BusterRules(side_bets={"trilux": "TRI-01"}))

REFUSED = (
    "buster is settled by the dealer's completed hand (MGB Optional Buster Blackjack wager), which community dealing cannot "
    "show it: its side bets are settled by your first two cards, or your first two cards and the dealer's first card."
)


@pytest.mark.parametrize("options", [{}, {"decks": 8}, {"side_bets": {"buster": "CLASSIC"}}])
def test_a_bet_that_the_dealing_cannot_show_is_refused_when_the_table_is_configured(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    monkeypatch.setitem(GAMES, BUSTED.name, BUSTED)
    with pytest.raises(Refused) as refused:
        TableConfig(game=BUSTED.name, options=options).check()
    assert str(refused.value) == REFUSED


@dataclass(frozen=True, kw_only=True)
class SideInsuranceRules(MegaRules):
    """Takes insurance as a side bet, which sees the same as Buster."""

    knows: ClassVar[tuple[Bet, ...]] = (BUSTER, INSURANCE)


def test_bets_are_settled_by_what_they_see_not_by_which_they_are() -> None:
    rules = SideInsuranceRules(side_bets={"buster": "CLASSIC", "insurance": "A"})
    played = Round(replace(GAMES["mega-blackjack"], rules=rules))
    played.apply(WagersPlaced(1, {"blackjack": 500, "buster": 100, "insurance": 100}))
    played.apply(BettingClosed())
    dealt(played, "9s Kh 9h Ac")
    played.apply(Confirmed())
    returned = {wager.wager: wager.returned for wager in played.results[1].wagers}
    assert returned == {"blackjack": 0, "buster": 0, "insurance": 300}
