"""Every option of every game is read by a calculation, makes no difference to it, or is refused by it.

What a kernel declares is proved here from both sides. An option that it reads must be read, and change a figure of the two main
calculations. An option that makes no difference must leave every payment of the engine as it is, over the same cards and decisions.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.maths import kernels
from podium.maths.blackjack import policy_for
from podium.maths.blackjack_player import blackjack_player
from podium.maths.families import blackjack, families, family_of, three_card
from podium.maths.jobs import Job
from podium.maths.kernels import Kernel, narrowed
from podium.maths.largest import largest
from podium.maths.patrons import Party, Patrons
from podium.maths.positions import EVEN_MONEY, INSURE, NATURAL, hand_of
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, WagersPlaced
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, NextCard, Question
from podium.rules.games import GAMES, Game, game
from podium.rules.options import Option
from podium.rules.three_card import ThreeCardRules
from tests.configurations import values_of
from tests.maths.test_blackjack_exact import EIGHTS, Walk
from tests.maths.test_simulation_is_the_engine import wild_policy

SBJ, DLB, MUB, MGB = "stadium-blackjack", "dynasty-blackjack", "match-up-blackjack", "mega-blackjack"
TCP = "stadium-three-card-poker"

KERNELS = [kernel for family in families() for kernel in family.kernels]

BASES: dict[str, dict[str, Any]] = {
    # Here insurance and even money are worth taking, so that offering them or not makes a difference.
    DLB: {
        "insurance": True,
        "even_money": True,
        "keep_standoff_bet": "always-and-push-insurance",
        "blackjack_pays": "6:5",
        "side_bets": {"trilux": "TRI-01", "match-up": "A"},
    },
    SBJ: {},
    MUB: {},
    MGB: {},
    TCP: {},
}
"""From where options are turned: the richest game first."""

HOUSE = {
    SBJ: {"trilux": "flush"},
    DLB: {"trilux": "flush"},
    MUB: {"match-up": "one suited match"},
    MGB: {"buster": "bust with 5 cards"},
    TCP: {"pair-plus": "pair", "six-card-bonus": "flush", "ante-bonus": "straight"},
}
"""By game: bets that the operator enters a paytable for, each with one outcome of it."""

PAID_BY = {"pair_plus": "pair-plus", "six_card_bonus": "six-card-bonus", "ante_bonus": "ante-bonus"}
"""The options that name the paytable of a bet."""

ROUNDS = 24
"""RoundsPlayed in the engine for each turn of an option that makes no difference."""


def named(case: object) -> str:
    return case.title if isinstance(case, Kernel) else str(case)


def games_of(kernel: Kernel[Any]) -> list[Game]:
    """The games of its family; of those that count one bet alone, the games that have that bet."""
    games = [game(name, base) for name, base in BASES.items() if isinstance(GAMES[name].rules, kernel.rules_class)]
    return [of for of in games if kernel is not blackjack.BUSTS or "buster" in of.offers]


def turned(of: Game, changed: dict[str, Any]) -> Game:
    """The game with options turned, and no others that they imply."""
    read = {name: of.options[name].read(value) for name, value in changed.items()}
    return replace(of, rules=replace(of.rules, **read))


def turns_of(of: Game, option: Option) -> Iterator[Game]:
    """Every other value of an option, one after the other; a paytable that was entered is one that a wager is paid by."""
    for value in [] if option.fixed else values_of(of, option):
        changed = {option.name: value}
        if option.name == "paytables":
            entered = {bet: {"HOUSE": {outcome: "7:2"}} for bet, outcome in HOUSE[of.name].items()}
            paid = {bet.replace("-", "_"): "HOUSE" for bet in entered}
            changed = {"paytables": entered} | (
                paid if of.name == TCP else {"side_bets": dict.fromkeys(entered, "HOUSE")}
            )
        after = turned(of, changed)
        if after.rules != of.rules:
            yield after
    if option.name in PAID_BY:
        entered = {PAID_BY[option.name]: {"HOUSE": {HOUSE[of.name][PAID_BY[option.name]]: "7:2"}}}
        yield turned(of, {"paytables": entered, option.name: "HOUSE"})


def turns(kernel: Kernel[Any], name: str) -> Iterator[tuple[Game, Game]]:
    """Every turn of an option in every game of a kernel: before and after."""
    for of in games_of(kernel):
        if name in of.options:
            yield from ((of, changed) for changed in turns_of(of, of.options[name]))


# --- what each kernel finds -----------------------------------------------------------------------------------------


def _exact(of: Game) -> object:
    shown = []
    for strategy in ("best", "timeout"):
        figures, also = family_of(of).counted(of, of.rules.main.name, strategy)
        shown.append((figures.to_dict(), {name: other.to_dict() for name, other in also.items()}))
    return shown


def _simulated(of: Game) -> object:
    """Some rounds with every wager that stands alone: of wild play that insures and takes even money, and of time-outs."""
    wagers = {wager: _amount(of, wager) for wager, offer in of.offers.items() if offer.main or not offer.bet.needs}
    jobs = [Job(of, 2_000, strategy=strategy, wagers=wagers) for strategy in ("best", "timeout")]
    if of.name == TCP:
        return [family_of(of).player(job).play(range(1)).tolist() for job in jobs]
    wild = wild_policy(np.random.default_rng(7))
    wild.early[:] = INSURE
    wild.early[hand_of(*NATURAL)] = EVEN_MONEY
    rules, in_turn = blackjack.SIMULATION.rules(of), blackjack.own_hands(of)
    played = wild, blackjack.policies(of, ["timeout"])["timeout"]
    return [
        blackjack_player(job, rules, policy, own_hands=in_turn).play(range(1)).tolist()
        for job, policy in zip(jobs, played, strict=True)
    ]


def _largest(of: Game) -> object:
    wagers = {wager: _amount(of, wager) for wager, offer in of.offers.items() if offer.main or not offer.bet.needs}
    return largest(Patrons(of, (Party(1),), wagers))


def _side_bets(of: Game) -> object:
    family, bets = family_of(of), [wager for wager, offer in of.offers.items() if not offer.main]
    entries = list(family.bonuses(of, of.rules.main, "best"))
    return [family.counted(of, wager, "best")[0].to_dict() for wager in bets], [
        entry.figures.to_dict() for entry in entries
    ]


def _amount(of: Game, wager: str) -> int:
    """That the table takes."""
    offer = of.offers[wager]
    return max(offer.amounts) if offer.amounts else 1000


FOUND: dict[Kernel[Any], Callable[[Game], object]] = {
    blackjack.EXACT: _exact,
    blackjack.SIMULATION: _simulated,
    blackjack.LARGEST: _largest,
    blackjack.FIRST_CARDS: _side_bets,
    blackjack.BUSTS: _side_bets,
    three_card.EXACT: _exact,
    three_card.SIMULATION: _simulated,
    three_card.LARGEST: _largest,
    three_card.DEALT_CARDS: _side_bets,
}


_found: dict[tuple[str, str], object] = {}


def found(kernel: Kernel[Any], of: Game) -> object:
    """What a kernel finds, worked out once."""
    key = kernel.title, of.fingerprint
    if key not in _found:
        _found[key] = FOUND[kernel](of)
    return _found[key]


REFUSED = {"over_payable"}
"""What a capped payment returns depends on how much is staked: no figure holds for every wager."""


def unaffected(kernel: Kernel[Any]) -> set[str]:
    """The options that make no difference to a kernel, as it or the option itself declares."""
    by_option = {name for of in games_of(kernel) for name, option in of.options.items() if not option.affects_returns}
    return by_option | kernel.unaffected


def test_every_kernel_is_tested() -> None:
    assert set(FOUND) == set(KERNELS)


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_what_a_kernel_declares_are_options_of_its_games(kernel: Kernel[Any]) -> None:
    known = {name for of in GAMES.values() if isinstance(of.rules, kernel.rules_class) for name in of.options}
    assert kernel.reads | kernel.unaffected | set(kernel.assumes) <= known
    assert not kernel.assumes.keys() & (kernel.reads | kernel.unaffected)


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_every_value_of_every_option_is_answered_for(kernel: Kernel[Any]) -> None:
    """None of today's games is refused, whatever is turned but a cap; a new option is, until the kernel answers for it."""
    for of in games_of(kernel):
        for option in of.options.values():
            if option.name in REFUSED:
                assert all(kernel.unread(changed) == [option] for changed in turns_of(of, option))
                continue
            answered = option.name in kernel.reads | unaffected(kernel) | set(kernel.assumes)
            assert answered, f"{named(kernel)} does not answer for {option.name} of {of.name}"
            assert all(kernel.unread(changed) == [] for changed in turns_of(of, option))


