"""The PAR sheet of a configuration: what every wager of a table returns, and how that was found."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Final, Literal, get_args

from podium.basics.refusal import Refused
from podium.maths import blackjack, side_bets, three_card
from podium.maths.buster import buster_figures
from podium.maths.figures import Figures, by_paytable
from podium.rules.bets import ANTE, ANTE_BONUS, BLACKJACK, BUSTER, Bet, Paytable
from podium.rules.games import Game
from podium.rules.placard import Offer
from podium.rules.three_card import ThreeCardRules

Strategy = Literal["best", "timeout"]

STRATEGIES: Final = {
    "best": "best play",
    "timeout": "every decision times out",
}

GREEDY: Final = Fraction(1, 4)
"""A wager of which the house keeps more than that is worth a warning."""

Counted = tuple[Figures, Mapping[str, Figures]]
"""The figures of a wager, and by name those of the same wager played otherwise."""

Counting = Callable[[Game, Offer, Strategy], Counted]


@dataclass(frozen=True)
class Entry:
    """One wager of the sheet, or several that are the same bet by the same paytable on other cards."""

    wagers: tuple[str, ...]
    title: str
    figures: Figures
    paytable: str = ""
    """The paytable's name, where it is paid by one."""
    also: Mapping[str, Figures] = field(default_factory=dict)
    """The same wager played otherwise, for comparison."""

    @property
    def wager(self) -> str:
        return self.wagers[0]

    @property
    def places(self) -> str:
        """The other places that it can lie on, in words."""
        lines = [wager.partition("@")[2] for wager in self.wagers[1:]]
        return f"also on {', '.join(lines)}" if lines else ""


@dataclass(frozen=True)
class Sheet:
    """What a configured game returns."""

    game: Game
    strategy: Strategy
    entries: tuple[Entry, ...]
    uncounted: tuple[str, ...] = ()
    """Wagers that nothing here knows how to count; they are named rather than guessed."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option that is in force, those that the document fixes left out."""
        chosen = {rule.name: getattr(self.game.rules, rule.name) for rule in fields(self.game.rules)}
        return {name: value for name, value in chosen.items() if not self.game.options[name].fixed}

    @property
    def warnings(self) -> list[str]:
        """What an operator must not overlook, in a sentence each."""
        left_out = [f"{wager} is left out: its figures are not known." for wager in self.uncounted]
        return [*left_out, *(said for entry in self.entries for said in _warnings(entry))]

    def told(self) -> dict[str, Any]:
        """As `podium par --json` writes it."""
        return {
            "game": self.game.name,
            "options": self.options,
            "strategy": self.strategy,
            "wagers": {wager: _told(entry) for entry in self.entries for wager in entry.wagers},
            "warnings": self.warnings,
        }


def _told(entry: Entry) -> dict[str, Any]:
    said = entry.figures.told()
    if entry.also:
        said["compared"] = {name: figures.told() for name, figures in entry.also.items()}
    return said


def _warnings(entry: Entry) -> Iterator[str]:
    edge = entry.figures.house_edge
    if not entry.figures.staked:
        return
    if edge < 0:
        yield f"{entry.wager} gives the player an advantage of {percent(-edge)} of the wager."
    elif edge > GREEDY:
        yield f"{entry.wager} keeps {percent(edge)} of the wager, more than a quarter."


def percent(share: Fraction | float) -> str:
    """A share as people read it; a very small one, as some games of blackjack keep, with two digits more.

    >>> percent(Fraction(1, 8)), percent(0.000153)
    ('12.50 %', '0.0153 %')
    """
    said = 100 * float(share)
    return f"{said:.4f} %" if 0 < abs(said) < 0.1 else f"{said:.2f} %"


def odds(pays: Fraction) -> str:
    """What a line of a paytable pays, as a placard writes it.

    >>> odds(Fraction(5, 2)), odds(Fraction(-1))
    ('5 to 2', '-1')
    """
    return f"{pays.numerator} to {pays.denominator}" if pays > 0 else str(pays)


