"""The state of a table: a fold over happenings, like the round that it contains.

Applying the happenings of the journal to a new state gives the same state again, even in the middle of a round, with the
same deadline. The methods of `Table` decide what may happen, and when.
"""

from collections import deque
from typing import Final, NamedTuple, Protocol

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house import limits
from podium.house.table.config import TableConfig, milliseconds
from podium.house.table.correcting import Before, Corrected, OpenCorrection, SeatChange, before, what_changed
from podium.house.table.cutting import MINUTE_MS, Cutting
from podium.house.table.events import (
    BettingExtended,
    CardBurned,
    CardRead,
    CorrectionAbandoned,
    CorrectionExplained,
    CorrectionOpened,
    CutCardOut,
    CutClosed,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    EndedShoe,
    Happening,
    ReadingAnswered,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableClosed,
    TableConfigured,
    TableEvent,
    TableOpened,
    TableSnapshot,
    VoidExplained,
)
from podium.house.table.money import RoundMoney, debts
from podium.house.table.phase import Phase, phase_of
from podium.house.table.readings import HeldReading, LastReading, Readings
from podium.house.table.seats import Seats
from podium.house.table.shoes import ShoeInUse
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
    CreditAdded,
    Decided,
    HoleTurned,
    ShoeFollowed,
    TakesBack,
    Voided,
    WagersPlaced,
)
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.play.views import Outcome, outcome
from podium.record.fair import Cut, Shuffle, cut_seed
from podium.record.ledger import Transfer
from podium.record.limits import MAX_CUTTERS_PER_SHOE
from podium.record.meters import handle
from podium.record.seal import SealBroken
from podium.rules.asking import Decisions, Wagers
from podium.rules.games import Game

CARDS_CORRECTED: Final = (CardCorrected, CardsCorrected)
DURING_CORRECTION: Final = (*CARDS_CORRECTED, Voided, CreditAdded)
"""What may happen in a round while a correction is open: nobody decides, and no card is dealt (CARD-3)."""
AUTOMATED: Final = "automated"
"""Who gets the tips when no dealer is at the podium."""


class Sealing(Protocol):
    """Holds the house's seal, under which everything lies that is face down (RNG-8)."""

    def open(self, table: str, shuffled: ShoeShuffled) -> Shuffle:
        """The shuffle of a table's shoe."""

    def seal_card(self, table: str, entry: int, face_down: Card) -> str:
        """A card as the table's entry of that number stores it."""

    def open_card(self, table: str, entry: int, sealed: str) -> Card:
        """The opposite; `SealBroken` without the key."""


class FaceDown(NamedTuple):
    """A card that lies face down, as the journal has it."""

    number: int
    """In the order of dealing, from 1."""
    entry: int
    """The entry of the table that holds it."""
    sealed: str
    """Its face under the seal, where somebody entered it."""
    place: int = -1
    """Its place in the automated dealer's shoe, where it came from there."""


