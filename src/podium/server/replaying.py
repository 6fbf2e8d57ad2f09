"""A past round for replay on a terminal: each state, as the seat saw it then (REC-1, REC-2)."""

from typing import Literal

import msgspec

from podium.basics.words import Phrase
from podium.house.reports import Records, RoundLine, RoundRecord, for_player
from podium.house.reports.recall import entries_of
from podium.house.table.events import CorrectionExplained, Happening, TableEvent, decode
from podium.house.table.phase import Phase, phase_of
from podium.play.events import CreditAdded, Decided, WagersPlaced
from podium.play.round import Round
from podium.play.telling import apply_and_tell
from podium.play.views import Layout, SeatView, layout, seat_view
from podium.record.store import Reading
from podium.wire.messages import DealingKind


class RecordedStep(msgspec.Struct, frozen=True):
    """One state of a round, after what happened."""

    phase: Phase
    event: Phrase
    layout: Layout
    view: SeatView | None


class RecordedRound(msgspec.Struct, frozen=True):
    """A round of one seat; `record` has everything about it in words, with why every wager paid what it did."""

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


def replay(book: Reading, records: Records, line: RoundLine, player: str | None = None) -> list[RecordedRound]:
    """The round of a player, without anything of the other players; without a name, the rounds of everybody who bet."""
    record = records.recall(book, line.table, line.round)
    shown = for_player(record, player) if player is not None else record
    game = line.config.to_game()
    entries = list(entries_of(book, line))
    happened = [decode(entry.payload) for entry in entries]
    corrected = any(isinstance(each, CorrectionExplained) for each in happened)
    rounds = []
    for part in shown.players:
        steps = _steps(Round(game, line.cards_out, taken=True), happened, part.seat)
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


def _steps(played: Round, happened: list[Happening], seat: int) -> list[RecordedStep]:
    """Plays the round again: each state as this seat saw it, without what other seats did."""
    steps = []
    for event in happened:
        if isinstance(event, TableEvent):
            continue
        said = apply_and_tell(played, event)
        if isinstance(event, WagersPlaced | Decided | CreditAdded) and event.seat != seat:
            said = said[1:]
        view = seat_view(played, seat) if seat in played.seats else None
        steps += [RecordedStep(phase_of(played), each, layout(played), view) for each in said]
    return steps
