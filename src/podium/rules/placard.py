"""What the placard of a table says: which wagers it takes, with which paytables and limits; and the rules behind it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english, phrase
from podium.rules.bets import Bet, Paytable
from podium.rules.options import option, options_of

english(
    "pattern",
    {
        "limits": "{wager:wager} {least:money} to {most:money}",
        "together": "{wager:wager} {most:money}",
        "paytables-of": "{wager:wager} ({names})",
    },
)


def _reads_paytables(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(tables, Mapping) for tables in value.values()):
        raise Refused("paytables-form")
    return {bet: dict(tables) for bet, tables in value.items()}


def _reads_limits(value: Any) -> dict[str, tuple[int, int]]:
    if not isinstance(value, Mapping):
        raise Refused("limits-form")
    return {wager: _least_and_most(wager, limits) for wager, limits in value.items()}


def _least_and_most(wager: str, limits: Any) -> tuple[int, int]:
    if isinstance(limits, list | tuple) and len(limits) == 2 and all(type(limit) is int for limit in limits):
        least, most = limits
        if 1 <= least <= most:
            return least, most
    raise Refused("limits-pair", wager=shortened(wager))


def none_or_some(table: Mapping[str, Any]) -> str:
    """The words of an option that is a table: those for an empty one, or those for the others."""
    return "some" if table else "none"


def _limits_of(limits: Mapping[str, tuple[int, int]]) -> list[Phrase]:
    return [phrase("pattern.limits", wager=wager, least=least, most=most) for wager, (least, most) in limits.items()]


def _paytables_of(entered: Mapping[str, Mapping[str, Any]]) -> list[Phrase]:
    return [phrase("pattern.paytables-of", wager=wager, names=list(tables)) for wager, tables in entered.items()]


def _reads_together(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping) or not all(type(most) is int and most >= 1 for most in value.values()):
        raise Refused("together-form")
    return dict(value)


def _together_of(together: Mapping[str, int]) -> list[Phrase]:
    return [phrase("pattern.together", wager=wager, most=most) for wager, most in together.items()]


def _reads_amount(value: Any) -> int:
    if type(value) is int and value >= 0:
        return value
    raise Refused("amount-form")


def _none_or_an_amount(amount: int) -> str:
    return "some" if amount else "none"


def _reads_chip(value: Any) -> int:
    if type(value) is int and value >= 1:
        return value
    raise Refused("chip-form")


@dataclass(frozen=True, slots=True)
class Offer:
    """A wager that a table takes."""

    wager: str
    """Its name at the table: the bet's name, with its line where a game has several (`pair-plus@row-1`)."""
    bet: Bet
    paytable_name: str
    paytable: Paytable
    main: bool = False
    amounts: tuple[int, ...] = ()
    """The only amounts that it takes, where the document lists them."""
    least: int = 1
    most: int | None = None
    chip: int = 1
    clause: str = "placard"
    """Where the amounts come from."""

    @property
    def line(self) -> str:
        """The row or column that it lies on; empty for the player's own cards."""
        return self.wager.partition("@")[2]

    def pays_most(self, stake: int) -> int:
        """The most that its paytable pays on a stake."""
        return max((odds.on(stake) for odds in self.paytable.values()), default=0)

    def not_whole(self, amount: Any) -> Refused:
        """The refusal of what is not an amount at all."""
        wager, clause = self.wager, self.clause
        if type(amount) is not int:
            return Refused("wager-not-whole", wager=wager, amount=shortened(str(amount)), clause=clause)
        return Refused("wager-not-positive", wager=wager, amount=amount, clause=clause)

    def check(self, amount: int, *, least: int | None = None) -> None:
        """Refuses an amount that is not within the limits of this wager. `least` replaces its own minimum."""
        wager, clause = self.wager, self.clause
        least = self.least if least is None else least
        if self.amounts and amount not in self.amounts:
            raise Refused("wager-amounts", wager=wager, amount=amount, clause=clause, amounts=self.amounts)
        if self.most is not None and not least <= amount <= self.most:
            raise Refused("wager-limits", wager=wager, amount=amount, clause=clause, least=least, most=self.most)
        if amount < least:
            raise Refused("wager-least", wager=wager, amount=amount, clause=clause, least=least)
        if amount % self.chip:
            raise Refused("wager-chips", wager=wager, amount=amount, clause=clause, chip=self.chip)


