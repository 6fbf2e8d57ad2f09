"""What happens at a table between and around its rounds."""

from typing import Final, Literal, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.words import Phrase
from podium.house.table.config import TableConfig
from podium.house.table.correcting import CardChange
from podium.house.table.readings import LastReading
from podium.play.events import AnyEdit, AnyEvent, CardsCorrected, Confirmed, Event, Voided, read_card, write_card
from podium.play.reasons import Reason
from podium.play.views import Outcome
from podium.record.fair import Reveal
from podium.record.ledger import RoundFlow
from podium.rules.placard import ShufflerKind


class TableConfigured(Event, frozen=True, tag="table-configured"):
    """A configuration was entered; it is in force from the next round on (GAME-5)."""

    version: int
    config: TableConfig
    by: str = ""


class TableOpened(Event, frozen=True, tag="table-opened"):
    """Rounds may begin."""

    by: str = ""


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The round in play is finished, and no other begins (VOID-3)."""

    by: str = ""
    reason: str = ""
    paused: bool = False
    """Whether play is meant to go on soon."""
    why: str = ""


class DealerArrived(Event, frozen=True, tag="dealer-arrived"):
    """A dealer came to the podium."""

    dealer: str


class DealerLeft(Event, frozen=True, tag="dealer-left"):
    """The dealer left the podium."""

    dealer: str


class ShoeShuffled(Event, frozen=True, tag="shoe-shuffled"):
    """The automated dealer shuffled a shoe and committed to its order before anybody bet on it (RNG-10)."""

    shoe: int
    decks: int
    commitment: str
    sealed: str
    """The order and the nonce, sealed: the journal does not show the cards (RNG-8)."""
    cutters: dict[str, str] | None = None
    """Who may cut it: the players by the names of their seats. None in entries of programs that let every seat cut."""


class CutCommitted(Event, frozen=True, tag="cut-committed"):
    """A terminal committed to its number for the cut."""

    terminal: str
    commitment: str
    device: str = ""
    """Where it came from: an enrolled terminal's name, or the session."""


class CutClosed(Event, frozen=True, tag="cut-closed"):
    """No more terminals can cut this shoe; those that committed open their numbers."""


class CutOpened(Event, frozen=True, tag="cut-opened"):
    """A terminal opened its number."""

    terminal: str
    number: str


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    """A live dealer loaded a shoe, counted (CARD-8); or a shuffler gave a fresh deck for the round that follows (CARD-10)."""

    shoe: int
    cards: int
    by: str
    shuffler: ShufflerKind = "none"
    penetration: float = 1
    """The share of it after which the cut card is due."""
    burn: int = 0
    """How many cards must be burned before the first round."""


class CardBurned(Event, frozen=True, tag="card-burned"):
    """A card of a live shoe was burned between rounds; None is one that nobody looked at (CARD-10)."""

    shoe: int
    card: Card | None = None
    by: str = ""


class CutCardOut(Event, frozen=True, tag="cut-card-out"):
    """The cut card of a live shoe came out: the round in play is its last one (CARD-10). `out` is false where the dealer takes
    that back."""

    shoe: int
    by: str
    out: bool = True


class ShoeCounted(Event, frozen=True, tag="shoe-counted"):
    """Somebody counted the discards or the cards left in a live shoe, or the cards of one that was to be loaded (CARD-8)."""

    shoe: int
    by: str
    discards: int | None = None
    left: int | None = None
    due_discards: int | None = None
    due_left: int | None = None

    @property
    def wrong(self) -> bool:
        return (self.discards, self.left) != (self.due_discards, self.due_left)


class ShoeChangeAsked(Event, frozen=True, tag="shoe-change-asked"):
    """The floor asked for another shoe or deck: it is loaded before the next round begins (CARD-10)."""

    by: str
    reason: str


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The shoe is finished. If it was the automated dealer's, the shuffle is revealed, which proves it."""

    shoe: int
    reveal: Reveal | None = None
    kept_back: dict[str, str] = msgspec.field(default_factory=dict)
    """Discarded undealt: the players who kept their numbers back, by the names of their seats."""


