"""`podium verify`: what was checked, or the first difference."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from podium.cli.data import complain, opened, tell_house
from podium.cli.proving import proved
from podium.client.witness import Unreachable, WitnessSource
from podium.house.checkpoints import Witnessed, compare, read_named
from podium.house.events import Noted
from podium.house.verify import Difference, Verified
from podium.record.store import Damaged, Reading, Unavailable
from podium.record.store.address import is_address

PROVED = 0


def verify_house(where: str, witnesses: Sequence[str] = (), trusted: Sequence[str] = (), *, keys: str = "") -> int:
    """Proves a house's data, compares it with what witnesses have seen, and prints what was checked."""
    sources = [WitnessSource(each, os.urandom, trusted) for each in witnesses]
    try:
        for source in sources:
            source.fetch()
        with opened(where, may_be_empty=True) as book, book.at_one_moment() as still:
            _check_not_emptied(still)
            verified = proved(still, where, keys)
            witnessed = [(source, _compared(still, source)) for source in sources]
    except (Difference, Damaged, Unavailable, Unreachable) as difference:
        if isinstance(difference, Difference | Damaged) and not is_address(where):
            tell_house(where, Noted("integrity-failed", "podium verify", reason=str(difference)))
        return complain(str(difference))
    for line in (*lines(verified), *(seen_by(*each) for each in witnessed), "No difference was found."):
        print(line)
    return PROVED


def _check_not_emptied(book: Reading) -> None:
    """Refuses a book without entries: a house writes the first one when it makes the book, so it was emptied."""
    if not book.heads():
        raise Difference("The book holds no entry at all: whatever this house recorded is gone (EVT-4).")


def _compared(book: Reading, source: WitnessSource) -> Witnessed:
    """Compares the record with the last that a witness saw. If they differ, its history says since when."""
    named = read_named(book)
    latest = source.latest(named.signers)
    try:
        return compare(book, latest, named)
    except Damaged:
        with suppress(Unreachable):
            compare(book, [*source.history(), *latest], named)
        raise


def seen_by(source: WitnessSource, witnessed: Witnessed) -> str:
    when = "" if witnessed.seconds is None else f", last at {datetime.fromtimestamp(witnessed.seconds, UTC):%F %T} UTC"
    checked = "" if source.is_checked else " Its signatures were not checked: --witness-key was not given."
    return (
        f"Witness: {_count(witnessed.entries, 'entry')} of {_count(witnessed.streams, 'stream')} seen{when}; none was altered "
        f"since. {_count(witnessed.later, 'entry')} not seen yet.{checked}"
    )


def lines(verified: Verified) -> Iterator[str]:
    store = verified.store
    yield f"Journal: {_count(store.entries, 'entry')} in {_count(store.streams, 'stream')}; every hash chain is whole."
    if verified.archives:
        yield (
            f"Archives: {_count(verified.archives, 'file')} with {_count(verified.archived, 'entry')}, each as the house filed its "
            "digest."
        )
    yield (
        f"Ledger: {_count(store.transfers, 'transfer')} between {_count(store.accounts, 'account')}; every one is in "
        "the journal and happened once, and every balance is the sum of its transfers. All accounts add up to zero."
    )
    yield (
        f"Documents: {_count(verified.documents, 'version')}, each as the journal has its digest; "
        f"{_count(verified.tickets, 'ticket')}, each as the ledger paid for it and paid it."
    )
    if verified.stamped:
        yield (
            f"Stamps: {_count(verified.stamped, 'document')} that let somebody in, each filed by the house itself. "
            f"It stamps since entry {verified.stamped_since} of its stream."
        )
    if verified.checkpoints:
        yield (
            f"Checkpoints: {_count(verified.checkpoints, 'stream')} signed by the house; "
            f"{_count(verified.signed, 'entry')} are as they were signed, {_count(verified.unsigned, 'entry')} not signed yet."
        )
    yield (
        f"Rounds: {_count(verified.rounds, 'round')} at {_count(verified.tables, 'table')}; each replays to the same "
        "settlement and the same transfers, by the rules whose fingerprint it records."
    )
    if verified.in_play:
        yield f"In play: {_count(verified.in_play, 'round')} replayed as far as recorded."
    yield (
        f"Shuffles: {_count(verified.shoes, 'shoe')} laid open; each is the one that was committed to, and the "
        f"{_count(verified.cards, 'card')} dealt are its cards in order."
    )
    yield from _face_down(verified)
    if verified.live_shoes:
        yield f"Live dealers loaded {_count(verified.live_shoes, 'shoe')}, each counted."
    yield "The ends of the streams, to be noted elsewhere:"
    for stream, head in verified.heads.items():
        yield f"  {stream} {head.sequence} {head.hash.hex()}"


def _face_down(verified: Verified) -> Iterator[str]:
    closed = verified.in_use - verified.opened_with_key
    if verified.opened_with_key:
        yield f"In use: {_count(verified.opened_with_key, 'shoe')} checked under the seal with the seal's key."
    if closed:
        yield f"In use: {_count(closed, 'shoe')} not checked, for want of the seal's key (see --keys)."


def _count(number: int, what: str) -> str:
    words = what if number == 1 else f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {words}"