ShufflerKind = Literal["none", "every-round", "continuous"]
"""What shuffles at a live table: nothing, so that a shoe is dealt; a machine that gives a fresh deck for every round; or one
that takes the cards back after every round (CARD-10)."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The options of a game, each with its chosen value. These are the ones that every game has; a family of games adds its own."""

    shuffler: ClassVar[ShufflerKind] = "none"
    """How live tables shuffle unless they are configured otherwise."""

    decks: int = option(1, clause="placard", says="The game is dealt from a shoe of {decks} standard 52-card decks.")
    paytables: dict[str, dict[str, Any]] = option(
        {},
        clause="placard",
        says={
            "none": "Every paytable is one that the rules of the game print.",
            "some": "The operator has entered further paytables: {entered}.",
        },
        case=none_or_some,
        facts=lambda entered: {"entered": _paytables_of(entered)},
        reads=_reads_paytables,
        accepts="further paytables by wager and name, each with its outcomes and their odds",
    )
    limits: dict[str, tuple[int, int]] = option(
        {},
        clause="placard",
        says={
            "none": "Wagers have no limits other than those in their own rules.",
            "some": "The limits of the wagers are: {limits}.",
        },
        case=none_or_some,
        facts=lambda limits: {"limits": _limits_of(limits)},
        reads=_reads_limits,
        accepts="by wager, the least and the most in minor units",
        affects_returns=False,
    )
    chip: int = option(
        1,
        clause="placard",
        says="Every wager that you place is a multiple of {chip:money}.",
        reads=_reads_chip,
        accepts="a whole number of minor units that every amount is a multiple of",
        examples=(25, 100),
        affects_returns=False,
    )

    most_together: dict[str, int] = option(
        {},
        clause="placard",
        says={
            "none": "There is no joint limit for the wagers that one player places on several rows and columns.",
            "some": "On all rows and columns together, one player may place at most: {limits}.",
        },
        case=none_or_some,
        facts=lambda together: {"limits": _together_of(together)},
        reads=_reads_together,
        accepts="by wager, the most in minor units on all of its lines together",
        affects_returns=False,
    )
    toke_least: int = option(
        1,
        clause="placard",
        says="A wager for the dealer is at least {toke_least:money}.",
        reads=_reads_chip,
        accepts="the least wager for the dealer in minor units",
        examples=(100,),
        affects_returns=False,
    )
    most_payable: int = option(
        0,
        clause="placard",
        says={
            "none": "There is no limit to what one player is paid in one round.",
            "some": "The wagers of one player can win at most {most_payable:money} in one round.",
        },
        case=_none_or_an_amount,
        reads=_reads_amount,
        accepts="a whole number of minor units, 0 for no limit",
        examples=(100_000_00,),
        affects_returns=False,
    )
    most_payable_table: int = option(
        0,
        clause="placard",
        says={
            "none": "There is no limit to what the table pays everybody in one round.",
            "some": "The wagers of all players together can win at most {most_payable_table:money} in one round. "
            "Wagers that could win more are not taken.",
        },
        case=_none_or_an_amount,
        reads=_reads_amount,
        accepts="a whole number of minor units, 0 for no limit",
        examples=(1_000_000_00,),
        affects_returns=False,
    )
    over_payable: Literal["refuse", "cap"] = option(
        "refuse",
        clause="placard",
        says={
            "refuse": "Wagers of one player that could win more than the table pays in one round are not taken.",
            "cap": "Wagers that could win more than the table pays one player in one round are taken, but their "
            "winnings are paid up to that amount and no further.",
        },
        neutral="refuse",
    )

    main: ClassVar[Bet]
    """The wager that a player must place to take part."""
    knows: ClassVar[tuple[Bet, ...]] = ()
    """The further wagers of the game that are paid by a paytable."""
    added: ClassVar[tuple[Bet, ...]] = ()
    """The wagers that decisions add."""
    counted_apart: ClassVar[tuple[Bet, ...]] = ()
    """The wagers without an offer that reports count separately; the others count with the main wager."""
    locations: ClassVar[tuple[int, ...]] = ()
    """The places among which players choose their cards, in a game where cards are chosen."""
    proposed_spots: ClassVar[tuple[int, ...]] = ()
    """The cards of a player who chose none."""
    wagering_clause: ClassVar[str]
    """The clause that says which wager needs which."""

    @property
    def designator(self) -> str:
        """The name under which the document lists these paytables together; empty where it has none."""
        return ""

    @property
    def designator_clause(self) -> str:
        return self.wagering_clause

    @property
    def places(self) -> int | None:
        """How many players can take part; None for any number."""
        return None

    def read_spots(self, spots: Any) -> tuple[int, ...]:
        """The cards that a player chose, in a game where cards are chosen."""
        if spots:
            raise Refused("no-spots")
        return ()

    @property
    def takes_tokes(self) -> bool:
        """Whether players may place wagers for the dealer."""
        return False

    @property
    def tokes_need_no_seat(self) -> bool:
        """Whether a wager for the dealer alone may be placed without a seat, in games with seats."""
        return self.takes_tokes and self.places is not None and any(not offer.main for offer in self.offers())

    @property
    def asks_insurance(self) -> bool:
        """Whether players may be asked about insurance or even money before they play their hands."""
        return False

    @property
    def tokes_clause(self) -> str:
        return self.wagering_clause

    def bet_clause(self, bet: Bet) -> str:
        """The clause of this game's document about a wager."""
        return bet.clause

    def printed_paytables(self, bet: Bet) -> Mapping[str, Paytable]:
        """The paytables of a wager that this game's document lets the table choose from."""
        return bet.paytables

    def takes(self, bet: Bet) -> bool:
        """Whether a table with these rules takes a wager, placed or added by a decision."""
        return any(offer.wager == bet.name for offer in self.offers())

    def offers(self) -> Iterator[Offer]:
        """Every wager that a table with these rules takes, the main one first."""
        raise NotImplementedError

    def clause(self, option: str) -> str:
        return options_of(type(self))[option].clause

    def check(self) -> dict[str, Offer]:
        """The wagers of the table by name, once the options have been checked against each other."""
        self._check_entered()
        offers = {offer.wager: self._limited(offer) for offer in self.offers()}
        for name, limited in (("limits", self.limits), ("most_together", self.most_together)):
            for wager in limited:
                if wager not in offers:
                    raise Refused("limits-wager", option=name, wager=shortened(wager), wagers=offers)
        return offers

    def pays_most(self, offer: Offer, stake: int) -> int:
        """The most that a wager can win in a round, with everything that decisions can add to it."""
        return offer.pays_most(stake)

    def follow_up(self, amounts: Mapping[str, int]) -> int:
        """What a player must stake besides to go on with the hand; whoever does not gives the wager up."""
        return 0

    def payable(self, offers: Mapping[str, Offer], stakes: Iterable[tuple[str, int]]) -> int:
        """The most that wagers can win in a round: the sum of what each of them can."""
        return sum(self.pays_most(offers[wager], stake) for wager, stake in stakes)

    @property
    def caps(self) -> bool:
        """Whether winnings of a player above the most that the table pays are cut off."""
        return self.most_payable > 0 and self.over_payable == "cap"

    def paytable_named(self, bet: Bet, name: str) -> Paytable:
        """A paytable by name: one that the document prints or one that the operator entered."""
        if name in bet.paytables:
            return bet.paytables[name]
        entered = self.paytables.get(bet.name, {})
        if name in entered:
            return bet.read_paytable(name, entered[name])
        known = [*bet.paytables, *entered]
        raise Refused("paytable-unknown", wager=bet.name, paytable=shortened(name), clause=bet.clause, known=known)

    def _limited(self, offer: Offer) -> Offer:
        """The offer with the limits of the table, which may be narrower than the document's but never wider."""
        listed = [self.limits[name] for name in dict.fromkeys((offer.bet.name, offer.wager)) if name in self.limits]
        if not listed:
            listed = self._for_unlisted(offer)
        if not listed and self.chip == 1:
            return offer
        least = max((least for least, _ in listed), default=1)
        most = min([*(most for _, most in listed), *([] if offer.most is None else [offer.most])], default=None)
        chip = max(offer.chip, self.chip)
        least = max(least, offer.least, chip)
        return replace(offer, least=least if most is None else min(least, most), most=most, chip=chip)

    def takes_a_quarter(self, offer: Offer) -> bool:
        """Whether a side bet has no limit of its own, neither of the table nor of the document."""
        listed = {offer.bet.name, offer.wager} & self.limits.keys()
        unlimited = not offer.main and offer.most is None and not offer.amounts
        return unlimited and not listed and self.main.name in self.limits

    def _for_unlisted(self, offer: Offer) -> list[tuple[int, int]]:
        """A side bet that neither the table nor the document limits takes at most a quarter of the highest main wager."""
        if not self.takes_a_quarter(offer):
            return []
        quarter = self.limits[self.main.name][1] // 4
        return [(1, max(quarter - quarter % self.chip, self.chip))]

    def _check_entered(self) -> None:
        """Checks every paytable that the operator entered, even if no wager uses it yet."""
        bets = {bet.name: bet for bet in self.knows}
        for wager, tables in self.paytables.items():
            if wager not in bets:
                raise Refused("paytables-wager", option="paytables", wager=shortened(wager), wagers=bets)
            for name, lines in tables.items():
                if name in bets[wager].paytables:
                    raise Refused("paytable-printed", option="paytables", wager=wager, paytable=shortened(name))
                bets[wager].read_paytable(name, lines)


