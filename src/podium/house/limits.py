"""The limits of a house: how many tables, people, players and documents it holds in memory, and what happens at the limit.

docs/limits.md is written from this module by `make docs`.
"""

from typing import Final

# --- tables -------------------------------------------------------------------------------------------------------------

MAX_TABLES: Final = 500
"""Tables of a house. At the limit: a configuration with more tables is refused."""
MAX_SEATS_PER_TABLE: Final = 20_000
"""Players who sit at one table, where its game does not set a lower number. At the limit: nobody else can sit down."""
MAX_BOXES_PER_PLAYER: Final = 7
"""Boxes of one player at one table that a configuration may allow. At the limit: the configuration is refused."""
MAX_TABLES_PER_PLAYER: Final = 4
"""Tables at which one player sits, and that one terminal watches. At the limit: another table is refused; leave one first."""
MAX_BETS_PER_ROUND: Final = 100
"""Times that a bet is placed or changed at one box in one round. At the limit: the bet stays as it is, and a change is refused."""
MAX_SHOWN_ROUNDS_PER_TABLE: Final = 50
"""Past rounds of a table that are kept to be shown. At the limit: the oldest is forgotten; the journal has all of them."""
MAX_ENDED_SHOES_PER_TABLE: Final = 1_000
"""Shoes of a table that have ended and can be asked for their proof. At the limit: the oldest is forgotten; `podium verify`
proves all of them.
"""
MAX_ROUNDS_OF_A_CUT_RIGHT: Final = 20
"""Rounds in which a wager gives the right to cut the table's shoes. At the limit: the right ends; the next wager gives it again."""
MAX_BARS_PER_TABLE: Final = 10_000
"""People and devices that may not cut at a table for a time, because they kept a number back. At the limit: the bar that ends
first is forgotten.
"""

# --- people and money ---------------------------------------------------------------------------------------------------

MAX_PLAYERS: Final = 100_000
"""Players in memory: those with money, a seat or a session. At the limit: nobody new is admitted. A player who has money is
never forgotten.
"""
MAX_PEOPLE: Final = 100_000
"""Accounts of staff and of players with a card. At the limit: nobody else is enrolled."""
MAX_TERMINALS: Final = 20_000
"""Terminals that are enrolled and not dismissed. At the limit: no other terminal is enrolled."""
MAX_REMEMBERED_REQUESTS: Final = 100_000
"""Requests that moved money, remembered by their keys. At the limit: the oldest is forgotten, and looked up in the ledger when
its key is used again: it does not happen twice (LED-2).
"""
MAX_REMEMBERED_TICKETS: Final = 10_000
"""Tickets in memory. At the limit: the one that was used least recently is forgotten, and read from the store when it is shown again."""

# --- the house's own stream, and those of the tables ---------------------------------------------------------------------

MAX_ENTRIES_BETWEEN_SNAPSHOTS: Final = 10_000
"""Entries of a stream between two snapshots, or as many as a snapshot of the house has names, if that is more.

At the limit: a snapshot of the house (`house-stood`), or of the table with its next round (`table-stood`), is written into the
stream, and a start replays only what follows.
"""
MAX_FORGOTTEN_AT_ONCE: Final = 1_000
"""Players and documents that one entry drops from memory. At the limit: a later entry drops the others."""

# --- money --------------------------------------------------------------------------------------------------------------

MAX_AMOUNT: Final = 10**12
"""An amount in the configuration, in minor units. At the limit: the configuration is refused. The house's own `desk_limit` is
checked for each act at the desk.
"""

MAX_COUNTED: Final = 1_000_000
"""Connections or guests that a number in the configuration may allow. At the limit: the configuration is refused."""
MAX_ODDS: Final = 10_000
"""What a paytable that the operator entered may pay for one unit. At the limit: the configuration is refused."""
MAX_WATCHED: Final = 10**9
"""Megabytes, hours or minutes at which health warns. At the limit: the configuration is refused."""

# --- recall and reports -------------------------------------------------------------------------------------------------

MAX_INDEXED_ROUNDS: Final = 200_000
"""Rounds of the house in the index. At the limit: the oldest are forgotten, and found in the journal when they are asked for."""
MAX_INDEXED_ROUNDS_PER_PLAYER: Final = 100
"""Rounds of one player in the index; REC-1 requires fifty. At the limit: the oldest is forgotten; the floor finds it by its
number."""
MAX_INDEXED_PLAYERS: Final = 100_000
"""Players whose rounds are in the index. At the limit: the player who bet least recently is forgotten; the floor finds their
rounds by number."""
MAX_INDEXED_STAYS: Final = 200_000
"""Stays of players at tables in memory. At the limit: the oldest are forgotten, and read from the journal for a report about that time."""
MAX_INDEXED_EVENTS: Final = 100_000
"""Significant events in memory. At the limit: the oldest are forgotten, and read from the journal for a question about that time."""
MAX_KNOWN_TOTALS: Final = 200_000
"""Rounds whose results are in memory. At the limit: the oldest is forgotten, and the round is played again for a report."""
MAX_REPORT_ROWS: Final = 100_000
"""Rows of one report. At the limit: it is refused, and a shorter interval must be asked for."""
MAX_BACKUPS_KEPT: Final = 90
"""Backups that `backups_kept` may keep. At the limit: a configuration with more is refused."""
