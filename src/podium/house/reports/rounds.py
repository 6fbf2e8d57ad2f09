"""The index of all rounds: where each one is in the journal, and who played in it."""

from array import array
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from sys import intern
from typing import Final, Literal, NamedTuple

from podium.basics.cards import DECK, Card, cards
from podium.house import limits
from podium.house.reports.intervals import Interval
from podium.house.table import TableConfig
from podium.house.table.events import (
    SNAPSHOT,
    CardBurned,
    RoundOpened,
    RoundReopened,
    ShoeLoaded,
    ShoeShuffled,
    TableConfigured,
    TableSnapshot,
    decode,
)
from podium.play.events import CardCorrected, CardDealt, CardsCorrected, HoleTurned, PeekWithdrawn
from podium.play.tape import Tape, moved
from podium.record.journal import Entry, Head
from podium.record.ledger import kind_of, names_of
from podium.record.store import Reading, read_stream
from podium.record.store.times import OUT_OF_ORDER_MS, sequence_before

_SEQUENCE_BITS: Final = 48
"""The start of a round is stored as one number: the entry in these bits, the table above them."""

Status = Literal["in play", "settled", "void"]
REOPENED: Final = "round-reopened"
"""The kind of entries that reopen a round."""


class RoundLine:
    """One round, as a line in a list: enough to find it and play it again."""

    __slots__ = ("cards", "config", "dealer", "ended", "fingerprint", "first", "last", "most_staked", "most_won", "opened", "out",
                 "reopened", "round", "status", "table", "version")  # fmt: skip

    def __init__(self, table: str, opened: RoundOpened, entry: Entry, config: TableConfig, out: bytes) -> None:
        self.table: Final = table
        self.round: Final = opened.round
        self.opened: Final = entry.time
        self.first: Final = entry.sequence
        self.last = entry.sequence
        self.ended = 0
        self.cards = 0
        """The cards that were shown in it, a bit for each card of a deck."""
        self.most_staked = 0
        """The most that one player staked in it."""
        self.most_won = 0
        """The most that the bank paid one player in it, without the stakes."""
        self.status: Status = "in play"
        self.fingerprint: Final = intern(opened.fingerprint)
        self.version: Final = opened.version
        self.dealer: Final = intern(opened.dealer)
        self.config: Final = config
        self.out: Final = out
        """How often each of the 52 cards had been dealt from the shoe before."""
        self.reopened: list[int] = []
        """The entries that reopened it (VOID-4)."""

    def __repr__(self) -> str:
        return f"<round {self.round} of {self.table}, {self.status}>"

    def tell_again(self, event: RoundReopened, sequence: int) -> None:
        self.reopened.append(sequence)
        self.status = "void" if event.void else "settled"

    @property
    def cards_out(self) -> dict[Card, int]:
        return {card: times for card, times in zip(DECK, self.out, strict=True) if times}


class Begun(NamedTuple):
    """The place of a round in the journal: its table, and the entry that opened it."""

    table: str
    first: int


class _Following:
    """The state of a table that is needed to follow its rounds."""

    def __init__(self, number: int) -> None:
        self.number: Final = number
        """The table's number in the index of the players."""
        self.version = 0
        self.config: TableConfig | None = None
        self.out = Counter[Card]()
        self.tape = Tape()
        self.start = 0
        """How many cards of the round came from shoes that ran out in it."""
        self.returns = False
        """Whether a continuous shuffler has the cards again after each round."""
        self.round: RoundLine | None = None
        self.players: set[str] = set()
        self.staked: Counter[str] = Counter()
        self.won: Counter[str] = Counter()


