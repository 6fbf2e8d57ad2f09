"""What holds for every round of every game, whatever the options, the cards and the decisions."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from podium.basics.cards import DECK, Card
from podium.basics.refusal import Refused
from podium.house.table.events import decode, encode
from podium.play import notation
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
from podium.rules.asking import Confirmation, Decisions
from podium.rules.games import game
from podium.rules.results import WagerResult
from tests.stories import (
    Story,
    begin,
    dealt,
    next_event,
    picture,
    play,
    play_decided,
    steps,
    stories,
    with_wrong_card,
)

many = settings(
    max_examples=60,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

SHARED = ("stadium-blackjack", "dynasty-blackjack", "stadium-three-card-poker")

# --- money ------------------------------------------------------------------------------------------------------------


@many
@given(stories())
def test_a_stake_leaves_the_credit_once_and_the_credit_is_never_negative(story: Story) -> None:
    """GAME-1. What a decision takes is what the question said it would."""
    played, asked = begin(story), Counter[int]()
    staked = {number: seat.staked for number, seat in played.seats.items()}
    played.apply(BettingClosed())
    while not played.over:
        awaits = played.awaits
        event = next_event(story, played, asked)
        if isinstance(event, Decided) and isinstance(awaits, Decisions):
            staked[event.seat] += _price(awaits[event.seat].allowed, event.decision)
        played.apply(event)
        for number, seat in played.seats.items():
            assert seat.staked == staked[number]
            assert seat.credit is None or seat.credit >= 0
    for number, result in played.results.items():
        assert result.staked == staked[number]


def _price(allowed: dict[str, Any], decision: str) -> int:
    choice, colon, amount = decision.partition(":")
    if colon:
        cost = allowed[f"{choice}:AMOUNT"]
        assert cost.least <= int(amount) <= cost.most
        return int(amount)
    return int(allowed[decision].least)


@many
@given(stories())
def test_money_is_conserved(story: Story) -> None:
    """Per wager and per seat: what was staked is what came back, what went to the tips and what the house won."""
    played = play(story)
    for number, result in played.results.items():
        seat = played.seats[number]
        for wager in result.wagers:
            assert 0 <= wager.tips <= wager.returned
            assert wager.whose == "dealer" or wager.tips == 0
        house = sum(wager.staked - wager.returned for wager in result.wagers)
        assert result.staked == result.returned + result.tips + house
        own = [wager for wager in result.wagers if (wager.wager, wager.whose) == ("blackjack", "player")]
        if own:
            assert own[0].staked == sum(hand.staked for hand in result.hands)
            assert own[0].returned == sum(hand.returned for hand in result.hands)
        if seat.brought is not None:
            assert seat.credit == seat.brought - result.staked + result.returned


@many
@given(stories())
def test_every_wager_that_was_placed_is_settled_once(story: Story) -> None:
    played = play(story)
    for player in story.players:
        lines = Counter((wager.wager, wager.whose) for wager in played.results[player.seat].wagers)
        placed = {(wager, "player") for wager in player.placed.amounts}
        placed |= {(wager, "dealer") for wager in player.placed.for_dealer}
        assert max(lines.values()) == 1
        assert placed <= set(lines)
        assert {wager for wager, _ in set(lines) - placed} <= {"insurance", "play", "ante-bonus"}


@many
@given(stories())
def test_breakage_is_exactly_what_rounding_down_kept_back(story: Story) -> None:
    played = play(story)
    for result in played.results.values():
        for wager in result.wagers:
            offer = played.game.offers.get(wager.wager)
            if offer is None or offer.main:
                continue
            exact = {Fraction(0)} | {
                wager.staked * (1 + Fraction(odds.pays, odds.per)) for odds in offer.paytable.values()
            }
            assert wager.returned + _kept_back(wager) in exact
        for hand in result.hands:
            if hand.total is not None and len(result.hands) == 1:
                own = next(line for line in result.wagers if (line.wager, line.whose) == ("blackjack", "player"))
                ratio = (own.returned + _kept_back(own)) / Fraction(own.staked)
                assert ratio in RATIOS or own.returned == own.staked - story_wager(story, result, played)


RATIOS = {Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5, 2), Fraction(11, 5), Fraction(4)}


def story_wager(story: Story, result: Any, played: Round) -> int:
    """The initial wager of the seat that came to this result."""
    number = next(number for number, other in played.results.items() if other is result)
    return next(player.placed.amounts["blackjack"] for player in story.players if player.seat == number)


def _kept_back(wager: WagerResult) -> Fraction:
    return sum((Fraction(part) for part in wager.breakage.split(" + ") if part), Fraction(0))


@many
@given(stories())
def test_time_outs_never_cost_money(story: Story) -> None:
    """DSC-2."""
    story = replace(story, players=tuple(replace(player, choices=()) for player in story.players))
    played = play(story)
    for player in story.players:
        placed = sum(player.placed.amounts.values()) + sum(player.placed.for_dealer.values())
        assert played.results[player.seat].staked == placed


# --- the others at the table ------------------------------------------------------------------------------------------


@many
@given(stories(SHARED, most_players=4))
def test_nobodys_result_depends_on_the_other_players(story: Story) -> None:
    """GAME-4: alone, or with the others in another order, everybody comes to the same."""
    together = play(story).results
    backwards = play(replace(story, players=story.players[::-1])).results
    for player in story.players:
        alone = play(replace(story, players=(player,))).results
        assert alone[player.seat] == together[player.seat] == backwards[player.seat]


# --- again ------------------------------------------------------------------------------------------------------------


@many
@given(stories(), st.integers(0, 60))
def test_the_same_events_give_the_same_round(story: Story, stop: int) -> None:
    """Applied as they are, and from the JSON of the journal; also those of a round that is not finished."""
    played = begin(story)
    for number, _ in enumerate(steps(story, played)):
        if number == stop:
            break
    stored: list[Any] = [decode(encode(event)) for event in played.events]
    for happened in (played.events, stored):
        again = Round(played.game, played.out)
        for event in happened:
            again.apply(event)
        assert again.events == played.events
        assert picture(again) == picture(played)


@many
@given(stories(), st.integers(0, 60), st.none() | st.text())
def test_a_round_is_written_and_read_without_loss(story: Story, stop: int, reason: str | None) -> None:
    played = begin(story)
    for number, _ in enumerate(steps(story, played)):
        if number == stop:
            break
    if reason is not None and not played.over:
        played.apply(Voided(reason))
    text = notation.write(played)
    again = notation.read(text)
    assert again.events == played.events
    assert again.game.rules == played.game.rules
    assert picture(again) == picture(played)
    assert notation.write(again) == text


# --- voids and corrections --------------------------------------------------------------------------------------------


@many
@given(stories(), st.integers(0, 60))
def test_a_void_at_any_point_restores_every_credit(story: Story, stop: int) -> None:
    """VOID-1."""
    played = begin(story)
    for number, _ in enumerate(steps(story, played)):
        if number == stop:
            break
    assume(not played.over)
    staked = {number: seat.staked for number, seat in played.seats.items()}
    played.apply(Voided("the floor says so"))
    for player in story.players:
        result, seat = played.results[player.seat], played.seats[player.seat]
        assert seat.credit == player.placed.credit
        assert (result.staked, result.returned, result.tips) == (staked[player.seat], staked[player.seat], 0)
    with pytest.raises(Refused):
        played.apply(Voided())


def after_correction(story: Story, wrong: Story, stop: int, position: int) -> tuple[Round, Counter[int]]:
    """The round dealt with the wrong card for a while, and then corrected."""
    played, asked = begin(wrong), Counter[int]()
    for number, _ in enumerate(steps(wrong, played, asked)):
        if dealt(played) > position and (number >= stop or isinstance(played.awaits, Confirmation)):
            break
    assume(not played.over)
    played.apply(CardCorrected(position + 1, story.cards[position]))
    return played, asked


@settings(many, max_examples=150)
@given(stories(), st.integers(0, 40), st.integers(0, 14), st.sampled_from(DECK))
def test_a_correction_equals_a_round_dealt_right_the_first_time(
    story: Story, stop: int, position: int, card: Card
) -> None:
    """CARD-2. At the moment of the correction, and at the end."""
    wrong = with_wrong_card(story, position, card)
    assume(Counter(wrong.cards)[card] <= game(story.game, story.options).rules.decks)
    if story.hole_unknown:
        assume(position != wrong.cards.index(wrong.hole_card) or wrong.hole_card is story.hole_card)
    played, asked = after_correction(story, wrong, stop, position)
    made = {seat: played.decisions_of(seat) for seat in played.seats}
    reached = played.cards_dealt
    right = play_decided(story, made, until=lambda other: other.cards_dealt > reached or _same(other, played))
    assert _same(right, played)
    for _ in steps(story, played, asked):
        pass
    made = {seat: played.decisions_of(seat) for seat in played.seats}
    whole = play_decided(story, made, until=lambda _: False)
    assert whole.results == played.results
    assert whole.cards == played.cards
    assert [seat.credit for seat in whole.seats.values()] == [seat.credit for seat in played.seats.values()]


def _same(one: Round, other: Round) -> bool:
    """Whether two rounds stand at the same place, whatever lies aside in either."""
    return bool(picture(one._dealing) == picture(other._dealing) and str(one.awaits) == str(other.awaits))


@many
@given(stories(), st.integers(0, 40), st.integers(0, 14), st.sampled_from(DECK))
def test_a_correction_made_twice_changes_nothing_the_second_time(
    story: Story, stop: int, position: int, card: Card
) -> None:
    wrong = with_wrong_card(story, position, card)
    assume(Counter(wrong.cards)[card] <= game(story.game, story.options).rules.decks)
    assume(not story.hole_unknown)
    played, _ = after_correction(story, wrong, stop, position)
    before = picture([played.seats, played._dealing, played.cards])
    played.apply(CardCorrected(position + 1, story.cards[position]))
    assert picture([played.seats, played._dealing, played.cards]) == before


@many
@given(stories(), st.integers(0, 40), st.integers(0, 14))
def test_a_correction_that_the_shoe_cannot_hold_changes_nothing(story: Story, stop: int, position: int) -> None:
    """Every copy of some card has left the shoe before the round."""
    chosen = game(story.game, story.options)
    gone = next(card for card in DECK if card not in story.cards[:24])
    played = begin(story, out={gone: chosen.rules.decks})
    for number, _ in enumerate(steps(story, played)):
        if dealt(played) > position and (number >= stop or isinstance(played.awaits, Confirmation)):
            break
    assume(not played.over)
    before, happened = picture(played), list(played.events)
    with pytest.raises(Refused, match="cannot come again"):
        played.apply(CardCorrected(position + 1, gone))
    assert picture(played) == before
    assert played.events == happened


# --- junk -------------------------------------------------------------------------------------------------------------

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 99, 10**30, 1.5, float("nan"), "", "x", "1", "hit", "stand", "insure:5", "As",
    b"hit", (), (1,), (1, 1), (1, 2), (99,), (None,), ("1",), (1.0,), [], [1, 2, 3], {}, {"blackjack": 10},
    {"blackjack": -5}, {"blackjack": 0}, {"blackjack": True}, {"blackjack": 1.5}, {"blackjack": "10"},
    {"blackjack": None}, {"ante": 100}, {"ante": 100.0}, {"nonsense": 100}, {1: 2}, {None: 1}, {"blackjack": 10**30},
    {"blackjack": [1]}, DECK[0], DECK[51], object, object(),
]  # fmt: skip

KINDS: list[type] = [
    WagersPlaced,
    CreditAdded,
    BettingClosed,
    CardDealt,
    HolePeeked,
    HoleTurned,
    Decided,
    TimeExpired,
    Confirmed,
    CardCorrected,
    Voided,
]


@st.composite
def junk(draw: st.DrawFn) -> Any:
    """An event with anything in its fields, or something that is no event at all."""
    kind = draw(st.sampled_from([*KINDS, None]))
    if kind is None:
        return draw(st.sampled_from([*JUNK, CardDealt, "no event"]))
    fields = kind.__struct_fields__  # type: ignore[attr-defined]  # every event is a msgspec Struct
    return kind(**{name: draw(st.sampled_from(JUNK)) for name in fields})


def well_formed(event: Any) -> bool:
    """Whether the journal could hold this event: only such a one may ever be accepted."""
    try:
        return bool(decode(encode(event)) == event)
    except Exception:
        return False


# What went wrong is a single event, which the report names: nothing is gained by shrinking the round around it.
unshrunk = settings(many, phases=(Phase.explicit, Phase.generate))


@unshrunk
@given(stories(), st.integers(0, 30), st.lists(junk(), min_size=1, max_size=12))
def test_junk_is_refused_and_changes_nothing(story: Story, stop: int, thrown: list[Any]) -> None:
    played = begin(story)
    for number, _ in enumerate(steps(story, played)):
        if number == stop:
            break
    for event in thrown:
        before, happened = picture(played), list(played.events)
        try:
            played.apply(event)
        except Refused:
            assert picture(played) == before, event
            assert played.events == happened
        else:
            assert well_formed(event), event


@unshrunk
@given(stories(), st.integers(0, 30), st.lists(junk(), min_size=1, max_size=12))
def test_what_is_not_refused_can_be_written_and_read(story: Story, stop: int, thrown: list[AnyEvent]) -> None:
    played = begin(story)
    for number, _ in enumerate(steps(story, played)):
        if number == stop:
            break
    for event in thrown:
        try:
            played.apply(event)
        except Refused:
            continue
        again = notation.read(notation.write(played))
        assert again.events == played.events
