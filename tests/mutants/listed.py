"""The listed faults: read from `listed.toml`, and put into a copy of the program."""

import tomllib
from pathlib import Path
from typing import Final

import msgspec

ROOT: Final = Path(__file__).parent.parent.parent
LIST: Final = Path(__file__).parent / "listed.toml"


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault: in a file, a text becomes another."""

    id: str
    """The standard that the line implements."""
    says: str
    """What goes wrong because of it."""
    file: str
    was: str
    becomes: str
    tests: tuple[str, ...]
    """The tests that find it, each as `file::name`."""

    @property
    def in_terminals(self) -> bool:
        """Whether the fault is in the web terminals, so that their own tests find it."""
        return self.file.startswith("web/")

    def put_into(self, copy: Path) -> None:
        """Changes the file below `copy`. The text must occur there exactly once."""
        file = copy / self.file
        text = file.read_text(encoding="utf-8")
        if text.count(self.was) != 1:
            raise ValueError(f"{self.file} has {self.was!r} {text.count(self.was)} times: correct {LIST.name}.")
        file.write_text(text.replace(self.was, self.becomes), encoding="utf-8")


def listed() -> list[Mutant]:
    """Every mutant of the list, in its order."""
    return msgspec.convert(tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"], list[Mutant])
