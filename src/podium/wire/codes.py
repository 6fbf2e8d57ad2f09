"""How a connection ends."""

from enum import IntEnum


class CloseCode(IntEnum):
    """How a connection ended, in the numbers of RFC 6455 7.4. A terminal comes back by itself only after some."""

    DONE = 1000
    GOING_AWAY = 1001
    BROKEN = 1002
    """Not the WebSocket protocol."""
    NOT_TEXT = 1003
    NOT_UTF8 = 1007
    NOT_ALLOWED = 1008
    TOO_BIG = 1009
    MISTAKE = 1011
    """The house's own."""
    LATER = 1013

    @property
    def come_back(self) -> bool:
        """Whether connecting again can go better: not after what the terminal did wrong, nor after the house was done."""
        return self in {CloseCode.GOING_AWAY, CloseCode.MISTAKE, CloseCode.LATER}
