"""What nobody may see, for tests that search for it in what people are shown."""

from podium.basics.cards import Card
from podium.house.table import Table


def hole_card(table: Table) -> Card | None:
    """The dealer's hole card while it lies face down, where the house knows it: under the seal or, in a round that an
    earlier version dealt, in the round itself (CARD-4)."""
    if table.round is None or not table.round.dealt_for or table.round.dealing.face_down() is None:
        return None
    found: Card | None = table.face_down or getattr(table.round.dealing, "_hole", None)
    return found
