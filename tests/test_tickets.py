"""Tickets (TKT-1 to TKT-3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.refusal import Refused
from podium.house.tickets import Ticket, draw_number, issue, make_void, read_number, redeem, shown_number
from podium.record.ledger import Ledger, LedgerFault, account
from tests.entropy import repeatable
from tests.ticket_numbers import ticket_numbers

ANN, BOB, CAGE = account("credit", "ann"), account("credit", "bob"), account("cage", "desk")
DRAWN = ticket_numbers("ticket").draw("k1")
NUMBER = DRAWN.number
DAY = 86_400_000
SOLD, PAID = issue(
    DRAWN, request="k1", worth=700, paid_from=CAGE, site="Hall 1", terminal="desk", now=1_000, valid_for=30 * DAY
)

digits = st.text("0123456789", min_size=18, max_size=18)


def test_tkt_1_a_ticket_carries_all_that_is_asked() -> None:
    assert (SOLD.site, SOLD.terminal, SOLD.issued, SOLD.amount, SOLD.expires) == (
        "Hall 1",
        "desk",
        1_000,
        700,
        1_000 + 30 * DAY,
    )
    assert (PAID.debit, PAID.credit, PAID.amount, PAID.kind) == (CAGE, account("tickets"), 700, "ticket-sold")
    assert read_number(shown_number(NUMBER)) == read_number(NUMBER.replace("", "-")) == NUMBER


def test_tkt_1_numbers_are_unguessable_and_never_stored() -> None:
    entropy = repeatable("many")
    numbers = {draw_number(entropy) for _ in range(2_000)}
    assert len(numbers) == 2_000
    assert {len(number) for number in numbers} == {20}
    # every digit of the random part comes equally often, as far as one can see
    for place in range(18):
        assert len({number[place] for number in numbers}) == 10
    assert NUMBER not in str(SOLD)
    assert NUMBER not in str(PAID)


def test_tkt_1_a_draw_that_would_favour_a_number_is_drawn_again() -> None:
    drawn = iter([(2**64 - 1).to_bytes(8), (18 * 10**18).to_bytes(8), (123).to_bytes(8)])
    assert draw_number(lambda _: next(drawn))[:18] == "000000000000000123"


@given(st.integers(0, 19), st.integers(1, 9))
def test_tkt_1_every_wrong_digit_is_found(place: int, change: int) -> None:
    wrong = NUMBER[:place] + str((int(NUMBER[place]) + change) % 10) + NUMBER[place + 1 :]
    with pytest.raises(Refused, match="wrong digit"):
        read_number(wrong)


@given(st.integers(0, 18))
def test_tkt_1_two_digits_that_changed_places_are_found(place: int) -> None:
    first, second = NUMBER[place], NUMBER[place + 1]
    swapped = NUMBER[:place] + second + first + NUMBER[place + 2 :]
    if first == second:
        assert read_number(swapped) == NUMBER
    else:
        with pytest.raises(Refused, match="wrong digit"):
            read_number(swapped)


@pytest.mark.parametrize("text", ["", "123", "x" * 20, "1" * 21, "\u0661" * 20])
def test_tkt_2_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="20 digits"):
        read_number(text)


def test_tkt_2_a_ticket_is_redeemed_once() -> None:
    redeemed, paid = redeem(SOLD, DRAWN, paid_to=ANN, terminal="t4", now=2_000)
    assert (redeemed.state, redeemed.settled, redeemed.settled_at) == ("redeemed", 2_000, "t4")
    assert (paid.debit, paid.credit, paid.amount, paid.kind) == (account("tickets"), ANN, 700, "ticket-in")
    with pytest.raises(Refused, match="already redeemed, at t4"):
        redeem(redeemed, DRAWN, paid_to=BOB, terminal="t5", now=3_000)


def test_tkt_3_two_terminals_at_the_same_moment_pay_once() -> None:
    """Both have read the same record; the transfer's id is the ticket's own."""
    ledger = Ledger()
    ledger.post(PAID)
    ledger.post(redeem(SOLD, DRAWN, paid_to=ANN, terminal="t4", now=2_000)[1])
    with pytest.raises(LedgerFault, match="LED-2"):
        ledger.post(redeem(SOLD, DRAWN, paid_to=BOB, terminal="t5", now=2_000)[1])
    with pytest.raises(LedgerFault, match="LED-2"):
        ledger.post(make_void(SOLD, paid_to=CAGE, terminal="desk", now=2_000, who="carl")[1])
    assert (ledger[ANN], ledger[BOB], ledger[account("tickets")]) == (700, 0, 0)


def test_tkt_2_unknown_expired_and_void_tickets_are_refused_with_the_reason() -> None:
    other = ticket_numbers("another").draw("k2")
    with pytest.raises(Refused, match="unknown here"):
        redeem(None, DRAWN, paid_to=ANN, terminal="t4", now=2_000)
    with pytest.raises(Refused, match="unknown here"):
        redeem(SOLD, other, paid_to=ANN, terminal="t4", now=2_000)
    with pytest.raises(Refused, match="expired"):
        redeem(SOLD, DRAWN, paid_to=ANN, terminal="t4", now=SOLD.expires)
    void, _ = make_void(SOLD, paid_to=CAGE, terminal="desk", now=2_000, who="carl")
    with pytest.raises(Refused, match="made void"):
        redeem(void, DRAWN, paid_to=ANN, terminal="t4", now=2_000)
    with pytest.raises(Refused, match="only an outstanding"):
        make_void(void, paid_to=CAGE, terminal="desk", now=2_000, who="carl")
    assert isinstance(redeem(SOLD, DRAWN, paid_to=ANN, terminal="t4", now=SOLD.expires - 1)[0], Ticket)


def test_a_ticket_from_credit_and_a_ticket_for_cash_are_different_transfers() -> None:
    _, out = issue(DRAWN, request="k1", worth=5, paid_from=ANN, site="Hall 1", terminal="t4", now=0, valid_for=DAY)
    _, cashed = redeem(SOLD, DRAWN, paid_to=CAGE, terminal="desk", now=2_000, who="carl")
    assert (out.kind, out.debit, cashed.kind, cashed.credit, cashed.who) == (
        "ticket-out",
        ANN,
        "ticket-cashed",
        CAGE,
        "carl",
    )
    assert (out.id, cashed.id) == ("k1", f"ticket/{SOLD.key}/in")
    with pytest.raises(Refused, match="a whole number of minor units, 1 or more"):
        issue(DRAWN, request="k1", worth=0, paid_from=ANN, site="Hall 1", terminal="t4", now=0, valid_for=DAY)
