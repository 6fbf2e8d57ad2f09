"""`Refused`: the expected answer to something that the rules do not allow."""

from typing import Any, Self

from podium.basics.words import Phrase, phrase, shortened

__all__ = ["Later", "Refused", "shortened"]


class Refused(Exception):
    """What is wrong, by which clause or option, and what would be accepted: a key with facts, said in any language.

    `Refused("seat-taken", seat=3)` says the words declared as `refused.seat-taken`. The code that raises it has changed nothing,
    and nothing is put into words before somebody asks for the sentence.
    """

    phrase: Phrase

    def __init__(self, key: str, /, *, clause: str = "", **facts: object) -> None:
        self.phrase = phrase(f"refused.{key}", clause=clause, **facts)
        super().__init__(self.phrase)

    @classmethod
    def saying(cls, said: Phrase) -> Self:
        """Makes a refusal from a phrase that came from another process or over the wire."""
        refused = cls.__new__(cls, said)
        refused.phrase = said
        return refused

    @property
    def key(self) -> str:
        """The key that it was raised with: `seat-taken`."""
        return self.phrase.key.removeprefix("refused.")

    def __str__(self) -> str:
        return str(self.phrase)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).saying, (self.phrase,)


class Later(Refused):
    """Refused for the moment: the same request, made again soon, may be granted."""
