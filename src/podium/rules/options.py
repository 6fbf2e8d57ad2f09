"""Options: a rule that can be chosen, with its clause, its values and its words, in one place.

The rules of a game are a frozen dataclass whose fields are made by `option`. The annotation says which values there
are, so a field is the whole definition: `surrender: Literal["on", "off"] = option("on", clause="SBJ 5.f", says={...})`.
A game that varies another inherits its rules and writes again only what differs; words that it leaves out are
inherited. A field with a single value is a rule that the document fixes.

The words of an option have the keys `option.surrender.on`, a sentence for each value, or `option.chip`, one sentence in
which the value is a fact. A class that gives an option other words has keys of its own, like
`option.double_adds.dynasty.2`.
"""

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from podium.basics.refusal import Refused, shortened
from podium.basics.words import ENGLISH, Phrase, Plural, Words, either, english, fact, facts_in

Says = Words | Mapping[Any, Words]
"""One sentence for every value, in which the value is a fact under the option's name; or a sentence for each case."""

NOT_SAID: Final = object()
"""Marks a value that an option does not have."""


def option(
    default: Any,
    *,
    clause: str,
    says: Says | None = None,
    case: Callable[[Any], Any] | None = None,
    facts: Callable[[Any], Mapping[str, object]] | None = None,
    reads: Callable[[Any], Any] | None = None,
    accepts: str = "",
    values: tuple[Any, ...] = (),
    examples: tuple[Any, ...] = (),
    chapter: str = "",
    fixed: bool = False,
    affects_returns: bool | None = None,
    neutral: Any = NOT_SAID,
) -> Any:
    """A field of a rules class. `says` has the words for the player.

    A sentence is found by the value, or by what `case` makes of the value, and is given the facts that `facts` makes of
    it, or the value alone. `chapter` is the chapter of the rules of play that ends with it, unless one speaks of it before.

    Values that the annotation cannot list (a range, a table) come with `reads`, which turns what was written into the
    value or refuses it, and `accepts`, which names in words what it takes; `values` are those that are always there,
    and `examples` some of the others. `fixed` says that the document leaves no choice, where the annotation has no
    single value to say it.

    The mathematics refuses an option that it does not read, unless `affects_returns=False` says that no wager returns more or
    less because of it, or its value is `neutral`: the one at which the game is played as if there were no such option.
    """
    meta = {
        "clause": clause,
        "says": says,
        "case": case,
        "facts": facts,
        "reads": reads,
        "accepts": accepts,
        "values": values,
        "examples": examples,
        "chapter": chapter,
        "fixed": fixed,
        "affects_returns": affects_returns,
        "neutral": neutral,
    }
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: default, metadata=meta)
    return dataclasses.field(default=default, metadata=meta)


@dataclasses.dataclass(frozen=True, slots=True)
class Wording:
    """How the value of an option is said; a class that gives an option other words has its own key."""

    name: str
    key: str
    says: Says
    case: Callable[[Any], Any] | None
    facts: Callable[[Any], Mapping[str, object]] | None

    def declare(self) -> None:
        """Declares the English."""
        if isinstance(self.says, str | Plural):
            english("option", {self.key: self.says})
        else:
            english("option", {self._of_case(case): words for case, words in self.says.items()})

    def phrase(self, value: Any) -> Phrase:
        """What a value means."""
        if isinstance(self.says, str | Plural):
            key, words = self.key, self.says
        else:
            case = self.case(value) if self.case else value
            if case not in self.says:
                raise TypeError(f"The option {self.name} has no words for {written(value)}: add them to says={{...}}.")
            key, words = self._of_case(case), self.says[case]
        given = self.facts(value) if self.facts else {self.name: value}
        used = {name for name, _ in facts_in(words)}
        return Phrase(f"option.{key}", {name: fact(each) for name, each in given.items() if name in used})

    def _of_case(self, case: Any) -> str:
        return f"{self.key}.{str(case).lower() if isinstance(case, bool) else case}"


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """One rule of a game, to be shown, checked or printed."""

    name: str
    default: Any
    values: tuple[Any, ...]
    """The values that can be listed, the default first."""
    examples: tuple[Any, ...]
    """Some of the values, where not all can be listed."""
    clause: str
    chapter: str
    accepts: str
    affects_returns: bool
    """Whether some wager may return more or less because of it."""
    neutral: Any
    """The value at which the game is played as if there were no such option; `NOT_SAID` where there is none."""
    _wording: Wording
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
    def takes(self) -> Phrase:
        """Its possible values, in words."""
        if not self.accepts or self.fixed:
            return either(written(value) for value in self.values)
        key = f"option.{self.name}.accepts"
        if "{values}" not in self.accepts:
            return Phrase(key)
        return Phrase(key, {"values": either(map(str, self.values))})

    def is_neutral(self, value: Any) -> bool:
        """Whether the game is played as if there were no such option."""
        return self.neutral is not NOT_SAID and type(value) is type(self.neutral) and bool(value == self.neutral)

    @property
    def allowed(self) -> str:
        """The same in English."""
        return ENGLISH.say(self.takes)

    def says(self, value: Any) -> Phrase:
        """What this value means, in a sentence for the player."""
        return self._wording.phrase(value)

    def read(self, value: Any) -> Any:
        """Reads and checks a value; one that is not allowed is refused, with those that are."""
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
    """A value as a script or a configuration writes it."""
    return json.dumps(value, default=str)


INHERITED = ("reads", "accepts", "values", "examples", "chapter")


_KNOWN: dict[type, dict[str, "Option"]] = {}


def options_of(rules: type) -> dict[str, Option]:
    """All options of a rules class by name, in the order of the rules of play."""
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
        read = Option(
            name=field.name,
            default=default,
            values=_values(field, hints[field.name], default, inherited),
            examples=() if field.metadata["fixed"] else inherited["examples"] or (),
            clause=field.metadata["clause"],
            chapter=inherited["chapter"] or "",
            accepts=inherited["accepts"] or "",
            affects_returns=affects,
            neutral=next((line["neutral"] for line in lines if line["neutral"] is not NOT_SAID), NOT_SAID),
            _wording=_wording(rules, field.name),
            _reads=None if field.metadata["fixed"] else inherited["reads"],
        )
        _check_words(read)
        found[field.name] = read
    return found


def _wording(rules: type, name: str) -> Wording:
    """The words of the nearest class that has some."""
    worded = [(each, line) for each in rules.__mro__ if (line := _declared(each, name)) and line["says"]]
    if not worded:
        raise TypeError(f"The option {name} of {rules.__name__} has no words: give it says=...")
    nearest, line = worded[0]
    first_words = all(line["says"] == other["says"] for _, other in worded)
    key = name if first_words else f"{name}.{_short_name(nearest)}"
    wording = Wording(name, key, line["says"], line["case"], line["facts"])
    wording.declare()
    return wording


def _short_name(rules: type) -> str:
    """`ThreeCardRules` is `three-card`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", rules.__name__.removesuffix("Rules")).lower()


def _check_words(read: Option) -> None:
    """Checks that every value has words, and declares those for what it accepts."""
    for value in (*read.values, *map(read.read, read.examples)):
        read.says(value)
    if read.accepts:
        english("option", {f"{read.name}.accepts": read.accepts})


def _declared(rules: type, name: str) -> Mapping[str, Any] | None:
    """The metadata that this class itself gives to a field, not what it inherits."""
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
