"""What a rulebook is made of, and the draft that it is written on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.rules.games import Game
from podium.rules.options import written


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule in words, with the clause of the document that it comes from, where there is one."""

    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A paytable or the settings of a table: rows of words under a title."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Section:
    """A chapter of the rules."""

    title: str
    parts: list[Sentence | RuleTable] = field(default_factory=list)

    def numbered(self, number: int) -> Iterator[tuple[str, Sentence | RuleTable]]:
        """Each part with its number; a table goes with the sentence before it and has none."""
        count = 0
        for part in self.parts:
            count += isinstance(part, Sentence)
            yield f"{number}.{count}" if isinstance(part, Sentence) else "", part


@dataclass(frozen=True)
class Rulebook:
    """The rules of play of one configuration."""

    game: Game
    sections: tuple[Section, ...]

    def text(self) -> str:
        """The whole of it as plain text, a sentence on each line."""
        lines = [f"{self.game.title}: rules of play"]
        for number, section in enumerate(self.sections, start=1):
            lines += ["", f"{number}. {section.title}"]
            for count, part in section.numbered(number):
                if isinstance(part, Sentence):
                    lines.append(f"{count} {part.text}{f' [{part.clause}]' if part.clause else ''}")
                else:
                    lines += [f"    {part.title}", *(f"        {': '.join(row)}" for row in part.rows)]
        return "\n".join(lines) + "\n"


class Draft:
    """A rulebook while it is written. It knows which options have been spoken of, so that none is forgotten."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sections: list[Section] = []
        self._spoken: set[str] = set()

    def section(self, title: str) -> None:
        self.sections.append(Section(title))

    def say(self, text: str, clause: str = "", **by_game: str) -> None:
        """A sentence, with a clause or with the number of the clause for each game: `SBJ="5.a", MUB="13.b"`."""
        number = by_game.get(self.game.short)
        self.sections[-1].parts.append(Sentence(text, f"{self.game.short} {number}" if number else clause))

    def rule(self, name: str, *, as_if: Any = None) -> None:
        """An option in its own words; in those of another value where it comes to the same in this configuration."""
        option = self.game.options[name]
        value = getattr(self.game.rules, name) if as_if is None else as_if
        self._spoken.add(name)
        self.say(option.says(value), option.clause)

    def leave_out(self, *names: str) -> None:
        """Options that mean nothing in this configuration: how to double where doubling is not offered."""
        self._spoken.update(names)

    def table(self, title: str, rows: Sequence[tuple[str, ...]]) -> None:
        self.sections[-1].parts.append(RuleTable(title, tuple(rows)))

    def finish(self) -> Rulebook:
        """Whatever was not spoken of has its say, and the settings are listed as they are entered."""
        if rest := [name for name in self.game.options if name not in self._spoken]:
            self.section("Further rules")
            for name in rest:
                self.rule(name)
        self._list_settings()
        return Rulebook(self.game, tuple(self.sections))

    def _list_settings(self) -> None:
        self.section("The settings of this table")
        self.say("These are the settings from which these rules were written, each with the clause that it belongs to.")
        self.table(
            self.game.name,
            [
                (name, written(getattr(self.game.rules, name)), option.clause)
                for name, option in self.game.options.items()
                if not option.fixed
            ],
        )
        self.say(f"The fingerprint of these rules is {self.game.fingerprint}; any change of a rule changes it.")