class Rounds:
    """The rounds of every table; it follows the journal, and keeps those that ended from a moment on."""

    def __init__(self, since: int = 0) -> None:
        self.by_table: dict[str, list[RoundLine]] = {}
        self._by_player: OrderedDict[str, array[int]] = OrderedDict()
        """Where the last rounds of each player begin; the player who bet least recently comes first."""
        self._tables: dict[str, _Following] = {}
        self._names: list[str] = []
        """The tables by their numbers."""
        self._since = since
        self.count = 0

    # --- following --------------------------------------------------------------------------------------------------

    def follow(self, table: str, entry: Entry) -> None:
        """Takes the next entry of a table."""
        following = self._following(table)
        if following.round is not None:
            following.round.last = entry.sequence
            if entry.money:
                _count_money(following, entry)
        match entry.kind:
            case "wagers-placed":
                self._wagers_placed(following, entry)
            case "card-dealt" | "hole-turned" | "card-corrected":
                _card(following.tape, entry)
            case "cards-corrected":
                _corrected(following, entry)
            case "shoe-followed":
                following.out, following.start = Counter(), len(following.tape.cards)
            case "confirmed" | "voided":
                self._ended(table, following, entry)
            case kind if kind == REOPENED:
                self._reopened(table, following, entry)
            case "round-opened" | "table-configured" | "shoe-shuffled" | "shoe-loaded" | "card-burned":
                self._between_rounds(table, following, entry)

    def _following(self, table: str) -> _Following:
        if table not in self._tables:
            self._tables[table] = _Following(len(self._names))
            self._names.append(table)
        return self._tables[table]

    def begin_at(self, table: str, snapshot: TableSnapshot) -> None:
        """Follows a table from a snapshot; the entry before it opened the round."""
        following = self._following(table)
        following.version, following.config = snapshot.version, snapshot.config
        following.out = Counter(cards(snapshot.shoe.out))
        following.returns = snapshot.shoe.shuffler == "continuous"

    def in_play(self, table: str) -> RoundLine | None:
        return self._following(table).round

    def _between_rounds(self, table: str, following: _Following, entry: Entry) -> None:
        match decode(entry.payload):
            case TableConfigured(version, config):
                following.version, following.config = version, config
            case ShoeShuffled():
                following.out, following.returns = Counter(), False
            case ShoeLoaded(shuffler=shuffler):
                following.out, following.returns = Counter(), shuffler == "continuous"
            case CardBurned(card=card) if card is not None:
                following.out[card] += 1
            case RoundOpened() as opened:
                if following.config is None or opened.version != following.version:
                    raise KeyError(opened.version)  # the journal of a table begins with its configuration
                out = bytes(following.out[card] for card in DECK)
                line = RoundLine(table, opened, entry, following.config, out)
                following.round, following.tape, following.players = line, Tape(), set()
                following.start = 0
                following.staked, following.won = Counter(), Counter()
                self.by_table.setdefault(table, []).append(line)
                self.count += 1

    def _wagers_placed(self, following: _Following, entry: Entry) -> None:
        if following.round is None:
            return
        for player in players_in(entry):
            if player not in following.players:
                following.players.add(player)
                self._remember(player, following.number << _SEQUENCE_BITS | following.round.first)

    def _remember(self, player: str, begun: int) -> None:
        rounds = self._by_player.setdefault(player, array("Q"))
        rounds.append(begun)
        if len(rounds) > limits.MAX_INDEXED_ROUNDS_PER_PLAYER:
            del rounds[0]
        self._by_player.move_to_end(player)
        while len(self._by_player) > limits.MAX_INDEXED_PLAYERS:
            self._by_player.popitem(last=False)

    def _ended(self, table: str, following: _Following, entry: Entry) -> None:
        line = following.round
        if line is not None:
            line.ended, line.status = entry.time, "settled" if entry.kind == "confirmed" else "void"
            line.cards = mask_of(following.tape.shown_from(0))
            line.most_staked = max(following.staked.values(), default=0)
            line.most_won = max(following.won.values(), default=0)
            if line.ended < self._since:
                self.by_table[table].remove(line)
                self.count -= 1
        if not following.returns:
            following.out.update(following.tape.shown_from(following.start))
        following.round, following.tape = None, Tape()

    def _reopened(self, table: str, following: _Following, entry: Entry) -> None:
        """VOID-4: a round is settled again, and the count of its shoe may change with it."""
        event = decode(entry.payload)
        assert isinstance(event, RoundReopened)
        if event.shoe:
            following.out = (following.out + Counter(cards(event.out))) - Counter(cards(event.back))
        line = self.find(table, event.round)
        if line is not None:
            line.tell_again(event, entry.sequence)

    # --- what is kept -----------------------------------------------------------------------------------------------

    def ends(self) -> list[int]:
        """When the finished rounds ended."""
        return [line.ended for lines in self.by_table.values() for line in lines if line.ended]

    def forget(self, since: int) -> None:
        """Drops rounds that ended before; where the last rounds of each player begin is kept."""
        self._since = since
        for table, lines in self.by_table.items():
            self.by_table[table] = [line for line in lines if not line.ended or line.ended >= since]
        self.count = sum(map(len, self.by_table.values()))

    # --- asking -----------------------------------------------------------------------------------------------------

    def find(self, table: str, number: int) -> RoundLine | None:
        lines = self.by_table.get(table, [])
        # Rounds are numbered without a gap.
        place = number - lines[0].round if lines else -1
        if 0 <= place < len(lines) and lines[place].round == number:
            return lines[place]
        return next((line for line in lines if line.round == number), None)

    def begun_at(self, begun: Begun) -> RoundLine | None:
        """The round that an entry opened, if it is kept."""
        lines = self.by_table.get(begun.table, [])
        place = bisect_left(lines, begun.first, key=lambda line: line.first)
        return lines[place] if place < len(lines) and lines[place].first == begun.first else None

    def of_player(self, player: str) -> list[Begun]:
        """Where the last rounds of a player begin, newest first."""
        numbers = reversed(self._by_player.get(player, ()))
        below = (1 << _SEQUENCE_BITS) - 1
        return [Begun(self._names[number >> _SEQUENCE_BITS], number & below) for number in numbers]

    def knows_all_of(self, player: str) -> bool:
        return len(self._by_player.get(player, ())) < limits.MAX_INDEXED_ROUNDS_PER_PLAYER

    def newest_first(self, table: str | None = None) -> Iterator[RoundLine]:
        lists = [self.by_table.get(table, [])] if table is not None else list(self.by_table.values())
        yield from sorted((line for lines in lists for line in lines), key=lambda line: line.opened, reverse=True)

    def ended_in(self, interval: Interval) -> Iterator[RoundLine]:
        """The rounds that ended in an interval, table by table."""
        for lines in self.by_table.values():
            yield from (line for line in lines if line.ended and line.ended in interval)


