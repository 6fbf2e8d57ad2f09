"""Double entry (LED-1, LED-2, GAME-1) and the meters that follow from it (MTR-1 to MTR-3)."""

from collections import Counter
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.refusal import Refused
from podium.record.ledger import (
    NEVER_NEGATIVE,
    Account,
    Ledger,
    LedgerFault,
    RoundFlow,
    Transfer,
    TransferKind,
    account,
    changes,
    kind_of,
    names_of,
    never_negative,
    read_account,
    with_flow,
)
from podium.record.meters import Meters
from tests.metering import read_meters

CAGE, ANN, BOB = account("cage", "desk"), account("credit", "ann"), account("credit", "bob")
PLAY, BANK = account("in-play", "t1", "ann"), account("bank", "t1")
ACCOUNTS = [CAGE, ANN, BOB, PLAY, BANK, account("tickets"), account("tips", "dora"), account("attendant", "ann")]


def move(
    name: str, debit: Account, credit: Account, amount: int, kind: TransferKind = "adjustment", **about: Any
) -> Transfer:
    return Transfer(name, debit, credit, amount, kind, **about)


transfers = st.builds(
    move,
    name=st.sampled_from([f"id-{number}" for number in range(40)]),
    debit=st.sampled_from(ACCOUNTS),
    credit=st.sampled_from(ACCOUNTS),
    amount=st.integers(1, 1_000),
    kind=st.sampled_from(get_args(TransferKind)),
    table=st.sampled_from(["t1", "t2"]),
    round=st.sampled_from(["1", "2", "3"]),
).filter(lambda transfer: transfer.debit != transfer.credit)


def test_an_account_is_typed_and_reads_back() -> None:
    in_play = account("in-play", "dynasty-1", "ann")
    assert (kind_of(in_play), names_of(in_play)) == ("in-play", ("dynasty-1", "ann"))
    assert read_account("in-play/dynasty-1/ann") == in_play
    assert (kind_of(account("tickets")), names_of(account("tickets"))) == ("tickets", ())


@pytest.mark.parametrize(
    "text", ["", "purse/ann", "credit", "credit/", "credit/ann/bob", "credit/a b", "tickets/x", "credit/-a"]
)
def test_what_is_no_account_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not an account"):
        read_account(text)


@given(st.lists(transfers, max_size=60))
def test_led_1_the_sum_of_all_accounts_is_zero_after_every_posting(sent: list[Transfer]) -> None:
    """And GAME-1: no credit is ever negative; and a refused posting changes nothing."""
    ledger = Ledger()
    for transfer in sent:
        before = dict(ledger)
        try:
            ledger.post(transfer)
        except (Refused, LedgerFault):
            assert dict(ledger) == before
        assert sum(amount for _, amount in ledger) == 0
        assert all(amount >= 0 for name, amount in ledger if never_negative(name))


@given(st.lists(transfers, max_size=40))
def test_led_2_every_transfer_happens_once_however_often_it_is_sent(sent: list[Transfer]) -> None:
    once, often = Ledger(), Ledger()
    posted: set[str] = set()
    for transfer in sent:
        try:
            once.post(transfer)
        except (Refused, LedgerFault):
            continue
        assert often.post(transfer) == (() if transfer.id in posted else (transfer,))
        assert often.post(transfer, transfer) == ()
        posted.add(transfer.id)
    assert dict(often) == dict(once)


@given(st.lists(transfers, max_size=40))
def test_balances_are_the_sum_of_the_posted_transfers(sent: list[Transfer]) -> None:
    ledger = Ledger()
    posted: list[Transfer] = []
    for transfer in sent:
        try:
            posted += ledger.post(transfer)
        except (Refused, LedgerFault):
            continue
    assert dict(ledger) == {name: amount for name, amount in changes(posted).items() if amount}
    assert dict(Ledger(ledger)) == dict(ledger)


def test_led_2_another_transfer_under_the_same_id_is_a_fault() -> None:
    ledger = Ledger()
    ledger.post(move("a", CAGE, ANN, 100))
    with pytest.raises(LedgerFault, match="LED-2"):
        ledger.post(move("a", CAGE, ANN, 101))
    with pytest.raises(LedgerFault, match="LED-2"):
        ledger.post(move("b", CAGE, ANN, 1), move("b", CAGE, ANN, 2))
    assert ledger[ANN] == 100


def test_game_1_credit_cannot_be_overdrawn_by_several_at_once() -> None:
    ledger = Ledger()
    ledger.post(move("in", CAGE, ANN, 100))
    with pytest.raises(Refused, match=r"credit/ann holds 1\.00, less than the 1\.20"):
        ledger.post(move("a", ANN, PLAY, 60), move("b", ANN, PLAY, 60))
    ledger.post(move("a", ANN, PLAY, 60))
    with pytest.raises(Refused, match=r"holds 0\.40"):
        ledger.post(move("b", ANN, PLAY, 60))
    assert (ledger[ANN], ledger[PLAY]) == (40, 60)


def test_a_bank_and_a_cage_may_stand_below_zero() -> None:
    ledger = Ledger()
    ledger.post(move("in", CAGE, ANN, 100), move("win", BANK, ANN, 50))
    assert (ledger[CAGE], ledger[BANK], ledger[ANN]) == (-100, -50, 150)
    assert {"cage", "bank"} & NEVER_NEGATIVE == set()


