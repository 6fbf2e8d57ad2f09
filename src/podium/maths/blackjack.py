"""The exact analysis of the main wager of blackjack: the best play off the top of a fresh shoe, and what any play returns.

The best play depends on the cards of the hand, not only on their total (composition-dependent). `splits` says how split hands are
treated. The order of unseen cards carries no information, so a round of one player is the same in every way of dealing: the up card,
two cards, the player's draws, then the dealer's. Only a hole card that the dealer has looked at tells the player something more.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.maths.dealer import BLACKJACK
from podium.maths.figures import Figures
from podium.maths.jobs import STRATEGIES
from podium.maths.payoffs import Payoffs, Whose, payoffs
from podium.maths.positions import (
    DECLINE,
    EVEN_MONEY,
    INSURE,
    NATURAL,
    SPLIT,
    SURRENDER,
    TWO_CARDS,
    Policy,
    by_total,
    empty_policy,
    hand_of,
)
from podium.maths.shoe import ACE, VALUES, Counts
from podium.maths.splits import REACH_HALF_UNITS, SplitPlay
from podium.maths.upcard import PreparedRules, UpCard
from podium.rules.blackjack.rules import BlackjackRules

HOW: Final = {
    "best": "Exact: the best composition-dependent play",
    "timeout": "Exact: every decision times out",
    "never-bust": "Exact: stand on a hard 12 or a soft 18 or more, never add to the wager",
    "mimic-dealer": "Exact: hit and stand as the dealer must, never add to the wager",
}

FOR_THE_DEALER: Final[dict[Whose, str]] = {
    "dealer, never added to": "the wager for the dealer left as it is, on the player's first hand",
    "dealer, always added to": "the wager for the dealer doubled and split whenever the player doubles and splits",
}

ANALYSIS_THREADS: Final = 2
"""The up cards are analysed in parallel."""

HOPELESS_SPLIT_LOSS: Final = 0.05
"""In units of the wager. A pair that loses this much by splitting once is not split, so resplitting it is not examined."""


@dataclass
class PlayOutcome:
    """The result of a way of playing, per unit of the initial wager."""

    results: dict[float, float] = field(default_factory=dict)
    """The probability of each net result, insurance included."""
    wagered: float = 0.0
    """The average total stake."""

    def add(self, net: float, chance: float, wagered: float) -> None:
        if chance > 0.0:
            net = round(net, 6)
            self.results[net] = self.results.get(net, 0.0) + chance
            self.wagered += chance * wagered

    def merge(self, other: "PlayOutcome", weight: float) -> None:
        for net, chance in other.results.items():
            self.results[net] = self.results.get(net, 0.0) + weight * chance
        self.wagered += weight * other.wagered

    @property
    def mean(self) -> float:
        return sum(net * chance for net, chance in self.results.items())

    @property
    def variance(self) -> float:
        return sum(net * net * chance for net, chance in self.results.items()) - self.mean**2


class Analysis:
    """A set of rules and a shoe, ready to evaluate any policy. What is computed for one policy is reused for the next."""

    def __init__(self, rules: BlackjackRules, shoe: Counts, *, peeks: bool) -> None:
        self.rules = rules
        self.shoe = shoe
        self.prepared = PreparedRules(rules, peeks=peeks)
        self.up_cards = {up: UpCard(self.prepared, shoe, up) for up in range(VALUES) if shoe[up] > 0}

    # --- the best play ----------------------------------------------------------------------------------------------

    def best_policy(self) -> Policy:
        policy = empty_policy()
        with ThreadPoolExecutor(ANALYSIS_THREADS) as threads:
            list(threads.map(lambda up_card: BestPlay(up_card, policy).find(), self.up_cards.values()))
        return policy

    # --- what a play comes to ------------------------------------------------------------------------------------------

    def outcome(self, policy: Policy, payoffs: Payoffs | None = None) -> PlayOutcome:
        """What a policy returns for the player's wager, or for another wager on the same hands."""
        paid = payoffs or self.prepared.payoffs
        cards = int(self.shoe.sum())
        whole = PlayOutcome()
        with ThreadPoolExecutor(ANALYSIS_THREADS) as threads:
            parts = threads.map(lambda up_card: (up_card.up, against(up_card, policy, paid)), self.up_cards.values())
            for up, part in parts:
                whole.merge(part, int(self.shoe[up]) / cards)
        whole.results = dict(sorted(whole.results.items()))
        return whole


