"""Podium and the second reading of the rules settle the same random rounds alike, to the last minor unit.

`python -m pytest tests/test_against_the_oracle.py` plays always the same scripts. To look at others, and more of them:
`python -m tests.oracle.search --first 1000 --scripts 100000`.
"""

import json
from random import Random

import pytest

from tests.oracle.comparison import differences
from tests.oracle.options import GAMES
from tests.oracle.scripts import random_script

SCRIPTS_IN_A_BATCH = 100
BATCHES = 12


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", GAMES)
def test_podium_agrees_with_the_oracle(game: str, batch: int) -> None:
    random = Random(f"{game} {batch}")
    for _ in range(SCRIPTS_IN_A_BATCH):
        script = random_script(game, random)
        found = differences(script)
        assert not found, "\n".join([*found, json.dumps(script)])