class TableState:
    """The state of a table, and how each happening changes it."""

    def __init__(self, name: str, sealing: Sealing) -> None:
        self.name: Final = name
        self._sealing: Final = sealing
        self._last_snapshot = 0
        """The entry with the last snapshot of the table."""
        self.version = 0
        self.config: TableConfig | None = None
        self.pending: TableConfig | None = None
        """The configuration for the next round, if it changes."""
        self.game: Game | None = None
        """The game in force; None before the first round."""
        self.is_open = False
        self.paused = False
        self.dealer = ""
        self._seats: Final = Seats()
        self.players: Final = self._seats.players
        """Who sits where."""
        self.seats: Final = self._seats.numbers
        """The seat of each player; the first box, where a player has several."""
        self.boxes: Final = self._seats.boxes
        """All seats of each player, by box."""
        self.leaving: Final = self._seats.leaving
        """Seats that become free when the round is over, and since when."""
        self.bettors: dict[int, str] = {}
        """Who has bet at each seat in the round that is shown; somebody else may sit there when it is over."""
        self.shoe: ShoeInUse | None = None
        self.shoe_number = 0
        self.shoes: dict[int, EndedShoe] = {}
        """The last finished shoes, by number."""
        self.barred: frozenset[str] = frozenset()
        """Terminals that did not open their number for the last cut; they may not take part in the next one, so that they cannot
        stop it as well."""
        self.cutting = Cutting()
        """Who may cut the shoes."""
        self._placed: dict[int, tuple[int, str]] = {}
        """By seat, the entry of its last wagers in this round, and the device where they were placed."""
        self.round: Round | None = None
        self.round_number = 0
        self.opened: RoundOpened | None = None
        """The event that opened the round that is shown."""
        self.opened_at = 0
        self.deadline: int | None = None
        self.window = 0
        self.last_at = 0
        self.correction: OpenCorrection | None = None
        """The correction that is open; the table waits until it is done or abandoned."""
        self.corrections = 0
        """How many corrections the round has had."""
        self.corrected: Corrected | None = None
        """The last correction of this round or the one before."""
        self._explained = Reason()
        self.notice = Reason()
        """Why the table is closed, or the round void."""
        self.history: deque[Outcome] = deque(maxlen=limits.MAX_SHOWN_ROUNDS_PER_TABLE)
        self.handle = 0
        """What was staked here, less what was taken back or voided."""
        self.happened = 0
        """How many happenings the table has taken; the same as the number of its entries in the journal."""
        self.readings: Final = Readings()
        """What card readers have read."""
        self._down: list[FaceDown] = []
        """The card that lies face down: as it was dealt, and as it was corrected since."""
        self._money = RoundMoney(name, 0)
        """The money of the round that is shown."""

    # --- the fold ---------------------------------------------------------------------------------------------------

    def apply(self, happening: Happening, at: int) -> tuple[Transfer, ...]:
        """Applies a happening and returns the transfers that it causes; a refused one changes nothing."""
        transfers: tuple[Transfer, ...] = ()
        if isinstance(happening, AnyEvent):
            transfers = self._apply_to_round(happening, at)
            self.handle += handle(transfers)
        else:
            self._apply_to_table(happening, at)
        self.happened += 1
        self.last_at = at
        return transfers

    def _apply_to_table(self, event: TableEvent, at: int) -> None:
        match event:
            case TableConfigured(version, config):
                config.check()
                self.version, self.pending = version, config
            case TableOpened():
                self.is_open, self.paused, self.notice = True, False, Reason()
            case TableClosed(_, reason, paused, why):
                self.is_open, self.paused, self.notice = False, paused, Reason(why, reason)
            case DealerArrived(dealer):
                self.dealer = dealer
            case DealerLeft():
                self.dealer = ""
            case SeatTaken(seat, player, box):
                self._seats.take(seat, player, box)
            case SeatLeft(seat):
                in_play = not self.between_rounds and seat in self.in_play.seats
                self._seats.give_back(seat, at, in_play=in_play)
            case ShoeShuffled():
                self._take_shoe(event, at)
            case CutCommitted(terminal, commitment, device):
                self._check_right(terminal, device, at)
                self._cut.commit(terminal, commitment)
                self._shoe.devices[terminal] = device
            case CutClosed():
                self._cut.close()
                self._shoe.closed_at = at
                if not self._cut.committed:
                    self._shoe.one_round |= self.cutting.openers is not None
                    self.cutting.not_cut()
                self._settle_order()
            case CutOpened(terminal, number):
                self._cut.open(terminal, number)
                self._settle_order()
            case ShoeLoaded():
                self._load_shoe(event, at)
            case CardBurned(card=card):
                self._shoe.burn_card(card)
                self.readings.held = self.readings.unexpected = None
            case CardRead():
                self._read(event, at)
            case ReadingAnswered(answer=answer):
                held = self.readings.held
                stopped = held is not None and answer == "stopped"
                self.readings.held = msgspec.structs.replace(held, stopped=True) if stopped and held else None
            case CutCardOut(out=out):
                self._shoe.cut_card = out
            case ShoeCounted(number):
                if self.shoe is not None and self.shoe.number == number:
                    self.shoe.miscounted |= event.wrong
            case ShoeChangeAsked(_, reason):
                self._shoe.change = reason
            case ShoeEnded():
                self._end_shoe(event, at)
            case RoundOpened():
                self._open_round(event, at)
            case BettingExtended(deadline):
                self.deadline, self.window = deadline, deadline - at
            case CorrectionOpened(by):
                self._open_correction(by, at)
            case CorrectionAbandoned():
                self._abandon_correction(at)
            case CorrectionExplained(_, reason, _, why):
                self._explained = Reason(why, reason)
            case VoidExplained(_, reason, _, why):
                self.notice = Reason(why, reason)
            case TableSnapshot():
                self._restore(event)

    def _apply_to_round(self, event: AnyEvent, at: int) -> tuple[Transfer, ...]:
        played = self.in_play
        if self.correction is not None and not isinstance(event, DURING_CORRECTION):
            raise Refused("correction-open", clause="CARD-3")
        was_insuring = played.dealt_for and bool(played.dealing.insuring)
        was = before(played) if isinstance(event, CARDS_CORRECTED) and played.dealt_for else None
        played.apply(event)
        if isinstance(event, WagersPlaced):
            self.bettors[event.seat] = self.players[event.seat]
            self._placed[event.seat] = self.happened + 1, event.device or event.terminal
        elif isinstance(event, ShoeFollowed):
            self._follow_shoe(event, at)
        elif isinstance(event, CardDealt | CardCorrected | CardsCorrected | HoleTurned):
            if not isinstance(event, CARDS_CORRECTED):
                self.readings.held = self.readings.unexpected = None
            self._follow_face_down(played, event)
        elif isinstance(event, BettingClosed):
            placed = {self.bettors[seat]: self._placed[seat] for seat in played.seats}
            self.cutting.bets_closed(self.round_number, placed)
        transfers = self._money.moved(
            played,
            event,
            players=self.players,
            dealer=self.dealer or AUTOMATED,
            attendant_pays_from=self.configured.attendant_pays_from,
            entry=self.happened + 1,
        )
        if isinstance(event, TakesBack) and event.owed:
            transfers = (*debts(self.name, self.round_number, self.happened + 1, event.owed), *transfers)
        if was is not None:
            self._tell_correction(was, played)
        awaits = played.awaits
        if played.over:
            self._finish(played, at)
        elif isinstance(awaits, Decisions):
            self._keep_time(played, event, at, was_insuring=was_insuring)
        elif not isinstance(awaits, Wagers) and (
            self.configured.close_early or not isinstance(event, Decided | HoleTurned)
        ):
            self.deadline = None
        return transfers

    def _tell_correction(self, was: Before, played: Round) -> None:
        """Keeps what a correction changed, to be shown; an open one is done with it."""
        self.corrections += self.correction is None
        self.correction = None
        cards, seats = what_changed(was, played)
        players: dict[str, list[SeatChange]] = {}
        for seat, change in seats.items():
            players.setdefault(self.bettors[seat], []).append(change)
        self.corrected = Corrected(self.corrections, self.round_number, self._explained.said, cards, players)

    def _open_correction(self, by: str, at: int) -> None:
        """The table waits: the time that whoever is asked has left stands still."""
        if self.correction is not None:
            raise Refused("correction-open", clause="CARD-3")
        if not self.in_play.dealt_for or not self.in_play.cards_gone:
            raise Refused("no-card-yet-to-correct")
        self.corrections += 1
        left = max(0, self.deadline - at) if self.deadline is not None else None
        self.correction, self.deadline = OpenCorrection(self.corrections, by, left, self.window), None

    def _abandon_correction(self, at: int) -> None:
        if self.correction is None:
            raise Refused("no-correction")
        _, _, left, self.window = self.correction
        self.correction, self.deadline = None, at + left if left is not None else None

    def _follow_face_down(self, played: Round, event: CardDealt | CardCorrected | CardsCorrected | HoleTurned) -> None:
        """Where the face of a card is found that the round itself does not know."""
        entry = self.happened + 1
        match event:
            case CardDealt(None, sealed):
                self._down = [FaceDown(len(played.cards), entry, sealed, self._shoe.dealt + played.cards_gone - 1)]
            case CardCorrected(number, None, sealed):
                self._down.append(FaceDown(number, entry, sealed))
            case CardCorrected(number) if self._down and self._down[-1].number == number:
                self._down = []
            case CardsCorrected(edits):
                for edit in edits:
                    self._move_face_down(edit, entry)
            case HoleTurned():
                self._down = []

    def _move_face_down(self, edit: AnyEdit, entry: int) -> None:
        """Follows a card that lies face down through an edit of the cards before it, or of itself."""
        at = self._down[-1].number if self._down else 0
        match edit:
            case CardInserted(number) if number <= at:
                self._down = [card._replace(number=at + 1) for card in self._down]
            case CardRemoved(number) if number < at:
                self._down = [card._replace(number=at - 1) for card in self._down]
            case CardRemoved(number) | CardReplaced(number, Card()) if number == at:
                self._down = []
        match edit:
            case CardReplaced(number, None, sealed) | CardInserted(number, None, sealed):
                self._down = [*(self._down if number == at else ()), FaceDown(number, entry, sealed)]

    def _keep_time(self, played: Round, event: AnyEvent, at: int, *, was_insuring: bool) -> None:
        """Sets the deadline for insurance, and then the one for deciding, which starts when the last seat has answered.

        Seats that act in turn each have their own deadline; otherwise everybody shares one.
        """
        insuring = bool(played.dealing.insuring)
        in_turns = played.dealing.acts_in_turn and not insuring
        goes_on = isinstance(event, CreditAdded) or (isinstance(event, Decided) and not in_turns)
        if insuring != was_insuring or not goes_on:
            config = self.configured
            self._open_window(config.insurance_seconds if insuring else config.decision_seconds, at)

    def _open_round(self, opened: RoundOpened, at: int) -> None:
        if self.pending is not None:
            self.config, self.pending = self.pending, None
            self.game = self.config.to_game()
        assert self.game is not None
        if self.game.fingerprint != opened.fingerprint:
            raise Refused("rules-differ", clause="VER-1")
        self._shoe.dealt_in(opened.round)
        self._begin(opened, at)

    def _begin(self, opened: RoundOpened, at: int) -> None:
        assert self.game is not None
        self.round = Round(self.game, self._shoe.out, taken=True)
        self._money = RoundMoney(self.name, opened.round, opened.accounting)
        self.bettors, self._placed = {}, {}
        self.opened, self.round_number = opened, opened.round
        self.opened_at, self.deadline, self.window = at, opened.deadline, opened.deadline - at
        self.notice = Reason()
        self._down = []
        self.correction, self.corrections = None, 0
        if self.corrected is not None and self.corrected.round < opened.round - 1:
            self.corrected = None
        self.readings.held = self.readings.unexpected = None

    def _open_window(self, seconds: float, at: int) -> None:
        self.window = milliseconds(seconds)
        self.deadline = at + self.window

    def _finish(self, played: Round, at: int) -> None:
        """Ends the round: its cards have left the shoe, and players who asked to leave have left."""
        self._shoe.take_back(*played.cards_of_shoe)
        self._down = []
        self.readings.held = None
        self.history.append(outcome(self.round_number, played))
        self._seats.give_back_all()
        self.correction = None
        self._open_window(self.configured.result_seconds, at)

    def _load_shoe(self, loaded: ShoeLoaded, at: int) -> None:
        """Puts a live shoe on the table."""
        number, decks, first = loaded.shoe, loaded.cards // 52, self.happened + 1
        share, shuffler, burn = loaded.penetration, loaded.shuffler, loaded.burn
        self.shoe = ShoeInUse(number, decks, at, first, penetration=share, shuffler=shuffler, burn=burn)
        self.shoe_number = number

    def _follow_shoe(self, followed: ShoeFollowed, at: int) -> None:
        """The next shoe follows in mid-round; its burn cards are gone at once."""
        number, cards, by, burned = followed.shoe, followed.cards, followed.by, followed.burned
        self._load_shoe(ShoeLoaded(number, cards, by, penetration=followed.penetration, burn=burned), at)
        for _ in range(burned):
            self._shoe.burn_card(None)
        self._shoe.dealt_in(self.round_number)

    def _read(self, read: CardRead, at: int) -> None:
        self.readings.last[read.reader] = LastReading(read.session, read.number)
        if not read.sealed:
            self.readings.unexpected = read.reader, at
            return
        stopped = read.why is not None
        self.readings.held = HeldReading(self.happened + 1, read.reader, at, read.sealed, stopped, read.why)

    def card_held(self) -> Card | None:
        """The card that was read and does not count yet; None where there is none, or the key to the seal is lost."""
        held = self.readings.held
        if held is None:
            return None
        try:
            return self._sealing.open_card(self.name, held.entry, held.sealed)
        except SealBroken:
            return None

    # --- the cut ----------------------------------------------------------------------------------------------------

    def _take_shoe(self, shuffled: ShoeShuffled, at: int) -> None:
        if shuffled.cutters is not None and shuffled.cutters != self.cutting.entitled(self.players, at):
            raise Refused("cutters-differ", shoe=shuffled.shoe, clause="RNG-10")
        shuffle, penetration = self._sealing.open(self.name, shuffled), self.upcoming.penetration
        first = self.happened + 1
        self.shoe = ShoeInUse(shuffled.shoe, shuffled.decks, at, first, shuffled, shuffle, penetration=penetration)
        self.shoe.one_round = not self.players
        self.shoe_number = shuffled.shoe

    def _check_right(self, terminal: str, device: str, at: int) -> None:
        """Refuses a commitment of anybody but those for whom the shuffle was recorded, and a second one of a device."""
        shoe = self._shoe
        if shoe.entitled is None or shoe.cut is None:
            return
        player = shoe.entitled.get(terminal)
        if player is None or _seat(terminal) not in self.boxes.get(player, {}).values():
            raise Refused("cut-no-right", rounds=limits.MAX_ROUNDS_OF_A_CUT_RIGHT, terminals=MAX_CUTTERS_PER_SHOE)
        ends = self.cutting.barred_until(player, device, at)
        if ends:
            raise Refused("cut-barred", minutes=minutes_until(ends, at))
        if device and any(device == known for other, known in shoe.devices.items() if other != terminal):
            raise Refused("cut-device")

    def _settle_order(self) -> None:
        """Fixes the order of the cards when every number is open."""
        shoe = self._shoe
        shoe.settle_order()
        if shoe.order is not None and shoe.cut is not None and shoe.cut.opened:
            self.cutting.cut(cut_seed(shoe.cut.shoe, shoe.cut.opened).hex(), shoe.first)
            shoe.one_round = False

    def kept_back(self) -> dict[str, str]:
        """Returns the players who have not opened the numbers that they committed to, by the names of their seats."""
        shoe = self.shoe
        if shoe is None or shoe.cut is None or not shoe.cut.closed:
            return {}
        whose = shoe.entitled if shoe.entitled is not None else {}
        return {terminal: whose.get(terminal, "") for terminal in shoe.cut.missing}

    def _discard(self, ended: ShoeEnded, at: int) -> None:
        """Bars whoever kept a number back; players who opened theirs cut the next shoe."""
        shoe, kept_back = self._shoe, self.kept_back()
        if ended.kept_back and ended.kept_back != kept_back:
            raise Refused("kept-back-differs", shoe=ended.shoe, clause="RNG-10")
        if not kept_back:
            return
        self.cutting.discard(shoe.number, kept_back)
        if shoe.cut is None or shoe.entitled is None:  # a program of before shuffled it, and let every seat cut
            return
        devices = {player: shoe.devices.get(terminal, "") for terminal, player in kept_back.items()}
        openers = (shoe.entitled[terminal] for terminal in shoe.cut.opened)
        self.cutting.bar(devices, openers, at)

    def _end_shoe(self, shoe_ended: ShoeEnded, at: int) -> None:
        self._discard(shoe_ended, at)
        cut, ended = self._shoe.cut, self._shoe.ended(self.happened + 1)
        self.barred = frozenset(cut.missing if cut and cut.closed else ())
        self.shoe = None
        if ended is not None:
            self.shoes[ended.number] = ended
            if len(self.shoes) > limits.MAX_ENDED_SHOES_PER_TABLE:
                del self.shoes[next(iter(self.shoes))]

    # --- the whole table, written down and taken up again -------------------------------------------------------------

    def _snapshot(self) -> TableSnapshot:
        """A snapshot of the table; its round has just been opened, and nobody has bet in it."""
        assert self.config is not None
        assert self.opened is not None
        return TableSnapshot(
            entries=self.happened,
            version=self.version,
            config=self.config,
            dealer=self.dealer,
            players=dict(self.players),
            shoe=self._shoe.snapshot(),
            barred=tuple(sorted(self.barred)),
            round=self.opened,
            opened_at=self.opened_at,
            handle=self.handle,
            history=tuple(self.history),
            shoes=tuple(self.shoes.values()),
            cutting=self.cutting.snapshot(),
            readers=self.readings.snapshot(),
            boxes=self._seats.further(),
        )

    def _restore(self, snapshot: TableSnapshot) -> None:
        """Takes over a snapshot in a new table; a table that was replayed to this point must be equal to it."""
        if self.happened and snapshot != self._snapshot_like(snapshot):
            raise Refused("snapshot-differs", table=self.name, entries=snapshot.entries, clause="INT-1")
        if not self.happened:
            self._take(snapshot)
        if snapshot.cutting is None:
            self.cutting = Cutting()
            self.shoe = self._shoe_of(snapshot)
        self._last_snapshot = self.happened + 1

    def _snapshot_like(self, snapshot: TableSnapshot) -> TableSnapshot:
        """The table as the program wrote it down that made this snapshot. What that program did not know begins there, for
        whoever replays the whole journal as for whoever begins at this entry."""
        own = self._snapshot()
        if snapshot.cutting is not None:
            return own
        shoe = msgspec.structs.replace(own.shoe, unseen=None, penetration=None, one_round=None)
        return msgspec.structs.replace(own, shoe=shoe, cutting=None)

    def _shoe_of(self, snapshot: TableSnapshot) -> ShoeInUse:
        shuffled = snapshot.shoe.shuffled
        shuffle = self._sealing.open(self.name, shuffled) if shuffled else None
        return ShoeInUse.restored(snapshot.shoe, shuffle, snapshot.config.penetration)

    def _take(self, snapshot: TableSnapshot) -> None:
        self.happened, self.version = snapshot.entries, snapshot.version
        self.config, self.game = snapshot.config, snapshot.config.to_game()
        self.is_open, self.dealer = True, snapshot.dealer
        self._seats.take_all(snapshot.players, snapshot.boxes)
        self.shoe, self.cutting = self._shoe_of(snapshot), Cutting.restored(snapshot.cutting)
        self.shoe_number, self.barred = snapshot.shoe.number, frozenset(snapshot.barred)
        self.shoes = {shoe.number: shoe for shoe in snapshot.shoes}
        self.handle = snapshot.handle
        self.history.extend(snapshot.history)
        self.readings.last.update(snapshot.readers)
        self._begin(snapshot.round, snapshot.opened_at)

    # --- asking -----------------------------------------------------------------------------------------------------

    @property
    def in_play(self) -> Round:
        if self.round is None or self.round.over:
            raise Refused("no-round")
        return self.round

    @property
    def configured(self) -> TableConfig:
        """The configuration in force; before the first round, that of the next round."""
        config = self.config or self.pending
        if config is None:
            raise Refused("table-unconfigured")
        return config

    @property
    def upcoming(self) -> TableConfig:
        """The configuration of the next round."""
        return self.pending or self.configured

    @property
    def current_game(self) -> Game:
        """The game in force; before the first round, the game of the next round."""
        return self.game or self.upcoming.to_game()

    @property
    def between_rounds(self) -> bool:
        return self.round is None or self.round.over

    @property
    def rests(self) -> bool:
        """Whether the table is closed and nothing is at stake there; a round in which somebody bet is finished first (VOID-3)."""
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
        """What a player has staked in the round in play, at all boxes."""
        return sum(self.staked_at(seat) for seat in self.boxes.get(player, {}).values())

    def staked_at(self, seat: int) -> int:
        """What is staked at a seat in the round in play."""
        found = None if self.between_rounds else self.in_play.seats.get(seat)
        return found.staked if found else 0

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
        decks = self.upcoming.to_game().rules.decks
        shoe = self.shoe
        if shoe is None or shoe.decks != decks or shoe.shuffle is None or shoe.change:
            return True
        if decks == 1 or shoe.one_round:  # TCP: one deck, shuffled for every round
            return shoe.dealt > 0
        return shoe.dealt >= shoe.cards * shoe.penetration

    @property
    def shoe_wanted(self) -> Refused | None:
        """Why a live dealer must load a shoe before the next round; None where New Game can begin it (CARD-10)."""
        config, shoe = self.upcoming, self.shoe
        if config.dealer != "live":
            return None
        decks = config.to_game().rules.decks
        if shoe is not None and shoe.shuffle is None and shoe.change:
            return Refused("shoe-change", reason=shoe.change)
        if shoe is not None and shoe.miscounted:
            return Refused("shoe-miscounted", shoe=shoe.number, clause="CARD-8")
        if config.shuffled_by == "every-round":
            return None
        if shoe is None or shoe.decks != decks or shoe.shuffler != config.shuffled_by:
            return Refused("shoe-needed", decks=decks)
        if shoe.shuffle is not None:
            return Refused("shoe-automated", clause="CARD-8")
        if shoe.cut_card:
            return Refused("shoe-cut-card", shoe=shoe.number, clause="CARD-10")
        if not shoe.left:
            return Refused("shoe-empty", shoe=shoe.number)
        if decks == 1 and shoe.dealt > shoe.burned:  # TCP: one deck, shuffled for every round
            return Refused("deck-dealt", clause="TCP intro")
        return None

    @property
    def deck_is_fresh(self) -> bool:
        """Whether the shoe in use has been loaded for the next round and nothing was dealt from it."""
        shoe, config = self.shoe, self.upcoming
        return (
            shoe is not None
            and shoe.shuffle is None
            and shoe.shuffler == config.shuffled_by
            and shoe.decks == config.to_game().rules.decks
            and shoe.rounds == (0, 0)
        )

    def next_card(self) -> Card | None:
        """The automated dealer's next card; None when the shoe has no card left."""
        shoe = self._shoe
        if shoe.order is None:
            raise Refused("shoe-not-cut")
        out = shoe.dealt + self.in_play.cards_gone
        return shoe.order[out] if out < len(shoe.order) else None

    @property
    def face_down(self) -> Card | None:
        """The card that lies face down, where the house knows it: for the table alone, to turn it when its time has come."""
        return self._face_of(self._down[-1]) if self._down else None

    def _face_of(self, card: FaceDown) -> Card | None:
        order = self.shoe.order if self.shoe is not None else None
        if not card.sealed:
            return order[card.place] if order and 0 <= card.place < len(order) else None
        try:
            return self._sealing.open_card(self.name, card.entry, card.sealed)
        except (
            SealBroken
        ):  # the key was lost or changed meanwhile: the dealer is asked, as for a card that nobody entered
            return None

    def card_entered(self, number: int) -> Card | None:
        """The card of that number in the round in play, as it was entered; None for one that nobody knows."""
        if self._down and self._down[-1].number == number:
            return self.face_down
        out = self.in_play.cards
        return out[number - 1] if 1 <= number <= len(out) else None


