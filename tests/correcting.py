"""A correction of one card, as most tests need it."""

from podium.basics.cards import Card
from podium.house.table import Table
from podium.house.table.correcting import Fix
from podium.play.reasons import Reason


def correct_card(
    table: Table, number: int, card: Card, now: int, *, by: str, reason: str, approved_by: str = ""
) -> None:
    """CARD-2: replaces a wrong card with the right one."""
    table.correct_cards([Fix("replace", number, card)], now, by=by, reason=Reason("", reason), approved_by=approved_by)