# --- the journal itself, for what is not kept ------------------------------------------------------------------------


def rounds_from(book: Reading, table: str, sequence: int) -> Iterator[RoundLine]:
    """The rounds of a table that ended after an entry, and some before it, read from the journal one by one; last the one
    in play. Reading begins at the table's last snapshot."""
    stream, rounds = f"table/{table}", Rounds()
    told_again = _reopenings(book, stream, sequence)
    snapshot = book.last(stream, SNAPSHOT, sequence + 1)
    happened = decode(snapshot.payload) if snapshot is not None else None
    if snapshot is not None and isinstance(happened, TableSnapshot):
        rounds.begin_at(table, happened)
    for entry in read_stream(book, stream, snapshot.sequence - 2 if snapshot is not None else 0):
        was = rounds.in_play(table)
        rounds.follow(table, entry)
        if was is not None and was.ended:
            for reopened, event in told_again.get(was.round, ()):
                was.tell_again(event, reopened)
            yield was
            rounds.forget(was.ended + 1)
    last = rounds.in_play(table)
    if last is not None:
        yield last


def _reopenings(book: Reading, stream: str, sequence: int) -> dict[int, list[tuple[int, RoundReopened]]]:
    """By round: the entries after that one that reopened it. They are few, and are found by their kind."""
    found: dict[int, list[tuple[int, RoundReopened]]] = {}
    entry = book.last(stream, REOPENED)
    while entry is not None and entry.sequence > sequence:
        event = decode(entry.payload)
        if isinstance(event, RoundReopened):
            found.setdefault(event.round, []).insert(0, (entry.sequence, event))
        entry = book.last(stream, REOPENED, entry.sequence)
    return found


def round_begun_at(book: Reading, begun: Begun) -> RoundLine | None:
    """The round that an entry opened."""
    lines = rounds_from(book, begun.table, begun.first)
    return next((line for line in lines if line.first >= begun.first), None)


def round_of_number(book: Reading, table: str, number: int) -> RoundLine | None:
    """A round by its number, found with the help of its table's snapshots."""
    low, high = 0, book.heads().get(f"table/{table}", Head()).sequence
    while high - low > limits.MAX_ENTRIES_BETWEEN_SNAPSHOTS:
        middle = (low + high) // 2
        snapshot = book.last(f"table/{table}", SNAPSHOT, middle)
        happened = decode(snapshot.payload) if snapshot is not None else None
        if isinstance(happened, TableSnapshot) and happened.round.round <= number:
            low = middle
        else:
            high = middle
    found = next((line for line in rounds_from(book, table, low - 1) if line.round >= number), None)
    return found if found is not None and found.round == number else None


def rounds_ended_in(book: Reading, table: str, interval: Interval) -> Iterator[RoundLine]:
    """The rounds of a table that ended in an interval, read from the journal one by one."""
    after = sequence_before(book, f"table/{table}", interval.since - OUT_OF_ORDER_MS)
    for line in rounds_from(book, table, after):
        if line.ended and line.ended in interval:
            yield line
        elif line.opened >= interval.until + OUT_OF_ORDER_MS:
            return


def players_in(entry: Entry) -> set[str]:
    """Whose stakes an entry moved."""
    return {
        names_of(account)[0]
        for transfer in entry.transfers
        for account in (transfer.debit, transfer.credit)
        if kind_of(account) == "credit"
    }


def mask_of(shown: Iterable[Card]) -> int:
    """Cards as a number with a bit for each card of a deck."""
    mask = 0
    for card in shown:
        mask |= 1 << _BIT[card]
    return mask


_BIT: Final = {card: bit for bit, card in enumerate(DECK)}


def _count_money(following: _Following, entry: Entry) -> None:
    """The stakes and winnings of each player so far, without those that were taken back."""
    for transfer in entry.transfers:
        if transfer.flow == "stake":
            into = kind_of(transfer.debit) == "credit"
            player = names_of(transfer.debit if into else transfer.credit)[0]
            following.staked[player] += transfer.amount if into else -transfer.amount
        elif transfer.flow in ("win", "win_held"):
            paid = kind_of(transfer.debit) == "bank"
            player = names_of(transfer.credit if paid else transfer.debit)[-1]
            following.won[player] += transfer.amount if paid else -transfer.amount


def _card(tape: Tape, entry: Entry) -> None:
    match decode(entry.payload):
        case CardDealt(card):
            tape.cards.append(card)
        case HoleTurned(card):
            tape.turned = card
        case CardCorrected(number, card):
            tape.correct(number, card)


def _corrected(following: _Following, entry: Entry) -> None:
    match decode(entry.payload):
        case CardsCorrected(edits):
            following.tape.edit([edit for edit in edits if not isinstance(edit, PeekWithdrawn)])
            [following.start] = moved([following.start], edits)
