"""One round from the first wager to the result: a fold over events, what may be seen of it, and its text forms.

Touches nothing: events come from outside.
"""
