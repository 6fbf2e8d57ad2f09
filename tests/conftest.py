"""Hypothesis looks at the same examples in every run, and never at the clock: a red test is red for everybody.

`pytest --hypothesis-profile=explore` looks at new and more examples instead.
"""

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1_000, deadline=None)
settings.load_profile("ci")
