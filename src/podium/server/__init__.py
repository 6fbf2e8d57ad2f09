"""The house on the network: gateway, pages, HTTP, sign-in, timers, the pace of the automated dealer.

Touches sockets, the clock, randomness and files.
"""
