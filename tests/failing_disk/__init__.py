"""The real store on a disk that fails: SQLite itself runs on it, by a VFS in the library that the sqlite3 module uses.

Every write, sync, truncation, removal and renaming is a step. A power failure after any step leaves what was synced, and of
the rest any part, in sectors, in any order. A step can be refused, a sync can lie, and a bit can flip. `make torture` tries
every step.
"""
