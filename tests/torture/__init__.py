"""The real house as a process of its own, under a load of bots on real sockets, killed at random moments (INT-1).

After every kill, before the house comes back: its store proves itself, everything that any bot was told is in the
journal, and the house that the journal gives has the same tables and the same money. `make torture` runs it for longer.
"""
