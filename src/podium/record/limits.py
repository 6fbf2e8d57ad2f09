"""The limits of the record, and what happens when they are reached.

docs/limits.md is written from this module by `make docs`.
"""

from typing import Final

MAX_ROWS_PER_WRITE: Final = 2_000
"""Entries and documents written in one transaction. At the limit: the transaction is closed, and what follows goes into the next one."""
MAX_REMEMBERED_ACCOUNT_NAMES: Final = 100_000
"""Account names remembered as checked. At the limit: the least recently used one is checked again."""
MAX_CUTTERS_PER_SHOE: Final = 16
"""Terminals that cut one shoe: enough that players know one of them, few enough that all of them answer. At the limit: a
further commitment is refused.
"""
MAX_PROVED_ENTRIES_PER_STREAM: Final = 1_000
"""Entries of each stream, from its end, whose hashes and money are proved at a start. At the limit: older entries are left to
`podium verify`.
"""
MAX_ROUNDS_IN_A_METER: Final = 32
"""Rounds of one table whose players a meter remembers, so that a game counts once although the round is settled again. At the
limit: the games of the oldest round are counted for good.
"""
MAX_STORE_AWAY_SECONDS: Final = 60
"""Seconds for which a house waits for a store that has lost its connection; play stands still meanwhile. At the limit:
the house stops, and recovers from its journal when it is started again."""
MAX_ENTRIES_PER_ARCHIVE: Final = 1_000_000
"""Entries in one archive. At the limit: what is older than the archive's days goes into a further one."""
MAX_ENTRIES_PER_ARCHIVE_BLOCK: Final = 1_024
"""Entries that are compressed together in an archive. At the limit: the next block begins."""
MAX_ARCHIVE_BLOCK_BYTES: Final = 4_194_304
"""Bytes of these entries. At the limit: the next block begins."""
MAX_ARCHIVE_BLOCKS_IN_MEMORY: Final = 24
"""Blocks of archives that a process keeps when it has read them. At the limit: the one that was used least recently is read again."""
MAX_ARCHIVES_IN_MEMORY: Final = 256
"""Indexes of archives that a process keeps. At the limit: the one that was used least recently is read again."""
MAX_ENTRIES_PRUNED_AT_ONCE: Final = 256
"""Archived entries that are deleted from the book in one transaction. At the limit: the tables are served before the
next ones are deleted."""
