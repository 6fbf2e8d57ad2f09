"""The expected answer to something that the rules do not allow."""

from podium.basics.reasons import Reason


class Refused(Exception):
    """One sentence for a person: what is wrong, by which clause or option, and what would be accepted.

    Whoever raises it has changed nothing. What players and dealers meet comes as a reason, or with one (`why`), so that
    their terminals can say it in any language.
    """

    def __init__(self, sentence: str | Reason, why: Reason | None = None) -> None:
        super().__init__(sentence)
        self.why = sentence if isinstance(sentence, Reason) else why

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


LONGEST = 80


def shortened(text: str) -> str:
    """What somebody wrote, as it is repeated to them: a sentence does not grow with what it refuses.

    >>> shortened("x" * 1000)[-12:]
    'xxxxxxxx ...'
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
