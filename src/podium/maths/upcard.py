"""One up card of the exact analysis: the worth of every decision against it, and the result of a policy."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from podium.maths.dealer import ENDS, DealerTable, dealer_table
from podium.maths.payoffs import Allowed, Payoffs, allowed, payoffs
from podium.maths.play import fill_ends, follow, next_card, tally, value_play
from podium.maths.positions import BUST_ROW, DOUBLE, ROWS, all_hands, hand_of
from podium.maths.shoe import ACE, TEN, VALUES, Counts
from podium.maths.splits import Branch, Burned, SplitPlay, branches_needed
from podium.rules.blackjack.rules import BlackjackRules

Floats = NDArray[np.float64]


class PreparedRules:
    """The rules as arrays for the kernels, the same for every up card."""

    def __init__(self, rules: BlackjackRules, *, peeks: bool) -> None:
        self.peeks = peeks
        self.dealer: DealerTable = dealer_table(
            hits_soft_17=rules.dealer_hits_soft_17, bust_pushes_from=rules.bust_pushes_from
        )
        self.allowed: Allowed = allowed(rules)
        self.payoffs: Payoffs = payoffs(rules)
        hands = all_hands()
        self.may_double = np.zeros(len(hands.cards), dtype=np.bool_)
        for (first, second), choices in self.allowed.first.items():
            self.may_double[hand_of(first, second)] = "double" in choices
        self.may_double_split = np.zeros((VALUES, len(hands.cards)), dtype=np.bool_)
        for value, second in self.allowed.doubles_after_split:
            self.may_double_split[value, hand_of(value, second)] = True


class UpCard:
    """The analysis of one up card: the shoe without it."""

    def __init__(self, prepared: PreparedRules, shoe: Counts, up: int) -> None:
        self.prepared = prepared
        self.up = up
        self.shoe = shoe.copy()
        self.shoe[up] -= 1
        self.hands = all_hands()
        count = len(self.hands.cards)
        self.ends = np.zeros((count, ENDS))
        self.known = np.zeros(count, dtype=np.bool_)
        self._split_ends: dict[tuple[int, int], tuple[Floats, NDArray[np.bool_]]] = {}
        self._branches: dict[tuple[int, int, bytes], Branch] = {}

    # --- chances ----------------------------------------------------------------------------------------------------

    def dealt(self, first: int, second: int) -> float:
        """The probability of these two first cards."""
        cards = int(self.shoe.sum())
        held = int(self.shoe[first]), int(self.shoe[second])
        if first == second:
            return held[0] * (held[0] - 1) / (cards * (cards - 1))
        return 2 * held[0] * held[1] / (cards * (cards - 1))

    def blackjack(self, first: int, second: int) -> float:
        """The probability of a dealer blackjack if the player holds these two cards."""
        if self.up not in (ACE, TEN):
            return 0.0
        wanted = TEN if self.up == ACE else ACE
        left = int(self.shoe[wanted]) - (first == wanted) - (second == wanted)
        return left / (int(self.shoe.sum()) - 2)

    # --- the hand that was dealt ---------------------------------------------------------------------------------------

    def fill(self, wanted: NDArray[np.bool_]) -> None:
        prepared = self.prepared
        fill_ends(prepared.dealer, self.hands, self.up, self.shoe, prepared.peeks, wanted, self.ends, self.known)

    def values(
        self, insured: int, action: NDArray[np.int8], *, choose: bool, which: int = 0, pair: int | None = None
    ) -> Floats:
        """The worth of standing, hitting, doubling and of what is done, by hand.

        For a hand of a split, `pair` is the value that was split, and `which` is 1 if it is not the first hand.
        """
        prepared = self.prepared
        may_double = prepared.may_double if pair is None else prepared.may_double_split[pair]
        self.fill(self.hands.cards >= 2)
        values = np.full((len(action), 4), -np.inf)
        value_play(
            self.hands, self.up, self.shoe, prepared.peeks, self.ends, self.known,
            prepared.payoffs.hands[insured, which], may_double, action, values, choose,
        )  # fmt: skip
        return values

    def played(self, action: NDArray[np.int8], dealt: Mapping[int, float]) -> Floats:
        """The probabilities of ends, by doubled, row and the dealer's end, of hands with these probabilities under these actions."""
        prepared = self.prepared
        return self._end(self.shoe, action, prepared.may_double, dealt, self.ends, self.known)

    def _end(
        self,
        shoe: Counts,
        action: NDArray[np.int8],
        may_double: NDArray[np.bool_],
        dealt: Mapping[int, float],
        ends: Floats,
        known: NDArray[np.bool_],
    ) -> Floats:
        prepared, hands = self.prepared, self.hands
        reached = np.zeros(len(action))
        for hand, chance in dealt.items():
            reached[hand] = chance
        final = np.zeros((2, len(action)))
        follow(hands, self.up, shoe, prepared.peeks, may_double, action, reached, final)
        wanted = np.asarray(final.any(axis=0))
        wanted[list(dealt)] = True
        fill_ends(prepared.dealer, hands, self.up, shoe, prepared.peeks, wanted, ends, known)
        joint = np.zeros((2, ROWS, ENDS))
        tally(hands, ends, final, joint)
        begun = np.zeros((2, ENDS))
        for hand, chance in dealt.items():
            doubled = action[hand] == DOUBLE and may_double[hand] and hands.points[hand] != 21
            begun[int(doubled)] += chance * ends[hand]
        joint[:, BUST_ROW] = np.maximum(begun - joint.sum(axis=1), 0.0)
        return joint

    # --- split hands ----------------------------------------------------------------------------------------------------

    def _beside(self, value: int, out: int) -> tuple[Counts, Floats, NDArray[np.bool_]]:
        """The shoe for a split hand if `out` cards of the pair's value are out, including its own."""
        shoe = self.shoe.copy()
        shoe[value] -= out - 1
        count = len(self.hands.cards)
        if (value, out) not in self._split_ends:
            ends, known = np.zeros((count, ENDS)), np.zeros(count, dtype=np.bool_)
            # A hand leaves the same shoe here as the hand with one more card of the pair's value does with one fewer out.
            fuller_ends, fuller_known = self._split_ends.get((value, out - 1), (self.ends, self.known))
            after = self.hands.after[:, value]
            fuller = after >= 0
            ends[fuller], known[fuller] = fuller_ends[after[fuller]], fuller_known[after[fuller]]
            self._split_ends[value, out] = ends, known
        return shoe, *self._split_ends[value, out]

    def best_split_play(self, insured: int, which: int, value: int) -> NDArray[np.int8]:
        """The best action on each split hand, beside one other card of its pair. A split ace stands."""
        action = np.zeros(len(self.hands.cards), dtype=np.int8)
        prepared = self.prepared
        if value == ACE:
            return action
        shoe, ends, known = self._beside(value, 2)
        holds = self.hands.counts[:, value] > 0
        fill_ends(prepared.dealer, self.hands, self.up, shoe, prepared.peeks, holds, ends, known)
        values = np.full((len(action), 4), -np.inf)
        value_play(
            self.hands, self.up, shoe, prepared.peeks, ends, known,
            prepared.payoffs.hands[insured, which], prepared.may_double_split[value], action, values, True,
        )  # fmt: skip
        return action

    def split_play(self, value: int, actions: NDArray[np.int8], splits: int) -> SplitPlay:
        """The hands of a split pair; `actions` has the actions on the first hand and on later hands."""
        held = int(self.shoe[value])
        outs = [out for out in range(2, 2 + branches_needed(splits)) if out <= held]
        played = actions.tobytes()
        for out in outs:
            if (value, out, played) not in self._branches:
                self._branches[value, out, played] = self._branch(value, out, actions)
        branches = [self._branches[value, out, played] for out in outs]
        branches += branches[-1:] * (branches_needed(splits) - len(branches))
        return SplitPlay(Burned(branches), splits)

    def _branch(self, value: int, out: int, actions: NDArray[np.int8]) -> Branch:
        prepared = self.prepared
        shoe, ends, known = self._beside(value, out)
        single = hand_of(value)
        left = shoe.copy()
        left[value] -= 1
        chances = np.empty(VALUES)
        next_card(left, self.up, prepared.peeks, chances)
        wanted = np.zeros(len(known), dtype=np.bool_)
        wanted[single] = True
        fill_ends(prepared.dealer, self.hands, self.up, shoe, prepared.peeks, wanted, ends, known)
        others = {hand_of(value, second): float(chances[second]) for second in range(VALUES) if second != value}
        others = {hand: chance for hand, chance in others.items() if chance > 0.0}
        again = {hand_of(value, value): float(chances[value])} if chances[value] > 0.0 else {}
        may = prepared.may_double_split[value]
        same_for_all = np.array_equal(actions[0], actions[1])
        other = [self._end(shoe, action, may, others, ends, known) for action in actions[: 1 if same_for_all else 2]]
        same = [self._end(shoe, action, may, again, ends, known) for action in actions[: 1 if same_for_all else 2]]
        return Branch(float(chances[value]), ends[single].copy(), np.array((other * 2)[:2]), np.array((same * 2)[:2]))
