"""The parts of a rulebook, and the draft for writing one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from podium.basics.words import ENGLISH, Language, Phrase, as_written, english, fact, phrase
from podium.rules.dealing.sentence import Sentence
from podium.rules.games import Game
from podium.rules.options import written

english(
    "rules",
    {
        "title": "{game:game}: rules of play",
        "further.title": "Further rules",
        "settings.title": "The settings of this table",
        "settings.listed": "These rules were written from the following settings. Each is listed with its clause.",
        "settings.fingerprint": "The fingerprint of these rules is {fingerprint}; any change of a rule changes it.",
    },
)


class RuleTable(msgspec.Struct, frozen=True):
    """A paytable, or the settings of a table."""

    title: Phrase
    rows: tuple[tuple[Phrase, ...], ...]


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule: a sentence or a few, with the table that belongs to them."""

    number: str
    """The chapter's number and its own, the same in every language: `3.2`."""
    said: Phrase
    clause: str = ""
    """The clause of the document that it comes from, where there is one."""
    table: RuleTable | None = None


class Chapter(msgspec.Struct, frozen=True):
    """Rules under a title."""

    number: int
    title: Phrase
    parts: tuple[Rule, ...]


class Rulebook(msgspec.Struct, frozen=True):
    """The rules of play of one configuration."""

    title: Phrase
    chapters: tuple[Chapter, ...]

    def text(self, language: Language = ENGLISH) -> str:
        """The rulebook as plain text, one rule per line."""
        return "\n".join(self._lines(language)) + "\n"

    def with_chapter(self, title: Phrase, rules: Iterable[tuple[Phrase, str]]) -> "Rulebook":
        """The same with a further chapter: what the table decides, each sentence with its clause."""
        number = len(self.chapters) + 1
        parts = (Rule(f"{number}.{at}", said, clause) for at, (said, clause) in enumerate(rules, start=1))
        return Rulebook(self.title, (*self.chapters, Chapter(number, title, tuple(parts))))

    def _lines(self, language: Language) -> Iterator[str]:
        yield language.heading(self.title)
        for chapter in self.chapters:
            yield ""
            yield f"{chapter.number}. {language.heading(chapter.title)}"
            for rule in chapter.parts:
                clause = f" [{rule.clause}]" if rule.clause else ""
                yield f"{rule.number} {language.sentence(rule.said)}{clause}"
                if rule.table is not None:
                    yield f"    {language.heading(rule.table.title)}"
                    for label, *cells in rule.table.rows:
                        yield f"        {': '.join([language.heading(label), *map(language.say, cells)])}"


class Draft:
    """A rulebook while it is written. It keeps track of the options that have been mentioned, so that none is forgotten."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._chapters: list[tuple[str, list[Rule]]] = []
        self._spoken: set[str] = set()

    def chapter(self, name: str) -> None:
        self._end_chapter()
        self._chapters.append((name, []))

    def _end_chapter(self) -> None:
        """Adds the options of a chapter that it has not mentioned yet."""
        for name, option in self.game.options.items() if self._chapters else ():
            if option.chapter == self._chapters[-1][0] and name not in self._spoken:
                self.option(name)

    def say(self, key: str, *, clause: str = "", **facts: object) -> None:
        """Adds a sentence, with the game's clause for it or else with this one."""
        number = self.game.clauses.get(key)
        said = Phrase(f"rules.{key}", {name: fact(value) for name, value in facts.items()})
        self._add(said, f"{self.game.short} {number}" if number else clause)

    def say_if_written(self, key: str) -> bool:
        """Adds a sentence if the game's document has a clause for it."""
        is_written = key in self.game.clauses
        if is_written:
            self.say(key)
        return is_written

    def introduce(self) -> None:
        """Adds the sentence that the rules begin with; the way of dealing has it."""
        self.say(self.game.dealing.introduction, game=self.game.name)

    def describe(self, sentences: Iterable[Sentence]) -> None:
        """Adds the sentences of the way of dealing."""
        for key, facts, only_if_written in sentences:
            if not only_if_written or key in self.game.clauses:
                self.say(key, clause="", **facts)

    def option(self, name: str, *, as_if: Any = None) -> None:
        """Adds an option in its own words, or in those of another value that means the same in this configuration."""
        option = self.game.options[name]
        value = getattr(self.game.rules, name) if as_if is None else as_if
        self._spoken.add(name)
        self._add(option.says(value), option.clause)

    def leave_out(self, *names: str) -> None:
        """Skips options without meaning in this configuration: how to double where doubling is not offered."""
        self._spoken.update(names)

    def quote(self, said: Phrase, clause: str) -> None:
        """Adds the words of a bet."""
        self._add(said, clause)

    def table(self, title: Phrase, rows: Sequence[Sequence[Phrase]]) -> None:
        """Adds a table to the last rule."""
        rules = self._chapters[-1][1]
        rules[-1] = msgspec.structs.replace(rules[-1], table=RuleTable(title, tuple(tuple(row) for row in rows)))

    def finish(self) -> Rulebook:
        """Adds the options that were not mentioned yet, and the list of settings."""
        self._end_chapter()
        if rest := [name for name in self.game.options if name not in self._spoken]:
            self.chapter("further")
            for name in rest:
                self.option(name)
        self._list_settings()
        chapters = (
            Chapter(number, Phrase(f"rules.{name}.title"), tuple(rules))
            for number, (name, rules) in enumerate(self._chapters, start=1)
        )
        return Rulebook(phrase("rules.title", game=self.game.name), tuple(chapters))

    def _add(self, said: Phrase, clause: str) -> None:
        rules = self._chapters[-1][1]
        rules.append(Rule(f"{len(self._chapters)}.{len(rules) + 1}", said, clause))

    def _list_settings(self) -> None:
        self.chapter("settings")
        self.say("settings.listed")
        rows = [
            [as_written(name), as_written(written(getattr(self.game.rules, name))), as_written(option.clause)]
            for name, option in self.game.options.items()
            if not option.fixed
        ]
        self.table(as_written(self.game.name), rows)
        self.say("settings.fingerprint", fingerprint=self.game.fingerprint)


T = TypeVar("T")


def nearest(by_class: Mapping[type, T], kind: type) -> T:
    """The entry of a class, or else of the nearest base class."""
    return next(by_class[each] for each in kind.__mro__ if each in by_class)
