"""Terminals and the people at them. They know what the house has told them, and nothing else."""

import asyncio
import json
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from podium.basics.cards import DECK
from podium.client.shown import with_counts
from podium.record.fair import cut_commitment
from podium.wire import commands, messages
from podium.wire.codes import CloseCode
from tests.simulator.network import Line

if TYPE_CHECKING:
    from tests.simulator.world import World

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(messages.AnyMessage).decode
_command = msgspec.json.Decoder(commands.AnyCommand).decode


def _write(command: commands.Command) -> bytes:
    """A command as a liar writes it: with numbers of any size."""
    return json.dumps({"do": command.__struct_config__.tag, **msgspec.structs.asdict(command)}).encode()


ASKED_AGAIN = 1.5
"""Seconds without an answer before a terminal sends a command again, under the same id."""


class Terminal:
    """A terminal that comes back when its line is lost, and asks again for what was not answered."""

    def __init__(self, world: "World", name: str, role: str, table: str) -> None:
        self.name = name
        self.role = role
        self.table = table
        self.token = f"{name}~{role}" if role != "display" else name
        self.world = world
        self.chance = Random(f"{world.seed} {self.token}")
        self.tables = [table]
        """The tables that it watches; `table` is the one that it looks at."""
        self._shown: dict[str, dict[type, Any]] = {}
        self.held: messages.HeldCard | None = None
        self.asked: dict[int, tuple[bytes, asyncio.Future[messages.Acknowledged | messages.Refusal]]] = {}
        self._line: Line | None = None
        self._lines = 0
        self._last_id = 0
        self._changed = asyncio.Event()
        self._welcome = False

    @property
    def view(self) -> messages.TableView | None:
        return self._shown.get(self.table, {}).get(messages.TableView)

    @property
    def seat(self) -> messages.Seated | None:
        return self._shown.get(self.table, {}).get(messages.Seated)

    @property
    def rules(self) -> messages.RulesInForce | None:
        return self._shown.get(self.table, {}).get(messages.RulesInForce)

    # --- the line ---------------------------------------------------------------------------------------------------

    async def keep_connected(self) -> None:
        """Has a line, or waits until there is one."""
        while not self._welcome:
            if self._line is None and self.world.life is not None:
                self._lines += 1
                self._line = Line(self.world, self.world.life, self, Random(f"{self.chance.random()} {self._lines}"))
            await self.change(self.chance.uniform(0.05, 0.5))

    def heard(self, line: Line, message: bytes) -> None:
        if line is not self._line:
            return
        said = _decode(message)
        match said:
            case messages.Welcome():
                self._welcome = True
                self._shown.clear()
                self.watch()
                for command, _ in list(self.asked.values()):
                    self.say(command)
            case messages.Acknowledged() | messages.Refusal():
                waiting = self.asked.get(said.id)
                if waiting is not None and not waiting[1].done():
                    waiting[1].set_result(said)
            case messages.TableView() | messages.Seated() | messages.RulesInForce():
                self._shown.setdefault(said.table, {})[type(said)] = said
            case messages.Counts() if said.table in self._shown:
                known = self._shown[said.table]
                known[messages.TableView] = with_counts(known[messages.TableView], said)
            case messages.HeldCard() if said.table == self.table:
                self.held = said
        self._changed.set()

    def cut_off(self, line: Line, code: CloseCode | None) -> None:
        if line is self._line:
            self._line, self._welcome = None, False
            self._changed.set()

    def say(self, message: bytes) -> None:
        if self._line is not None:
            self._line.say(message)
            if self.chance.random() < self.world.weather.repeats:
                self._line.say(message)

    def watch(self) -> None:
        for place, table in enumerate(self.tables):
            self.say(_encode(self.command(commands.Watch, table=table, beside=place > 0)))

    def command(self, kind: type[commands.Command], **fields: Any) -> commands.Command:
        """A command under the next id, and the witness knows of it."""
        self._last_id += 1
        if issubclass(kind, commands.TableCommand) and len(self.tables) > 1:
            fields.setdefault("table", self.table)
        command = kind(id=self._last_id, **fields)
        self.world.witness.asked[(self.token, command.id)] = command  # type: ignore[assignment]
        self.world.witness.watched[self.token] = self.table
        return command

    # --- asking -----------------------------------------------------------------------------------------------------

    async def do(self, kind: type[commands.Command], **fields: Any) -> messages.Acknowledged | messages.Refusal:
        """Asks until there is an answer."""
        command = self.command(kind, **fields)
        message = _encode(command)
        answer: asyncio.Future[messages.Acknowledged | messages.Refusal] = self.world.loop.create_future()
        self.asked[command.id] = message, answer
        self.world.tell(f"{self.name} asks {command}")
        try:
            while not answer.done():
                await self.keep_connected()
                self.say(message)
                await asyncio.wait([answer], timeout=ASKED_AGAIN)
        finally:
            del self.asked[command.id]
        self.world.tell(f"{self.name} is told {answer.result()}")
        return answer.result()

    async def change(self, seconds: float) -> None:
        """Until something is new, or some time has passed."""
        self._changed.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    async def go_away(self, seconds: float) -> None:
        """Hangs up, and comes back later."""
        if self._line is not None:
            self._line.hang_up()
        await self.think(seconds)

    async def think(self, seconds: float) -> None:
        await asyncio.sleep(self.chance.uniform(0, seconds))

    async def run(self) -> None:
        """As long as the world goes on."""
        while True:
            await self.keep_connected()
            self.table = self.chance.choice(self.tables)
            if self.view is None or not await self.act(self.view):
                await self.change(1 / len(self.tables))

    async def act(self, view: messages.TableView) -> bool:
        """Does one thing if there is something to do. Returns whether there was."""
        return False