class CardRead(Event, frozen=True, tag="card-read"):
    """An enrolled reader read a card (CARD-11). It counts when the time of the table is over, with the next reading, or when the
    dealer enters a card; its face is under the house's seal until then."""

    reader: str
    session: str
    number: int
    """The number of cards that the reader had read in its session."""
    sealed: str = ""
    """Empty for a card that was not awaited, which does not count."""
    why: Phrase | None = None
    """Why it cannot be right, or why it was not awaited."""


class ReadingAnswered(Event, frozen=True, tag="reading-answered"):
    """The dealer stopped a reading, dropped it, or entered another card in its place, which keeps what was read."""

    reading: int
    """The entry with the reading."""
    answer: Literal["stopped", "dropped", "replaced"]
    by: str
    read: Card | None = None
    """What the reader had read; None if it may not be shown yet, and for a card that lies face down."""


class SeatTaken(Event, frozen=True, tag="seat-taken"):
    """A player sat down."""

    seat: int
    player: str
    box: int = 1
    """Which of the player's boxes at this table."""


class SeatLeft(Event, frozen=True, tag="seat-left"):
    """A player got up; a seat with a wager in play is kept until the round is over."""

    seat: int
    away: bool = False
    """Whether the house freed the seat, because the player was gone for too long (DSC-1)."""


class RoundOpened(Event, frozen=True, tag="round-opened"):
    """Betting opened, until the deadline; the game has this fingerprint."""

    round: int
    deadline: int
    version: int
    fingerprint: str = msgspec.field(name="rules")
    dealer: str = ""
    accounting: int = 0
    """How the money of the round moves (`house/table/money.py`); 0 in rounds of programs that knew only one way."""


class BettingExtended(Event, frozen=True, tag="betting-extended"):
    """Betting was kept open because nobody had bet."""

    deadline: int


class BonusesSettled(Event, frozen=True, tag="bonuses-settled"):
    """The side bets of a seat on the first cards were paid and collected: seat by seat, in the order that the document names, before
    insurance and before the dealer looks at the hole card (MUB 7, MUB 8)."""

    seat: int


class HandSettled(Event, frozen=True, tag="hand-settled"):
    """The main wager on a hand was paid or collected while the round goes on: a blackjack that the dealer cannot tie, even money
    that was taken, each hand that busted (MGB 8, MGB Dealing)."""

    seat: int
    hand: int
    """Counted from 0."""


class TimeGivenBack(Event, frozen=True, tag="time-given-back"):
    """The house itself had stood still, so deadlines move: the time that was left when it stopped is left now, and at
    least the time that the table gives after an interruption (DSC-2)."""

    since: int
    """When the house is known to have worked last."""
    left: int | None = None
    """Milliseconds until the deadline now; None where nobody waits for one."""


class CorrectionOpened(Event, frozen=True, tag="correction-opened"):
    """A correction of the cards began: the table waits (CARD-3)."""

    by: str
    from_floor: bool = False
    """Whether a supervisor began it on the floor: then only the floor can end it (VOID-4)."""


class CorrectionAbandoned(Event, frozen=True, tag="correction-abandoned"):
    """The cards stay as they are, and the table goes on."""

    by: str


class CorrectionExplained(Event, frozen=True, tag="correction-explained"):
    """Who corrects a card and why; every terminal shows it (CARD-3)."""

    by: str
    reason: str
    approved_by: str = ""
    why: str = ""
    """The reason that was chosen from the list; `reason` is what was written besides."""
    asked: tuple[str, ...] = ()
    """The requested changes in short, by which the same correction is recognized when it is sent again; no card is
    named, because it may lie face down."""


class VoidExplained(Event, frozen=True, tag="void-explained"):
    """Who voids the round and why."""

    by: str
    reason: str
    approved_by: str = ""
    why: str = ""


class SeatTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """The money of one seat in a reopened round, by its flows: before, and as it is settled now."""

    seat: int
    player: str
    was: dict[RoundFlow, int] = {}
    now: dict[RoundFlow, int] = {}
    dealer: str = ""
    """The dealer who gets the tips."""
    terminal: str = ""
    """Where the bet was made: the difference counts for the meters of that terminal (MTR-1)."""

    @property
    def net_was(self) -> int:
        """What the player had won or lost, before."""
        return _net(self.was)

    @property
    def net_now(self) -> int:
        return _net(self.now)


def _net(flows: dict[RoundFlow, int]) -> int:
    came = (flows.get("stake_back", 0), flows.get("win", 0), flows.get("win_held", 0))
    return sum(came) - flows.get("stake", 0)


class RoundReopened(Event, frozen=True, tag="round-reopened"):
    """Two people reopened a settled round and settled it again, with the right cards or as void (VOID-4). The event holds all
    the money that moves, so it can be replayed long after the round has been forgotten. `podium verify` plays the round again
    and proves it."""

    round: int
    telling: int
    """Counts the settlements of the round: 1 is the one that was confirmed, so the first reopening is 2."""
    ended: int
    """When it was confirmed."""
    by: str
    approved_by: str
    reason: str = ""
    why: str = ""
    void: bool = False
    edits: tuple[AnyEdit, ...] = ()
    """How its cards are corrected."""
    cards: tuple[CardChange, ...] = ()
    """The places whose cards changed, as everybody sees them."""
    seats: tuple[SeatTold, ...] = ()
    """The seats whose money changes; if it is void, all that had wagers."""
    outcome: Outcome | None = None
    shoe: int = 0
    """The shoe in use, where the count of its cards changes; 0 where it does not."""
    out: str = ""
    """Cards that had left the shoe and were not counted."""
    back: str = ""
    """Cards that were counted and had not left it."""
    unseen: int = 0
    """The change in the number of cards that left it unseen."""
    owed: dict[str, int] = msgspec.field(default_factory=dict)
    """By account: the part of the money taken back that it no longer held, a debt of the owner."""

    @property
    def told(self) -> Reason:
        return Reason(self.why, self.reason)

    def events(self) -> tuple[AnyEvent, ...]:
        """How the round ends now."""
        if self.void:
            return (Voided(self.reason, self.why),)
        return CardsCorrected(self.edits), Confirmed()


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A notice to a player that a round was settled again, kept until the player has read it."""

    round: int
    telling: int
    at: int
    reason: Phrase
    was: int
    """What the player had won in the round; below zero, lost."""
    now: int
    credit: int = 0
    """By how much the credit changed."""
    owed: int = 0
    """The part that the credit no longer held: a debt."""
    void: bool = False
    cards: tuple[CardChange, ...] = ()


class NoticeRead(Event, frozen=True, tag="notice-read"):
    """A player has read the notice of a reopened round."""

    player: str
    round: int
    telling: int


class Retelling(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last reopened round of a table, for everybody who watches the table."""

    round: int
    telling: int
    reason: Phrase
    void: bool = False
    cards: tuple[CardChange, ...] = ()
    shown_in: int = 0
    """The round in play when it was reopened: it is shown until the next round is over."""


class EndedShoe(NamedTuple):
    """A finished shoe of the automated dealer, revealed."""

    number: int
    cards: int
    first: int
    """The entry that shuffled it."""
    last: int
    """The entry that revealed it."""
    rounds: tuple[int, int]
    """The first and the last round dealt from it; 0 and 0 if it was not dealt."""
    commitment: str


class CutRight(NamedTuple):
    """A player's right to cut the table's shoes, which comes with a wager."""

    since: int
    """The entry of the wager with which it began; the lot is drawn for this number."""
    round: int
    """The last round in which the player had a wager in play."""
    device: str
    """Where that wager was made."""


class Bar(NamedTuple):
    """A person or a device that may not cut for a time."""

    until: int
    times: int
    """How often a number was kept back."""


class CuttingSnapshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may cut the table's shoes."""

    rights: dict[str, CutRight]
    bars: dict[str, Bar]
    seed: str
    listed: int
    openers: tuple[str, ...] | None
    discarded: int
    kept_back: dict[int, tuple[str, ...]]


class ShoeSnapshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A shoe in use. Its order is sealed here too (RNG-8)."""

    number: int
    decks: int
    shuffled_at: int
    closed_at: int
    first: int
    rounds: tuple[int, int]
    out: str
    """The cards dealt from it."""
    shuffled: ShoeShuffled | None
    numbers: dict[str, str]
    """The numbers of the players' cut."""
    unseen: int | None = None
    """How many cards left it face down and were never turned. This field and those below are None in snapshots of older
    programs."""
    penetration: float | None = None
    """The share of it that is dealt, as it was configured when it was shuffled."""
    one_round: bool | None = None
    """Whether it serves one round only, because nobody could cut it."""
    shuffler: ShufflerKind = "none"
    burn: int = 0
    """How many cards had to be burned before the first round."""
    burned: int = 0
    cut_card: bool = False
    """Whether the cut card is out."""
    miscounted: bool = False
    """Whether a wrong count was found."""
    change: str = ""
    """Why the floor asked for another shoe."""


SNAPSHOT: Final = "table-stood"


class TableSnapshot(Event, frozen=True, forbid_unknown_fields=True, tag=SNAPSHOT):
    """A snapshot of an open table, right after a round was opened and before anybody bet in it.

    A start replays only what follows it. A replay from the beginning gives exactly the same table, and the chain covers
    this entry like any other (EVT-4).
    """

    entries: int
    """How many entries come before this one."""
    version: int
    config: TableConfig
    dealer: str
    players: dict[int, str]
    shoe: ShoeSnapshot
    barred: tuple[str, ...]
    round: RoundOpened
    opened_at: int
    handle: int
    history: tuple[Outcome, ...]
    shoes: tuple[EndedShoe, ...]
    cutting: CuttingSnapshot | None = None
    """None in snapshots of programs that let every seat cut."""
    readers: dict[str, LastReading] = msgspec.field(default_factory=dict)
    """The last reading of each reader."""
    boxes: dict[int, int] = msgspec.field(default_factory=dict)
    """The seats that are not a player's first box, with the numbers of their boxes."""
    tellings: dict[int, int] = msgspec.field(default_factory=dict)
    """How often each of the last rounds was settled, where it was more than once."""
    unread: dict[str, tuple[Notice, ...]] = msgspec.field(default_factory=dict)
    """By player: the unread notices."""
    retelling: Retelling | None = None


TableEvent = (
    TableConfigured
    | TableOpened
    | TableClosed
    | DealerArrived
    | DealerLeft
    | ShoeShuffled
    | CutCommitted
    | CutClosed
    | CutOpened
    | ShoeLoaded
    | CardBurned
    | CutCardOut
    | ShoeCounted
    | ShoeChangeAsked
    | CardRead
    | ReadingAnswered
    | ShoeEnded
    | SeatTaken
    | SeatLeft
    | RoundOpened
    | BettingExtended
    | BonusesSettled
    | HandSettled
    | TimeGivenBack
    | CorrectionOpened
    | CorrectionAbandoned
    | CorrectionExplained
    | VoidExplained
    | RoundReopened
    | NoticeRead
    | TableSnapshot
)

Happening = AnyEvent | TableEvent
"""Everything that the journal of a table contains."""

SettledAtOnce = BonusesSettled | HandSettled
"""What is settled while the round goes on."""

_encoder = msgspec.json.Encoder(enc_hook=write_card)
_decoder: msgspec.json.Decoder[Happening] = msgspec.json.Decoder(Happening, dec_hook=read_card)


def kinds(*events: type[Event]) -> frozenset[str]:
    """What the journal calls these events."""
    return frozenset(str(event.__struct_config__.tag) for event in events)


def encode(event: Happening) -> bytes:
    """An event as the journal stores it."""
    return _encoder.encode(event)


def decode(text: bytes | str) -> Happening:
    """The inverse of `encode`."""
    return _decoder.decode(text)