class BestPlay:
    """Finds the best play against one up card and writes it into a policy."""

    def __init__(self, up_card: UpCard, policy: Policy) -> None:
        self.up_card = up_card
        self.prepared = up_card.prepared
        self.policy = policy

    def find(self) -> None:
        up = self.up_card.up
        values = [self._find_play(insured) for insured in (0, 1) if insured == 0 or up == ACE]
        if up != ACE:
            return
        for pair in TWO_CARDS:
            choices = self.early(pair, [by_hand.get(pair, 0.0) for by_hand in values])
            self.policy.early[hand_of(*pair)] = max(choices, key=choices.__getitem__)

    def _find_play(self, insured: int) -> dict[tuple[int, int], float]:
        """Finds the best decision on every hand. Returns the worth of each pair of first cards, without the insurance wager itself."""
        up_card, up = self.up_card, self.up_card.up
        action = self.policy.first[insured, up]
        values = up_card.values(insured, action, choose=True)
        worth = {}
        for pair in TWO_CARDS:
            choices = self.prepared.allowed.first[pair]
            if up_card.dealt(*pair) == 0.0 or pair == NATURAL:
                continue
            hand = hand_of(*pair)
            best = float(values[hand, 3])
            if "split" in choices:
                best = self._consider_split(insured, pair[0], best)
            if "surrender" in choices and (given_up := self.surrender(pair)) > best:
                action[hand], best = SURRENDER, given_up
            worth[pair] = best
        return worth

    def surrender(self, pair: tuple[int, int]) -> float:
        plain = self.prepared.payoffs.special[0]
        blackjack = 0.0 if self.prepared.peeks else self.up_card.blackjack(*pair)
        return plain.surrendered * (1 - blackjack) + plain.surrendered_to_blackjack * blackjack

    def _consider_split(self, insured: int, value: int, best: float) -> float:
        """Splits the pair if that is better, as often as is best. Returns the worth of the best decision."""
        up_card, up = self.up_card, self.up_card.up
        pay = self.prepared.payoffs.hands[insured]
        actions = self.policy.split[insured, :, up, value]
        actions[0] = up_card.best_split_play(insured, 0, value)
        same = np.array_equal(pay[0], pay[1])
        actions[1] = actions[0] if same else up_card.best_split_play(insured, 1, value)
        most = self.prepared.allowed.splits[value]
        once = up_card.split_play(value, actions, 1).expect(pay)
        worth = {1: once}
        if most > 1 and once > best - HOPELESS_SPLIT_LOSS:
            play = up_card.split_play(value, actions, most)
            worth |= {times: SplitPlay(play.burned, times).expect(pay) for times in range(2, most + 1)}
        times = max(worth, key=worth.__getitem__)
        if worth[times] > best:
            self.policy.first[insured, up, hand_of(value, value)] = SPLIT
            self.policy.limit[insured, up, value] = times
            return worth[times]
        return best

    def early(self, pair: tuple[int, int], worth: list[float]) -> dict[int, float]:
        """The worth of declining, insuring and taking even money; `worth` is that of the hand without and with insurance."""
        prepared = self.prepared
        plain, insured = prepared.payoffs.special
        blackjack = self.up_card.blackjack(*pair)
        if pair == NATURAL:
            choices = {
                DECLINE: _mixed(plain.blackjack_tied, plain.blackjack, blackjack),
                INSURE: _mixed(insured.blackjack_tied, insured.blackjack, blackjack),
            }
            if prepared.allowed.even_money:
                choices[EVEN_MONEY] = plain.even_money
        else:
            # Where the dealer peeks, a blackjack takes the wager before the hand is played.
            hand = [_mixed(-1.0, value, blackjack) if prepared.peeks else value for value in worth]
            choices = {DECLINE: hand[0], INSURE: hand[1] + _mixed(1.0, -0.5, blackjack)}
        if not prepared.allowed.insurance:
            del choices[INSURE]
        return choices


def _mixed(with_blackjack: float, without: float, chance: float) -> float:
    return with_blackjack * chance + without * (1 - chance)


def against(up_card: UpCard, policy: Policy, paid: Payoffs) -> PlayOutcome:
    """What a policy returns against one up card."""
    outcome = PlayOutcome()
    dealt: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for pair in TWO_CARDS:
        chance = up_card.dealt(*pair)
        if chance == 0.0:
            continue
        hand = hand_of(*pair)
        early = int(policy.early[hand]) if up_card.up == ACE else DECLINE
        insured = int(early == INSURE and up_card.prepared.allowed.insurance)
        if pair == NATURAL:
            _natural(up_card, outcome, early, chance, paid)
            continue
        if up_card.prepared.peeks:
            blackjack = up_card.blackjack(*pair)
            outcome.add(-1.0 + paid.insurance(insured, BLACKJACK), chance * blackjack, 1.0 + paid.insured(insured))
            chance *= 1.0 - blackjack
        if not _ends_at_once(up_card, policy, outcome, pair, insured, chance, paid):
            dealt[insured][hand] = chance
    for insured in (0, 1):
        if dealt[insured]:
            action = policy.first[insured, up_card.up]
            _count(outcome, paid, up_card.played(action, dealt[insured]), insured)
    return outcome


