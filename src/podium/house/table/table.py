"""The table itself: a fold over happenings, like the round that it holds.

Every method that does something is given the time and records what happened; a method that refuses has changed
nothing. `recorded` collects what must be made durable before anybody is told of it. Applying the recorded happenings
to a new table gives the same table, in the middle of a round, with the same deadline.
"""

from collections import Counter, deque
from collections.abc import Callable
from typing import Final, NamedTuple

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house import limits
from podium.house.table.config import TableConfig, milliseconds
from podium.house.table.events import (
    BettingExtended,
    CorrectionExplained,
    CutClosed,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    EndedShoe,
    Happening,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableClosed,
    TableConfigured,
    TableOpened,
    TableStood,
    VoidExplained,
)
from podium.house.table.money import NOTHING, Flows, Ways, flows_of
from podium.house.table.phase import Phase, phase_of
from podium.house.table.shoes import ShoeInUse
from podium.play.events import (
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    Voided,
    WagersPlaced,
)
from podium.play.round import Round
from podium.play.views import Outcome, outcome
from podium.record.fair import Cut, Shuffle
from podium.record.ledger import Transfer, TransferKind
from podium.record.meters import handle
from podium.rules.asking import Decisions, Wagers
from podium.rules.games import Game

AUTOMATED: Final = "automated"
"""Who is tipped when no dealer stands at the podium."""


class Recorded(NamedTuple):
    """Something that happened, when, and the money that it moved."""

    happening: Happening
    at: int
    transfers: tuple[Transfer, ...] = ()


OpenShoe = Callable[[str, ShoeShuffled], Shuffle]
"""Opens the sealed shuffle of a table's shoe."""


