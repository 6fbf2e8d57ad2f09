"""Playing blocks of blackjack, for the sums of each wager or for what every player won in each round."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.maths.automaton import ROW_WIDTH, automaton
from podium.maths.blackjack_rounds import SPARE_CARDS, community_block, own_hands_block, side_bets
from podium.maths.boxes import VALUE_OF, PlayTables, Terms, play_tables, terms
from podium.maths.jobs import RESERVE_CARDS_PER_HAND, BlockPlayer, Job, Sums, alike
from podium.maths.lanes import LANES, Marks, four_blocks
from podium.maths.patrons import Block, Patrons
from podium.maths.positions import Policy
from podium.maths.shuffling import Cards, full_shoe, stream
from podium.maths.table_rounds import community_results, own_hands_results
from podium.rules.blackjack.rules import BlackjackRules


class JobShoe(NamedTuple):
    """How a job deals from its shoe."""

    decks: int
    cut: int
    """The place of the cut card."""
    needed: int
    """How many cards are shuffled: those in front of the cut card, and enough behind it to finish a round."""

    @classmethod
    def of(cls, job: Job, decks: int, *, seats: int) -> "JobShoe":
        size = 52 * decks
        cut = max(1, int(size * job.penetration))  # at least one round is dealt from every shoe
        return cls(decks, cut, min(size, cut + RESERVE_CARDS_PER_HAND * (seats + 1)))

    def cards(self) -> Cards:
        return np.concatenate([full_shoe(self.decks), np.zeros(SPARE_CARDS, dtype=np.int64)])


# --- the sums of each wager -----------------------------------------------------------------------------------------


def blackjack_player(job: Job, rules: BlackjackRules, policy: Policy, *, own_hands: bool) -> BlockPlayer:
    """Plays blocks for the sums of each wager; every seat follows the policy."""
    main, *others = job.wagers
    sides = side_bets(rules.check(), {wager: job.wagers[wager] for wager in others})
    conditions, tables = terms(rules, job.wagers[main]), play_tables(rules, [policy])
    shoe = JobShoe.of(job, rules.decks, seats=job.players if own_hands else 1)
    if not own_hands and not others:
        return _fast_player(job, shoe, conditions, tables)

    def play(blocks: range) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        for block in blocks:
            state, rounds = stream(job.seed, block), job.rounds_of(block)
            if own_hands:
                which = np.zeros(job.players, dtype=np.int64)
                own_hands_block(
                    state, conditions, tables, sides, which, shoe.cards(), shoe.cut, shoe.needed, rounds, sums
                )
            else:
                many = np.array([job.players], dtype=np.int64)
                community_block(
                    state, conditions, tables, sides, many, shoe.cards(), shoe.cut, shoe.needed, rounds, sums
                )
        return sums

    return BlockPlayer(play)


def _fast_player(job: Job, shoe: JobShoe, conditions: Terms, tables: PlayTables) -> BlockPlayer:
    """Plays the main wager of community blackjack alone, through the automaton: every player has the same result."""
    states = automaton(conditions, tables)
    marks = Marks(states.ended, states.splits, states.split_boxes)
    values = np.concatenate([VALUE_OF[full_shoe(shoe.decks)], np.zeros(SPARE_CARDS, dtype=np.int64)]).astype(np.uint8)

    def play(blocks: range) -> Sums:
        lanes = [*blocks, *range(job.blocks, job.blocks + LANES - len(blocks))]
        streams = np.array([stream(job.seed, block) for block in lanes])
        rounds = np.array([job.rounds_of(block) for block in lanes])
        counts, split = np.zeros(len(states.table) // ROW_WIDTH, dtype=np.uint64), np.zeros(2)
        shoes = np.tile(values, (LANES, 1))
        four_blocks(
            streams, conditions, tables, states.table, marks, shoes, shoe.cut, shoe.needed, rounds, counts, split
        )
        ends = counts[states.ended : states.splits].astype(np.float64)
        net, squares = float(ends @ states.nets) + split[0], float(ends @ states.nets**2) + split[1]
        return alike(job, net, squares)

    return BlockPlayer(play, at_once=LANES)


# --- every round of a whole table -----------------------------------------------------------------------------------


def blackjack_blocks(
    patrons: Patrons, rules: BlackjackRules, policies: Mapping[str, Policy], *, own_hands: bool
) -> Block:
    """Plays blocks of a table whose parties follow these policies, by the names of their strategies."""
    job, names = patrons.job, list(policies)
    (_, part), *others = patrons.common.items()
    sides, conditions = side_bets(rules.check(), dict(others)), terms(rules, part)
    many = [party.players if own_hands else 1 for party in patrons.parties]
    multiples = np.repeat(patrons.multiples, many, axis=0)
    seats = (
        [names.index(party.strategy) for party in patrons.parties for _ in range(party.players)] if own_hands else [0]
    )
    by_party = names if own_hands else [party.strategy for party in patrons.parties]
    tables = play_tables(rules, [policies[name] for name in by_party])
    shoe = JobShoe.of(job, rules.decks, seats=len(seats))

    def block(number: int) -> NDArray[np.int64]:
        state, rounds = stream(job.seed, number), job.rounds_of(number)
        won = np.zeros((rounds, len(seats) if own_hands else len(patrons.parties)), dtype=np.int64)
        if own_hands:
            which = np.array(seats, dtype=np.int64)
            own_hands_results(
                state, conditions, tables, sides, which, multiples, shoe.cards(), shoe.cut, shoe.needed, won
            )
        else:
            community_results(state, conditions, tables, sides, multiples, shoe.cards(), shoe.cut, shoe.needed, won)
        return won

    return block
