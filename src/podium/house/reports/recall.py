"""Recall: any round in full, from the record alone (REC-1, REC-2).

The round is played again from its entries. Its payouts are computed and compared with what was transferred then.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english, phrase
from podium.house.reports.rounds import RoundLine, Status, players_in
from podium.house.state import stream_of
from podium.house.table.events import (
    BettingExtended,
    BonusesSettled,
    CardRead,
    CorrectionAbandoned,
    CorrectionExplained,
    CorrectionOpened,
    CutCardOut,
    HandSettled,
    Happening,
    ReadingAnswered,
    RoundOpened,
    RoundReopened,
    ShoeChangeAsked,
    ShoeCounted,
    TableEvent,
    TimeGivenBack,
    VoidExplained,
    decode,
)
from podium.house.table.money import by_seat
from podium.house.table.reopening import SeatSoFar, SettledRound, as_due, differing, due, recount
from podium.house.table.state import AUTOMATED
from podium.play import notation
from podium.play.again import reopened
from podium.play.describing import DOWN, apply_and_describe, decides
from podium.play.events import AnyEvent, CreditAdded, Decided, TimeExpired, WagersPlaced
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.play.seen import as_seen
from podium.record.journal import Entry
from podium.record.ledger import Account, account, changes
from podium.record.store import Reading, read_stream
from podium.rules.asking import Place
from podium.rules.games import Game
from podium.rules.results import HandResult, WagerResult
from podium.rules.seat import Seat


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a round."""

    at: int
    said: Phrase
    seat: int = 0
    """The seat that it concerns; 0 for all."""
    by_system: bool = False
    """Whether the house decided because time ran out."""


class PlayerRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's part of a round."""

    player: str
    seat: int
    credit_before: int
    credit_after: int
    staked: int
    returned: int
    net: int
    tips: int = 0
    held: int = 0
    """HP-1: what an attendant has to pay, or has paid, by hand."""
    wagers: dict[str, int] = {}
    for_dealer: dict[str, int] = {}
    spots: tuple[int, ...] = ()
    decisions: list[tuple[str, bool]] = []
    """Each decision, and whether the house made it because time ran out."""
    hands: tuple[HandResult, ...] = ()
    settled: list[WagerResult] = []


class RoundRecord(msgspec.Struct, frozen=True):
    """A round in full."""

    table: str
    round: int
    game: str
    title: str
    status: Status
    opened: int
    ended: int
    dealer: str
    version: int
    fingerprint: str = msgspec.field(name="rules")
    cards: str
    steps: list[Step]
    players: list[PlayerRecord]
    notation: str
    designators: dict[str, str] = {}
    """The names of the paytables in force, by wager; under the name of the game, the one for them together."""
    difference: str = ""
    """Empty if the money that moved agrees with the record."""
    earlier: tuple["RoundRecord", ...] = ()
    """The same round as it was settled before it was reopened, the first settlement first (VOID-4)."""


class Played(NamedTuple):
    """A round played again, with everything around it."""

    round: Round
    entries: list[Entry]
    steps: list[Step]
    players: dict[int, str]
    """The player at each seat, known from the credit that the stakes came from."""
    before: dict[int, int]
    """By seat: the credit before this round's stakes, when the wagers were last placed."""
    added: Counter[int]
    """By seat: the credit that came in after that."""
    moved: dict[int, Counter[Account]]
    """By seat: the change of each account in this round, without debts."""
    money: dict[int, SeatSoFar]
    """By seat: the flows."""
    posted: Counter[Account]
    """The change of each account; money that an attendant pays counts as credit."""

    def add_money(self, table: str, entry: Entry, happening: Happening) -> None:
        """Counts the money of an entry of this round."""
        for seat, transfer in by_seat(table, entry.sequence, happening, entry.transfers, self.players):
            self.moved.setdefault(seat, Counter()).update(changes((transfer,)))
            self.money.setdefault(seat, SeatSoFar()).count(transfer)
        self.posted.update(as_due(entry.transfers))


