"""One simulated world: a seed gives the house, the people, the weather and every accident."""

import asyncio
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple

import msgspec

from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.house import House, HouseConfig
from podium.house.debts import pay_debt
from podium.house.people import GUEST
from podium.house.reports import REPORTS
from podium.house.shuffling import SealedShuffler
from podium.house.table import Table, TableConfig
from podium.house.verify import verify
from podium.record.ledger import account
from podium.record.seal import Seal
from podium.record.store import Unavailable
from podium.server.floor import Floor
from podium.server.handling import overrule
from podium.server.terminals import Who
from podium.wire.commands import Void
from tests.entropy import repeatable
from tests.simulator.clock import SimulatedLoop
from tests.simulator.disk import Disk, Temper
from tests.simulator.durable import Caught
from tests.simulator.life import Admission, Gone, HeardLog, Life
from tests.simulator.protection import limit_themselves
from tests.simulator.state import own_state, written
from tests.simulator.terminals import CardReader, Dealer, Liar, Player, Terminal, Watcher
from tests.simulator.witness import Witness

STORM = 5.0
"""Seconds of accidents, and then of calm, in which everything that was asked must be answered."""
CALM = 6.0


class Weather(NamedTuple):
    """What the lines are like."""

    delay: float = 0.01
    breaks: float = 0.0
    repeats: float = 0.0


