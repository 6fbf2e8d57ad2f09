"""CARD-2, REC-2: live tables over the protocol with the mistakes that dealers make; `make torture` plays longer."""

import asyncio
from pathlib import Path

from tests.evening.evening import TABLES, evening


def test_card_2_rounds_with_mistakes_are_recalled_as_they_lay_and_settle_as_the_oracle_says(tmp_path: Path) -> None:
    """All five games, a kill on the way: every round is compared with the cards that were really dealt."""
    played = asyncio.run(evening(tmp_path, rounds=3, kills=1, seed=3, errs=0.2))
    assert not played.findings
    assert played.rounds >= 2 * len(TABLES)
    assert played.kills == 1
    assert played.mistakes["corrected"] > 0