def recall(book: Reading, line: RoundLine) -> RoundRecord:
    """A round in full: its last settlement, with the earlier ones."""
    told = [_record(played, line, status) for played, status in tellings(book, line)]
    return msgspec.structs.replace(told[-1], earlier=tuple(told[:-1]))


def _record(played: Played, line: RoundLine, status: Status) -> RoundRecord:
    return RoundRecord(
        table=line.table,
        round=line.round,
        game=played.round.game.name,
        title=played.round.game.title,
        status=status,
        opened=line.opened,
        ended=line.ended,
        dealer=line.dealer or AUTOMATED,
        version=line.version,
        fingerprint=line.fingerprint,
        cards=" ".join(laid.card.code if laid.card else "unknown" for laid in played.round.face_up),
        steps=list(played.steps),
        players=[_player(played, seat) for seat in played.round.seats.values()],
        notation=notation.write(as_seen(played.round)),
        designators=played.round.game.designators,
        difference=_difference(played, line),
    )


def for_player(record: RoundRecord, player: str) -> RoundRecord:
    """The part of a round that one player may see: the cards of the table and the player's own boxes."""
    own = [part for part in record.players if part.player == player]
    seats = {0, *(part.seat for part in own)}
    return msgspec.structs.replace(
        record,
        players=own,
        steps=[step for step in record.steps if step.seat in seats],
        notation="",
        difference="The money of this round is being looked into." if record.difference else "",
        earlier=tuple(for_player(told, player) for told in record.earlier),
    )


def parts_of(record: RoundRecord, player: str) -> list[PlayerRecord]:
    """The boxes of one player in a round; refused if the player did not bet in it."""
    parts = [part for part in record.players if part.player == player]
    if not parts:
        raise Refused("round-without-player", player=shortened(player), round=record.round, table=record.table)
    return parts


# --- playing it again ------------------------------------------------------------------------------------------------


def play_again(book: Reading, line: RoundLine) -> Played:
    """A round as it was last settled."""
    return list(tellings(book, line))[-1][0]


def tellings(book: Reading, line: RoundLine) -> Iterator[tuple[Played, Status]]:
    """A round as it was first settled and as it was settled each time it was reopened, with its status then."""
    game = line.config.to_game()
    if game.fingerprint != line.fingerprint:
        raise ValueError(
            f"Round {line.round} of {line.table} was settled by other rules than this program has (VER-1)."
        )
    played = _play(game, line, list(entries_of(book, line)))
    yield played, "settled" if line.reopened else line.status
    for entry, event in _reopenings(book, line):
        played = _tell_again(played, line.table, entry, event)
        yield played, "void" if event.void else "settled"


def told_again(book: Reading, line: RoundLine) -> list[RoundReopened]:
    """The events that reopened a round after its result was confirmed."""
    return [event for _, event in _reopenings(book, line)]


def _reopenings(book: Reading, line: RoundLine) -> Iterator[tuple[Entry, RoundReopened]]:
    for sequence in line.reopened:
        [entry] = book.entries(stream_of(line.table), sequence - 1, 1)
        event = decode(entry.payload)
        assert isinstance(event, RoundReopened)
        yield entry, event


def settled(book: Reading, line: RoundLine) -> SettledRound:
    """A round that was settled, so that it can be reopened."""
    played = play_again(book, line)
    told = len(line.reopened) + 1
    dealer = line.dealer or AUTOMATED
    return SettledRound(line.round, played.round, told, line.ended, line.config, dealer, played.players, played.money)


def _tell_again(played: Played, table: str, entry: Entry, event: RoundReopened) -> Played:
    """The round with its later end, and all its money."""
    told = phrase("event.reopened", by=event.by, approved_by=event.approved_by, reason=event.told.fact)
    steps, again = [*played.steps, Step(entry.time, told)], reopened(played.round)
    for each in event.events():
        steps += _step(again, each, entry.time)
    moved = {seat: Counter(changed) for seat, changed in played.moved.items()}
    money = {seat: so_far.copy() for seat, so_far in played.money.items()}
    retold = played._replace(round=again, steps=steps, moved=moved, money=money, posted=Counter(played.posted))
    retold.add_money(table, entry, event)
    return retold


