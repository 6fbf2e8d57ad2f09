"""A new option is refused by every calculation, in one sentence, until somebody teaches them or says that it makes no difference."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, Literal

import pytest

from podium.basics.money import Odds
from podium.basics.refusal import Refused
from podium.cli import run
from podium.maths.advice import worths
from podium.maths.exposure import Pace, exposure
from podium.maths.families import blackjack, family_of, three_card
from podium.maths.jobs import Job
from podium.maths.kernels import Kernel, UndeclaredOption
from podium.maths.par_sheet import par
from podium.maths.patrons import Party, Patrons, play
from podium.maths.sight import ArrayPosition, BoxPosition
from podium.maths.simulation import simulate
from podium.rules.bets import Bet, Sees
from podium.rules.dealing import Community
from podium.rules.games import GAMES, Game, game
from podium.rules.games.dynasty_blackjack import DynastyRules
from podium.rules.options import option
from podium.rules.placard import Offer, Rules
from podium.rules.three_card import ThreeCardRules

SAYS = {True: "You may double on any number of cards.", False: "You may double on two cards only."}


@dataclass(frozen=True, kw_only=True)
class AnyCards(DynastyRules):
    """An option whose effect on returns is not declared."""

    double_any_cards: bool = option(False, clause="XYZ 5.c.ix", says=SAYS)


@dataclass(frozen=True, kw_only=True)
class AnyCardsOrAsBefore(DynastyRules):
    """An option that leaves the game as it was when it is off."""

    double_any_cards: bool = option(False, clause="XYZ 5.c.ix", says=SAYS, neutral=False)


@dataclass(frozen=True, kw_only=True)
class Announced(DynastyRules):
    """An option that is declared to change no payment."""

    dealer_announces: bool = option(
        False, clause="XYZ 1", says={True: "The dealer announces.", False: "Silence."}, affects_returns=False
    )


@dataclass(frozen=True, kw_only=True)
class TwoPlays(ThreeCardRules):
    play_pays: Literal[1, 2] = option(1, clause="XYZ 9", says={1: "Play pays 1 to 1.", 2: "Play pays 2 to 1."})


def variant(rules: Rules) -> Game:
    """A game of the house with other rules."""
    like = "dynasty-blackjack" if isinstance(rules, DynastyRules) else "stadium-three-card-poker"
    return replace(GAMES[like], name=f"variant-of-{like}", rules=rules)


@pytest.fixture(
    params=[AnyCards(), AnyCards(double_any_cards=True), TwoPlays(), TwoPlays(play_pays=2)],
    ids=["any cards off", "any cards on", "play pays 1", "play pays 2"],
)
def unknown(request: pytest.FixtureRequest) -> Game:
    """A game with an option that nobody knows, at either value."""
    rules: Rules = request.param
    return variant(rules)


@pytest.mark.parametrize(
    "arguments",
    [
        ["par"],
        ["par", "--strategy", "timeout", "--json"],
        ["strategy"],
        ["simulate", "--rounds", "10"],
        ["simulate", "--rounds", "10", "--strategy", "timeout"],
        ["exposure", "--players", "2"],
        ["exposure", "--players", "2", "--strategy", "mimic-dealer", "--rounds", "10"],
    ],
    ids=" ".join,
)
def test_every_command_refuses_it_with_its_clause(
    unknown: Game, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(GAMES, unknown.name, unknown)
    command, *others = arguments
    assert run([command, unknown.name, *others]) == 2
    said = capfd.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "does not read: " in said.err
    named = "double_any_cards = " if isinstance(unknown.rules, AnyCards) else "play_pays = "
    clause = "(XYZ 5.c.ix)" if isinstance(unknown.rules, AnyCards) else "(XYZ 9)"
    assert named in said.err
    assert clause in said.err
    assert "play single rounds with `podium settle`" in said.err


def test_the_coach_refuses_it(unknown: Game) -> None:
    box = BoxPosition(("hit", "stand"), up=5, hand=(5, 9))
    array = ArrayPosition(("2c", "3c", "5d"), ("6c", "7c", "8d", "9h", "Tc", "Jd"))
    with pytest.raises(Refused, match="does not read"):
        worths(unknown, box if isinstance(unknown.rules, AnyCards) else array)


def test_the_sentence() -> None:
    with pytest.raises(Refused) as refused:
        par(variant(AnyCards(double_any_cards=True)))
    assert str(refused.value) == (
        "The exact analysis of blackjack gives no figures here, because it does not read: double_any_cards = true (XYZ 5.c.ix). "
        "Possible: play single rounds with `podium settle`, which follows every option."
    )


def test_a_neutral_value_leaves_the_figures_as_they_were() -> None:
    without = par(game("dynasty-blackjack")).to_dict()["wagers"]
    assert par(variant(AnyCardsOrAsBefore())).to_dict()["wagers"] == without
    with pytest.raises(
        Refused, match=r"double_any_cards = true \(XYZ 5\.c\.ix\)\. Possible: set double_any_cards = false, play single"
    ):
        par(variant(AnyCardsOrAsBefore(double_any_cards=True)))


@pytest.mark.parametrize("announces", [False, True])
def test_an_option_that_affects_no_return_is_not_refused(announces: bool) -> None:
    of = variant(Announced(dealer_announces=announces))
    assert par(of).to_dict()["wagers"] == par(game("dynasty-blackjack")).to_dict()["wagers"]
    assert all(kernel.unread(of) == [] for kernel in family_of(of).kernels)


def test_one_true_is_not_one() -> None:
    """A neutral value is that of its type: 1 is not True."""
    assert not variant(AnyCardsOrAsBefore()).options["double_any_cards"].is_neutral(0)


def test_another_calculation_that_reads_the_option_is_named() -> None:
    taught = replace(blackjack.SIMULATION, reads=blackjack.SIMULATION.reads | {"double_any_cards"})
    exact = replace(blackjack.EXACT, instead=(taught, "`podium simulate` with another strategy than best"))
    with pytest.raises(Refused, match="use `podium simulate` with another strategy than best, which reads it, play"):
        exact.rules(variant(AnyCards()))


def test_what_only_the_simulation_reads_is_simulated_and_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact figures are left out, and the table's results come from the simulation."""
    taught = replace(blackjack.SIMULATION, reads=blackjack.SIMULATION.reads | {"double_any_cards"})
    monkeypatch.setattr(blackjack, "SIMULATION", taught)
    of = variant(AnyCards())
    simulated = simulate(Job(of, 1_000, strategy="timeout"))
    assert family_of(of).figures(of, "blackjack", "timeout") is None
    assert simulated.wagers[0].wager == "blackjack"
    assert play(Patrons(of, (Party(2, "timeout"),), rounds=1_000)).method == "simulation"


