"""Every command that a terminal sends to the house.

A terminal opens one WebSocket and speaks JSON. Each command has an `id` of the terminal's own choice; the house answers
it with `acknowledged`, after the consequence is durable, or with `refused` and the reason (`messages.py`). Sending a
command again under the same id is harmless and gets the same answer. JSON Schema, the TypeScript types and
docs/protocol.md are generated from this module and from `messages.py`.
"""

from typing import Annotated, Literal

import msgspec

from podium.play.reasons import ReasonKey

Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""A number that a terminal may send: not below zero, and not larger than a browser can hold exactly."""
Counted = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
"""A number that counts from 1."""
Words = Annotated[str, msgspec.Meta(max_length=400)]
"""Text that a person wrote and everybody can read."""


class Command(
    msgspec.Struct, frozen=True, tag_field="do", omit_defaults=True, forbid_unknown_fields=True, kw_only=True
):
    """A request of a terminal. `id` is the terminal's own number for it, rising by one."""

    id: Whole


class Watch(Command, frozen=True, tag="watch"):
    """Watch a table. Any terminal may. It replaces what was watched before; with `beside`, up to four tables are watched at
    once."""

    table: str
    beside: bool = False


class Unwatch(Command, frozen=True, tag="unwatch"):
    """Stop watching a table; a seat there is kept."""

    table: str


class TableCommand(Command, frozen=True, kw_only=True):
    """A command to a table. Without `table` it is the one that has been watched longest."""

    table: str = ""


class BoxCommand(TableCommand, frozen=True, kw_only=True):
    """A command for one of the player's boxes at a table. Without `box` it is the first one."""

    box: Counted | None = None


class Join(BoxCommand, frozen=True, tag="join"):
    """Take part at a table. In games with seats, `seat` is the one that is wanted. Naming another `box`, or another
    seat, takes a further box with wagers and decisions of its own, if the table allows it."""

    seat: Counted | None = None
    without_seat: bool = False
    """In games with seats, take part without one: for wagers for the dealer alone. A later join takes a seat."""


class Leave(BoxCommand, frozen=True, tag="leave"):
    """Give up a box, or all boxes if none is named; wagers in play are finished by the published rules."""


class PlaceBet(BoxCommand, frozen=True, tag="bet"):
    """Everything that the player stakes on a box in this round; it replaces what was staked before, and an empty bet takes it back."""

    round: Whole
    wagers: dict[str, Whole] = {}
    for_dealer: dict[str, Whole] = {}
    spots: tuple[Whole, ...] = ()


class Decide(BoxCommand, frozen=True, tag="decide"):
    """Answer the question that the seat is asked: `hit`, `double+dealer`, `insure:150`.

    `step` is how many decisions the seat has made in this round before (the seat's view has it), so that an
    answer which arrives twice, even after the house was restarted, answers one question.
    """

    round: Whole
    decision: str
    step: Whole = 0


class Advise(BoxCommand, frozen=True, tag="advise"):
    """Ask what each answer to the question is worth. Where the operator allows it, `advice` follows if it is found in time."""

    round: Whole
    step: Whole = 0


class CommitCut(TableCommand, frozen=True, tag="commit-cut"):
    """The terminal's part in a shuffle, first half: the SHA-256 that binds it to its number (docs/fairness.md)."""

    shoe: Whole
    commitment: str


class OpenCut(TableCommand, frozen=True, tag="open-cut"):
    """The terminal's part in a shuffle, second half: the number itself, 32 bytes in hexadecimal."""

    shoe: Whole
    number: str


class NewGame(TableCommand, frozen=True, tag="new-game"):
    """The dealer opens betting. `round` is the one after the last."""

    round: Whole


class CloseBets(TableCommand, frozen=True, tag="close-bets"):
    """The dealer calls 'no more bets' before the timer does."""

    round: Whole


class EnterCard(TableCommand, frozen=True, tag="card"):
    """The dealer dealt a card; `unknown` is a hole card face down. `number` counts the cards of the round from 1."""

    round: Whole
    number: Counted
    card: str


class AnswerPeek(TableCommand, frozen=True, tag="peek"):
    """The dealer looked at the hole card."""

    round: Whole
    blackjack: bool


class TurnHole(TableCommand, frozen=True, tag="turn"):
    """The dealer turned the hole card over."""

    round: Whole
    card: str


class Confirm(TableCommand, frozen=True, tag="confirm"):
    """The dealer confirms the result."""

    round: Whole


class ReplaceCard(msgspec.Struct, frozen=True, tag_field="fix", tag="replace", forbid_unknown_fields=True):
    """The card of that number was entered wrongly."""

    number: Whole
    card: str


