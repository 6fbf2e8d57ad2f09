"""What nobody may see, for tests that look for it in what people are shown."""

from podium.basics.cards import Card
from podium.play.round import Round


def hole_card(played: Round) -> Card | None:
    """The dealer's hole card, once the system knows it. No other part of the program can ask for it (CARD-4)."""
    found: Card | None = getattr(played.dealing, "_hole", None)
    return found
