"""The exact analysis of Ante and Play in Three Card Poker: the best play of a player who sees three cards, or all nine.

The second is the game as it is dealt here: TCP 7 asks for Play or Fold when the whole array is on the layout. Which three locations are
the player's own makes no difference: they are chosen before the deal and every order of the deck is equally likely, so any three
locations hold any three cards, and the other six any six of the rest, equally often.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations
from math import comb
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import DECK, Card, cards, codes
from podium.basics.hands import three_card_hand
from podium.maths import nine_seen
from podium.maths.figures import Figures, gathered, moments
from podium.maths.kept import kept
from podium.maths.nine_seen import FURTHER_CARDS
from podium.rules.bets import ANTE, ANTE_BONUS, PLAY, Paytable
from podium.rules.bets.ante import showdown

HANDS: Final = comb(52, 3)
SETS: Final = comb(49, FURTHER_CARDS)
"""Sets of six further cards in sight, for each hand."""
PACKETS: Final = comb(43, 3)
"""The dealer's packets, for each nine cards in sight."""
UNSEEN_PACKETS: Final = comb(49, 3)
"""The dealer's packets, for each hand alone."""
SETS_BESIDE: Final = comb(46, FURTHER_CARDS)
"""Sets of six further cards, for each hand and packet."""

KINDS: Final = (None, "tie", "win", "dealer does not qualify")
"""The kinds of showdown, by the name of their outcome; None if the dealer's hand is better."""

FOLDED: Final = -1
"""The net result of a folded hand, per unit of the ante."""

FORM: Final = b"1"
"""The version of the kept results; change it when their meaning changes."""

Play = Literal["nine seen", "own cards", "timeout"]

PLAYED_BY: Final[dict[str, Play]] = {"best": "nine seen", "timeout": "timeout"}
"""The play of each strategy whose exact figures are known."""


def net(kind: str | None) -> int:
    """The net result of ante and play together if the hand is played (TCP 9)."""
    if kind is None:
        return -2
    return sum(bet.paytables["A"][kind].on(1) for bet in (ANTE, PLAY) if kind in bet.paytables["A"])


WORTHS: Final = tuple(net(kind) + 2 for kind in KINDS)
"""What ante and play return. Folding saves the play wager, so playing must be worth at least 1."""


class Showdowns(NamedTuple):
    """The ranking of hands and the showdown between any two of them, as arrays."""

    packets: NDArray[np.int64]
    """Every three cards, as ascending indices in the deck."""
    bits: NDArray[np.int64]
    """The same as bit sets, a bit for each card."""
    places: NDArray[np.int16]
    """Their ranks among all hands."""
    kinds: NDArray[np.int8]
    """The kind of showdown between a hand (row) and the dealer's (column), by their ranks."""

    def by_cards(self) -> NDArray[np.int16]:
        """The rank of three cards, by their indices in ascending order."""
        places = np.zeros((52, 52, 52), np.int16)
        places[tuple(self.packets.T)] = self.places
        return places

    def left(self, gone: Iterable[int]) -> NDArray[np.bool_]:
        """Which packets contain none of these cards."""
        free: NDArray[np.bool_] = (self.bits & sum(1 << index for index in gone)) == 0
        return free

    def against(self, own: Sequence[Card]) -> NDArray[np.int8]:
        """The kind of showdown of a hand against every packet, including those that share a card with it."""
        held = sum(1 << card.index for card in own)
        kinds: NDArray[np.int8] = self.kinds[self.places[np.flatnonzero(self.bits == held)[0]]][self.places]
        return kinds


@cache
def showdowns() -> Showdowns:
    """The tables, from the functions by which the table settles."""
    packets = list(combinations(range(52), 3))
    hands = [three_card_hand([DECK[index] for index in packet]) for packet in packets]
    order = sorted(set(hands))
    place = {hand: number for number, hand in enumerate(order)}
    return Showdowns(
        np.array(packets, np.int64),
        np.array([sum(1 << index for index in packet) for packet in packets], np.int64),
        np.array([place[hand] for hand in hands], np.int16),
        np.array([[KINDS.index(showdown(hand, dealers)) for dealers in order] for hand in order], np.int8),
    )


def kept_key() -> bytes:
    """Everything that the best play depends on, as the key of the kept result."""
    table = showdowns()
    return FORM + table.places.tobytes() + table.kinds.tobytes() + bytes(WORTHS)


# --- one hand -------------------------------------------------------------------------------------------------------


