"""A round as everybody saw it, without cards that were never shown."""

from podium.play.events import CardCorrected, CardDealt, CardReplaced, CardsCorrected, HolePeeked
from podium.play.round import Round
from podium.rules.asking import Peek


def as_seen(played: Round) -> Round:
    """The same round as everybody saw it: a card that lies face down is dealt unknown, and a peek says that it is not a
    blackjack. The results are the same."""
    down = [laid.card is not known for laid, known in zip(played.face_up, played.cards, strict=True)]
    if not any(down):
        return played
    hidden = down.index(True)
    seen = Round(played.game, played.out, taken=True)
    for event in played.events:
        if isinstance(seen.awaits, Peek):
            seen.apply(HolePeeked(blackjack=False))  # a blackjack would have been turned over
        if isinstance(event, CardDealt) and len(seen.face_up) == hidden:
            seen.apply(CardDealt(None))
        elif isinstance(event, CardsCorrected):
            seen.apply(_as_everybody_saw(event, hidden + 1))
        elif not (isinstance(event, CardCorrected) and event.number == hidden + 1):
            seen.apply(event)
    return seen


def _as_everybody_saw(event: CardsCorrected, hidden: int) -> CardsCorrected:
    edits = [
        CardReplaced(hidden, None) if isinstance(edit, CardReplaced) and edit.number == hidden else edit
        for edit in event.edits
    ]
    return CardsCorrected(tuple(edits), event.asks_affected)
