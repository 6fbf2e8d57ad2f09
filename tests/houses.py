"""A house that plays by itself: every game, identically in every run, written to a real book.

Bots bet on everything that a table takes, decide by a repeatable draw, cut shoes, keep a number back now and then, let
their time run out, and now and then a round is void or a card is corrected.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from podium.basics.cards import DECK, card
from podium.basics.refusal import Refused
from podium.house import House, HouseConfig, electronic
from podium.house.events import Noted
from podium.house.shuffling import SealedShuffler
from podium.house.table import Table, TableConfig
from podium.house.table.pace import act, due
from podium.play.events import CardsCorrected
from podium.record.fair import cut_commitment
from podium.record.ledger import Transfer, account
from podium.record.seal import Seal
from podium.record.store import Append, Book, open_book
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Peek, Question, Wagers
from podium.rules.games import GAMES
from tests.correcting import correct_card
from tests.entropy import repeatable

NOON: Final = 1_780_000_000_000 // 86_400_000 * 86_400_000 + 43_200_000
"""12:00 UTC on some day."""
KEY: Final = bytes(range(32))
TICKETS: Final = account("tickets")
TIPPING: Final = {"stadium-blackjack": {"blackjack": 100}, "mega-blackjack": {"blackjack": 100}}


def all_games(**more: object) -> HouseConfig:
    """One table of each game, without any waiting."""
    quick: dict[str, object] = {"card_seconds": 0, "result_seconds": 0, "penetration": 0.1, **more}
    takes = {name: {"options": {"dealer_wagers": True}} if name in TIPPING else {} for name in GAMES}
    tables = {f"{name}-1": TableConfig(game=name, **{**takes[name], **quick}) for name in GAMES}  # type: ignore[arg-type]
    return HouseConfig(name="Test house", tables=tables)


class PlayingHouse:
    """A house with its book, its clock and its bots: a new one, or the one that the book holds."""

    def __init__(
        self,
        book: Book,
        config: HouseConfig | None = None,
        *,
        name: str = "house",
        key: bytes = KEY,
        now: int = NOON,
    ) -> None:
        self.book: Final = book
        self.now = now
        self._draw: Final = repeatable(f"{name} bots")
        seal = Seal(key, repeatable(f"{name} seal"))
        self.shuffler: Final = SealedShuffler(seal, repeatable(f"{name} shoe"))
        self.house: Final = House(self.shuffler)
        if book.heads():
            self.house.come_back(book)
        else:
            self.house.configure(config or all_games(), self.now, by="olga")
        self.house.started("fingerprint", self.now)
        self.store()

    def store(self) -> None:
        entries = self.house.take_entries()
        if entries:
            assert self.book.write([Append(entries)]) == [None]

    def pick(self, size: int) -> int:
        """A number below `size`, the same in every run."""
        return int.from_bytes(self._draw(4)) % size

    # --- players ----------------------------------------------------------------------------------------------------

    def seat_bots(self, table: str, count: int = 3, credit: int = 10_000_00) -> list[str]:
        """Bots with credit at a table."""
        bots = [f"{table}.bot{number}" for number in range(1, count + 1)]
        for bot in bots:
            self.house.admit(bot, "card", self.now)
            self.house.pay_in(bot, credit, self.now, key=f"in-{bot}", by="carl", terminal="cage-1")
            self.house.sit_down(bot, table, None, self.now)
        self.store()
        return bots

    # --- a round ----------------------------------------------------------------------------------------------------

    def play(self, name: str, rounds: int = 1, *, upset: Callable[[Table], bool] | None = None) -> None:
        """Plays rounds to their end. `upset` looks at the table before each step, and says whether it did the step."""
        table = self.house.table(name)
        last = table.round_number + rounds
        while not (table.between_rounds and table.round_number == last):
            self.step(table, upset)
            if table.between_rounds:
                self.store()
        self.store()

    def play_until(self, name: str, done: Callable[[Table], bool]) -> None:
        table = self.house.table(name)
        while not done(table):
            self.step(table)
        self.store()

    def step(self, table: Table, upset: Callable[[Table], bool] | None = None) -> None:
        self.now += 20
        if upset is not None and upset(table):
            return
        if table.between_rounds:
            self._cut(table)
        elif isinstance(table.in_play.awaits, Wagers):
            self._bet(table)
        elif isinstance(table.in_play.awaits, Decisions):
            self._decide(table, table.in_play.awaits)
        self._let_the_table_act(table)

    def _let_the_table_act(self, table: Table) -> None:
        when = due(table)
        if when is None:
            self._deal_by_hand(table)
            return
        self.now = max(self.now, when)
        act(table, self.now, self.shuffler)
        self.house.at_table(table.name, lambda _: None)

    def _cut(self, table: Table) -> None:
        """Two terminals cut a new shoe; every seventh time one of them keeps its number back."""
        shoe = table.shoe
        if shoe is None or shoe.cut is None or shoe.order is not None:
            return
        for player, seat in list(table.seats.items())[:2]:
            terminal, number = f"seat-{seat}", repeatable(f"{player} {shoe.number}")(32).hex()
            commitment = cut_commitment(shoe.cut.shoe, terminal, number)
            if shoe.cut.committed.get(terminal, commitment) != commitment:
                continue  # this terminal committed to another number before the house came back
            if not shoe.cut.closed and terminal in (shoe.entitled or {}):
                table.commit_to_cut(player, shoe.number, commitment, self.now)
            elif terminal in shoe.cut.missing and self.pick(7):
                table.open_cut(player, shoe.number, number, self.now)

    def _bet(self, table: Table) -> None:
        game = table.upcoming.to_game()
        for place, player in enumerate(list(table.seats)):
            if player in table.seats and table.seats[player] in table.in_play.seats:
                continue
            amounts = {game.rules.main.name: 500 * (1 + self.pick(4))}
            sides = [wager for wager, offer in game.offers.items() if not offer.main]
            if sides and not place % 2:
                amounts[sides[self.pick(len(sides))]] = 500
            tips = TIPPING.get(game.name, {}) if place == 1 else {}
            with suppress(Refused):  # a bot that is short of credit sits out
                self.house.bet(player, table.name, amounts, tips, (), self.now, terminal=f"terminal-{place + 1}")

    def _decide(self, table: Table, asked: Decisions) -> None:
        """Most decide; some let the time run out. Nobody is asked twice in one step."""
        for seat in list(asked):
            if seat in table.players and self.pick(8):
                choice = self._choice(asked[seat])
                player = table.players[seat]
                box = next(box for box, own in table.boxes[player].items() if own == seat)
                with suppress(Refused):  # short of credit, or an amount was asked for: the time runs out
                    table.decide(player, choice, self.now, box=box)
                if not isinstance(table.in_play.awaits, Decisions):
                    return

    def _choice(self, question: Question) -> str:
        allowed = list(question.allowed)
        return allowed[self.pick(len(allowed))]

    # --- a live dealer ----------------------------------------------------------------------------------------------

    def _deal_by_hand(self, table: Table) -> None:
        """What a live dealer does: loads a shoe, opens the round, deals what the shoe still holds, confirms."""
        if table.between_rounds:
            if table.shoe is None or table.shoe.shuffle is not None or table.shoe.dealt > table.shoe.cards // 2:
                table.load_shoe(52 * table.upcoming.to_game().rules.decks, self.now, by=table.dealer)
            table.open_round(self.now)
            return
        played = table.in_play
        match played.awaits:
            case NextCard(place):
                with suppress(Refused):  # all of them are out: another one
                    table.deal(None if played.dealing.takes_unknown(place) else DECK[self.pick(52)], self.now)
            case Peek():
                table.peek(False, self.now)
            case HoleCard():
                with suppress(Refused):
                    table.turn(DECK[self.pick(32)], self.now)  # up to a nine: no blackjack with anything
            case Confirmation():
                table.confirm(self.now)
            case other:
                raise AssertionError(other)


@contextmanager
def playing_house(
    where: Path | str, config: HouseConfig | None = None, *, name: str = "house"
) -> Iterator[PlayingHouse]:
    """A new house at a place, closed when it is left."""
    book = open_book(where)
    try:
        yield PlayingHouse(book, config, name=name)
    finally:
        book.close()


def play_everything(playing: PlayingHouse) -> None:
    """All five games, several shoes, one void round, one corrected card, one round still in play."""
    for table in playing.house.tables:
        playing.seat_bots(table)
        playing.play(table, 12)
    playing.play("dynasty-blackjack-1", 1, upset=lambda table: void(playing, table))
    playing.play("stadium-blackjack-1", 1, upset=lambda table: correct(playing, table))
    playing.play("stadium-blackjack-1", 12)
    playing.play_until("mega-blackjack-1", lambda table: table.phase() == "deciding")


def void(playing: PlayingHouse, table: Table) -> bool:
    if table.between_rounds or len(table.in_play.cards_out) < 2:
        return False
    table.void(playing.now, by="dora", reason="card on the floor", approved_by="sam")
    return True


def correct(playing: PlayingHouse, table: Table) -> bool:
    """Once in the round, the first card was really another one."""
    if table.between_rounds or len(table.in_play.cards_out) < 3:
        return False
    if any(isinstance(event, CardsCorrected) for event in table.in_play.events):
        return False
    correct_card(table, 1, card("4h"), playing.now, by="dora", reason="misread", approved_by="sam")
    return True


def busy_day(playing: PlayingHouse) -> None:
    """A day with everything in it: games, cashier, tickets, an adjustment, a new configuration, a table that closes."""
    play_everything(playing)
    house, now = playing.house, playing.now
    bot = "match-up-blackjack-1.bot1"
    credit = account("credit", bot)
    house.carry_out(
        Transfer("t-1", credit, TICKETS, 20_000, "ticket-out", terminal="terminal-1"), bot, now, request="t-1"
    )
    house.carry_out(
        Transfer("t-2", credit, TICKETS, 5_000, "ticket-out", terminal="terminal-1"), bot, now + 1, request="t-2"
    )
    house.carry_out(
        Transfer("t-3", TICKETS, credit, 20_000, "ticket-in", terminal="terminal-2"), bot, now + 2, request="t-3"
    )
    house.adjust(
        bot, 1_500, now + 3, key="a-1", by="sam", second="olga", reason="=misprinted ticket", terminal="cage-1"
    )
    transfer = {"by": "wallet", "terminal": "terminal-2"}
    electronic.transfer_in(house, bot, 30_000, now + 3, key="e-1", reference="W-1", **transfer)
    electronic.transfer_out(house, bot, 10_000, now + 3, key="e-2", reference="W-2", **transfer)
    house.note(Noted("sign-in-failed", "terminal-7", who="dora", reason="wrong password"), now + 4)
    table = house.table("match-up-blackjack-1")
    slower = msgspec.structs.replace(table.configured, betting_seconds=30)
    config = msgspec.structs.replace(house.config, tables={**house.config.tables, table.name: slower})
    house.configure(config, now + 5, by="olga")
    playing.store()
