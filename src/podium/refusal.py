"""The expected answer to something that the rules do not allow."""


class Refused(Exception):
    """One sentence for a person: what is wrong, by which clause or option, and what would be accepted.

    Whoever raises it has changed nothing.
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""
