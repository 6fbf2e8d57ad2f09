"""Players around one table, and the results that they and the house have in the same rounds.

In a community game everybody plays the same cards, so results add up instead of cancelling; what they come to together
is not to be had from the figures of one player unless all do the same.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.bets import ANTE_BONUS
from podium.blackjack.rules import BlackjackRules
from podium.dealing import OwnHands
from podium.games import Game
from podium.maths import blackjack, three_card
from podium.maths.blackjack_rounds import SPARE, side_bets
from podium.maths.boxes import book, terms, unrounded
from podium.maths.figures import Figures
from podium.maths.poker_rounds import poker, poker_plan
from podium.maths.shuffling import full_shoe, stream
from podium.maths.simulate import RESERVE, Job, cores
from podium.maths.table_rounds import community_results, own_hands_results, poker_results
from podium.refusal import Refused
from podium.threecard import PROPOSED_SPOTS, ThreeCardRules

MOST: Final = 10**12
"""All that a table may stake at first, in minor units: the largest payout on it still is a whole number of the machine."""

ROUNDS: Final = 4_000_000
"""Rounds that are simulated unless other is asked for."""


@dataclass(frozen=True)
class Party:
    """Players who do the same."""

    players: int
    strategy: str = "best"
    spots: tuple[int, ...] = PROPOSED_SPOTS
    """The locations that they choose, in Three Card Poker."""


@dataclass(frozen=True)
class Crowd:
    """Who plays at the table and what everybody of them stakes; how it is simulated where that is needed. Checked."""

    game: Game
    parties: tuple[Party, ...]
    wagers: Mapping[str, int] = field(default_factory=dict)
    rounds: int = ROUNDS
    seed: int = 1

    def __post_init__(self) -> None:
        job = self.job
        object.__setattr__(self, "wagers", job.wagers)
        if self.staked > MOST:
            raise Refused(
                f"The table would stake {self.staked:,} minor units at first: it is counted up to {MOST:,}, with fewer "
                "players or smaller wagers."
            )

    @property
    def players(self) -> int:
        return sum(party.players for party in self.parties)

    @property
    def staked(self) -> int:
        """By all players together, before any decision adds to it."""
        return self.players * sum(self.wagers.values())

    @property
    def job(self) -> Job:
        """The simulation of it; making it checks the wagers, the players and each strategy."""
        for party in self.parties:
            Job(self.game, self.rounds, seed=self.seed, strategy=party.strategy, players=party.players)
        strategy = self.parties[0].strategy
        return Job(self.game, self.rounds, seed=self.seed, strategy=strategy, players=self.players, wagers=self.wagers)


# --- distributions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """How a round comes out for the house: amounts in minor units, the lowest first, and the chance of each."""

    amounts: NDArray[np.int64]
    chances: NDArray[np.float64]

    @classmethod
    def of(cls, often: Mapping[int, float], times: int = 1) -> "Results":
        """From what a player won and how often, for the house and so many players who win it together."""
        amounts = np.array(sorted(-net for net in often), dtype=np.int64)
        chances = np.array([often[-int(amount)] for amount in amounts], dtype=np.float64)
        return cls(amounts * times, chances / chances.sum())

    @property
    def mean(self) -> float:
        return float(self.amounts @ self.chances)

    @property
    def variance(self) -> float:
        return float(((self.amounts - self.mean) ** 2) @ self.chances)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def largest_loss(self) -> int:
        """For the house."""
        return max(0, -int(self.amounts[0]))


@dataclass(frozen=True)
class Played:
    """What a crowd's rounds came to."""

    table: Results
    """All players together."""
    single: tuple[Results, ...]
    """One player of each party."""
    method: str
    how: str
    rounds: int = 0
    """That were simulated."""

    @property
    def standard_error(self) -> float | None:
        """Of the table's mean, where it was simulated."""
        return self.table.standard_deviation / math.sqrt(self.rounds) if self.rounds else None


