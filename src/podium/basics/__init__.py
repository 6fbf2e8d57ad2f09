"""Cards, money, three-card hands, and the way that a refusal is said.

Touches nothing: no file, no clock, no other room.
"""
