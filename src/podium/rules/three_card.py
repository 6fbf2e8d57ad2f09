"""The rules of Stadium Three Card Poker, and the lines of its nine-card array."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.bets import ANTE, ANTE_BONUS, PAIR_PLUS, PLAY, SIX_CARD_BONUS, Bet, bets_of
from podium.rules.options import option
from podium.rules.placard import Offer, Rules, ShufflerKind

LINES: Final = {
    "row-1": (1, 2, 3),
    "row-2": (4, 5, 6),
    "row-3": (7, 8, 9),
    "column-1": (1, 4, 7),
    "column-2": (2, 5, 8),
    "column-3": (3, 6, 9),
}

PROPOSED_SPOTS: Final = LINES["row-1"]


def _reads_name(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise Refused("paytable-name")


def _paytable(bet: Bet, clause: str) -> Any:
    names = tuple(bet.paytables)
    return option(
        names[0],
        clause=clause,
        says="{bet:wager} is paid by paytable {paytable}.",
        facts=lambda name: {"bet": bet.name, "paytable": name},
        reads=_reads_name,
        accepts="{values}, or a paytable that was entered",
        values=names,
    )


@dataclass(frozen=True, kw_only=True)
class ThreeCardRules(Rules):
    """TCP: one deck, shuffled for every round; the paytables can be chosen."""

    decks: Literal[1] = option(
        1, clause="TCP intro", says={1: "The game is dealt from one standard 52-card deck, shuffled for every round."}
    )
    six_card_bonus: str = _paytable(SIX_CARD_BONUS, "TCP Three Card Poker 6 Card Bonus Paytables")
    pair_plus: str = _paytable(PAIR_PLUS, "TCP Pair Plus Paytable")
    ante_bonus: str = _paytable(ANTE_BONUS, "TCP Ante Bonus Paytable")

    shuffler: ClassVar[ShufflerKind] = "every-round"  # TCP intro: the i-Deal shuffler
    main: ClassVar[Bet] = ANTE
    knows: ClassVar[tuple[Bet, ...]] = bets_of("stadium-three-card-poker")
    added: ClassVar[tuple[Bet, ...]] = (PLAY,)
    locations: ClassVar[tuple[int, ...]] = tuple(range(1, 10))
    proposed_spots: ClassVar[tuple[int, ...]] = PROPOSED_SPOTS
    wagering_clause: ClassVar[str] = "TCP 3"

    @property
    def designator(self) -> str:
        """TCP System Paytable: the Ante Bonus and Pair Plus paytables together."""
        known = {("A", "D"): "TCP-10"}.get((self.ante_bonus, self.pair_plus))
        return f"{known} {self.ante_bonus}/{self.pair_plus}" if known else ""

    @property
    def designator_clause(self) -> str:
        return self.clause("pair_plus")

    def read_spots(self, spots: Any) -> tuple[int, ...]:
        """TCP 2: three different locations of the array; the first row where a player chose none."""
        if not spots:
            return self.proposed_spots
        well_formed = isinstance(spots, list | tuple) and len(spots) == 3 and all(type(spot) is int for spot in spots)
        if well_formed and len(set(spots)) == 3 and all(1 <= spot <= 9 for spot in spots):
            return tuple(spots)
        raise Refused("spots", spots=shortened(str(list(spots))), clause="TCP 2")

    def takes(self, bet: Bet) -> bool:
        """TCP 7, 9: a player with an ante may add Play, and has the Ante Bonus without a wager of its own."""
        return bet.name in (PLAY.name, ANTE_BONUS.name) or super().takes(bet)

    def pays_most(self, offer: Offer, stake: int) -> int:
        """TCP 7, 9: with an ante come Play, for as much again, and the Ante Bonus."""
        if not offer.main:
            return super().pays_most(offer, stake)
        bonus = max(odds.on(stake) for odds in self.paytable_named(ANTE_BONUS, self.ante_bonus).values())
        play = max(odds.on(stake) for odds in PLAY.paytables["A"].values())
        return offer.pays_most(stake) + play + bonus

    def follow_up(self, amounts: Mapping[str, int]) -> int:
        """TCP 7: to go on takes Play, as much as the ante."""
        return amounts.get(ANTE.name, 0)

    def offers(self) -> Iterator[Offer]:
        yield Offer(ANTE.name, ANTE, "A", ANTE.paytables["A"], main=True)
        self.paytable_named(ANTE_BONUS, self.ante_bonus)
        for bet, name in ((PAIR_PLUS, self.pair_plus), (SIX_CARD_BONUS, self.six_card_bonus)):
            paytable = self.paytable_named(bet, name)
            for line in ("", *LINES):  # TCP 3.a: on the player's own cards, and blind on each row and column
                yield Offer(f"{bet.name}@{line}" if line else bet.name, bet, name, paytable)


english(
    "refused",
    {
        "paytable-name": "it is the name of a paytable.",
        "spots": "the spots {spots} are not a choice: pick three different locations from 1 to 9.",
    },
)
