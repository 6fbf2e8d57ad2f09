"""`podium verify`: what was checked, or the first difference."""

from collections.abc import Iterator

from podium.cli.data import complain, is_address, opened, seal_of, tell_house
from podium.house.events import Noted
from podium.house.verify import Difference, Verified, verify
from podium.record.store import Damaged, Unavailable

PROVED = 0


def verify_house(where: str, keys: str = "") -> int:
    """Prove a house's data and print what was checked."""
    try:
        with opened(where) as book, book.at_one_moment() as still:
            verified = verify(still, seal_of(where, keys))
    except (Difference, Damaged, Unavailable) as difference:
        if not isinstance(difference, Unavailable) and not is_address(where):
            tell_house(where, Noted("integrity-failed", "podium verify", reason=str(difference)))
        return complain(str(difference))
    for line in lines(verified):
        print(line)
    return PROVED


def lines(verified: Verified) -> Iterator[str]:
    store = verified.store
    yield f"Journal: {_count(store.entries, 'entry')} in {_count(store.streams, 'stream')}; every hash chain is whole."
    yield (
        f"Ledger: {_count(store.transfers, 'transfer')} between {_count(store.accounts, 'account')}; every one is in "
        "the journal and happened once, and every balance is the sum of its transfers. All accounts add up to zero."
    )
    yield (
        f"Documents: {_count(verified.documents, 'version')}, each as the journal has its digest; "
        f"{_count(verified.tickets, 'ticket')}, each as the ledger paid for it and paid it."
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
    yield "No difference was found."


def _face_down(verified: Verified) -> Iterator[str]:
    closed = verified.in_use - verified.opened_with_key
    if verified.opened_with_key:
        yield f"In use: {_count(verified.opened_with_key, 'shoe')} checked under the seal with the seal's key."
    if closed:
        yield f"In use: {_count(closed, 'shoe')} not checked, for want of the seal's key (see --keys)."


def _count(number: int, what: str) -> str:
    words = what if number == 1 else f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {words}"
