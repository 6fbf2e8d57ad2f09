"""The right to cut: who has it, who is barred, and that nobody holds a table up (docs/fairness.md)."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from hashlib import sha256
from math import comb
from os import urandom
from pathlib import Path
from random import Random

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client import Client
from podium.house import HouseConfig, limits
from podium.house.reports import Records
from podium.house.table import TableConfig
from podium.house.table.cutting import FIRST_BAR_MS, LONGEST_BAR_MS, Cutting
from podium.house.table.events import Happening, ShoeEnded, ShoeShuffled, decode, encode
from podium.house.table.shoes import ShoeInUse
from podium.house.verify import Difference, verify
from podium.record.fair import cut_commitment
from podium.record.journal import Chain
from podium.server.show import Window
from podium.wire.commands import CommitCut, OpenCut
from podium.wire.messages import Shoe
from tests.floor import TestHouse, stadium
from tests.server.served import CONFIG, QUICK, Served, a_house, play
from tests.simulator.disk import Disk
from tests.terminal import on_a_loop

POKER = TableConfig("stadium-three-card-poker")
"""One deck, shuffled for every round."""
SIXTEEN = 16


def number_of(player: str, shoe: ShoeInUse) -> str:
    return sha256(f"{player} {shoe.number}".encode()).hexdigest()


def waiting(house: TestHouse) -> ShoeInUse:
    """Lets the table act until a shoe waits to be cut."""
    for _ in range(500):
        shoe = house.table().shoe
        if shoe is not None and shoe.cut is not None and not shoe.cut.closed:
            return shoe
        house.step()
    raise AssertionError("no shoe waits to be cut")


def may_cut(house: TestHouse) -> list[str]:
    """The players who may cut the shoe that waits."""
    return list((waiting(house).entitled or {}).values())


def commit(house: TestHouse, player: str, *, device: str = "") -> None:
    shoe = waiting(house)
    assert shoe.shuffle is not None
    terminal = f"seat-{house.table().seats[player]}"
    bound = cut_commitment(shoe.shuffle.commitment, terminal, number_of(player, shoe))
    house.at("t1", lambda table: table.commit_to_cut(player, shoe.number, bound, house.now, device=device))


def open_up(house: TestHouse, player: str) -> None:
    shoe = house.table().shoe
    assert shoe is not None
    house.at("t1", lambda table: table.open_cut(player, shoe.number, number_of(player, shoe), house.now))


def cut(house: TestHouse, *, keeps_back: Collection[str] = (), only: Collection[str] | None = None) -> None:
    """Everybody who may cuts the shoe that waits; some keep their numbers back."""
    players = [player for player in may_cut(house) if only is None or player in only]
    for player in players:
        commit(house, player, device=f"phone of {player}")
    house.step()  # the list of commitments is closed
    for player in players:
        if player not in keeps_back:
            open_up(house, player)


def play_round(house: TestHouse, *players: str, terminal: str = "", stake: int = 500) -> None:
    house.run_until("betting")
    main = house.rules().main.name
    for player in players:
        house.house.bet(player, "t1", {main: stake}, {}, (), house.now, terminal=terminal, device=f"phone of {player}")
    house.run_until("result")


# --- who may cut ------------------------------------------------------------------------------------------------------


def test_rng_10_whoever_sits_at_the_table_cuts_its_first_shoe() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "bob"):
        house.player(player)
    assert may_cut(house) == ["ann", "bob"]


def test_rng_10_the_right_to_cut_comes_with_a_wager_and_ends_some_rounds_after_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_ROUNDS_OF_A_CUT_RIGHT", 3)
    house = TestHouse(t1=POKER)
    for player in ("ann", "bob"):
        house.player(player)
    play_round(house, "ann")
    assert may_cut(house) == ["ann"]
    with pytest.raises(Refused, match="Only players with a wager here"):
        commit(house, "bob")
    for _ in range(3):
        assert "ann" in may_cut(house)
        play_round(house, "bob")
    assert may_cut(house) == ["bob"]


def test_rng_10_a_wager_that_was_taken_back_gives_no_right() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "bob"):
        house.player(player)
    house.run_until("betting")
    house.bet("ann", 500)
    house.bet("bob", 500)
    house.house.bet("bob", "t1", {}, {}, (), house.now)
    house.run_until("result")
    assert may_cut(house) == ["ann"]


def test_rng_10_a_device_cuts_once_however_many_play_there() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "bob", "cy"):
        house.player(player)
    house.run_until("betting")
    for player, terminal in (("ann", "terminal-1"), ("bob", "terminal-1"), ("cy", "terminal-2")):
        house.house.bet(player, "t1", {"ante": 500}, {}, (), house.now, terminal=terminal)
    house.run_until("result")
    assert may_cut(house) == ["ann", "cy"]
    commit(house, "ann", device="terminal-1")
    with pytest.raises(Refused, match="has already committed to a number for this shoe"):
        commit(house, "cy", device="terminal-1")
    commit(house, "cy", device="terminal-2")


def test_rng_10_a_seat_that_somebody_else_has_taken_meanwhile_cannot_cut() -> None:
    house = TestHouse(t1=POKER)
    house.player("ann", seat=1)
    assert may_cut(house) == ["ann"]
    house.at("t1", lambda table: table.get_up("ann", house.now))
    house.player("eve", seat=1)
    with pytest.raises(Refused, match="Only players with a wager here"):
        commit(house, "eve")


def test_rng_10_a_player_who_has_left_the_seat_still_opens_the_number() -> None:
    house = TestHouse(t1=POKER)
    house.player("ann")
    commit(house, "ann")
    house.step()
    house.at("t1", lambda table: table.get_up("ann", house.now))
    open_up(house, "ann")
    house.run_until("betting")
    assert house.table().cutting.discarded == 0


# --- whoever keeps a number back ----------------------------------------------------------------------------------------


def test_rng_10_a_shoe_whose_number_is_kept_back_is_discarded_in_public() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "eve"):
        house.player(player)
    play_round(house, "ann", "eve")
    number = waiting(house).number
    cut(house, keeps_back=["eve"])
    house.step()
    assert (house.table().cutting.discarded, house.table().cutting.kept_back) == (1, {number: ("seat-2",)})
    ended = [decode(entry.payload) for entry in house.streams()["table/t1"] if entry.kind == "shoe-ended"][-1]
    assert isinstance(ended, ShoeEnded)
    assert ended.kept_back == {"seat-2": "eve"}
    waiting(house)
    shown = Window(house.table()).for_everybody(house.now).shoe
    assert isinstance(shown, Shoe)
    assert (shown.discarded, shown.may_cut) == (1, ("seat-1",))


def test_evt_1_a_discarded_shoe_is_a_significant_event() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "eve"):
        house.player(player)
    play_round(house, "ann", "eve")
    number = waiting(house).number
    cut(house, keeps_back=["eve"])
    house.step()
    records = Records()
    records.catch_up(reading(house))
    [event] = records.significant.search(kind="shoe-discarded")
    assert (event.source, event.who) == ("t1", "eve")
    assert event.reason == f"shoe {number}: seat-2 kept a number back"


def test_rng_10_whoever_keeps_a_number_back_is_barred_by_person_and_device_for_a_growing_time() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "eve", "fay"):
        house.player(player)
    play_round(house, "ann", "eve", "fay")
    for times in range(3):
        if times:
            house.now += FIRST_BAR_MS << times
            play_round(house, "ann", "eve", "fay")
        assert "eve" in may_cut(house)
        cut(house, keeps_back=["eve"])
        discarded_at = house.now
        house.step()
        ends = house.table().cutting.barred_until("eve", "", house.now)
        assert discarded_at + (FIRST_BAR_MS << times) <= ends <= house.now + (FIRST_BAR_MS << times)
        assert house.table().cutting.barred_until("nobody", "phone of eve", house.now) == ends
        assert may_cut(house) == ["ann", "fay"]
        with pytest.raises(Refused, match=f"cannot cut at this table for {10 << times} minutes"):
            commit(house, "eve")
        with pytest.raises(Refused, match="cannot cut at this table"):
            commit(house, "fay", device="phone of eve")
        assert Window(house.table()).for_player("eve", 0).no_cut_until == ends
        cut(house)


def test_rng_10_a_bar_is_at_most_a_day_and_is_forgotten_a_day_after_it_ended() -> None:
    cutting = Cutting()
    for _ in range(20):
        cutting.bar({"eve": "phone"}, [], 1_000)
    assert cutting.bars["person eve"] == (1_000 + LONGEST_BAR_MS, 20)
    cutting.bar({"mal": ""}, [], 1_000 + 2 * LONGEST_BAR_MS)
    assert list(cutting.bars) == ["person mal"]


def test_only_so_many_bars_of_a_table_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BARS_PER_TABLE", 3)
    cutting = Cutting()
    for at, player in enumerate(("ann", "bob", "cy", "dee", "eve")):
        cutting.bar({player: ""}, [], at)
    assert list(cutting.bars) == ["person cy", "person dee", "person eve"]


@pytest.mark.parametrize("snapshot_every", [10_000, 1])
def test_int_1_rights_bars_and_counts_survive_a_restart(snapshot_every: int) -> None:
    house = TestHouse(snapshot_every, t1=POKER)
    for player in ("ann", "eve"):
        house.player(player)
    play_round(house, "ann", "eve")
    cut(house, keeps_back=["eve"])
    house.step()
    cut(house)
    play_round(house, "ann")
    own = house.table().cutting.snapshot()
    assert (own.discarded, sorted(own.bars), sorted(own.rights)) == (
        1,
        ["device phone of eve", "person eve"],
        ["ann", "eve"],
    )
    assert house.restarted().tables["t1"].cutting.snapshot() == own
    back = type(house.house)(house.shuffler)
    back.come_back(reading(house))
    assert back.tables["t1"].cutting.snapshot() == own


# --- the attacks --------------------------------------------------------------------------------------------------------


def discards_until_a_round(house: TestHouse, attackers: Callable[[list[str]], Collection[str]]) -> int:
    """How many shoes are discarded before the next round opens. `attackers` says who of those that cut keeps back."""
    before, number = house.table().cutting.discarded, house.table().round_number
    for _ in range(200):
        while house.table().round_number == number:
            shoe = house.table().shoe
            if shoe is not None and shoe.cut is not None and not shoe.cut.closed:
                break
            house.step()
        if house.table().round_number > number:
            return house.table().cutting.discarded - before
        cut(house, keeps_back=attackers(may_cut(house)))
        house.step()
    raise AssertionError("the table is held up for good")


def test_rng_10_a_guest_who_changes_seats_and_never_opens_cannot_stop_a_table() -> None:
    """The attack of before: commit, keep back, take another seat; and a new guest beside it."""
    house = TestHouse(t1=stadium())
    for player in ("ann", "guest-1"):
        house.player(player)
    cut(house, keeps_back=["guest-1"])
    house.at("t1", lambda table: table.get_up("guest-1", house.now))
    house.house.sit_down("guest-1", "t1", 50, house.now)
    house.player("guest-2")
    house.step()
    assert may_cut(house) == ["ann"]
    cut(house)
    house.run_until("betting")
    assert house.table().cutting.discarded == 1


def test_rng_10_a_guest_alone_who_never_opens_gets_one_round_of_a_shoe_that_nobody_cut() -> None:
    house = TestHouse(t1=stadium())
    for number in range(1, 6):
        house.player(f"guest-{number}")
        if number == 1:
            cut(house, keeps_back=["guest-1"])
    house.run_until("betting")
    shoe = house.table().shoe
    assert shoe is not None
    assert (house.table().cutting.discarded, shoe.number, shoe.one_round) == (1, 2, True)
    play_round(house, "guest-2")
    assert waiting(house).number == 3
    assert may_cut(house) == ["guest-2"]


def test_rng_10_sixteen_who_keep_back_one_after_the_other_discard_sixteen_shoes_at_most() -> None:
    house = TestHouse(t1=stadium())
    puppets = [house.player(f"puppet-{number}") for number in range(SIXTEEN)]
    assert discards_until_a_round(house, lambda cutters: cutters[:1]) == SIXTEEN
    shoe = house.table().shoe
    assert shoe is not None
    assert (shoe.cut and shoe.cut.opened, shoe.one_round) == ({}, True)
    play_round(house, *puppets)
    assert waiting(house).number == shoe.number + 1, "a shoe that nobody could cut serves one round"
    assert may_cut(house) == [], "all of them are barred"


def test_rng_10_as_long_as_one_player_opens_the_shoe_that_is_dealt_was_cut_by_that_player() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    for number in range(40):
        house.player(f"puppet-{number}")
    assert discards_until_a_round(house, lambda cutters: [each for each in cutters if each != "ann"][:1]) <= 15
    shoe = house.table().shoe
    assert shoe is not None
    assert shoe.cut is not None
    assert shoe.cut.opened == {"seat-1": number_of("ann", shoe)}
    assert not shoe.one_round


def test_rng_10_puppets_without_wagers_keep_nobody_from_the_cut() -> None:
    """Sixteen puppets filled every cut of before, because they came first."""
    house = TestHouse(t1=POKER)
    for number in range(SIXTEEN):
        house.player(f"puppet-{number}")
    house.player("ann")
    assert "ann" not in may_cut(house)
    play_round(house, "ann")
    assert may_cut(house) == ["ann"]


def test_rng_10_sixteen_puppets_that_wager_leave_a_player_out_once_in_seventeen_shoes() -> None:
    house = TestHouse(t1=POKER)
    puppets = [house.player(f"puppet-{number}", credit=10_000_000) for number in range(SIXTEEN)]
    house.player("ann", credit=10_000_000)
    everybody = [*puppets, "ann"]
    play_round(house, *everybody)
    shoes, left_out = 200, Counter[str]()
    for _ in range(shoes):
        chosen = may_cut(house)
        assert len(chosen) == SIXTEEN
        left_out.update(set(everybody) - set(chosen))
        cut(house)
        play_round(house, *everybody)
    # Binomial with 1/17: a mean of 11.8, and a deviation of 3.3.
    assert 1 <= left_out["ann"] <= 28
    assert len(left_out) >= SIXTEEN


def test_rng_10_nobody_who_comes_after_the_lot_is_drawn_takes_the_place_of_somebody_on_the_list() -> None:
    chance = Random("lot")
    for _ in range(200):
        cutting, honest = Cutting(), [f"player-{number}" for number in range(30)]
        cutting.bets_closed(1, {player: (10 + number, "") for number, player in enumerate(honest)})
        cutting.cut(chance.randbytes(32).hex(), 100)
        drawn = set(cutting.entitled(dict(enumerate(honest)), 0).values())
        late = [f"puppet-{chance.randbytes(4).hex()}" for _ in range(50)]
        cutting.bets_closed(2, {player: (200 + number, "") for number, player in enumerate(late)})
        assert set(cutting.entitled(dict(enumerate([*late, *honest])), 0).values()) == drawn


def test_rng_10_the_lot_draws_everybody_alike() -> None:
    """How often the lot leaves all of three players out, against the share of all draws that do: C(n-h, 16) / C(n, 16)."""
    chance, missed, draws = Random("alike"), 0, 4_000
    people = {number: f"player-{number}" for number in range(1, 25)}
    for _ in range(draws):
        cutting = Cutting()
        cutting.bets_closed(1, {player: (number, "") for number, player in people.items()})
        cutting.cut(chance.randbytes(32).hex(), 100)
        missed += not {"player-1", "player-2", "player-3"} & set(cutting.entitled(people, 0).values())
    expected = comb(21, 16) / comb(24, 16)
    deviation = (expected * (1 - expected) / draws) ** 0.5
    assert abs(missed / draws - expected) < 4 * deviation


# --- the record ---------------------------------------------------------------------------------------------------------


def reading(house: TestHouse, change: Callable[[Happening], Happening] | None = None) -> Disk:
    """The record of a house, or one with other happenings and chains that are whole."""
    disk, chains = Disk(lambda entry: None), dict[str, Chain]()
    for entry in house.store():
        if change is not None:
            payload = entry.payload if entry.stream == "house" else encode(change(decode(entry.payload)))
            chain = chains.setdefault(entry.stream, Chain(entry.stream))
            disk.write([chain.add(entry.time, entry.kind, payload, entry.transfers)])
        else:
            disk.write([entry])
    return disk


def test_rng_10_verify_finds_a_house_that_chose_the_cutters_itself() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "eve"):
        house.player(player)
    play_round(house, "ann", "eve")
    waiting(house)
    verify(reading(house))

    def choose(happening: Happening) -> Happening:
        if isinstance(happening, ShoeShuffled) and happening.cutters == {"seat-1": "ann", "seat-2": "eve"}:
            return msgspec.structs.replace(happening, cutters={"seat-2": "eve"})
        return happening

    with pytest.raises(Difference, match="players other than those who had the right"):
        verify(reading(house, choose))


def test_rng_10_verify_finds_a_discard_for_which_somebody_else_is_blamed() -> None:
    house = TestHouse(t1=POKER)
    for player in ("ann", "eve"):
        house.player(player)
    cut(house, keeps_back=["eve"])
    house.step()

    def blame(happening: Happening) -> Happening:
        if isinstance(happening, ShoeEnded) and happening.kept_back:
            return msgspec.structs.replace(happening, kept_back={"seat-1": "ann"})
        return happening

    verify(reading(house))
    with pytest.raises(Difference, match="players other than those who kept their numbers back"):
        verify(reading(house, blame))


# --- penetration --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("snapshot_every", [10_000, 1])
def test_rng_7_another_penetration_is_for_the_next_shoe(snapshot_every: int) -> None:
    """A house that saw the cards run against it could otherwise end the shoe."""
    house = TestHouse(snapshot_every, t1=stadium(penetration=0.9))
    house.player("ann")
    play_round(house, "ann")
    play_round(house, "ann")
    first = house.table().shoe
    assert first is not None
    wanted = msgspec.structs.replace(house.table().configured, penetration=0.1)
    house.house.configure(HouseConfig(tables={"t1": wanted}), house.now)
    while first.dealt < 0.1 * first.cards + 10:
        play_round(house, "ann")
    house.run_until("betting")
    assert house.table().shoe is first
    again = house.restarted().tables["t1"]
    assert not again.needs_shoe
    while house.table().shoe is first:
        play_round(house, "ann")
        house.run_until("betting")
    assert first.dealt >= 0.9 * first.cards
    second = house.table().shoe
    assert second is not None
    assert second.penetration == 0.1


def test_rng_10_a_shoe_that_was_shuffled_when_nobody_sat_at_the_table_serves_one_round() -> None:
    house = TestHouse(t1=stadium())
    house.run_until("betting")
    house.player("ann")
    play_round(house, "ann")
    assert may_cut(house) == ["ann"]


# --- over the wire ------------------------------------------------------------------------------------------------------

ATTACKED: HouseConfig = msgspec.structs.replace(
    CONFIG,
    tables={
        "t1": msgspec.structs.replace(
            QUICK, game=POKER.game, options={"limits": {"ante": [100, 100_000]}}, result_seconds=0, shuffle_seconds=0.2
        )
    },
)


async def follow_cuts(terminal: Client, follow: Callable[[Shoe, str], Awaitable[None]]) -> None:
    """Calls `follow` with every view of a shoe that is being cut."""
    while True:
        seen, seat = terminal.changes, terminal.seat
        if seat is not None and seat.seat is not None and terminal.view.shoe is not None:
            with suppress(Refused):
                await follow(terminal.view.shoe, f"seat-{seat.seat}")
        await terminal.changed(since=seen)


async def attack(served: Served, over: asyncio.Event) -> None:
    """A guest who bets, commits, never opens and takes another seat; once barred, the next guest comes."""
    while not over.is_set():
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:

            async def commit_and_move(shoe: Shoe, seat: str, terminal: Client = terminal) -> None:
                if shoe.cut == "committing" and seat in shoe.may_cut and seat not in shoe.cutters:
                    await terminal.do(CommitCut, shoe=shoe.number, commitment="ab" * 32)
                elif shoe.cut == "opening" and seat in shoe.cutters:
                    await terminal.leave()
                    await terminal.join()

            def gone(terminal: Client = terminal) -> bool:
                seat = terminal.seat
                return over.is_set() or (seat is not None and seat.no_cut_until > 0)

            await terminal.watch("t1")
            await terminal.join()
            cutting = asyncio.create_task(follow_cuts(terminal, commit_and_move))
            with suppress(Refused, TimeoutError):
                async with asyncio.timeout(20):
                    await play(terminal, {"ante": 500}, gone)
            cutting.cancel()
            with suppress(Refused):
                await terminal.leave()


@on_a_loop
async def test_rng_10_guests_who_never_open_cannot_hold_up_a_house_that_is_served(tmp_path: Path) -> None:
    async with a_house(tmp_path, ATTACKED) as served:
        operator = await served.operator()
        guest, _ = await served.guest()
        over = asyncio.Event()
        attacks = [asyncio.create_task(attack(served, over)) for _ in range(3)]
        dealt_by_ann = set[int]()
        async with await guest.terminal() as ann:
            numbers: dict[int, str] = {}

            async def cut_honestly(shoe: Shoe, seat: str) -> None:
                number = numbers.setdefault(shoe.number, urandom(32).hex())
                if shoe.cut == "committing" and seat in shoe.may_cut and seat not in shoe.cutters:
                    bound = cut_commitment(shoe.commitment, seat, number)
                    await ann.do(CommitCut, shoe=shoe.number, commitment=bound)
                elif shoe.cut == "opening" and seat in shoe.cutters:
                    await ann.do(OpenCut, shoe=shoe.number, number=number)
                elif shoe.cut == "done" and seat in shoe.cutters:
                    dealt_by_ann.add(shoe.number)

            await ann.watch("t1")
            await ann.join()
            cutting = asyncio.create_task(follow_cuts(ann, cut_honestly))
            async with asyncio.timeout(120):
                await play(ann, {"ante": 500}, lambda: ann.view.round >= 6)
            cutting.cancel()
            over.set()
            await asyncio.gather(*attacks)
        table = served.house.tables["t1"]
        assert table.cutting.discarded > 0
        assert len(dealt_by_ann) >= 4
        events = await operator.get("/api/events", kind="shoe-discarded")
        assert len(events.body) == table.cutting.discarded
        shoes = await guest.get("/api/shoes", table="t1")
        kept_back = [shoe for shoe in shoes.body if shoe["kept_back"]]
        assert len(kept_back) == table.cutting.discarded
        proof = (await guest.get("/api/proof", table="t1", shoe=kept_back[0]["number"])).body
        assert proof["dealt"] == ""
        assert set(proof["cut_commitments"]) == set(proof["numbers"])