class HandPlay(msgspec.Struct, frozen=True):
    """The best play of one hand, which represents all that differ from it by an exchange of suits."""

    cards: str
    hands: int
    """How many hands it represents."""
    packets: tuple[int, int, int, int]
    """The dealer's packets by the kind of showdown, if no further card is known."""
    sets: int
    """The sets of six further cards with which the best player plays it."""
    showdowns: tuple[int, int, int, int]
    """Over those sets, the dealer's packets by the kind of showdown."""
    idle: int = 0
    """The number of idle cards (`nine_seen`); 0 if the hand is always played."""
    sets_by_live: tuple[int, ...] = ()
    """The number of sets with which it is played, by how many of their cards are not idle."""

    @property
    def plays_on_own_cards(self) -> bool:
        return worth(self.packets) >= UNSEEN_PACKETS

    @property
    def often(self) -> Fraction:
        """How often the best player plays it."""
        return Fraction(self.sets, SETS)

    def often_with(self, idle: int) -> Fraction:
        """How often it is played if this many of the six cards are idle."""
        live = FURTHER_CARDS - idle
        return Fraction(self.sets_by_live[live], comb(49 - self.idle, live))

    @property
    def ranks(self) -> str:
        """Its ranks, highest first; `suited` for a flush."""
        three = sorted(cards(self.cards), key=lambda card: -card.order)
        suited = " suited" if len({card.suit for card in three}) == 1 else ""
        return "-".join(card.rank for card in three) + suited


def worth(packets: Iterable[int]) -> int:
    """The worth of playing against these packets, given by kind."""
    return sum(count * value for count, value in zip(packets, WORTHS, strict=True))


def against(own: Sequence[Card], seen: Sequence[Card] = ()) -> tuple[int, int, int, int]:
    """The dealer's packets by the kind of showdown, if these further cards are seen."""
    table = showdowns()
    left = table.left(card.index for card in (*own, *seen))
    lose, tie, win, unqualified = np.bincount(table.against(own)[left], minlength=len(KINDS)).tolist()
    return lose, tie, win, unqualified


def plays(own: Sequence[Card], seen: Sequence[Card]) -> bool:
    """Whether the best player plays these three cards with those six in sight; if both are worth the same, the player plays."""
    return worth(against(own, seen)) >= PACKETS


def hand_classes() -> dict[tuple[int, ...], int]:
    """Representatives of all hands up to an exchange of suits, and the number of hands that each represents."""
    exchanges = [
        [4 * rank + suits[suit] for rank in range(13) for suit in range(4)] for suits in permutations(range(4))
    ]
    found: Counter[tuple[int, ...]] = Counter()
    for a, b, c in combinations(range(52), 3):
        found[min(tuple(sorted((to[a], to[b], to[c]))) for to in exchanges)] += 1
    return found


def always_played(own: Sequence[Card]) -> bool:
    """Whether no six cards in sight can make folding better.

    This is a bound, not a search: each card in sight removes at most the packets with that card, so six cards remove at most the
    sum of the six largest removals.
    """
    table = showdowns()
    left = table.left(card.index for card in own)
    worths = np.array(WORTHS)[table.against(own)[left]]
    by_card = np.bincount(table.packets[left].ravel(), weights=np.repeat(worths, 3))
    return bool(worths.sum() - np.sort(by_card)[-FURTHER_CARDS:].sum() >= PACKETS)


def solve(hand: tuple[int, ...], hands: int) -> HandPlay:
    """The best play of a hand."""
    own = [DECK[index] for index in hand]
    unplayed = HandPlay(codes(own), hands, against(own), 0, (0, 0, 0, 0))
    return _always(unplayed) if always_played(own) else _searched(unplayed)


def _always(hand: HandPlay) -> HandPlay:
    lose, tie, win, unqualified = (count * SETS_BESIDE for count in hand.packets)
    return msgspec.structs.replace(hand, sets=SETS, showdowns=(lose, tie, win, unqualified), idle=0, sets_by_live=())


def _never(hand: HandPlay) -> HandPlay:
    return msgspec.structs.replace(hand, sets=0, showdowns=(0, 0, 0, 0), idle=0, sets_by_live=())


def packs() -> NDArray[np.int64]:
    """The packed count of a packet, by the kind of showdown."""
    counted = [
        nine_seen.packed(value, qualified=kind != "dealer does not qualify", won=kind == "win")
        for kind, value in zip(KINDS, WORTHS, strict=True)
    ]
    return np.array(counted, np.int64)


def _searched(hand: HandPlay) -> HandPlay:
    """The best play of a hand, found by trying all sets of six further cards."""
    table = showdowns()
    own = np.array(sorted(card.index for card in cards(hand.cards)), np.int64)
    tallies, idle = nine_seen.tally_hand(own, table.by_cards(), table.kinds, packs(), PACKETS)
    times = [comb(idle, FURTHER_CARDS - live) for live in range(FURTHER_CARDS + 1)]
    sets, unqualified, win, value = (
        sum(int(tally) * times[live] for live, tally in enumerate(column)) for column in tallies.T
    )
    tie = (value - WORTHS[2] * win - WORTHS[3] * unqualified) // WORTHS[1]
    lose = sets * PACKETS - tie - win - unqualified
    by_live = tuple(int(played) for played in tallies[:, 0])
    shown = lose, tie, win, unqualified
    return msgspec.structs.replace(hand, sets=sets, showdowns=shown, idle=idle, sets_by_live=by_live)