def play(crowd: Crowd, *, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> Played:
    """Exactly where everybody does the same with the main wager alone, and otherwise by simulation."""
    figures = _exact(crowd)
    if figures is None or figures.results is None:
        return _simulated(crowd, cores(jobs), progress)
    (stake,) = crowd.wagers.values()
    often: Counter[int] = Counter()
    for net, chance in figures.results.items():
        often[round(net * stake)] += float(chance)  # type: ignore[assignment]  # a Counter adds any numbers up
    one = Results.of(often)
    how = f"{figures.how} Everybody has this result at the same time."
    return Played(Results.of(often, crowd.players), (one,) * len(crowd.parties), "exact", how)


def _exact(crowd: Crowd) -> Figures | None:
    """The figures of one player, where everybody has the same result and it is known whole."""
    rules = crowd.game.rules
    if len(crowd.wagers) > 1 or len({(party.strategy, frozenset(party.spots)) for party in crowd.parties}) > 1:
        return None
    stake, strategy = next(iter(crowd.wagers.values())), crowd.parties[0].strategy
    if isinstance(rules, BlackjackRules):
        alone = crowd.players == 1 or crowd.game.dealing is not OwnHands
        return blackjack.figures(crowd.game, strategy) if alone and unrounded(rules, stake) else None
    assert isinstance(rules, ThreeCardRules)
    paytable = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
    if any(stake * odds.pays % odds.per for odds in paytable.values()):
        return None
    if strategy == "best":
        return three_card.figures(paytable, "nine seen")
    return three_card.figures(paytable, "timeout") if strategy == "timeout" else None


# --- simulation -----------------------------------------------------------------------------------------------------------

Block = Callable[[int], NDArray[np.int64]]
"""By its number: what one player of each party, or each seat, won in every round of a block."""


def _simulated(crowd: Crowd, jobs: int, progress: Callable[[int], None] | None) -> Played:
    job = crowd.job
    own_hands = crowd.game.dealing is OwnHands
    block, many = _blocks(crowd, job), [party.players for party in crowd.parties]
    party_of = [number for number, party in enumerate(crowd.parties) for _ in range(party.players if own_hands else 1)]
    weights = np.array([1] * len(party_of) if own_hands else many, dtype=np.int64)

    def tallies(number: int) -> list[Counter[int]]:
        """Of the table, and of each party; counted in the worker, so that no block is kept."""
        won = block(number)
        columns = [[column for column, of in enumerate(party_of) if of == party] for party in range(len(many))]
        return [_tally(won @ weights), *(_tally(won[:, of_party]) for of_party in columns)]

    totals: list[Counter[int]] = [Counter() for _ in range(1 + len(crowd.parties))]
    with ThreadPoolExecutor(jobs) as workers:
        for number, found in enumerate(workers.map(tallies, range(job.blocks))):
            for total, tally in zip(totals, found, strict=True):
                total.update(tally)
            if progress is not None:
                progress(job.rounds_of(number))
    table, *single = (Results.of(total) for total in totals)
    how = f"Simulation: {job.rounds:,} rounds of the whole table, seed {job.seed}, from real shoes as `podium simulate` deals them."
    return Played(table, tuple(single), "simulation", how, job.rounds)


def _tally(amounts: NDArray[np.int64]) -> Counter[int]:
    found, often = np.unique(amounts, return_counts=True)
    return Counter(dict(zip(found.tolist(), often.tolist(), strict=True)))


def _blocks(crowd: Crowd, job: Job) -> Block:
    rules = crowd.game.rules
    if isinstance(rules, ThreeCardRules):
        return _poker_blocks(crowd, job, rules)
    assert isinstance(rules, BlackjackRules)
    return _blackjack_blocks(crowd, job, rules)


def _blackjack_blocks(crowd: Crowd, job: Job, rules: BlackjackRules) -> Block:
    of = blackjack.analysis(crowd.game)
    names = list(dict.fromkeys(party.strategy for party in crowd.parties))
    policies = {name: blackjack.policy_for(of, name) for name in names}
    main, *others = job.wagers
    sides = side_bets(job.game.offers, {wager: job.wagers[wager] for wager in others})
    conditions = terms(rules, job.wagers[main])
    own_hands = crowd.game.dealing is OwnHands
    seats = [names.index(party.strategy) for party in crowd.parties for _ in range(party.players)] if own_hands else [0]
    by_party = names if own_hands else [party.strategy for party in crowd.parties]
    tables = book(rules, [policies[name] for name in by_party])
    size = 52 * rules.decks
    cut = max(1, int(size * job.penetration))
    needed = min(size, cut + RESERVE * (len(seats) + 1))

    def block(number: int) -> NDArray[np.int64]:
        cards = np.concatenate([full_shoe(rules.decks), np.zeros(SPARE, dtype=np.int64)])
        state, rounds = stream(job.seed, number), job.rounds_of(number)
        won = np.zeros((rounds, len(seats) if own_hands else len(crowd.parties)), dtype=np.int64)
        if own_hands:
            which = np.array(seats, dtype=np.int64)
            own_hands_results(state, conditions, tables, sides, which, cards, cut, needed, won)
        else:
            community_results(state, conditions, tables, sides, cards, cut, needed, won)
        return won

    return block


def _poker_blocks(crowd: Crowd, job: Job, rules: ThreeCardRules) -> Block:
    plans = [poker_plan(party.strategy) for party in crowd.parties]
    tables = poker(rules, job.game.offers, job.wagers, plans, PROPOSED_SPOTS)
    spots = np.array([party.spots for party in crowd.parties], dtype=np.int64) - 1

    def block(number: int) -> NDArray[np.int64]:
        won = np.zeros((job.rounds_of(number), len(spots)), dtype=np.int64)
        poker_results(stream(job.seed, number), tables, spots, full_shoe(1), won)
        return won

    return block