def entries_of(book: Reading, line: RoundLine) -> Iterator[Entry]:
    for entry in read_stream(book, stream_of(line.table), line.first - 1):
        if entry.sequence > line.last:
            return
        yield entry


def _play(game: Game, line: RoundLine, entries: list[Entry]) -> Played:
    again = Played(Round(game, line.cards_out, taken=True), entries, [], {}, {}, Counter(), {}, {}, Counter())
    for entry in entries:
        happening = decode(entry.payload)
        if isinstance(happening, RoundReopened):  # an earlier round, of the same shoe perhaps
            recount(again.round, happening)
            continue
        again.add_money(line.table, entry, happening)
        if isinstance(happening, TableEvent):
            again.steps.extend(_around(happening, entry.time))
            continue
        if isinstance(happening, WagersPlaced):
            if names := players_in(entry):
                again.players[happening.seat] = names.pop()
            again.before[happening.seat], again.added[happening.seat] = happening.credit or 0, 0
        elif isinstance(happening, CreditAdded):
            again.added[happening.seat] += happening.amount
        again.steps.extend(_step(again.round, happening, entry.time))
    return again


def _around(happening: Happening, at: int) -> Iterator[Step]:
    """What happened at the table during the round and concerns it."""
    match happening:
        case RoundOpened(number):
            yield Step(at, phrase("event.round-opened", round=number))
        case BettingExtended():
            yield Step(at, phrase("event.betting-extended"))
        case BonusesSettled(seat):
            yield Step(at, phrase("event.bonuses-settled", seat=seat), seat)
        case HandSettled(seat, hand):
            yield Step(at, phrase("event.hand-settled", place=Place("seat", seat, hand=hand).as_fact()), seat)
        case TimeGivenBack(since, left):
            stood = f"{max(0, at - since) / 1000:.1f}"
            if left is None:
                yield Step(at, phrase("event.house-stood-still", stood=stood))
            else:
                yield Step(at, phrase("event.time-given-back", stood=stood, seconds=f"{left / 1000:.1f}"))
        case CutCardOut(shoe, by, out):
            yield Step(at, phrase("event.cut-card" if out else "event.cut-card-back", shoe=shoe, by=by))
        case ShoeCounted(shoe, left=left, due_left=due) if left is not None and due is not None:
            yield Step(at, phrase("event.shoe-miscounted", shoe=shoe, left=left, due=due))
        case CardRead(reader, _, _, sealed):
            yield Step(at, phrase("event.card-read" if sealed else "event.card-read-unexpected", reader=reader))
        case ReadingAnswered(_, "stopped", by):
            yield Step(at, phrase("event.reading-stopped", by=by))
        case ReadingAnswered(_, "dropped", by, read):
            yield Step(at, phrase("event.reading-dropped", by=by, card=read or DOWN))
        case ReadingAnswered(_, _, by, read):
            yield Step(at, phrase("event.reading-replaced", by=by, card=read or DOWN))
        case ShoeChangeAsked(by, reason):
            yield Step(at, phrase("event.shoe-change", by=by, reason=reason))
        case CorrectionOpened(by):
            yield Step(at, phrase("event.correction-opened", by=by))
        case CorrectionAbandoned(by):
            yield Step(at, phrase("event.correction-abandoned", by=by))
        case CorrectionExplained(by, reason, approved_by, why):
            yield Step(at, _correction(by, Reason(why, reason).fact, approved_by))
        case VoidExplained(by, reason, approved_by, why):
            yield Step(at, _void(by, Reason(why, reason).fact, approved_by))