# --- what is read ---------------------------------------------------------------------------------------------------


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> dict[Kernel[Any], set[str]]:
    """By kernel: the options that were read through it since the test began."""
    read: dict[Kernel[Any], set[str]] = {}

    def listening(rules: Any, kernel: Kernel[Any]) -> Any:
        copy = narrowed(rules, kernel)
        values = dict(vars(copy))

        def hearing(name: str) -> property:
            def heard(_: object) -> Any:
                read.setdefault(kernel, set()).add(name)
                return values[name]

            return property(heard)

        copy.__class__ = type("Heard", (type(copy),), {name: hearing(name) for name in values})
        return copy

    monkeypatch.setattr(kernels, "narrowed", listening)
    return read


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_what_a_kernel_declares_to_read_it_reads(kernel: Kernel[Any], heard: dict[Kernel[Any], set[str]]) -> None:
    for of in games_of(kernel):
        FOUND[kernel](of)
    if "double_for_less" in kernel.reads:  # only a double for less looks at the smallest chip
        FOUND[kernel](game(SBJ, {"double_for_less": True}))
    if (
        kernel.rules_class is ThreeCardRules
    ):  # only a paytable that is not printed is looked up among those that were entered
        FOUND[kernel](next(turns_of(GAMES[TCP], GAMES[TCP].options["paytables"])))
    known = {name for of in games_of(kernel) for name in of.options}
    assert kernel.reads & known <= heard[kernel] <= kernel.reads | set(kernel.assumes)


