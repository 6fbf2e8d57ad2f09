"""Ante and Play: the classical figures, and the best play with nine cards in sight against brute force and chance."""

import random
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from statistics import mean, median_low, stdev

import numpy as np
import pytest

from podium.basics.cards import DECK, Card, cards, codes
from podium.basics.hands import three_card_hand
from podium.maths import nine_seen, three_card
from podium.maths.nine_seen import FURTHER_CARDS
from podium.maths.three_card import KINDS, PACKETS, SETS, HandPlay
from podium.play.script import Script, ScriptPlayer, play
from podium.rules.bets import ANTE_BONUS
from podium.rules.bets.ante import showdown
from podium.rules.games import game

FOLDED = Fraction(1)
"""What a folded hand brings back of ante and play: the play wager, never staked."""

BONUS = ANTE_BONUS.paytables["A"]


def one_by_one(own: list[Card], seen: list[Card]) -> tuple[int, ...]:
    """The dealer's packets by kind, with the outcome function of the table."""
    left = [card for card in DECK if card not in own and card not in seen]
    hand = three_card_hand(own)
    found = [showdown(hand, three_card_hand(packet)) for packet in combinations(left, 3)]
    return tuple(found.count(kind) for kind in KINDS)


# --- who knows three cards ------------------------------------------------------------------------------------------


def test_classical_three_card_poker() -> None:
    figures = three_card.figures(BONUS, "own cards")
    assert f"{float(figures.house_edge):.4%}" == "3.3730%"
    assert f"{float(figures.total_wagered or 0):.4f}" == "1.6742"
    assert f"{float(figures.house_edge_per_total_wagered or 0):.2%}" == "2.01%"


def test_classical_play_is_queen_six_four_or_better() -> None:
    worst = three_card_hand(cards("Qs 6d 4h"))
    for hand in three_card.best_play():
        assert hand.plays_on_own_cards == (three_card_hand(cards(hand.cards)) >= worst), hand.cards


# --- who sees nine --------------------------------------------------------------------------------------------------


def test_tcp_par_per_total_wager_is_reached_with_nine_cards_seen() -> None:
    figures = three_card.figures(BONUS)
    assert figures.house_edge == Fraction(5_102_944_368_707, 158_912_143_289_900)
    assert f"{float(figures.house_edge):.4%}" == "3.2112%"
    assert f"{float(figures.house_edge_per_total_wagered or 0):.2%}" == "1.91%"
    assert f"{float(figures.total_wagered or 0) - 1:.2%}" == "68.21%"


def test_every_deal_is_counted_once() -> None:
    assert sum(hand.hands for hand in three_card.best_play()) == comb(52, 3)
    for hand in three_card.best_play():
        assert sum(hand.showdowns) == hand.sets * PACKETS
        assert sum(hand.packets) == comb(49, 3)
    results = three_card.figures(BONUS).results
    assert results is not None
    assert sum(results.values()) == 1


def test_knowing_more_never_costs() -> None:
    for hand in three_card.best_play():
        best = three_card.worth(hand.showdowns) + (SETS - hand.sets) * PACKETS
        assert best >= three_card.worth(hand.packets) * comb(46, 6)
        assert best >= SETS * PACKETS


def test_hands_that_depend_on_what_is_seen() -> None:
    rows = three_card.boundary()
    assert (rows[0].ranks, rows[-1].ranks) == ("Q-T-3", "5-3-2")
    # All of the 112 hands below queen high, and those with a queen up to Q-10-3: every one of them in all suits.
    assert len(rows) == 142
    assert sum(row.hands for row in rows) == 142 * 60
    often = {row.ranks: float(row.often) for row in rows}
    assert often["Q-6-4"] == pytest.approx(0.4412014)
    assert often["Q-6-3"] == pytest.approx(0.4089247)
    assert min(often.values()) == pytest.approx(0.0257368, abs=1e-7)


def test_below_queen_high_only_the_dealers_ranks_below_queen_matter() -> None:
    """Turned upside down (jack for two, ten for three) the hands that do not qualify are the same, so the play is too."""
    often = {row.ranks: row.often for row in three_card.boundary()}
    upside_down = dict(zip("23456789TJ", "JT98765432", strict=True))
    low = [ranks for ranks in often if ranks[0] != "Q"]
    assert len(low) == 112
    for ranks in low:
        assert often[ranks] == often["-".join(upside_down[rank] for rank in reversed(ranks.split("-")))]


@pytest.mark.parametrize(
    ("own", "seen", "is_played"),
    [
        ("Qs 6d 4h", "Ah As Kd Kc 2d 3c", True),
        ("Qs 6d 4h", "2c 3d 5h 7s 8c 9d", False),
        ("Js 8d 2h", "Ah As Ad Kc Ks Qd", True),
        ("5s 3d 2h", "Qc Qd Kh Ks Ac Ad", True),
        ("Js 8d 2h", "3h 4s 5d 6c 7s 9d", False),
        ("Ks 3d 2h", "4c 5d 6h 7s 8c 9d", True),
        ("2s 2d 3h", "4c 5d 6h 7s 8c 9d", True),
    ],
)
def test_a_decision_against_every_packet_of_the_dealer(own: str, seen: str, is_played: bool) -> None:
    counted = one_by_one(cards(own), cards(seen))
    assert sum(counted) == PACKETS
    assert three_card.against(cards(own), cards(seen)) == counted
    playing = Fraction(sum(count * three_card.net(kind) for count, kind in zip(counted, KINDS, strict=True)), PACKETS)
    assert three_card.plays(cards(own), cards(seen)) == (playing >= three_card.FOLDED) == is_played


