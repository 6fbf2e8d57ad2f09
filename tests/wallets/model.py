"""The protocol of docs/decisions/wallets.md, small enough to go through every order of what can happen.

Three processes share a desk, two tables and one player's wallet. The player bets 1 at each table and cashes out. Each process
has a queue of writes: it changes its own memory first, and the database some time later, in order. Anything that was ever asked
may be heard again, late or never. Processes die, or are taken for dead and go on.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

THINGS: Final = ("desk", "wallet", "x", "y")
"""What one process holds at a time; x and y are tables."""
TABLES: Final = ("x", "y")
AT_STAKE_LIMIT: Final = 1
"""The player's own limit at all tables together (PROT-1)."""
LONGEST_QUEUE: Final = 2

RULES: Final = frozenset(
    {
        "only a live process writes",
        "only the wallet's holder takes credit",
        "a wallet is taken only from the dead",
        "what is given is given after the writes before it",
        "what is given is held no longer",
        "what a read found is less what waits behind it",
        "a transfer happens once",
        "an answer follows its commit",
    }
)


class Settings(NamedTuple):
    """What happens in a world."""

    credit: int = 2
    faults: int = 1
    """How many processes may die or be taken for dead."""
    orders: frozenset[str] = frozenset({"bet-x", "bet-y", "out"})
    """What people ask for: bets, a cash-out (out), cash paid in (in)."""
    corrects: bool = False
    """Whether a won round may be corrected into a lost one."""
    moves: bool = False
    """Whether somebody asks for table x to be moved to the process c."""
    rules: frozenset[str] = RULES
    """The rules that the processes keep."""


class Money(NamedTuple):
    """Balances; they add up to zero."""

    cage: int
    credit: int
    x: int = 0
    """The player's stake in play at table x."""
    y: int = 0
    bank: int = 0
    debt: int = 0

    def moved(self, debit: str, credit: str, amount: int) -> "Money":
        return self._replace(**{debit: getattr(self, debit) - amount, credit: getattr(self, credit) + amount})


class Book(NamedTuple):
    """The database."""

    money: Money
    holders: tuple[str, ...] = ("a", "a", "b", "c")
    """The process that holds each of `THINGS`."""
    live: frozenset[str] = frozenset("abc")
    """The processes that may write: nobody has taken them for dead."""
    done: frozenset[str] = frozenset()
    """What has happened, by the ids of the transfers."""

    @property
    def at_stake(self) -> int:
        return self.money.x + self.money.y


class Write(NamedTuple):
    """Something that a process has decided, on its way to the database."""

    kind: str
    """post: a transfer; give: a thing changes hands; look: take what the dead held, and read."""
    what: str = ""
    amount: int = 0
    to: str = ""


class Process(NamedTuple):
    """What one process has in memory."""

    name: str
    holds: frozenset[str]
    credit: int
    """The player's credit, less what this process has taken; never more than there is while it holds the wallet."""
    at_stake: int
    """What the player has at stake; never less than there is while it holds the wallet."""
    seen: frozenset[str] = frozenset()
    """What has happened, as far as it knows."""
    queue: tuple[Write, ...] = ()
    written: bool = False
    """Whether the first write is in the database; the process does not know yet."""
    found: Book | None = None
    """What the first write read."""

    def waits(self, kind: str, what: str) -> bool:
        return any(write.kind == kind and write.what == what for write in self.queue)

    def puts(self, write: Write) -> "Process":
        return self._replace(queue=(*self.queue, write))


class World(NamedTuple):
    """Everything at one moment."""

    book: Book
    processes: tuple[Process | None, ...]
    """None for one that is dead."""
    asked: frozenset[tuple[str, str]]
    """Who has asked for which thing: heard again, late or never."""
    answered: frozenset[str] = frozenset()
    """The orders that people were answered."""
    faults: int = 0


Step = tuple[str, World]


class Violation(Exception):
    """A state that must not be."""


def beginning(settings: Settings) -> World:
    """The desk holds the wallet; nobody has bet."""
    book = Book(Money(-settings.credit, settings.credit))
    held = {name: frozenset(t for t, by in zip(THINGS, book.holders, strict=True) if by == name) for name in "abc"}
    processes = tuple(Process(name, held[name], settings.credit if name == "a" else 0, 0) for name in "abc")
    return World(book, processes, frozenset({("x", "c")} if settings.moves else ()))