class InsertCard(msgspec.Struct, frozen=True, tag_field="fix", tag="insert", forbid_unknown_fields=True):
    """A card was dealt but not entered: it becomes the card of that number."""

    number: Whole
    card: str


class RemoveCard(msgspec.Struct, frozen=True, tag_field="fix", tag="remove", forbid_unknown_fields=True):
    """The card of that number was entered but not dealt."""

    number: Whole


class SwapCards(msgspec.Struct, frozen=True, tag_field="fix", tag="swap", forbid_unknown_fields=True):
    """Two cards change places."""

    number: Whole
    other: Whole


class WithdrawPeek(msgspec.Struct, frozen=True, tag_field="fix", tag="withdraw-peek", forbid_unknown_fields=True):
    """The dealer's answer about the hole card was wrong: the dealer looks again."""


AnyFix = ReplaceCard | InsertCard | RemoveCard | SwapCards | WithdrawPeek


Fixes = Annotated[tuple[AnyFix, ...], msgspec.Meta(max_length=60)]


class BeginCorrection(TableCommand, frozen=True, tag="begin-correction"):
    """Begin to correct the cards: the table waits until the correction is done or abandoned (CARD-3)."""

    round: Whole


class AbandonCorrection(TableCommand, frozen=True, tag="abandon-correction"):
    """Leave the cards as they are: the table goes on."""

    round: Whole
    correction: Whole = 0
    """The number of the open correction, from the view of the table; 0 for whichever is open."""


class Correct(TableCommand, frozen=True, tag="correct"):
    """Correct the cards, all in one act. Cards are counted from 1 in the order of dealing, each as the fixes before left them."""

    round: Whole
    number: Whole = 0
    """A single card to replace, with `card`: the short form of one fix."""
    card: str = ""
    reason: Words = ""
    approval: str = ""
    """A supervisor's approval, where one is required."""
    why: ReasonKey = ""
    """A reason from the list; `reason` is text written in addition, or instead."""
    fixes: Fixes = ()
    correction: Whole = 0
    """The open correction that this completes, once even if it is sent again; 0 if none was opened and cards are only replaced."""


class Void(TableCommand, frozen=True, tag="void"):
    """Void the round."""

    round: Whole
    reason: Words = ""
    approval: str = ""
    why: ReasonKey = ""


class LoadShoe(TableCommand, frozen=True, tag="shoe"):
    """The dealer loads a shoe of counted cards. `follows`: the shoe in use has run out in mid-round, and this one follows it."""

    cards: Whole
    follows: bool = False


class BurnCard(TableCommand, frozen=True, tag="burn"):
    """The dealer burns a card between rounds; `unknown` is one that nobody looked at. `number` counts the burned cards of the
    shoe from 1."""

    shoe: Whole
    number: Counted
    card: str


class SeeCutCard(TableCommand, frozen=True, tag="cut-card"):
    """The cut card is out, so that the round in play is the last of the shoe; with `out` false the dealer takes that back."""

    shoe: Whole
    out: bool = True


class CountShoe(TableCommand, frozen=True, tag="count"):
    """Between rounds, the dealer has counted the discards, the cards left in the shoe, or both; or the cards of the next shoe,
    if their number is wrong: then `shoe` is 0."""

    shoe: Whole
    discards: Whole | None = None
    left: Whole | None = None


class ReadCard(TableCommand, frozen=True, tag="read"):
    """An enrolled reader read a card (docs/devices.md). `number` counts its readings in its `session` from 1: the same one again
    is harmless."""

    session: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    number: Counted
    card: str


class AnswerReading(TableCommand, frozen=True, tag="reading"):
    """The dealer stops a card from a reader that does not count yet, lets it count at once, or drops it."""

    reading: Counted
    answer: Literal["stop", "count", "drop"]


class TakePlace(TableCommand, frozen=True, tag="take-place"):
    """A dealer takes over the table."""


class LeavePlace(TableCommand, frozen=True, tag="leave-place"):
    """The dealer leaves the table."""


class Ping(Command, frozen=True, tag="ping"):
    """Check that the house answers. The acknowledgement carries its clock."""


AnyCommand = (
    Watch
    | Unwatch
    | Join
    | Leave
    | PlaceBet
    | Decide
    | Advise
    | CommitCut
    | OpenCut
    | NewGame
    | CloseBets
    | EnterCard
    | AnswerPeek
    | TurnHole
    | Confirm
    | BeginCorrection
    | AbandonCorrection
    | Correct
    | Void
    | LoadShoe
    | BurnCard
    | SeeCutCard
    | CountShoe
    | ReadCard
    | AnswerReading
    | TakePlace
    | LeavePlace
    | Ping
)
