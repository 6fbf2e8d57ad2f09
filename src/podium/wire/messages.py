"""Every message that the house sends to a terminal.

The house answers each command (`commands.py`), and it shows state: `table` for everybody at a table, `seat` for one
seat only, each complete and numbered, so that a terminal which missed some needs only the newest. JSON Schema, the
TypeScript types and docs/protocol.md are generated from this module and from `commands.py`.
"""

from typing import Annotated, Any, Literal

import msgspec

from podium.basics.words import Phrase
from podium.house.people import ROLES
from podium.house.table.correcting import CardChange, SeatChange
from podium.house.table.events import Notice
from podium.house.table.phase import Phase
from podium.play.mapped import SeatOnMap
from podium.play.views import BonusView, Layout, Outcome, SeatView
from podium.rules.games import GAMES
from podium.rules.placard import ShufflerKind
from podium.rules.rulebook import Chapter

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
    dealers: list[str] = []
    """What the dealer had in the last rounds, the newest last: a total, `blackjack`, `bust` or `void`; empty at games without totals."""


class Acknowledged(Message, frozen=True, tag="acknowledged"):
    """A command was carried out, and its result is durable."""

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
    """The stage of the players' cut: terminals that take part commit to a number, and then open it."""
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
    """Of a live shoe: whether its cut card should have come by now, or is out, so that the round in play is the last
    one."""
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
    bonuses: list[BonusView] = []
    """The seats whose side bets on the first cards were settled one after another, in the order of settling (MUB 7)."""
    corrects: str = ""
    """The supervisor who corrects from the floor and is the only one who can end it; empty where the dealer
    corrects."""
    corrected: "CorrectionView | None" = None
    """The last correction of this round or the one before, until somebody has read it."""
    retelling: "RetellingView | None" = None
    """The last reopened round, until the round after the one in which it was reopened is over."""
    notice: Phrase | None = None
    """Why a round was voided, or why the table is closed."""
    cards: list[str] = []
    """Every card of the round in the order of dealing, which the dealer corrects by number; `?` is face down."""
    taken: list[int] = []
    """Seats that are occupied, in games with seats."""
    coming: tuple[Phrase, ...] = ()
    """The rules that will be different from the next round on."""


class Counts(Message, frozen=True, tag="counts"):
    """How many sit at a table, have bet and are deciding, sent if nothing else has changed: it replaces these fields of the
    last `table`. It comes about once a second; every `table` has the same fields."""

    table: str
    number: int
    """Counts the states of this table together with those of `table`; an older one is ignored."""
    now: int
    players: int = 0
    betting: int = 0
    deciding: int = 0
    total_bets: int = 0


class CorrectionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a correction changed for everybody (CARD-3)."""

    round: int
    number: int
    """Counts the corrections of the round."""
    reason: Phrase
    cards: list[CardChange]


class RetellingView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round that was settled again after its result was confirmed (VOID-4)."""

    round: int
    telling: int
    reason: Phrase
    void: bool = False
    cards: tuple[CardChange, ...] = ()


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
    """From `seatless_from` of the rules on, a place without a seat."""
    view: SeatView | None = None
    """None until the player has bet in this round."""
    box: int = 1
    """The number of the first box, whose seat and view these are."""
    further: tuple[BoxView, ...] = ()
    """The player's further boxes."""
    locked: int = 0
    """HP-1: a win that an attendant must pay before play goes on."""
    corrected: OwnCorrection | None = None
    """The effect of the last correction on this player; null if there is none."""
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
    """The rules of play, as phrases for every language."""
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
    """Whether wagers that could win more are taken, but paid only up to that amount."""
    boxes: int = 1
    """How many boxes one player may have."""
    seatless_from: int = 0
    """Places from this number on have no seat and get no cards: they take wagers for the dealer alone. 0 in games without seats."""
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
    """The reader that has read a card that was not awaited, which does not count."""


class TableMap(Message, frozen=True, tag="map"):
    """For dealers alone: the seats that have bet with their hands, who is asked, and what Confirm will pay. Sent when a
    dealer watches, and when it changes."""

    table: str
    round: int = 0
    seats: tuple[SeatOnMap, ...] = ()
    left_out: int = 0
    """How many more seats have bet than are listed."""
    pays: int | None = None
    """What Confirm will pay to all players together; null before every card is out, and where seats are left out."""


class Notices(Message, frozen=True, tag="notices"):
    """The player's unread notices of rounds at a table that were settled again after their result (VOID-4): sent when the
    player connects, and when they change. `POST /api/notices/read` marks one as read."""

    table: str
    notices: tuple[Notice, ...] = ()


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
    | Counts
    | History
    | Seated
    | Advice
    | HeldCard
    | TableMap
    | Notices
    | RulesInForce
    | Goodbye
    | Standstill
)
