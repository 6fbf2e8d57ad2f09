"""The facts that a round is made of, in the past tense. Plain values: this is what the journal stores."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from podium.basics.cards import Card, card


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True, gc=False):
    """Something that happened."""


class TakesBack(Event, frozen=True, kw_only=True):
    """An event that may take back what was paid before."""

    owed: dict[str, int] = {}
    """By account, like `credit/ann`: the amount that it no longer held when the payment was taken back. It becomes a debt of
    the owner."""


class WagersPlaced(Event, frozen=True, tag="wagers-placed"):
    """Everything that a seat stakes in this round; placing again replaces it, and placing nothing takes it back."""

    seat: int
    amounts: dict[str, int] = {}
    for_dealer: dict[str, int] = {}
    spots: tuple[int, ...] = ()
    """Three locations of the nine-card array; the first row when left out."""
    credit: int | None = None
    """The credit before these wagers; None for unlimited."""
    name: str = ""
    terminal: str = ""
    """Where the bet was made: the whole game counts for the meters of that terminal (MTR-1)."""
    device: str = ""
    """The session, which identifies a device that is not an enrolled terminal."""
    shares: int = 0
    """The seat of another box of the same player: both share the most that one player is paid. 0 for none."""


class CreditAdded(Event, frozen=True, tag="credit-added"):
    """A player bought more credit during the round."""

    seat: int
    amount: int


class BettingClosed(Event, frozen=True, tag="betting-closed"):
    """No more bets."""


class CardDealt(Event, frozen=True, tag="card-dealt"):
    """The next card was dealt. None is a card that lies face down."""

    card: Card | None
    sealed: str = ""
    """The face of a card that lies face down, under the house's seal, where somebody entered it (RNG-8). The face of the
    automated dealer's is under the seal of its shoe."""


class ShoeFollowed(Event, frozen=True, tag="shoe-followed"):
    """The shoe ran out in mid-round, and a counted one followed: the next cards come from it (CARD-10)."""

    shoe: int
    cards: int
    by: str = ""
    burned: int = 0
    """How many of its cards were burned at once, unseen."""
    penetration: float = 1


class HolePeeked(Event, frozen=True, tag="hole-peeked"):
    """The dealer looked at an unknown hole card and said whether it makes a blackjack."""

    blackjack: bool


class HoleTurned(Event, frozen=True, tag="hole-turned"):
    """The hole card, dealt unknown, was turned over."""

    card: Card
    corrected: tuple[Card, ...] = ()
    """What was entered for it before and corrected while it lay face down, the first entry first."""


class Decided(Event, frozen=True, tag="decided"):
    """A player decided: `hit`, `double:500`, `split+dealer`."""

    seat: int
    decision: str
    credit: int | None = None
    """What the player could spend at that moment; None where the round keeps the credit itself: in scripts, and in
    journals of earlier versions, in which a player could sit at one table only."""


class TimeExpired(Event, frozen=True, tag="time-expired"):
    """Time ran out for these seats, or for every seat that was asked."""

    seats: tuple[int, ...] | None = None


class Confirmed(TakesBack, frozen=True, tag="confirmed"):
    """The dealer confirmed the result; wagers are paid and the round is over."""


class CardCorrected(TakesBack, frozen=True, tag="card-corrected"):
    """A card was entered wrongly: the card of that number, counted from 1 in the order of dealing, is this one. None is a card
    that lies face down."""

    number: int
    card: Card | None
    sealed: str = ""
    """The face of a card that lies face down, under the house's seal."""


class Edit(msgspec.Struct, frozen=True, tag_field="edit", omit_defaults=True):
    """One change of the cards of a round. Numbers count the cards from 1 in the order of dealing, as the edits before it left
    them."""


class CardReplaced(Edit, frozen=True, tag="replaced"):
    """The card of that number was entered wrongly: it is this one. None is a card that lies face down."""

    number: int
    card: Card | None
    sealed: str = ""
    """The face of a card that lies face down, under the house's seal."""


class CardInserted(Edit, frozen=True, tag="inserted"):
    """A card was dealt but not entered. It gets that number, and the cards after it move up by one."""

    number: int
    card: Card | None
    sealed: str = ""


class CardRemoved(Edit, frozen=True, tag="removed"):
    """The card of that number was entered but never dealt. The cards after it move down by one."""

    number: int


class PeekWithdrawn(Edit, frozen=True, tag="peek-withdrawn"):
    """The dealer's answer about the hole card is withdrawn: the dealer looks again."""


