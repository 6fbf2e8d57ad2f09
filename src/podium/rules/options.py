"""Options: a rule that can be chosen, with its clause, its values and its words, in one place.

The rules of a game are a frozen dataclass whose fields are made by `option`. The annotation says which values there
are, so a field is the whole definition: `surrender: Literal["on", "off"] = option("on", clause="SBJ 5.f", says={...})`.
A game that varies another inherits its rules and writes again only what differs; words that it leaves out are
inherited. A field with a single value is a rule that the document fixes.
"""

import dataclasses
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english

Says = Mapping[Any, str] | Callable[[Any], str]

NOT_SAID: Final = object()
"""Stands for a value that an option does not give."""


def option(
    default: Any,
    *,
    clause: str,
    says: Says | None = None,
    reads: Callable[[Any], Any] | None = None,
    accepts: str = "",
    values: tuple[Any, ...] = (),
    fixed: bool = False,
    affects_returns: bool | None = None,
    neutral: Any = NOT_SAID,
) -> Any:
    """A field of a rules class. `says` has the words for the player, by value or made from it.

    Values that the annotation cannot list (a range, a table) come with `reads`, which turns what was written into the
    value or refuses it, and `accepts`, which names in words what it takes; `values` are those that are always there.
    `fixed` says that the document leaves no choice, where the annotation has no single value to say it.

    The mathematics refuses an option that it does not read, unless `affects_returns=False` says that no wager returns more or
    less because of it, or its value is `neutral`: the one at which the game is played as if there were no such option.
    """
    meta = {
        "clause": clause,
        "says": says,
        "reads": reads,
        "accepts": accepts,
        "values": values,
        "fixed": fixed,
        "affects_returns": affects_returns,
        "neutral": neutral,
    }
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: default, metadata=meta)
    return dataclasses.field(default=default, metadata=meta)


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """One rule of a game, for whoever shows, checks or prints it."""

    name: str
    default: Any
    values: tuple[Any, ...]
    """The values that can be listed, the default first."""
    clause: str
    accepts: str
    affects_returns: bool
    """Whether some wager may return more or less because of it."""
    neutral: Any
    """The value at which the game is played as if there were no such option; `NOT_SAID` where there is none."""
    _says: Says | None
    _reads: Callable[[Any], Any] | None

    @property
    def fixed(self) -> bool:
        return len(self.values) == 1 and self._reads is None

    @property
    def type(self) -> str:
        """The kind of value, as JSON names it."""
        kinds = {bool: "boolean", int: "integer", str: "string", tuple: "array", dict: "object"}
        return kinds[type(self.default)]

    @property
    def allowed(self) -> str:
        if self.accepts and not self.fixed:
            return self.accepts
        *others, last = [written(value) for value in self.values]
        return f"{', '.join(others)} or {last}" if others else last

    def is_neutral(self, value: Any) -> bool:
        """Whether the game is played as if there were no such option."""
        return self.neutral is not NOT_SAID and type(value) is type(self.neutral) and bool(value == self.neutral)

    def says(self, value: Any) -> str:
        """What this value means, in a sentence for the player; empty where the rules say it elsewhere."""
        if self._says is None:
            return ""
        return self._says(value) if callable(self._says) else self._says[value]

    def read(self, value: Any) -> Any:
        """The value that was written, checked; a value that is not allowed is refused with those that are."""
        if self._reads is not None:
            try:
                return self._reads(value)
            except Refused as refusal:
                said = shortened(written(value))
                raise Refused("option-value", option=self.name, value=said, why=refusal.phrase) from None
        for known in self.values:
            if known == value and type(known) is type(value):
                return known
            if isinstance(known, tuple) and isinstance(value, list) and list(known) == value:
                return known
        raise Refused(
            "option-fixed" if self.fixed else "option-values",
            option=self.name,
            value=shortened(written(value)),
            clause=self.clause,
            values=[written(known) for known in self.values],
        )


def written(value: Any) -> str:
    """A value as it stands in a script or a configuration."""
    return json.dumps(value, default=str)


INHERITED = ("says", "reads", "accepts", "values")


_KNOWN: dict[type, dict[str, "Option"]] = {}


def options_of(rules: type) -> dict[str, Option]:
    """All the rules of a rules class by name, in the order in which they are read out."""
    if rules not in _KNOWN:
        _KNOWN[rules] = _read_options(rules)
    return _KNOWN[rules]


def _read_options(rules: type) -> dict[str, Option]:
    hints = get_type_hints(rules)
    found = {}
    for field in dataclasses.fields(rules):
        lines = [line for line in (_declared(parent, field.name) for parent in rules.__mro__) if line is not None]
        inherited = {key: next((line[key] for line in lines if line[key]), None) for key in INHERITED}
        affects = next((line["affects_returns"] for line in lines if line["affects_returns"] is not None), True)
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        found[field.name] = Option(
            name=field.name,
            default=default,
            values=_values(field, hints[field.name], default, inherited),
            clause=field.metadata["clause"],
            accepts=inherited["accepts"] or "",
            affects_returns=affects,
            neutral=next((line["neutral"] for line in lines if line["neutral"] is not NOT_SAID), NOT_SAID),
            _says=inherited["says"],
            _reads=None if field.metadata["fixed"] else inherited["reads"],
        )
    return found


def _declared(rules: type, name: str) -> Mapping[str, Any] | None:
    """The metadata that this very class gives to a field, not what it inherits."""
    if not dataclasses.is_dataclass(rules) or name not in inspect.get_annotations(rules):
        return None
    return next(field.metadata for field in dataclasses.fields(rules) if field.name == name)


def _values(field: Any, annotation: Any, default: Any, inherited: Mapping[str, Any]) -> tuple[Any, ...]:
    if field.metadata["fixed"]:
        return (default,)
    if inherited["reads"] is not None:
        return inherited["values"] or ()
    if annotation is bool:
        return (default, not default)
    if get_origin(annotation) is Literal:
        return (default, *(value for value in get_args(annotation) if value != default))
    raise TypeError(f"an option of type {annotation} needs `reads`")


english(
    "refused",
    {
        "option-value": "{option} = {value}: {why}.",
        "option-fixed": "{option} = {value} is not allowed ({clause}): it is always {values}.",
        "option-values": "{option} = {value} is not allowed ({clause}). Allowed values: {values}.",
    },
)