english(
    "refused",
    {
        "paytables-form": 'it is a table of wagers with paytables, like {"trilux": {"MINE": {"flush": "4:1"}}}.',
        "paytables-wager": "{option}: {wager:quoted} is not a wager with paytables of this game. Those wagers: {wagers}.",
        "paytable-printed": "{option}: {wager:wager} {paytable} is in the rules of the game and cannot be entered again.",
        "paytable-unknown": "{wager:wager} has no paytable {paytable:quoted} ({clause}): its paytables are {known}.",
        "limits-form": 'it is a table of wagers with the least and the most, like {"blackjack": [500, 50000]}.',
        "limits-pair": "the limits of {wager:quoted} are the least and the most in minor units, like [500, 50000].",
        "limits-wager": "{option}: this table has no wager {wager:quoted}. Its wagers are {wagers}.",
        "together-form": 'it is a table of wagers with the most on all of their lines together, like {"pair-plus": 50000}.',
        "amount-form": "it is a whole number of minor units, 0 or more.",
        "chip-form": "the smallest chip is a whole number of minor units, 1 or more.",
        "wager-not-whole": "{wager:wager} of {amount:quoted} is not a wager ({clause}): an amount is a whole number of minor units.",
        "wager-not-positive": "{wager:wager} of {amount:money} is not a wager ({clause}): an amount is more than 0.",
        "wager-amounts": "{wager:wager} of {amount:money} is not an amount of this table ({clause}): they are {amounts:money}.",
        "wager-limits": "{wager:wager} of {amount:money} is outside the limits ({clause}): {least:money} to {most:money}.",
        "wager-least": "{wager:wager} of {amount:money} is outside the limits ({clause}): {least:money} or more.",
        "wager-chips": "{wager:wager} of {amount:money} is not whole chips ({clause}): amounts are multiples of {chip:money}.",
        "no-spots": "this game has no spots to choose.",
    },
)
