"""The whole house on a simulated clock, network and disk: one seed, one history, the same every time.

Everything between the socket and the database is the real program: floor, handling, wire, house, tables, rounds, journal
and ledger. The clock, the lines and the disk are simulated, and so are the people: players, liars, dealers, cashiers and
an operator. `witness` looks at everything that is stored and everything that is said. docs/testing.md tells more.
"""
