"""The expected answer to something that the rules do not allow."""

from typing import Any

from podium.basics.words import Phrase, english, phrase, shortened

__all__ = ["Refused", "shortened"]

english("refused", {"in-words": "{words}"})


class Refused(Exception):
    """What is wrong, by which clause or option, and what would be accepted: a key with facts, said in any language.

    `Refused("seat-taken", seat=3)` says the words declared as `refused.seat-taken`. Whoever raises it has changed nothing.
    """

    def __init__(self, key: str | Phrase, why: Phrase | None = None, *, clause: str = "", **facts: object) -> None:
        if isinstance(key, str):
            in_words = " " in key
            said = (
                phrase("refused.in-words", words=key) if in_words else phrase(f"refused.{key}", clause=clause, **facts)
            )
        else:
            said = key
        super().__init__(said)
        self.phrase: Phrase = said
        self.why = why if why is not None else None if said.key == "refused.in-words" else said

    def __str__(self) -> str:
        words: Any = self.phrase.facts.get("words")
        return words if self.phrase.key == "refused.in-words" else str(self.phrase)

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (self.phrase, self.why)
