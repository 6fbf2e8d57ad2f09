"""The table: what people, the house and the automated dealer can do there.

All changes go through these methods. Each gets the time, checks what is asked, and records what happened; a method that
refuses has changed nothing. `recorded` collects what must be made durable before anybody is told of it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

import msgspec

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house import limits
from podium.house.table.config import TableConfig, milliseconds
from podium.house.table.correcting import EditedCards, Fix
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
    TableOpened,
    VoidExplained,
)
from podium.house.table.money import ACCOUNTING, debts, lacking
from podium.house.table.shoes import ShoeInUse
from podium.house.table.state import AUTOMATED, Sealing, TableState, minutes_until
from podium.play.events import (
    AnyEvent,
    BettingClosed,
    CardDealt,
    CardsCorrected,
    Confirmed,
    Decided,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    TakesBack,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.record.ledger import Account, Transfer
from podium.rules.asking import Decisions, HoleCard, NextCard, Peek, Wagers, expected

SHOE_IS_EMPTY: Final = Reason("shoe-empty")


class Recorded(NamedTuple):
    """Something that happened, when, and the money that it moved."""

    happening: Happening
    at: int
    transfers: tuple[Transfer, ...] = ()


class Table(TableState):
    """One table of the house."""

    def __init__(
        self,
        name: str,
        sealing: Sealing,
        *,
        snapshot_every: int = limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS,
        holds: Callable[[Account], int] | None = None,
    ) -> None:
        """`holds` tells what an account holds now; without it nothing that is taken back is ever lacking."""
        super().__init__(name, sealing)
        self._holds: Final = holds
        self._snapshot_every: Final = snapshot_every
        self.recorded: list[Recorded] = []
        """What happened since this was last taken away to be stored."""
        self.news: list[Happening] = []
        """What happened since somebody last looked, to show it."""

    def _record(self, happening: Happening, now: int) -> None:
        """Applies a happening, and keeps it to be stored."""
        transfers = self.apply(happening, now)
        if isinstance(happening, TakesBack):
            happening, transfers = self._with_debts(happening, transfers)
        self.recorded.append(Recorded(happening, now, transfers))
        self.news.append(happening)
        self._look_at_face_down(now)

    def _with_debts(self, event: AnyEvent, transfers: tuple[Transfer, ...]) -> tuple[AnyEvent, tuple[Transfer, ...]]:
        """Adds what accounts do not hold any more of what the event takes back: nobody's credit is ever negative."""
        owed = lacking(transfers, self._holds) if self._holds is not None else {}
        if not owed or self.round is None:
            return event, transfers
        event = msgspec.structs.replace(event, owed=owed)
        self.round.events[-1] = event
        return event, (*debts(self.name, self.round_number, self.happened, owed), *transfers)

    def _look_at_face_down(self, now: int) -> None:
        """A card that lies face down and that the house knows is looked at and turned as soon as the rules ask for it; before
        that, its face is under the seal (CARD-4, RNG-8)."""
        if not self._down or self.between_rounds or not isinstance(self.in_play.awaits, Peek | HoleCard):
            return
        hole = self.face_down
        if hole is None:
            return
        # CARD-1: a card entered wrongly elsewhere can be the last one of its kind; then a dealer must look and correct.
        with suppress(Refused):
            if isinstance(self.in_play.awaits, Peek):
                self._record(HolePeeked(self.in_play.dealing.would_see_blackjack(hole)), now)
            else:
                before = tuple(known for card in self._down[:-1] if (known := self._face_of(card)) is not None)
                self._record(HoleTurned(hole, before), now)

    # --- the house's part -------------------------------------------------------------------------------------------

    def configure(self, config: TableConfig, now: int, *, by: str = "") -> None:
        """Takes a configuration, which is in force from the next round on (GAME-5)."""
        self._record(TableConfigured(self.version + 1, config, by), now)

    def open(self, now: int, *, by: str = "") -> None:
        """Opens the table, so that rounds may begin."""
        self._record(TableOpened(by), now)

    def close(self, now: int, *, by: str = "", reason: str = "", why: str = "", paused: bool = False) -> None:
        """Closes the table: the round in play finishes, and no other begins (VOID-3). `paused`: play will go on soon."""
        self._record(TableClosed(by, reason, paused, why), now)

    # --- seats ------------------------------------------------------------------------------------------------------

    def sit_down(self, player: str, seat: int | None, now: int, *, box: int | None = None) -> int:
        """Gives a player a seat: the one that is wanted, or the first that is free; a further one for a further box."""
        box = self._seats.box_for(player, seat, box)
        number = self.boxes.get(player, {}).get(box)
        if number is None:
            most = self.upcoming.boxes_per_player
            if box > most or len(self.boxes.get(player, {})) >= most:
                raise Refused("boxes-taken", boxes=most)
            number = self._seats.choose(seat, self.upcoming.seats)
        elif number not in self.leaving:
            return number
        self._record(SeatTaken(number, player, box), now)
        return number

    def get_up(self, player: str, now: int, *, box: int | None = None) -> None:
        """Gives up a box, or all of them."""
        if player not in self.seats:
            raise Refused("no-seat")
        for seat in self.boxes[player].values() if box is None else (self._seat_of(player, box),):
            self._record(SeatLeft(seat), now)

    def free_seat(self, player: str, now: int) -> None:
        """DSC-1: frees the seats of a player who is gone, but for those where a wager is in play."""
        for seat in tuple(self.boxes.get(player, {}).values()):
            if self.between_rounds or seat not in self.in_play.seats:
                self._record(SeatLeft(seat, away=True), now)

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
        device: str = "",
        box: int | None = None,
    ) -> None:
        """Places or replaces a player's bet in this round. `credit` is what the player has besides; `device` tells terminals
        apart that have no name of their own."""
        seat = self._seat_of(player, box)
        if self.rests:
            raise Refused("table-closed")
        if self.deadline is not None and now >= self.deadline and isinstance(self.in_play.awaits, Wagers):
            raise Refused("bets-over")
        if for_dealer and self.configured.training:
            raise Refused("training-tokes")
        brought = credit + self.staked_at(seat)
        device = "" if device == terminal else device
        placed = WagersPlaced(seat, amounts, for_dealer, spots, brought, terminal=terminal, device=device)
        if isinstance(self.in_play.awaits, Wagers):
            self.in_play.check_limits(placed, own=self.boxes[player].values())
        self._record(placed, now)

    def decide(
        self, player: str, decision: str, now: int, *, credit: int | None = None, box: int | None = None
    ) -> None:
        """Makes a player's decision. `credit` is what the player can spend now."""
        if "+dealer" in decision and self.configured.training:
            raise Refused("training-tokes")
        self._record(Decided(self._seat_of(player, box), decision, credit), now)

    def _seat_of(self, player: str, box: int | None = None) -> int:
        """The seat of a player's box; of the first one, where none is named."""
        if player not in self.seats:
            raise Refused("seat-first")
        boxes = self.boxes[player]
        if box is not None and box not in boxes:
            raise Refused("no-box", box=box, boxes=list(boxes))
        return self.seats[player] if box is None else boxes[box]

    def commit_to_cut(self, player: str, shoe: int, commitment: str, now: int, *, device: str = "") -> None:
        """Takes a terminal's commitment to its number for the cut of the waiting shuffle."""
        entitled = self._waits_for_cut(shoe).entitled or {}
        named = (terminal for terminal, whose in entitled.items() if whose == player)
        terminal = next(named, None) or f"seat-{self._seat_of(player)}"
        ends = self.cutting.barred_until(player, device, now)
        if ends:
            raise Refused("cut-barred", minutes=minutes_until(ends, now))
        self._record(CutCommitted(terminal, commitment, device), now)

    def open_cut(self, player: str, shoe: int, number: str, now: int) -> None:
        """Takes a player's number, once the list of commitments is closed; also of one who has left the seat meanwhile."""
        entitled = self._waits_for_cut(shoe).entitled or {}
        terminal = next((terminal for terminal, whose in entitled.items() if whose == player), None)
        self._record(CutOpened(terminal or f"seat-{self._seat_of(player)}", number), now)

    def _waits_for_cut(self, shoe: int) -> ShoeInUse:
        if self.shoe is None or self.shoe.cut is None or self.shoe.number != shoe or self.shoe.order is not None:
            raise Refused("no-cut")
        return self.shoe

    # --- the dealer's part ------------------------------------------------------------------------------------------

    def take_place(self, dealer: str, now: int) -> None:
        if self.dealer and self.dealer != dealer:
            self._record(DealerLeft(self.dealer), now)
        if self.dealer != dealer:
            self._record(DealerArrived(dealer), now)

    def leave_place(self, dealer: str, now: int) -> None:
        if self.dealer != dealer:
            raise Refused("not-at-podium", dealer=dealer)
        self._record(DealerLeft(dealer), now)

    def load_shoe(self, cards: int, now: int, *, by: str, follows: bool = False) -> None:
        """CARD-8: loads a live shoe, whose cards are counted. `follows`: the shoe in use has run out in mid-round."""
        if not self.between_rounds:
            if not follows:
                raise Refused("shoe-in-play")
            self._let_shoe_follow(cards, now, by=by)
            return
        config = self.upcoming
        self._check_count(cards, config.to_game().rules.decks)
        if self.shoe is not None and self.shoe.shuffle is not None:
            self.end_shoe(now)
        self._load(now, by=by)

    def _check_count(self, cards: int, decks: int) -> None:
        if cards != 52 * decks:
            raise Refused("shoe-count", cards=cards, decks=decks, whole=52 * decks, clause="CARD-8")

    def _load(self, now: int, *, by: str) -> None:
        config = self.upcoming
        shoe, cards = self.shoe_number + 1, 52 * config.to_game().rules.decks
        self._record(ShoeLoaded(shoe, cards, by, config.shuffled_by, config.penetration, config.burned), now)

    def _let_shoe_follow(self, cards: int, now: int, *, by: str) -> None:
        """CARD-10: the next shoe follows one that ran out in mid-round. Where the count says that cards were left in it, the
        count was wrong, and that is on record."""
        shoe, config = self._shoe, self.configured
        if shoe.shuffle is not None or shoe.shuffler != "none":
            raise Refused("shoe-in-play")
        self._check_count(cards, shoe.decks)
        burned = config.burn_cards
        follows = ShoeFollowed(self.shoe_number + 1, cards, by, burned, config.penetration)
        if not isinstance(self.in_play.awaits, NextCard):
            raise Refused("no-shoe-awaited", awaited=expected(self.in_play.awaits))
        left = shoe.left - self.in_play.cards_of_shoe[1]
        if left:
            self._record(ShoeCounted(shoe.number, by, left=0, due_left=left), now)
        self._record(follows, now)

    def burn(self, shoe: int, card: Card | None, now: int, *, by: str) -> None:
        """CARD-10: a card of a live shoe is burned between rounds."""
        in_use = self._live_shoe(shoe)
        if not self.between_rounds:
            raise Refused("burn-in-play")
        if not in_use.left:
            raise Refused("shoe-empty", shoe=shoe)
        if card is not None:
            self._check_burn(in_use, card)
        self._record_card(CardBurned(shoe, card, by), card, now)

    def see_cut_card(self, shoe: int, now: int, *, by: str, out: bool = True) -> None:
        """CARD-10: the cut card is out, or the dealer takes that back."""
        in_use = self._live_shoe(shoe)
        if in_use.shuffler != "none":
            raise Refused("no-cut-card")
        if in_use.cut_card != out:
            self._record(CutCardOut(shoe, by, out), now)

    def count_shoe(self, shoe: int, discards: int | None, left: int | None, now: int, *, by: str) -> None:
        """CARD-8: puts a count on record: of the shoe in use, or of the next one, which is to be loaded. A wrong one is a
        significant event, and no other round begins with that shoe. 0 is the next one."""
        if not self.between_rounds:
            raise Refused("count-in-play")
        if discards is None and left is None:
            raise Refused("count-nothing")
        if not shoe:
            shoe, due_discards, due_left = self.shoe_number + 1, 0, 52 * self.upcoming.to_game().rules.decks
        else:
            in_use = self._live_shoe(shoe)
            due_discards, due_left = in_use.dealt, in_use.left
        due = None if discards is None else due_discards, None if left is None else due_left
        self._record(ShoeCounted(shoe, by, discards, left, *due), now)

    def _live_shoe(self, number: int) -> ShoeInUse:
        shoe = self._shoe
        if shoe.shuffle is not None or shoe.number != number:
            raise Refused("shoe-other", shoe=number, now=shoe.number)
        return shoe

    def ask_for_shoe(self, now: int, *, by: str, reason: str) -> None:
        """CARD-10: the floor asks for another shoe or deck, which comes before the next round."""
        if not reason.strip():
            raise Refused("shoe-change-reason", clause="EVT-1")
        if self._shoe.change != reason:
            self._record(ShoeChangeAsked(by, reason), now)

    def open_round(self, now: int) -> None:
        """Opens betting: the dealer's New Game, or the automated dealer's turn."""
        if not self.is_open:
            raise Refused("table-closed")
        if not self.between_rounds:
            raise Refused("round-in-play", clause="GAME-3")
        config = self.upcoming
        game = config.check()
        if config.dealer == "live":
            self._prepare_shoe(now)
        elif self.shoe is None or self.shoe.decks != game.rules.decks:
            raise Refused("shoe-needed", decks=game.rules.decks)
        deadline = now + milliseconds(config.betting_seconds)
        opened = RoundOpened(self.round_number + 1, deadline, self.version, game.fingerprint, self.dealer, ACCOUNTING)
        self._record(opened, now)
        if self.happened - self._last_snapshot >= self._snapshot_every:
            self._record(self._snapshot(), now)

    def _prepare_shoe(self, now: int) -> None:
        """Refuses a round without its shoe. A shuffler that gives a deck for every round has given it (CARD-10)."""
        if self.shoe_wanted is not None:
            raise self.shoe_wanted
        if self.upcoming.shuffled_by == "every-round":
            if not self.deck_is_fresh:
                if self.shoe is not None and self.shoe.shuffle is not None:
                    self.end_shoe(now)
                self._load(now, by=self.dealer)
        elif self._shoe.to_burn:
            raise Refused("burn-first", cards=self._shoe.to_burn, clause="CARD-10")

    def close_bets(self, now: int) -> None:
        self._record(BettingClosed(), now)

    def deal(self, card: Card | None, now: int) -> None:
        """The next card; one that is dealt face down goes under the seal at once, and the round does not know it."""
        awaits = self.in_play.awaits
        if card is not None and isinstance(awaits, NextCard):
            self.in_play.check_shoe(card, besides=self.face_down)
            if self.in_play.dealing.takes_unknown(awaits.place):
                sealed = self._sealing.seal_card(self.name, self.happened + 1, card)
                self._record_card(CardDealt(None, sealed), card, now)
                return
        self._record_card(CardDealt(card), card, now)

    # --- card readers (CARD-11) -------------------------------------------------------------------------------------

    def read(self, reader: str, session: str, number: int, card: Card, now: int) -> None:
        """A card that a reader read: it is held until the dealer has had a look at it. The same reading again is harmless. The
        next reading lets the one before it count."""
        readings = self.readings
        if readings.is_repeated(reader, session, number):
            return
        due = readings.follows(reader, session, number)
        if due is not None:
            raise Refused("reading-left-out", number=number, due=due, clause="CARD-11")
        if readings.held is not None and not readings.held.stopped:
            self.count_reading(now)
        sealed, why = "", self._why_not_awaited()
        if why is None:
            sealed = self._sealing.seal_card(self.name, self.happened + 1, card)
            why = self._why_wrong(card)
        self._record(CardRead(reader, session, number, sealed, why.phrase if why else None), now)

    def _why_not_awaited(self) -> Refused | None:
        """Why no card of a reader is awaited now."""
        if not self.dealer:
            return Refused("podium-empty", clause="CARD-6")
        if self.readings.held is not None:
            return Refused("reading-stopped", clause="CARD-11")
        if self.between_rounds:
            live, shoe = self.upcoming.dealer == "live", self.shoe
            awaited = live and shoe is not None and bool(shoe.to_burn) and self.shoe_wanted is None
        else:
            awaited = self.configured.dealer == "live" and isinstance(self.in_play.awaits, NextCard | HoleCard)
        return None if awaited else Refused("reading-not-awaited", clause="CARD-11")

    def _why_wrong(self, card: Card) -> Refused | None:
        """CARD-1: why a card that was read cannot be right: the shoe does not hold it any more. Of the card that lies face down
        nothing is told."""
        try:
            if self.between_rounds:
                self._check_burn(self._shoe, card)
            else:
                hole = isinstance(self.in_play.awaits, HoleCard)
                self.in_play.check_shoe(card, place=self.in_play.cards.index(None) if hole else None)
        except Refused:
            return Refused("reading-impossible", clause="CARD-1")
        return None

    def _check_burn(self, shoe: ShoeInUse, card: Card) -> None:
        if shoe.out[card] >= shoe.decks:
            raise Refused("card-again", card=card, decks=shoe.decks, clause="CARD-1")

    def count_reading(self, now: int) -> None:
        """The card that is held counts. Where it does not fit any more, or nobody can tell it, it waits for the dealer."""
        held, card = self.readings.held, self.card_held()
        if held is None:
            raise Refused("no-reading")
        try:
            if card is None:
                raise Refused("no-reading")
            self._enter(card, now)
        except Refused:
            if not held.stopped:
                self._record(ReadingAnswered(held.entry, "stopped", self.dealer), now)

    def _enter(self, card: Card, now: int) -> None:
        """Enters a card where one is awaited: into the round, as the hole card, or among the burned."""
        if self.between_rounds:
            self.burn(self._shoe.number, card, now, by=self.dealer)
        elif isinstance(self.in_play.awaits, HoleCard):
            self.turn(card, now)
        else:
            self.deal(card, now)

    def answer_reading(self, reading: int, answer: str, now: int, *, by: str) -> None:
        """The dealer stops a reading, lets it count at once, or drops it."""
        held = self.readings.held
        if held is None or held.entry != reading:
            raise Refused("no-reading")
        if answer == "count":
            self.count_reading(now)
        elif answer == "drop":
            self._record(ReadingAnswered(reading, "dropped", by, self._told()), now)
        elif not held.stopped:
            self._record(ReadingAnswered(reading, "stopped", by), now)

    def _replaced(self, entered: Card | None) -> ReadingAnswered | None:
        """CARD-11: what the dealer enters takes the place of what was read, which the record keeps."""
        held = self.readings.held
        if held is None or (entered is not None and self.card_held() is entered):
            return None
        return ReadingAnswered(held.entry, "replaced", self.dealer, self._told())

    def _record_card(self, event: CardDealt | HoleTurned | CardBurned, entered: Card | None, now: int) -> None:
        """Records a card, and what a reader had read in its place."""
        replaced = self._replaced(entered)
        self._record(event, now)
        if replaced is not None:
            self._record(replaced, now)

    def _told(self) -> Card | None:
        """What was read, as far as it may be told: not of a card that lies face down (CARD-4)."""
        if not self.between_rounds:
            awaits = self.in_play.awaits
            if isinstance(awaits, NextCard) and self.in_play.dealing.takes_unknown(awaits.place):
                return None
        return self.card_held()

    def peek(self, blackjack: bool, now: int) -> None:
        self._record(HolePeeked(blackjack), now)

    def turn(self, card: Card, now: int) -> None:
        self._record_card(HoleTurned(card), card, now)

    def confirm(self, now: int) -> None:
        self._record(Confirmed(), now)

    def correct(self, number: int, card: Card, now: int, *, by: str, reason: str, approved_by: str = "") -> None:
        """CARD-2: puts the right card in the place of a wrong one."""
        self.correct_cards(
            [Fix("replace", number, card)], now, by=by, reason=Reason("", reason), approved_by=approved_by
        )

    def open_correction(self, now: int, *, by: str) -> None:
        """CARD-3: begins a correction: the table waits, for all to see."""
        self._record(CorrectionOpened(by), now)

    def abandon_correction(self, now: int, *, by: str) -> None:
        """Leaves the cards as they are: the table goes on."""
        self._record(CorrectionAbandoned(by), now)

    def correct_cards(
        self,
        fixes: Sequence[Fix],
        now: int,
        *,
        by: str,
        reason: Reason,
        approved_by: str = "",
        from_floor: bool = False,
    ) -> None:
        """CARD-2, CARD-3: puts the right cards on the table, all in one act; an open correction is done with it. `from_floor`:
        a supervisor does it, who would approve it too (VOID-4)."""
        self.check_correction(fixes, reason)
        if self.correction_needs_approval(fixes) and not approved_by and not from_floor:
            raise Refused("approval-needed", clause="CARD-3")
        self._record(CorrectionExplained(by, reason.text, approved_by, reason.key), now)
        seal = partial(self._sealing.seal_card, self.name, self.happened + 1)
        edits = EditedCards(self.in_play, self.face_down, seal).edits(fixes)
        self._record(CardsCorrected(edits, self.asks_affected), now)

    @property
    def asks_affected(self) -> bool:
        """Whether a player whose own hand a correction changed decides again."""
        return self.configured.after_correction == "ask-affected"

    def check_correction(self, fixes: Sequence[Fix], reason: Reason) -> None:
        """Refuses a correction that cannot be made, whoever approves it."""
        if not reason:
            raise Refused("correct-reason", clause="CARD-3")
        trial = Round(self.in_play.game, self.in_play.out, taken=True)
        for event in self.in_play.events:
            trial.apply(event)
        edited = EditedCards(trial, self.face_down, lambda _: "sealed")
        trial.apply(CardsCorrected(edited.edits(fixes), self.asks_affected))
        hole = edited.hole
        if None in trial.entered and hole is not None and any(fix.card is hole for fix in fixes):
            trial.check_shoe(hole, place=trial.entered.index(None))

    def correction_needs_approval(self, fixes: Sequence[Fix]) -> bool:
        """Whether a supervisor must approve a correction: the dealer corrects a card alone until something has followed it."""
        config = self.configured
        return "correct" in config.approvals or (config.correction_approval and any(map(self._is_followed, fixes)))

    def _is_followed(self, fix: Fix) -> bool:
        played = self.in_play
        if fix.kind == "withdraw-peek":
            return played.peek_is_followed
        first = min(fix.number, fix.other) if fix.other else fix.number
        return played.is_followed(min(first, len(played.entered)))

    def void(
        self,
        now: int,
        *,
        by: str,
        reason: str = "",
        why: str = "",
        approved_by: str = "",
        from_floor: bool = False,
    ) -> None:
        """CARD-6, VOID-1: the round does not count, and every stake goes back. `from_floor`: a supervisor does it, who would
        approve it too (VOID-4)."""
        self.check_void(Reason(why, reason))
        if self.void_needs_approval and not approved_by and not from_floor:
            raise Refused("approval-needed", clause="CARD-6")
        self._void(now, by=by, reason=Reason(why, reason), approved_by=approved_by)

    def _void(self, now: int, *, by: str, reason: Reason, approved_by: str = "") -> None:
        _ = self.in_play
        self._record(VoidExplained(by, reason.text, approved_by, reason.key), now)
        self._record(Voided(reason.text, reason.key), now)

    def check_void(self, reason: Reason) -> None:
        """Refuses a void that cannot be, whoever approves it."""
        _ = self.in_play
        if not reason:
            raise Refused("void-reason", clause="EVT-1")

    @property
    def void_needs_approval(self) -> bool:
        """Whether a supervisor must approve a void; a round in which nobody has bet is ended by the dealer alone."""
        return "void" in self.configured.approvals and bool(self.in_play.seats)

    # --- what the table does by itself ------------------------------------------------------------------------------

    def extend_betting(self, now: int) -> None:
        """Keeps betting open, because nobody has bet."""
        self._record(BettingExtended(now + milliseconds(self.configured.betting_seconds)), now)

    def run_out_of_time(self, now: int) -> None:
        """Decides for everybody who has not answered; while insurance is asked, about insurance only. Before the deadline the
        record names the seats: their players are away (DSC-2)."""
        early = self.deadline is not None and now < self.deadline
        asked = self.in_play.awaits if early and isinstance(self.in_play.awaits, Decisions) else ()
        # Players who answered about insurance in time get the full time for deciding (SBJ 5.h.iii).
        self._record(TimeExpired(tuple(sorted(self.in_play.dealing.insuring or asked)) or None), now)

    def deal_from_shoe(self, now: int) -> None:
        """Deals the automated dealer's next card. If a full table used up the shoe behind the cut card, the round is voided."""
        card, awaits = self.next_card(), self.in_play.awaits
        if card is None:
            self._void(now, by=AUTOMATED, reason=SHOE_IS_EMPTY)
        elif isinstance(awaits, NextCard) and self.in_play.dealing.takes_unknown(awaits.place):
            self._record(CardDealt(None), now)  # its face stays where it is: under the seal of the shoe
        else:
            self._record(CardDealt(card), now)

    def take_shoe(self, shuffled: ShoeShuffled, now: int) -> None:
        """Puts a shoe of the automated dealer on the table, to be cut by those who have the right now."""
        cutters = self.cutting.entitled(self.players, now)
        self._record(msgspec.structs.replace(shuffled, cutters=cutters), now)

    def close_cut(self, now: int) -> None:
        """Closes the list of commitments: no more terminals can cut this shoe."""
        self._record(CutClosed(), now)

    def end_shoe(self, now: int) -> None:
        """Reveals the shuffle, so that anybody can check the cards dealt from it (RNG-10)."""
        shoe = self._shoe
        self._record(ShoeEnded(shoe.number, shoe.shuffle.reveal() if shoe.shuffle else None, self.kept_back()), now)