# --- all hands ------------------------------------------------------------------------------------------------------


@cache
def best_play() -> tuple[HandPlay, ...]:
    """The best play of every hand, computed once on all cores and kept under the rules of the showdown."""
    return kept("three-card-poker", kept_key(), tuple[HandPlay, ...], _solve_all)


def _solve_all() -> tuple[HandPlay, ...]:
    classes = hand_classes()
    with ThreadPoolExecutor(os.cpu_count()) as cores:  # the kernel releases Python's lock
        return tuple(cores.map(solve, classes, classes.values()))


def played_hands(play: Play) -> tuple[HandPlay, ...]:
    """The hands that are played and their showdowns, by class."""
    if play == "timeout":
        return ()
    return best_play() if play == "nine seen" else classical_play()


def classical_play() -> tuple[HandPlay, ...]:
    """The best play of a player who sees three cards only: each hand is always played or never."""
    return tuple(_always(hand) if hand.plays_on_own_cards else _never(hand) for hand in best_play())


# --- figures --------------------------------------------------------------------------------------------------------

HOW: Final = {
    "nine seen": "Exact best play with all nine cards in sight: every hand, every six further cards and every packet of the dealer.",
    "own cards": "Exact best play of a player who looks at the own three cards only: every hand and every packet of the dealer.",
    "timeout": "Every decision times out and is a fold (TCP 7.a).",
}


def figures(ante_bonus: Paytable, play: Play = "nine seen") -> Figures:
    """The figures of the ante with its play wager and its bonus, per unit of the ante."""
    every = HANDS * SETS * PACKETS
    counted: Counter[Fraction] = Counter()
    for hand in played_hands(play):
        extra = bonus(hand, ante_bonus)
        for kind, count in zip(KINDS, hand.showdowns, strict=True):
            counted[net(kind) + extra] += hand.hands * count
    played = sum(counted.values())
    counted[Fraction(FOLDED)] += every - played
    results = gathered((result, Fraction(count, every)) for result, count in counted.items())
    mean, variance = moments(results)
    return Figures(
        house_edge=-mean,
        hit_frequency=sum((often for result, often in results.items() if result > 0), Fraction(0)),
        variance=variance,
        total_wagered=1 + Fraction(played, every),
        how=f"{HOW[play]} {100 * played / every:.3f} % of all hands are played.",
        results=results,
    )


def bonus(hand: HandPlay, paytable: Paytable) -> Fraction:
    line = ANTE_BONUS.line(paytable, ANTE_BONUS.of(*cards(hand.cards)))
    return Fraction(0) if line is None else Fraction(paytable[line].pays, paytable[line].per)


def play_or_fold(own: Sequence[Card], others: Sequence[Card], ante_bonus: Paytable) -> dict[str, float]:
    """The worth of playing and folding with these six others in sight: ante and play together, and the bonus that a played hand
    gets whatever the dealer holds (TCP 9)."""
    line = ANTE_BONUS.line(ante_bonus, ANTE_BONUS.of(*own))
    extra = ante_bonus[line].pays / ante_bonus[line].per if line is not None else 0.0
    packets = zip(KINDS, against(own, others), strict=True)
    return {"play": sum(net(kind) * count for kind, count in packets) / PACKETS + extra, "fold": float(FOLDED)}


class Boundary(NamedTuple):
    """Hands of the same ranks whose best play depends on the six further cards."""

    ranks: str
    hands: int
    often: Fraction
    """How often the best player plays them."""
    on_own_cards: bool
    """Whether a player who sees nothing else plays them."""
    with_idle: tuple[Fraction, ...]
    """How often they are played if 0, 1, ... 6 of the further cards are idle, that is, higher than every card of the hands that they
    beat (aces and kings for a queen-high hand, queens too for a lower one)."""


def boundary() -> list[Boundary]:
    """Every hand that is neither always played nor always folded, the best first."""
    grouped: dict[str, list[HandPlay]] = {}
    for hand in sorted(best_play(), key=lambda hand: three_card_hand(cards(hand.cards)), reverse=True):
        if 0 < hand.sets < SETS:
            grouped.setdefault(hand.ranks, []).append(hand)
    return [_together(ranks, some) for ranks, some in grouped.items()]


def _together(ranks: str, some: Sequence[HandPlay]) -> Boundary:
    hands = sum(hand.hands for hand in some)

    def mean(often: Callable[[HandPlay], Fraction]) -> Fraction:
        return sum((often(hand) * hand.hands for hand in some), Fraction(0)) / hands

    with_idle = tuple(mean(partial(HandPlay.often_with, idle=idle)) for idle in range(FURTHER_CARDS + 1))
    on_own_cards = all(hand.plays_on_own_cards for hand in some)
    return Boundary(ranks, hands, mean(lambda hand: hand.often), on_own_cards, with_idle)