AnyEdit = CardReplaced | CardInserted | CardRemoved | PeekWithdrawn


class CardsCorrected(TakesBack, frozen=True, tag="cards-corrected"):
    """Several edits of the cards, applied together as one correction."""

    edits: tuple[AnyEdit, ...]
    asks_affected: bool = False
    """Whether a player whose own hand changed decides again, if no card was shown since (`after_correction`)."""


class Voided(TakesBack, frozen=True, tag="voided"):
    """The round was voided: every stake goes back."""

    reason: str = ""
    why: str = ""
    """The reason that was chosen from the list (`Reason`); `reason` is what was written besides."""


AnyEvent = (
    WagersPlaced
    | CreditAdded
    | BettingClosed
    | CardDealt
    | ShoeFollowed
    | HolePeeked
    | HoleTurned
    | Decided
    | TimeExpired
    | Confirmed
    | CardCorrected
    | CardsCorrected
    | Voided
)


_TEXT: Final = frozenset({str})


def _is_seat(value: Any) -> bool:
    return type(value) is int and value >= 1


def _are_stakes(value: Any) -> bool:
    return isinstance(value, dict) and _TEXT.issuperset(map(type, value))


def _are_debts(value: Any) -> bool:
    return _are_stakes(value) and all(type(amount) is int and amount > 0 for amount in value.values())


def _is_credit(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_card_or_sealed(card: Any, sealed: Any) -> bool:
    return isinstance(sealed, str) and (card is None or (isinstance(card, Card) and not sealed))


def _is_sound_edit(edit: Any) -> bool:
    match edit:
        case CardReplaced(number, card, sealed) | CardInserted(number, card, sealed):
            return type(number) is int and _is_card_or_sealed(card, sealed)
        case CardRemoved(number):
            return type(number) is int
    return isinstance(edit, PeekWithdrawn)


_SOUND: Final[dict[type, Callable[[Any], bool]]] = {
    WagersPlaced: lambda event: (
        _is_seat(event.seat)
        and _are_stakes(event.amounts)
        and _are_stakes(event.for_dealer)
        and isinstance(event.spots, tuple)
        and _is_credit(event.credit)
        and isinstance(event.name, str)
        and isinstance(event.terminal, str)
        and isinstance(event.device, str)
        and type(event.shares) is int
    ),
    CreditAdded: lambda event: _is_seat(event.seat),
    BettingClosed: lambda _: True,
    CardDealt: lambda event: _is_card_or_sealed(event.card, event.sealed),
    ShoeFollowed: lambda event: (
        _is_seat(event.shoe) and _is_seat(event.cards) and type(event.burned) is int and event.burned >= 0
    ),
    HolePeeked: lambda event: isinstance(event.blackjack, bool),
    HoleTurned: lambda event: (
        isinstance(event.card, Card)
        and isinstance(event.corrected, tuple)
        and all(isinstance(card, Card) for card in event.corrected)
    ),
    Decided: lambda event: (  # there are many: without a call where none is needed
        type(event.seat) is int
        and event.seat >= 1
        and isinstance(event.decision, str)
        and (event.credit is None or _is_credit(event.credit))
    ),
    TimeExpired: lambda event: (
        event.seats is None
        or (
            isinstance(event.seats, tuple)
            and all(map(_is_seat, event.seats))
            and 0 < len(set(event.seats)) == len(event.seats)
        )
    ),
    Confirmed: lambda event: _are_debts(event.owed),
    CardCorrected: lambda event: (
        type(event.number) is int and _is_card_or_sealed(event.card, event.sealed) and _are_debts(event.owed)
    ),
    CardsCorrected: lambda event: (
        isinstance(event.edits, tuple)
        and all(map(_is_sound_edit, event.edits))
        and type(event.asks_affected) is bool
        and _are_debts(event.owed)
    ),
    Voided: lambda event: isinstance(event.reason, str) and isinstance(event.why, str) and _are_debts(event.owed),
}


def is_sound(event: Any) -> bool:
    """Checks that this is an event and that its fields have the right types; the rules are checked later."""
    sound = _SOUND.get(type(event))
    return sound is not None and sound(event)


def write_card(value: Any) -> Any:
    """For the encoder: a card is its code."""
    if isinstance(value, Card):
        return value.code
    raise NotImplementedError(type(value))


def read_card(kind: type, value: Any) -> Any:
    """For the decoder: the inverse."""
    if kind is Card:
        return card(value)
    raise NotImplementedError(kind)
