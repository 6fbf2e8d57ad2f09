"""The house on the network: gateway, pages and requests, sign-in, timers, the automated dealer's pace.

Touches sockets, the clock, randomness and files.
"""
