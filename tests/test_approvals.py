"""Approvals are for one act (SEC-6): what binds them, how long they hold, what makes them void."""

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.basics.words import phrase
from podium.house.pending import Pending
from podium.house.shelf import Shelf
from podium.record.store import Document
from podium.server import limits
from podium.server.approvals import APPROVAL_MS, ASKING_MS, MAX_WRONG_CODES, Act, Approvals
from tests.entropy import repeatable

PAY = Act("carl", "ann", phrase("act.cash-out", player="ann", amount=400), ("adjust",), 400)
OTHERS = [
    msgspec.structs.replace(PAY, asker="cora"),
    msgspec.structs.replace(PAY, place="bob"),
    msgspec.structs.replace(PAY, amount=401),
    msgspec.structs.replace(PAY, said=phrase("act.adjust", player="ann", amount=400, reason="")),
    msgspec.structs.replace(PAY, about="for somebody else"),
]


KEY = bytes(32)


def anybody(name: str, act: Pending) -> bool:
    return True


def paying(amount: int) -> Act:
    return msgspec.structs.replace(PAY, amount=amount, said=phrase("act.cash-out", player="ann", amount=amount))


def empty(shelf: Shelf | None = None, *keys: bytes) -> Approvals:
    """The approvals of a house that keeps its documents on that shelf."""
    shelf = shelf if shelf is not None else Shelf()
    return Approvals(repeatable(f"approvals {shelf.count(Pending)}"), shelf, keys or (KEY,))


def after_restart(documents: list[Document], *keys: bytes) -> Approvals:
    """The approvals of a house that comes back from the documents that it has stored."""
    shelf = Shelf()
    shelf.load(documents)
    return empty(shelf, *keys)


def asked(act: Act = PAY, now: int = 0, shelf: Shelf | None = None) -> tuple[Approvals, str]:
    """An act that waits, and its key."""
    approvals = empty(shelf)
    with pytest.raises(Refused, match="A second person must approve this first"):
        approvals.take(act, "", now, anybody)
    [waiting] = approvals.waiting_for("sue", now, anybody)
    return approvals, waiting.key


def test_sec_6_an_act_that_was_accepted_is_done_once() -> None:
    approvals, key = asked()
    approvals.decide(key, "sue", 1, anybody, accept=True)
    assert approvals.take(PAY, "", 2, anybody) == "sue"
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(PAY, "", 3, anybody)


@pytest.mark.parametrize("other", OTHERS, ids=["asker", "account", "amount", "kind", "detail"])
def test_sec_6_an_approval_fits_no_other_act(other: Act) -> None:
    approvals, key = asked()
    approvals.decide(key, "sue", 1, anybody, accept=True)
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(other, "", 2, anybody)
    assert approvals.take(PAY, "", 2, anybody) == "sue"


@pytest.mark.parametrize("other", OTHERS, ids=["asker", "account", "amount", "kind", "detail"])
def test_sec_6_a_code_fits_no_other_act(other: Act) -> None:
    approvals, key = asked()
    code = approvals.give_code(key, "sue", 1, anybody)[0]
    with pytest.raises(Refused, match="does not fit this request"):
        approvals.take(other, code, 2, anybody)
    assert approvals.take(PAY, code, 2, anybody) == "sue"
    with pytest.raises(Refused, match="does not fit this request"):
        approvals.take(PAY, code, 2, anybody)


def test_sec_6_an_approval_and_a_code_hold_for_two_minutes() -> None:
    approvals, key = asked()
    approvals.decide(key, "sue", 0, anybody, accept=True)
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(PAY, "", APPROVAL_MS, anybody)
    [again] = approvals.waiting_for("sue", APPROVAL_MS, anybody)
    code = approvals.give_code(again.key, "sue", APPROVAL_MS, anybody)[0]
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(PAY, "", APPROVAL_MS + 1, anybody)  # asking again does not make a code last longer
    with pytest.raises(Refused, match="That code has expired"):
        approvals.take(PAY, code, 2 * APPROVAL_MS, anybody)


