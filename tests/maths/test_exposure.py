"""The exposure of a table: exact where everybody does alike, the simulation's own rounds otherwise, and ruin by theory."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.maths.exposure import Pace, adjustment, bankroll, exposure
from podium.maths.jobs import ROUNDS_PER_BLOCK, Job
from podium.maths.patrons import Party, Patrons, Results, play
from podium.maths.simulation import simulate
from podium.rules.games import game

SBJ, MGB, TCP = "stadium-blackjack", "mega-blackjack", "stadium-three-card-poker"


def patrons(name: str, *parties: Party, rounds: int = 2 * ROUNDS_PER_BLOCK + 7, **wagers: int) -> Patrons:
    return Patrons(game(name), parties, {wager.replace("_", "-"): stake for wager, stake in wagers.items()}, rounds)


def test_players_who_do_alike_in_a_community_game_have_one_result_times_their_number() -> None:
    found = exposure(patrons(TCP, Party(90)), Pace(40, 10))
    assert found.played.method == "exact"
    assert found.ratio == pytest.approx(math.sqrt(90))
    assert found.table.round.standard_deviation == pytest.approx(90 * found.played.single[0].standard_deviation)
    assert found.table.round.mean == pytest.approx(90 * 1000 * 0.032112, rel=1e-4)
    assert found.table.hour.standard_deviation == pytest.approx(math.sqrt(40) * found.table.round.standard_deviation)
    assert found.apart.day.mean == pytest.approx(400 * found.table.round.mean)


@pytest.mark.parametrize(
    ("name", "players", "wagers"),
    [(SBJ, 50, {"trilux": 500}), (MGB, 3, {"buster": 500}), (TCP, 20, {"pair_plus": 100, "six_card_bonus": 100})],
)
def test_the_rounds_are_those_of_the_simulation(name: str, players: int, wagers: dict[str, int]) -> None:
    of = patrons(name, Party(players, "mimic-dealer"), **wagers)
    played = play(of)
    simulated = simulate(Job(of.game, of.rounds, strategy="mimic-dealer", players=players, wagers=of.wagers))
    kept = sum(measured.house_edge * measured.stake * players for measured in simulated.wagers)
    assert played.method == "simulation"
    assert played.table.mean == pytest.approx(kept, rel=1e-9)
    assert played.table.chances.sum() == pytest.approx(1)


def test_a_mix_of_strategies_adds_up_what_each_has_in_the_same_round() -> None:
    played = play(patrons(SBJ, Party(30, "timeout"), Party(10, "mimic-dealer")))
    timeout, mimic = played.single
    assert played.table.mean == pytest.approx(30 * timeout.mean + 10 * mimic.mean)
    most = 30 * timeout.standard_deviation + 10 * mimic.standard_deviation
    least = math.sqrt(30 * timeout.variance + 10 * mimic.variance)
    assert 3 * least < played.table.standard_deviation < most


@pytest.mark.parametrize(
    ("name", "strategy", "wagers"),
    [
        (SBJ, "mimic-dealer", {"trilux": 100}),
        (MGB, "timeout", {"buster": 100}),
        (TCP, "never-bust", {"pair-plus": 100}),
    ],
)
def test_who_stakes_three_times_as_much_counts_as_three(name: str, strategy: str, wagers: dict[str, int]) -> None:
    main = game(name).rules.main.name
    threefold = {wager: 3 * stake for wager, stake in {main: 1000, **wagers}.items()}
    of = Patrons(game(name), (Party(2, strategy), Party(1, strategy, wagers=threefold)), wagers, 2 * ROUNDS_PER_BLOCK)
    played = play(of)
    usual, large = played.single
    assert of.staked == 5 * sum(of.wagers.values())
    assert played.table.mean == pytest.approx(2 * usual.mean + large.mean)
    if name == MGB:  # everybody has other cards
        assert large.mean == pytest.approx(3 * usual.mean, abs=6 * large.standard_deviation / math.sqrt(of.rounds))
        return
    assert np.array_equal(large.amounts, 3 * usual.amounts)
    assert np.array_equal(played.table.amounts, 5 * usual.amounts)
    assert np.array_equal(played.table.chances, usual.chances)


def test_a_wager_that_only_some_place_is_won_by_them_alone() -> None:
    staked = {"ante": 1000, "pair-plus": 500, "six-card-bonus@row-2": 100}
    of = Patrons(game(TCP), (Party(7, "mimic-dealer"), Party(2, "mimic-dealer", wagers=staked)), {}, ROUNDS_PER_BLOCK)
    played = play(of)
    rich = simulate(Job(of.game, ROUNDS_PER_BLOCK, strategy="mimic-dealer", wagers=staked)).wagers
    kept = sum(measured.house_edge * measured.stake for measured in rich)
    of_ante = 1000 * rich[0].house_edge
    assert played.single[0].mean == pytest.approx(of_ante)
    assert played.single[1].mean == pytest.approx(kept)
    assert played.table.mean == pytest.approx(7 * of_ante + 2 * kept)


def test_different_main_wagers_alone_are_still_exact() -> None:
    found = play(patrons(SBJ, Party(5), Party(2, wagers={"blackjack": 5000})))
    one = play(patrons(SBJ, Party(1)))
    assert found.method == "exact"
    assert found.table.mean == pytest.approx(15 * one.table.mean)


def test_amounts_that_have_too_little_in_common_are_refused() -> None:
    with pytest.raises(Refused, match=r"choose multiples of 1\.00"):
        patrons(SBJ, Party(5), Party(2, wagers={"blackjack": 1001}))


def test_players_on_other_rows_share_only_the_dealers_cards() -> None:
    together = play(patrons(TCP, Party(40, "mimic-dealer")))
    spread_out = play(patrons(TCP, Party(20, "mimic-dealer"), Party(20, "mimic-dealer", (4, 5, 6))))
    assert together.table.mean == pytest.approx(spread_out.table.mean, abs=6 * (together.standard_error or 0))
    alone = math.sqrt(40) * together.single[0].standard_deviation
    assert alone < spread_out.table.standard_deviation < 0.9 * together.table.standard_deviation


def test_the_same_seed_gives_the_same_result_whatever_the_number_of_cores() -> None:
    of = patrons(TCP, Party(3, "never-bust"), pair_plus=100)
    one, two = (play(of, jobs=jobs).table for jobs in (1, 2))
    assert np.array_equal(one.amounts, two.amounts)
    assert np.array_equal(one.chances, two.chances)


# --- ruin -----------------------------------------------------------------------------------------------------------------


def test_the_ruin_of_a_gambler_with_a_coin_is_found_exactly() -> None:
    coin = Results(np.array([-1, 1]), np.array([0.49, 0.51]))
    assert adjustment([(1, coin)], 0.01) == pytest.approx(math.log(0.51 / 0.49), rel=1e-9)
    assert bankroll([(1, coin)], 0.001) == math.ceil(math.log(1000) / math.log(0.51 / 0.49))


def test_the_bankroll_is_enough_in_play() -> None:
    """Ruin within 4,000 rounds is rarer than ruin ever, and not rarer by much."""
    skewed = Results(np.array([-30, 1]), np.array([0.025, 0.975]))
    enough = bankroll([(1, skewed)], 0.1)
    assert enough is not None
    random = np.random.default_rng(1)
    steps = np.where(random.random((3000, 4000)) < 0.025, -30, 1)
    ruined = float((np.cumsum(steps, axis=1).min(axis=1) < -enough).mean())
    assert 0.02 < ruined < 0.1 + 3 * math.sqrt(0.09 / 3000)


def test_without_an_advantage_no_bankroll_lasts_and_without_a_loss_none_is_needed() -> None:
    assert bankroll([(5, Results(np.array([-1, 1]), np.array([0.5, 0.5])))], 0.01) is None
    assert bankroll([(5, Results(np.array([0, 1]), np.array([0.5, 0.5])))], 0.01) == 0


# --- the command ------------------------------------------------------------------------------------------------------------


def test_json_and_page(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "exposure.html"
    assert run(["exposure", TCP, "--players", "60", "--json", "--html", str(page)]) == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["players"], said["wagers"], said["method"]) == (60, {"ante": 1000}, "exact")
    assert said["largest_payout"]["amount"] == 60 * 7000
    assert sum(line["probability"] for line in said["round"]["distribution"]) == pytest.approx(1)
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") == 6
    assert "<script" not in html


def test_parties_have_their_own_strategies_and_wagers(capfd: pytest.CaptureFixture[str]) -> None:
    parties = ["--party", "2:timeout", "--party", "3:mimic-dealer:blackjack=5000,trilux=100"]
    assert run(["exposure", SBJ, "--players", "9", *parties, "--strategy", "never-bust", "--rounds", "20000"]) == 0
    said = " ".join(capfd.readouterr().out.split())
    assert "9 players: 4 never-bust with blackjack 10.00; 2 timeout with blackjack 10.00; 3 mimic-dealer" in said
    assert "with blackjack 50.00, trilux 1.00." in said


def test_text_says_what_was_found(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--players", "9", "--strategy", "timeout=4,mimic-dealer=5", "--rounds", "20000", "--spots", "4,5,6"]
    assert run(["exposure", TCP, *arguments]) == 0
    out = capfd.readouterr().out
    assert "…" not in out  # no figure is cut short
    said = " ".join(out.split())
    assert "9 players (4 timeout, 5 mimic-dealer), each with ante 10.00." in said
    assert "Largest payout of a round: 630.00." in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "0"], "players is 0"),
        (["--players", "-1"], "players is -1"),
        (["--players", "8", "--strategy", "best=" + 5000 * "8"], "name each strategy once"),
        (["--players", "8", "--party", 5000 * "8" + ":best"], "write it like --party"),
        (["--players", "8", "--spots", "1,2," + 5000 * "8"], "three different locations"),
        (["--players", "8", "--wager", "ante=" + 5000 * "8"], "write it like --wager"),
        (["--players", "8", "--strategy", "luck"], "the strategies are best"),
        (["--players", "8", "--strategy", "best=4,timeout=3"], "is for 7 players"),
        (["--players", "8", "--strategy", "best=4,best=4"], "name each strategy once"),
        (["--players", "8", "--strategy", "best=8,timeout=0"], "players is 0"),
        (["--players", "8", "--wager", "ante=0"], "Ante of 0.00 is not a wager"),
        (["--players", "8", "--party", "9:best"], "--party names 9 players"),
        (["--players", "8", "--party", "best:2"], "write it like --party"),
        (["--players", "8", "--party", "2:luck"], "the strategies are best"),
        (["--players", "8", "--party", "0:best"], "players is 0"),
        (["--players", "8", "--party", "2:best:buster=5"], "There is no wager 'buster'"),
        (["--players", "8", "--wager", "buster=5"], "There is no wager 'buster'"),
        (["--players", "8", "--spots", "1,2,2"], "three different locations"),
        (["--players", "8", "--spots", "1,x,2"], "three different locations"),
        (["--players", "8", "--rounds-per-hour", "0"], "rounds-per-hour is 0"),
        (["--players", "8", "--hours", "25"], "hours is 25"),
        (["--players", "8", "--hours", "nan"], "hours is nan"),
        (["--players", "8", "--risk", "1"], "risk is 1"),
        (["--players", "8", "--rounds", "0"], "rounds is 0"),
        (["--players", "10000000000"], "Choose fewer players"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["exposure", TCP, *arguments]) == 2
    said = capfd.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert sentence in said.err


def test_spots_are_for_the_array_only() -> None:
    assert run(["exposure", SBJ, "--players", "3", "--spots", "1,2,3"]) == 2


def test_seats_are_limited_where_hands_are_dealt() -> None:
    with pytest.raises(Refused, match="7 seats"):
        patrons("match-up-blackjack", Party(4), Party(4, "timeout"))
