"""What each calculation reads of the rules, and the refusal of everything else.

A calculation that ignores an option gives a wrong figure and calls it exact. So no calculation is handed the rules of a game: it
gets them from its `Kernel`, which declares the options that it reads. An option that the kernel neither reads nor knows to make no
difference is refused, so a new option is refused by every kernel until somebody teaches it or says that it makes no difference.
The rules that a kernel hands out hold the declared options only; reading another one is an error of the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from podium.basics.refusal import Refused
from podium.basics.words import english, phrase
from podium.rules.games import Game
from podium.rules.options import NOT_SAID, Option, options_of, written
from podium.rules.placard import Placard

R = TypeVar("R", bound=Placard)


class UndeclaredOption(RuntimeError):
    """A calculation has read an option that its kernel does not declare."""


@dataclass(frozen=True, eq=False, repr=False)
class Kernel(Generic[R]):
    """One calculation, with every option that it answers for. The check is made once, before it runs."""

    title: str
    """As a refusal begins: `The exact analysis of blackjack`."""
    family: type[R]
    """The class of rules that it is for."""
    reads: frozenset[str]
    """The options that it may read."""
    unaffected: frozenset[str] = frozenset()
    """The options that cannot change what it finds, whether it reads them or not."""
    assumes: Mapping[str, Any] = field(default_factory=dict)
    """The options that it takes to have this value, and no other."""
    instead: "tuple[Kernel[R], str] | None" = None
    """Another kernel and the command that uses it, for options that only that one reads."""

    def __repr__(self) -> str:
        return f"<Kernel: {self.title}>"

    def rules(self, game: Game) -> R:
        """The rules of a game, narrowed to the options that this kernel reads; refused if it does not answer for all of them."""
        if not isinstance(game.rules, self.family):
            raise Refused("kernel-family", kernel=self.title, game=game.name)
        unread = self.unread(game)
        if unread:
            raise self._refusal(game, unread)
        return narrowed(game.rules, self)

    def unread(self, game: Game) -> list[Option]:
        """The options of a game that may change the result, as they are set, and that this kernel does not read."""
        return [option for option in game.options.values() if not self._answers_for(option, _value(game, option))]

    def _answers_for(self, option: Option, value: Any) -> bool:
        if option.name in self.assumes:
            return bool(self.assumes[option.name] == value)
        if option.name in self.reads or option.name in self.unaffected:
            return True
        return not option.affects_returns or option.is_neutral(value)

    def _refusal(self, game: Game, unread: list[Option]) -> Refused:
        """Which options are not read, by which clause, and what can be done."""
        options = [
            phrase("pattern.option", option=option.name, value=written(_value(game, option)), clause=option.clause)
            for option in unread
        ]
        ways = [
            phrase("pattern.set-option", option=name, value=written(value))
            for name, value in self._accepted(unread).items()
        ]
        if self.instead is not None and not self.instead[0].unread(game):
            ways.append(phrase("pattern.use-command", command=self.instead[1]))
        return Refused(
            "kernel-unread", kernel=self.title, options=options, ways=[*ways, phrase("pattern.settle-instead")]
        )

    def _accepted(self, unread: list[Option]) -> dict[str, Any]:
        """Values at which the options that are not read make no difference, if there is one for each of them."""
        known = {option.name: self.assumes.get(option.name, option.neutral) for option in unread}
        return {} if any(value is NOT_SAID for value in known.values()) else known


def _value(game: Game, option: Option) -> Any:
    return getattr(game.rules, option.name)


# --- the rules as a kernel may read them ----------------------------------------------------------------------------


def narrowed(rules: R, kernel: Kernel[R]) -> R:
    """A copy of some rules that holds nothing but the options that a kernel declares."""
    full: Any = type(rules)
    narrow: type[R] = _narrow_class(full, kernel)
    copy = object.__new__(narrow)
    declared = kernel.reads | set(kernel.assumes)
    vars(copy).update({name: value for name, value in vars(rules).items() if name in declared})
    return copy


@cache
def _narrow_class(rules: type[Any], kernel: Kernel[Any]) -> Any:
    """A subclass in which every option that the kernel does not declare raises: the rules' own methods read through it too."""
    declared = kernel.reads | set(kernel.assumes)
    barred = {name: _barred(name, kernel.title) for name in options_of(rules) if name not in declared}
    return type(rules.__name__, (rules,), barred | {"__repr__": lambda self: f"<{rules.__name__} for {kernel.title}>"})


def _barred(name: str, title: str) -> property:
    def read(_: object) -> Any:
        raise UndeclaredOption(f"{title} read the option {name}, which its kernel does not declare.")

    return property(read)


english(
    "refused",
    {
        "kernel-family": "{kernel} is not for {game:game}.",
        "kernel-unread": "{kernel} gives no figures here, because it does not read: {options}. Possible: {ways}.",
    },
)
english(
    "pattern",
    {
        "option": "{option} = {value} ({clause})",
        "set-option": "set {option} = {value}",
        "use-command": "use {command}, which reads it",
        "settle-instead": "play single rounds with `podium settle`, which follows every option",
    },
)