@pytest.mark.parametrize(
    "change",
    [
        {"amount": 0},
        {"amount": -5},
        {"amount": 1.5},
        {"amount": True},
        {"amount": 2**63},
        {"credit": ANN},
        {"id": ""},
        {"kind": "gift"},
        {"debit": "purse/ann"},
    ],
)
def test_a_transfer_that_means_nothing_is_a_fault(change: dict[str, object]) -> None:
    sound = move("a", ANN, PLAY, 5)
    with pytest.raises(LedgerFault):
        Ledger().post(msgspec.structs.replace(sound, **change))


def test_a_forgotten_transfer_is_the_store_s_to_remember() -> None:
    ledger = Ledger()
    bought = move("in", CAGE, ANN, 100)
    ledger.post(bought)
    ledger.forget([bought])
    assert ledger[ANN] == 100
    assert ledger.post(bought) == (bought,)


def test_the_flow_of_a_transfer_that_was_stored_before_it_had_one_is_read_from_its_id() -> None:
    stored = move("t1.17.4.stake_back", PLAY, ANN, 100, "void", table="t1", round="3")
    assert with_flow(stored).flow == "stake_back"
    assert with_flow(msgspec.structs.replace(stored, flow="win")).flow == "win"
    assert with_flow(move("desk/carl/k.stake", CAGE, ANN, 100, "cash-in")).flow == ""
    assert with_flow(move("s1", ANN, PLAY, 100, "stake", table="t1", round="3")).flow == ""


# --- meters -------------------------------------------------------------------------------------------------------------


ROUND = [
    move("1", CAGE, ANN, 10_000, "cash-in"),
    move("2", account("tickets"), BOB, 5_000, "ticket-in"),
    move("3", ANN, PLAY, 1_050, "stake", table="t1", round="1"),
    move("4", BOB, account("in-play", "t1", "bob"), 700, "stake", table="t1", round="1"),
    move("5", PLAY, ANN, 1_000, "stake-back", table="t1", round="1"),
    move("6", BANK, ANN, 1_500, "win", table="t1", round="1"),
    move("7", account("in-play", "t1", "bob"), BANK, 700, "stake-lost", table="t1", round="1"),
    move("8", PLAY, account("tips", "dora"), 50, "tip", table="t1", round="1"),
    move("9", ANN, PLAY, 300, "stake", table="t1", round="2"),
    move("10", PLAY, ANN, 300, "void", table="t1", round="2"),
    move("11", ANN, account("tickets"), 2_000, "ticket-out"),
    move("12", ANN, CAGE, 3_000, "cash-out"),
    move("13", BANK, account("attendant", "bob"), 90_000, "win-held", table="t1", round="3"),
    move("14", account("electronic"), BOB, 70, "electronic-in"),
    move("15", BOB, account("electronic"), 30, "electronic-out"),
]


def test_mtr_1_the_meters_of_a_house() -> None:
    assert read_meters(ROUND) == Meters(
        coin_in=2_050,
        coin_out=2_850,
        drop=15_000,
        bills_in=10_000,
        vouchers_in=5_000,
        vouchers_out=2_000,
        attendant_paid_jackpots=90_000,
        attendant_paid_cancelled_credits=3_000,
        electronic_transfers_in=70,
        electronic_transfers_out=30,
        tips=50,
        games_played=2,
        games_won=2,
    )


def test_mtr_1_a_meter_shows_ten_digits_and_begins_again() -> None:
    shown = Meters(coin_in=12_345_678_901, drop=7).shown()
    assert (shown["coin_in"], shown["drop"]) == ("2345678901", "0000000007")


FLOWS: dict[RoundFlow, tuple[Account, Account, tuple[str, ...]]] = {
    "stake": (ANN, PLAY, ("coin_in",)),
    "stake_back": (PLAY, ANN, ("coin_out",)),
    "win": (BANK, ANN, ("coin_out",)),
    "tip_of_stake": (PLAY, account("tips", "dora"), ("coin_out", "tips")),
    "tip_of_win": (BANK, account("tips", "dora"), ("coin_out", "tips")),
    "stake_lost": (PLAY, BANK, ()),
    "win_held": (BANK, account("attendant", "ann"), ("attendant_paid_jackpots",)),
}
flowing = st.tuples(st.sampled_from(sorted(FLOWS)), st.integers(-900, 900).filter(bool), st.sampled_from(["t1", "t2"]))


@given(st.lists(flowing, max_size=60))
def test_mtr_2_every_meter_equals_the_sum_over_the_ledger(flowed: list[tuple[RoundFlow, int, str]]) -> None:
    """And MTR-3: what goes back is counted back, whatever it is called."""
    sent, sums = [], Counter[str]()
    for number, (flow, amount, table) in enumerate(flowed):
        source, target, meters = FLOWS[flow]
        debit, credit = (source, target) if amount > 0 else (target, source)
        about: dict[str, Any] = {"table": table, "round": "1", "flow": flow}
        sent.append(move(str(number), debit, credit, abs(amount), "correction", **about))
        sums.update(dict.fromkeys(meters, amount))
    shown = msgspec.structs.asdict(read_meters(sent))
    assert {name: shown[name] for name in sums} == dict(sums)
    by_table = [read_meters([moved for moved in sent if moved.table == table]) for table in ("t1", "t2")]
    for name, value in shown.items():
        assert value == sum(getattr(table, name) for table in by_table)
