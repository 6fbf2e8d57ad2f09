"""Every rule of a blackjack game, as Stadium Blackjack words it; the other games vary it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, Plural, english, phrase
from podium.rules.bets import BLACKJACK, INSURANCE, Bet, Paytable
from podium.rules.options import option, options_of
from podium.rules.placard import Offer, Rules, none_or_some

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
    raise Refused("totals-form", clause="SBJ 5.c.ii")


def _which_totals(totals: tuple[int, int]) -> str:
    if totals[0] <= 2 and totals[1] >= 20:
        return "any"
    return "one" if totals[0] == totals[1] else "some"


def _reads_side_bets(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(table, str) for table in value.values()):
        raise Refused("side-bets-form")
    return dict(value)


english("pattern", {"with-paytable": "{wager:wager} (paytable {paytable})"})


def _with_paytables(side_bets: Mapping[str, str]) -> list[Phrase]:
    return [phrase("pattern.with-paytable", wager=wager, paytable=name) for wager, name in side_bets.items()]


SEATS_IN_WORDS = Plural(
    "seats", one="One player takes part in a round.", other="Up to {seats} players take part in a round."
)


@dataclass(frozen=True, kw_only=True)
class BlackjackRules(Rules):
    """The rules that a blackjack round reads. A game fixes what its document fixes, and offers the rest as options."""

    settles_at_once: ClassVar[bool] = False
    """Whether a blackjack is paid, and a bust collected, before the dealer has played."""

    blackjack_pays: str = option("3:2", clause="SBJ 2.a", says="A winning blackjack pays {blackjack_pays:odds}.")
    dealer_hits_soft_17: bool = option(
        True,
        clause="SBJ 9.b",
        says={
            True: "The dealer draws to 16 or less and to a soft 17, and stands on a hard 17 and on 18 or more.",
            False: "The dealer draws to 16 or less and stands on 17 or more, including a soft 17.",
        },
    )
    double: OnOff = option(
        "on",
        clause="SBJ 5.c",
        says={
            "on": "Double: on the first two cards of a hand you may add to your wager and take exactly one more card.",
            "off": "Doubling is not offered.",
        },
    )
    double_totals: tuple[int, int] = option(
        ANY_TOTAL,
        clause="SBJ 5.c.ii",
        says={
            "any": "You may double on any total.",
            "one": "You may double on a total of {low} only.",
            "some": "You may double on totals of {low} to {high}.",
        },
        case=_which_totals,
        facts=lambda totals: {"low": totals[0], "high": totals[1]},
        reads=_reads_totals,
        accepts="the lowest and the highest total, like [10, 11]",
        examples=([9, 11], [11, 11]),
    )
    double_after_split: bool = option(
        True,
        clause="SBJ 5.c.iv",
        says={
            True: "You may double a hand that came from a split.",
            False: "You may not double a hand that came from a split.",
        },
    )
    double_with_ace: bool = option(
        False,
        clause="SBJ 5.c.v",
        says={True: "You may double a hand that holds an ace.", False: "You may not double a hand that holds an ace."},
    )
    double_for_less: bool = option(
        False,
        clause="SBJ 5.c.vi",
        says={
            True: "You may double for less: for any amount smaller than the full one.",
            False: "A double is always for the full amount.",
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
            "on": "Split: you may split two cards of the same value, such as a king and a ten, into two hands; "
            "the second hand takes a further wager equal to your original one.",
            "off": "Splitting is not offered.",
        },
    )
    max_splits: Literal[0, 1, 2, 3, 4] = option(
        2,
        clause="SBJ 5.d.iii",
        says={
            "none": "Splitting is not offered.",
            "once": "You may split once, for a total of two hands.",
            "twice": "You may split up to twice, for a total of three hands.",
            "more": "You may split up to {times} times, for a total of {hands} hands.",
        },
        case=lambda splits: ("none", "once", "twice")[splits] if splits < 3 else "more",
        facts=lambda splits: {"times": splits, "hands": splits + 1},
    )
    resplit_aces: bool = option(
        False,
        clause="SBJ 5.d.ii",
        says={
            True: "Each split ace gets one card only; if that is an ace, you may split again.",
            False: "Aces may be split only once, and each split ace gets one card only.",
        },
    )
    split_draw: SplitDraw = option(
        "in-turn",
        clause="SBJ 7.b",
        says={
            "in-turn": "After a split, the first hand gets its card and is played to its end before the second gets a card.",
            "at-once": "After a split, one card goes to each new hand straight away, the first hand first; then they are played one after the other.",
        },
    )
    surrender: Surrender = option(
        "on",
        clause="SBJ 5.f",
        says={
            "on": "Surrender: you may give up your first two cards and keep half of your wager.",
            "off": "Surrender is not offered.",
            "not-against-blackjack": "Surrender: you may give up your first two cards and keep half of your wager; "
            "if the dealer then has blackjack, the whole wager is lost.",
        },
    )
    even_money: bool = option(
        True,
        clause="SBJ 5.e",
        says={
            True: "If you have blackjack and the dealer's first card is an ace, you may take even money: the hand is paid 1 to 1 and is complete.",
            False: "Even money is not offered.",
        },
    )
    insurance: bool = option(
        True,
        clause="SBJ 5.h",
        says={
            True: "If the dealer's first card is an ace, you may insure your hand; insurance pays 2 to 1 if the dealer has blackjack, and otherwise loses.",
            False: "Insurance is not offered.",
        },
    )
    insurance_least: Literal[0] | Literal[100] = option(
        0,
        clause="SBJ 5.h.i",
        says={
            0: "The insurance wager is exactly half of your original wager; it is not offered where that is less than one minor unit.",
            100: "The insurance wager is your choice from {insurance_least:money} to half of your original wager.",
        },
    )
    dealer_blackjack_takes: Takes = option(
        "initial",
        clause="SBJ 5.c.vii, 5.d.v",
        says={
            "initial": "If the dealer has blackjack, you lose your initial wager only: every wager that you added on a hand that has not busted comes back.",
            "all": "If the dealer has blackjack, every hand of yours without blackjack loses everything that is staked on it, including what you added.",
        },
    )
    keep_standoff_bet: Standoff = option(
        "always",
        clause="SBJ 5.g",
        says={
            "always": "If your hand ties with the dealer's, it is a push: you keep your wager.",
            "never": "If your hand ties with the dealer's, it loses, even a blackjack against a blackjack.",
            "if-not-insured": "If your hand ties with the dealer's, it is a push, unless you took insurance: then every hand of yours that ties loses.",
            "always-and-push-insurance": "If your hand ties with the dealer's, it is a push; if your first hand ties, your insurance wager comes back as well, neither paid nor lost.",
        },
    )
    bust_pushes_from: int = option(
        0,
        clause="SBJ 2.a",
        says={
            0: "If the dealer busts, every hand that has not busted wins.",
            4: "If the dealer busts with four cards or more, every hand still in play is a push; "
            "if the dealer busts with three cards, every hand that has not busted wins.",
        },
    )
    dealer_wagers: bool = option(
        True,
        clause="SBJ 3, 5.c.viii, 5.d.vi",
        says={
            True: "You may place wagers for the dealer from your own credit.",
            False: "Wagers for the dealer are not taken.",
        },
        affects_returns=False,
    )
    side_bets: dict[str, str] = option(
        {},
        clause="SBJ 2.b to 2.e",
        says={"none": "There are no side bets.", "some": "The side bets are: {side_bets}."},
        case=none_or_some,
        facts=lambda side_bets: {"side_bets": _with_paytables(side_bets)},
        reads=_reads_side_bets,
        accepts="a table of side bets with the name of a paytable each; it replaces the whole set",
    )

    main: ClassVar[Bet] = BLACKJACK
    added: ClassVar[tuple[Bet, ...]] = (INSURANCE,)
    counted_apart: ClassVar[tuple[Bet, ...]] = (INSURANCE,)

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
    def asks_insurance(self) -> bool:
        return self.insurance or self.even_money

    @property
    def offers_splits(self) -> bool:
        return self.split == "on" and self.max_splits > 0

    @property
    def tokes_clause(self) -> str:
        return self.clause("dealer_wagers")

    def bet_clause(self, bet: Bet) -> str:
        """Blackjack and insurance are wagers of several documents; their options know the clause of this one."""
        option = {BLACKJACK.name: "blackjack_pays", INSURANCE.name: "insurance"}.get(bet.name)
        return self.clause(option) if option else bet.clause

    def printed_paytables(self, bet: Bet) -> Mapping[str, Paytable]:
        if bet.name != self.main.name:
            return super().printed_paytables(bet)
        return {pays: bet.paytables[pays] for pays in options_of(type(self))["blackjack_pays"].values}

    def takes(self, bet: Bet) -> bool:
        return self.insurance if bet.name == INSURANCE.name else super().takes(bet)

    def pays_most(self, offer: Offer, stake: int) -> int:
        """The main wager wins most as a blackjack, or on as many hands as can be split, each doubled; or its insurance does."""
        if not offer.main:
            return super().pays_most(offer, stake)
        adds = self.double_adds if self.double == "on" else 0
        ways = [(1, stake * (1 + adds))]
        if self.offers_splits:
            ways.append((self.max_splits + 1, stake * (1 + (adds if self.double_after_split else 0))))
        odds = [odds for line, odds in offer.paytable.items() if line != "blackjack"]
        played = max(hands * each.on(staked) for hands, staked in ways for each in odds)
        insured = 2 * (stake // 2) if self.insurance else 0
        return max(offer.pays_most(stake), played, insured)

    def offers(self) -> Iterator[Offer]:
        yield Offer(BLACKJACK.name, BLACKJACK, self.blackjack_pays, self.main_paytable, main=True)
        yield from self._side_offers()

    def _side_offers(self) -> Iterator[Offer]:
        """The side bets that are switched on, in the order in which the game lists them."""
        names = [bet.name for bet in self.knows]
        for wager in self.side_bets:
            if wager not in names:
                raise Refused("side-bet-unknown", option="side_bets", wager=shortened(wager), wagers=names)
        for bet in self.knows:
            if bet.name in self.side_bets:
                name = self.side_bets[bet.name]
                yield Offer(bet.name, bet, name, self.paytable_named(bet, name))


english(
    "refused",
    {
        "totals-form": "it is the lowest and the highest total that may double, from 2 to 21, like [10, 11].",
        "side-bets-form": 'it is a table of wagers with the name of a paytable each, like {"trilux": "TRI-02"}.',
        "side-bet-unknown": "{option}: {wager:quoted} is not a side bet of this game. Its side bets: {wagers}.",
    },
)
