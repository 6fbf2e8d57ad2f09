"""What happens in a kept house: everything that a house can store, in few rounds.

All five games, live and automated; every wager, decision, event, document and kind of transfer; and at the end, tables
that were stopped in different phases. `missing` names whatever did not occur.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

from argon2 import PasswordHasher

from podium.basics.refusal import Refused
from podium.client import connect
from podium.house.events import HouseEvent, Noted
from podium.house.shelf import KINDS
from podium.house.table import Table
from podium.house.table.events import TableEvent
from podium.play.events import AnyEvent
from podium.record.ledger import TRANSFER_KINDS
from podium.record.store import Reading, read_posted
from podium.rules.asking import CHOICES, Wagers
from podium.rules.games import GAMES
from podium.server.slips import leave
from podium.wire.commands import (
    AbandonCorrection,
    BeginCorrection,
    CloseBets,
    Correct,
    CountShoe,
    EnterCard,
    InsertCard,
    LeavePlace,
    LoadShoe,
    NewGame,
    ReadCard,
    RemoveCard,
    SeeCutCard,
    SwapCards,
    Void,
)
from tests.kept_houses.recording import SECOND_PERSON, Plan, Recording, Stakes
from tests.kept_houses.tables import AUTOMATED, CONFIG, LIMITS, LIVE, PHASES_AT_THE_END
from tests.server.served import Browser, Served

NEVER_RECORDED: Final = frozenset({"credit-added", "card-corrected"})
"""Events that only earlier programs recorded; scripts have them still."""

SLIP: Final = Noted("backup-made", "podium backup", "operator", "kept.backup")
"""A slip left for the house after it closed; it is noted when the house opens again."""
TERMINALS: Final = ("terminal-1", "terminal-2", "cage-1")


async def record(data: Path, database: str = "") -> Recording:
    """Plays the story in a new house and closes it. The store is SQLite unless a database is named."""
    served = Served(data, CONFIG, database=database, hasher=PasswordHasher())
    recording = Recording(served)
    await served.open()
    try:
        await _story(recording)
    finally:
        await recording.leave()
        await served.leave()
    leave(data, SLIP, served.clock())
    return recording


async def _story(house: Recording) -> None:
    await people(house)
    await money_before_play(house)
    await (await house.person("operator")).done("/api/record/backups")  # early, so that it stays small (BAK-1)
    await first_rounds(house)
    await live_rounds(house)
    await boxes_and_tables(house)
    await training(house)
    await desk(house)
    await floor(house)
    await house.restart()
    await later_rounds(house)
    await (await house.person("auditor-1")).done("/api/record/proof")
    await in_the_middle(house)


# --- before play --------------------------------------------------------------------------------------------------------


async def people(house: Recording) -> None:
    """The operator enrols terminals and people. One account is locked, one closed, one has a passkey; one invitation
    is never used."""
    await house.begin()
    operator = await house.person("operator")
    tokens = {name: (await operator.done("/api/terminals", name=name))["token"] for name in TERMINALS}
    await operator.done("/api/terminals", name="terminal-9")
    await operator.ask("DELETE", "/api/terminals/terminal-9")
    for name, role in (
        ("supervisor-1", "supervisor"),
        ("cashier-1", "cashier"),
        ("auditor-1", "auditor"),
        ("dealer-1", "dealer"),
        ("dealer-2", "dealer"),
        ("dealer-3", "dealer"),
    ):
        await house.enrol(name, role, tokens["cage-1"] if role == "cashier" else "")
    await house.add_passkey("auditor-1", "phone")
    for number in range(1, 17):
        await house.enrol(f"player-{number}", "player", tokens[TERMINALS[number % 2]])
    await house.granted(operator, "dealer-3", "supervisor")
    await operator.done("/api/people", name="dealer-3", role="supervisor", active=False)
    await operator.done("/api/people", name="dealer-4", role="dealer")
    await operator.done("/api/people/dealer-4/invitation")
    for _ in range(5):
        await (await house.served.browser()).post("/api/sign-in", name="player-16", password="1357")
    await (await house.person("player-16")).post("/api/sign-out")
    for name in LIVE:
        house.dealers[name] = "dealer-1"


async def money_before_play(house: Recording) -> None:
    """Players buy in with cash, a ticket and play money, and sit down."""
    cashier = await house.person("cashier-1")
    for number in range(1, 16):
        await cashier.done("/api/cashier/buy-in", f"in-{number}", name=f"player-{number}", amount=200_000)
    sold = await cashier.done("/api/cashier/tickets", "sold-1", amount=80_000)
    holder = await house.come_in("/api/sign-in/ticket", number=sold["number"])
    guests = [await house.come_in("/api/guest") for _ in range(5)]
    await house.sit_down("stadium-1", "player-1", "player-2", guests[0])
    await house.sit_down("dynasty-1", "player-3", guests[1])
    await house.sit_down("three-1", "player-7", holder)
    await house.sit_down("match-1", "player-6", guests[2])
    await house.sit_down("mega-1", "player-4", "player-5")
    await house.sit_down("stadium-live", "player-8", "player-9")
    await house.sit_down("dynasty-live", "player-10", guests[3])
    await house.sit_down("three-live", "player-15", guests[4])
    await house.sit_down("match-live", "player-13", "player-14")
    await house.sit_down("mega-live", "player-11", "player-12")


# --- rounds -------------------------------------------------------------------------------------------------------------


async def first_rounds(house: Recording) -> None:
    """The automated dealer: shoes are cut, dealt and revealed; one is discarded because a number was not opened."""
    house.keep_back.add(("stadium-1", 2))
    for name in AUTOMATED:
        await house.play(name, rounds=4)
    await house.play_until("stadium-1", lambda table: table.shoe_number > 3)


async def live_rounds(house: Recording) -> None:
    await stadium_live(house)
    await dynasty_live(house)
    await three_live(house)
    await match_live(house)
    await mega_live(house)


async def stadium_live(house: Recording) -> None:
    """Insurance, even money, splits, doubles and surrender, also for the dealer; a corrected card, a void, a large win."""
    name = "stadium-live"
    plain = Stakes({"blackjack": 1_000})
    tipping = Stakes({"blackjack": 1_000}, {"blackjack": 500, "royal-match-21": 500})
    everything = Stakes(
        {"blackjack": 1_000, "bet-the-set-21": 500, "royal-match-21": 500, "trilux": 500, "super-3": 500}
    )
    await house.play(
        name,
        Plan(
            "8s Ah 8d",
            {"player-8": ["insure", "split+dealer"], "player-9": ["decline", "split", "hit"]},
            {"player-8": tipping, "player-9": everything},
        ),
        Plan("As Ad Kd", {"player-8": ["even-money"], "player-9": ["decline"]}, {"player-8": plain}),
        Plan(
            "5s 9h 6d",
            {"player-8": ["double+dealer"], "player-9": ["double:300"]},
            {"player-8": tipping, "player-9": plain},
        ),
        Plan("9s Th 7d", {"player-8": ["surrender"], "player-9": ["time-out"]}, {"player-8": plain}),
    )
    await reopened(house, name)
    await corrected(house, name, everything)
    await owed(house, name)
    await voided(house, name)
    large = {"player-8": Stakes({"blackjack": 30_000}), "player-9": Stakes({"blackjack": 30_000})}
    await house.play(name, Plan("Ac 9d Kc", stakes=large))
    cashier = await house.person("cashier-1")
    await cashier.done("/api/cashier/attendant-pay", "win-1", name="player-8")  # player-9 still waits at the end


async def reopened(house: Recording, name: str) -> None:
    """VOID-4: two settled rounds are reopened: two cards change places in one, and the other is void; a player reads
    the notice."""
    dealer, supervisor = await house.person(house.dealers[name]), await house.person(SECOND_PERSON)
    path, last = f"/api/floor/tables/{name}/reopening", house.table(name).round_number
    swapped = [{"fix": "swap", "number": 1, "other": 3}]
    await dealer.done_with(supervisor, path, round=last - 1, telling=2, fixes=swapped, why="out-of-order")
    await dealer.done_with(supervisor, path, round=last, telling=2, void=True, reason="a card was marked")
    player = await house.person("player-8")
    await player.done("/api/notices/read", table=name, round=last, telling=2)


async def corrected(house: Recording, name: str, stakes: Stakes) -> None:
    """CARD-2, CARD-3: a misread card pays a side bet; the correction takes the payment back."""
    table = house.table(name)
    everybody = dict.fromkeys(house.seated[name], stakes)
    plan = Plan("Ks 5s Qs", {player: [] for player in house.seated[name]}, everybody)
    await house.play(name, plan, stop=lambda table: len(_cards(table)) == 3)
    right = {"number": 1, "card": "4h", "reason": "the king was a four"}
    await house.deal(name, BeginCorrection, round=table.round_number)
    await house.deal(name, AbandonCorrection, round=table.round_number, correction=1)
    await house.deal(name, BeginCorrection, round=table.round_number)
    await refused(house.deal(name, Correct, round=table.round_number, correction=2, **right))
    await house.accepted(SECOND_PERSON)
    await house.deal(name, Correct, round=table.round_number, correction=2, **right)
    swapped = (SwapCards(number=2, other=3), InsertCard(number=1, card="2d"), RemoveCard(number=1))
    await refused(house.deal(name, Correct, round=table.round_number, fixes=swapped, why="out-of-order"))
    await house.accepted(SECOND_PERSON)
    await house.deal(name, Correct, round=table.round_number, fixes=swapped, why="out-of-order")
    await house.play(name, Plan(decisions={player: [] for player in house.seated[name]}))


async def owed(house: Recording, name: str) -> None:
    """A misread card wins a large side bet, which an attendant pays by hand; the correction makes it a debt, which is paid
    from the credit and in cash, and forgiven in part."""
    table = house.table(name)
    stakes = dict.fromkeys(house.seated[name], Stakes({"blackjack": 1_000, "royal-match-21": 1_000}))
    plan = Plan("Ks 5s Qs", {player: [] for player in house.seated[name]}, stakes)
    await house.play(name, plan, stop=lambda table: len(_cards(table)) == 3)
    cashier = await house.person("cashier-1")
    await cashier.done("/api/cashier/attendant-pay", "win-misread", name="player-8")
    right = {"number": 3, "card": "Qd", "reason": "the queen was of diamonds"}
    await refused(house.deal(name, Correct, round=table.round_number, **right))
    await house.accepted(SECOND_PERSON)
    await house.deal(name, Correct, round=table.round_number, **right)
    debt = {"name": "player-8", "amount": 8_000}
    await cashier.done("/api/cashier/debts/pay", "debt-1", **debt)
    await cashier.done("/api/cashier/debts/pay", "debt-2", **debt, in_cash=True)
    supervisor = await house.person(SECOND_PERSON)
    await cashier.done_with(supervisor, "/api/cashier/debts/forgive", "debt-3", **debt, reason="our mistake")
    await house.play(name, Plan(decisions={player: [] for player in house.seated[name]}))


async def boxes_and_tables(house: Recording) -> None:
    """A player with two boxes at a table, and one who sits at two tables; both play on after the restart, to the end."""
    await house.take_box("stadium-1", "player-2", 2)
    await house.play("stadium-1", rounds=2)
    await house.sit_down("dynasty-1", "player-5")
    await house.play("dynasty-1", rounds=1)
    await house.play("mega-1", rounds=1)


async def training(house: Recording) -> None:
    """A dealer practises with a shoe that misreads a card, and corrects another one too late."""
    name = "training-live"
    house.dealers[name], table = "dealer-2", house.table("training-live")
    guest = await house.come_in("/api/guest")
    await house.sit_down(name, guest)
    await house.take_box(name, guest, 2)
    await house.play(name, Plan("9s"), stop=lambda table: len(_cards(table)) == 1)
    await misread(house, name, "shoe-2")
    await house.play(name, Plan("Qd"), stop=lambda table: len(_cards(table)) == 3)
    right = {"number": 1, "card": "8s", "why": "wrong-card"}
    await house.deal(name, Correct, round=table.round_number, **right)
    await house.play(name, Plan())


async def voided(house: Recording, name: str) -> None:
    """CARD-6, VOID-1: a round is void, after a wrong approval code was refused."""
    table = house.table(name)
    await house.play(name, Plan(), stop=lambda table: len(_cards(table)) == 2)
    why = {"round": table.round_number, "reason": "a card fell to the floor"}
    await refused(house.deal(name, Void, approval="no code", **why))
    await refused(house.deal(name, Void, **why))
    await house.deal(name, Void, approval=await (await house.person(SECOND_PERSON)).code(), **why)


async def dynasty_live(house: Recording) -> None:
    """A changed bet, a bet taken back, a buy-in and a change of dealer in mid-round."""
    name, (card_player, guest) = "dynasty-live", house.seated["dynasty-live"]
    table = house.table(name)
    await house.play(
        name,
        Plan("8s 6h 8d", {card_player: ["split", "double"], guest: ["hit"]}),
        Plan("9s Th 7d", {card_player: ["surrender"], guest: ["time-out"]}),
        stop=lambda table: table.round_number == 3,
    )
    await house.deal(name, NewGame, round=table.round_number + 1)
    line = await house.terminal(card_player, name)
    await house.sees_round(line, table)
    await line.bet({"blackjack": 5_000})
    await line.bet({"blackjack": 2_000})
    other = await house.terminal(guest, name)
    await house.sees_round(other, table)
    await other.bet({"blackjack": 2_000})
    await other.bet({})
    await house.deal(name, CloseBets, round=table.round_number)
    await (await house.person("cashier-1")).done("/api/cashier/buy-in", "in-again", name=card_player, amount=5_000)
    house.dealers[name] = "dealer-2"
    await house.play(name, Plan("5s 9h 6d", {card_player: ["double"]}))
    await shoes(house, name)
    await house.deal(name, LeavePlace)


async def shoes(house: Recording, name: str) -> None:
    """CARD-10: a cut card, a shoe that runs out in mid-round, a wrong count, and another shoe that the floor asks for."""
    table = house.table(name)
    await house.play(name, Plan("9s Th"), stop=lambda table: len(_cards(table)) == 2)
    await house.deal(name, SeeCutCard, shoe=table.shoe_number)
    await house.deal(name, LoadShoe, cards=208, follows=True)
    await misread(house, name, "shoe-1")
    await house.play(name, Plan("7d"))
    await house.deal(name, CountShoe, shoe=table.shoe_number, discards=1)
    supervisor = await house.person("supervisor-1")
    await supervisor.done(f"/api/floor/tables/{name}/shoe", reason="routine change")
    await house.play(name, Plan("9s 7d 8h Td"))


async def misread(house: Recording, name: str, reader: str) -> None:
    """CARD-11: an enrolled shoe misreads a card, which the dealer corrects."""
    operator, table = await house.person("operator"), house.table(name)
    token = (await operator.done("/api/terminals", name=reader, reads=name))["token"]
    async with connect(f"ws://127.0.0.1:{house.served.opened.port}/ws", token) as shoe:  # type: ignore[union-attr]
        await shoe.watch(name)
        await shoe.do(ReadCard, session="kept", number=1, card="9h")
    await house.deal(name, EnterCard, round=table.round_number, number=len(_cards(table)) + 1, card="9s")


async def three_live(house: Recording) -> None:
    """Chosen cards, wagers on rows and columns; play, fold, a time-out, and a player who leaves in mid-round."""
    name, (one, other) = "three-live", house.seated["three-live"]
    chosen = Stakes(
        {
            "ante": 1_000,
            "pair-plus": 500,
            "six-card-bonus": 500,
            "pair-plus@row-2": 500,
            "six-card-bonus@column-3": 500,
        },
        spots=(1, 5, 9),
    )
    await house.play(
        name,
        Plan("9s 9h 2d 4c 9d 7h 8s 3c 9c", {one: ["play"], other: ["fold"]}, {one: chosen}),
        Plan("", {one: ["time-out"], other: ["play"]}, {one: chosen}),
    )
    await house.play(name, Plan(), stop=_in_a_round)
    leaving = await house.terminal(other, name)
    await leaving.leave()  # the seat is kept until the round is over
    await house.play(name, Plan(decisions={one: ["play"], other: ["time-out"]}))
    await leaving.join()


async def match_live(house: Recording) -> None:
    """A known and an unknown hole card; insurance for a chosen amount."""
    bonus = Stakes({"blackjack": 1_000, "match-up": 500, "three-card-bonus": 500})
    both = {"player-13": bonus, "player-14": bonus}
    await house.play(
        "match-live",
        Plan("8s 9h Ad 8d 7c 5h", {"player-13": ["insure:300", "split", "double"], "player-14": ["insure"]}, both),
        Plan("Ts 6h 6d Th 5c ?", {"player-13": ["stand"], "player-14": ["hit", "hit"]}, both),
        Plan("Ks 6h Kd Qs 5c ?", {"player-13": ["split", "time-out"], "player-14": ["double"]}, both),
    )


async def mega_live(house: Recording) -> None:
    """Buster, a dealer's blackjack, even money, wagers for the dealer, and a win paid by an attendant."""
    own = {"blackjack": 1_000, "buster": 500}
    tipping = Stakes(own, {"blackjack": 500, "buster": 500})
    both = {"player-11": tipping, "player-12": Stakes(own)}
    await house.play(
        "mega-live",
        Plan("As 5h 6d As 6c ?", {"player-11": ["split+dealer"], "player-12": ["double"]}, both),
        Plan("As 9h Ad Kd 5c ?", {"player-11": ["even-money"], "player-12": ["insure", "hit"]}, both),
        Plan("9s 9h Kd 8d 5c ? As", stakes=both, blackjack=True),
        Plan("As 9h 5d Kd 5c ?", stakes={"player-11": Stakes({"blackjack": 10_000})}),
    )
    await (await house.person("cashier-1")).done("/api/cashier/attendant-pay", "win-2", name="player-11")


