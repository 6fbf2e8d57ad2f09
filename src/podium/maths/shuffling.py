"""Random numbers for the simulation: xoshiro256++, one stream for every block of rounds."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.compiled import part

HALF: Final = np.uint64(32)
LOW: Final = np.uint64(0xFFFFFFFF)

Stream = NDArray[np.uint64]
Cards = NDArray[np.int64]


def stream(seed: int, block: int) -> Stream:
    """The stream of a block: the same for the same seed, whoever plays the block and when."""
    return np.random.SeedSequence([seed, block]).generate_state(4, np.uint64).astype(np.uint64)


@part
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


@part
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


@part
def three_below(state: Stream, bits: Any, bound: int) -> Any:
    """Three numbers below bound, bound - 1 and bound - 2 from 32 random bits, each triple exactly as likely.

    The low half of each product is as good as new bits for the next (Brackett-Rozinsky and Lemire's batches).
    """
    first, second, third = np.uint64(bound), np.uint64(bound - 1), np.uint64(bound - 2)
    triples = first * second * third
    while True:
        one = bits * first
        two = (one & LOW) * second
        three = (two & LOW) * third
        low = three & LOW
        if low >= triples or low >= np.uint64(0x100000000) % triples:
            return one >> HALF, two >> HALF, three >> HALF
        bits = next_bits(state) >> HALF


@part
def exchange(cards: Any, place: Any, other: Any) -> None:
    held = cards[place]
    cards[place] = cards[other]
    cards[other] = held


@part
def shuffle(state: Stream, cards: Any, count: int, needed: int) -> None:
    """Put the first `needed` cards into random order, taken from the first `count` (Fisher and Yates)."""
    place = 0
    while place < needed and count - place > 6:
        bits = next_bits(state)
        for half in range(2):
            part = bits & LOW if half == 0 else bits >> HALF
            first, second, third = three_below(state, part, count - place)
            exchange(cards, place, place + np.int64(first))
            exchange(cards, place + 1, place + 1 + np.int64(second))
            exchange(cards, place + 2, place + 2 + np.int64(third))
            place += 3
    while place < needed and place < count - 1:
        exchange(cards, place, place + np.int64(below(state, count - place)))
        place += 1


def full_shoe(decks: int) -> Cards:
    """Every card of the shoe, by its index."""
    return np.tile(np.arange(52, dtype=np.int64), decks)
