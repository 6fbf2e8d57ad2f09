"""A house that appends as fast as it can, to be killed: `python crashing_house.py WHERE`.

Every line that it prints is an acknowledgement: stream and sequence of an entry that the store has called durable.
"""

import asyncio
import sys
from itertools import count

from podium.record.journal import START, Chain
from podium.record.ledger import Transfer, account
from podium.record.store import GroupCommit, open_book


async def terminal(store: GroupCommit, chain: Chain, number: int) -> None:
    """Buys in, stakes and loses, over and over; each append moves money in one transaction with its entry."""
    credit, play = account("credit", f"p{number}"), account("in-play", "t1", f"p{number}")
    for at in count(chain.head.sequence + 1):
        name = f"{chain.stream}/{at}"
        transfers = (
            Transfer(f"{name}/in", account("cage", "desk"), credit, 100 + at, "cash-in"),
            Transfer(f"{name}/stake", credit, play, 100, "stake", table="t1", round=str(at)),
            Transfer(f"{name}/lost", play, account("bank", "t1"), 100, "stake-lost", table="t1", round=str(at)),
        )
        entry = chain.add(at, "round", b"x" * (at % 300), transfers)
        await store.append([entry])
        sys.stdout.write(f"{entry.stream} {entry.sequence} {entry.hash.hex()}\n")
        sys.stdout.flush()


async def main() -> None:
    store = GroupCommit(open_book(sys.argv[1]))
    heads = await store.read(lambda book: book.heads())
    chains = [Chain(f"s{number}", heads.get(f"s{number}", START)) for number in range(8)]
    await asyncio.gather(*[terminal(store, chain, number) for number, chain in enumerate(chains)])


if __name__ == "__main__":
    asyncio.run(main())
