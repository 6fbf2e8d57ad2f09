"""Ranks against naive definitions, and against PokerKit over every hand that there is."""

import random
from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb

from pokerkit import Card as KitCard
from pokerkit.hands import StandardHighHand
from pokerkit.lookups import Label, RhodeIslandHoldemLookup

from podium.basics.cards import DECK, RANKS, cards
from podium.basics.hands import best_five_of_six, three_card_hand

# --- three cards ------------------------------------------------------------------------------------------------------

LABELS = {
    Label.HIGH_CARD: "high card",
    Label.ONE_PAIR: "pair",
    Label.FLUSH: "flush",
    Label.STRAIGHT: "straight",
    Label.THREE_OF_A_KIND: "three of a kind",
    Label.STRAIGHT_FLUSH: "straight flush",
}


def test_all_22100_three_card_hands_rank_as_in_pokerkit() -> None:
    """Rhode Island hold'em ranks three cards as Three Card Poker does: a straight above a flush. Both evaluators must
    name every hand alike and sort them into the same classes in the same order."""
    lookup = RhodeIslandHoldemLookup()
    kit = {one: next(KitCard.parse(one.code)) for one in DECK}
    classes: dict[tuple[int, tuple[int, ...]], int] = {}
    for hand in combinations(DECK, 3):
        ours = three_card_hand(hand)
        theirs = lookup.get_entry(tuple(kit[one] for one in hand))
        assert LABELS[theirs.label] == ours.category
        assert classes.setdefault(ours, theirs.index) == theirs.index
    by_ours = [classes[ours] for ours in sorted(classes)]
    assert by_ours == sorted(set(by_ours))


def test_three_card_hands_are_as_many_as_the_document_says() -> None:
    """Its hit frequencies: 25.61 % of Pair Plus, and 3.71 % of the ante bonus, which is that of straight or better."""
    count = Counter(three_card_hand(hand).category for hand in combinations(DECK, 3))
    assert dict(count) == {
        "high card": 16_440,
        "pair": 3_744,
        "flush": 1_096,
        "straight": 720,
        "three of a kind": 52,
        "straight flush": 48,
    }
    assert f"{1 - count['high card'] / 22_100:.2%}" == "25.61%"
    # With a single deck 820 of 22,100 hands are a straight or better.
    assert f"{(720 + 52 + 48) / 22_100:.2%}" == "3.71%"


def test_the_order_of_a_hand_does_not_matter() -> None:
    assert (
        three_card_hand(cards("3h As 2d")) == three_card_hand(cards("As 2d 3h")) == three_card_hand(cards("2d 3h As"))
    )


# --- the best five of six ---------------------------------------------------------------------------------------------

BY_CODE = {one.code: one for one in DECK}

PRINTED = {
    "royal flush": 188,
    "straight flush": 1_656,
    "four of a kind": 14_664,
    "full house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three of a kind": 732_160,
    "other": 18_876_456,
}


@cache
def suits_of(shape: tuple[int, ...]) -> list[tuple[tuple[str, ...], int]]:
    """The ways to give suits to ranks that occur so many times each, one for all that differ only in the names of the
    suits, with the number of ways that it stands for."""
    ways: Counter[tuple[str, ...]] = Counter()
    for suits in product(*(combinations("cdhs", times) for times in shape)):
        ways[min(_renamed(suits, names) for names in permutations("cdhs"))] += 1
    return list(ways.items())


def _renamed(suits: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> tuple[str, ...]:
    new = dict(zip("cdhs", names, strict=True))
    return tuple("".join(sorted(new[suit] for suit in group)) for group in suits)


def test_six_card_hands_are_as_many_as_the_document_prints() -> None:
    """All C(52,6) hands: renaming the suits changes nothing, so one hand is looked at for all that differ only in that."""
    count: Counter[str] = Counter()
    for ranks in combinations_with_replacement(RANKS, 6):
        repeated = dict(Counter(ranks).most_common())  # so that few shapes stand for all
        if max(repeated.values()) > 4:
            continue
        for suits, times in suits_of(tuple(repeated.values())):
            hand = [BY_CODE[rank + suit] for rank, group in zip(repeated, suits, strict=True) for suit in group]
            count[best_five_of_six(hand)] += times
    assert sum(count.values()) == comb(52, 6)
    assert dict(count) == PRINTED


def test_a_sample_of_six_card_hands_ranks_as_in_pokerkit() -> None:
    names = {
        Label.STRAIGHT_FLUSH: "straight flush",
        Label.FOUR_OF_A_KIND: "four of a kind",
        Label.FULL_HOUSE: "full house",
        Label.FLUSH: "flush",
        Label.STRAIGHT: "straight",
        Label.THREE_OF_A_KIND: "three of a kind",
        Label.TWO_PAIR: "other",
        Label.ONE_PAIR: "other",
        Label.HIGH_CARD: "other",
    }
    sample = random.Random(6)
    for _ in range(4_000):
        # Few ranks and suits make the rare hands frequent.
        deck = sample.choice((DECK, DECK[-24:], [one for one in DECK if one.suit in "sh"]))
        hand = sample.sample(deck, 6)
        theirs = StandardHighHand.from_game("".join(one.code for one in hand))
        name = names[theirs.entry.label]
        if name == "straight flush" and {one.rank.value for one in theirs.cards} == set("TJQKA"):
            name = "royal flush"
        assert best_five_of_six(hand) == name
