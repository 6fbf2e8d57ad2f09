"""The messages between a terminal and the house, in both directions: plain values that server and client share.

Touches nothing.
"""