class Player(Terminal):
    """Bets anything that the table takes, decides anything that is allowed, cuts the shoe, comes and goes."""

    def __init__(self, world: "World", name: str, table: str) -> None:
        super().__init__(world, name, "player", table)
        self.careless = self.chance.random() * 0.3
        """How often nothing is answered in time."""
        self.keeps_back = self.chance.random() < 0.15
        """Whether the number for the cut is kept back."""
        self._tried: set[tuple[Any, ...]] = set()

    def first(self, *key: Any) -> bool:
        """Whether this was not tried before."""
        if key in self._tried:
            return False
        self._tried.add(key)
        return True

    async def act(self, view: messages.TableView) -> bool:
        seat = self.seat
        if seat is None:
            return False
        if seat.seat is None:
            await self.sit_down(view)
            return True
        if view.shoe is not None and await self.cut(view.shoe, seat.seat):
            return True
        for box, own in [(seat.box, seat.view), *((each.box, each.view) for each in seat.further)]:
            if own is not None and own.question is not None and seat.round == view.round:
                if await self.decide(seat, own, box):
                    return True
            elif view.phase == "betting" and self.first("bet", self.table, view.round, view.deadline, box):
                await self.bet(view, box)
                return True
        if view.phase == "betting" and self.first("more", self.table, view.round) and self.chance.random() < 0.6:
            return await self.want_more(seat)
        if (
            view.phase in ("result", "deciding")
            and self.first("leave", self.table, view.round)
            and self.chance.random() < 0.06
        ):
            await self.do(commands.Leave, box=self.chance.choice([None, seat.box]))
            return True
        return False

    async def sit_down(self, view: messages.TableView) -> None:
        await self.think(0.3)
        wanted = self.chance.randint(1, 7) if self.chance.random() < 0.3 else None
        answer = await self.do(commands.Join, seat=wanted)
        if isinstance(answer, messages.Refusal):
            await self.think(1)
            self.table = self.chance.choice(self.world.config_tables())
            self.tables = [self.table]
            self._shown.clear()
            self.watch()

    async def want_more(self, seat: messages.Seated) -> bool:
        """A further box, or another table beside this one."""
        others = [table for table in self.world.config_tables() if table not in self.tables]
        if others and self.chance.random() < 0.4:
            another = self.chance.choice(others)
            if isinstance(await self.do(commands.Watch, table=another, beside=True), messages.Acknowledged):
                self.tables.append(another)
            return True
        await self.do(commands.Join, box=self.chance.randint(1, 4))
        return True

    async def bet(self, view: messages.TableView, box: int) -> None:
        if self.chance.random() < self.careless or self.rules is None:
            return
        await self.think(0.6)
        wagers: dict[str, int] = {}
        tokes: dict[str, int] = {}
        for card in self.rules.wagers:
            if card.main or self.chance.random() < 0.3:
                wagers[card.wager] = self.amount(card)
                if card.needs:
                    wagers.setdefault(card.needs, 500)
            if card.for_dealer and self.chance.random() < self.world.generous:
                tokes[card.wager] = self.amount(card)
        spots: tuple[int, ...] = ()
        if self.rules.dealing == "nine-cards" and self.chance.random() < 0.7:
            spots = tuple(sorted(self.chance.sample(range(1, 10), 3)))
        if self.chance.random() < 0.15:
            wagers, tokes, spots = {}, {}, ()
        await self.do(commands.PlaceBet, round=view.round, wagers=wagers, for_dealer=tokes, spots=spots, box=box)

    def amount(self, card: messages.WagerCard) -> int:
        if card.amounts:
            return self.chance.choice(card.amounts)
        most = min(card.most or 2_000, 2_000)
        chip = card.chip
        return max(card.least, self.chance.randint(-(-card.least // chip), max(1, most // chip)) * chip)

    async def decide(self, seat: messages.Seated, view: Any, box: int) -> bool:
        if not self.first("decide", self.table, seat.round, view.step, box):
            return False
        if self.chance.random() < self.careless:
            if self.chance.random() < 0.8:
                await self.go_away(3)
            return False
        await self.think(0.5)
        allowed: dict[str, tuple[int, int]] = view.question.allowed
        choice = self.chance.choice([*allowed, *[c for c in ("hit", "split", "double") if c in allowed]])
        least, most = allowed[choice]
        if choice == "insure" and most:
            choice = f"insure:{self.chance.randint(max(1, least), most)}"
        elif choice in ("double", "split") and self.chance.random() < 0.2:
            choice += "+dealer"
        await self.do(commands.Decide, round=seat.round, step=view.step, decision=choice, box=box)
        return True

    async def cut(self, shoe: messages.Shoe, seat: int) -> bool:
        number = sha256(f"{self.world.seed} {self.name} {shoe.number}".encode()).hexdigest()
        terminal = f"seat-{seat}"
        if shoe.cut == "committing" and self.chance.random() < 0.5 and self.first("commit", self.table, shoe.number):
            if terminal not in shoe.may_cut and self.chance.random() < 0.9:
                return False
            bound = cut_commitment(shoe.commitment, terminal, number)
            await self.do(commands.CommitCut, shoe=shoe.number, commitment=bound)
            return True
        if shoe.cut == "opening" and terminal in shoe.cutters and self.first("open", self.table, shoe.number):
            if self.keeps_back:
                return False
            await self.do(commands.OpenCut, shoe=shoe.number, number=number)
            return True
        return False


class Liar(Player):
    """A player whose terminal sends random lies in between."""

    async def act(self, view: messages.TableView) -> bool:
        if self.chance.random() < 0.5:
            self.lie(view)
            await self.think(0.5)
        return await super().act(view)

    def lie(self, view: messages.TableView) -> None:
        chance = self.chance
        if chance.random() < 0.3:
            self.say(self.junk())
            return
        number = view.round + chance.choice([0, 0, 0, -1, 1, 10**12])
        if chance.random() < 0.3 and self._last_id:
            old = self.world.witness.asked.get((self.token, chance.randint(1, self._last_id)))
            if old is not None:
                self.say(_write(old))
            return
        kind, fields = chance.choice(self.lies(number))
        self.say(_write(self.command(kind, **fields)))

    def lies(self, number: int) -> list[tuple[type[commands.Command], dict[str, Any]]]:
        """Wrong roles, wrong phases, wrong amounts, wrong questions."""
        chance = self.chance
        step = chance.choice([0, 0, 1, 2, 5, -1, -3, 2**70])
        return [
            (commands.EnterCard, {"round": number, "number": chance.randint(-9, 9), "card": "As"}),
            (commands.Void, {"round": number, "reason": "I lost", "approval": "sue"}),
            (commands.Confirm, {"round": number}),
            (commands.NewGame, {"round": number + 1}),
            (commands.LoadShoe, {"cards": 312}),
            (commands.TakePlace, {}),
            (commands.Correct, {"round": number, "number": 1, "card": "As", "reason": "better"}),
            (commands.PlaceBet, {"round": number, "wagers": {"blackjack": 10**15}}),
            (commands.PlaceBet, {"round": number, "wagers": {"blackjack": -500}}),
            (commands.PlaceBet, {"round": number, "wagers": {"ante": 500, "no-such-wager": 5}}),
            (commands.PlaceBet, {"round": number, "wagers": {}, "for_dealer": {"blackjack": 500}}),
            (
                commands.Decide,
                {"round": number, "step": step, "decision": chance.choice(["hit", "stand", "split", "fold"])},
            ),
            (commands.Decide, {"round": number, "step": step, "decision": "double:99999999"}),
            (commands.Join, {"seat": chance.choice([0, 1, 3, 99, -7, 2**70])}),
            (commands.CommitCut, {"shoe": chance.randint(0, 3), "commitment": "00" * chance.choice([1, 32])}),
            (commands.OpenCut, {"shoe": chance.randint(0, 3), "number": "ff" * 32}),
            (commands.Watch, {"table": "nowhere"}),
            (commands.Ping, {}),
        ]

    def junk(self) -> bytes:
        chance = self.chance
        return chance.choice(
            [
                b"",
                b"{",
                b"null",
                b"[" * 2_000,
                b'{"do":"bet"}',
                b'{"do":"bet","id":1.5,"round":1}',
                b'{"do":"decide","id":"x","round":1,"step":0,"decision":"hit"}',
                b'{"do":"explode","id":7777777}',
                b'{"id":7777778}',
                b'{"do":"join","id":7777779,"seat":"first","extra":1}',
                b"\xff\xfe",
                chance.randbytes(40),
                b'{"do":"ping","id":7777780,' + b'"x":1,' * 100 + b'"y":1}',
            ]
        )


class Watcher(Terminal):
    """A display on the wall; without a key of its own, as a browser's page would connect."""

    def __init__(self, world: "World", name: str, table: str) -> None:
        super().__init__(world, name, "display", table)

    async def act(self, view: messages.TableView) -> bool:
        if self.chance.random() < 0.05:
            await self.do(commands.PlaceBet, round=view.round, wagers={"blackjack": 500})
        return False


class CardReader(Terminal):
    """A card-reading shoe: it reads what is drawn, misreads some of it, reads some twice, and some when no card is awaited."""

    def __init__(self, world: "World", name: str, table: str) -> None:
        super().__init__(world, name, "reader", table)
        self._read = 0

    async def act(self, view: messages.TableView) -> bool:
        await self.think(0.3)
        shoe, chance = view.shoe, self.chance
        live = self.world.is_live(self.table)
        burns = live and shoe is not None and shoe.to_burn and view.phase in ("waiting", "result", "void")
        awaited = live and view.phase == "dealing"
        if not awaited and not burns and chance.random() > 0.02:
            return False
        if chance.random() < 0.3:  # the dealer is asked for it meanwhile
            return False
        drawn = chance.choice(DECK).code
        if awaited:
            drawn = self.world.drawn.setdefault((self.table, view.round, len(view.cards) + 1), drawn)
        read = chance.choice(DECK).code if chance.random() < self.world.sloppy else drawn
        answer = await self.do(commands.ReadCard, session="s", number=self._read + 1, card=read)
        if isinstance(answer, messages.Acknowledged):
            self._read += 1
            if chance.random() < 0.3:
                await self.do(commands.ReadCard, session="s", number=self._read, card=read)
        return False


class Dealer(Terminal):
    """Deals real cards from a real shoe, errs now and then, corrects, voids, goes home and comes back."""

    def __init__(self, world: "World", name: str, table: str) -> None:
        super().__init__(world, name, "dealer", table)
        self.clumsy = self.chance.choice([0.2, 0.5, 0.9])
        """How often the cards are found to be entered wrongly, once the round is decided."""
        self._peeked = 0
        """The last round in which the dealer looked under an ace or a ten."""
        self._refused = 0

    async def act(self, view: messages.TableView) -> bool:
        await self.think(0.2)
        if self.view is not view or not self.world.is_live(self.table):
            return self.view is not view
        if view.dealer != self.name:
            if view.dealer and self.chance.random() > self.world.sloppy:
                return False
            return self.went(await self.do(commands.TakePlace))
        if view.phase in ("waiting", "result", "void"):
            return await self.between_rounds(view)
        if view.correction:
            return await self.finish_correction(view)
        if self._refused > 8 or self.chance.random() < self.world.sloppy / 10:
            self._refused = 0
            code = self.chance.choice(["sue", "sue", "", "mallory"])
            return self.went(await self.do(commands.Void, round=view.round, reason="misdeal", approval=code))
        return await self.in_round(view)

    def went(self, answer: messages.Acknowledged | messages.Refusal) -> bool:
        """Whether to go on at once; after a refusal a dealer looks at the table first."""
        done = isinstance(answer, messages.Acknowledged)
        self._refused = 0 if done else self._refused + 1
        return done

    async def between_rounds(self, view: messages.TableView) -> bool:
        shoe = view.shoe
        cards = self.rules.shoe_cards if self.rules else 312
        if shoe and not shoe.commitment and self.chance.random() < self.world.sloppy / 4:
            wrong = self.chance.choice([0, 0, 1])
            await self.do(commands.CountShoe, shoe=shoe.number, discards=shoe.dealt + wrong)
            return True
        if view.shoe_wanted is not None or (shoe and shoe.cards - shoe.dealt < self.chance.choice([0, 5, 30])):
            done = self.went(await self.do(commands.LoadShoe, cards=cards if self.chance.random() < 0.9 else 51))
            if not done and self._refused < 3:
                return False
        elif shoe and shoe.to_burn:
            burned = self.card() if self.chance.random() < 0.5 else "unknown"
            return self.went(await self.do(commands.BurnCard, shoe=shoe.number, number=shoe.burned + 1, card=burned))
        return self.went(await self.do(commands.NewGame, round=view.round + 1))

    async def in_round(self, view: messages.TableView) -> bool:
        number = view.round
        match view.phase:
            case "betting":
                if view.betting and self.chance.random() < 0.3:
                    return self.went(await self.do(commands.CloseBets, round=number))
            case "dealing":
                return await self.deal(view)
            case "peeking":
                if self.chance.random() < self.clumsy / 4:
                    return await self.correct(view)
                sees, self._peeked = self.chance.random() < 0.2, number
                return self.went(await self.do(commands.AnswerPeek, round=number, blackjack=sees))
            case "turning":
                if self._peeked == number and self.chance.random() < self.clumsy / 2:
                    return await self.correct(view)
                return self.went(await self.do(commands.TurnHole, round=number, card=self.hole(view)))
            case "confirming":
                if self.chance.random() < self.clumsy:
                    return await self.correct(view)
                return self.went(await self.do(commands.Confirm, round=number))
            case "deciding":
                if self.chance.random() < self.clumsy / 2:
                    return await self.correct(view)
        return False

    async def deal(self, view: messages.TableView) -> bool:
        shoe, held = view.shoe, self.held
        number = len(view.cards) + 1
        real = self.world.drawn.get((self.table, view.round, number), "")
        if held is not None and held.reading and real and held.card not in (real, "?") and self.chance.random() < 0.7:
            return self.went(await self.do(commands.EnterCard, round=view.round, number=number, card=real))
        if held is not None and held.reading and self.chance.random() < 0.8:
            answer = self.chance.choice(["stop", "count", "drop", ""])
            if answer:
                await self.do(commands.AnswerReading, reading=held.reading, answer=answer)
            return False
        if shoe and not shoe.commitment and self.chance.random() < 0.15:
            if self.chance.random() < 0.5:
                return self.went(await self.do(commands.SeeCutCard, shoe=shoe.number, out=shoe.cut_card != "out"))
            return self.went(await self.do(commands.LoadShoe, cards=shoe.cards, follows=True))
        if view.cards and self.chance.random() < self.clumsy / 4:
            return await self.correct(view)
        card, place = self.card(), view.next.key if view.next else ""
        if place == "place.hole-card" and self.chance.random() < 0.8:
            card = "unknown"
        elif place == "place.up-card" and self.chance.random() < 0.5:  # under which the dealer looks
            card = self.chance.choice("AT") + card[1]
        return self.went(await self.do(commands.EnterCard, round=view.round, number=number, card=card))

    async def correct(self, view: messages.TableView) -> bool:
        if not view.cards:
            return False
        if self.chance.random() < 0.8:
            return self.went(await self.do(commands.BeginCorrection, round=view.round))
        number = self.chance.randint(1, len(view.cards))
        reason = self.chance.choice(["misread", "", "barcode slipped"])
        fields = {"round": view.round, "number": number, "card": self.card(), "reason": reason, "approval": "sue"}
        return self.went(await self.do(commands.Correct, **fields))

    async def finish_correction(self, view: messages.TableView) -> bool:
        """Does what an open correction was opened for, or leaves the cards as they are."""
        await self.think(0.5)
        number = view.correction
        if self._refused > 2 or self.chance.random() < 0.2:
            return self.went(await self.do(commands.AbandonCorrection, round=view.round, correction=number))
        fixes = tuple(self.fix(view) for _ in range(self.chance.choice([1, 1, 1, 2, 3])))
        why = self.chance.choice(["wrong-card", "out-of-order", "missed-card", "entered-twice", "wrong-peek"])
        fields = {"round": view.round, "correction": number, "fixes": fixes, "why": why, "approval": "sue"}
        return self.went(await self.do(commands.Correct, **fields))

    def fix(self, view: messages.TableView) -> Any:
        """A mistake that is mended, mostly one that can be."""
        chance, cards = self.chance, len(view.cards)
        other = chance.randint(1, max(1, cards))
        if self._peeked == view.round and chance.random() < 0.6:
            return commands.WithdrawPeek()
        return chance.choice(
            [
                commands.ReplaceCard(number=other, card=self.card()),
                commands.InsertCard(number=chance.randint(1, cards + 1), card=self.card()),
                commands.RemoveCard(number=other),
                commands.SwapCards(number=chance.randint(1, max(1, cards)), other=other),
                commands.WithdrawPeek() if chance.random() < 0.1 else commands.RemoveCard(number=max(1, cards)),
            ]
        )

    def hole(self, view: messages.TableView) -> str:
        """Any card; but a dealer who was told that it contradicts the peek looks at it again."""
        up = view.layout.dealer[0] if view.layout.dealer else "As"
        suit = self.chance.choice("shdc")
        return self.card() if self._refused < 2 else f"T{suit}" if up[0] == "A" else f"A{suit}"

    def card(self) -> str:
        return self.chance.choice(DECK).code