def test_sec_6_a_request_that_nobody_looks_at_is_forgotten() -> None:
    approvals, key = asked()
    assert approvals.waiting_for("sue", ASKING_MS - 1, anybody)
    assert approvals.waiting_for("sue", ASKING_MS, anybody) == []
    with pytest.raises(Refused, match="no longer open"):
        approvals.decide(key, "sue", ASKING_MS, anybody, accept=True)


def test_sec_6_nobody_approves_their_own_request() -> None:
    approvals, key = asked()
    assert approvals.waiting_for("carl", 0, anybody) == []
    with pytest.raises(Refused, match="Nobody approves their own request"):
        approvals.decide(key, "carl", 1, anybody, accept=True)
    with pytest.raises(Refused, match="Nobody approves their own request"):
        approvals.give_code(key, "carl", 1, anybody)


def test_sec_6_what_was_refused_is_not_done_and_may_be_asked_for_again() -> None:
    approvals, key = asked()
    approvals.decide(key, "sue", 1, anybody, accept=False)
    [told] = approvals.asked_by("carl", 1)
    assert (told.state, told.by) == ("refused", "sue")
    with pytest.raises(Refused, match="no longer open"):
        approvals.decide(key, "sam", 1, anybody, accept=True)
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(PAY, "", 2, anybody)
    assert [waiting.key for waiting in approvals.waiting_for("sue", 2, anybody)] != [key]


@pytest.mark.parametrize("person", ["carl", "sue"])
@pytest.mark.parametrize("by_code", [False, True])
def test_sec_6_an_approval_ends_with_either_s_account(person: str, by_code: bool) -> None:
    approvals, key = asked()
    code = ""
    if by_code:
        code = approvals.give_code(key, "sue", 1, anybody)[0]
    else:
        approvals.decide(key, "sue", 1, anybody, accept=True)
    approvals.void(person, 1)
    with pytest.raises(Refused):
        approvals.take(PAY, code, 2, anybody)


@pytest.mark.parametrize("by_code", [False, True])
def test_sec_6_whoever_may_not_approve_any_more_has_not_approved(by_code: bool) -> None:
    approvals, key = asked()
    code = ""
    if by_code:
        code = approvals.give_code(key, "sue", 1, anybody)[0]
    else:
        approvals.decide(key, "sue", 1, anybody, accept=True)
    with pytest.raises(Refused):
        approvals.take(PAY, code, 2, lambda name, act: name != "sue")
    with pytest.raises(Refused):
        approvals.take(PAY, code, 3, anybody)


def test_sec_6_five_wrong_codes_make_the_code_void() -> None:
    approvals, key = asked()
    code = approvals.give_code(key, "sue", 1, anybody)[0]
    wrong = "000000" if code != "000000" else "000001"
    for _ in range(MAX_WRONG_CODES):
        with pytest.raises(Refused, match="does not fit"):
            approvals.take(PAY, wrong, 2, anybody)
    with pytest.raises(Refused, match="does not fit"):
        approvals.take(PAY, code, 2, anybody)


def test_sec_8_only_so_many_acts_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_PENDING_APPROVALS, MAX_PENDING_APPROVALS_PER_PERSON: nobody's flood hides what others ask for."""
    monkeypatch.setattr(limits, "MAX_PENDING_APPROVALS", 6)
    monkeypatch.setattr(limits, "MAX_PENDING_APPROVALS_PER_PERSON", 4)
    approvals, _ = asked(msgspec.structs.replace(PAY, asker="cora"))
    for amount in range(50):
        with pytest.raises(Refused):
            approvals.take(paying(amount), "", 1, anybody)
    waiting = approvals.waiting_for("sue", 1, anybody)
    assert [(each.asker, each.said.facts["amount"]) for each in waiting] == [
        ("cora", 400),
        *(("carl", amount) for amount in (46, 47, 48, 49)),
    ]
    for asker in ("cleo", "cy", "cid"):
        with pytest.raises(Refused):
            approvals.take(msgspec.structs.replace(PAY, asker=asker), "", 1, anybody)
    assert len(approvals) == 6


