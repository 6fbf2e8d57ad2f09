"""Significant events (EVT-1), which the floor must be able to find again (EVT-4).

Some are noted when they happen, because nothing else records them: a failed sign-in, an outage. The others are in the
journal anyway and are read from there: voids, corrections, configurations, adjustments, large wins.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, get_args

import msgspec

from podium.basics.cards import Card
from podium.basics.words import english
from podium.house.config import HouseConfig
from podium.house.events import ExclusionLifted, HouseConfigured, HouseStarted, MoneyMoved, Noted, PlayerExcluded
from podium.house.events import decode as decode_house
from podium.house.reports.intervals import Interval, moment
from podium.house.table import TableConfig
from podium.house.table.events import (
    CardRead,
    CorrectionExplained,
    ReadingAnswered,
    RoundOpened,
    RoundReopened,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
    TableClosed,
    TableConfigured,
    TableEvent,
    TableOpened,
    VoidExplained,
)
from podium.house.table.events import decode as decode_table
from podium.play.events import (
    AnyEdit,
    AnyEvent,
    CardCorrected,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    HoleTurned,
    PeekWithdrawn,
    ShoeFollowed,
)
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.record.journal import Entry
from podium.record.ledger import kind_of, names_of

KINDS: Final = {
    "sign-in-failed": "sign-in failed",
    "locked-out": "account locked",
    "person-changed": "account changed",
    "terminal-enrolled": "terminal enrolled",
    "terminal-cut-off": "terminal cut off",
    "approval-failed": "approval failed",
    "approval-refused": "approval refused",
    "passkey-changed": "passkey changed",
    "override": "override by a supervisor",
    "ticket-refused": "ticket refused",
    "ticket-void": "ticket void",
    "program-error": "program error",
    "outage": "outage",
    "house-stopped": "house stopped",
    "health-changed": "health changed",
    "cash-large": "large sum of cash",
    "cash-many": "many buy-ins",
    "clock-changed": "clock changed",
    "integrity-checked": "record proved",
    "integrity-failed": "record not proved",
    "backup-made": "backup made",
    "archive-made": "archive made",
    "copy-failed": "copy elsewhere failed",
    "keys-changed": "keys changed",
    "program-differs": "program differs",
    "certificate-changed": "certificate changed",
    "certificate-refused": "certificate not taken",
    "configuration-changed": "configuration changed",
    "house-started": "house started",
    "adjustment": "balance adjusted",
    "attendant-paid": "win paid by an attendant",
    "debt": "debt because paid money was taken back",
    "debt-paid": "debt paid",
    "debt-forgiven": "debt forgiven",
    "table-opened": "table opened",
    "table-closed": "table closed",
    "void": "round void",
    "correction": "card corrected",
    "reopened": "settled round reopened",
    "shoe-loaded": "shoe loaded",
    "misread": "card misread by a reader",
    "reading-unexpected": "card read that was not awaited",
    "shoe-counted": "shoe counted",
    "shoe-miscounted": "wrong count of a shoe",
    "shoe-change-asked": "shoe change asked for",
    "shoe-discarded": "shoe discarded undealt",
    "excluded-house": "player excluded by the house",
    "excluded-self": "player excluded themselves",
    "excluded-break": "player takes a break",
    "exclusion-lifted": "exclusion ended before its time",
    "large-wager": "large wager",
    "large-win": "large win",
}
"""Every kind of significant event: those that are noted, and those that are derived from the journal."""

english("report", {f"event.{kind}": words for kind, words in KINDS.items()})
english(
    "report",
    {
        "event.limits-chosen": "own limits chosen",
        "event.age-confirmed": "age confirmed",
        "event.reminder-read": "reminder read",
    },
)


_UNREMARKABLE: Final = frozenset(
    {"player-admitted", "documents-filed", "forgotten", "house-stood", "play-began", "play-ended", "reminder-read"}
)
"""Entries of the house's stream that are no significant events; there are many of them."""


