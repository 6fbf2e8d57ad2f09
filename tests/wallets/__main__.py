"""`python -m tests.wallets` goes through every state of larger worlds than the tests do; some take minutes and gigabytes."""

import sys
import time

from tests.wallets.exploring import explore
from tests.wallets.model import Settings

WORLDS = [
    Settings(orders=frozenset({"bet-x", "out"}), credit=1, corrects=True),
    Settings(orders=frozenset({"bet-x", "in", "out"}), credit=1),
    Settings(orders=frozenset({"bet-x", "out"}), credit=1, moves=True),
    Settings(orders=frozenset({"bet-x", "out"}), credit=1, faults=2),
    Settings(faults=0),
    Settings(orders=frozenset({"bet-x", "bet-y"}), credit=2),
]


def main() -> int:
    for settings in WORLDS:
        began = time.monotonic()
        found = explore(settings)
        print(
            f"{', '.join(sorted(settings.orders))}; credit {settings.credit}, faults {settings.faults},"
            f" corrections {settings.corrects}, moves {settings.moves}: {found.states:,} states in"
            f" {time.monotonic() - began:.0f} s. {found.violation or 'Everything holds.'}",
            flush=True,
        )
        if found.violation:
            print("\n".join(found.path))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
