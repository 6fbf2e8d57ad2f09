"""The table: what people, the house and the automated dealer can do there.

All changes go through these methods. Each gets the time, checks the request, and records what happened; a method that refuses
has changed nothing. `recorded` collects what must be durable before anybody hears of it.
"""

from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house.table.config import TableConfig, milliseconds
from podium.house.table.entering import CardEntry
from podium.house.table.events import (
    BettingExtended,
    CutClosed,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShoeShuffled,
    TableClosed,
    TableConfigured,
    TableOpened,
    TimeGivenBack,
)
from podium.house.table.live_shoes import LiveShoes
from podium.house.table.money import ACCOUNTING
from podium.house.table.rulings import Rulings
from podium.house.table.seats import SEATLESS_FROM
from podium.house.table.shoe_state import minutes_until
from podium.house.table.shoes import ShoeInUse
from podium.house.table.state import AUTOMATED
from podium.play.events import (
    BettingClosed,
    CardDealt,
    Confirmed,
    Decided,
    TimeExpired,
    WagersPlaced,
)
from podium.play.reasons import Reason
from podium.rules.asking import Decisions, NextCard, Wagers

SHOE_IS_EMPTY: Final = Reason("shoe-empty")


class Table(CardEntry, LiveShoes, Rulings):
    """One table of the house."""

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
        """Gives a player a seat: the wanted one or the first free one; another seat for another box."""
        place = self.seats.get(player)
        if place is not None and self.is_seatless(place):
            return self._move_to_seat(player, place, seat, now)
        box = self._seats.box_for(player, seat, box)
        number = self.boxes.get(player, {}).get(box)
        if number is None:
            most = self.upcoming.boxes_per_player
            if box > most or len(self.boxes.get(player, {})) >= most:
                raise Refused("boxes-taken", boxes=most)
            number = self._choose_seat(seat)
        elif number not in self.leaving:
            return number
        self._record(SeatTaken(number, player, box), now)
        return number

    def join_without_seat(self, player: str, now: int) -> int:
        """Lets a player take part without a seat, for wagers for the dealer alone. Who has a seat keeps it."""
        if self.upcoming.training or not self.upcoming.to_game().rules.tokes_need_no_seat:
            raise Refused("seat-needed", clause=self.current_game.rules.wagering_clause)
        place = self.seats.get(player)
        if place is None:
            place = self._seats.choose_seatless()
        elif place not in self.leaving:
            return place
        self._record(SeatTaken(place, player), now)
        return place

    def is_seatless(self, place: int) -> bool:
        """Whether a place at this table has no seat, and so gets no cards."""
        return place >= SEATLESS_FROM and self.current_game.rules.places is not None

    def _choose_seat(self, wanted: int | None) -> int:
        has_seats = self.current_game.rules.places is not None
        seatless = sum(self.is_seatless(place) for place in self.players) if has_seats else 0
        return self._seats.choose(wanted, self.upcoming.seats, seatless)

    def _move_to_seat(self, player: str, place: int, wanted: int | None, now: int) -> int:
        number = self._choose_seat(wanted)
        if not self.between_rounds and place in self.in_play.seats:
            raise Refused("seat-after-round")
        self._record(SeatLeft(place), now)
        self._record(SeatTaken(number, player), now)
        return number

    def get_up(self, player: str, now: int, *, box: int | None = None) -> None:
        """Gives up a box, or all of them."""
        if player not in self.seats:
            raise Refused("no-seat")
        for seat in self.boxes[player].values() if box is None else (self._seat_of(player, box),):
            self._record(SeatLeft(seat), now)

    def free_seat(self, player: str, now: int) -> None:
        """DSC-1: frees the seats of a player who is gone, except those with a wager in play."""
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
        """Places or replaces a player's bet in this round. `credit` is the player's remaining credit; `device` distinguishes
        terminals that are not enrolled."""
        seat = self._seat_of(player, box)
        if self.rests:
            raise Refused("table-closed")
        if self.deadline is not None and now >= self.deadline and isinstance(self.in_play.awaits, Wagers):
            raise Refused("bets-over")
        if for_dealer and self.configured.training:
            raise Refused("training-tokes")
        if amounts and self.is_seatless(seat):
            raise Refused("seat-for-own", clause=self.current_game.rules.wagering_clause)
        brought = credit + self.staked_at(seat)
        device = "" if device == terminal else device
        first = self.seats[player]
        shares = first if first != seat and self.in_play.game.rules.caps else 0
        placed = WagersPlaced(
            seat, amounts, for_dealer, spots, brought, terminal=terminal, device=device, shares=shares
        )
        if isinstance(self.in_play.awaits, Wagers):
            self.in_play.check_limits(placed, own=self.boxes[player].values())
        self._record(placed, now)

    def decide(
        self, player: str, decision: str, now: int, *, credit: int | None = None, box: int | None = None
    ) -> None:
        """Makes a player's decision. `credit` is the credit that the player can spend now."""
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

    def close_bets(self, now: int) -> None:
        self._record(BettingClosed(), now)

    def confirm(self, now: int) -> None:
        self._record(Confirmed(), now)

    # --- what the table does by itself ------------------------------------------------------------------------------

    def extend_betting(self, now: int) -> None:
        """Keeps betting open, because nobody has bet."""
        self._record(BettingExtended(now + milliseconds(self.configured.betting_seconds)), now)

    def resume(self, since: int, now: int) -> None:
        """DSC-2: goes on after the house itself stood still, which is known to have worked at `since`. Nobody is cut short."""
        if self.rests:
            return
        left = self._left_at(since)
        if left is not None and self.deadline is not None and left <= self.deadline - now:
            left = None  # that much time is left anyway
        if left is not None or self.readings.waits or (self.shoe is not None and self.shoe.waits_for_cut):
            self._record(TimeGivenBack(since, left), now)

    def _left_at(self, since: int) -> int | None:
        """The time that was left, and at least what the table gives after an interruption; None where nobody waits for
        it."""
        live_pause = self.between_rounds and self.upcoming.dealer == "live"
        awaited = bool(self.players) or (self.round is not None and bool(self.round.seats))
        if self.deadline is None or live_pause or not awaited:
            return None
        left = self.deadline - max(since, self.deadline - self.window)
        return max(left, min(self.window, milliseconds(self.configured.resume_seconds)))

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
            self._record(CardDealt(None), now)  # its face stays under the seal of the shoe
        else:
            self._record(CardDealt(card), now)

    def take_shoe(self, shuffled: ShoeShuffled, now: int) -> None:
        """Puts a shoe of the automated dealer on the table, to be cut by those who have the right now."""
        cutters = self.cutting.entitled(self.players, now)
        self._record(msgspec.structs.replace(shuffled, cutters=cutters), now)

    def close_cut(self, now: int) -> None:
        """Closes the list of commitments: no more terminals can cut this shoe."""
        self._record(CutClosed(), now)


english(
    "refused",
    {
        "no-seat": "You have no seat at this table.",
        "seat-first": "Take a seat at this table first.",
        "seat-needed": "Nobody takes part at this table without a seat ({clause}).",
        "seat-after-round": "Your wager for the dealer is in play: take a seat when the round is over.",
        "seat-for-own": "A wager of your own needs a seat ({clause}): without one you wager for the dealer alone.",
        "no-box": "You have no box {box} at this table. Your boxes: {boxes}.",
        "boxes-taken": Plural(
            "boxes",
            one="You already have a box at this table: it allows one for each player.",
            other="You already have all your boxes at this table: it allows {boxes} for each player.",
        ),
        "training-tokes": "Dealers practise here, with play money: there are no wagers for the dealer.",
        "bets-over": "No more bets: the time for betting is over.",
        "table-closed": "The table is closed.",
        "round-in-play": "A round is in play: it must be finished before the next begins.",
        "not-at-podium": "{dealer} is not at the podium.",
    },
)