def test_a_value_that_a_calculation_takes_for_granted_is_refused_at_any_other() -> None:
    of = variant(replace(ThreeCardRules(), decks=2))  # type: ignore[arg-type]  # no document offers it
    with pytest.raises(Refused, match=r"does not read: decks = 2 \(TCP intro\)\. Possible: set decks = 1, "):
        par(of)


# --- nobody reads past a kernel -------------------------------------------------------------------------------------


def test_an_undeclared_option_cannot_be_read_through_a_kernel() -> None:
    kernel = Kernel(
        "A test", DynastyRules, reads=frozenset({"decks"}), unaffected=blackjack.EXACT.reads | {"side_bets"}
    )
    rules = replace(kernel, unaffected=kernel.unaffected | {"paytables"}).rules(game("dynasty-blackjack", {"decks": 8}))
    assert isinstance(rules, DynastyRules)
    assert rules.decks == 8
    with pytest.raises(UndeclaredOption, match="A test read the option surrender"):
        _ = rules.surrender
    with pytest.raises(UndeclaredOption, match="blackjack_pays"):
        _ = rules.main_paytable
    with pytest.raises(UndeclaredOption, match="timeout"):
        _ = rules.stands_at


OPENS_GAMES = {
    "podium.maths.kernels": "checks every option before a kernel runs",
    "podium.maths.jobs": "asks the table which wagers and how many players it takes",
    "podium.maths.patrons": "asks the table which spots can be chosen",
    "podium.maths.sheet": "prints the options in force",
}


