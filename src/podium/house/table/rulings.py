"""Rulings on a round in which something went wrong: its cards are corrected, or it is voided (CARD-2, VOID-1)."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import msgspec

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.table.correcting import EditedCards, Fix
from podium.house.table.events import (
    CorrectionAbandoned,
    CorrectionExplained,
    CorrectionOpened,
    NoticeRead,
    RoundReopened,
    VoidExplained,
)
from podium.house.table.money import lacking, moved_again
from podium.house.table.recording import RecordingTable
from podium.house.table.reopening import MAX_REOPENED_ROUNDS_BACK, MINUTE_MS, Reopening
from podium.house.table.shoes import ShoeInUse
from podium.play.events import (
    CardsCorrected,
    Voided,
)
from podium.play.reasons import Reason
from podium.play.round import Round


class Rulings(RecordingTable):
    """Corrections and voids, while the round is in play and after it."""

    def open_correction(self, now: int, *, by: str, from_floor: bool = False) -> None:
        """CARD-3: begins a correction: the table waits, and everybody sees it. One of the floor's is ended by the floor alone
        (VOID-4)."""
        self._record(CorrectionOpened(by, from_floor), now)

    def abandon_correction(self, now: int, *, by: str, from_floor: bool = False) -> None:
        """Leaves the cards as they are: the table goes on."""
        self._check_floors_correction(from_floor=from_floor)
        self._record(CorrectionAbandoned(by), now)

    def _check_floors_correction(self, *, from_floor: bool) -> None:
        """Refuses to end at the podium a correction that a supervisor has begun on the floor: it may concern the
        dealer."""
        if self.correction is not None and self.correction.from_floor and not from_floor:
            raise Refused("correction-floor", by=self.correction.by, clause="VOID-4")

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
        a supervisor does it, so no approval is needed (VOID-4)."""
        self.check_correction(fixes, reason, from_floor=from_floor)
        if self.correction_needs_approval(fixes) and not approved_by and not from_floor:
            raise Refused("approval-needed", clause="CARD-3")
        self._record(
            CorrectionExplained(by, reason.text, approved_by, reason.key, tuple(fix.in_short for fix in fixes)), now
        )
        seal = partial(self._sealing.seal_card, self.name, self.happened + 1)
        edits = EditedCards(self.in_play, self.face_down, seal).edits(fixes)
        self._record(CardsCorrected(edits, self.asks_affected), now)

    def unseen(self, fixes: Sequence[Fix]) -> list[Fix]:
        """The same changes without the cards that lie face down before or after them (CARD-4)."""
        down = self.in_play.face_down_number
        if down is None or self.in_play.shows(down):
            return list(fixes)
        moved = any(fix.kind in ("insert", "remove", "swap") for fix in fixes)
        return [fix._replace(card=None) if moved or fix.number == down else fix for fix in fixes]

    @property
    def asks_affected(self) -> bool:
        """Whether a player whose own hand a correction changed decides again."""
        return self.configured.after_correction == "ask-affected"

    def check_correction(self, fixes: Sequence[Fix], reason: Reason, *, from_floor: bool = False) -> None:
        """Refuses a correction that is impossible, with or without approval."""
        self._check_floors_correction(from_floor=from_floor)
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
        """CARD-6, VOID-1: voids the round: every stake goes back. `from_floor`: a supervisor does it, who would approve it too
        (VOID-4)."""
        self.check_void(Reason(why, reason), from_floor=from_floor)
        if self.void_needs_approval and not approved_by and not from_floor:
            raise Refused("approval-needed", clause="CARD-6")
        self._void(now, by=by, reason=Reason(why, reason), approved_by=approved_by)

    def _void(self, now: int, *, by: str, reason: Reason, approved_by: str = "") -> None:
        _ = self.in_play
        self._record(VoidExplained(by, reason.text, approved_by, reason.key), now)
        self._record(Voided(reason.text, reason.key), now)

    def check_void(self, reason: Reason, *, from_floor: bool = False) -> None:
        """Refuses a void that is impossible, with or without approval."""
        self._check_floors_correction(from_floor=from_floor)
        _ = self.in_play
        if not reason:
            raise Refused("void-reason", clause="EVT-1")

    @property
    def void_needs_approval(self) -> bool:
        """Whether a supervisor must approve a void; a round in which nobody has bet is ended by the dealer alone."""
        return "void" in self.configured.approvals and bool(self.in_play.seats)

    # --- after the result was confirmed (VOID-4) ---------------------------------------------------------------------

    def check_reopening(self, reopening: Reopening, now: int) -> RoundReopened:
        """Refuses to reopen a round too late, or with cards that its shoe cannot have held. Returns the event that would be
        recorded, with the debts."""
        settled = reopening.settled
        minutes = settled.config.reopen_minutes
        if not minutes:
            raise Refused("reopen-never", clause="VOID-4")
        if now - settled.ended > minutes * MINUTE_MS or self.round_number - settled.number > MAX_REOPENED_ROUNDS_BACK:
            rounds = MAX_REOPENED_ROUNDS_BACK
            raise Refused("reopen-late", round=settled.number, minutes=f"{minutes:g}", rounds=rounds, clause="VOID-4")
        shoe = self._shoe_of_round(settled.number)
        event = reopening.event("", "", shoe)
        self.tellings.check(event)
        if shoe is not None:
            self._check_recount(shoe, event)
        moved = moved_again(self.name, self.happened + 1, event)
        owed = lacking(moved, self._holds) if self._holds is not None else {}
        return msgspec.structs.replace(event, owed=owed)

    def _shoe_of_round(self, number: int) -> ShoeInUse | None:
        """The shoe in use, if it is a live one and the round was dealt from it."""
        shoe = self.shoe
        if shoe is None or shoe.shuffle is not None or shoe.shuffler == "continuous":
            return None
        first, last = shoe.rounds
        return shoe if first <= number <= last else None

    def _check_recount(self, shoe: ShoeInUse, event: RoundReopened) -> None:
        """CARD-1: the shoe must hold the cards of all its rounds as they are settled now."""
        in_play = Counter(() if self.between_rounds else self.in_play.cards_of_shoe[0])
        counted = shoe.out + in_play + Counter(cards(event.out)) - Counter(cards(event.back))
        for card, times in counted.items():
            if times > shoe.decks and card in cards(event.out):
                raise Refused("card-again", card=card, decks=shoe.decks, clause="CARD-1")

    def reopen(self, reopening: Reopening, now: int, *, by: str, approved_by: str) -> RoundReopened:
        """Settles a round again. It always takes two people."""
        if not approved_by or approved_by == by:
            raise Refused("approval-needed", clause="VOID-4")
        checked = self.check_reopening(reopening, now)
        event = msgspec.structs.replace(checked, by=by, approved_by=approved_by)
        self._record(event, now)
        return event

    def read_notice(self, player: str, number: int, telling: int, now: int) -> None:
        """Records that a player has read the notice of a reopened round."""
        self._record(NoticeRead(player, number, telling), now)


english(
    "refused",
    {
        "correct-reason": "A correction needs a reason.",
        "correction-floor": "{by} corrects this round from the floor: a supervisor ends it there.",
        "void-reason": "A void needs a reason.",
        "reopen-never": "Rounds of this table cannot be reopened: a result stands once it is confirmed.",
        "reopen-late": (
            "Round {round} cannot be reopened any more: a result stands after {minutes} minutes, or when {rounds} rounds have"
            " followed it."
        ),
        "approval-needed": "A supervisor must approve it.",
    },
)
