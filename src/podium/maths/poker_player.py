"""Playing blocks of Three Card Poker, for the sums of each wager or for what every player won in each round."""

import numpy as np
from numpy.typing import NDArray

from podium.maths.jobs import BlockPlayer, Job, Sums, alike
from podium.maths.patrons import Block, Patrons
from podium.maths.poker_rounds import Poker, ante_block, ante_nets, poker, poker_block, poker_plan
from podium.maths.shuffling import full_shoe, stream
from podium.maths.table_rounds import poker_results
from podium.rules.three_card import PROPOSED_SPOTS, ThreeCardRules


def poker_player(job: Job, rules: ThreeCardRules) -> BlockPlayer:
    """Plays blocks for the sums of each wager."""
    tables = poker(rules, rules.check(), job.wagers, [poker_plan(job.strategy)], PROPOSED_SPOTS)
    many = np.array([job.players], dtype=np.int64)
    if len(job.wagers) == 1:
        return _ante_player(job, tables)

    def play(blocks: range) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        for block in blocks:
            poker_block(stream(job.seed, block), tables, many, full_shoe(1), job.rounds_of(block), sums)
        return sums

    return BlockPlayer(play)


def _ante_player(job: Job, tables: Poker) -> BlockPlayer:
    """Plays the ante alone: results are counted instead of added up, which is faster."""
    nets = ante_nets(tables)

    def play(blocks: range) -> Sums:
        counts = np.zeros(nets.shape, dtype=np.int64)
        for block in blocks:
            ante_block(stream(job.seed, block), tables, full_shoe(1), job.rounds_of(block), counts)
        return alike(job, float((counts * nets).sum()), float((counts * nets**2).sum()))

    return BlockPlayer(play)


def poker_blocks(patrons: Patrons, rules: ThreeCardRules) -> Block:
    """Plays blocks of a table and keeps the result of every round."""
    job, plans = patrons.job, [poker_plan(party.strategy) for party in patrons.parties]
    tables, multiples = poker(rules, rules.check(), patrons.common, plans, PROPOSED_SPOTS), patrons.multiples
    spots = np.array([party.spots for party in patrons.parties], dtype=np.int64) - 1

    def block(number: int) -> NDArray[np.int64]:
        won = np.zeros((job.rounds_of(number), len(spots)), dtype=np.int64)
        poker_results(stream(job.seed, number), tables, spots, multiples, full_shoe(1), won)
        return won

    return block
