"""Cards, money, three-card hands, phrases and refusals.

Touches nothing: no file, no clock, no other room.
"""
