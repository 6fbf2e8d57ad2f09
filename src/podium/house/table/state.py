"""The state of a table: a fold over happenings, like the round that it contains.

Applying the happenings of the journal to a new state gives the same state again, even in the middle of a round, with the
same deadline. The methods of `Table` decide what may happen, and when.
"""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from podium.basics.cards import Card, cards
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import limits
from podium.house.table.config import milliseconds
from podium.house.table.correcting import Before, Corrected, OpenCorrection, SeatChange, before, what_changed
from podium.house.table.cutting import Cutting
from podium.house.table.events import (
    BettingExtended,
    BonusesSettled,
    CardBurned,
    CardRead,
    CorrectionAbandoned,
    CorrectionExplained,
    CorrectionOpened,
    DealerArrived,
    DealerLeft,
    HandSettled,
    Happening,
    NoticeRead,
    ReadingAnswered,
    RoundOpened,
    RoundReopened,
    SeatLeft,
    SeatTaken,
    SettledAtOnce,
    TableClosed,
    TableConfigured,
    TableEvent,
    TableOpened,
    TableSnapshot,
    TimeGivenBack,
    VoidExplained,
)
from podium.house.table.face_down import CardsFaceDown, Sealing
from podium.house.table.money import Flows, RoundMoney, debts, flows_of, moved_again
from podium.house.table.phase import Phase, phase_of
from podium.house.table.readings import HeldReading, LastReading, Readings
from podium.house.table.reopening import notices
from podium.house.table.shoe_state import ShoeState
from podium.house.table.shoes import ShoeInUse
from podium.house.table.tellings import Tellings
from podium.play.again import told_again
from podium.play.events import (
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
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
from podium.record.ledger import Transfer
from podium.record.meters import handle
from podium.record.seal import SealBroken
from podium.rules.asking import Decisions, Wagers, read_decision

CARDS_CORRECTED: Final = (CardCorrected, CardsCorrected)
DURING_CORRECTION: Final = (*CARDS_CORRECTED, Voided, CreditAdded)
"""What may happen in a round while a correction is open: nobody decides, and no card is dealt (CARD-3)."""
AUTOMATED: Final = "automated"
"""Who gets the tips when no dealer is at the podium."""


class TableState(ShoeState):
    """The state of a table, and how each happening changes it."""

    def __init__(self, name: str, sealing: Sealing) -> None:
        super().__init__(name, sealing)
        self._last_snapshot = 0
        """The entry with the last snapshot of the table."""
        self.version = 0
        self.is_open = False
        self.paused = False
        self.dealer = ""
        self.bettors: dict[int, str] = {}
        """Who has bet at each seat in the round that is shown; somebody else may sit there when it is over."""
        self._placed: dict[int, tuple[int, str]] = {}
        """By seat, the entry of its last wagers in this round, and the device where they were placed."""
        self.round: Round | None = None
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
        self._asked: tuple[str, ...] = ()
        self.notice = Reason()
        """Why the table is closed, or the round void."""
        self.history: deque[Outcome] = deque(maxlen=limits.MAX_SHOWN_ROUNDS_PER_TABLE)
        self.handle = 0
        """The stakes here, less those taken back or voided."""
        self.readings: Final = Readings()
        """What card readers have read."""
        self._down: Final = CardsFaceDown(name, sealing)
        """The card that lies face down."""
        self._money = RoundMoney(name, 0)
        """The money of the round that is shown."""
        self.tellings: Final = Tellings()
        """The reopened rounds."""

    # --- the fold ---------------------------------------------------------------------------------------------------

    def apply(self, happening: Happening, at: int) -> tuple[Transfer, ...]:
        """Applies a happening and returns the transfers that it causes; a refused one changes nothing."""
        if isinstance(happening, AnyEvent):
            transfers = self._apply_to_round(happening, at)
        else:
            transfers = self._apply_to_table(happening, at)
        self.handle += handle(transfers)
        self.happened += 1
        self.last_at = at
        return transfers

    def _apply_to_table(self, event: TableEvent, at: int) -> tuple[Transfer, ...]:
        match event:
            case RoundReopened():
                return self._tell_again(event, at)
            case BonusesSettled() | HandSettled():
                _ = self.in_play
                return self._move(event)
            case NoticeRead(player, number, telling):
                self.tellings.read(player, number, telling)
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
            case CardBurned(card=card):
                self._shoe.burn_card(card)
                self.readings.held = self.readings.unexpected = None
            case CardRead():
                self._read(event, at)
            case ReadingAnswered(answer=answer):
                held = self.readings.held
                stopped = held is not None and answer == "stopped"
                self.readings.held = msgspec.structs.replace(held, stopped=True) if stopped and held else None
            case RoundOpened():
                self._open_round(event, at)
            case BettingExtended(deadline):
                self.deadline, self.window = deadline, deadline - at
            case TimeGivenBack(left=left):
                self._give_back_time(left, at)
            case CorrectionOpened():
                self._open_correction(event, at)
            case CorrectionAbandoned():
                self._abandon_correction(at)
            case CorrectionExplained(_, reason, _, why, asked):
                self._explained, self._asked = Reason(why, reason), asked
            case VoidExplained(_, reason, _, why):
                self.notice = Reason(why, reason)
            case TableSnapshot():
                self._restore(event)
            case _:
                self._apply_to_shoe(event, at)
        return ()

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
        transfers = self._move(event)
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

    def _move(self, event: AnyEvent | SettledAtOnce) -> tuple[Transfer, ...]:
        """The money that an event of the round in play, or its end, moves."""
        assert self.round is not None
        return self._money.moved(
            self.round,
            event,
            players=self.players,
            dealer=self.dealer or AUTOMATED,
            attendant_pays_from=self.configured.attendant_pays_from,
            entry=self.happened + 1,
        )

    def _tell_correction(self, was: Before, played: Round) -> None:
        """Keeps what a correction changed, to be shown; an open correction ends with it."""
        self.corrections += self.correction is None
        self.correction = None
        cards, seats = what_changed(was, played)
        players: dict[str, list[SeatChange]] = {}
        for seat, change in seats.items():
            players.setdefault(self.bettors[seat], []).append(change)
        self.corrected = Corrected(
            self.corrections, self.round_number, self._explained.said, cards, players, self._asked
        )

    def _tell_again(self, event: RoundReopened, at: int) -> tuple[Transfer, ...]:
        """VOID-4: a settled round is settled again. At the table this changes only what is shown of the round and the count of
        the shoe."""
        self.tellings.check(event)
        transfers = moved_again(self.name, self.happened + 1, event)
        if event.round == self.round_number:
            self._show_again(event)
        if event.shoe and self.shoe is not None and event.shoe == self.shoe.number:
            self.shoe.recount(cards(event.out), cards(event.back), event.unseen)
            if not self.between_rounds:
                self.in_play.out = self.shoe.out
        for place, past in enumerate(self.history):
            if past.round == event.round and event.outcome is not None:
                self.history[place] = event.outcome
        self.tellings.tell(event, notices(event, transfers, at), self.round_number)
        return transfers

    def _show_again(self, event: RoundReopened) -> None:
        """Updates the round while it is still shown. This also checks the event's statements about it."""
        if self.round is None or not self.round.over:
            raise Refused("reopen-in-play", round=event.round, clause="VOID-4")
        again = told_again(self.round, event.events())
        for told in event.seats:
            settled, now = flows_of(again.seats[told.seat]), Flows(**told.now)
            if settled != now._replace(win=now.win + now.win_held, win_held=0):
                raise Refused("reopen-differs", round=event.round, clause="VOID-4")
        self.round = again
        if event.void:
            self.notice = event.told

    def _give_back_time(self, left: int | None, at: int) -> None:
        """Moves everything that was due while the house stood still: the players' answers, a card that a reader read,
        the numbers for the cut."""
        if left is not None:
            self.deadline, self.window = at + left, left
        if self.readings.held is not None:
            self.readings.held = msgspec.structs.replace(self.readings.held, at=at)
        if self.shoe is not None:
            self.shoe.wait_from(at)

    def _open_correction(self, opened: CorrectionOpened, at: int) -> None:
        """Stops the clock of the players who are asked while the table waits."""
        if self.correction is not None:
            raise Refused("correction-open", clause="CARD-3")
        if not self.in_play.dealt_for or not self.in_play.cards_gone:
            raise Refused("no-card-yet-to-correct")
        self.corrections += 1
        left = max(0, self.deadline - at) if self.deadline is not None else None
        self.correction = OpenCorrection(self.corrections, opened.by, left, self.window, opened.from_floor)
        self.deadline = None

    def _abandon_correction(self, at: int) -> None:
        if self.correction is None:
            raise Refused("no-correction")
        left, self.window = self.correction.left, self.correction.window
        self.correction, self.deadline = None, at + left if left is not None else None

    def _follow_face_down(self, played: Round, event: CardDealt | CardCorrected | CardsCorrected | HoleTurned) -> None:
        """Follows the face-down card, whose face the round itself does not know."""
        unseen = isinstance(event, CardDealt) and event.card is None
        place = self._shoe.dealt + played.cards_gone - 1 if unseen else -1
        self._down.follow(event, self.happened + 1, number=len(played.cards), place=place)

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
        self._down.clear()
        self.correction, self.corrections = None, 0
        self.tellings.begin(opened.round)
        if self.corrected is not None and self.corrected.round < opened.round - 1:
            self.corrected = None
        self.readings.held = self.readings.unexpected = None

    def _open_window(self, seconds: float, at: int) -> None:
        self.window = milliseconds(seconds)
        self.deadline = at + self.window

    def _finish(self, played: Round, at: int) -> None:
        """Ends the round: its cards have left the shoe, and players who asked to leave have left."""
        self._shoe.take_back(*played.cards_of_shoe)
        self._down.clear()
        self.readings.held = None
        self.history.append(outcome(self.round_number, played))
        self._seats.give_back_all()
        self.correction = None
        self._open_window(self.configured.result_seconds, at)

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
            tellings=dict(self.tellings.times),
            unread=dict(self.tellings.unread),
            retelling=self.tellings.last,
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
        """The table as the version that wrote this snapshot knew it. State that it did not know begins here, both in a
        replay of the whole journal and in one that begins at this entry."""
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
        self.tellings.times.update(snapshot.tellings)
        self.tellings.unread.update(snapshot.unread)
        self.tellings.last = snapshot.retelling
        self._begin(snapshot.round, snapshot.opened_at)

    # --- asking -----------------------------------------------------------------------------------------------------

    @property
    def in_play(self) -> Round:
        if self.round is None or self.round.over:
            raise Refused("no-round")
        return self.round

    @property
    def between_rounds(self) -> bool:
        return self.round is None or self.round.over

    @property
    def rests(self) -> bool:
        """Whether the table is closed with nothing at stake; a round in which somebody bet is finished first
        (VOID-3)."""
        return not self.is_open and (self.between_rounds or not (self.in_play.seats or self.in_play.dealt_for))

    def phase(self) -> Phase:
        """The phase of the table."""
        if self.rests:
            return "paused" if self.paused else "closed"
        if self.between_rounds:
            if self.round is not None and self.deadline is not None:
                return phase_of(self.round)
            return "waiting"
        return phase_of(self.in_play)

    def staked(self, player: str) -> int:
        """The stake of a player in the round in play, at all boxes."""
        return sum(self.staked_at(seat) for seat in self.boxes.get(player, {}).values())

    def staked_at(self, seat: int) -> int:
        """The stake at a seat in the round in play."""
        found = None if self.between_rounds else self.in_play.seats.get(seat)
        return found.staked if found else 0

    def follow_ups(self, player: str) -> int:
        """What a player must still stake to go on with the hands at all boxes, until they are decided."""
        return sum(self._follow_up(seat) for seat in self.boxes.get(player, {}).values())

    def _follow_up(self, seat: int) -> int:
        found = None if self.between_rounds else self.in_play.seats.get(seat)
        if found is None or self.in_play.decisions_of(seat):
            return 0
        return self.in_play.game.rules.follow_up(found.amounts)

    def adds(self, player: str, amounts: Mapping[str, int], for_dealer: Mapping[str, int], box: int | None) -> int:
        """How much more a bet puts at stake than the one that it replaces, including what the hand will ask for; below
        0 for less."""
        boxes = self.boxes.get(player, {})
        seat = self.seats.get(player, 0) if box is None else boxes.get(box, 0)
        wanted = sum(amounts.values()) + sum(for_dealer.values())
        after = wanted + (0 if self.between_rounds else self.in_play.game.rules.follow_up(amounts))
        return after - self.staked_at(seat) - self._follow_up(seat)

    def adds_decision(self, player: str, decision: str, box: int | None) -> int:
        """How much more a decision puts at stake than was already counted for the hand; 0 for one that the table
        refuses."""
        boxes = self.boxes.get(player, {})
        seat = self.seats.get(player, 0) if box is None else boxes.get(box, 0)
        if self.between_rounds or not self.in_play.dealt_for or seat not in self.in_play.dealing.open:
            return 0
        with suppress(Refused):
            return self.in_play.dealing.cost_of(seat, read_decision(decision)) - self._follow_up(seat)
        return 0

    def next_card(self) -> Card | None:
        """The automated dealer's next card; None when the shoe has no card left."""
        shoe = self._shoe
        if shoe.order is None:
            raise Refused("shoe-not-cut")
        out = shoe.dealt + self.in_play.cards_gone
        return shoe.order[out] if out < len(shoe.order) else None

    @property
    def face_down(self) -> Card | None:
        """The face-down card, if the house knows it: for the table alone, to turn it in time."""
        return self._down.face(self.shoe.order if self.shoe is not None else None)

    def card_entered(self, number: int) -> Card | None:
        """The card of that number in the round in play, as it was entered; None for one that nobody knows."""
        if self._down.number == number:
            return self.face_down
        out = self.in_play.cards
        return out[number - 1] if 1 <= number <= len(out) else None


english(
    "refused",
    {
        "reopen-in-play": "Round {round} is in play: correct or void it there.",
        "reopen-differs": "Round {round} does not settle as its record says.",
        "no-round": "There is no round in play at this table.",
        "correction-open": "A card is being corrected: the table waits.",
        "no-correction": "No correction is open.",
        "shoe-not-cut": "The shoe is not cut yet.",
        "rules-differ": "The rules that the round was opened with are not those of its configuration.",
        "snapshot-differs": "{table} differs from its snapshot after {entries} entries.",
    },
)
