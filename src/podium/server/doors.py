"""The doors of the house: who comes in, and as what."""

from collections.abc import Callable
from typing import Final

from podium.ledger import account
from podium.refusal import Refused
from podium.server.floor import Floor, Who
from podium.server.tokens import Tokens

DEMONSTRATION_CAGE: Final = account("cage", "demonstration")
"""Guests play with money of its own, apart from the cage's."""


class Doors:
    """Knows everybody who may come in. The floor asks it who sits at a terminal."""

    def __init__(self, tokens: Tokens, entropy: Callable[[int], bytes]) -> None:
        self._tokens: Final = tokens
        self._entropy: Final = entropy
        self.floor: Floor | None = None

    # --- what the floor asks ----------------------------------------------------------------------------------------

    def identify(self, token: str, now: int) -> Who | None:
        claim = self._tokens.read(token, now)
        return None if claim is None else Who(claim.name, claim.role)

    def approve(self, code: str, now: int) -> str:
        raise Refused("No supervisor is known by that code.")

    def terminal_token(self, cookie: str, wanted: str, now: int) -> str | None:
        """The token for a terminal's WebSocket: of whoever signed in, or of a display, which shows only what is public."""
        if wanted == "display":
            return self._tokens.issue("display", "display", now)
        return cookie if self.identify(cookie, now) is not None else None

    # --- coming in --------------------------------------------------------------------------------------------------

    async def guest(self) -> tuple[Who, str]:
        """A guest with play money, where the house receives guests."""
        floor = self._floor
        config = floor.house.config
        if not config.guests:
            raise Refused("This house receives no guests: sign in with your card or a ticket.")
        name = f"guest-{self._entropy(5).hex()}"

        def admit(now: int) -> None:
            floor.house.admit(name, "guest", now)
            if config.guest_credit:
                floor.house.pay_in(
                    name, config.guest_credit, now, key=f"welcome.{name}", by="house", source=DEMONSTRATION_CAGE
                )

        await floor.in_house(admit)
        return Who(name, "player"), self._tokens.issue(name, "player", floor.clock())

    async def sign_in(self, name: str, password: str) -> tuple[Who, str]:
        raise Refused("Nobody is known by that name and password.")

    @property
    def _floor(self) -> Floor:
        if self.floor is None:
            raise Refused("The house is not open yet.")
        return self.floor
