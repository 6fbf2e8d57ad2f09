"""A game as frozen data, from which every part of the house reads the rules."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.dealing import Dealing
from podium.rules.options import Option, options_of, written
from podium.rules.placard import Offer, Rules


@dataclass(frozen=True)
class Game:
    """A game with its rules chosen. `having` gives the same game with other options."""

    name: str
    short: str
    """As clauses are cited: `SBJ 5.c.v`."""
    title: str
    order: int
    """Its order in the list of games."""
    dealing: type[Dealing]
    rules: Rules
    """The chosen value of every option."""
    implied: Mapping[str, Mapping[Any, Mapping[str, Any]]] = field(default_factory=dict)
    """Options that another one sets, unless they are set themselves: `paytable` 5 forbids doubling after a split."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The clauses of the game's document for the sentences of the rulebook, by key: `{"decisions.hit": "5.a"}`."""
    boxes: int = 1
    """How many boxes a player may have where the table does not say it."""

    def __post_init__(self) -> None:
        english("game", {self.name: self.title})
        _ = self.options  # declares their words

    @cached_property
    def options(self) -> dict[str, Option]:
        """Every rule of the game; those with a single value are fixed by its document."""
        return options_of(type(self.rules))

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """The wagers that a table with these rules takes, by name. A side bet that the dealing cannot show is refused."""
        offers = self.rules.check()
        self.dealing.check((*self.rules.knows, *(offer.bet for offer in offers.values() if not offer.main)))
        return offers

    @cached_property
    def designators(self) -> dict[str, str]:
        """The names of the paytables by wager; under the name of the game, the one that the document has for them together."""
        named = {offer.bet.name: offer.paytable_name for offer in self.offers.values()}
        return {self.name: self.rules.designator, **named} if self.rules.designator else named

    def having(self, options: Any) -> "Game":
        """The same game with some options changed; one that is unknown or not allowed is refused."""
        if not isinstance(options, Mapping):
            raise Refused("options-form", game=self.name, written=shortened(written(options)))
        chosen = {name: self._option(name).read(value) for name, value in options.items()}
        for name, sets in self.implied.items():
            if name in chosen:
                chosen = {**sets[chosen[name]], **chosen}
        game = replace(self, rules=replace(self.rules, **chosen))
        _ = game.offers  # a contradiction between options is found here, not at the table
        return game

    def _option(self, name: Any) -> Option:
        if name == "dealer":
            raise Refused("option-of-table", option=name, game=self.name)
        option = self.options.get(name)
        if option is None:
            known = [name for name, option in self.options.items() if not option.fixed]
            raise Refused("option-unknown", game=self.name, option=shortened(str(name)), options=known)
        return option

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in self.changed().items()]
        return f"Game({', '.join([repr(self.name), *changed])})"

    def changed(self) -> dict[str, Any]:
        """The options that differ from the game's defaults, or from what another option implies, as they are written."""
        defaults = type(self.rules)()
        usual = {field.name: getattr(defaults, field.name) for field in fields(self.rules)}
        now = {field.name: getattr(self.rules, field.name) for field in fields(self.rules)}
        for name, sets in self.implied.items():
            usual |= sets[now[name]]
        return {name: value for name, value in now.items() if value != usual[name]}

    @cached_property
    def fingerprint(self) -> str:
        """Identifies the rules that settle a round: any change of any rule or paytable changes it.

        Only what differs from the defaults counts, so that an option which a later version adds leaves the rounds of
        an older one provable; which defaults those were is the fingerprint of the program (VER-1).
        """
        paytables = {
            wager: {line: str(odds) for line, odds in offer.paytable.items()} for wager, offer in self.offers.items()
        }
        said = msgspec.json.encode([self.name, self.changed(), paytables], order="sorted")
        return hashlib.sha256(said).hexdigest()


english(
    "refused",
    {
        "options-form": "The options of {game} are a table of names and values, not {written}.",
        "option-of-table": "{option} is an option of the table, not of the rules of {game}.",
        "option-unknown": "{game} has no option {option:quoted}: its options are {options}.",
    },
)
