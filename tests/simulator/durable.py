"""Follows a house by what becomes durable: its own tables, folded from the journal as the disk holds it, and its own sums."""

import re
from collections import Counter, defaultdict, deque
from itertools import chain
from typing import Any

import msgspec

from podium.basics.cards import Card
from podium.house.events import HouseStarted, MoneyMoved
from podium.house.events import decode as decode_house
from podium.house.state import HOUSE
from podium.house.table import Table
from podium.house.table.config import TableConfig, milliseconds
from podium.house.table.events import (
    BonusesSettled,
    CardBurned,
    CardRead,
    CorrectionAbandoned,
    CorrectionOpened,
    CutCardOut,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    HandSettled,
    Happening,
    ReadingAnswered,
    RoundOpened,
    RoundReopened,
    SeatLeft,
    SeatTaken,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
    TableSnapshot,
    TimeGivenBack,
)
from podium.house.table.events import decode as decode_table
from podium.house.table.face_down import Sealing
from podium.play.again import told_again
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
from podium.play.round import Round
from podium.record.journal import START, Entry, Head, follow
from podium.record.ledger import Transfer, account, changes, kind_of, names_of, never_negative
from podium.rules.dealing import OwnHands
from podium.server.show import Window
from tests.meter_oracle import MeterOracle, meter_differences
from tests.metering import read_meters
from tests.second_engine import differences
from tests.simulator.absences import Absences
from tests.simulator.outages import Outages
from tests.simulator.practice import PracticeOracle
from tests.simulator.protection import LimitOracle
from tests.still_at_stake import at_stake

NAMED = re.compile(rb"(?<![\w-])([2-9TJQKA][shdc])(?![\w-])")
"""A card's name anywhere, also in a sentence."""


_UNREADABLE = frozenset({"sealed", "commitment", "number", "reason", "rules", "config"})
"""The fields of an entry that say nothing about cards: hashes, sealed bytes, and what people typed."""


class Caught(AssertionError):
    """Something that must never happen has happened."""


