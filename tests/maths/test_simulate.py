"""The simulation: repeatable, the fast way equal to the general one, and in agreement with the exact figures."""

from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
import pytest

from podium.basics.refusal import Refused
from podium.maths import simulation
from podium.maths.blackjack import policy_for
from podium.maths.blackjack_rounds import SPARE_CARDS, community_block, side_bets
from podium.maths.boxes import play_tables, terms
from podium.maths.comparing import compared, disagreements, exact_edge
from podium.maths.compiled import compiled
from podium.maths.families.blackjack import analysis, figures
from podium.maths.jobs import DEFAULT_PENETRATION, RESERVE_CARDS_PER_HAND, ROUNDS_PER_BLOCK, Job
from podium.maths.poker_rounds import ante_block, ante_nets, poker, poker_plan
from podium.maths.shuffling import full_shoe, shuffle, stream
from podium.maths.simulation import player_of, simulate
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import game
from podium.rules.three_card import PROPOSED_SPOTS, ThreeCardRules
from tests.maths.kernels import poker_round

SBJ, DLB, MUB, MGB = "stadium-blackjack", "dynasty-blackjack", "match-up-blackjack", "mega-blackjack"
TCP = "stadium-three-card-poker"


def sums(job: Job) -> list[float]:
    player = player_of(job)
    found: list[float] = sum(player.play(piece) for piece in player.pieces(job))[0].tolist()  # type: ignore[index]
    return found


@pytest.mark.parametrize(("name", "wagers"), [(SBJ, {}), (SBJ, {"trilux": 500}), (MUB, {"match-up": 100}), (TCP, {})])
def test_the_same_seed_gives_the_same_result_whatever_the_number_of_cores(name: str, wagers: dict[str, int]) -> None:
    job = Job(game(name), 5 * ROUNDS_PER_BLOCK + 77, seed=9, strategy="mimic-dealer", wagers=wagers)
    one, two = (simulate(job, jobs=jobs) for jobs in (1, 2))
    assert one.wagers == two.wagers
    assert simulate(Job(game(name), job.rounds, seed=10, strategy="mimic-dealer", wagers=wagers)).wagers != one.wagers


@pytest.mark.parametrize(
    ("name", "options", "strategy"),
    [
        (SBJ, {}, "best"),
        (SBJ, {"keep_standoff_bet": "always-and-push-insurance", "surrender": "not-against-blackjack"}, "best"),
        (SBJ, {"blackjack_pays": "6:5", "dealer_blackjack_takes": "all", "double_with_ace": True, "decks": 8}, "best"),
        (DLB, {"max_splits": 4, "decks": 4, "double_adds": 2}, "best"),
        (DLB, {}, "timeout"),
    ],
)
def test_the_automaton_plays_the_same_shoes_to_the_same_result_as_the_general_kernels(
    name: str, options: dict[str, Any], strategy: str
) -> None:
    of = game(name, options)
    rules = of.rules
    assert isinstance(rules, BlackjackRules)
    job = Job(of, 4 * ROUNDS_PER_BLOCK + 5_000, seed=3, strategy=strategy)
    tables = play_tables(rules, [policy_for(analysis(of), strategy)])
    size = 52 * rules.decks
    cut = int(size * DEFAULT_PENETRATION)
    general = np.zeros((1, 3))
    for block in range(job.blocks):
        cards = np.concatenate([full_shoe(rules.decks), np.zeros(SPARE_CARDS, dtype=np.int64)])
        community_block(
            stream(job.seed, block), terms(rules, 1000), tables, side_bets({}, {}), np.array([1]), cards,
            cut, min(size, cut + 2 * RESERVE_CARDS_PER_HAND), job.rounds_of(block), general,
        )  # fmt: skip
    assert sums(job) == general[0].tolist()


