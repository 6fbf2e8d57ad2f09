"""Sees everything that becomes durable and everything that is said, and believes only what is durable.

It keeps its own tables, folded from the journal as the disk holds it, and its own sums. Whatever the house tells anybody
must follow from them: a view that is ahead of the disk, an acknowledgement of what is not stored, a card that nobody may
know yet, a balance that does not follow from the results is a `Caught`.
"""

import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import msgspec

from podium.basics.cards import Card
from podium.house.events import MoneyMoved
from podium.house.events import decode as decode_house
from podium.house.house import HOUSE
from podium.house.table import Table
from podium.house.table.config import milliseconds
from podium.house.table.events import (
    CardBurned,
    CardRead,
    CorrectionAbandoned,
    CorrectionOpened,
    CutCardOut,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    Happening,
    ReadingAnswered,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableSnapshot,
)
from podium.house.table.events import decode as decode_table
from podium.house.table.state import Sealing
from podium.play.events import (
    BettingClosed,
    CardCorrected,
    CardDealt,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    Confirmed,
    Decided,
    HolePeeked,
    HoleTurned,
    ShoeFollowed,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.record.journal import START, Entry, Head, follow
from podium.record.ledger import Transfer, account, changes, kind_of, names_of, never_negative
from podium.record.meters import read_meters
from podium.rules.asking import Confirmation
from podium.rules.dealing import OwnHands
from podium.server.show import Window
from podium.wire import messages as wire
from tests.meter_oracle import MeterOracle, meter_differences
from tests.simulator.absences import Absences
from tests.simulator.state import written

_read_message = msgspec.json.Decoder(wire.AnyMessage).decode
_CARD = re.compile(rb'"([2-9TJQKA][shdc])"')
_NAMED = re.compile(rb"(?<![\w-])([2-9TJQKA][shdc])(?![\w-])")
"""A card's name anywhere, in a sentence too."""


_UNREADABLE = frozenset({"sealed", "commitment", "number", "reason", "rules", "config"})
"""What an entry holds that is no text about cards: hashes, what is under the seal, and what people typed."""


class Caught(AssertionError):
    """Something that must never happen has happened."""


class Witness:
    """What is durable, folded; and everything that may be said because of it."""

    def __init__(self, sealing: Sealing) -> None:
        self._sealing = sealing
        self.tables: dict[str, Table] = {}
        self._windows: dict[str, Window] = {}
        self._heads: defaultdict[str, Head] = defaultdict(lambda: START)
        self.balances: Counter[Any] = Counter()
        self.fortunes: Counter[str] = Counter()
        """What each player must have, by what was paid in and out and what the rounds came to."""
        self._credits: defaultdict[str, deque[int]] = defaultdict(lambda: deque([0], maxlen=4))
        """The last balances of each player's credit."""
        self.facts: Counter[tuple[Any, ...]] = Counter()
        """What has durably happened, in the terms of the commands that ask for it."""
        self.asked: dict[tuple[str, int], wire.AnyCommand] = {}
        """What each terminal asked for, by its token and the command's id."""
        self.watched: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """Who sits at a terminal, by its token; players only."""
        self.configuring: Callable[[], bool] = lambda: False
        """Whether another configuration is on its way to the disk: tables show it a moment early, and no harm is done."""
        self._staked: defaultdict[str, Counter[int]] = defaultdict(Counter)
        """The most that each seat of a table has had staked in its round."""
        self._checked: OrderedDict[tuple[str, bytes, int], None] = OrderedDict()
        self._lay_open: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        """By table and round: the cards that have lain face up in it, also those that were corrected, and those that lay face up
        in earlier rounds of the shoe."""
        self._turned_up: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        """By table and round: the cards that have lain face up in that round alone."""
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By table: the cards of its shoe that have lain face up in the rounds that are over."""
        self._oracle = MeterOracle()
        self._moved: defaultdict[str, list[Transfer]] = defaultdict(list)
        """By table: the transfers of its rounds."""
        self.lines = 0
        self.answers = 0
        self.entries = 0
        self.messages = 0
        self.rounds = 0
        self.kinds: Counter[str] = Counter()
        self.bets_beside: Counter[str] = Counter()
        """Bets of players who have several boxes, and of those who sit at several tables."""
        self.voids_from_floor: Counter[str] = Counter()
        """Rounds that a supervisor voided, by who dealt them."""
        self.absences = Absences()

    # --- what becomes durable -----------------------------------------------------------------------------------------

    def sees(self, entry: Entry) -> None:
        """An entry is durable."""
        self.entries += 1
        self.kinds[entry.kind] += 1
        self._heads[entry.stream] = follow(self._heads[entry.stream], entry)
        self.balances.update(changes(entry.transfers))
        self._oracle.moved(entry.transfers)
        self._check_sums(entry)
        for name in changes(entry.transfers):
            if kind_of(name) == "credit":
                self._credits[names_of(name)[0]].append(self.balances[name])
        if entry.stream == HOUSE:
            event = decode_house(entry.payload)
            if isinstance(event, MoneyMoved):
                self._at_the_desk(event, entry)
        else:
            self._at_a_table(entry.stream.removeprefix("table/"), entry)

    def _check_sums(self, entry: Entry) -> None:
        moved = changes(entry.transfers)
        _must(sum(moved.values()) == 0, f"LED-1: {entry} does not add up to zero")
        for name in moved:
            _must(not never_negative(name) or self.balances[name] >= 0, f"GAME-1: {name} is overdrawn by {entry}")

    def _at_the_desk(self, event: MoneyMoved, entry: Entry) -> None:
        for transfer in entry.transfers:
            self.facts[("transfer", transfer.id)] += 1
        sign = -1 if kind_of(entry.transfers[0].debit) in ("credit", "attendant") else 1
        if event.what == "debt-paid" and kind_of(entry.transfers[0].debit) == "credit":
            sign = 0  # less credit, and less debt
        self.fortunes[event.player] += sign * event.amount

    def _at_a_table(self, name: str, entry: Entry) -> None:
        table = self.tables.get(name)
        if table is None:
            table = self.tables[name] = Table(name, self._sealing)
            self._windows[name] = Window(table)
        happening = decode_table(entry.payload)
        before = table.round_number
        whose = dict(table.players)
        between = table.between_rounds
        if isinstance(happening, TimeExpired):
            self._check_patience(table, happening, entry.time)
        transfers = table.apply(happening, entry.time)
        self._moved[name] += transfers
        _must(transfers == entry.transfers, f"INT-1: {happening} moves {transfers} now, and moved {entry.transfers}")
        nowhere = [transfer for transfer in transfers if not transfer.terminal and transfer.kind != "debt"]
        _must(not nowhere, f"MTR-1: no terminal is named by {nowhere}")
        if table.round is not None:  # a notation begins with what had left the shoe before
            out = {card.code for card in table.round.out}
            lying = set(_lying_open(table))
            if isinstance(happening, CardsCorrected):
                lying |= _taken_away_again(happening)
            self._turned_up[name, table.round_number] |= lying
            self._lay_open[name, table.round_number] |= lying | out
        self._only_open_cards_are_stored(table, happening, entry)
        self._note(table, happening, whose)
        self._check_stakes(table, happening)
        if isinstance(happening, RoundOpened):
            _must(between, "GAME-3: a round opened before the last one was over")
            _must(table.round_number == before + 1, f"GAME-3: round {table.round_number} follows round {before}")
        if table.between_rounds and not between:
            self._round_over(table, whose)

    def _check_patience(self, table: Table, expired: TimeExpired, at: int) -> None:
        """DSC-2: before the deadline, time runs out for nobody but those who are away or leaving."""
        if table.deadline is None or at >= table.deadline:
            return
        config = table.configured
        absent = milliseconds(config.absent_seconds)
        patience = milliseconds(max(config.insurance_seconds, config.decision_seconds))
        for seat in expired.seats if expired.seats is not None else table.in_play.seats:
            player, left = table.players[seat], table.leaving.get(seat)
            _must(
                self.absences.excuses(player, at, absent, patience) or (left is not None and left + absent <= at),
                f"DSC-2: {player} at {table.name} was cut short by {table.deadline - at} ms",
            )

    def _check_stakes(self, table: Table, happening: Happening) -> None:
        """DSC-2: a time-out takes nothing that the player had not staked. After a correction it may be a question asked
        anew that runs out; then what the player had decided after it counts again, and takes the stake that it took."""
        if table.round is None or isinstance(happening, RoundOpened):
            self._staked[table.name] = Counter()
            return
        most = self._staked[table.name]
        for number, seat in table.round.seats.items():
            _must(
                not isinstance(happening, TimeExpired) or seat.staked <= most[number],
                f"DSC-2: a time-out at {table.name} raised the stakes of seat {number} from {most[number]} to {seat.staked}",
            )
            most[number] = max(most[number], seat.staked)

    def _round_over(self, table: Table, whose: dict[int, str]) -> None:
        """Everybody has exactly what the results say, from what they had before."""
        self.rounds += 1
        assert table.round is not None
        self._seen[table.name].update(_lying_open(table))
        self._oracle.settled(table.name, table.round_number, whose, table.round.results, void=table.round.voided)
        self._check_meters(table.name)
        for number, result in table.round.results.items():
            self.fortunes[whose[number]] += result.net
        for player in dict.fromkeys(whose[number] for number in table.round.results):
            told = [each for number, each in table.round.results.items() if whose[number] == player]
            has = sum(self.balances[account(kind, player)] for kind in ("credit", "attendant", "debt"))
            has += sum(self._out_at(other, player) for other in self.tables.values() if other is not table)
            _must(
                has == self.fortunes[player],
                f"{player} has {has} after round {table.round_number} of {table.name}, but should have"
                f" {self.fortunes[player]}: {told}",
            )
        for name, amount in self.balances.items():
            if kind_of(name) == "in-play" and names_of(name)[0] == table.name:
                _must(amount == 0, f"{name} is {amount} between rounds")

    def _out_at(self, table: Table, player: str) -> int:
        """What a player has staked in the round in play at a table, less what came back already."""
        if table.between_rounds:
            return 0
        seats = [table.in_play.seats.get(seat) for seat in table.boxes.get(player, {}).values()]
        out = sum(seat.staked - seat.returned for seat in seats if seat is not None)
        at_once = (paid for seat in seats if seat is not None for paid in table.in_play.settled_at_once(seat))
        return out - sum(paid.returned - paid.tips for paid in at_once)

    def _check_meters(self, table: str) -> None:
        """MTR-3: the meters of a table are what its settled rounds come to, and what its bank has won."""
        shown = read_meters(transfer for transfer in self._moved[table] if self._oracle.is_over(transfer))
        found = meter_differences(self._oracle, table, msgspec.structs.asdict(shown))
        _must(not found, f"MTR-3: {found}")

    def _note(self, table: Table, happening: Happening, whose: dict[int, str]) -> None:
        """A fact, as the command that asked for it would tell it."""
        name, number = table.name, table.round_number
        match happening:
            case WagersPlaced(seat, amounts, for_dealer, spots):
                placed = (tuple(sorted(amounts.items())), tuple(sorted(for_dealer.items())), tuple(spots))
                self.facts[("bet", name, number, whose[seat], *placed)] += 1
                self.bets_beside["boxes"] += len(table.boxes[whose[seat]]) > 1
                self.bets_beside["tables"] += sum(whose[seat] in other.seats for other in self.tables.values()) > 1
            case Decided(seat, decision):
                self.facts[("decide", name, number, whose[seat], decision)] += 1
            case SeatTaken(seat, player):
                self.facts[("join", name, player, seat)] += 1
            case SeatLeft(seat):
                self.facts[("leave", name, whose[seat])] += 1
            case CutCommitted(commitment=commitment):
                self.facts[("commit-cut", name, table.shoe_number, commitment)] += 1
            case CutOpened(number=opened):
                self.facts[("open-cut", name, table.shoe_number, opened)] += 1
            case RoundOpened():
                self.facts[("new-game", name, number)] += 1
            case BettingClosed():
                self.facts[("close-bets", name, number)] += 1
            case CardDealt(card):
                self.facts[("card", name, number, card.code if card else self._face_down(table))] += 1
            case HolePeeked():
                self.facts[("peek", name, number)] += 1
            case HoleTurned(card):
                self.facts[("turn", name, number, card.code)] += 1
            case Confirmed():
                self.facts[("confirm", name, number)] += 1
            case CardCorrected(_, card):
                code = card.code if card else self._face_down(table)
                self.facts[("correct", name, number)] += 1
                self.facts[("card", name, number, code)] += 1
            case CardsCorrected(edits):
                self.facts[("correct", name, number)] += 1
                for edit in edits:
                    card = getattr(edit, "card", None)
                    code = card.code if card else self._face_down(table)
                    self.facts[("card", name, number, code)] += 1
            case CorrectionOpened():
                self.facts[("begin-correction", name, number)] += 1
            case CorrectionAbandoned():
                self.facts[("abandon-correction", name, number)] += 1
            case Voided():
                self.facts[("void", name, number)] += 1
            case ShoeLoaded() | ShoeFollowed():
                self._seen[name].clear()
                self.facts[("shoe", name)] += 1
            case CardBurned(shoe, card):
                self._seen[name].update([card.code] if card else [])
                self.facts[("burn", name, shoe)] += 1
            case CardRead(reader, session, count):
                self.facts[("read", name, reader, session, count)] += 1
            case ReadingAnswered(read=read) if read is not None:
                self._lay_open[name, number].add(read.code)  # the record keeps what was misread
            case CutCardOut(shoe, _, out):
                self.facts[("cut-card", name, shoe, out)] += 1
            case ShoeCounted():
                self.facts[("count", name)] += 1
            case DealerArrived(dealer):
                self.facts[("take-place", name, dealer)] += 1
            case DealerLeft(dealer):
                self.facts[("leave-place", name, dealer)] += 1
            case ShoeShuffled(shoe) | ShoeEnded(shoe):
                self._seen[name].clear()
                self.facts[(happening.__struct_config__.tag, name, shoe)] += 1

    def _face_down(self, table: Table) -> str:
        """What was entered face down, as the command told it."""
        hidden = table.face_down if table.in_play.game.dealing is OwnHands else None
        live = table.configured.dealer == "live"
        return hidden.code if hidden is not None and live else "unknown"

    def _only_open_cards_are_stored(self, table: Table, happening: Happening, entry: Entry) -> None:
        """RNG-8, CARD-4: whoever reads the disk, or a backup, at this moment and without the key finds no card that does not
        lie face up."""
        if isinstance(happening, ShoeEnded):
            return  # it is laid open
        if isinstance(happening, TableSnapshot):
            out, seen = Counter(happening.shoe.out.split()), self._seen[table.name]
            _must(out <= seen, f"RNG-8: {table.name} is written down with cards that nobody saw: {out - seen}")
            for outcome in happening.history:
                self._only_cards_that_lay_open(table.name, outcome.round, msgspec.json.encode(outcome))
            return
        if isinstance(happening, CardBurned | ReadingAnswered):
            return  # it lies on the discards; whoever entered it has seen it
        told = {key: value for key, value in msgspec.json.decode(entry.payload).items() if key not in _UNREADABLE}
        stored = {code.decode() for code in _NAMED.findall(msgspec.json.encode(told))}
        turned_up = self._turned_up[table.name, table.round_number]
        _must(stored <= turned_up, f"RNG-8: {stored - turned_up} is stored, face down: {entry.payload!r}")

    # --- what is said -------------------------------------------------------------------------------------------------

    def hears(self, token: str, message: bytes) -> None:
        """The house says something to a terminal."""
        self.messages += 1
        said = _read_message(message)
        match said:
            case wire.Acknowledged():
                self._acknowledged(token, said)
            case wire.TableView():
                if self._news(said.table, message):
                    self._shown(said, message)
            case wire.Seated():
                self._shown_alone(token, said, message)
            case wire.History():
                if self._news(said.table, message):
                    self._no_names(message)
                    for outcome in said.rounds:
                        self._only_cards_that_lay_open(said.table, outcome.round, msgspec.json.encode(outcome))
            case wire.HeldCard():
                self._shown_to_dealer(token, said)
            case wire.Refusal():
                self._refused(token, said)
            case wire.RulesInForce() | wire.Welcome() | wire.Goodbye() | wire.Advice():
                _must(not _CARD.search(message), f"CARD-4: a card is named where none belongs: {message!r}")

    def _news(self, table: str, message: bytes) -> bool:
        """The same bytes to the next terminal, with the same things durable, need no second look."""
        key = table, message, self.tables[table].happened if table in self.tables else 0
        if key in self._checked:
            return False
        self._checked[key] = None
        while len(self._checked) > 32:
            self._checked.popitem(last=False)
        return True

    def _shown(self, said: wire.TableView, message: bytes) -> None:
        """CARD-4, CARD-5: the table as it is shown is the table as it is stored."""
        self._no_names(message)
        table = self.tables[said.table]
        self._only_cards_that_lie_open(table, said)
        if self.configuring():
            return
        due = self._windows[said.table].for_everybody(said.now)
        due = msgspec.structs.replace(due, number=said.number)
        _must(said == due, f"CARD-5: shown is {said},\nstored is {due}")

    def _shown_alone(self, token: str, said: wire.Seated, message: bytes) -> None:
        """What one seat sees is that seat's, and is stored."""
        player = self.names[token]
        table = self.tables[said.table]
        self._only_cards_that_lie_open(table, said)
        credit = self.balances[account("credit", player)]
        elsewhere = any(player in other.seats for other in self.tables.values() if other is not table)
        if (player not in table.seats or elsewhere) and said.credit in self._credits[player]:
            credit = said.credit  # it changes elsewhere, and the house learns a moment later that it is durable
        held = self.balances[account("attendant", player)]
        due = self._windows[said.table].for_player(player, credit, locked=held)
        due = msgspec.structs.replace(due, number=said.number)
        _must(said == due, f"{player} is shown {said},\nstored is {due}")

    def _shown_to_dealer(self, token: str, said: wire.HeldCard) -> None:
        """CARD-11: a card that was read is shown to dealers alone, and is stored."""
        _must(token.endswith("~dealer"), f"CARD-11: {token} is shown {said}")
        due = self._windows[said.table].for_dealer()
        _must(self.configuring() or said == due, f"CARD-11: a dealer is shown {said},\nstored is {due}")

    def _only_cards_that_lie_open(self, table: Table, said: wire.TableView | wire.Seated) -> None:
        """CARD-4: no card before betting is durably closed; and never one that lies face down, or is not dealt yet. What a
        correction changed names cards that lay open before."""
        shown = _cards_in(msgspec.structs.replace(said, corrected=None))
        lying = set(_lying_open(table))
        _must(shown <= lying, f"CARD-4: {shown} is shown, but only {lying} lie open: {said!r}")
        if said.corrected is not None:
            lay = self._turned_up[table.name, said.corrected.round]
            named = _cards_in(said.corrected)
            _must(named <= lay, f"CARD-4: a correction names {named}, but only {lay} lay open: {said!r}")

    # --- what is answered over HTTP ---------------------------------------------------------------------------------

    def reads(self, address: str, body: bytes) -> None:
        """Somebody read something: it names no card but those that have lain face up in that very round (CARD-4)."""
        self.answers += 1
        path = address.partition("?")[0]
        if path in ("/api/rounds", "/api/recall"):
            for told in msgspec.json.decode(body):
                if isinstance(told, dict):
                    self._only_cards_that_lay_open(told["table"], told["round"], msgspec.json.encode(told))
        elif path == "/api/events":
            for event in msgspec.json.decode(body):
                if event["kind"] == "correction":
                    number = int(event["reason"].split(",")[0].removeprefix("round "))
                    self._only_cards_that_lay_open(event["source"], number, msgspec.json.encode(event))
        else:
            # The report of significant events names corrected cards; nothing else that is read here names any.
            corrected = set[str]().union(*self._lay_open.values()) if path.endswith("/significant-events") else set()
            named = {code.decode() for code in _NAMED.findall(body)} - corrected
            _must(not named, f"RNG-8: {address} names the cards {named}: {body!r}")

    def reads_log(self, line: str) -> None:
        """The house writes a line into its log, which never has a card."""
        self.lines += 1
        named = set(_NAMED.findall(line.encode()))
        _must(not named, f"RNG-8: the log names the cards {named}: {line}")

    def _only_cards_that_lay_open(self, table: str, number: int, told: bytes) -> None:
        named = {code.decode() for code in _NAMED.findall(told)}
        lay_open = self._lay_open[table, number]
        _must(named <= lay_open, f"CARD-4: round {number} of {table} names {named - lay_open}, face down: {told!r}")

    def _no_names(self, message: bytes) -> None:
        for name in set(self.names.values()):
            _must(name.encode() not in message, f"{name} is named to everybody: {message!r}")

    def _acknowledged(self, token: str, said: wire.Acknowledged) -> None:
        """INT-1: what is acknowledged is durable."""
        command = self.asked.get((token, said.id))
        _must(command is not None, f"{token} is told that {said.id} is done, which it never asked for")
        fact = None if command is None else self._fact_of(token, command, said)
        if fact is None:
            return
        # A command is carried out where the house last heard that the terminal watches; a liar may have said an old
        # `watch` again before it, so this may be another table than it now pretends.
        what, _, *rest = fact
        stored = any(self.facts[(what, table, *rest)] for table in self.tables)
        _must(stored, f"INT-1: {command} of {token} is acknowledged, and is not stored")

    def _refused(self, token: str, said: wire.Refusal) -> None:
        """A terminal that lost an answer, and asks again after a restart, is not told that its wagers do not stand; and none is
        told a card that it did not enter itself, or see."""
        command = self.asked.get((token, said.id))
        table = self.tables.get(getattr(command, "table", "") or self.watched.get(token, ""))
        named = set(_NAMED.findall(msgspec.json.encode(said.why))) - set(_NAMED.findall(msgspec.json.encode(command)))
        seen = {code.encode() for code in _lying_open(table)} if table is not None else set()
        _must(named <= seen, f"CARD-4: a refusal names {named - seen}: {said}")
        if not isinstance(command, wire.PlaceBet) or table is None or table.round is None:
            return
        boxes = table.boxes.get(self.names.get(token, ""), {})
        seat = table.round.seats.get(boxes.get(command.box or next(iter(boxes), 1), 0))
        if seat is not None and command.round == table.round_number and command.wagers:
            stands = (seat.amounts, seat.for_dealer) == (command.wagers, command.for_dealer)
            same_spots = not command.spots or seat.spots == command.spots
            _must(not (stands and same_spots), f"{command} of {token} is refused ({said.reason}), but it stands")

    def _fact_of(self, token: str, command: wire.AnyCommand, said: wire.Acknowledged) -> tuple[Any, ...] | None:
        table = self.watched.get(token, "")
        who = self.names.get(token, token.partition("~")[0])
        tag = str(command.__struct_config__.tag)
        match command:
            case wire.PlaceBet():
                placed = tuple(sorted(command.wagers.items())), tuple(sorted(command.for_dealer.items()))
                return tag, table, command.round, who, *placed, tuple(command.spots)
            case wire.Decide():
                return tag, table, command.round, who, command.decision
            case wire.Join():
                return tag, table, who, said.seat
            case wire.Leave():
                return tag, table, who
            case wire.CommitCut():
                return tag, table, command.shoe, command.commitment
            case wire.OpenCut():
                return tag, table, command.shoe, command.number
            case wire.EnterCard() | wire.TurnHole():
                return tag, table, command.round, command.card
            case wire.Correct() | wire.BeginCorrection() | wire.AbandonCorrection():
                return tag, table, command.round
            case wire.NewGame() | wire.CloseBets() | wire.AnswerPeek() | wire.Confirm() | wire.Void():
                return tag, table, command.round
            case wire.LoadShoe() | wire.CountShoe():
                return tag, table
            case wire.ReadCard():
                return tag, table, who, command.session, command.number
            case wire.BurnCard():
                return tag, table, command.shoe
            case wire.SeeCutCard():
                return tag, table, command.shoe, command.out
            case wire.TakePlace() | wire.LeavePlace():
                return tag, table, who
        return None

    # --- the whole ----------------------------------------------------------------------------------------------------

    def compare(self, tables: dict[str, Table], balances: dict[Any, int], when: str) -> None:
        """Replay equals live: tables and money are those that the journal gives."""
        _must(set(tables) == set(self.tables), f"{when}: the tables are {set(tables)}, stored are {set(self.tables)}")
        for name, table in tables.items():
            found, due = written(table), written(self.tables[name])
            for part, value in due.items():
                _must(found[part] == value, f"{when}: {part} of {name} is {found[part]}, stored is {value}")
        due_balances = {name: amount for name, amount in self.balances.items() if amount}
        _must(balances == due_balances, f"{when}: the balances are {balances}, stored are {due_balances}")

    def finish(self) -> None:
        """LED-1, and that every round that awaits only its confirmation can be confirmed."""
        _must(sum(self.balances.values()) == 0, "LED-1: the sum of all accounts is not zero")
        for table in self.tables.values():
            if not table.between_rounds and isinstance(table.in_play.awaits, Confirmation):
                for seat in table.in_play.seats:
                    table.in_play.result(seat)


def _cards_in(said: msgspec.Struct) -> set[str]:
    return {code.decode() for code in _CARD.findall(msgspec.json.encode(said))}


def _lying_open(table: Table) -> list[str]:
    """The cards that lie open, found in another way than the dealing's own `face_up`, which is what is being checked."""
    played = table.round
    if played is None or not played.dealt_for:
        return []
    lying = list(played.cards_out)
    if isinstance(played.dealing, OwnHands):
        hole = getattr(played.dealing, "_hole", None)
        if hole is not None and (played.dealing.turns or played.dealing.open):
            lying.remove(hole)
    return [card.code for card in lying]


def _must(holds: bool, sentence: str) -> None:
    if not holds:
        raise Caught(sentence)


def _taken_away_again(corrected: CardsCorrected) -> set[str]:
    """The cards that one edit of a correction put down and a later one took away: the record names them, and nobody is dealt them."""
    named: set[str] = set()
    lying: list[Card | None] = [None] * 200
    for edit in corrected.edits:
        match edit:
            case CardReplaced(number, card):
                lying[number - 1] = card
            case CardInserted(number, card):
                lying.insert(number - 1, card)
            case CardRemoved(number):
                del lying[number - 1]
        named |= {card.code for card in lying if card is not None}
    return named - {card.code for card in lying if card is not None}
