"""What happened in a round, as everybody saw it: phrases for any language."""

from podium.basics.cards import Card
from podium.basics.words import Phrase, english, phrase
from podium.play.events import (
    AnyEdit,
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.rules.asking import LaidCard, read_decision

DOWN = "?"
"""A card that lies face down."""

english(
    "event",
    {
        "bets": "seat {seat} bets {stakes}",
        "takes-back": "seat {seat} takes back its wagers",
        "stake": "{wager:wager} {amount:money}",
        "stake-for-dealer": "{wager:wager} {amount:money} for the dealer",
        "spots": "on locations {spots}",
        "adds-credit": "seat {seat} adds {amount:money} to its credit",
        "no-more-bets": "no more bets",
        "card": "{place}: {card:cards}",
        "shoe-followed": "the shoe has run out: shoe {shoe} follows",
        "peek-blackjack": "the dealer looks: blackjack",
        "peek-none": "the dealer looks: no blackjack",
        "hole-turned": "hole card turned: {card:cards}",
        "decides": "seat {seat} decides: {decision}",
        "time-out": "time runs out",
        "confirmed": "result confirmed",
        "corrected": "card {number} corrected to {card:cards}",
        "card-inserted": "card {number} was missed: {card:cards}",
        "card-removed": "card {number} was entered and not dealt",
        "peek-withdrawn": "the dealer's look at the hole card does not count",
        "void": "round void: {reason}",
    },
)


def decides(seat: int, decision: str) -> Phrase:
    """What a seat decided."""
    return phrase("event.decides", seat=seat, decision=read_decision(decision))


def apply_and_describe(played: Round, event: AnyEvent) -> list[Phrase]:
    """Applies an event, and returns what everybody saw of it. A card that lies face down is not named before it is turned;
    the automated dealer's hole card, which no event turns, is named when it is shown."""
    before = played.face_up
    played.apply(event)
    after = played.face_up
    if isinstance(event, CardsCorrected):
        return [_describe_edit(edit, after) for edit in event.edits]
    if isinstance(event, CardCorrected | HoleTurned):
        return [_describe(event, before, after)]
    turned = [now for was, now in zip(before, after, strict=False) if was.card is None and now.card is not None]
    return [_describe(event, before, after), *(phrase("event.hole-turned", card=laid.card) for laid in turned)]


def _describe_edit(edit: AnyEdit, after: list[LaidCard]) -> Phrase:
    match edit:
        case CardReplaced(number, card):
            return phrase("event.corrected", number=number, card=_face(number, card, after))
        case CardInserted(number, card):
            return phrase("event.card-inserted", number=number, card=_face(number, card, after))
        case CardRemoved(number):
            return phrase("event.card-removed", number=number)
    return phrase("event.peek-withdrawn")


def _face(number: int, card: Card | None, after: list[LaidCard]) -> Card | str:
    """A corrected card, as it lies now."""
    lies = after[number - 1].card if number <= len(after) else card
    return card if card is not None and lies is not None else DOWN


def _describe(event: AnyEvent, before: list[LaidCard], after: list[LaidCard]) -> Phrase:
    match event:
        case WagersPlaced():
            return _bets(event)
        case CreditAdded(seat, amount):
            return phrase("event.adds-credit", seat=seat, amount=amount)
        case BettingClosed():
            return phrase("event.no-more-bets")
        case CardDealt():
            place, card = after[len(before)]
            return phrase("event.card", card=card or DOWN, place=place)
        case ShoeFollowed(shoe):
            return phrase("event.shoe-followed", shoe=shoe)
        case HolePeeked(blackjack):
            return phrase("event.peek-blackjack" if blackjack else "event.peek-none")
        case HoleTurned(card):
            return phrase("event.hole-turned", card=card)
        case Decided(seat, decision):
            return decides(seat, decision)
        case TimeExpired():
            return phrase("event.time-out")
        case Confirmed():
            return phrase("event.confirmed")
        case CardCorrected(number, card):
            lies = after[number - 1].card if number <= len(after) else card
            return phrase("event.corrected", number=number, card=lies or DOWN)
        case CardsCorrected(edits):
            return _describe_edit(edits[0], after)
        case Voided(reason, why):
            return phrase("event.void", reason=Reason(why, reason).fact)


def _bets(event: WagersPlaced) -> Phrase:
    if not event.amounts and not event.for_dealer:
        return phrase("event.takes-back", seat=event.seat)
    stakes = [phrase("event.stake", wager=wager, amount=stake) for wager, stake in event.amounts.items()]
    stakes += [phrase("event.stake-for-dealer", wager=wager, amount=stake) for wager, stake in event.for_dealer.items()]
    if event.spots:
        stakes.append(phrase("event.spots", spots=event.spots))
    return phrase("event.bets", seat=event.seat, stakes=stakes)
