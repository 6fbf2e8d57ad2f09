"""Exact odds and amounts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.money import Odds, amount
from podium.basics.refusal import Refused


@given(st.integers(0, 10**12), st.integers(1, 100_000), st.integers(1, 1_000))
def test_winnings_and_breakage_are_exactly_the_odds(stake: int, pays: int, per: int) -> None:
    odds = Odds(pays, per)
    kept_back = Fraction(odds.breakage(stake) or 0)
    assert odds.on(stake) + kept_back == Fraction(stake * pays, per)
    assert 0 <= kept_back < 1


@pytest.mark.parametrize(
    ("text", "odds"), [("5:2", (5, 2)), ("5 to 2", (5, 2)), (5, (5, 1)), ("270:1", (270, 1)), ("1:1000", (1, 1000))]
)
def test_odds_are_read_as_they_are_written(text: object, odds: tuple[int, int]) -> None:
    assert Odds.read(text) == Odds(*odds)
    assert Odds.read(str(Odds(*odds))) == Odds.read(Odds(*odds).ratio) == Odds(*odds)


@pytest.mark.parametrize(
    "text", ["", "5", "5:", ":2", "-5:2", "5:-2", "five:2", "5.0:1", "5:2:1", None, True, 2.5, [5, 2], {}]
)
def test_what_is_no_odds_is_refused(text: object) -> None:
    with pytest.raises(Refused, match="is not odds"):
        Odds.read(text)


@pytest.mark.parametrize("text", ["0:1", "1:0", 0, -3, 100_001, "1:1001"])
def test_odds_out_of_range_are_refused(text: object) -> None:
    with pytest.raises(Refused, match="are out of range"):
        Odds.read(text)


@pytest.mark.parametrize(
    ("minor_units", "said"), [(0, "0.00"), (5, "0.05"), (100, "1.00"), (123_456, "1,234.56"), (-1_05, "-1.05")]
)
def test_an_amount_is_written_for_people(minor_units: int, said: str) -> None:
    assert amount(minor_units) == said
