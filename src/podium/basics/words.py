"""Phrases: rooms and processes exchange facts, not sentences. A phrase is a key with typed facts, and each language says it.

English is in the code, beside the rule, bet or refusal that it belongs to, and is declared with `english`. The other
languages are one file each in `languages/`, with the same keys; `make words` collects English into a file of the same
form. A sentence names its facts and how to say them: `Wagers of {staked:money} exceed the credit of {credit:money}.`

A key is `family.name`. The families: `refused` and `why` (a refusal, the reason of a settlement), `place`, `hand`, `rank`,
`ranks`, `suit`, `card`, `wager`, `outcome`, `choice` (a button), `decision` (inside a sentence), `awaited` (what a round waits
for), `game`, `role`, `mark` and `pattern` (how a language puts sentences together), and the terminals' own, `ui`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Union

import msgspec

Fact = Union[bool, int, str, "Phrase", list[Union[int, str, "Phrase"]]]
"""A number, an amount in minor units, a card's code, a wager's name, another phrase; or several of them."""


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something to say: which words, the facts in them, and the clause that it comes from where there is one."""

    key: str
    facts: dict[str, Fact] = {}
    clause: str = ""

    def __str__(self) -> str:
        return ENGLISH.sentence(self)


_PLAIN: Final = frozenset({bool, int, str, Phrase})


def phrase(key: str, /, *, clause: str = "", **facts: object) -> Phrase:
    """A phrase from plain values; cards, odds, places and hands say themselves which fact they are.

    >>> phrase("refused.seat-taken", seat=3)
    Phrase(key='refused.seat-taken', facts={'seat': 3}, clause='')
    """
    return Phrase(key, {name: fact(value) for name, value in facts.items()}, clause)


def fact(value: Any) -> Fact:
    """Converts a value to a fact of a phrase."""
    if type(value) in _PLAIN:
        plain: Fact = value
        return plain
    if hasattr(value, "as_fact"):
        said: Fact = value.as_fact()
        return said
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, Iterable):
        return [fact(each) for each in value]  # type: ignore[misc]
    return str(value)


# --- what a language is ----------------------------------------------------------------------------------------------


