"""Sees everything that becomes durable and everything that is said, and believes only what is durable.

It keeps its own tables, folded from the journal as the disk holds it, and its own sums. Whatever the house tells anybody
must follow from them: a view that is ahead of the disk, an acknowledgement of what is not stored, a card that nobody may
know yet, a balance that does not follow from the results is a `Caught`.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from podium.house.table import Table
from podium.house.table.face_down import Sealing
from podium.record.ledger import account
from podium.rules.asking import Confirmation
from podium.wire import commands, messages
from tests.simulator.durable import NAMED, Durable, lying_open, must
from tests.simulator.state import written

_read_message = msgspec.json.Decoder(messages.AnyMessage).decode
_CARD = re.compile(rb'"([2-9TJQKA][shdc])"')


class Witness(Durable):
    """What is durable, and everything that may be said because of it."""

    def __init__(self, sealing: Sealing) -> None:
        super().__init__(sealing)
        self.asked: dict[tuple[str, int], commands.AnyCommand] = {}
        """What each terminal asked for, by its token and the command's id."""
        self.watched: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """Who sits at a terminal, by its token; players only."""
        self.configuring: Callable[[], bool] = lambda: False
        """Whether another configuration is on its way to the disk: tables show it a moment early, and no harm is done."""
        self._checked: OrderedDict[tuple[str, bytes, int], None] = OrderedDict()
        self.lines = 0
        self.answers = 0
        self.messages = 0

    # --- what is said -------------------------------------------------------------------------------------------------

    def hears(self, token: str, message: bytes) -> None:
        """The house says something to a terminal."""
        self.messages += 1
        said = _read_message(message)
        match said:
            case messages.Acknowledged():
                self._acknowledged(token, said)
            case messages.TableView():
                if self._news(said.table, message):
                    self._shown(said, message)
            case messages.Counts():
                self._counted(said)
            case messages.Seated():
                self._shown_alone(token, said, message)
            case messages.History():
                if self._news(said.table, message):
                    self._no_names(message)
                    for outcome in said.rounds:
                        self._only_cards_that_lay_open(said.table, outcome.round, msgspec.json.encode(outcome))
            case messages.HeldCard():
                self._shown_to_dealer(token, said)
            case messages.TableMap():
                self._mapped(token, said, message)
            case messages.Notices():
                due = self._windows[said.table].notices(self.names[token])
                must(said == due, f"VOID-4: {token} is shown {said},\nstored is {due}")
            case messages.Refusal():
                self._refused(token, said)
            case messages.RulesInForce() | messages.Welcome() | messages.Goodbye() | messages.Advice():
                must(not _CARD.search(message), f"CARD-4: a card is named where none belongs: {message!r}")

    def _news(self, table: str, message: bytes) -> bool:
        """The same bytes to the next terminal, with the same things durable, need no second look."""
        key = table, message, self.tables[table].happened if table in self.tables else 0
        if key in self._checked:
            return False
        self._checked[key] = None
        while len(self._checked) > 32:
            self._checked.popitem(last=False)
        return True

    def _shown(self, said: messages.TableView, message: bytes) -> None:
        """CARD-4, CARD-5: the table as it is shown is the table as it is stored."""
        self._no_names(message)
        table = self.tables[said.table]
        self._only_cards_that_lie_open(table, said)
        if self.configuring():
            return
        due = self._windows[said.table].for_everybody(said.now)
        due = msgspec.structs.replace(due, number=said.number)
        must(said == due, f"CARD-5: shown is {said},\nstored is {due}")

    def _counted(self, said: messages.Counts) -> None:
        """Counts that come alone are those of the table as it is stored."""
        if self.configuring():
            return
        due = self._windows[said.table].for_everybody(said.now)
        shown = (said.players, said.betting, said.deciding, said.total_bets)
        stored = (due.players, due.betting, due.deciding, due.total_bets)
        must(shown == stored, f"CARD-5: counted are {said},\nstored is {due}")

    def _shown_alone(self, token: str, said: messages.Seated, message: bytes) -> None:
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
        must(said == due, f"{player} is shown {said},\nstored is {due}")

    def _shown_to_dealer(self, token: str, said: messages.HeldCard) -> None:
        """CARD-11: a card that was read is shown to dealers alone, and is stored."""
        must(token.endswith("~dealer"), f"CARD-11: {token} is shown {said}")
        due = self._windows[said.table].for_dealer()
        must(self.configuring() or said == due, f"CARD-11: a dealer is shown {said},\nstored is {due}")

    def _mapped(self, token: str, said: messages.TableMap, message: bytes) -> None:
        """The map is shown to dealers alone, names nobody, and is that of the table as it is stored."""
        must(token.endswith("~dealer"), f"{token} is shown the map {said}")
        self._no_names(message)
        lying = set(lying_open(self.tables[said.table]))
        must(_cards_in(said) <= lying, f"CARD-4: {said} is shown, but only {lying} lie open")
        due = self._windows[said.table].map()
        must(self.configuring() or said == due, f"a dealer is shown {said},\nstored is {due}")

    def _only_cards_that_lie_open(self, table: Table, said: messages.TableView | messages.Seated) -> None:
        """CARD-4: no card before betting is durably closed; and never one that lies face down, or is not dealt yet. What a
        correction changed names cards that lay open before."""
        shown = _cards_in(msgspec.structs.replace(said, corrected=None, **_without_retelling(said)))
        lying = set(lying_open(table))
        must(shown <= lying, f"CARD-4: {shown} is shown, but only {lying} lie open: {said!r}")
        if said.corrected is not None:
            lay = self._turned_up[table.name, said.corrected.round]
            named = _cards_in(said.corrected)
            must(named <= lay, f"CARD-4: a correction names {named}, but only {lay} lay open: {said!r}")
        retelling = said.retelling if isinstance(said, messages.TableView) else None
        if retelling is not None:
            lay, named = self._turned_up[table.name, retelling.round], _cards_in(retelling)
            must(named <= lay, f"CARD-4: a retelling names {named}, but only {lay} lay open: {said!r}")

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
                if event["kind"] in ("correction", "reopened"):
                    number = int(event["reason"].split(",")[0].removeprefix("round "))
                    self._only_cards_that_lay_open(event["source"], number, msgspec.json.encode(event))
        else:
            # The report of significant events names corrected cards; nothing else that is read here names any.
            corrected = set[str]().union(*self._lay_open.values()) if path.endswith("/significant-events") else set()
            named = {code.decode() for code in NAMED.findall(body)} - corrected
            must(not named, f"RNG-8: {address} names the cards {named}: {body!r}")

    def reads_log(self, line: str) -> None:
        """The house writes a line into its log, which never has a card."""
        self.lines += 1
        named = set(NAMED.findall(line.encode()))
        must(not named, f"RNG-8: the log names the cards {named}: {line}")

    def _no_names(self, message: bytes) -> None:
        for name in set(self.names.values()):
            must(name.encode() not in message, f"{name} is named to everybody: {message!r}")

    def _acknowledged(self, token: str, said: messages.Acknowledged) -> None:
        """INT-1: what is acknowledged is durable."""
        command = self.asked.get((token, said.id))
        must(command is not None, f"{token} is told that {said.id} is done, which it never asked for")
        fact = None if command is None else self._fact_of(token, command, said)
        if fact is None:
            return
        # A command is carried out where the house last heard that the terminal watches; a liar may have said an old
        # `watch` again before it, so this may be another table than it now pretends.
        what, _, *rest = fact
        stored = any(self.facts[(what, table, *rest)] for table in self.tables)
        must(stored, f"INT-1: {command} of {token} is acknowledged, and is not stored")
        if any(isinstance(fix, commands.SwapCards) for fix in getattr(command, "fixes", ())):
            self.swaps.add((token, said.id))

    def _refused(self, token: str, said: messages.Refusal) -> None:
        """A terminal that lost an answer, and asks again after a restart, is not told that its wagers do not stand; and none is
        told a card that it did not enter itself, or see."""
        command = self.asked.get((token, said.id))
        table = self.tables.get(getattr(command, "table", "") or self.watched.get(token, ""))
        named = set(NAMED.findall(msgspec.json.encode(said.why))) - set(NAMED.findall(msgspec.json.encode(command)))
        seen = {code.encode() for code in lying_open(table)} if table is not None else set()
        must(named <= seen, f"CARD-4: a refusal names {named - seen}: {said}")
        if not isinstance(command, commands.PlaceBet) or table is None or table.round is None:
            return
        boxes = table.boxes.get(self.names.get(token, ""), {})
        seat = table.round.seats.get(boxes.get(command.box or next(iter(boxes), 1), 0))
        if seat is not None and command.round == table.round_number and command.wagers:
            stands = (seat.amounts, seat.for_dealer) == (command.wagers, command.for_dealer)
            same_spots = not command.spots or seat.spots == command.spots
            must(not (stands and same_spots), f"{command} of {token} is refused ({said.reason}), but it stands")

    def _fact_of(self, token: str, command: commands.AnyCommand, said: messages.Acknowledged) -> tuple[Any, ...] | None:
        table = self.watched.get(token, "")
        who = self.names.get(token, token.partition("~")[0])
        tag = str(command.__struct_config__.tag)
        match command:
            case commands.PlaceBet():
                placed = tuple(sorted(command.wagers.items())), tuple(sorted(command.for_dealer.items()))
                return tag, table, command.round, who, *placed, tuple(command.spots)
            case commands.Decide():
                return tag, table, command.round, who, command.decision
            case commands.Join():
                return tag, table, who, said.seat
            case commands.Leave():
                return tag, table, who
            case commands.CommitCut():
                return tag, table, command.shoe, command.commitment
            case commands.OpenCut():
                return tag, table, command.shoe, command.number
            case commands.EnterCard() | commands.TurnHole():
                return tag, table, command.round, command.card
            case commands.Correct() | commands.BeginCorrection() | commands.AbandonCorrection():
                return tag, table, command.round
            case (
                commands.NewGame() | commands.CloseBets() | commands.AnswerPeek() | commands.Confirm() | commands.Void()
            ):
                return tag, table, command.round
            case commands.LoadShoe() | commands.CountShoe():
                return tag, table
            case commands.ReadCard():
                return tag, table, who, command.session, command.number
            case commands.BurnCard():
                return tag, table, command.shoe
            case commands.SeeCutCard():
                return tag, table, command.shoe, command.out
            case commands.TakePlace() | commands.LeavePlace():
                return tag, table, who
        return None

    # --- the whole ----------------------------------------------------------------------------------------------------

    def compare(self, tables: dict[str, Table], balances: dict[Any, int], when: str) -> None:
        """Replay equals live: tables and money are those that the journal gives."""
        must(set(tables) == set(self.tables), f"{when}: the tables are {set(tables)}, stored are {set(self.tables)}")
        for name, table in tables.items():
            found, due = written(table), written(self.tables[name])
            for part, value in due.items():
                must(found[part] == value, f"{when}: {part} of {name} is {found[part]}, stored is {value}")
        due_balances = {name: amount for name, amount in self.balances.items() if amount}
        must(balances == due_balances, f"{when}: the balances are {balances}, stored are {due_balances}")

    def finish(self) -> None:
        """LED-1, and that every round that awaits only its confirmation can be confirmed."""
        must(sum(self.balances.values()) == 0, "LED-1: the sum of all accounts is not zero")
        for table in self.tables.values():
            if not table.between_rounds and isinstance(table.in_play.awaits, Confirmation):
                for seat in table.in_play.seats:
                    table.in_play.result(seat)


def _without_retelling(said: messages.TableView | messages.Seated) -> dict[str, None]:
    return {"retelling": None} if isinstance(said, messages.TableView) else {}


def _cards_in(said: msgspec.Struct) -> set[str]:
    return {code.decode() for code in _CARD.findall(msgspec.json.encode(said))}
