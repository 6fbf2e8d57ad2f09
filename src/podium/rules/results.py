"""The results of a round: what every wager returned, and why."""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec

from podium.basics.words import Phrase, fact


def because(key: str, /, *, clause: str = "", **facts: object) -> Phrase:
    """Why a wager returned what it did: `because("bust", yours=22)` says the words declared as `why.bust`."""
    return Phrase(f"why.{key}", {name: fact(value) for name, value in facts.items()}, clause)


_set: Final = msgspec.structs.force_setattr

# None of these can be part of a cycle, so the garbage collector can skip them (`gc=False`): with ten thousand seats, visiting
# them was half the cost of a settlement.


class WagerResult(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One wager, settled: the same in the round, on the wire, in recall and for the bots."""

    wager: str
    whose: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["player", "dealer"]})]
    """`dealer` for a wager that the player placed for the dealer."""
    staked: int
    returned: int
    """Everything that it returned, including the stake."""
    tips: int = 0
    """The part of it that went to the dealers; the rest is the player's."""
    why: tuple[Phrase, ...] = ()
    breakage: str = ""
    """What rounding down withheld, as exact fractions of a minor unit."""
    outcome: Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["win", "push", "lose"]})] = ""
    """Derived from `staked` and `returned`."""

    def __post_init__(self) -> None:
        against = "push" if self.returned == self.staked else "win" if self.returned > self.staked else "lose"
        _set(self, "outcome", against)


def together(results: Iterable[WagerResult]) -> tuple[WagerResult, ...]:
    """Results of parts of wagers, put together wager by wager."""
    merged: dict[tuple[str, str], WagerResult] = {}
    for one in results:
        other = merged.get((one.wager, one.whose))
        merged[one.wager, one.whose] = one if other is None else _added(other, one)
    return tuple(merged.values())


def _added(one: WagerResult, other: WagerResult) -> WagerResult:
    return WagerResult(
        one.wager,
        one.whose,
        one.staked + other.staked,
        one.returned + other.returned,
        one.tips + other.tips,
        (*one.why, *other.why),
        " + ".join([fraction for fraction in (one.breakage, other.breakage) if fraction]),
    )


class HandResult(msgspec.Struct, frozen=True, gc=False):
    """One of the player's hands, and the result of the player's own main wager on it."""

    cards: str
    total: int | None
    soft: bool
    name: Phrase | None
    """The name of a three-card hand; None in blackjack."""
    result: str
    staked: int
    returned: int


class DealerResult(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hand that a player met."""

    cards: str
    total: int | None = None
    blackjack: bool = False
    bust: bool = False
    name: Phrase | None = None
    qualifies: bool | None = None


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """One seat, settled."""

    hands: tuple[HandResult, ...]
    dealer: DealerResult | None
    wagers: tuple[WagerResult, ...]

    @property
    def staked(self) -> int:
        return sum([wager.staked for wager in self.wagers])

    @property
    def tips(self) -> int:
        return sum([wager.tips for wager in self.wagers])

    @property
    def returned(self) -> int:
        """What came back to the player's credit."""
        return sum([wager.returned - wager.tips for wager in self.wagers])

    @property
    def net(self) -> int:
        return self.returned - self.staked
