"""Every side bet is complete: some game may offer it, and each of its outcomes can happen."""

from collections.abc import Iterator

import pytest

from podium.basics.cards import Card
from podium.maths.side_bets import can_count, ways
from podium.rules.bets import ANTE, BETS, BLACKJACK, INSURANCE, PLAY, Bet, Sees, bets_of
from podium.rules.bets.bet import to_one
from podium.rules.games import GAMES

SIDE_BETS = {name: bet for name, bet in BETS.items() if bet.games}


def test_every_bet_is_a_main_wager_or_one_that_some_game_may_offer() -> None:
    main = {bet.name for bet in (BLACKJACK, INSURANCE, ANTE, PLAY)}
    assert BETS.keys() - SIDE_BETS.keys() == main, "a bet names the games that may offer it in games=(...)"


def test_a_game_knows_the_bets_that_name_it() -> None:
    for game in GAMES.values():
        assert set(bets_of(game.name)) <= set(game.rules.knows)


# --- outcomes ---------------------------------------------------------------------------------------------------------


def dealers_hands(cards: int = 0, hard: int = 0, *, ace: bool = False) -> Iterator[tuple[int, int]]:
    """The number of cards and the points of every hand that a dealer can end with, whatever the rule for a soft 17."""
    soft = ace and hard + 10 <= 21
    points = hard + 10 * soft
    if cards >= 2 and points >= 17:
        yield cards, points
    if points < 17 or (soft and points == 17):
        for value in range(1, 11):
            yield from dealers_hands(cards + 1, hard + value, ace=ace or value == 1)


def found_by(bet: Bet) -> set[str | None]:
    """Every outcome that some cards make; None where they make none."""
    if can_count(bet):
        return set(ways(bet, 6))
    assert bet.sees is Sees.DEALERS_HAND, f"{bet.name} sees {bet.sees}, which only main wagers do"
    return {bet.of(*hand) for hand in set(dealers_hands())}


@pytest.mark.parametrize("name", SIDE_BETS)
def test_every_outcome_can_happen_and_every_one_that_happens_is_listed(name: str) -> None:
    bet = SIDE_BETS[name]
    found = found_by(bet)
    unreached = [outcome for outcome in bet.outcomes if outcome not in found]
    assert unreached == [], f"no hand fills {unreached} of {name}"
    assert found - {None} <= set(bet.outcomes), f"the outcome function of {name} names what is not in outcomes=(...)"
    assert None in found, f"every hand wins on {name}"


# --- a bet that is not whole ------------------------------------------------------------------------------------------


def red(*, says: str = "Red wins when your first card is red.", paid: str = "red") -> Bet:
    return Bet(
        name="red",
        title="Red",
        clause="SBJ 2",
        sees=Sees.FIRST_TWO,
        outcomes=("red",),
        paytables={"A": to_one(**{paid: 1})},
        says=says,
    )


def first_is_red(first: Card, second: Card) -> str | None:
    return "red" if first.suit in "dh" else None


@pytest.mark.usefixtures("made_up_words")
def test_a_whole_bet_is_taken() -> None:
    bet = red()
    bet.outcome(first_is_red)
    bet.check()


@pytest.mark.usefixtures("made_up_words")
def test_a_bet_without_its_outcome_function_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="The bet red has no outcome function"):
        red().check()


@pytest.mark.usefixtures("made_up_words")
def test_a_bet_without_words_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="The bet red has no words"):
        red(says="").check()


@pytest.mark.usefixtures("made_up_words")
def test_a_paytable_with_an_outcome_that_the_bet_does_not_have_is_refused_by_name() -> None:
    bet = red(paid="black")
    bet.outcome(first_is_red)
    with pytest.raises(TypeError, match=r"The bet red has \['black'\] in paytable A"):
        bet.check()
