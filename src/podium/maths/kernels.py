"""Which options each calculation reads, and the refusal of all others.

A calculation that ignores an option gives a wrong figure and calls it exact. Calculations are therefore not given the rules of a game
directly: they get them from their `Kernel`, which declares the options that they read. The kernel refuses a game with any other
option, unless that option is declared to make no difference. A new option is thus refused everywhere until somebody teaches the
kernels or declares it. The rules that a kernel hands out contain the declared options only; reading another one raises an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from podium.basics.refusal import Refused
from podium.basics.words import english, phrase
from podium.rules.games import Game
from podium.rules.options import NOT_SAID, Option, options_of, written
from podium.rules.placard import Rules

R = TypeVar("R", bound=Rules)


class UndeclaredOption(RuntimeError):
    """A calculation has read an option that its kernel does not declare."""


@dataclass(frozen=True, eq=False, repr=False)
class Kernel(Generic[R]):
    """One calculation and the options that it answers for. They are checked once, before it runs."""

    title: str
    """The subject of its refusals: `The exact analysis of blackjack`."""
    rules_class: type[R]
    """The class of rules that it understands."""
    reads: frozenset[str]
    """The options that it may read."""
    unaffected: frozenset[str] = frozenset()
    """The options that cannot change its result, whether it reads them or not."""
    assumes: Mapping[str, Any] = field(default_factory=dict)
    """The options that must have this value."""
    instead: "tuple[Kernel[R], str] | None" = None
    """Another kernel, and the command that uses it, to suggest when that kernel reads the option."""

    def __repr__(self) -> str:
        return f"<Kernel: {self.title}>"

    def rules(self, game: Game) -> R:
        """The rules of a game, narrowed to the declared options. Refused if the kernel does not answer for every option."""
        if not isinstance(game.rules, self.rules_class):
            raise Refused("kernel-family", kernel=self.title, game=game.name)
        unread = self.unread(game)
        if unread:
            raise self._refusal(game, unread)
        return narrowed(game.rules, self)

    def unread(self, game: Game) -> list[Option]:
        """The options of a game that might change the result and are not read."""
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
        """Values at which these options would make no difference; empty unless each of them has one."""
        known = {option.name: self.assumes.get(option.name, option.neutral) for option in unread}
        return {} if any(value is NOT_SAID for value in known.values()) else known


def _value(game: Game, option: Option) -> Any:
    return getattr(game.rules, option.name)


# --- the rules as a kernel may read them ----------------------------------------------------------------------------


def narrowed(rules: R, kernel: Kernel[R]) -> R:
    """A copy of some rules that contains only the options that a kernel declares."""
    full: Any = type(rules)
    narrow: type[R] = _narrow_class(full, kernel)
    copy = object.__new__(narrow)
    declared = kernel.reads | set(kernel.assumes)
    vars(copy).update({name: value for name, value in vars(rules).items() if name in declared})
    return copy


@cache
def _narrow_class(rules: type[Any], kernel: Kernel[Any]) -> Any:
    """A subclass of the rules in which undeclared options raise, also when the rules' own methods read them."""
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
