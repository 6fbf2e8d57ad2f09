"""A past round for replay on a terminal: every state as the seat saw it (REC-1, REC-2)."""

from typing import Literal

import msgspec

from podium.basics.words import Phrase
from podium.house.reports import Records, RoundLine, RoundRecord, for_player
from podium.house.reports.recall import entries_of, parts_of, told_again
from podium.house.table.events import CorrectionExplained, Happening, RoundReopened, decode
from podium.house.table.phase import Phase, phase_of
from podium.house.table.reopening import recount
from podium.play.again import reopened
from podium.play.describing import apply_and_describe
from podium.play.events import AnyEvent, CreditAdded, Decided, WagersPlaced
from podium.play.round import Round
from podium.play.views import Layout, SeatView, layout, seat_view
from podium.record.store import Reading
from podium.wire.messages import DealingKind


class RecordedStep(msgspec.Struct, frozen=True):
    """One state of a round, and what led to it."""

    phase: Phase
    event: Phrase
    layout: Layout
    view: SeatView | None


class RecordedRound(msgspec.Struct, frozen=True):
    """A round of one seat; `record` has all of it in words, and why every wager paid what it did."""

    table: str
    game: str
    title: str
    round: int
    time: int
    dealer: str
    fingerprint: str = msgspec.field(name="rules")
    dealing: DealingKind
    seats: int | None
    """How many players could sit down."""
    status: Literal["in play", "settled", "void", "corrected"]
    player: str
    credit_before: int
    credit_after: int
    steps: list[RecordedStep]
    record: RoundRecord


def replay(
    book: Reading, records: Records, line: RoundLine, player: str | None = None, *, of: str = ""
) -> list[RecordedRound]:
    """The round of one player, without anything about the others. For the floor, without a player: the whole record,
    with the states as the first seat saw them, or for each box of the player `of`."""
    record = records.recall(book, line.table, line.round)
    shown = for_player(record, player) if player is not None else record
    game = line.config.to_game()
    happened = [decode(entry.payload) for entry in entries_of(book, line)]
    happened += told_again(book, line)
    corrected = any(
        isinstance(each, CorrectionExplained) or (isinstance(each, RoundReopened) and each.round == line.round)
        for each in happened
    )
    rounds = []
    parts = shown.players
    if player is None:
        parts = parts_of(record, of) if of else parts[:1]
    for part in parts:
        steps = _steps(Round(game, line.cards_out, taken=True), line.round, happened, part.seat)
        rounds.append(
            RecordedRound(
                table=line.table,
                game=game.name,
                title=game.title,
                round=line.round,
                time=line.opened,
                dealer=record.dealer,
                fingerprint=line.fingerprint,
                dealing=game.dealing.kind,
                seats=line.config.seats,
                status="corrected" if corrected and line.status == "settled" else line.status,
                player=part.player,
                credit_before=part.credit_before,
                credit_after=part.credit_after,
                steps=steps,
                record=shown,
            )
        )
    return rounds


def _steps(played: Round, number: int, happened: list[Happening], seat: int) -> list[RecordedStep]:
    """Replays the round: every state as this seat saw it, without what other seats did."""
    steps = []
    for happening in happened:
        events: tuple[AnyEvent, ...] = ()
        if isinstance(happening, AnyEvent):
            events = (happening,)
        elif isinstance(happening, RoundReopened) and happening.round == number:
            played, events = reopened(played), happening.events()
        elif isinstance(happening, RoundReopened):
            recount(played, happening)
        for event in events:
            said = apply_and_describe(played, event)
            if isinstance(event, WagersPlaced | Decided | CreditAdded) and event.seat != seat:
                said = said[1:]
            view = seat_view(played, seat) if seat in played.seats else None
            steps += [RecordedStep(phase_of(played), each, layout(played), view) for each in said]
    return steps