def steps(world: World, settings: Settings) -> Iterator[Step]:
    """Everything that can happen next."""
    for process in world.processes:
        if process is not None:
            yield from _acts(world, process, settings)
            yield from _writes(world, process, settings)
            if world.faults < settings.faults:
                yield f"{process.name} dies", _put(world, process.name, None)._replace(faults=world.faults + 1)
    for name in world.book.live:
        yield from _fences(world, name, settings)


# --- what a process does in memory ----------------------------------------------------------------------------------------


def _acts(world: World, process: Process, settings: Settings) -> Iterator[Step]:
    if len(process.queue) >= LONGEST_QUEUE:
        return
    if process.name not in world.book.live and "only a live process writes" in settings.rules:
        return  # nothing that it does reaches anybody any more
    for table in TABLES:
        if table in process.holds:
            if f"bet-{table}" in settings.orders:
                yield from _hears_bet(world, process, table, settings)
            yield from _settles(world, process, table, settings)
    if "desk" in process.holds:
        yield from _at_desk(world, process, settings)
    for thing, to in world.asked:
        if thing in process.holds and to != process.name:
            yield (
                f"{process.name} gives {thing} to {to}",
                _put(world, process.name, _given(process, thing, to, settings)),
            )
    if not any(write.kind == "look" for write in process.queue) and _has_news(world.book, process, settings):
        yield f"{process.name} looks", _put(world, process.name, process.puts(Write("look")))


def _has_news(book: Book, process: Process, settings: Settings) -> bool:
    """Whether a look would teach the process something: no other look is gone through."""
    holders = zip(THINGS, book.holders, strict=True)
    named = {thing for thing, by in holders if by == process.name or _may_take(book, process.name, by)}
    if named - process.holds - {write.what for write in process.queue if write.kind == "give"}:
        return True
    effects = [_effect(write) for write in process.queue[process.written :] if write.kind == "post"]
    knows = book.money.credit + sum(moved for moved, _ in effects), book.at_stake + sum(stake for _, stake in effects)
    takes = "wallet" in process.holds or "only the wallet's holder takes credit" not in settings.rules
    return takes and (process.credit, process.at_stake) != knows


def _hears_bet(world: World, process: Process, table: str, settings: Settings) -> Iterator[Step]:
    order = f"bet-{table}"
    if order in process.seen:
        yield from _answers_again(world, process, order)
    elif "wallet" not in process.holds and "only the wallet's holder takes credit" in settings.rules:
        yield from _asks_for_wallet(world, process)
    elif not _would_refuse(process, order):
        bet = process._replace(
            credit=process.credit - 1, at_stake=process.at_stake + 1, seen=process.seen | {order}
        ).puts(Write("post", order, 1))
        yield f"{process.name} takes {order}", _answered_early(_put(world, process.name, bet), order, settings)


def _settles(world: World, process: Process, table: str, settings: Settings) -> Iterator[Step]:
    won, lost, corrected = f"won-{table}", f"lost-{table}", f"corrected-{table}"
    if f"bet-{table}" in process.seen and not {won, lost} & process.seen:
        for result, pays in ((won, 2), (lost, 0)):
            settled = process._replace(
                credit=process.credit + pays, at_stake=process.at_stake - 1, seen=process.seen | {result}
            )
            yield f"{process.name} settles {result}", _put(world, process.name, settled.puts(Write("post", result, 1)))
    if settings.corrects and won in process.seen and corrected not in process.seen:
        # What cannot be taken back from a credit in hand is lent by the house: nobody is waited for.
        takes = 2 if "wallet" in process.holds and process.credit >= 2 else 0
        after = process._replace(credit=process.credit - takes, seen=process.seen | {corrected})
        yield f"{process.name} corrects {table}", _put(world, process.name, after.puts(Write("post", corrected, takes)))


