"""Every message between a terminal and the house, defined once.

A terminal opens one WebSocket and speaks JSON. It sends commands, each with an `id` of its own choice; the house answers
each with `acknowledged`, after the consequence is durable, or with `refused` and the reason. Sending a command again under
the same id is harmless and gets the same answer. The house shows state: `table` for everybody at a table, `seat` for one
seat only, each complete and numbered, so that a terminal which missed some needs only the newest. JSON Schema, the
TypeScript types and docs/protocol.md are generated from this module.
"""

from typing import Annotated, Any, Literal

import msgspec

from podium.basics.words import Phrase
from podium.house.people import ROLES
from podium.house.table.correcting import CardChange, SeatChange
from podium.house.table.phase import Phase
from podium.play.reasons import ReasonKey
from podium.play.views import Layout, Outcome, SeatView
from podium.rules.games import GAMES
from podium.rules.placard import ShufflerKind
from podium.rules.rulebook import Chapter

# --- from a terminal ---------------------------------------------------------------------------------------------------


Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""A number that a terminal may send: not below zero, and not larger than a browser can hold exactly."""
Counted = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
"""A number that counts from 1."""
Words = Annotated[str, msgspec.Meta(max_length=400)]
"""Text that a person wrote and everybody is shown."""


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
    """Watch a table no longer; a seat there is kept."""

    table: str


class TableCommand(Command, frozen=True, kw_only=True):
    """A command to a table. Without `table` it is the one that has been watched longest."""

    table: str = ""


class BoxCommand(TableCommand, frozen=True, kw_only=True):
    """A command for one of the player's boxes at a table. Without `box` it is the first one."""

    box: Counted | None = None


class Join(BoxCommand, frozen=True, tag="join"):
    """Take part at a table. In games with seats, `seat` is the one that is wanted. A further `box`, or another seat, is a
    further box with its own wagers and decisions, where the table allows it."""

    seat: Counted | None = None


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
    """The card of that number was really another."""

    number: Whole
    card: str


class InsertCard(msgspec.Struct, frozen=True, tag_field="fix", tag="insert", forbid_unknown_fields=True):
    """A card was dealt and not entered: it becomes the card of that number."""

    number: Whole
    card: str


class RemoveCard(msgspec.Struct, frozen=True, tag_field="fix", tag="remove", forbid_unknown_fields=True):
    """The card of that number was entered and not dealt."""

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
    """A reason of the list; `reason` is what somebody writes besides, or instead."""
    fixes: Fixes = ()
    correction: Whole = 0
    """The open correction that is done with this; 0 where none was opened."""


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
    """Between rounds, the dealer has counted the discards, the cards left in the shoe, or both; or the cards of the next
    shoe, which are not as many as they must be: then `shoe` is 0."""

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
    """The dealer stops the card that a reader read and that does not count yet, lets it count at once, or drops it."""

    reading: Counted
    answer: Literal["stop", "count", "drop"]


class TakePlace(TableCommand, frozen=True, tag="take-place"):
    """A dealer takes over the table."""


class LeavePlace(TableCommand, frozen=True, tag="leave-place"):
    """The dealer leaves the table."""


class Ping(Command, frozen=True, tag="ping"):
    """Check that the house is there. The acknowledgement carries its clock."""


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

# --- from the house ----------------------------------------------------------------------------------------------------


DealingKind = Annotated[
    str, msgspec.Meta(extra_json_schema={"enum": sorted({game.dealing.kind for game in GAMES.values()})})
]
"""How a game is dealt, which decides how a terminal draws it."""


TerminalRole = Annotated[str, msgspec.Meta(extra_json_schema={"enum": [*ROLES, "display"]})]
"""Who is at a terminal: the role of the person, or `display` for a wall."""
DealerKind = Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["automated", "live"]})]


class Message(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True, kw_only=True):
    """A message from the house to a terminal."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The first message: who is at the terminal, and the house's clock."""

    name: str
    role: TerminalRole
    now: int
    """Milliseconds since 1970, like all times of the house."""
    version: str
    tables: list["TableCard"]
    reads: str = ""
    """The table at which this card reader reads; empty for every other terminal."""
    idle_minutes: int = 0
    """CARD-6: a dealer's terminal locks when nobody has touched it for this long; 0 for players and displays."""


class TableCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry in the list of tables."""

    table: str
    game: str
    title: str
    dealer: DealerKind
    phase: Phase
    players: int
    least: int
    """The smallest main wager."""
    most: int | None = None
    seats: int | None = None
    training: bool = False
    """Whether dealers practise here, with play money."""


class Acknowledged(Message, frozen=True, tag="acknowledged"):
    """A command was carried out, and its consequence is durable."""

    id: int
    now: int
    seat: int | None = None


class Refusal(Message, frozen=True, tag="refused"):
    """A command was not carried out; nothing changed."""

    id: int
    reason: str
    """In English, for people who read the protocol by hand."""
    why: Phrase
    """The same as a key with facts, which a terminal puts into the player's language."""
    later: bool = False
    """Whether the reason is temporary: the same command, sent again in a moment under the same id, may be carried out."""


class Shoe(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shoe in use. The commitment is published before betting opens; the proof follows when the shoe has ended."""

    number: int
    cards: int
    dealt: int
    commitment: str = ""
    cut: Literal["", "committing", "opening", "done"] = ""
    """How far the players' cut has come: terminals that take part commit to a number, and then open it."""
    cutters: dict[str, str] = {}
    """The commitments for the cut, by terminal (`seat-7`)."""
    may_cut: tuple[str, ...] = ()
    """While terminals commit: those that may."""
    one_round: bool = False
    """Whether the shoe is used for one round only, because nobody could cut it."""
    discarded: int = 0
    """How many shoes of this table were discarded because a number was kept back."""
    burned: int = 0
    to_burn: int = 0
    """How many cards a live dealer has burned, and must burn before a round can begin."""
    cut_card: Literal["", "due", "out"] = ""
    """Of a live shoe: whether its cut card should have come by now, or is out: then the round in play is the last one."""
    shuffler: ShufflerKind = "none"
    """What gives a live table its cards."""


class TableView(Message, frozen=True, tag="table"):
    """A table, complete, for everybody who watches it."""

    table: str
    number: int
    """Counts the states of this table; a terminal shows the highest it has."""
    now: int
    phase: Phase
    round: int
    fingerprint: str
    """The fingerprint of the rules in force."""
    layout: Layout
    next: Phrase | None = None
    """Where the next card goes."""
    deadline: int | None = None
    window: int | None = None
    """The full length of the open window in milliseconds, for the countdown."""
    players: int = 0
    betting: int = 0
    """How many have bet."""
    deciding: int = 0
    """How many decisions are open."""
    total_bets: int = 0
    dealer: str = ""
    """The dealer's name on the floor; empty for the automated dealer."""
    shoe: Shoe | None = None
    shoe_wanted: Phrase | None = None
    """Why a live dealer must load a shoe before the next round; null where none is needed."""
    correction: int = 0
    """The number of the correction that is open; the table waits for it. 0 if none is."""
    corrected: "CorrectionView | None" = None
    """The last correction of this round or the one before, until somebody has read it."""
    notice: Phrase | None = None
    """Why a round was voided, or why the table is closed."""
    cards: list[str] = []
    """Every card of the round in the order of dealing, which the dealer corrects by number; `?` is face down."""
    taken: list[int] = []
    """Seats that are occupied, in games with seats."""
    coming: tuple[Phrase, ...] = ()
    """The rules that will be different from the next round on."""


class CorrectionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a correction changed for everybody (CARD-3)."""

    round: int
    number: int
    """Counts the corrections of the round."""
    reason: Phrase
    cards: list[CardChange]


class OwnCorrection(msgspec.Struct, frozen=True):
    """What a correction changed for one player."""

    round: int
    number: int
    seats: list[SeatChange]


class History(Message, frozen=True, tag="history"):
    """The last rounds of a table and its largest wins: sent when the table is watched, and after each round."""

    table: str
    rounds: list[Outcome]
    wins: list[int] = []
    """Without names."""


class BoxView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the player's boxes at a table."""

    box: int
    seat: int
    view: SeatView | None = None
    """None until the player has bet on it in this round."""


class Seated(Message, frozen=True, tag="seat"):
    """A player's place at a table, complete, for this player only."""

    table: str
    number: int
    round: int
    credit: int
    """What the player can spend, at this table and all others: the last message of any table counts."""
    seat: int | None
    view: SeatView | None = None
    """None until the player has bet in this round."""
    box: int = 1
    """The number of the first box, whose seat and view these are."""
    further: tuple[BoxView, ...] = ()
    """The player's further boxes."""
    locked: int = 0
    """HP-1: a win that an attendant must pay before play goes on."""
    corrected: OwnCorrection | None = None
    """What the last correction changed for this player; null if nothing."""
    no_cut_until: int = 0
    """When the player may cut again, after a number was kept back."""


class Advice(Message, frozen=True, tag="advice"):
    """What each answer to a question is worth, with the best play after it; only for the player who asked."""

    table: str
    round: int
    step: int
    worth: dict[str, float]
    """The expected net result for each unit of the original wager."""
    amounts: dict[str, int]
    """The same in minor units of this player's wager."""
    best: str
    """The best answer that the player's credit covers."""
    box: int | None = None
    """The box that was asked about, as the terminal named it."""


class RulesInForce(Message, frozen=True, tag="rules"):
    """What a terminal must know of the rules: sent when a table is watched, and when they change."""

    table: str
    game: str
    title: str
    fingerprint: str
    dealing: DealingKind
    options: dict[str, Any]
    wagers: list["WagerCard"]
    chapters: tuple[Chapter, ...]
    """The rules of play, which can be said in every language."""
    timers: dict[str, int]
    """How long the windows are open, in milliseconds: `betting`, `decision`, and `insurance` where it is asked."""
    shoe_cards: int
    """CARD-8: how many cards are counted when a shoe is loaded."""
    seats: int | None = None
    """How many players may sit down; null if there is no limit."""
    coach: bool = False
    """Whether players may ask what each answer is worth."""
    designator: str = ""
    """The name under which the game's document lists the paytables together."""
    most_payable: int = 0
    """The most that one player's wagers can win in one round; 0 for no limit."""
    capped: bool = False
    """Whether wagers that could win more are taken, and paid up to that amount."""
    boxes: int = 1
    """How many boxes one player may have."""
    training: bool = False
    """Whether dealers practise here, with play money."""
    shuffler: ShufflerKind = "none"
    """What shuffles at a live table."""


class WagerCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wager that the table takes, as a terminal draws it."""

    wager: str
    title: str
    says: Phrase
    """When it wins."""
    main: bool
    least: int
    pays: dict[str, str]
    """Each outcome with its odds, highest first: `{"royal match": "25:1"}`."""
    paytable: str = ""
    """The designator of its paytable."""
    most: int | None = None
    amounts: tuple[int, ...] = ()
    chip: int = 1
    needs: str = ""
    for_dealer: bool = False
    toke_least: int = 1
    """The least that is taken for the dealer."""
    returns: float | None = None
    """The share of the wager that comes back in the long run, where the mathematics has worked it out."""


class HeldCard(Message, frozen=True, tag="reading"):
    """For the dealer alone: the card that a reader read and that does not count yet (CARD-11)."""

    table: str
    reading: int = 0
    """Its number, by which the dealer answers; 0 when no card is held."""
    card: str = ""
    """`?` is one that will lie face down."""
    reader: str = ""
    counts_at: int | None = None
    """When it counts by itself; null where it waits for the dealer."""
    why: Phrase | None = None
    """Why it cannot be right."""
    unexpected: str = ""
    """The reader that has read a card that was not awaited, which counts for nothing."""


class Goodbye(Message, frozen=True, tag="goodbye"):
    """The house closes the connection, with the reason."""

    reason: str
    """In English."""
    why: Phrase


class Standstill(Message, frozen=True, tag="standstill"):
    """Play stands still in the whole house, for example because its store does not answer; or it goes on again."""

    reason: str = ""
    """Why, in English; empty when play goes on."""
    why: Phrase | None = None
    """The same as a key with facts; null when play goes on."""


AnyMessage = (
    Welcome
    | Acknowledged
    | Refusal
    | TableView
    | History
    | Seated
    | Advice
    | HeldCard
    | RulesInForce
    | Goodbye
    | Standstill
)