@pytest.mark.parametrize("strategy", ["best", "mimic-dealer", "timeout"])
def test_the_ante_alone_comes_to_what_the_round_of_the_same_cards_comes_to(strategy: str) -> None:
    """Also where the six cards that nobody looked at were never dealt: then any six will do."""
    rules, offers = game(TCP).rules, game(TCP).offers
    assert isinstance(rules, ThreeCardRules)
    tables = poker(rules, offers, {"ante": 1000}, [poker_plan(strategy)], PROPOSED_SPOTS)
    nets, state, cards = ante_nets(tables), stream(7, 0), full_shoe(1)
    room, found = np.zeros(9, dtype=np.int64), np.zeros((1, 1), dtype=np.int64)
    for _ in range(20_000):
        counts = np.zeros(nets.shape, dtype=np.int64)
        ante_block(state, tables, cards, 1, counts)
        dealers, array = cards[:3], cards[3:12]
        poker_round(tables, np.concatenate([array, dealers]), room, found)
        assert (counts.sum(), (counts * nets).sum()) == (1, found[0, 0]), cards[:12]


# --- agreement with the exact figures ---------------------------------------------------------------------------------------

CONFIGURATIONS: list[tuple[str, dict[str, Any], str]] = [
    (SBJ, {}, "best"),
    (SBJ, {"decks": 8}, "best"),
    (SBJ, {"blackjack_pays": "6:5"}, "best"),
    (SBJ, {"dealer_hits_soft_17": False}, "best"),
    (SBJ, {"paytable": 5}, "best"),
    (SBJ, {"double_with_ace": True, "surrender": "off"}, "best"),
    (SBJ, {"dealer_blackjack_takes": "all"}, "best"),
    (SBJ, {"surrender": "not-against-blackjack"}, "best"),
    (SBJ, {"keep_standoff_bet": "never"}, "best"),
    (SBJ, {"keep_standoff_bet": "always-and-push-insurance"}, "best"),
    (SBJ, {"keep_standoff_bet": "if-not-insured", "even_money": False}, "best"),
    (SBJ, {"max_splits": 4, "split_draw": "at-once"}, "best"),
    (SBJ, {"max_splits": 0, "insurance": False}, "best"),
    (SBJ, {"auto_stand": "S17/H12"}, "timeout"),
    (SBJ, {"auto_stand": "S17/H17"}, "timeout"),
    (SBJ, {"auto_stand": "S18/H17"}, "timeout"),
    (SBJ, {"auto_stand": "S18/H12", "decks": 8}, "timeout"),
    (SBJ, {}, "never-bust"),
    (SBJ, {"dealer_hits_soft_17": False}, "mimic-dealer"),
    (DLB, {}, "best"),
    (DLB, {"decks": 4}, "best"),
    (DLB, {"decks": 8, "max_splits": 3}, "best"),
    (DLB, {"double_adds": 2}, "best"),
    (DLB, {"double": "off", "split": "off"}, "best"),
    (DLB, {"double_totals": [9, 11], "double_after_split": False}, "best"),
    (DLB, {"insurance": True, "even_money": True, "keep_standoff_bet": "always-and-push-insurance"}, "best"),
    (DLB, {"timeout": "hit-hard-11-soft-16"}, "timeout"),
    (DLB, {"timeout": "stand", "decks": 8}, "timeout"),
    (MUB, {}, "best"),
    (MUB, {"max_splits": 1}, "best"),
    (MUB, {}, "timeout"),
    (MGB, {}, "best"),
    (MGB, {"decks": 8, "max_splits": 1}, "best"),
    (MGB, {}, "mimic-dealer"),
]


@pytest.mark.parametrize(("name", "options", "strategy"), CONFIGURATIONS)
def test_simulated_and_exact_agree_within_three_standard_errors(
    name: str, options: dict[str, Any], strategy: str
) -> None:
    """A fresh shoe for every round, as the exact figures have it."""
    of = game(name, options)
    found = simulate(Job(of, 150_000, strategy=strategy, penetration=0.0)).wagers[0]
    exact = figures(of, strategy)
    assert abs(found.house_edge - float(exact.house_edge)) < 3 * found.standard_error
    assert found.standard_deviation == pytest.approx(exact.standard_deviation, rel=0.01)


def test_side_bets_and_poker_agree_with_their_exact_figures() -> None:
    jobs = [
        Job(game(SBJ), 200_000, wagers={"trilux": 100, "royal-match-21": 100, "bet-the-set-21": 100}),
        Job(game(MUB), 100_000, players=3, wagers={"match-up": 100, "three-card-bonus": 100}),
        Job(game(MGB), 100_000, players=2, wagers={"buster": 100}, strategy="timeout"),
        Job(game(TCP), 2_000_000),
        Job(game(TCP), 200_000, wagers={"pair-plus": 100, "pair-plus@column-2": 100, "six-card-bonus": 100}),
    ]
    for job in jobs:
        simulated = simulate(job)
        pairs = compared(simulated)
        assert all(exact is not None for _, exact in pairs)
        assert disagreements(simulated, pairs) == []