def _at_desk(world: World, process: Process, settings: Settings) -> Iterator[Step]:
    if "in" in settings.orders:
        if "in" in process.seen:
            yield from _answers_again(world, process, "in")
        else:  # whoever puts money into an account needs no wallet
            paid = process._replace(credit=process.credit + 1, seen=process.seen | {"in"}).puts(Write("post", "in", 1))
            yield f"{process.name} pays in", _answered_early(_put(world, process.name, paid), "in", settings)
    if "out" not in settings.orders:
        return
    if "out" in process.seen:
        yield from _answers_again(world, process, "out")
    elif "wallet" not in process.holds and "only the wallet's holder takes credit" in settings.rules:
        yield from _asks_for_wallet(world, process)
    elif not _would_refuse(process, "out") and process.at_stake == 0:  # CSH-2
        amount = process.credit
        out = process._replace(credit=0, seen=process.seen | {"out"}).puts(Write("post", "out", amount))
        yield f"{process.name} cashes out {amount}", _answered_early(_put(world, process.name, out), "out", settings)


def _would_refuse(process: Process, order: str) -> bool:
    """Whether a process that holds the wallet has to refuse an order for good."""
    if order == "out":
        return process.credit == 0 and process.at_stake == 0
    return process.credit < 1 or process.at_stake >= AT_STAKE_LIMIT


def _asks_for_wallet(world: World, process: Process) -> Iterator[Step]:
    if ("wallet", process.name) not in world.asked:
        asked = world.asked | {("wallet", process.name)}
        yield f"{process.name} asks for the wallet", world._replace(asked=asked)


def _answers_again(world: World, process: Process, order: str) -> Iterator[Step]:
    """An order that comes again, to a process that knows it as done."""
    if order not in world.answered and not process.waits("post", order):
        yield f"{process.name} says that {order} is done", world._replace(answered=world.answered | {order})


def _answered_early(world: World, order: str, settings: Settings) -> World:
    if "an answer follows its commit" in settings.rules:
        return world
    return world._replace(answered=world.answered | {order})


def _given(process: Process, thing: str, to: str, settings: Settings) -> Process:
    give = Write("give", thing, to=to)
    if "what is given is held no longer" in settings.rules:
        process = process._replace(holds=process.holds - {thing})
    if "what is given is given after the writes before it" not in settings.rules and not process.written:
        return process._replace(queue=(give, *process.queue))
    return process.puts(give)


# --- the database -----------------------------------------------------------------------------------------------------------


def _writes(world: World, process: Process, settings: Settings) -> Iterator[Step]:
    """The first write of the queue reaches the database, perhaps again because its answer was lost; or its answer comes."""
    if not process.queue:
        return
    write, name = process.queue[0], process.name
    if name not in world.book.live and "only a live process writes" in settings.rules:
        yield f"{name} finds out that it was taken for dead", _put(world, name, None)
        return
    book = _changed(world.book, name, write, settings)
    after = process._replace(written=True, found=book if write.kind == "look" else None)
    if (book, after) != (world.book, process):
        yield f"{name} writes {write.kind} {write.what}", _put(world._replace(book=book), name, after)
    if process.written:
        answered = world.answered | ({write.what} & settings.orders)
        yield (
            f"{name} hears of {write.kind} {write.what}",
            _put(world, name, _learned(process, settings))._replace(answered=answered),
        )


def _changed(book: Book, name: str, write: Write, settings: Settings) -> Book:
    match write.kind:
        case "give":
            holders = [
                write.to if (thing, by) == (write.what, name) else by
                for thing, by in zip(THINGS, book.holders, strict=True)
            ]
            return book._replace(holders=tuple(holders))
        case "look":
            honest = "a wallet is taken only from the dead" in settings.rules
            holders = [
                name if _may_take(book, name, by) or (not honest and thing == "wallet") else by
                for thing, by in zip(THINGS, book.holders, strict=True)
            ]
            return book._replace(holders=tuple(holders))
    if write.what in book.done and "a transfer happens once" in settings.rules:
        return book
    return book._replace(money=_posted(book, write), done=book.done | {write.what})


def _may_take(book: Book, name: str, by: str) -> bool:
    """Whether a process takes what another one held: that one is dead, and this is the next that is not. In which order they
    take over does not matter, so one order is enough."""
    return by not in book.live and name == min(book.live)