def minutes_until(ends: int, now: int) -> int:
    """Whole minutes until a moment, at least one."""
    return max(1, -(-(ends - now) // MINUTE_MS))


def _seat(terminal: str) -> int:
    """The number of a seat by its name in the cut."""
    return int(terminal.removeprefix("seat-"))


english(
    "refused",
    {
        "no-round": "There is no round in play at this table.",
        "table-unconfigured": "The table has no configuration yet.",
        "correction-open": "A card is being corrected: the table waits.",
        "no-correction": "No correction is open.",
        "no-shoe": "There is no shoe.",
        "shoe-needed": Plural(
            "decks",
            one="A shoe of one deck is needed before a round can begin.",
            other="A shoe of {decks} decks is needed before a round can begin.",
        ),
        "shoe-automated": "The shoe is the automated dealer's: load a counted one before a round can begin.",
        "shoe-change": "The floor asks for another shoe before the next round: {reason}",
        "shoe-miscounted": "The count of shoe {shoe} was wrong: load another one before the next round.",
        "shoe-cut-card": "The cut card of shoe {shoe} is out: load another one before the next round.",
        "shoe-empty": "Shoe {shoe} has no card left: load another one before the next round.",
        "deck-dealt": "The deck is shuffled for every round: shuffle it, count it and load it before the next round.",
        "shoe-not-cut": "The shoe is not cut yet.",
        "rules-differ": "The rules that the round was opened with are not those of its configuration.",
        "cutters-differ": "Shoe {shoe} was to be cut by other players than had the right.",
        "kept-back-differs": "Shoe {shoe} was discarded for other players than kept their numbers back.",
        "cut-no-right": (
            "This shoe is not yours to cut: whoever had a wager here in the last {rounds} rounds may, once for a person and a"
            " terminal, and where they are more than {terminals}, those who are drawn by lot."
        ),
        "cut-device": "This terminal has committed to a number for this shoe already.",
        "cut-barred": Plural(
            "minutes",
            one="A number for a shoe was kept back here, so you cannot cut at this table for one minute.",
            other="A number for a shoe was kept back here, so you cannot cut at this table for {minutes} minutes.",
        ),
        "snapshot-differs": "{table} is not as it was written down after {entries} entries.",
    },
)
