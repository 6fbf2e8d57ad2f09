"""What must never be lost: the ledger, the journal and its chain, meters, the proof of a shuffle, the seal, and the store.

Touches a disk or a database in the store's drivers, and nowhere else.
"""
