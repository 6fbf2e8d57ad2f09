"""How a connection ends."""

from enum import IntEnum


class CloseCode(IntEnum):
    """How a connection ended, by the numbers of RFC 6455 7.4. A terminal reconnects by itself only after some of them."""

    DONE = 1000
    """The house ended the session or the seat of this terminal: signed out, connected elsewhere, not signed in."""
    GOING_AWAY = 1001
    """The house is closing."""
    BROKEN = 1002
    """The WebSocket protocol was violated."""
    NOT_TEXT = 1003
    """A message was binary."""
    NOT_UTF8 = 1007
    """A message was not UTF-8."""
    NOT_ALLOWED = 1008
    """The terminal sent too many messages."""
    TOO_BIG = 1009
    """A message was too long."""
    MISTAKE = 1011
    """A failure of the house itself."""
    LATER = 1013
    """The house is full, or the terminal was silent or did not read for too long."""

    @property
    def come_back(self) -> bool:
        """Whether connecting again may help: not after a mistake of the terminal's own, nor after the house ended the
        session."""
        return self in {CloseCode.GOING_AWAY, CloseCode.MISTAKE, CloseCode.LATER}
