"""How a connection ends."""

from enum import IntEnum


class CloseCode(IntEnum):
    """How a connection ended, by the numbers of RFC 6455 7.4. A terminal reconnects by itself only after some of them."""

    DONE = 1000
    GOING_AWAY = 1001
    BROKEN = 1002
    """The WebSocket protocol was violated."""
    NOT_TEXT = 1003
    NOT_UTF8 = 1007
    NOT_ALLOWED = 1008
    TOO_BIG = 1009
    MISTAKE = 1011
    """A failure of the house itself."""
    LATER = 1013

    @property
    def come_back(self) -> bool:
        """Whether connecting again may help: not after the terminal's own mistake, nor after the house ended the session."""
        return self in {CloseCode.GOING_AWAY, CloseCode.MISTAKE, CloseCode.LATER}