class World:
    """Everything, from one seed."""

    floor_kind: type[Floor] = Floor
    """Which floor serves it: the house's own, or a broken one that must be caught."""

    def __init__(self, seed: int, trace: Callable[[str], None] | None = None) -> None:
        self.seed = seed
        self.chance = Random(f"world {seed}")
        self._trace = trace
        self.loop = SimulatedLoop()
        entropy = repeatable(f"world {seed}")
        self.shuffler = SealedShuffler(Seal(entropy(32), entropy), entropy)
        self.witness = Witness(self.shuffler)
        self.witness.configuring = lambda: self.life is not None and self.life.configuring
        self.disk = Disk(self._durable)
        self.drawn: dict[tuple[str, int, int], str] = {}
        """By table, round and number: the cards that really came out of a card-reading shoe."""
        self.begun: Life | None = None
        """The last life that began."""
        self.life: Life | None = None
        """The last one that came to serve somebody."""
        self.calm = False
        self.sloppy = self.chance.choice([0.02, 0.1, 0.3])
        """How often a dealer errs, corrects, voids, or is relieved."""
        self.generous = self.chance.choice([0.05, 0.5])
        """How often a player bets for the dealer."""
        self.weather = self._weather()
        self.config = HouseConfig(tables=self._tables())
        self.terminals = self._people()
        roles = {each.token.partition("~")[0]: each.role for each in self.terminals}
        self.admission = Admission({**roles, "aude": "auditor", "olga": "operator", "sam": "supervisor"})
        self.requests = 0
        self.clock_settings = 0
        self.lives = 0
        self._fault: BaseException | None = None

    # --- what the seed chooses ----------------------------------------------------------------------------------------

    def _weather(self) -> Weather:
        chance = self.chance
        return Weather(
            delay=chance.choice([0.002, 0.02, 0.1]),
            breaks=chance.choice([0, 0, 0.02, 0.08]),
            repeats=chance.choice([0, 0.05, 0.2]),
        )

    def _temper(self) -> Temper:
        chance = self.chance
        if self.calm:
            return Temper()
        return Temper(
            slow=chance.choice([0.001, 0.005, 0.05, 0.4]),
            fails=chance.choice([0, 0, 0.01, 0.03]),
            crash_at=chance.choice([0, chance.randint(1, 15), chance.randint(1, 60)]),
            crash_after=chance.random() < 0.5,
        )

    def _tables(self) -> dict[str, TableConfig]:
        tables = {f"t{number}": self.a_table() for number in range(1, self.chance.choice([1, 1, 2, 3]) + 1)}
        if self.seed % 4 == 3:  # dealers practise in this world
            tables["school"] = msgspec.structs.replace(self.a_table(), dealer="live", training=True)
        return tables

    def a_table(self) -> TableConfig:
        """Any of the five games, at a pace that fits into a short simulation."""
        chance = self.chance
        game, options = chance.choice(GAMES)
        return TableConfig(
            game=game,
            options=options,
            dealer=chance.choice(["automated", "automated", "live"]),
            betting_seconds=chance.choice([0.5, 1.5]),
            decision_seconds=chance.choice([0.5, 1]),
            insurance_seconds=chance.choice([0.3, 0.8]),
            seat_kept_minutes=chance.choice([0.005, 0.05, 5]),
            result_seconds=chance.choice([0, 0.5]),
            card_seconds=chance.choice([0, 0.05, 0.2]),
            shuffle_seconds=chance.choice([0, 0.5]),
            close_early=chance.random() < 0.7,
            close_betting_early=chance.random() < 0.4,
            penetration=chance.choice([0.1, 0.2, 0.9]),
            shuffler=chance.choice([None, None, "none", "every-round", "continuous"]),
            burn_cards=chance.choice([0, 0, 1, 2]),
            reading_hold_seconds=chance.choice([0, 0.2, 1]),
            approvals=chance.choice([("void",), ("void", "correct"), ()]),
            correction_approval=chance.random() < 0.5,
            attendant_pays_from=chance.choice([0, 0, 10_000]),
            boxes=chance.choice([None, 2, 3, 7]),
            absent_seconds=chance.choice([0, 0.1, 0.3, 3]),
            resume_seconds=chance.choice([0, 0.3, 2]),
        )

    def _people(self) -> list[Terminal]:
        chance = self.chance
        names = list(self.config.tables)
        players: list[Terminal] = []
        for number in range(chance.choice([2, 3, 3, 5, 8])):
            kind = Liar if chance.random() < 0.25 else Player
            players.append(kind(self, f"pat-{number}", chance.choice(names)))
        if "school" in names:
            players += [Player(self, f"{GUEST}{number}", "school") for number in (1, 2)]
        dealers = [Dealer(self, f"dana-{name}", name) for name in names]
        dealers += [Dealer(self, "drew", names[0])] if chance.random() < 0.4 else []
        readers = [
            CardReader(self, f"shoe-{name}", name) for name in names if chance.random() < 0.5 or name == "school"
        ]
        walls = [Watcher(self, "wall", chance.choice(names))] if chance.random() < 0.5 else []
        self.witness.names = {player.token: player.name for player in players}
        return [*players, *dealers, *walls, *readers]

    # --- running ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Runs it all; the first thing that must never happen is raised."""
        asyncio.set_event_loop(None)
        self.loop.set_exception_handler(self._failed)
        try:
            with suppress(asyncio.CancelledError), redirect_stderr(HeardLog(self.witness)):
                self.loop.run_until_complete(self._run())
            if self._fault is not None:
                raise self._fault
        finally:
            with suppress(Exception):
                self._sweep()
            self.loop.close()

    def _sweep(self) -> None:
        self.loop.set_exception_handler(lambda loop, context: None)
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        if left:
            self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if self._fault is None:
            self._fault = context.get("exception") or RuntimeError(str(context))
            for task in asyncio.all_tasks(loop):
                task.cancel()

    async def _run(self) -> None:
        people = [asyncio.create_task(terminal.run(), name=terminal.name) for terminal in self.terminals]
        people += [
            asyncio.create_task(each)
            for each in (
                self._cashier(),
                self._operator(),
                self._supervisor(),
                self._reopener(),
                self._vigil(),
                self._reader(),
                self._hand_on_the_clock(),
                limit_themselves(self, [each.name for each in self._players() if not is_guest(each)], Gone),
            )
        ]
        houses = asyncio.create_task(self._houses())
        try:
            await self._until(STORM, houses, *people)
            self.calm, self.weather = True, Weather()
            if self.begun is not None:
                self.begun.crash()  # whatever the storm had in store for it does not happen in the calm
            asked = {each: set(each.asked) for each in self.terminals}
            await self._until(CALM, houses, *people)
            for each, ids in asked.items():
                left = ids & set(each.asked)
                if left:
                    raise Caught(f"{each.name} was never answered: {[each.asked[id][0] for id in left]}")
            self._check_the_end()
        finally:
            for task in (houses, *people):
                task.cancel()

    async def _until(self, seconds: float, *tasks: asyncio.Task[Any]) -> None:
        """Lets time pass; a task that ends before it has failed."""
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
            raise Caught(f"{task.get_name()} ended")

    async def _houses(self) -> None:
        """One life of the house after another."""
        while True:
            self.lives += 1
            life = self.begun = Life(self, self._temper(), Random(f"{self.seed} life {self.lives}"))
            if not self.calm and self.chance.random() < 0.4:
                self.loop.call_later(self.chance.uniform(0, 4), life.crash)
            running = asyncio.create_task(life.run(), name="the house")
            await asyncio.wait([running, life.ended], return_when=asyncio.FIRST_COMPLETED)
            life.crash()
            if running.done() and not running.cancelled() and not isinstance(running.exception(), Unavailable):
                running.result()
            running.cancel()
            with suppress(asyncio.CancelledError, Unavailable):
                await running
            await asyncio.sleep(self.chance.uniform(0.05, 1))

    def _check_the_end(self) -> None:
        """Live equals replayed, for the house as it stands and for one that comes back now; and `podium verify` is content."""
        self.witness.finish()
        for name, table in self.witness.tables.items():
            self._check_progress(name, table)
        again, quick = House(self.shuffler), House(self.shuffler)
        again.restore(self.disk.streams)
        self.witness.compare(again.tables, dict(again.ledger), "restored at the end")
        quick.come_back(self.disk)
        self.witness.compare(quick.tables, dict(quick.ledger), "restored from where the tables stood")
        if own_state(quick) != own_state(again):
            raise Caught(f"The house is {own_state(quick)}, but its whole stream comes to {own_state(again)}")
        verify(self.disk, self.shuffler)
        found = self.witness.practice.differences(self.disk, self.loop.now())
        if found:
            raise Caught(f"The report of dealers' practice differs: {found}")
        if self.life is not None and self.life.store.at_rest:
            self.witness.compare(self.life.house.tables, dict(self.life.house.ledger), "alive at the end")

    def _check_progress(self, name: str, table: Table) -> None:
        """No table stops by itself: a round that is dealt comes to its end, and the automated dealer opens the next."""
        if table.between_rounds:
            goes_on = table.is_open and table.upcoming.dealer == "automated"
        else:
            goes_on = table.phase() != "betting" or (bool(table.players) and table.configured.dealer == "automated")
        idle = self.loop.now() - table.last_at
        if goes_on and idle > 4_500:
            raise Caught(f"{name} has done nothing for {idle} ms: {written(table)}")

    # --- the people without terminals ---------------------------------------------------------------------------------

    def _players(self) -> list[Player]:
        return [each for each in self.terminals if isinstance(each, Player)]

    async def _cashier(self) -> None:
        """Buys in, cashes out, hands out large wins; asks again, under the same key, when the answer is lost. Guests are
        given play money once."""
        chance = Random(f"{self.seed} cashier")
        for player in self._players():
            await self._at_the_desk("pay_in", player.name, chance.choice([3_000, 50_000, 200_000]), chance)
        players = [each for each in self._players() if not is_guest(each)]
        while True:
            await asyncio.sleep(chance.expovariate(1.5))
            player = chance.choice(players)
            held = self.witness.balances[account("attendant", player.name)]
            what = "attendant_paid" if held else chance.choice(["pay_in", "pay_out"])
            most = max(1, self.witness.balances[account("credit", player.name)])
            debt = -self.witness.balances[account("debt", player.name)]
            if debt and chance.random() < 0.5:
                await self._at_the_desk("pay_debt", player.name, min(debt, most), chance)
                continue
            amount = chance.choice([1, 5_000, 20_000, most, most + 1])
            await self._at_the_desk(what, player.name, amount, chance)

    async def _at_the_desk(self, what: str, player: str, amount: int, chance: Random) -> None:
        self.requests += 1
        key = f"desk-{self.requests}"
        self.tell(f"the cashier asks to {what} {player} {amount} as {key}")

        def do(house: House, now: int) -> None:
            house.admit(player, "guest" if player.startswith(GUEST) else "card", now)
            more = {} if what == "attendant_paid" else {"amount": amount}
            act: Callable[..., object] = partial(pay_debt, house) if what == "pay_debt" else getattr(house, what)
            act(player, now=now, key=key, by="carl", **more)

        for _ in range(50):
            life = self.life
            if life is None:
                await asyncio.sleep(0.3)
                continue
            try:
                await life.ask(life.floor.once(key, lambda now, house=life.house: do(house, now), player))  # type: ignore[misc]
            except Refused as refusal:
                self.tell(f"the cashier is refused: {refusal}")
                return
            except (Gone, Unavailable):
                await asyncio.sleep(0.2)
                continue
            if not self.witness.facts[("transfer", key)]:
                raise Caught(f"INT-1: {key} was acknowledged to the cashier, and is not stored")
            if chance.random() > self.weather.repeats:
                return

    async def _operator(self) -> None:
        """Changes the configuration now and then, in the middle of rounds."""
        chance = Random(f"{self.seed} operator")
        while True:
            await asyncio.sleep(chance.uniform(0.5, 6))
            name = chance.choice(list(self.config.tables))
            if chance.random() < 0.3:
                await self._ask_for_shoe(name)
                continue
            wanted = self.a_table() if chance.random() < 0.3 else self._varied(self.config.tables[name], chance)
            self.config = HouseConfig(tables={**self.config.tables, name: wanted})
            life = self.life
            if life is None:
                continue
            self.tell(f"the operator configures {name}: {wanted}")
            with suppress(Gone, Unavailable):
                await life.configure(self.config)

    async def _ask_for_shoe(self, name: str) -> None:
        """CARD-10: the floor asks for another shoe in the middle of anything."""
        life = self.life
        if life is None:
            return
        with suppress(Gone, Unavailable, Refused):
            await life.ask(
                life.floor.at_table(
                    name, lambda now: life.house.table(name).ask_for_shoe(now, by="sue", reason="routine")
                )
            )

    async def _supervisor(self) -> None:
        """VOID-4: voids rounds from the floor, live and automated, in the middle of anything."""
        chance = Random(f"{self.seed} supervisor")
        while True:
            await asyncio.sleep(chance.uniform(0.3, 4))
            name = chance.choice(list(self.config.tables))
            if self.life is not None and not self.calm and name in self.life.house.tables:
                await self._void_from_floor(self.life, name, 1 + (chance.random() < self.weather.repeats))

    async def _reopener(self) -> None:
        """VOID-4: reopens settled rounds, in the middle of anything; in the calm too."""
        chance = Random(f"{self.seed} reopener")
        while True:
            await asyncio.sleep(chance.uniform(0.1, 0.7))
            name = chance.choice(list(self.config.tables))
            if self.life is not None and name in self.life.house.tables:
                await self._reopen(self.life, name, chance)

    async def _reopen(self, life: Life, name: str, chance: Random) -> None:
        """VOID-4: sam reopens one of the last rounds, and sue approves it; the same request again changes nothing."""
        table = life.house.tables[name]
        number = table.round_number - (0 if table.between_rounds else 1) - chance.choice([0, 0, 1, 3])
        if number < 1:
            return
        told: dict[str, Any] = {"round": number, "telling": table.tellings.of(number) + 1, "approval": "sue"}
        if chance.random() < 0.3:
            told |= {"void": True, "why": "malfunction"}
        else:
            fix = {"fix": "replace", "number": chance.randint(1, 7), "card": chance.choice(DECK).code}
            told |= {"fixes": [fix], "why": "wrong-card"}
        self.tell(f"sam reopens round {number} of {name}: {told}")
        for _ in range(1 + (chance.random() < self.weather.repeats)):
            try:
                status, body = await life.ask(life.desk.post("sam", f"/api/floor/tables/{name}/reopening", told))
            except (Gone, Unavailable):
                return
            self.tell(f"sam is answered {status}: {body!r}")
            if status >= 500:
                raise Caught(f"Reopening is answered with {status}: {body!r}")
            if status == 200 and self.witness.facts[("reopened", name, number, told["telling"])] != 1:
                raise Caught(f"INT-1: round {number} of {name} is told again, and that is not stored once")
        for player, notices in list(table.tellings.unread.items()):
            if chance.random() < 0.5:
                read = {"table": name, "round": notices[0].round, "telling": notices[0].telling}
                with suppress(Gone, Unavailable):
                    await life.ask(life.desk.post(player, "/api/notices/read", read))

    async def _void_from_floor(self, life: Life, name: str, times: int) -> None:
        table = life.house.tables[name]
        if table.between_rounds:
            return
        dealer, command = table.configured.dealer, Void(table=name, id=0, round=table.round_number, why="malfunction")
        self.tell(f"sue voids round {command.round} of {name}")
        sue = Who("sue", "supervisor", "at-sue")
        for _ in range(times):
            try:
                await life.ask(life.floor.at_table(name, lambda now: overrule(life.house, sue, name, command, now)))
            except (Gone, Unavailable, Refused):
                return
            if self.witness.facts[("void", name, command.round)] != 1:
                raise Caught(f"INT-1: the void of round {command.round} of {name} was answered, and is not stored once")
            self.witness.voids_from_floor[dealer] += 1

    async def _vigil(self) -> None:
        """Gives back the seats of players who are gone (DSC-1)."""
        chance = Random(f"{self.seed} vigil")
        while True:
            await asyncio.sleep(chance.uniform(0.2, 1))
            if self.life is not None:
                self.life.floor.free_seats(self.loop.now())

    async def _hand_on_the_clock(self) -> None:
        """TIME-2: sets the system's clock, on and back, by moments and by days, and lets the machine stand still."""
        chance = Random(f"{self.seed} clock")
        while True:
            await asyncio.sleep(chance.uniform(0.3, 3))
            if self.calm:
                continue
            if chance.random() < 0.3:
                self.loop.pause(chance.uniform(0.05, 1.5))
            else:
                self.loop.set_by += chance.choice([-1, 1]) * int(chance.choice([900, 60_000, 3_600_000, 172_800_000]))
                self.clock_settings += 1
            self.tell(f"the system's clock is {self.loop.clock.behind_system} ms ahead of the house's")

    async def _reader(self) -> None:
        """Asks over HTTP for whatever can be read, now as a player, now as the floor, most of all in mid-round."""
        chance = Random(f"{self.seed} reader")
        players = [name for name, role in self.admission.roles.items() if role == "player"]
        while True:
            await asyncio.sleep(chance.uniform(0.05, 0.5))
            table = chance.choice(list(self.config.tables))
            number = self.witness.tables[table].round_number if table in self.witness.tables else 1
            token, address = chance.choice(
                [
                    (chance.choice(players), f"/api/rounds?table={table}"),
                    (chance.choice(players), "/api/rounds"),
                    ("aude", f"/api/recall?table={table}&round={number}"),
                    ("aude", "/api/events"),
                    ("aude", f"/api/reports/{chance.choice(list(REPORTS))}"),
                    ("olga", "/api/floor/tables"),
                    (chance.choice(players), f"/api/shoes?table={table}"),
                    (chance.choice(players), chance.choice(["/api/tables", "/api/house", "/metrics"])),
                ]
            )
            await self._ask_desk(token, address)

    async def _ask_desk(self, token: str, address: str) -> None:
        if self.life is None:
            return
        with suppress(Gone):
            status, body = await self.life.ask(self.life.desk.get(token, address))
            self.tell(f"{token} asks for {address}: {status}")
            if status >= 500:
                raise Caught(f"{address} is answered with {status}: {body!r}")
            self.witness.reads(address, body)

    def _varied(self, config: TableConfig, chance: Random) -> TableConfig:
        dealer = chance.choice(["automated", "live"])
        return msgspec.structs.replace(
            config,
            dealer=dealer,
            training=config.training and dealer == "live",
            betting_seconds=chance.choice([0.5, 1.5]),
            penetration=chance.choice([0.1, 0.9]),
            places=chance.choice([None, None, 1]),
        )

    # --- telling ------------------------------------------------------------------------------------------------------

    def is_live(self, table: str) -> bool:
        """Whether a dealer sees a live table: the sign on it says so."""
        found = self.witness.tables.get(table)
        return found is not None and (found.upcoming if found.between_rounds else found.configured).dealer == "live"

    def config_tables(self) -> list[str]:
        return list(self.config.tables)

    def _durable(self, entry: Any) -> None:
        self.tell(
            f"durable: {entry.stream} {entry.sequence} {entry.kind} {entry.payload.decode()[:300]} {entry.money.decode()}"
        )
        self.witness.sees(entry)

    def tell(self, sentence: str) -> None:
        if self._trace is not None:
            self._trace(f"{self.loop.time():9.4f}  {sentence}")


def is_guest(player: Player) -> bool:
    return player.name.startswith(GUEST)


LIMITS = {"limits": {"blackjack": [500, 50_000]}, "chip": 100}
SIDE_BETS = {"royal-match-21": "A", "bet-the-set-21": "A", "super-3": "A"}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("stadium-blackjack", LIMITS),
    ("stadium-blackjack", {}),
    ("dynasty-blackjack", LIMITS | {"decks": 4}),
    ("match-up-blackjack", {}),
    ("mega-blackjack", LIMITS),
    ("mega-blackjack", LIMITS),
    ("stadium-three-card-poker", {"limits": {"ante": [500, 50_000]}, "chip": 100}),
]