@pytest.mark.parametrize("own", ["5s 3d 2h", "Qs 6d 4h", "Ks 3d 2h"])
def test_the_kernel_tallies_as_counting_set_by_set(own: str) -> None:
    """All sets of up to six out of eleven cards; `least` so that about half of the sets are played."""
    table = three_card.showdowns()
    hand = np.array(sorted(card.index for card in cards(own)), np.int64)
    every, ones, twos, threes = nine_seen._tables(hand, table.by_cards(), table.kinds, three_card.packs())
    some = np.arange(1, 49, 4)[:11]
    live = [[card for card in DECK if card.index not in hand][place] for place in some]
    counted = [
        [three_card.against(cards(own), seen) for seen in combinations(live, size)] for size in range(FURTHER_CARDS + 1)
    ]
    least = median_low(three_card.worth(packets) for packets in counted[FURTHER_CARDS])
    expected = [
        [
            sum(column)
            for column in zip(
                *[(1, p[3], p[2], three_card.worth(p)) for p in some if three_card.worth(p) >= least], strict=True
            )
        ]
        for some in counted
    ]
    tallies = np.zeros((FURTHER_CARDS + 1, 4), np.int64)
    some_twos, some_threes = twos[np.ix_(some, some)], threes[np.ix_(some, some, some)]
    nine_seen._every_set(every, ones[some], some_twos, some_threes, least << nine_seen.WORTH_SHIFT_BITS, tallies)
    assert tallies.tolist() == expected
    assert 0 < tallies[FURTHER_CARDS, 0] < comb(11, FURTHER_CARDS)


def test_a_hand_that_is_proved_to_be_played_is_also_found_to_be() -> None:
    for own in ("Ks 3d 2h", "Qs Jd 2h"):
        hand = HandPlay(own, 1, three_card.against(cards(own)), 0, (0, 0, 0, 0))
        searched = three_card._searched(hand)
        assert searched.sets == SETS
        assert searched.showdowns == three_card._always(hand).showdowns


def test_what_the_six_further_cards_are_worth_by_chance() -> None:
    """The gain over classical play on 15,000 random arrays, each counted exactly: an unbiased estimate with little noise."""
    chance, gains = random.Random(1910), []
    for _ in range(15_000):
        nine = chance.sample(DECK, 9)
        own, seen = nine[:3], nine[3:]
        hand = three_card_hand(own)
        playing = Fraction(three_card.worth(three_card.against(own, seen)), PACKETS)
        classical = playing if hand >= three_card_hand(cards("Qs 6d 4h")) else FOLDED
        gains.append(float(max(playing, FOLDED) - classical))
    exact = float(three_card.figures(BONUS, "own cards").house_edge - three_card.figures(BONUS).house_edge)
    assert abs(mean(gains) - exact) < 4 * stdev(gains) / sqrt(len(gains))


def test_rounds_of_the_table_agree_with_the_exact_value() -> None:
    """Whole rounds, settled by the table; some with other spots, which changes nothing."""
    chance, nets = random.Random(12), []
    for _ in range(6_000):
        dealt = chance.sample(DECK, 12)
        spots = chance.sample(range(1, 10), 3)
        own = [dealt[spot - 1] for spot in spots]
        seen = [card for card in dealt[:9] if card not in own]
        decision = "play" if three_card.plays(own, seen) else "fold"
        player = ScriptPlayer("p1", wagers={"ante": 100}, decisions=[decision], spots=spots)
        round = play(Script(game="stadium-three-card-poker", cards=codes(dealt), players=[player]))
        nets.append(round.results[1].net / 100)
    figures = three_card.figures(BONUS)
    assert abs(mean(nets) + float(figures.house_edge)) < 4 * figures.standard_deviation / sqrt(len(nets))
    assert stdev(nets) == pytest.approx(figures.standard_deviation, rel=0.05)


# --- who walks away -------------------------------------------------------------------------------------------------


def test_tcp_7_a_a_player_who_walks_away_loses_every_ante() -> None:
    figures = three_card.figures(BONUS, "timeout")
    assert (figures.house_edge, figures.hit_frequency, figures.variance, figures.total_wagered) == (1, 0, 0, 1)


# --- paytables ------------------------------------------------------------------------------------------------------


def test_another_ante_bonus_changes_the_edge_by_what_it_pays() -> None:
    entered = {"ante-bonus": {"B": {"straight flush": 4, "three of a kind": 3, "straight": 1}}}
    rules = game("stadium-three-card-poker", {"paytables": entered, "ante_bonus": "B"}).rules
    less = three_card.figures(rules.paytable_named(ANTE_BONUS, "B"))
    assert less.house_edge - three_card.figures(BONUS).house_edge == Fraction(48 + 52, 22_100)
