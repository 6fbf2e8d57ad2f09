"""Kept houses: recordings of houses by earlier versions of Podium, which every later version must be able to read.

`tests/data/houses/VERSION/STORE.zip` holds a whole house, and `STORE.json` beside it what that version found in it.
`python -m tests.kept_houses COMMIT` records both by running the real house of that commit (`story.py`); docs/testing.md
says when.
"""