class Plural(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that depend on a number: `Plural("seats", one="one seat", other="{seats} seats")`."""

    by: str
    one: str
    other: str


Words = str | Plural
"""What a language says under a key."""

_PLACE: Final = re.compile(r"\{(\w+)(?::([a-z-]+))?\}")
_STOPS: Final = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
_ENDS: Final = (*_STOPS, "\u2026", ":", "\uff1a")


class _Blank(NamedTuple):
    """The place of a fact in a sentence, and the form in which it is said."""

    name: str
    kind: str


@cache
def _pieces(words: str) -> tuple[str | _Blank, ...]:
    """A sentence as its texts and blanks, in order."""
    pieces: list[str | _Blank] = []
    end = 0
    for place in _PLACE.finditer(words):
        pieces += [words[end : place.start()], _Blank(place[1], place[2] or "")]
        end = place.end()
    return tuple(piece for piece in (*pieces, words[end:]) if piece)


def facts_in(words: Words) -> set[tuple[str, str]]:
    """The facts that words use, each with the kind that says it.

    >>> sorted(facts_in("{wager:wager} of {amount:money}"))
    [('amount', 'money'), ('wager', 'wager')]
    """
    texts = [words] if isinstance(words, str) else [words.one, words.other]
    used = {(name, kind or "") for text in texts for name, kind in _PLACE.findall(text)}
    if isinstance(words, Plural) and not any(name == words.by for name, _ in used):
        used.add((words.by, ""))
    return used


class Language:
    """One language: words by key, and how its sentences, lists and numbers are put together."""

    def __init__(self, code: str, words: Mapping[str, Words]) -> None:
        self.code: Final = code
        self._words: Final = words
        # The same few thousand reasons recur; `typed`, because 1 and True are said differently.
        self._said: Final = lru_cache(maxsize=4096, typed=True)(self._say_sentence)

    def __contains__(self, key: str) -> bool:
        return key in self._words

    def sentence(self, said: Phrase) -> str:
        """A phrase as a sentence of its own: with a capital letter, its clause and a full stop."""
        try:
            return self._said(said.key, said.clause, **said.facts)  # type: ignore[arg-type]
        except TypeError:  # a list or a phrase among the facts cannot be looked up
            return self._say_sentence(said.key, said.clause, **said.facts)

    def _say_sentence(self, key: str, clause: str, /, **facts: Fact) -> str:
        said = Phrase(key, facts, clause)
        text = self.say(said)
        if text[:1].islower() and not self._begins_with_a_name(said):
            text = text[:1].upper() + text[1:]
        return text if text.endswith(_ENDS) else f"{text}{self.text('mark.stop')}"

    def _begins_with_a_name(self, said: Phrase) -> bool:
        """Whether the words begin with a name, which is repeated as it was written."""
        first = next(iter(_pieces(self._chosen(said))), "")
        return isinstance(first, _Blank) and not first.kind and isinstance(said.facts.get(first.name), str)

    def heading(self, said: Phrase) -> str:
        """A phrase that stands alone and is not a sentence: a title, a label, the first cell of a row."""
        text = self.say(said)
        return text if said.key == AS_WRITTEN else text[:1].upper() + text[1:]

    def say(self, said: Phrase) -> str:
        """A phrase inside a sentence."""
        words = self._chosen(said)
        if said.clause and "{clause}" not in words:
            stop = words[-1] if words.endswith(_STOPS) else ""
            words = f"{words.removesuffix(stop)}{self.text('mark.clause')}{stop}"
        facts = said.facts if not said.clause else {**said.facts, "clause": said.clause}
        return "".join(
            [piece if type(piece) is str else self.fact(facts[piece[0]], piece[1]) for piece in _pieces(words)]
        )

    def _chosen(self, said: Phrase) -> str:
        words = self._words[said.key]
        if isinstance(words, Plural):
            return words.one if said.facts[words.by] == 1 else words.other
        return words

    def text(self, key: str) -> str:
        """Words without facts."""
        words = self._words[key]
        assert isinstance(words, str)
        return words

    def name(self, family: str, name: str) -> str:
        """The name of a wager, a choice or an outcome; its key if the language has no name for it."""
        key = f"{family}.{name}"
        return self.text(key) if key in self._words else name

    def filled(self, key: str, **facts: Fact) -> str:
        return self.say(Phrase(key, facts))

    def fact(self, value: Fact, kind: str = "") -> str:
        """A fact as words of this language."""
        if isinstance(value, list):
            return self.text("mark.list").join(self.fact(each, kind) for each in value)
        if isinstance(value, Phrase):
            return self.say(value).rstrip("".join(_ENDS))
        return KINDS[kind](self, value)


# --- how facts are said ----------------------------------------------------------------------------------------------


def money(minor_units: int) -> str:
    """An amount as people read it.

    >>> money(123456)
    '1,234.56'
    >>> money(-5)
    '-0.05'
    """
    sign = "-" if minor_units < 0 else ""
    units, cents = divmod(abs(minor_units), 100)
    return f"{sign}{units:,}.{cents:02d}"


MOST_QUOTED_CHARACTERS: Final = 80


def shortened(text: str) -> str:
    """User input, shortened so that a refusal does not grow with what it repeats.

    >>> shortened("x" * 1000)[-12:]
    'xxxxxxxx ...'
    """
    if not text.isascii():  # a header may hold lone surrogates, which cannot be encoded
        text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= MOST_QUOTED_CHARACTERS else f"{text[:MOST_QUOTED_CHARACTERS]} ..."


def _quoted(_: Language, text: Any) -> str:
    """Quotes user input; characters that cannot be printed are escaped."""
    signs = (sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in shortened(str(text)))
    return f"'{''.join(signs)}'"


def _wager(language: Language, name: Any) -> str:
    """`pair-plus@row-1` is Pair Plus on row 1."""
    bet, _, line = str(name).partition("@")
    said = language.name("wager", bet)
    if not line:
        return said
    kind, _, number = line.partition("-")
    return language.filled("pattern.on-line", wager=said, line=language.filled(f"pattern.{kind}", n=number))


def _odds(language: Language, odds: Any) -> str:
    pays, _, per = str(odds).partition(":")
    return language.filled("pattern.odds", pays=pays, per=per)


def _named(family: str) -> "Kind":
    return lambda language, value: language.name(family, str(value))


Kind = Callable[[Language, Any], str]
KINDS: Final[dict[str, Kind]] = {
    "": lambda _, value: str(value),
    "money": lambda _, value: money(int(value)),
    "count": lambda _, value: f"{int(value):,}",
    "quoted": _quoted,
    "cards": lambda language, value: language.text("card.down") if value == "?" else str(value),
    "wager": _wager,
    "odds": _odds,
    "choice": _named("choice"),
    "decision": _named("decision"),
    "outcome": _named("outcome"),
    "game": _named("game"),
    "rank": _named("rank"),
    "ranks": _named("ranks"),
    "role": _named("role"),
    "event": _named("report.event"),
    "meter": _named("report.meter"),
}
"""Every way to say a fact, by the name that a sentence gives it: `{staked:money}`."""


AS_WRITTEN: Final = "pattern.as-written"


def as_written(text: str) -> Phrase:
    """A name, a setting or a number that every language writes the same way."""
    return Phrase(AS_WRITTEN, {"text": text})


def either(values: Iterable[str]) -> Phrase:
    """One of several values.

    >>> ENGLISH.say(either(["4", "6", "8"]))
    '4, 6 or 8'
    """
    *others, last = values
    return phrase("pattern.either", others=others, last=last) if others else as_written(last)


# --- the languages ---------------------------------------------------------------------------------------------------


class _Declared(dict[str, Words]):
    """The declared words; for phrases of modules that are not loaded here, the collected file."""

    def __missing__(self, key: str) -> Words:
        """Says an unknown key, from a newer house, as it is written."""
        return _read("en").get(key, key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in _read("en")


_declared: Final = _Declared()


def english(family: str, words: Mapping[str, Words]) -> Mapping[str, Words]:
    """Declares English words, beside what they belong to, under `family.name`. A key has one meaning."""
    for name, said in words.items():
        key = f"{family}.{name}"
        if _declared.setdefault(key, said) != said:
            raise ValueError(f"{key} is declared twice: {_declared[key]!r} and {said!r}")
    return words


def declared() -> Mapping[str, Words]:
    """All English words declared by the modules loaded so far."""
    return _declared


ENGLISH: Final = Language("en", _declared)


def codes() -> list[str]:
    """The codes of the languages."""
    return sorted(path.name.removesuffix(".json") for path in _FOLDER.iterdir() if path.name.endswith(".json"))


class _Translated(dict[str, Words]):
    """The words of another language; English where it has none yet, so that an unfinished translation can be tried."""

    def __missing__(self, key: str) -> Words:
        return _declared[key]


@cache
def language(code: str) -> Language:
    """A language by its code: `en`, `es`, `zh`."""
    return ENGLISH if code == "en" else Language(code, _Translated(_read(code)))


@cache
def _read(code: str) -> dict[str, Words]:
    return msgspec.json.decode((_FOLDER / f"{code}.json").read_bytes(), type=dict[str, Words])


_FOLDER: Final = Path(__file__).parents[1] / "languages"

english(
    "mark",
    {
        "language": "English",
        "stop": ".",
        "list": ", ",
        "clause": " ({clause})",
        "between-sentences": " ",
    },
)
english(
    "pattern",
    {
        "odds": "{pays} to {per}",
        "card": "{rank} of {suit}",
        "row": "row {n}",
        "column": "column {n}",
        "on-line": "{wager}, {line}",
        "as-written": "{text}",
        "either": "{others} or {last}",
    },
)
english("card", {"down": "face down"})