def test_the_simulated_player_of_three_card_poker_looks_at_all_nine_cards() -> None:
    """TCP 7. The deviation tells it from a player who looks at the own cards only: 1.6393 of the ante, and an edge of 3.3730 %."""
    found = simulate(Job(game(TCP), 8_000_000)).wagers[0]
    assert exact_edge(Job(game(TCP), 1), "ante") == pytest.approx(0.032112, abs=1e-6)
    assert abs(found.house_edge - 0.032112) < 3 * found.standard_error
    assert found.standard_deviation == pytest.approx(1.6433, abs=0.001)


def test_a_disagreement_is_said_in_a_sentence() -> None:
    simulated = simulate(Job(game(DLB), 20_000, strategy="timeout"))
    (sentence,) = disagreements(simulated, [(simulated.wagers[0], 0.5)])
    assert sentence.startswith("blackjack: the simulation gives")


def test_a_wager_on_which_payments_are_rounded_has_no_exact_value_to_compare() -> None:
    assert exact_edge(Job(game(SBJ), 1, strategy="timeout", wagers={"blackjack": 5}), "blackjack") is None


# --- shuffling --------------------------------------------------------------------------------------------------------------


@compiled
def shuffled(state: Any, cards: Any) -> None:
    shuffle(state, cards, len(cards), len(cards))


@pytest.mark.parametrize("count", [5, 9])
def test_every_card_comes_to_every_place_equally_often(count: int) -> None:
    state, times = stream(1, 0), 20_000
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(times):
        cards = np.arange(count)
        shuffled(state, cards)
        seen.update(enumerate(cards.tolist()))
    expected = times / count
    chi_squared = sum((seen[place, card] - expected) ** 2 / expected for place in range(count) for card in range(count))
    freedom = (count - 1) ** 2
    assert abs(chi_squared - freedom) < 5 * (2 * freedom) ** 0.5


# --- bad input --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (SBJ, {"rounds": 0}, "rounds is 0"),
        (SBJ, {"players": 0}, "players is 0"),
        (SBJ, {"strategy": "luck"}, "the strategies are best"),
        (SBJ, {"wagers": {"buster": 100}}, "There is no wager 'buster'"),
        (SBJ, {"wagers": {"super-3": 100}}, "Super 3 needs a wager on TriLux"),
        (SBJ, {"penetration": 1.5}, "cut card"),
        (SBJ, {"wagers": {"blackjack": 10**19}}, r"up to 10,000,000,000\.00 can be counted"),
        (SBJ, {"players": 10**20, "wagers": {"trilux": 100}}, r"up to 10,000,000,000\.00 can be counted"),
        (MUB, {"wagers": {"blackjack": 300}}, "not an amount of this table"),
        (MUB, {"players": 8}, "7 seats"),
    ],
)
def test_a_job_that_cannot_be_is_refused(name: str, change: dict[str, Any], sentence: str) -> None:
    asked: dict[str, Any] = {"rounds": 10} | change
    with pytest.raises(Refused, match=sentence):
        Job(game(name), **asked)


@pytest.mark.parametrize("jobs", [0, 100_000])
def test_the_number_of_cores_is_checked(jobs: int) -> None:
    with pytest.raises(Refused, match=f"jobs is {jobs}: it must be a whole number from 1 to 256"):
        simulation.simulate(Job(game(DLB), 10, strategy="timeout"), jobs=jobs)


def test_a_job_of_any_length_hands_out_little_at_a_time() -> None:
    handed_out: list[int] = []
    with ThreadPoolExecutor(2) as workers:

        def submit(piece: int) -> Future[int]:
            handed_out.append(piece)
            return workers.submit(lambda: piece * piece)

        found = simulation.in_order(submit, range(10**12), ahead=8)
        assert list(islice(found, 100)) == [piece * piece for piece in range(100)]
    assert len(handed_out) <= 100 + 8