@pytest.mark.parametrize(
    "kernel", [blackjack.EXACT, three_card.EXACT, blackjack.SIMULATION, three_card.SIMULATION], ids=named
)
def test_what_the_main_calculations_read_changes_a_figure(kernel: Kernel[Any]) -> None:
    for name in sorted(kernel.reads - unaffected(kernel)):
        both = list(turns(kernel, name))
        assert not both or any(found(kernel, before) != found(kernel, after) for before, after in both), name


# --- what makes no difference ---------------------------------------------------------------------------------------


def wagers_of(kernel: Kernel[Any], of: Game) -> list[str]:
    """The wagers that a kernel is about."""
    main = [wager for wager, offer in of.offers.items() if offer.main]
    others = [wager for wager, offer in of.offers.items() if not offer.main and not offer.bet.needs]
    if kernel in (blackjack.EXACT, three_card.EXACT):
        return main
    return [*main, *others]


OF_SIDE_BETS = (blackjack.FIRST_CARDS, blackjack.BUSTS, three_card.DEALT_CARDS)


def counts_for(kernel: Kernel[Any], wager: str, main: str) -> bool:
    """Whether a line of the result is what a kernel is about: of the side bets alone, or else every line."""
    return kernel not in OF_SIDE_BETS or wager not in (main, "insurance")


class Together:
    """The same wagers, cards and decisions in two games, as long as both rounds ask for the same."""

    def __init__(self, games: tuple[Game, Game], wagers: list[str], random: Random) -> None:
        self.random = random
        self.asked_alike = True
        """Whether both rounds have allowed the same decisions so far; of a double for less the amount is left out."""
        self.rounds = [Round(of) for of in games]
        self.cards = random.sample([*DECK] * games[0].rules.decks, k=52)
        seats = min(2, *(of.rules.places or 2 for of in games))
        for seat in range(1, seats + 1):
            amounts = self._amounts(games, wagers)
            for round in self.rounds:
                round.apply(WagersPlaced(seat=seat, amounts=amounts))
        for round in self.rounds:
            round.apply(BettingClosed())

    def _amounts(self, games: tuple[Game, Game], wagers: list[str]) -> dict[str, int]:
        """Amounts that both tables take."""
        staked = {}
        for wager in wagers:
            choices = [amount for amount in (*range(100, 1100, 100), 725, 999) if self._taken(games, wager, amount)]
            staked[wager] = self.random.choice(choices)
        return staked

    def _taken(self, games: tuple[Game, Game], wager: str, amount: int) -> bool:
        try:
            for of in games:
                of.offers[wager].check(amount)
        except Refused:
            return False
        return True

    def play(self) -> tuple[list[Any], list[Any]]:
        """What every wager staked and returned in each of the rounds."""
        while not all(isinstance(round.awaits, Confirmation) for round in self.rounds):
            questions = [self._questions(round) for round in self.rounds]
            if questions[0] and questions[1]:
                self._decide(*questions)
            elif questions[0] or questions[1]:
                self.asked_alike = False
            for round, asked in zip(self.rounds, questions, strict=True):
                if asked and not (questions[0] and questions[1]):
                    for seat, question in asked.items():
                        round.apply(
                            Decided(seat, "decline" if question.about == "insurance" else self._plain(question))
                        )
                elif isinstance(round.awaits, NextCard):
                    round.apply(CardDealt(self.cards[round.cards_dealt]))
        for round in self.rounds:
            round.apply(Confirmed())
        one, other = ([self._lines(round, seat) for seat in round.results] for round in self.rounds)
        return one, other

    def _questions(self, of: Round) -> dict[int, Question]:
        return dict(of.awaits) if isinstance(of.awaits, Decisions) else {}

    def _decide(self, one: dict[int, Question], other: dict[int, Question]) -> None:
        """What both rounds allow is decided in both."""
        for seat in one.keys() | other.keys():
            questions = [asked[seat] for asked in (one, other) if seat in asked]
            allowed = [{choice for choice in question.allowed if ":" not in choice} for question in questions]
            self.asked_alike = self.asked_alike and len(allowed) == 2 and allowed[0] == allowed[1]
            shared = sorted(set.intersection(*allowed))
            chosen = self.random.choice(shared) if shared else ""
            for round, asked in zip(self.rounds, (one, other), strict=True):
                if seat in asked:
                    alone = "decline" if asked[seat].about == "insurance" else self._plain(asked[seat])
                    round.apply(Decided(seat, chosen or alone))

    def _plain(self, question: Question) -> str:
        return "stand" if "stand" in question.allowed else "fold"

    def _lines(self, of: Round, seat: int) -> list[tuple[str, int, int]]:
        return [(line.wager, line.staked, line.returned) for line in of.results[seat].wagers]