def _posted(book: Book, write: Write) -> Money:
    money, (what, _, table) = book.money, write.what.partition("-")
    match what:
        case "bet":
            money = money.moved("credit", table, 1)
        case "won":
            money = money.moved(table, "credit", 1).moved("bank", "credit", 1)
        case "lost":
            money = money.moved(table, "bank", 1)
        case "corrected":
            money = money.moved("credit" if write.amount else "debt", "bank", 2)
        case "in":
            money = money.moved("cage", "credit", 1)
        case "out":
            if book.at_stake:
                raise Violation("cashed out with a wager in play")
            money = money.moved("credit", "cage", write.amount)
    if min(money.credit, money.x, money.y) < 0:
        raise Violation(f"overdrawn: {money}")
    if money.x + money.y > AT_STAKE_LIMIT:
        raise Violation(f"more at stake than the player's limit: {money}")
    return money


def _learned(process: Process, settings: Settings) -> Process:
    """The process after it has heard that its first write is done."""
    found, rest = process.found, process.queue[1:]
    after = process._replace(queue=rest, written=False, found=None)
    if process.queue[0].kind == "give":
        return after._replace(holds=after.holds - {process.queue[0].what})
    if found is None:
        return after
    holds = frozenset(
        thing
        for thing, by in zip(THINGS, found.holders, strict=True)
        if by == process.name and not after.waits("give", thing)
    )
    credit, at_stake = found.money.credit, found.at_stake
    if "what a read found is less what waits behind it" in settings.rules:
        for write in rest:
            if write.kind == "post":
                moved, staked = _effect(write)
                credit, at_stake = credit + moved, at_stake + staked
    return after._replace(holds=holds, credit=credit, at_stake=at_stake, seen=process.seen | found.done)


def _effect(write: Write) -> tuple[int, int]:
    """By how much a transfer changes the credit and what is at stake."""
    match write.what.partition("-")[0]:
        case "bet":
            return -1, 1
        case "won":
            return 2, -1
        case "lost":
            return 0, -1
        case "in":
            return 1, 0
    return -write.amount, 0


# --- faults -----------------------------------------------------------------------------------------------------------------


def _fences(world: World, name: str, settings: Settings) -> Iterator[Step]:
    """Somebody takes a process for dead: its lease was over."""
    others = [each for each in world.processes if each is not None and each.name != name]
    if not any(each.name in world.book.live for each in others):
        return
    fenced = world._replace(book=world.book._replace(live=world.book.live - {name}))
    if _process(world, name) is None:
        yield f"{name} is taken for dead", fenced
    elif world.faults < settings.faults:
        yield f"{name} is taken for dead while it lives", fenced._replace(faults=world.faults + 1)


def _process(world: World, name: str) -> Process | None:
    return world.processes["abc".index(name)]


def _put(world: World, name: str, process: Process | None) -> World:
    at = "abc".index(name)
    return world._replace(processes=(*world.processes[:at], process, *world.processes[at + 1 :]))


# --- what must hold ---------------------------------------------------------------------------------------------------------


def check(world: World) -> None:
    """Raises `Violation` where something that must always hold does not."""
    if sum(world.book.money) != 0:
        raise Violation(f"money has come or gone: {world.book.money}")
    for order in world.answered:
        if (
            any(each is not None and each.waits("post", order) for each in world.processes)
            and order not in world.book.done
        ):
            raise Violation(f"{order} was answered before it was durable")
    holding = [
        each.name
        for each in world.processes
        if each is not None and each.name in world.book.live and "wallet" in each.holds
    ]
    if len(holding) > 1:
        raise Violation(f"{' and '.join(holding)} hold one wallet")


def is_home(world: World, settings: Settings) -> bool:
    """Whether everything that was asked for is answered or refused, nothing is in play, and nothing is on its way."""
    alive = [each for each in world.processes if each is not None]
    if world.book.at_stake or any(each.queue for each in alive):
        return False
    return all(
        any("wallet" in each.holds and _would_refuse(each, order) for each in alive)
        for order in settings.orders - world.answered
    )
