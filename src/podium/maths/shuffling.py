"""Random numbers for the simulation: xoshiro256++, one stream for every block of rounds."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.compiled import part, unsigned

HALF: Final = np.uint64(32)
LOW: Final = np.uint64(0xFFFFFFFF)

Stream = NDArray[np.uint64]
Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""The state of a stream, held in registers."""
Cards = NDArray[np.int64]


def stream(seed: int, block: int) -> Stream:
    """The random stream of a block; it depends on the seed and the block only."""
    return np.random.SeedSequence([seed, block]).generate_state(4, np.uint64).astype(np.uint64)


@part
def next_bits(words: Words) -> Any:
    """64 random bits and the next state of the stream (Blackman and Vigna's xoshiro256++)."""
    zero, one, two, three = words
    total = zero + three
    bits = ((total << np.uint64(23)) | (total >> np.uint64(41))) + zero
    shifted = one << np.uint64(17)
    two ^= zero
    three ^= one
    one ^= two
    zero ^= three
    two ^= shifted
    three = (three << np.uint64(45)) | (three >> np.uint64(19))
    return bits, (zero, one, two, three)


@part
def below(words: Words, bound: int) -> Any:
    """A uniformly distributed integer from 0 to bound - 1 (Lemire's multiplication with rejection)."""
    limit = np.uint64(bound)
    bits, words = next_bits(words)
    product = (bits >> HALF) * limit
    if product & LOW < limit:
        least = np.uint64(0x100000000) % limit
        while product & LOW < least:
            bits, words = next_bits(words)
            product = (bits >> HALF) * limit
    return product >> HALF, words


@part
def three_below(words: Words, bits: Any, bound: int) -> Any:
    """Three integers below bound, bound - 1 and bound - 2 from 32 random bits; all triples are equally likely.

    The low half of each product serves as the random bits of the next (Brackett-Rozinsky and Lemire's batches).
    """
    first, second, third = np.uint64(bound), np.uint64(bound - 1), np.uint64(bound - 2)
    triples = first * second * third
    while True:
        one = bits * first
        two = (one & LOW) * second
        three = (two & LOW) * third
        low = three & LOW
        if low >= triples or low >= np.uint64(0x100000000) % triples:
            return one >> HALF, two >> HALF, three >> HALF, words
        more, words = next_bits(words)
        bits = more >> HALF


@part
def exchange(cards: Any, place: Any, other: Any) -> None:
    held = cards[place]
    cards[place] = cards[other]
    cards[other] = held


@part
def shuffle(state: Stream, cards: Any, count: int, needed: int, ready: int = 0) -> None:
    """Fills the first `needed` places with random cards of the first `count` (Fisher and Yates); the first `ready` are already done.

    The stream is copied out of its array, because the compiler must assume that writing a card could change that array.
    """
    words = (state[0], state[1], state[2], state[3])
    place = ready
    while place < needed and count - place > 6:
        bits, words = next_bits(words)
        for half in range(2):
            some = bits & LOW if half == 0 else bits >> HALF
            first, second, third, words = three_below(words, some, count - place)
            exchange(cards, unsigned(place), unsigned(place) + first)
            exchange(cards, unsigned(place + 1), unsigned(place + 1) + second)
            exchange(cards, unsigned(place + 2), unsigned(place + 2) + third)
            place += 3
    while place < needed and place < count - 1:
        other, words = below(words, count - place)
        exchange(cards, unsigned(place), unsigned(place) + other)
        place += 1
    state[0], state[1], state[2], state[3] = words


def full_shoe(decks: int) -> Cards:
    """The indices of all cards of a shoe."""
    return np.tile(np.arange(52, dtype=np.int64), decks)
