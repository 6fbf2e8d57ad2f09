"""The golden rounds: each is played as it is written, comes to what is written, and is written again in the same words."""

from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.play import notation
from podium.rules.games import GAMES

ROUNDS = sorted((Path(__file__).parent / "rounds").glob("*.round"))


def without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("#")) + "\n"


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_is_played_and_written_as_it_stands(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    played = notation.read(text)
    assert played.over
    assert notation.write(played) == without_comments(text)


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_golden_round_with_another_amount_in_its_settlement_is_refused(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    last = lines.pop()
    with pytest.raises(Refused, match=f"Line {len(lines) + 1}: the round was settled differently"):
        notation.read("\n".join([*lines, last.replace(": staked ", ": staked 1")]))


def test_every_game_has_golden_rounds() -> None:
    shorts = {path.stem.partition("-")[0] for path in ROUNDS}
    assert shorts == {game.short.lower() for game in GAMES.values()}
