"""The expected answer to something that the rules do not allow."""


class Refused(Exception):
    """One sentence for a person: what is wrong, by which clause or option, and what would be accepted.

    Whoever raises it has changed nothing.
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


LONGEST = 80


def shortened(text: str) -> str:
    """What somebody wrote, as it is repeated to them: a sentence does not grow with what it refuses.

    >>> shortened("x" * 1000)[-12:]
    'xxxxxxxx ...'
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