class Significant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One significant event: time, source, who, reason, before and after."""

    at: int
    kind: str
    source: str
    """A table, `house`, or the part that noticed it."""
    who: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""
    entry: int = 0
    """Its number in the journal of its source."""


class Thresholds(msgspec.Struct, frozen=True):
    """A win or a wager in one round is significant from these amounts on; 0 for never."""

    win: int = 1_200_00
    wager: int = 1_000_00


_DESK: Final = {
    "adjustment": "adjustment",
    "win-handed": "attendant-paid",
    "debt-paid": "debt-paid",
    "debt-forgiven": "debt-forgiven",
}
"""Transfers at the desk that are significant, with their kinds."""

UNKNOWN: Final = "unknown"
"""A card that lies face down, before it is turned."""

_TOLD: Final = frozenset(
    "table-configured table-opened table-closed void-explained correction-explained card-corrected cards-corrected"
    " hole-turned shoe-loaded shoe-ended shoe-followed shoe-counted shoe-change-asked card-read reading-answered".split()
)


_AROUND_ROUNDS: Final = frozenset(str(event.__struct_config__.tag) for event in get_args(TableEvent))
"""Happenings at a table outside its round, which are not needed to play the round again."""


class _Table:
    """The state of a table that is needed to see what changed."""

    def __init__(self) -> None:
        self.config: TableConfig | None = None
        self.in_force: TableConfig | None = None
        """The configuration that the round in play was opened with (GAME-5)."""
        self.round = 0
        self.opened_at = 0
        self.played: list[bytes] = []
        """The stored happenings of the round in play."""
        self.withheld: list[tuple[int, str, str]] = []
        """Corrections of a card that lies face down: the number of the event, the card before and the card after, as far as the
        journal tells them before it is turned."""
        self.explained: CorrectionExplained | None = None
        self.staked: Counter[str] = Counter()
        self.won: Counter[str] = Counter()


class SignificantEvents:
    """All significant events; it follows the journal."""

    def __init__(self, since: int = 0, until: int | None = None) -> None:
        """Only events from `since` to `until` are kept."""
        self._in_force: list[tuple[int, Thresholds]] = [(0, Thresholds())]
        """The amounts that were significant, and since when, by the configuration of the house."""
        self._events: dict[int, Significant] = {}
        """The events by number, in the order in which they were followed."""
        self._count = 0
        self._since = since
        self._until = until
        self._tables: dict[str, _Table] = {}
        self._config: HouseConfig | None = None
        self._program = ""
        """The fingerprint of the program that was last started: a change must be visible (VER-1)."""

    @property
    def thresholds(self) -> Thresholds:
        """The amounts that are significant now."""
        return self._in_force[-1][1]

    # --- following --------------------------------------------------------------------------------------------------

    def follow_house(self, entry: Entry) -> None:
        if entry.kind in _UNREMARKABLE:
            return
        match decode_house(entry.payload):
            case HouseConfigured(config, version, by):
                before, after = _changed(self._config, config)
                self._config = config
                self._in_force.append((entry.time, Thresholds(config.large_win, config.large_wager)))
                self._add(entry, "configuration-changed", "house", by, f"version {version}", before, after)
            case HouseStarted(program):
                self._add(entry, "house-started", "house", before=self._program, after=program)
                self._program = program
            case MoneyMoved() as moved if moved.what in _DESK:
                kind = _DESK[moved.what]
                who = " and ".join(name for name in (moved.by, moved.second) if name)
                reason = moved.reason or f"{moved.amount} to {moved.player}"
                self._add(entry, kind, moved.player, who, reason, str(moved.before), str(moved.after))
            case PlayerExcluded(player, _, kind, until, by, reason):
                self._add(
                    entry,
                    f"excluded-{kind}",
                    player,
                    by,
                    reason,
                    after=f"until {moment(until)}" if until else "indefinitely",
                )
            case ExclusionLifted(player, _, by, second, reason):
                self._add(entry, "exclusion-lifted", player, f"{by} and {second}", reason)
            case Noted() as note:
                self._add(entry, note.kind, note.source, note.who, note.reason, note.before, note.after)

    def follow_table(self, name: str, entry: Entry) -> None:
        table = self._tables.setdefault(name, _Table())
        if entry.kind == "round-reopened":
            self._reopened(name, entry)
            return
        if entry.money:
            _count_money(table, entry)
        if b'"owed"' in entry.payload:
            self._owed(name, table.round, entry)
        if entry.kind in _TOLD:
            self._explained(name, table, entry)
        elif entry.kind == "round-opened":
            opened = decode_table(entry.payload)
            assert isinstance(opened, RoundOpened)
            table.round, table.opened_at, table.in_force = opened.round, entry.time, table.config
            table.played.clear()
            table.withheld.clear()
            table.staked.clear()
            table.won.clear()
        elif entry.kind == "confirmed":
            self._large(name, table, entry)
            self._open_withheld(table)
        if entry.kind not in _AROUND_ROUNDS:
            table.played.append(entry.payload)

    def _explained(self, name: str, table: _Table, entry: Entry) -> None:
        where = f"round {table.round}: "
        match decode_table(entry.payload):
            case TableConfigured(version, config, by):
                before, after = _changed(table.config, config)
                table.config = config
                self._add(entry, "configuration-changed", name, by, f"version {version}", before, after)
            case TableOpened(by):
                self._add(entry, "table-opened", name, by)
            case TableClosed(by, reason, _, key):
                self._add(entry, "table-closed", name, by, str(Reason(key, reason)))
            case VoidExplained(by, reason, approved_by, key):
                self._add(entry, "void", name, _both(by, approved_by), where + str(Reason(key, reason)))
            case CorrectionExplained() as explained:
                table.explained = explained
            case CardCorrected(number, card):
                self._corrected(name, table, entry, CardCorrected(number, card), [CardReplaced(number, card)])
            case CardsCorrected(edits) as corrected:
                self._corrected(name, table, entry, corrected, edits)
            case HoleTurned() as turned:
                self._hole_turned(table, turned)
            case ShoeEnded(shoe, _, kept_back) if kept_back:
                who, seats = ", ".join(filter(None, kept_back.values())), ", ".join(kept_back)
                self._add(entry, "shoe-discarded", name, who, f"shoe {shoe}: {seats} kept a number back")
            case ShoeLoaded(shoe, cards, by, shuffler):
                # A machine's fresh deck for every round is in the journal, as every shuffle is, but it is not
                # significant.
                if shuffler != "every-round":
                    self._add(entry, "shoe-loaded", name, by, f"shoe {shoe}, {cards} cards")
            case ShoeFollowed(shoe, cards, by):
                self._add(entry, "shoe-loaded", name, by, f"{where}shoe {shoe}, {cards} cards, in mid-round")
            case ShoeCounted() as counted:
                kind, due = ("shoe-miscounted", _due(counted)) if counted.wrong else ("shoe-counted", "")
                self._add(entry, kind, name, counted.by, f"shoe {counted.shoe}", due, _counted(counted))
            case CardRead(reader, _, _, ""):
                self._add(entry, "reading-unexpected", name, reader, where.rstrip(": "))
            case ReadingAnswered(_, "replaced" | "dropped" as answer, by, read):
                self._add(entry, "misread", name, by, f"{where}{answer}", read.code if read else UNKNOWN)
            case ShoeChangeAsked(by, reason):
                self._add(entry, "shoe-change-asked", name, by, reason)

    def _corrected(self, name: str, table: _Table, entry: Entry, event: AnyEvent, edits: Sequence[AnyEdit]) -> None:
        """One significant event for each card: what it was before, and what it is now."""
        why, table.explained = table.explained, None
        who = _both(why.by, why.approved_by) if why else ""
        said = str(Reason(why.why, why.reason)) if why else ""
        round_so_far = _play_again(table)
        faces = [round_so_far.card_entered(at) for at in range(1, len(round_so_far.entered) + 1)]
        round_so_far.apply(event)
        for edit in edits:
            if isinstance(edit, PeekWithdrawn):
                self._add(entry, "correction", name, who, f"round {table.round}, peek: {said}")
                continue
            before, after = _change(faces, edit)
            laid = round_so_far.face_up
            if not isinstance(edit, CardRemoved) and edit.number <= len(laid) and laid[edit.number - 1].card is None:
                table.withheld.append((self._count, before, after))
                before = after = UNKNOWN
            self._add(entry, "correction", name, who, f"round {table.round}, card {edit.number}: {said}", before, after)

    def _reopened(self, name: str, entry: Entry) -> None:
        """VOID-4: the total winnings of the players of a round, before and after it was reopened."""
        event = decode_table(entry.payload)
        assert isinstance(event, RoundReopened)
        was, now = (
            sum(net) for net in ((seat.net_was for seat in event.seats), (seat.net_now for seat in event.seats))
        )
        how = (
            "void"
            if event.void
            else ", ".join(f"{change.was or 'no card'} is {change.now or 'no card'}" for change in event.cards)
        )
        reason = f"round {event.round}, {how}: {event.told}"
        self._add(entry, "reopened", name, _both(event.by, event.approved_by), reason, str(was), str(now))
        self._owed(name, event.round, entry)

    def _owed(self, name: str, number: int, entry: Entry) -> None:
        for transfer in entry.transfers:
            if transfer.kind == "debt":
                who = names_of(transfer.debit)[-1]
                self._add(entry, "debt", name, who, f"round {number}", after=str(transfer.amount))

    def _hole_turned(self, table: _Table, turned: HoleTurned) -> None:
        """The sealed entries are revealed with the card that was turned: every earlier entry and the last."""
        faces = [*(card.code for card in turned.corrected), turned.card.code]
        under_seal = sum(after == UNKNOWN for _, _, after in table.withheld)
        faces = [
            *[UNKNOWN] * (under_seal + 1 - len(faces)),
            *faces,
        ]  # the first entry may have been a card that nobody knew
        opened = pairwise(faces)
        table.withheld = [
            (number, *next(opened)) if after == UNKNOWN else (number, before, after)
            for number, before, after in table.withheld
        ]

    def _open_withheld(self, table: _Table) -> None:
        """Completes corrections of the hole card: once the round is confirmed, no card is face down."""
        for number, before, after in table.withheld:
            if number in self._events:
                known = self._events[number]
                self._events[number] = msgspec.structs.replace(known, before=before, after=after)

    def _large(self, name: str, table: _Table, entry: Entry) -> None:
        if table.in_force is not None and table.in_force.training:
            return  # play money
        significant = self._significant_at(table.opened_at)
        for kind, sums, from_ in (
            ("large-wager", table.staked, significant.wager),
            ("large-win", table.won, significant.win),
        ):
            for player, amount in sums.items():
                if from_ and amount >= from_:
                    self._add(entry, kind, name, player, f"round {table.round}", after=str(amount))

    def _significant_at(self, time: int) -> Thresholds:
        """GAME-5: a change applies to the rounds that are opened after it."""
        return next((found for since, found in reversed(self._in_force) if since <= time), self._in_force[0][1])

    def _add(
        self, entry: Entry, kind: str, source: str, who: str = "", reason: str = "", before: str = "", after: str = ""
    ) -> None:
        if entry.time >= self._since and (self._until is None or entry.time < self._until):
            event = Significant(entry.time, kind, source, who, reason, before, after, entry.sequence)
            self._events[self._count] = event
        self._count += 1

    # --- what is kept -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._events)

    def times(self) -> list[int]:
        return [event.at for event in self._events.values()]

    def forget(self, since: int) -> None:
        """Drops earlier events."""
        self._since = since
        self._events = {number: event for number, event in self._events.items() if event.at >= since}
        known = [each for each in self._in_force if each[0] < since]
        self._in_force = known[-1:] + [each for each in self._in_force if each[0] >= since]

    # --- asking -----------------------------------------------------------------------------------------------------

    def search(
        self,
        interval: Interval | None = None,
        *,
        kind: str = "",
        source: str = "",
        who: str = "",
        text: str = "",
    ) -> list[Significant]:
        """The events that match, oldest first."""
        wanted = text.casefold()
        found = [
            event
            for event in self._events.values()
            if (interval is None or event.at in interval)
            and (not kind or event.kind == kind)
            and (not source or event.source == source)
            and (not who or who in event.who)
            and wanted in f"{event.reason} {event.before} {event.after}".casefold()
        ]
        found.sort(key=lambda event: event.at)
        return found


def _counted(counted: ShoeCounted) -> str:
    found = {"discards": counted.discards, "left": counted.left}
    return ", ".join(f"{cards} {what}" for what, cards in found.items() if cards is not None)


def _due(counted: ShoeCounted) -> str:
    return _counted(ShoeCounted(counted.shoe, counted.by, counted.due_discards, counted.due_left))


def _play_again(table: _Table) -> Round:
    """The round in play, so far."""
    assert table.in_force is not None
    played = Round(table.in_force.to_game(), taken=True)
    for happening in map(decode_table, table.played):
        if not isinstance(happening, TableEvent):
            played.apply(happening)
    return played


def _change(faces: list[Card | None], edit: CardReplaced | CardInserted | CardRemoved) -> tuple[str, str]:
    """A card before and after an edit, which this applies; empty means no card."""
    at = edit.number - 1
    now = "" if isinstance(edit, CardRemoved) else _code(edit.card)
    was = "" if isinstance(edit, CardInserted) else _code(faces[at])
    match edit:
        case CardReplaced(_, card):
            faces[at] = card
        case CardInserted(_, card):
            faces.insert(at, card)
        case CardRemoved():
            faces.pop(at)
    return was, now


def _code(card: Card | None) -> str:
    return card.code if card is not None else UNKNOWN


def _count_money(table: _Table, entry: Entry) -> None:
    """What each player has staked and won in the round, net of reversals."""
    for transfer in entry.transfers:
        source, target = kind_of(transfer.debit), kind_of(transfer.credit)
        if source == "credit" and target == "in-play":
            table.staked[names_of(transfer.debit)[0]] += transfer.amount
        elif target == "credit" and transfer.kind == "stake-back" and entry.kind == "wagers-placed":
            table.staked[names_of(transfer.credit)[0]] -= transfer.amount
        elif source == "bank" and target in ("credit", "attendant"):
            table.won[names_of(transfer.credit)[0]] += transfer.amount
        elif target == "bank" and source in ("credit", "attendant"):
            table.won[names_of(transfer.debit)[0]] -= transfer.amount


def _changed(before: HouseConfig | TableConfig | None, after: HouseConfig | TableConfig) -> tuple[str, str]:
    """The parts of a configuration that changed, before and after; the first one has no before."""
    was, now = _parts(before) if before is not None else {}, _parts(after)
    keys = [key for key, value in now.items() if key not in was or was[key] != value]
    values = [msgspec.json.encode({key: each[key] for key in keys if key in each}).decode() for each in (was, now)]
    return ("" if before is None else values[0]), values[1]


def _parts(config: HouseConfig | TableConfig) -> dict[str, Any]:
    parts = msgspec.structs.asdict(config)
    # Changes of a table are in its own stream.
    return {**parts, "tables": list(config.tables)} if isinstance(config, HouseConfig) else parts


def _both(by: str, approved_by: str) -> str:
    return f"{by}, approved by {approved_by}" if approved_by else by