# --- the figures of each wager --------------------------------------------------------------------------------------


def par(game: Game, strategy: str = "best") -> Sheet:
    """The PAR sheet of a configured game."""
    if strategy not in get_args(Strategy):
        raise Refused(f"There is no strategy {strategy!r} for a PAR sheet: it is best or timeout.")
    chosen: Strategy = "timeout" if strategy == "timeout" else "best"
    known = {wager: offer for wager, offer in game.offers.items() if _counted_by(offer.bet)}
    left_out = tuple(wager for wager in game.offers if wager not in known)
    return Sheet(game, chosen, tuple(_entries(game, known.values(), chosen)), left_out)


def _entries(game: Game, offers: Iterable[Offer], strategy: Strategy) -> Iterator[Entry]:
    together: dict[Bet, list[Offer]] = {}
    for offer in offers:
        together.setdefault(offer.bet, []).append(offer)
    for bet, same in together.items():
        yield _entry(game, bet, same, strategy)
        if bet is ANTE:
            yield _ante_bonus(game, strategy)


def _counted_by(bet: Bet) -> Counting | None:
    return PLAYED.get(bet.name, _dealt if side_bets.can_count(bet) else None)


def _entry(game: Game, bet: Bet, offers: list[Offer], strategy: Strategy) -> Entry:
    """A bet is the same on any row or column: three cards are as good as any other three."""
    count = PLAYED.get(bet.name, _dealt)
    figures, also = count(game, offers[0], strategy)
    paytable = offers[0].paytable_name if figures.outcomes else ""
    return Entry(tuple(offer.wager for offer in offers), bet.title, figures, paytable, also)


def _dealt(game: Game, offer: Offer, strategy: Strategy) -> Counted:
    """A bet on cards that nobody's decision changes."""
    return side_bets.figures(offer.bet, offer.paytable, game.rules.decks), {}


def _ante(game: Game, offer: Offer, strategy: Strategy) -> Counted:
    _, paytable = _bonus_paytable(game)
    if strategy == "timeout":
        return three_card.figures(paytable, "timeout"), {}
    return three_card.figures(paytable, "nine seen"), {"own cards only": three_card.figures(paytable, "own cards")}


def _ante_bonus(game: Game, strategy: Strategy) -> Entry:
    """It has no stake of its own and is part of the ante's figures; by itself it is shown for what it adds to them."""
    name, paytable = _bonus_paytable(game)
    figures = side_bets.figures(ANTE_BONUS, paytable, game.rules.decks, staked=0)
    if strategy == "timeout":
        unpaid: dict[str | None, int] = {None: three_card.HANDS}
        figures = by_paytable(unpaid, paytable, how="A folded hand has no ante bonus (TCP 7.a).", staked=0)
    return Entry((ANTE_BONUS.name,), ANTE_BONUS.title, figures, name)


def _bonus_paytable(game: Game) -> tuple[str, Paytable]:
    if not isinstance(game.rules, ThreeCardRules):
        raise Refused(f"{game.name} has no ante bonus.")
    name = game.rules.ante_bonus
    return name, game.rules.paytable_named(ANTE_BONUS, name)


def _blackjack(game: Game, offer: Offer, strategy: Strategy) -> Counted:
    return blackjack.all_figures(game, strategy)


def _buster(game: Game, offer: Offer, strategy: Strategy) -> Counted:
    rules = blackjack.blackjack_rules(game)
    return buster_figures(offer.paytable, rules.decks, hits_soft_17=rules.dealer_hits_soft_17), {}


PLAYED: Final[dict[str, Counting]] = {ANTE.name: _ante, BLACKJACK.name: _blackjack, BUSTER.name: _buster}
"""The wagers on which decisions, or the dealer's drawing, have a bearing: who counts them."""