# --- a restart ----------------------------------------------------------------------------------------------------------


def test_sec_6_what_waits_and_what_was_accepted_survives_a_restart_and_is_done_once() -> None:
    shelf = Shelf()
    approvals, key = asked(shelf=shelf)
    stored = shelf.take()
    approvals = after_restart(stored)
    assert [waiting.key for waiting in approvals.waiting_for("sue", 1, anybody)] == [key]
    with pytest.raises(Refused, match="Nobody approves their own request"):
        approvals.decide(key, "carl", 1, anybody, accept=True)
    shelf = Shelf()
    shelf.load(stored)
    empty(shelf).decide(key, "sue", 1, anybody, accept=True)
    accepted = [*stored, *shelf.take()]
    shelf = Shelf()
    shelf.load(accepted)
    assert empty(shelf).take(PAY, "", 2, anybody) == "sue"
    with pytest.raises(Refused, match="second person must approve"):
        after_restart([*accepted, *shelf.take()]).take(PAY, "", 3, anybody)


@pytest.mark.parametrize("other", OTHERS, ids=["asker", "account", "amount", "kind", "detail"])
def test_sec_6_after_a_restart_an_approval_fits_no_other_act_either(other: Act) -> None:
    shelf = Shelf()
    approvals, key = asked(shelf=shelf)
    approvals.decide(key, "sue", 1, anybody, accept=True)
    approvals = after_restart(shelf.take())
    with pytest.raises(Refused, match="second person must approve"):
        approvals.take(other, "", 2, anybody)
    assert approvals.take(PAY, "", 2, anybody) == "sue"


def test_sec_6_what_was_void_or_late_is_so_after_a_restart() -> None:
    shelf = Shelf()
    approvals, key = asked(shelf=shelf)
    approvals.decide(key, "sue", 1, anybody, accept=True)
    stored = shelf.take()
    with pytest.raises(Refused, match="second person must approve"):
        after_restart(stored).take(PAY, "", 1 + APPROVAL_MS, anybody)
    approvals.void("sue", 2)
    with pytest.raises(Refused, match="second person must approve"):
        after_restart([*stored, *shelf.take()]).take(PAY, "", 3, anybody)


def test_sec_7_the_book_has_neither_the_code_nor_what_an_approval_is_bound_to() -> None:
    """An act may be about a card that lies face down (CARD-4), and a code would let its reader approve."""
    act = msgspec.structs.replace(PAY, about="the card that lies face down is Ks")
    shelf = Shelf()
    approvals, key = asked(act, shelf=shelf)
    code, _ = approvals.give_code(key, "sue", 1, anybody)
    stored = shelf.take()
    assert stored
    assert not [each for each in stored if b"Ks" in each.body or code.encode() in each.body]
    with pytest.raises(Refused, match="does not fit this request"):
        after_restart(stored).take(act, code, 2, anybody)


def test_sec_7_an_approval_of_before_a_rotation_fits_after_it() -> None:
    shelf = Shelf()
    approvals, key = asked(shelf=shelf)
    approvals.decide(key, "sue", 1, anybody, accept=True)
    stored = shelf.take()
    with pytest.raises(Refused, match="second person must approve"):
        after_restart(stored, bytes([1] * 32)).take(PAY, "", 2, anybody)
    assert after_restart(stored, bytes([1] * 32), KEY).take(PAY, "", 2, anybody) == "sue"


def test_sec_8_pressing_a_button_again_writes_nothing_and_what_is_over_is_forgotten() -> None:
    shelf = Shelf()
    approvals, key = asked(shelf=shelf)
    assert len(shelf.take()) == 1
    for now in (1, 2, 3):
        with pytest.raises(Refused, match="second person must approve"):
            approvals.take(PAY, "", now, anybody)
    assert shelf.take() == []
    assert approvals.over(3) == []
    assert [each.key for each in approvals.over(ASKING_MS)] == [key]