async def later_rounds(house: Recording) -> None:
    """Rounds after the restart, enough for a `table-stood` and entries after it."""
    for name in AUTOMATED:
        await house.play(name, rounds=4)


# --- the desk and the floor ---------------------------------------------------------------------------------------------


async def desk(house: Recording) -> None:
    """Cash-outs, adjustments, and tickets sold, redeemed, paid, refused and void (CSH-1, TKT-1 to TKT-3)."""
    cashier, player = await house.person("cashier-1"), await house.person("player-14")
    ticket = await _whole_credit(cashier, player, "player-14")
    await cashier.done("/api/cashier/tickets/pay", "paid-1", number=ticket["number"])
    await cashier.post("/api/cashier/tickets/pay", "paid-2", number=ticket["number"])  # refused: paid already (TKT-3)
    spoilt, open_ticket = [await cashier.done("/api/cashier/tickets", f"sold-{each}", amount=7_000) for each in (2, 3)]
    supervisor = await house.person(SECOND_PERSON)
    void = {"number": spoilt["number"], "reason": "not printed"}
    await cashier.done_with(supervisor, "/api/cashier/tickets/void", "void-1", **void)
    redeemed = await cashier.done("/api/cashier/tickets", "sold-4", amount=90_000)
    await player.done("/api/redeem", "redeemed-1", number=redeemed["number"])
    assert open_ticket["state"] == "outstanding"
    await cashier.done("/api/cashier/cash-out", "out-1", name="player-13", amount=10_000)
    await cashier.done("/api/cashier/buy-in", "in-large", name="player-13", amount=300_000)
    await cashier.done_with(supervisor, "/api/cashier/cash-out", "out-2", name="player-13", amount=160_000)
    await supervisor.done("/api/floor/tips/share")
    tips = {card["name"]: card["tips"] for card in (await cashier.get("/api/cashier/tips")).body}
    await cashier.done("/api/cashier/tips/pay", "tips-1", name="dealer-1", amount=tips["dealer-1"] // 2)
    await house.enrol("wallet", "host")
    host = await house.person("wallet")
    await host.done("/api/transfers/in", "came-1", name="player-14", amount=40_000, reference="W-1")
    await host.done("/api/transfers/out", "went-1", name="player-14", amount=15_000, reference="W-2")
    for amount in (1_500, -300):
        why = {"name": "player-12", "amount": amount, "reason": "counted again"}
        await cashier.done_with(supervisor, "/api/cashier/adjustments", f"adjusted-{amount}", **why)


async def _whole_credit(cashier: Browser, player: Browser, name: str) -> Any:
    """A player takes the whole credit as a ticket, after cashing out what is above the limit."""
    credit = (await cashier.get("/api/cashier/account", name=name)).body["credit"]
    await cashier.done("/api/cashier/cash-out", f"out-{name}", name=name, amount=credit - 100_000)
    return await player.done("/api/cash-out", f"ticket-{name}")


async def floor(house: Recording) -> None:
    """New rules in mid-round (GAME-5), a table closed and reopened, a new table, a seat freed for absence (DSC-1)."""
    operator = await house.person("operator")
    await house.play("stadium-1", Plan(), stop=_in_a_round)
    options = {"paytable": 5, "side_bets": {"trilux": "TRI-02"}}
    await operator.done("/api/floor/tables/stadium-1/schedule", options=options, settings={"betting_seconds": 800})
    await house.play("stadium-1", rounds=2)
    await house.play("dynasty-1", Plan(), stop=_in_a_round)
    supervisor = await house.person("supervisor-1")
    await supervisor.done("/api/floor/tables/dynasty-1", state="closed", reason="The cards are changed.")
    await house.play("dynasty-1", Plan())
    await (await house.person("operator")).done("/api/floor/tables/dynasty-1", state="open")
    await (await house.person("operator")).done(
        "/api/floor/tables",
        name="mega-2",
        config={"game": "mega-blackjack", "options": LIMITS, "seat_kept_minutes": 1, "betting_seconds": 30},
    )
    gone = await house.come_in("/api/guest")
    await house.sit_down("mega-2", gone)
    await house.until(lambda: house.table("mega-2").phase() in ("betting", "waiting"))
    await house.pass_time(5)
    await house.pass_time(40)  # nobody bets: betting is extended
    await house.hang_up(gone)
    house.seated["mega-2"].clear()
    await house.pass_time(61)
    assert house.served.opened is not None
    await house.served.opened.reception.vigil.look()
    await house.until(lambda: not house.table("mega-2").seats)


# --- the end ------------------------------------------------------------------------------------------------------------


async def in_the_middle(house: Recording) -> None:
    """Leaves the tables in different phases. Nothing here lets time run out, so that decisions stay open."""
    house.time_outs = 0
    await house.play_until("mega-1", _asks_about_play)  # a hole card that lies face down, known under the seal
    operator = await house.person("operator")
    await operator.done("/api/floor/tables/mega-1/schedule", options={**LIMITS, "decks": 8})  # for the next round
    await house.play_until("stadium-1", _asks_about_play)
    await _bets_alone(house, "dynasty-1")
    await house.deal("dynasty-live", NewGame, round=house.table("dynasty-live").round_number + 1)
    await _bets_alone(house, "dynasty-live")
    await house.play("three-live", Plan(), stop=lambda table: len(_cards(table)) == 5)
    hit = {"player-13": ["hit", "stand"]}
    await house.play("match-live", Plan("2s 6h 6d 3d 5c ? 2h", hit), stop=lambda table: len(_cards(table)) == 7)
    await house.play("mega-live", Plan("8s 6h Td 3d 5c ?"), stop=lambda table: table.phase() == "peeking")
    operator = await house.person("operator")
    await operator.done("/api/floor/tables/three-1", state="paused", reason="Back at eight.")
    await operator.done("/api/floor/tables/stadium-live", state="closed", why="end-of-day")
    await house.play_until("match-1", _waits_for_the_cut)
    await house.cut(house.table("match-1"))


async def _bets_alone(house: Recording, name: str) -> None:
    """Betting is open, and the first player has bet."""
    await house.play(name, Plan(), stop=lambda table: not table.between_rounds)
    player = house.seated[name][0]
    line = await house.terminal(player, name)
    await house.sees_round(line, house.table(name))
    await line.bet({"blackjack": 1_500})


def _in_a_round(table: Table) -> bool:
    """Whether a round is in play and betting is closed."""
    return not table.between_rounds and not isinstance(table.in_play.awaits, Wagers)


def _asks_about_play(table: Table) -> bool:
    return table.phase() == "deciding" and not table.in_play.dealing.insuring


def _waits_for_the_cut(table: Table) -> bool:
    return table.between_rounds and table.shoe is not None and table.shoe.cut is not None and not table.shoe.cut.closed


def _cards(table: Table) -> list[Any]:
    return [] if table.between_rounds else list(table.in_play.cards)


async def refused(asked: Any) -> None:
    """Awaits something that must be refused."""
    try:
        await asked
    except Refused:
        return
    raise AssertionError("This should have been refused.")


# --- nothing is missing -------------------------------------------------------------------------------------------------


def missing(book: Reading, found: dict[str, Any]) -> Iterator[str]:
    """Whatever the program can store and this house does not hold."""
    kinds = {kind for counted in found["kinds"].values() for kind in counted}
    wanted = _tags(AnyEvent, TableEvent, HouseEvent) - NEVER_RECORDED
    yield from (f"an entry {tag}" for tag in wanted - kinds)
    moved = {posted.transfer.kind for posted in read_posted(book)}
    yield from (f"a transfer {kind}" for kind in TRANSFER_KINDS if kind not in moved)
    yield from (f"a document {kind}" for kind in KINDS if not book.documents(kind))
    written = [stream.removeprefix("table/") for stream, counted in found["kinds"].items() if "table-stood" in counted]
    yield from (f"{name} written down whole" for name in AUTOMATED if name not in written)
    yield from () if any(name in written for name in LIVE) else ["a live table written down whole"]
    phases = {table["phase"] for table in found["tables"].values()}
    yield from (f"a table that is {phase}" for phase in PHASES_AT_THE_END if phase not in phases)
    yield from _missing_places(found)
    yield from _missing_play([part for record in found["rounds"].values() for part in record["players"].values()])


def _missing_places(found: dict[str, Any]) -> Iterator[str]:
    sits = Counter(player for table in found["tables"].values() for player in table["seats"])
    yield from () if any("boxes" in table for table in found["tables"].values()) else ["a player with two boxes"]
    yield from () if max(sits.values()) > 1 else ["a player at two tables"]
    yield from () if any(name.startswith("training-") for name in found["rounds"]) else ["a round at a training table"]


def _missing_play(parts: list[dict[str, Any]]) -> Iterator[str]:
    decided = {re.split(r"[ +:]", decision)[0] for part in parts for decision in part["decisions"]}
    yield from (f"a decision {choice}" for choice in CHOICES if choice not in decided)
    paid = {payment[0].partition("@")[0] for part in parts for payment in part["payments"]}
    bets = {bet.name for game in GAMES.values() for bet in (game.rules.main, *game.rules.knows)}
    yield from (f"a wager {bet}" for bet in sorted(bets - paid))


def _tags(*unions: Any) -> set[str]:
    return {str(event.__struct_config__.tag) for union in unions for event in get_args(union)}
