"""Every rule of a blackjack game, as Stadium Blackjack words it; the other games vary it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from podium.bets import BLACKJACK, Bet, Paytable
from podium.options import option
from podium.placard import Offer, Placard
from podium.refusal import Refused

OnOff = Literal["on", "off"]
Surrender = Literal["on", "off", "not-against-blackjack"]
Takes = Literal["initial", "all"]
Standoff = Literal["always", "never", "if-not-insured", "always-and-push-insurance"]
SplitDraw = Literal["in-turn", "at-once"]
BlackjackPays = Literal["3:2", "6:5"]

ANY_TOTAL = (2, 20)
"""SBJ 5.c.ii: a hand of 21 stands by itself, so 2 to 20 is any hand that can be asked."""


def _reads_totals(value: Any) -> tuple[int, int]:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(total) is int for total in value):
        low, high = value
        if 2 <= low <= high <= 21:
            return low, high
    raise Refused("it is the lowest and the highest total that may double, from [2, 21], like [10, 11] (SBJ 5.c.ii).")


def _says_totals(totals: tuple[int, int]) -> str:
    if totals[0] <= 2 and totals[1] >= 20:
        return "You may double on any total of your first two cards."
    if totals[0] == totals[1]:
        return f"You may double on a total of {totals[0]} only."
    return f"You may double on totals of {totals[0]} to {totals[1]}."


def _reads_side_bets(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(table, str) for table in value.values()):
        raise Refused('it is a table of wagers with the name of a paytable each, like {"trilux": "TRI-02"}.')
    return dict(value)


def _says_splits(splits: int) -> str:
    if splits == 0:
        return "Hands are not split."
    times = {1: "once", 2: "twice"}.get(splits, f"{splits} times")
    return f"You may split {times}, for a total of {splits + 1} hands."


@dataclass(frozen=True, kw_only=True)
class BlackjackRules(Placard):
    """The rules that a blackjack round reads. A game fixes what its document fixes, and offers the rest as options."""

    blackjack_pays: str = option(
        "3:2", clause="SBJ 2.a", says=lambda pays: f"Blackjack pays {pays.replace(':', ' to ')}."
    )
    dealer_hits_soft_17: bool = option(
        True,
        clause="SBJ 9.b",
        says={
            True: "The dealer hits 16 or less and a soft 17.",
            False: "The dealer hits 16 or less and stands on every 17.",
        },
    )
    double: OnOff = option(
        "on",
        clause="SBJ 5.c",
        says={
            "on": "You may double your wager on the first two cards of a hand and take exactly one card.",
            "off": "Doubling is not offered.",
        },
    )
    double_totals: tuple[int, int] = option(
        ANY_TOTAL,
        clause="SBJ 5.c.ii",
        says=_says_totals,
        reads=_reads_totals,
        accepts="the lowest and the highest total, like [10, 11]",
    )
    double_after_split: bool = option(
        True,
        clause="SBJ 5.c.iv",
        says={True: "You may double after a split.", False: "You may not double after a split."},
    )
    double_with_ace: bool = option(
        False,
        clause="SBJ 5.c.v",
        says={True: "A hand that holds an ace may double.", False: "A hand that holds an ace cannot double."},
    )
    double_for_less: bool = option(
        False,
        clause="SBJ 5.c.vi",
        says={
            True: "You may double for less than the full amount; a wager for the dealer is then not doubled.",
            False: "A double is for the full amount.",
        },
    )
    double_adds: Literal[1, 2] = option(
        1,
        clause="SBJ 5.c",
        says={
            1: "Doubling adds your original wager once, so that the hand plays for twice the original wager.",
            2: "Doubling adds twice your original wager, so that the hand plays for three times the original wager.",
        },
    )
    split: OnOff = option(
        "on",
        clause="SBJ 5.d",
        says={
            "on": "Two cards of the same value, such as a king and a ten, may be split into two hands, "
            "each with a wager equal to the original.",
            "off": "Splitting is not offered.",
        },
    )
    max_splits: Literal[0, 1, 2, 3, 4] = option(2, clause="SBJ 5.d.iii", says=_says_splits)
    resplit_aces: bool = option(
        False,
        clause="SBJ 5.d.ii",
        says={
            True: "Each split ace gets one card; if that is an ace, it may be split again.",
            False: "Aces may be split only once, and each split ace gets one card.",
        },
    )
    split_draw: SplitDraw = option(
        "in-turn",
        clause="SBJ 7.b",
        says={
            "in-turn": "After a split the first hand is played to its end before the second gets its card.",
            "at-once": "After a split one card goes to each new hand straight away; then they are played one after the other.",
        },
    )
    surrender: Surrender = option(
        "on",
        clause="SBJ 5.f",
        says={
            "on": "You may give up your first two cards and keep half of your wager.",
            "off": "Surrender is not offered.",
            "not-against-blackjack": "You may give up your first two cards and keep half of your wager, "
            "unless the dealer has blackjack.",
        },
    )
    even_money: bool = option(
        True,
        clause="SBJ 5.e",
        says={
            True: "With a blackjack against the dealer's ace you may take even money, which completes the hand.",
            False: "Even money is not offered.",
        },
    )
    insurance: bool = option(
        True,
        clause="SBJ 5.h",
        says={
            True: "When the dealer's first card is an ace you may insure your hand; insurance pays 2 to 1 if the dealer has blackjack.",
            False: "Insurance is not offered.",
        },
    )
    insurance_least: Literal[0] | Literal[100] = option(
        0,
        clause="SBJ 5.h.i",
        says={
            0: "The insurance wager is exactly half of the original wager.",
            100: "The insurance wager is at least 1.00 and at most half of the original wager.",
        },
    )
    dealer_blackjack_takes: Takes = option(
        "initial",
        clause="SBJ 5.c.vii, 5.d.v",
        says={
            "initial": "If the dealer has blackjack, doubled and split hands that have not busted lose only the initial wager.",
            "all": "If the dealer has blackjack, every wager still in play is lost, doubles and splits included.",
        },
    )
    keep_standoff_bet: Standoff = option(
        "always",
        clause="SBJ 5.g",
        says={
            "always": "A tie is a push: you keep your wager.",
            "never": "Ties lose.",
            "if-not-insured": "A tie is a push, but the hands of an insured player lose ties.",
            "always-and-push-insurance": "A tie is a push, and if your first hand ties your insurance wager comes back as well.",
        },
    )
    bust_pushes_from: int = option(
        0,
        clause="SBJ 2.a",
        says={
            0: "If the dealer exceeds 21, every hand that has not busted wins.",
            4: "If the dealer exceeds 21 with four cards or more, every hand still in play is pushed; "
            "with three cards, every hand that has not busted wins.",
        },
    )
    dealer_wagers: bool = option(
        True,
        clause="SBJ 3, 5.c.viii, 5.d.vi",
        says={
            True: "You may place wagers for the dealer from your own credit.",
            False: "Wagers for the dealer are not taken.",
        },
    )
    side_bets: dict[str, str] = option(
        {},
        clause="SBJ 2.b to 2.e",
        reads=_reads_side_bets,
        accepts="a table of side bets with the name of a paytable each; it replaces the whole set",
    )

    main: ClassVar[Bet] = BLACKJACK

    @property
    def main_paytable(self) -> Paytable:
        return BLACKJACK.paytables[self.blackjack_pays]

    @property
    def stands_at(self) -> tuple[int, int]:
        """When time runs out a hand stands on this soft and this hard total, or more, and otherwise hits."""
        raise NotImplementedError

    @property
    def takes_tokes(self) -> bool:
        return self.dealer_wagers

    @property
    def tokes_clause(self) -> str:
        return self.clause("dealer_wagers")

    def offers(self) -> Iterator[Offer]:
        yield Offer(BLACKJACK.name, BLACKJACK, self.blackjack_pays, self.main_paytable, main=True)
        yield from self._side_offers()

    def _side_offers(self) -> Iterator[Offer]:
        """The side bets that are switched on, in the order in which the game lists them."""
        names = [bet.name for bet in self.knows]
        for wager in self.side_bets:
            if wager not in names:
                listed = ", ".join(names) or "none"
                raise Refused(f"side_bets: {wager!r} is not a side bet of this game; its side bets are {listed}.")
        for bet in self.knows:
            if bet.name in self.side_bets:
                name = self.side_bets[bet.name]
                yield Offer(bet.name, bet, name, self.paytable_named(bet, name))