def differs(kernel: Kernel[Any], before: Game, after: Game, *, rounds: int = ROUNDS) -> bool:
    """Whether the engine pays a wager of the kernel differently, over random rounds with the same cards and decisions, or
    allows other decisions where they matter to the kernel."""
    wagers = [wager for wager in wagers_of(kernel, before) if wager in after.offers]
    main = before.rules.main.name
    for seed in range(rounds):
        together = Together((before, after), wagers, Random(seed))
        lines = together.play()
        one, other = ([[line for line in seat if counts_for(kernel, line[0], main)] for seat in each] for each in lines)
        if one != other or not (together.asked_alike or kernel in OF_SIDE_BETS):
            return True
    return False


BY_ORDER = {(blackjack.EXACT, "split_draw")}
"""It changes the order in which cards are dealt, so it makes no difference on average only: see the next test but one."""


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_what_makes_no_difference_leaves_every_payment_as_it_is(kernel: Kernel[Any]) -> None:
    for name in sorted(unaffected(kernel)):
        if (kernel, name) in BY_ORDER:
            continue
        for before, after in turns(kernel, name):
            assert not differs(kernel, before, after), f"{name} of {before.name}: {after.changed()}"


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        (kernel, name)
        for kernel in KERNELS
        for name in sorted(unaffected(kernel) & kernel.reads)
        if name != "dealer_wagers"
    ],
    ids=named,
)
def test_what_makes_no_difference_changes_no_figure_either(kernel: Kernel[Any], name: str) -> None:
    """What a kernel does not read cannot change its figures; this is about what it reads."""
    for of in games_of(kernel):
        changed = next(turns_of(of, of.options[name]), None) if name in of.options else None
        if changed is not None and all(
            changed.offers[wager].amounts == offer.amounts for wager, offer in of.offers.items()
        ):
            assert found(kernel, changed) == found(kernel, of), changed.changed()


def test_the_order_of_split_cards_makes_no_difference_over_every_order_of_a_shoe() -> None:
    in_turn, at_once = (
        game(DLB, {"max_splits": 3, "surrender": "off", "split_draw": draw}) for draw in ("in-turn", "at-once")
    )
    policy = policy_for(blackjack.analysis(in_turn, np.array(EIGHTS)), "best")
    policy.limit[:, :, 7] = 3
    policy.first[:, :, hand_of(7, 7)] = 3
    one, other = (Walk(of, EIGHTS, policy).over_all_orders() for of in (in_turn, at_once))
    assert one.net == pytest.approx(other.net, abs=1e-9)
    assert one.staked == pytest.approx(other.staked, abs=1e-9)


@pytest.mark.parametrize(
    ("kernel", "name", "option"),
    [
        (blackjack.EXACT, SBJ, "blackjack_pays"),
        (blackjack.EXACT, SBJ, "dealer_hits_soft_17"),
        (blackjack.EXACT, SBJ, "max_splits"),
        (blackjack.EXACT, SBJ, "even_money"),
        (blackjack.EXACT, DLB, "surrender"),
        (blackjack.BUSTS, MGB, "side_bets"),
        (three_card.EXACT, TCP, "ante_bonus"),
        (three_card.DEALT_CARDS, TCP, "pair_plus"),
    ],
    ids=named,
)
def test_the_engine_tells_what_makes_a_difference(kernel: Kernel[Any], name: str, option: str) -> None:
    of = GAMES[name]
    changed = [after for after in turns_of(of, of.options[option]) if after.offers.keys() == of.offers.keys()]
    assert any(differs(kernel, of, after, rounds=300) for after in changed)