class Table:
    """One table of the house."""

    def __init__(
        self, name: str, open_shoe: OpenShoe, *, stands_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS
    ) -> None:
        self.name: Final = name
        self._open_shoe: Final = open_shoe
        self._stands_every: Final = stands_every
        self._stood = 0
        """The entry that last wrote the whole table down."""
        self.recorded: list[Recorded] = []
        """What happened since this was last taken away to be stored."""
        self.news: list[Happening] = []
        """What happened since somebody last looked, to show it."""
        self.version = 0
        self.config: TableConfig | None = None
        self.pending: TableConfig | None = None
        """The configuration that the next round takes up."""
        self.game: Game | None = None
        """The rules in force."""
        self.is_open = False
        self.paused = False
        self.dealer = ""
        self.players: dict[int, str] = {}
        """Who sits where."""
        self.seats: dict[str, int] = {}
        self._free = 1
        """No seat below this one is free."""
        self.bettors: dict[int, str] = {}
        """Who has bet at each seat in the round that is shown; somebody else may sit there when it is over."""
        self.leaving: set[int] = set()
        self.shoe: ShoeInUse | None = None
        self.shoe_number = 0
        self.shoes: dict[int, EndedShoe] = {}
        """The last ones that have ended, by number."""
        self.barred: frozenset[str] = frozenset()
        """Terminals that did not open their number for the last cut; they cannot stop the next one as well."""
        self.round: Round | None = None
        self.round_number = 0
        self.opened: RoundOpened | None = None
        """How the round that is shown was opened."""
        self.opened_at = 0
        self.deadline: int | None = None
        self.window = 0
        self.last_at = 0
        self.correcting = ""
        self.notice = ""
        self.history: deque[Outcome] = deque(maxlen=limits.MAX_SHOWN_ROUNDS_PER_TABLE)
        self.handle = 0
        """What was staked here, less what was taken back or voided."""
        self.happened = 0
        """How many happenings the table has taken; the same as the number of its entries in the journal."""
        self._posted: dict[int, tuple[tuple[int, int], Flows, str]] = {}
        """By seat of the round in play: what its money is recognised by when nothing changed, how it has run, and the
        dealer who was given tips."""

    # --- the one way in ---------------------------------------------------------------------------------------------

    def record(self, happening: Happening, now: int) -> None:
        """Let something happen, and keep it to be stored."""
        self.recorded.append(Recorded(happening, now, self.apply(happening, now)))
        self.news.append(happening)

    def apply(self, happening: Happening, at: int) -> tuple[Transfer, ...]:
        """Take a happening and say what money it moved, or refuse it and stay as before."""
        transfers: tuple[Transfer, ...] = ()
        match happening:
            case TableConfigured(version, config):
                config.check()
                self.version, self.pending = version, config
            case TableOpened():
                self.is_open, self.paused, self.notice = True, False, ""
            case TableClosed(_, reason, paused):
                self.is_open, self.paused, self.notice = False, paused, reason
            case DealerArrived(dealer):
                self.dealer = dealer
            case DealerLeft():
                self.dealer = ""
            case SeatTaken(seat, player):
                self.players[seat], self.seats[player] = player, seat
                self.leaving.discard(seat)
            case SeatLeft(seat):
                self._get_up(seat)
            case ShoeShuffled(number, decks):
                shuffle = self._open_shoe(self.name, happening)
                self.shoe = ShoeInUse(number, decks, at, self.happened + 1, happening, shuffle)
                self.shoe_number = number
            case CutCommitted(terminal, commitment):
                self._cut.commit(terminal, commitment)
            case CutClosed():
                self._cut.close()
                self._shoe.closed_at = at
                self._shoe.settle_order()
            case CutOpened(terminal, number):
                self._cut.open(terminal, number)
                self._shoe.settle_order()
            case ShoeLoaded(number, cards):
                self.shoe, self.shoe_number = ShoeInUse(number, cards // 52, at, self.happened + 1), number
            case ShoeEnded():
                self._end_shoe()
            case RoundOpened():
                self._open_round(happening, at)
            case BettingExtended(deadline):
                self.deadline, self.window = deadline, deadline - at
            case CorrectionExplained(_, reason):
                self.correcting = reason
            case VoidExplained(_, reason):
                self.notice = reason
            case TableStood():
                self._stand(happening)
            case _:
                transfers = self._apply_to_round(happening, at)
                self.handle += handle(transfers)
        self.happened += 1
        self.last_at = at
        return transfers

    def _apply_to_round(self, event: AnyEvent, at: int) -> tuple[Transfer, ...]:
        played = self.in_play
        was_insuring = played.dealt_for and bool(played.dealing.insuring)
        played.apply(event)
        if isinstance(event, WagersPlaced):
            self.bettors[event.seat] = self.players[event.seat]
        transfers = self._moved(played, event)
        if isinstance(event, CardCorrected):
            self.correcting = ""
        if played.over:
            self._finish(played, at)
        elif isinstance(played.awaits, Decisions):
            self._keep_time(played, event, at, was_insuring=was_insuring)
        elif not isinstance(played.awaits, Wagers) and (self.configured.close_early or not isinstance(event, Decided)):
            self.deadline = None
        return transfers

    def _keep_time(self, played: Round, event: AnyEvent, at: int, *, was_insuring: bool) -> None:
        """The time for insurance, and then the time for deciding, which begins when the last seat has answered.

        Seats that act in turn have a time each; elsewhere the window is everybody's.
        """
        insuring = bool(played.dealing.insuring)
        in_turns = played.dealing.acts_in_turn and not insuring
        goes_on = isinstance(event, CreditAdded) or (isinstance(event, Decided) and not in_turns)
        if insuring != was_insuring or not goes_on:
            config = self.configured
            self._open_window(config.insurance_seconds if insuring else config.decision_seconds, at)

    def _moved(self, played: Round, event: AnyEvent) -> tuple[Transfer, ...]:
        """The money that an event moved: what each seat's flows changed by."""
        undone: TransferKind = "stake-back"
        if isinstance(event, Voided | CardCorrected):
            undone = "void" if isinstance(event, Voided) else "correction"
        seats = [event.seat] if isinstance(event, WagersPlaced | Decided) else list(played.seats)
        moved: list[Transfer] = []
        for number in seats:
            seat = played.seats.get(number)
            known = self._posted.get(number)
            key = (seat.staked, len(seat.settled)) if seat else (0, 0)
            if known is not None and known[0] == key and undone == "stake-back" and not played.over:
                continue
            limit = self.configured.attendant_pays_from
            flows = flows_of(seat, attendant_pays_from=limit, over=played.over) if seat else NOTHING
            before = known[1] if known else NOTHING
            # What a dealer was given is taken back from that dealer, whoever stands at the podium by then.
            tipped = known[2] if known and before.tips else self.dealer or AUTOMATED
            # GAME-2: doubles, splits and wins belong to the terminal where the game began (MTR-1).
            terminal = seat.terminal if seat else event.terminal if isinstance(event, WagersPlaced) else ""
            ways = Ways(self.name, self.round_number, self.players[number], tipped, terminal)
            moved += ways.transfers(before, flows, f"{self.name}.{self.happened + 1}.{number}", undone=undone)
            self._posted[number] = (key, flows, tipped)
        return tuple(moved)

    # --- asking -----------------------------------------------------------------------------------------------------

    @property
    def in_play(self) -> Round:
        if self.round is None or self.round.over:
            raise Refused("no-round")
        return self.round

    @property
    def configured(self) -> TableConfig:
        """The configuration in force; before the first round, the one that waits."""
        config = self.config or self.pending
        if config is None:
            raise Refused("table-unconfigured")
        return config

    @property
    def upcoming(self) -> TableConfig:
        """The configuration of the next round."""
        return self.pending or self.configured

    @property
    def between_rounds(self) -> bool:
        return self.round is None or self.round.over

    @property
    def rests(self) -> bool:
        """Whether the table is closed and nothing is at stake there: a round in which somebody bet is finished (VOID-3)."""
        return not self.is_open and (self.between_rounds or not (self.in_play.seats or self.in_play.dealt_for))

    def phase(self) -> Phase:
        """What the table is doing."""
        if self.rests:
            return "paused" if self.paused else "closed"
        if self.between_rounds:
            if self.round is not None and self.deadline is not None:
                return phase_of(self.round)
            return "waiting"
        return phase_of(self.in_play)

    def staked(self, player: str) -> int:
        """What a player has staked in the round whose betting is open."""
        if self.between_rounds or player not in self.seats:
            return 0
        seat = self.in_play.seats.get(self.seats[player])
        return seat.staked if seat else 0

    # --- seats ------------------------------------------------------------------------------------------------------

    def sit_down(self, player: str, seat: int | None, now: int) -> int:
        """Give a player a seat: the one that is wanted, or the first that is free."""
        if player in self.seats:
            number = self.seats[player]
            if number in self.leaving:
                self.record(SeatTaken(number, player), now)
            return number
        limit = self.upcoming.seats
        if seat is not None and (seat < 1 or (limit is not None and seat > limit)):
            raise Refused("seat-unknown", seat=seat, seats=limit) if limit else Refused("seat-below-one", seat=seat)
        if seat is not None and seat in self.players:
            raise Refused("seat-taken", seat=seat)
        if limit is not None and len(self.players) >= limit:
            raise Refused("seats-taken", seats=limit)
        number = seat or self._first_free()
        self.record(SeatTaken(number, player), now)
        return number

    def _first_free(self) -> int:
        while self._free in self.players:
            self._free += 1
        return self._free

    def _stood_up(self, seat: int) -> None:
        del self.seats[self.players.pop(seat)]
        self._free = min(self._free, seat)

    def get_up(self, player: str, now: int) -> None:
        if player not in self.seats:
            raise Refused("no-seat")
        self.record(SeatLeft(self.seats[player]), now)

    def free_seat(self, player: str, now: int) -> None:
        """DSC-1: give back the seat of somebody who is gone, unless a wager is in play there."""
        seat = self.seats.get(player)
        if seat is not None and (self.between_rounds or seat not in self.in_play.seats):
            self.record(SeatLeft(seat, away=True), now)

    def _get_up(self, seat: int) -> None:
        if not self.between_rounds and seat in self.in_play.seats:
            self.leaving.add(seat)
        elif seat in self.players:
            self._stood_up(seat)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def open_round(self, now: int, *, by: str = "") -> None:
        """Open betting: the dealer's New Game, or the automated dealer's turn."""
        if not self.is_open:
            raise Refused("table-closed")
        if not self.between_rounds:
            raise Refused("round-in-play", clause="GAME-3")
        config = self.upcoming
        rules = config.check()
        if self.shoe is None or self.shoe.decks != rules.rules.decks:
            raise Refused("shoe-needed", decks=rules.rules.decks)
        if config.dealer == "live" and self.shoe.shuffle is not None:
            raise Refused("shoe-automated", clause="CARD-8")
        deadline = now + milliseconds(config.betting_seconds)
        self.record(
            RoundOpened(self.round_number + 1, deadline, self.version, rules.fingerprint, by or self.dealer), now
        )
        if self.happened - self._stood >= self._stands_every:
            self.record(self._standing(), now)

    def _open_round(self, opened: RoundOpened, at: int) -> None:
        if self.pending is not None:
            self.config, self.pending = self.pending, None
            self.game = self.config.rules()
        assert self.game is not None
        if self.game.fingerprint != opened.rules:
            raise Refused("rules-differ", clause="VER-1")
        self._shoe.dealt_in(opened.round)
        self._begin(opened, at)

    def _begin(self, opened: RoundOpened, at: int) -> None:
        assert self.game is not None
        self.round = Round(self.game, self._shoe.out)
        self._posted, self.bettors = {}, {}
        self.opened, self.round_number = opened, opened.round
        self.opened_at, self.deadline, self.window = at, opened.deadline, opened.deadline - at
        self.notice = ""

    def _standing(self) -> TableStood:
        """The whole table; a round has just been opened, and is as it began."""
        assert self.config is not None
        assert self.opened is not None
        return TableStood(
            entries=self.happened,
            version=self.version,
            config=self.config,
            dealer=self.dealer,
            players=dict(self.players),
            shoe=self._shoe.stood(),
            barred=tuple(sorted(self.barred)),
            round=self.opened,
            opened_at=self.opened_at,
            handle=self.handle,
            history=tuple(self.history),
            shoes=tuple(self.shoes.values()),
        )

    def _stand(self, stood: TableStood) -> None:
        """A new table takes all of it; one that has come here by itself must be the same."""
        if self.happened and stood != self._standing():
            raise Refused("snapshot-differs", table=self.name, entries=stood.entries, clause="INT-1")
        if not self.happened:
            self._take(stood)
        self._stood = self.happened + 1

    def _take(self, stood: TableStood) -> None:
        self.happened, self.version = stood.entries, stood.version
        self.config, self.game = stood.config, stood.config.rules()
        self.is_open, self.dealer = True, stood.dealer
        self.players, self.seats = dict(stood.players), {player: seat for seat, player in stood.players.items()}
        shuffled = stood.shoe.shuffled
        self.shoe = ShoeInUse.standing(stood.shoe, self._open_shoe(self.name, shuffled) if shuffled else None)
        self.shoe_number, self.barred = stood.shoe.number, frozenset(stood.barred)
        self.shoes = {shoe.number: shoe for shoe in stood.shoes}
        self.handle = stood.handle
        self.history.extend(stood.history)
        self._begin(stood.round, stood.opened_at)

    def _open_window(self, seconds: float, at: int) -> None:
        self.window = milliseconds(seconds)
        self.deadline = at + self.window

    def _finish(self, played: Round, at: int) -> None:
        """The round is over: its cards have left the shoe, and who wanted to leave has left."""
        self._shoe.out = self._shoe.out + Counter(played.cards_out)
        self.history.append(outcome(self.round_number, played))
        for seat in self.leaving:
            self._stood_up(seat)
        self.leaving = set()
        self.correcting = ""
        self._open_window(self.configured.result_seconds, at)

    # --- the player's part ------------------------------------------------------------------------------------------

    def bet(
        self,
        player: str,
        amounts: dict[str, int],
        for_dealer: dict[str, int],
        spots: tuple[int, ...],
        *,
        credit: int,
        now: int,
        terminal: str = "",
    ) -> None:
        """Stake, or replace what was staked in this round. `credit` is what the player has besides."""
        seat = self._seat_of(player)
        if self.rests:
            raise Refused("table-closed")
        if self.deadline is not None and now >= self.deadline and isinstance(self.in_play.awaits, Wagers):
            raise Refused("bets-over")
        brought = credit + self.staked(player)
        self.record(WagersPlaced(seat, amounts, for_dealer, spots, brought, terminal=terminal), now)

    def decide(self, player: str, decision: str, now: int) -> None:
        self.record(Decided(self._seat_of(player), decision), now)

    def _seat_of(self, player: str) -> int:
        if player not in self.seats:
            raise Refused("seat-first")
        return self.seats[player]

    def commit_to_cut(self, player: str, shoe: int, commitment: str, now: int) -> None:
        """A terminal's commitment to its number for the shuffle that waits to be cut."""
        terminal = self._cutter(player, shoe)
        if terminal in self.barred:
            raise Refused("cut-barred")
        self.record(CutCommitted(terminal, commitment), now)

    def open_cut(self, player: str, shoe: int, number: str, now: int) -> None:
        """A terminal's number itself, when the list of commitments is closed."""
        self.record(CutOpened(self._cutter(player, shoe), number), now)

    def _cutter(self, player: str, shoe: int) -> str:
        if self.shoe is None or self.shoe.cut is None or self.shoe.number != shoe or self.shoe.order is not None:
            raise Refused("no-cut")
        return f"seat-{self._seat_of(player)}"

    # --- the dealer's part ------------------------------------------------------------------------------------------

    def close_bets(self, now: int) -> None:
        self.record(BettingClosed(), now)

    def deal(self, card: Card | None, now: int) -> None:
        self.record(CardDealt(card), now)

    def peek(self, blackjack: bool, now: int) -> None:
        self.record(HolePeeked(blackjack), now)

    def turn(self, card: Card, now: int) -> None:
        self.record(HoleTurned(card), now)

    def confirm(self, now: int) -> None:
        self.record(Confirmed(), now)

    def correct(self, number: int, card: Card, now: int, *, by: str, reason: str, approved_by: str = "") -> None:
        """CARD-2, CARD-3: put the right card in the place of a wrong one, for all to see."""
        self._approved("correct", approved_by)
        if not reason.strip():
            raise Refused("correct-reason", clause="CARD-3")
        trial = Round(self.in_play.game, self.in_play.out)
        for event in self.in_play.events:
            trial.apply(event)
        trial.apply(CardCorrected(number, card))
        self.record(CorrectionExplained(by, reason, approved_by), now)
        self.record(CardCorrected(number, card), now)

    def void(self, now: int, *, by: str, reason: str, approved_by: str = "") -> None:
        """CARD-6, VOID-1: the round does not count, and every stake goes back."""
        self._approved("void", approved_by)
        if not reason.strip():
            raise Refused("void-reason", clause="EVT-1")
        _ = self.in_play
        self.record(VoidExplained(by, reason, approved_by), now)
        self.record(Voided(reason), now)

    def _approved(self, what: str, approved_by: str) -> None:
        if what in self.configured.approvals and not approved_by:
            raise Refused("approval-needed", clause="CARD-6" if what == "void" else "CARD-3")

    def load_shoe(self, cards: int, now: int, *, by: str) -> None:
        """CARD-8: a live shoe is counted when it is loaded."""
        if not self.between_rounds:
            raise Refused("shoe-in-play")
        decks = self.upcoming.rules().rules.decks
        if cards != 52 * decks:
            raise Refused("shoe-count", cards=cards, decks=decks, whole=52 * decks, clause="CARD-8")
        if self.shoe is not None and self.shoe.shuffle is not None:
            self.end_shoe(now)
        self.record(ShoeLoaded(self.shoe_number + 1, cards, by), now)

    def take_place(self, dealer: str, now: int) -> None:
        if self.dealer and self.dealer != dealer:
            self.record(DealerLeft(self.dealer), now)
        if self.dealer != dealer:
            self.record(DealerArrived(dealer), now)

    def leave_place(self, dealer: str, now: int) -> None:
        if self.dealer != dealer:
            raise Refused("not-at-podium", dealer=dealer)
        self.record(DealerLeft(dealer), now)

    # --- the shoe of the automated dealer ---------------------------------------------------------------------------

    @property
    def _shoe(self) -> ShoeInUse:
        if self.shoe is None:
            raise Refused("no-shoe")
        return self.shoe

    @property
    def _cut(self) -> Cut:
        if self.shoe is None or self.shoe.cut is None:
            raise Refused("no-cut")
        return self.shoe.cut

    @property
    def needs_shoe(self) -> bool:
        """Whether the automated dealer must shuffle before the next round: no shoe, the wrong one, or the cut card."""
        decks = self.upcoming.rules().rules.decks
        shoe = self.shoe
        if shoe is None or shoe.decks != decks or shoe.shuffle is None:
            return True
        if decks == 1:  # TCP: one deck, shuffled for every round
            return shoe.dealt > 0
        return shoe.dealt >= shoe.cards * self.upcoming.penetration

    def _end_shoe(self) -> None:
        cut, ended = self._shoe.cut, self._shoe.ended(self.happened + 1)
        self.barred = frozenset(cut.missing if cut and cut.closed else ())
        self.shoe = None
        if ended is not None:
            self.shoes[ended.number] = ended
            if len(self.shoes) > limits.MAX_ENDED_SHOES_PER_TABLE:
                del self.shoes[next(iter(self.shoes))]

    def end_shoe(self, now: int) -> None:
        """Lay the shuffle open, so that anybody can check the cards that came from it (RNG-10)."""
        shoe = self._shoe
        self.record(ShoeEnded(shoe.number, shoe.shuffle.reveal() if shoe.shuffle else None), now)

    def next_card(self) -> Card | None:
        """The automated dealer's next card; None when the shoe has no card left."""
        shoe = self._shoe
        if shoe.order is None:
            raise Refused("shoe-not-cut")
        out = shoe.dealt + len(self.in_play.cards_out)
        return shoe.order[out] if out < len(shoe.order) else None


english(
    "refused",
    {
        # a player
        "no-round": "There is no round in play at this table.",
        "seat-taken": "Seat {seat} is taken.",
        "seat-unknown": "There is no seat {seat} at this table: the seats are 1 to {seats}.",
        "seat-below-one": "There is no seat {seat} at this table: the seats are counted from 1.",
        "seats-taken": "All {seats} seats of this table are taken.",
        "no-seat": "You have no seat at this table.",
        "seat-first": "Take a seat at this table first.",
        "bets-over": "No more bets: the time for betting is over.",
        "cut-barred": "This terminal did not open its number for the last shoe, so it cannot cut this one.",
        "no-cut": "No shuffle waits to be cut now.",
        # the dealer
        "table-closed": "The table is closed.",
        "table-unconfigured": "The table has no configuration yet.",
        "round-in-play": "A round is in play: it must be finished before the next begins.",
        "shoe-needed": Plural(
            "decks",
            one="A shoe of one deck is needed before a round can begin.",
            other="A shoe of {decks} decks is needed before a round can begin.",
        ),
        "shoe-automated": "The shoe is the automated dealer's: load a counted one before a round can begin.",
        "shoe-in-play": "The shoe is not changed while a round is in play.",
        "shoe-count": Plural(
            "decks",
            one="The shoe holds {cards} cards, but one deck has {whole}: count again.",
            other="The shoe holds {cards} cards, but {decks} decks have {whole}: count again.",
        ),
        "no-shoe": "There is no shoe.",
        "shoe-not-cut": "The shoe is not cut yet.",
        "correct-reason": "A correction needs a reason.",
        "void-reason": "A void needs a reason.",
        "approval-needed": "A supervisor must approve it.",
        "not-at-podium": "{dealer} does not stand at the podium.",
        # the record
        "rules-differ": "The rules that the round was opened with are not those of its configuration.",
        "snapshot-differs": "{table} is not as it was written down after {entries} entries.",
    },
)
