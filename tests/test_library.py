"""What `import podium` offers, as somebody meets it in the first minute."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import podium

ROOT = Path(__file__).parent.parent


def with_examples() -> list[str]:
    """Every module whose source has an example."""
    found = [module.name for module in pkgutil.walk_packages(podium.__path__, "podium.")]
    return [name for name in ["podium", *found] if ">>> " in _source(name)]


def _source(name: str) -> str:
    path = ROOT / "src" / Path(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_everything_that_the_package_lists_is_there() -> None:
    for name in podium.__all__:
        assert getattr(podium, name) is not None
    assert set(podium.__all__) == set(podium._HOMES)
    with pytest.raises(AttributeError, match="has no attribute 'casino'"):
        _ = podium.casino


def test_a_newcomer_can_read_what_a_prompt_shows() -> None:
    """Tab completion lists the names of the package, and what it holds prints in a line."""
    assert set(podium.__all__) <= set(dir(podium))
    played = podium.Round(podium.game("stadium-blackjack"))
    played.bet(7, credit=100_00, blackjack=10_00)
    assert repr(played.seats) == "{7: <Seat 7: staked 1000, credit 9000>}"
    assert repr(podium.BETS["trilux"]) == "Bet('trilux')"
    with pytest.raises(podium.Refused) as refused:
        played.decide(7, "hit")
    assert repr(refused.value) == "Refused('Seat 7 cannot hit: nothing is asked of seat 7 now.')"


def test_import_podium_loads_nothing_else() -> None:
    said = "import sys, podium; print([name for name in sys.modules if name.startswith('podium.')])"
    ran = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_round_reads_well() -> None:
    round = podium.Round(podium.game("stadium-blackjack", decks=8, surrender="off"))
    assert repr(round.game) == "Game('stadium-blackjack', decks=8, surrender='off')"
    assert repr(round) == "<Round of stadium-blackjack: 0 seats, awaits the end of betting>"
    round.bet(1, blackjack=10_00, for_dealer={"blackjack": 1_00})
    round.bet(2, blackjack=10_00)
    round.close_betting()
    round.deal("9s 6h 2c")
    assert repr(round.awaits) == "Decisions({1: {hit, stand, double, double+dealer}, 2: {hit, stand, double}})"
    round.decide(1, "stand")
    round.time_out()
    assert repr(round) == "<Round of stadium-blackjack: 2 seats, awaits a card for community card 1>"
    with pytest.raises(podium.Refused, match="not a card"):
        round.deal("1x")
    round.void("a card fell")
    assert (repr(round), round.results[1].net) == ("<Round of stadium-blackjack: 2 seats, void>", 0)


def test_cards_are_text_where_a_card_is_wanted() -> None:
    round = podium.Round(podium.game("match-up-blackjack"))
    round.bet(1, blackjack=10_00)
    round.close_betting()
    round.deal("9s Kh 8c ?")
    round.peek(blackjack=False)
    round.correct(1, "Td")
    round.decide(1, "stand")
    round.turn_hole("7d")
    round.confirm()
    assert podium.write_round(round).count("card") > 4
    assert round.results[1].net == 10_00
    with pytest.raises(podium.Refused, match="not a card"):
        podium.card("nine")


def test_the_readme_shows_the_example_of_the_package() -> None:
    shown = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert shown[1].strip() in page


def test_the_page_of_the_library_is_current() -> None:
    ran = subprocess.run(
        [sys.executable, "scripts/library_page.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == (ROOT / "docs" / "library.md").read_text(encoding="utf-8"), "run: make docs"