def listening(rules: Rules, heard: set[str]) -> Rules:
    """The same rules, which note every option that the mathematics reads from them and not through a kernel."""
    names = set(GAMES["dynasty-blackjack"].options) | set(GAMES["stadium-three-card-poker"].options)

    def read(self: Any, name: str) -> Any:
        if name in names and type(self) is listener:
            module = _reader()
            if module not in OPENS_GAMES:
                heard.add(f"{module} reads {name}")
        return object.__getattribute__(self, name)

    listener = type("Listening", (type(rules),), {"__getattribute__": read})
    copy: Rules = object.__new__(listener)
    vars(copy).update(vars(rules))
    return copy


def _reader() -> str:
    """The first module of the mathematics, or the game itself, among those that asked."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("podium.maths"):
            return module
        if module == "podium.rules.games.game":
            return "podium.maths.kernels"
        frame = frame.f_back
    return "podium.maths.kernels"


@pytest.mark.parametrize("name", ["dynasty-blackjack", "mega-blackjack", "stadium-three-card-poker"])
def test_no_calculation_reads_the_rules_but_through_its_kernel(name: str) -> None:
    heard: set[str] = set()
    usual = game(name)
    of = replace(usual, rules=listening(usual.rules, heard))
    side_bet = next((wager for wager, offer in of.offers.items() if not offer.main), None)
    wagers = {side_bet: 100} if side_bet else {}
    par(of)
    list(family_of(of).best_play(of))
    family_of(of).warm_up(of)
    simulate(Job(of, 100, wagers=wagers))
    simulate(Job(of, 100, strategy="timeout"))
    exposure(Patrons(of, (Party(1, "timeout"), Party(1, "mimic-dealer")), wagers, rounds=100), Pace(1, 1))
    assert heard == set()


def test_reading_past_a_kernel_is_heard() -> None:
    heard: set[str] = set()
    usual = game("dynasty-blackjack")
    of = replace(usual, rules=listening(usual.rules, heard))
    exec(compile("of.rules.decks", "past", "eval"), {"__name__": "podium.maths.blackjack", "of": of})
    assert heard == {"podium.maths.blackjack reads decks"}


# --- dealings and bets ----------------------------------------------------------------------------------------------


class Sideways(Community):
    """A way of dealing that nobody knows."""


@pytest.mark.parametrize(
    "ask",
    [
        par,
        lambda of: simulate(Job(of, 10, strategy="timeout")),
        lambda of: exposure(Patrons(of, (Party(2, "timeout"),), rounds=10), Pace()),
    ],
    ids=["par", "simulate", "exposure"],
)
def test_an_unknown_way_of_dealing_is_refused(ask: Callable[[Game], object]) -> None:
    with pytest.raises(Refused, match="does not know how IGT Dynasty Live Blackjack is dealt"):
        ask(replace(game("dynasty-blackjack"), dealing=Sideways))


LAST_CARD = Bet(
    name="last-card",
    title="Last Card",
    clause="XYZ 2",
    sees=Sees.BOTH_HANDS,
    outcomes=("ace",),
    paytables={"A": {"ace": Odds(10, 1)}},
)


@pytest.mark.parametrize("name", ["dynasty-blackjack", "stadium-three-card-poker"])
def test_a_bet_on_cards_that_the_machine_code_does_not_see_is_left_out_or_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = game(name)
    monkeypatch.setattr(usual.dealing, "check", lambda side_bets: None)  # as if the dealing could show it

    def offers(self: Rules) -> Any:
        yield from usual.rules.offers()
        yield Offer(LAST_CARD.name, LAST_CARD, "A", LAST_CARD.paytables["A"])

    rules: Rules = object.__new__(type("WithLastCard", (type(usual.rules),), {"offers": offers}))
    vars(rules).update(vars(usual.rules))
    of = replace(usual, rules=rules)
    assert "last-card is left out: its figures are not known." in par(of, "timeout").warnings
    with pytest.raises(Refused, match=r"The simulation of .* does not play Last Card \(XYZ 2\)"):
        simulate(Job(of, 10, strategy="timeout", wagers={"last-card": 100}))


def test_three_card_kernels_are_for_three_card_games() -> None:
    with pytest.raises(Refused, match="The exact analysis of Three Card Poker is not for Mega Blackjack with Buster"):
        three_card.EXACT.rules(game("mega-blackjack"))