class Durable:
    """What is durable, folded: an entry that contradicts the others, or that holds a card nobody may know yet, is `Caught`."""

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
        self._staked: defaultdict[str, Counter[int]] = defaultdict(Counter)
        """The most that each seat of a table has had staked in its round."""
        self._lay_open: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        """By table and round: the cards that have lain face up in it, also those that were corrected, and those that lay face up
        in earlier rounds of the shoe."""
        self._turned_up: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        """By table and round: the cards that have lain face up in that round alone."""
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By table: the cards of its shoe that have lain face up in the rounds that are over."""
        self._settled: dict[tuple[str, int], tuple[Round, dict[int, str], TableConfig]] = {}
        """By table and round: the round as it was told last, who sat where, and the configuration in force."""
        self._oracle = MeterOracle()
        self._moved: defaultdict[str, list[Transfer]] = defaultdict(list)
        """By table: the transfers of its rounds."""
        self.entries = 0
        self.rounds = 0
        self.kinds: Counter[str] = Counter()
        self.bets_beside: Counter[str] = Counter()
        """Bets of players who have several boxes, and of those who sit at several tables."""
        self.details: Counter[str] = Counter()
        """Kinds of corrections, readings and decisions."""
        self.swaps: set[tuple[str, int]] = set()
        """The corrections that swapped two cards; the journal has each as two cards that are replaced."""
        self.voids_from_floor: Counter[str] = Counter()
        """Rounds that a supervisor voided, by who dealt them."""
        self.absences = Absences()
        self.outages = Outages()
        self.own_limits = LimitOracle()
        self.practice = PracticeOracle()

    @property
    def occurred(self) -> Counter[str]:
        """What happened, and how often: the kinds of entries, and what they do not tell by themselves."""
        beside = {f"bets beside other {what}": count for what, count in self.bets_beside.items()}
        voids = {f"voids of {who} tables from the floor": count for who, count in self.voids_from_floor.items()}
        rest = {"questions without the absent": self.absences.excused, "times given back": self.outages.given_back}
        rest["corrections that swap two cards"] = len(self.swaps)
        rest |= {f"practice: {what}": count for what, count in self.practice.total.items()}
        return self.kinds + Counter(beside) + Counter(voids) + Counter(rest) + self.details

    # --- what becomes durable -----------------------------------------------------------------------------------------

    def sees(self, entry: Entry) -> None:
        """An entry is durable."""
        self.entries += 1
        self.kinds[entry.kind] += 1
        self._heads[entry.stream] = follow(self._heads[entry.stream], entry)
        self.balances.update(changes(entry.transfers))
        self._oracle.moved(entry.transfers)
        beyond = self.own_limits.sees(entry)
        must(not beyond, beyond)
        self._check_sums(entry)
        for name in changes(entry.transfers):
            if kind_of(name) == "credit":
                self._credits[names_of(name)[0]].append(self.balances[name])
        if entry.stream == HOUSE:
            event = decode_house(entry.payload)
            if isinstance(event, MoneyMoved):
                self._at_the_desk(event, entry)
            elif isinstance(event, HouseStarted):
                self.outages.start(self.tables, entry.time)
        else:
            self._at_a_table(entry.stream.removeprefix("table/"), entry)

    def _check_sums(self, entry: Entry) -> None:
        moved = changes(entry.transfers)
        must(sum(moved.values()) == 0, f"LED-1: {entry} does not add up to zero")
        for name in moved:
            must(not never_negative(name) or self.balances[name] >= 0, f"GAME-1: {name} is overdrawn by {entry}")

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
        if isinstance(happening, TimeExpired | BettingClosed):
            must(*self.outages.ran_out(table, entry.time))
        if isinstance(happening, TimeGivenBack):
            must(*self.outages.gave_back(table, happening, entry.time))
        if isinstance(happening, RoundReopened):
            named = {card.decode() for card in NAMED.findall(msgspec.json.encode(happening.cards))}
            named |= set(happening.out.split()) | {
                edit.card.code for edit in happening.edits if isinstance(edit, CardReplaced) and edit.card
            }
            self._turned_up[name, happening.round] |= named
            self._lay_open[name, happening.round] |= named
            self._seen[name].update(happening.out.split())
        if not isinstance(happening, HandSettled | BonusesSettled):
            self._check_still_at_stake(table, entry)
        transfers = table.apply(happening, entry.time)
        self._moved[name] += transfers
        self.practice.sees(table, happening)
        must(transfers == entry.transfers, f"INT-1: {happening} moves {transfers} now, and moved {entry.transfers}")
        nowhere = [transfer for transfer in transfers if not transfer.terminal and transfer.kind != "debt"]
        must(not nowhere, f"MTR-1: no terminal is named by {nowhere}")
        if table.round is not None:  # a notation begins with what had left the shoe before
            out = {card.code for card in table.round.out}
            lying = set(lying_open(table))
            if isinstance(happening, CardsCorrected):
                lying |= _taken_away_again(happening)
            if isinstance(happening, HoleTurned):
                lying |= {card.code for card in happening.corrected}  # entries that were corrected turn up with it
            self._turned_up[name, table.round_number] |= lying
            self._lay_open[name, table.round_number] |= lying | out
        self._only_open_cards_are_stored(table, happening, entry)
        self._note(table, happening, whose)
        self._check_stakes(table, happening)
        if isinstance(happening, RoundOpened):
            must(between, "GAME-3: a round opened before the last one was over")
            must(table.round_number == before + 1, f"GAME-3: round {table.round_number} follows round {before}")
        if table.between_rounds and not between:
            self._round_over(table, whose)
        if isinstance(happening, RoundReopened):
            self._told_again(table, happening)

    def _check_still_at_stake(self, table: Table, entry: Entry) -> None:
        """MGB Dealing: before anything else happens, what is paid or collected at once has been, hand by hand."""
        moved = changes(entry.transfers)
        for player in table.players.values():
            name = account("in-play", table.name, player)
            lay, must_lie = self.balances[name] - moved.get(name, 0), at_stake(table, player)
            must(must_lie in (None, lay), f"MGB: {player} has {lay} at stake, not {must_lie}, before {entry.payload!r}")

    def _check_patience(self, table: Table, expired: TimeExpired, at: int) -> None:
        """DSC-2: before the deadline, time runs out for nobody but those who are away or leaving."""
        if table.deadline is None or at >= table.deadline:
            return
        config = table.configured
        absent = milliseconds(config.absent_seconds)
        patience = milliseconds(max(config.insurance_seconds, config.decision_seconds))
        for seat in expired.seats if expired.seats is not None else table.in_play.seats:
            player, left = table.players[seat], table.leaving.get(seat)
            must(
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
            must(
                not isinstance(happening, TimeExpired) or seat.staked <= most[number],
                f"DSC-2: a time-out at {table.name} raised the stakes of seat {number} from {most[number]} to {seat.staked}",
            )
            most[number] = max(most[number], seat.staked)

    def _round_over(self, table: Table, whose: dict[int, str]) -> None:
        """Everybody has exactly what the results say, from what they had before."""
        self.rounds += 1
        assert table.round is not None
        self._seen[table.name].update(lying_open(table))
        self._settled[table.name, table.round_number] = table.round, whose, table.configured
        self._settle_again(table.name, table.round_number, table.round, table.configured)
        self._oracle.settled(table.name, table.round_number, whose, table.round.results, void=table.round.voided)
        self._check_meters(table.name)
        for number, result in table.round.results.items():
            self.fortunes[whose[number]] += result.net
        for player in dict.fromkeys(whose[number] for number in table.round.results):
            told = [each for number, each in table.round.results.items() if whose[number] == player]
            has = sum(self.balances[account(kind, player)] for kind in ("credit", "attendant", "debt"))
            has += sum(self._out_at(other, player) for other in self.tables.values() if other is not table)
            must(
                has == self.fortunes[player],
                f"{player} has {has} after round {table.round_number} of {table.name}, but should have"
                f" {self.fortunes[player]}: {told}",
            )
        for name, amount in self.balances.items():
            if kind_of(name) == "in-play" and names_of(name)[0] == table.name:
                must(amount == 0, f"{name} is {amount} between rounds")

    def _told_again(self, table: Table, event: RoundReopened) -> None:
        """VOID-4: after a settled round is reopened, everybody has what the last settlement says, and the meters
        follow."""
        played, whose, config = self._settled[table.name, event.round]
        again = told_again(played, event.events())
        self._settled[table.name, event.round] = again, whose, config
        self._settle_again(table.name, event.round, again, config)
        self.facts[("reopened", table.name, event.round, event.telling)] += 1
        for number, result in again.results.items():
            self.fortunes[whose[number]] += result.net - played.results[number].net
        for player in {whose[number] for number in again.results}:
            has = sum(self.balances[account(kind, player)] for kind in ("credit", "attendant", "debt"))
            has += sum(self._out_at(each, player) for each in self.tables.values())
            must(has == self.fortunes[player], f"{player} has {has}, but should have {self.fortunes[player]}: {event}")
        self._oracle.settled(table.name, event.round, whose, again.results, void=again.voided)
        self._check_meters(table.name)

    def _settle_again(self, table: str, number: int, played: Round, config: TableConfig) -> None:
        """The second engine settles every round too, from its cards, wagers and decisions."""
        if not played.voided:
            found = differences(played, config.options)
            must(not found, f"round {number} of {table}: {found}")
            self.details["rounds settled by the second engine"] += 1

    def _out_at(self, table: Table, player: str) -> int:
        """What a player has staked in the round in play at a table, less what came back already."""
        if table.between_rounds:
            return 0
        seats = [table.in_play.seats.get(seat) for seat in table.boxes.get(player, {}).values()]
        out = sum(seat.staked - seat.returned for seat in seats if seat is not None)
        hands = (table.in_play.settled_at_once(seat).values() for seat in seats if seat is not None)
        at_once = chain.from_iterable(chain.from_iterable(hands))
        return out - sum(paid.returned - paid.tips for paid in at_once)

    def _check_meters(self, table: str) -> None:
        """MTR-3: the meters of a table are what its settled rounds come to, and what its bank has won."""
        shown = read_meters(transfer for transfer in self._moved[table] if self._oracle.is_over(transfer))
        found = meter_differences(self._oracle, table, msgspec.structs.asdict(shown))
        must(not found, f"MTR-3: {found}")

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
                self.details.update(f"edit {edit.__struct_config__.tag}" for edit in edits)
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
                self.details["reading not awaited"] += not happening.sealed
            case ReadingAnswered(answer=answer, read=read):
                self.details[f"reading {answer}"] += 1
                if read is not None:
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
        """RNG-8, CARD-4: somebody who reads the disk or a backup at this moment without the key finds no card that does
        not lie face up."""
        if isinstance(happening, ShoeEnded):
            return  # it is laid open
        if isinstance(happening, TableSnapshot):
            out, seen = Counter(happening.shoe.out.split()), self._seen[table.name]
            must(out <= seen, f"RNG-8: {table.name} is written down with cards that nobody saw: {out - seen}")
            for outcome in happening.history:
                self._only_cards_that_lay_open(table.name, outcome.round, msgspec.json.encode(outcome))
            return
        if isinstance(happening, CardBurned | ReadingAnswered | RoundReopened):
            return  # it lies on the discards; whoever entered it has seen it
        told = {key: value for key, value in msgspec.json.decode(entry.payload).items() if key not in _UNREADABLE}
        stored = {code.decode() for code in NAMED.findall(msgspec.json.encode(told))}
        turned_up = self._turned_up[table.name, table.round_number]
        must(stored <= turned_up, f"RNG-8: {stored - turned_up} is stored, face down: {entry.payload!r}")

    def _only_cards_that_lay_open(self, table: str, number: int, told: bytes) -> None:
        named = {code.decode() for code in NAMED.findall(told)}
        lay_open = self._lay_open[table, number]
        must(named <= lay_open, f"CARD-4: round {number} of {table} names {named - lay_open}, face down: {told!r}")


def lying_open(table: Table) -> list[str]:
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


def must(holds: bool, sentence: str) -> None:
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