english(
    "refused",
    {
        # a player
        "no-seat": "You have no seat at this table.",
        "seat-first": "Take a seat at this table first.",
        "no-box": "You have no box {box} at this table. Your boxes: {boxes}.",
        "boxes-taken": Plural(
            "boxes",
            one="You have your box at this table: it allows one for each player.",
            other="You have your boxes at this table: it allows {boxes} for each player.",
        ),
        "training-tokes": "Dealers practise here, with play money: there are no wagers for the dealer.",
        "bets-over": "No more bets: the time for betting is over.",
        "no-cut": "No shuffle waits to be cut now.",
        # the dealer
        "table-closed": "The table is closed.",
        "round-in-play": "A round is in play: it must be finished before the next begins.",
        "shoe-in-play": "The shoe is not changed while a round is in play.",
        "shoe-count": Plural(
            "decks",
            one="The shoe holds {cards} cards, but one deck has {whole}: count again.",
            other="The shoe holds {cards} cards, but {decks} decks have {whole}: count again.",
        ),
        "burn-first": Plural(
            "cards",
            one="One card must be burned before a round can begin.",
            other="{cards} cards must be burned before a round can begin.",
        ),
        "burn-in-play": "A card is burned between rounds; a round is in play.",
        "no-cut-card": "A shuffler has no cut card.",
        "count-in-play": "A shoe is counted between rounds; a round is in play.",
        "count-nothing": "Enter what was counted: the discards, the cards left in the shoe, or both.",
        "shoe-other": "The live shoe in use is {now}, not {shoe}.",
        "shoe-change-reason": "Asking for another shoe needs a reason.",
        "no-reading": "That reading is not held any more.",
        "reading-stopped": "The dealer has stopped the reader: this card counts for nothing.",
        "reading-impossible": "The reader must have misread: the shoe does not hold that card any more.",
        "reading-not-awaited": "A card was read that is not awaited now: it counts for nothing.",
        "reading-left-out": "Reading {number} cannot be taken: reading {due} comes next. Send it, or begin another session.",
        "podium-empty": "Nobody stands at the podium: take the place first.",
        "correct-reason": "A correction needs a reason.",
        "void-reason": "A void needs a reason.",
        "approval-needed": "A supervisor must approve it.",
        "not-at-podium": "{dealer} does not stand at the podium.",
    },
)
