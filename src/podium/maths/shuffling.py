"""Random numbers for the simulation: xoshiro256++, one stream for every block of rounds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from podium.maths.compiled import compiled

Stream = NDArray[np.uint64]
Cards = NDArray[np.int64]


def stream(seed: int, block: int) -> Stream:
    """The stream of a block: the same for the same seed, whoever plays the block and when."""
    return np.random.SeedSequence([seed, block]).generate_state(4, np.uint64).astype(np.uint64)


@compiled
def next_bits(state: Stream) -> np.uint64:
    """64 random bits (Blackman and Vigna's xoshiro256++)."""
    total = state[0] + state[3]
    bits = ((total << np.uint64(23)) | (total >> np.uint64(41))) + state[0]
    shifted = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = (state[3] << np.uint64(45)) | (state[3] >> np.uint64(19))
    return bits


@compiled
def below(state: Stream, bound: int) -> Any:
    """A whole number from 0 to bound - 1, each exactly as likely (Lemire's multiplication with rejection)."""
    limit = np.uint64(bound)
    product = (next_bits(state) >> np.uint64(32)) * limit
    low = product & np.uint64(0xFFFFFFFF)
    if low < limit:
        least = np.uint64(0x100000000) % limit
        while low < least:
            product = (next_bits(state) >> np.uint64(32)) * limit
            low = product & np.uint64(0xFFFFFFFF)
    return product >> np.uint64(32)


@compiled
def shuffle(state: Stream, cards: Cards, needed: int) -> None:
    """Put the first `needed` cards into random order, taken from all of them (Fisher and Yates)."""
    count = len(cards)
    for place in range(min(needed, count - 1)):
        other = place + np.int64(below(state, count - place))
        cards[place], cards[other] = cards[other], cards[place]


def full_shoe(decks: int) -> Cards:
    """Every card of the shoe, by its index."""
    return np.tile(np.arange(52, dtype=np.int64), decks)