def _natural(up_card: UpCard, outcome: PlayOutcome, early: int, chance: float, paid: Payoffs) -> None:
    allowed = up_card.prepared.allowed
    if early == EVEN_MONEY and allowed.even_money:
        outcome.add(paid.special[0].even_money, chance, 1.0)
        return
    insured = int(early == INSURE and allowed.insurance)
    blackjack = up_card.blackjack(*NATURAL)
    wagered = 1.0 + paid.insured(insured)
    outcome.add(paid.special[insured].blackjack_tied, chance * blackjack, wagered)
    outcome.add(paid.special[insured].blackjack, chance * (1 - blackjack), wagered)


def _ends_at_once(
    up_card: UpCard,
    policy: Policy,
    outcome: PlayOutcome,
    pair: tuple[int, int],
    insured: int,
    chance: float,
    paid: Payoffs,
) -> bool:
    """Adds the result of a hand that is surrendered or split. Returns whether it is; other hands are played on."""
    prepared, up = up_card.prepared, up_card.up
    action = int(policy.first[insured, up, hand_of(*pair)])
    choices = prepared.allowed.first[pair]
    wagered = 1.0 + paid.insured(insured)
    if action == SURRENDER and "surrender" in choices:
        blackjack = 0.0 if prepared.peeks else up_card.blackjack(*pair)
        special = paid.special[insured]
        outcome.add(special.surrendered_to_blackjack, chance * blackjack, wagered)
        outcome.add(special.surrendered, chance * (1 - blackjack), wagered)
        return True
    times = min(int(policy.limit[insured, up, pair[0]]), prepared.allowed.splits[pair[0]])
    if action == SPLIT and "split" in choices and times:
        play = up_card.split_play(pair[0], policy.split[insured, :, up, pair[0]], times)
        spread = play.spread(paid.hands[insured])
        added = play.expect(paid.stakes) - 1.0
        for end, cell in zip(*np.nonzero(spread), strict=True):
            outcome.add(
                (int(cell) - REACH_HALF_UNITS) / 2 + paid.insurance(insured, int(end)),
                chance * float(spread[end, cell]),
                wagered + added,
            )
        return True
    return False


def _count(outcome: PlayOutcome, paid: Payoffs, joint: NDArray[np.float64], insured: int) -> None:
    """Adds the results of the hands that are played on."""
    net, stakes = paid.hands[insured, 0], paid.stakes[0]
    for doubled, row, end in zip(*np.nonzero(joint), strict=True):
        outcome.add(
            float(net[doubled, row, end]) + paid.insurance(insured, int(end)),
            float(joint[doubled, row, end]),
            float(stakes[doubled, row, end]) + paid.insured(insured),
        )


# --- strategies ----------------------------------------------------------------------------------------------------------


def fixed_policy(rules: BlackjackRules, strategy: str) -> Policy:
    """The policy of a strategy that looks at totals only and never adds to the wager."""
    match strategy:
        case "timeout":
            return by_total(*rules.stands_at)
        case "never-bust":
            return by_total(18, 12)
        case "mimic-dealer":
            return by_total(18 if rules.dealer_hits_soft_17 else 17, 17)
    raise Refused("strategy-unknown", strategy=shortened(strategy), strategies=STRATEGIES)


def policy_for(of: Analysis, strategy: str) -> Policy:
    return of.best_policy() if strategy == "best" else fixed_policy(of.rules, strategy)


def figures(of: Analysis, strategy: str) -> Figures:
    """The figures of the blackjack wager, including insurance where the strategy takes it."""
    return _figures(of, of.outcome(policy_for(of, strategy)), HOW[strategy])


def all_figures(of: Analysis, strategy: str) -> tuple[Figures, dict[str, Figures]]:
    """The figures of the player's wager and, where the table takes wagers for the dealer, of those by name."""
    policy = policy_for(of, strategy)
    whose = FOR_THE_DEALER if of.rules.dealer_wagers else {}
    tokes = {
        f"for the {name}": _figures(of, of.outcome(policy, payoffs(of.rules, name)), f"{HOW[strategy]}, {what}")
        for name, what in whose.items()
    }
    return _figures(of, of.outcome(policy), HOW[strategy]), tokes


def _figures(of: Analysis, outcome: PlayOutcome, how: str) -> Figures:
    return Figures(
        house_edge=-outcome.mean,
        hit_frequency=sum(chance for net, chance in outcome.results.items() if net > 0),
        variance=outcome.variance,
        how=f"{how}, off the top of a fresh shoe of {of.rules.decks} decks; each split hand is played by its own cards.",
        total_wagered=outcome.wagered,
        results=outcome.results,
    )


english(
    "refused",
    {
        "strategy-unknown": "There is no strategy {strategy:quoted}: the strategies are {strategies}.",
    },
)