def _correction(by: str, reason: str | Phrase, approved_by: str) -> Phrase:
    if approved_by:
        return phrase("event.correction-approved", by=by, approved_by=approved_by, reason=reason)
    return phrase("event.correction-by", by=by, reason=reason)


def _void(by: str, reason: str | Phrase, approved_by: str) -> Phrase:
    if approved_by:
        return phrase("event.void-approved", by=by, approved_by=approved_by, reason=reason)
    return phrase("event.void-by", by=by, reason=reason)


def _step(played: Round, event: AnyEvent, at: int) -> Iterator[Step]:
    """Applies an event and adds its steps; a time-out has one for each decision of the house."""
    before = {seat: len(played.decisions_of(seat)) for seat in played.seats} if isinstance(event, TimeExpired) else {}
    seat = event.seat if isinstance(event, WagersPlaced | Decided | CreditAdded) else 0
    first, *turned = apply_and_describe(played, event)
    yield Step(at, first, seat)
    for seat, known in before.items():
        for decision, _ in played.decisions_of(seat)[known:]:
            yield Step(at, decides(seat, decision), seat, by_system=True)
    yield from (Step(at, said) for said in turned)


english(
    "event",
    {
        "round-opened": "round {round} opened",
        "betting-extended": "betting extended: nobody had bet",
        "bonuses-settled": "side bets of seat {seat} settled",
        "hand-settled": "main wager of {place} settled at once",
        "time-given-back": "the house had stood still for {stood} s: {seconds} s are left again",
        "house-stood-still": "the house had stood still for {stood} s",
        "correction-opened": "{by} begins a correction: the table waits",
        "correction-abandoned": "{by} leaves the cards as they are",
        "cut-card": "the cut card of shoe {shoe} is out, said by {by}: this round is its last",
        "cut-card-back": "the cut card of shoe {shoe} is not out, said by {by}",
        "shoe-miscounted": "shoe {shoe} was counted: {left} cards are left in it instead of {due}",
        "shoe-change": "{by} asks for another shoe after this round: {reason}",
        "card-read": "{reader} reads a card",
        "card-read-unexpected": "{reader} reads a card that is not awaited: it does not count",
        "reading-stopped": "{by} stops the card that was read",
        "reading-dropped": "{by} drops the card that was read: {card:cards}",
        "reading-replaced": "{by} entered a different card from the one that was read: {card:cards}",
        "reopened": "reopened by {by}, approved by {approved_by}: {reason}",
        "correction-by": "correction by {by}: {reason}",
        "correction-approved": "correction by {by}, approved by {approved_by}: {reason}",
        "void-by": "void by {by}: {reason}",
        "void-approved": "void by {by}, approved by {approved_by}: {reason}",
    },
)


# --- money -----------------------------------------------------------------------------------------------------------


def _player(played: Played, seat: Seat) -> PlayerRecord:
    player = played.players[seat.number]
    before, moved = played.before[seat.number], played.moved.get(seat.number, Counter())
    result = played.round.results.get(seat.number)
    return PlayerRecord(
        player=player,
        seat=seat.number,
        credit_before=before,
        credit_after=before + moved[account("credit", player)] + played.added[seat.number],
        staked=seat.staked,
        returned=seat.returned,
        net=seat.returned - seat.staked,
        tips=seat.tips,
        held=moved[account("attendant", player)],
        wagers=seat.amounts,
        for_dealer=seat.for_dealer,
        spots=seat.spots,
        decisions=played.round.decisions_of(seat.number),
        hands=result.hands if result else (),
        settled=list(seat.settled),
    )


def _difference(played: Played, line: RoundLine) -> str:
    """REC-2: compares the payments by the rules with the transfers."""
    opened = decode(played.entries[0].payload)
    accounting = opened.accounting if isinstance(opened, RoundOpened) else 0
    dealer = line.dealer or AUTOMATED
    wanted = due(line.table, line.round, played.round, played.players, dealer, accounting)
    return differing(wanted, played.posted)


english("refused", {"round-without-player": "{player} did not bet in round {round} at {table}."})
