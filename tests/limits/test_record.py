"""What the record holds in memory while it is written and read."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.record import limits
from podium.record.fair import Cut
from podium.record.journal import Chain
from podium.record.ledger import Account, Ledger, Transfer, account, read_account
from podium.record.store import Append, GroupCommit, open_book, prove_end
from tests.history import some_history
from tests.terminal import on_a_loop


@on_a_loop
async def test_a_transaction_is_closed_when_it_has_enough_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_ROWS_PER_WRITE."""
    monkeypatch.setattr(limits, "MAX_ROWS_PER_WRITE", 3)
    book, go = open_book(tmp_path / "house.db"), threading.Event()
    write, sizes = book.write, list[int]()

    def counted(appends: Sequence[Append]) -> list[Exception | None]:
        go.wait()
        sizes.append(len(appends))
        return write(appends)

    book.write = counted  # type: ignore[method-assign]
    store, chain = GroupCommit(book), Chain("t1")
    waiting = [asyncio.create_task(store.append([chain.add(1, "x")])) for _ in range(10)]
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(*waiting)
    await store.close()
    assert sum(sizes) == 10
    assert max(sizes) == 3


def test_the_names_of_accounts_are_remembered_up_to_a_limit() -> None:
    """MAX_REMEMBERED_ACCOUNT_NAMES."""
    for remembered in (account, read_account):
        assert remembered.cache_info().maxsize == limits.MAX_REMEMBERED_ACCOUNT_NAMES


def test_only_so_many_terminals_cut_a_shoe() -> None:
    """MAX_CUTTERS_PER_SHOE."""
    cut = Cut("")
    for number in range(limits.MAX_CUTTERS_PER_SHOE):
        cut.commit(f"t{number}", "ab" * 32)
    with pytest.raises(Refused, match="cut this shoe already"):
        cut.commit("late", "ab" * 32)
    assert len(cut.committed) == limits.MAX_CUTTERS_PER_SHOE


def test_a_start_proves_only_the_end_of_a_long_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_PROVED_ENTRIES_PER_STREAM, counted."""
    book, chain = open_book(tmp_path / "house.db"), Chain("t2")
    some_history(book)
    assert book.write([Append([chain.add(1, "x") for _ in range(500)])]) == [None]
    monkeypatch.setattr(limits, "MAX_PROVED_ENTRIES_PER_STREAM", 20)
    entries, read = book.entries, list[int]()

    def counted(stream: str, after: int = 0, limit: int = 10_000) -> list[object]:
        found = entries(stream, after, limit)
        read.extend(entry.sequence for entry in found if entry.stream == "t2")
        return list(found)

    book.entries = counted  # type: ignore[method-assign, assignment]
    prove_end(book)
    book.close()
    assert len(set(read)) == 21  # and the entry before, whose hash the first one follows


def test_an_account_at_zero_is_not_kept_in_memory() -> None:
    """A ledger grows with those who have money, not with all who ever had."""
    ledger, cage = Ledger(), account("cage", "main")
    for number in range(100):
        credit = account("credit", f"p{number}")
        ledger.post(Transfer(f"in{number}", cage, credit, 5, "cash-in"))
        if number:
            ledger.post(Transfer(f"out{number}", credit, cage, 5, "cash-out"))
    assert dict(ledger) == {cage: -5, Account("credit/p0"): 5}
    assert len(ledger._balances) == 2


@on_a_loop
async def test_a_small_question_does_not_wait_for_a_long_one(tmp_path: Path) -> None:
    """A request for money is looked up in the ledger while somebody reads a report."""
    store, go = GroupCommit(open_book(tmp_path / "house.db")), threading.Event()
    report = asyncio.create_task(store.read(lambda book: go.wait()))
    await asyncio.sleep(0)
    assert await store.find(lambda book: book.transfer("nothing")) is None
    assert not report.done()
    go.set()
    await report
    await store.close()
