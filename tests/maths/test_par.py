"""The PAR sheet: its JSON as the contract has it, its warnings, its page and its text."""

import re
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from rich.console import Console

from podium.basics.refusal import Refused
from podium.maths import listing, par_sheet
from podium.maths.page import page
from podium.maths.sheet import ParSheet, percent
from podium.rules.games import GAMES, game

TCP = "stadium-three-card-poker"


def par_of(name: str, options: dict[str, Any] | None = None, strategy: str = "best") -> dict[str, Any]:
    """As it comes out of `--json`."""
    said: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(par_sheet.par(game(name, options), strategy).to_dict())
    )
    return said


# --- JSON -----------------------------------------------------------------------------------------------------------


def test_a_paytable_wager_has_all_that_the_contract_promises() -> None:
    wager = par_of(TCP)["wagers"]["six-card-bonus"]
    assert wager["house_edge"] == pytest.approx(0.0674133)
    assert wager["house_edge_fraction"] == "26393/391510"
    assert wager["return"] == pytest.approx(1 - wager["house_edge"])
    assert wager["hit_frequency"] == pytest.approx(0.0727982)
    assert wager["standard_deviation"] == pytest.approx(5.467148)
    assert wager["method"] == "exact"
    assert wager["outcomes"][0] == {
        "outcome": "royal flush",
        "ways": 188,
        "probability": pytest.approx(188 / 20_358_520),
        "pays": 1000,
    }
    assert wager["outcomes"][-1]["pays"] == -1
    assert sum(line["ways"] for line in wager["outcomes"]) == 20_358_520
    assert -sum(line["probability"] * line["pays"] for line in wager["outcomes"]) == pytest.approx(wager["house_edge"])


def test_the_ante_has_its_edge_per_total_wagered() -> None:
    ante = par_of(TCP)["wagers"]["ante"]
    assert f"{ante['house_edge']:.2%}" == "3.21%"
    assert f"{ante['house_edge_per_total_wagered']:.2%}" == "1.91%"
    own = ante["compared"]["own cards only"]
    assert (f"{own['house_edge']:.2%}", f"{own['house_edge_per_total_wagered']:.2%}") == ("3.37%", "2.01%")


def test_wagers_for_the_dealer_have_figures_of_their_own_where_the_table_takes_them() -> None:
    """SBJ 5.c.viii, 5.d.vi: one that is always added to does as well as the player's own; the others miss the doubles."""
    blackjack = par_of("mega-blackjack")["wagers"]["blackjack"]
    always = blackjack["compared"]["for the dealer, always added to"]
    never = blackjack["compared"]["for the dealer, never added to"]
    assert always["house_edge"] == pytest.approx(blackjack["house_edge"])
    assert f"{never['house_edge']:.2%}" == "2.37%"
    assert never["house_edge_per_total_wagered"] == pytest.approx(never["house_edge"])
    assert "compared" not in par_of("mega-blackjack", {"dealer_wagers": False})["wagers"]["blackjack"]


def test_every_line_of_the_array_is_a_wager_of_its_own() -> None:
    wagers = par_of(TCP)["wagers"]
    assert set(wagers) == {*game(TCP).offers, "ante-bonus"}
    assert wagers["pair-plus@column-3"] == wagers["pair-plus"]


def test_options_in_force_are_told() -> None:
    said = par_of(TCP, {"six_card_bonus": "TCP-6B4"})
    assert said["game"] == TCP
    assert said["options"]["six_card_bonus"] == "TCP-6B4"
    assert said["options"]["pair_plus"] == "D"
    assert f"{said['wagers']['six-card-bonus']['house_edge']:.2%}" == "8.56%"


def test_odds_that_are_not_to_one_are_told_as_a_decimal() -> None:
    lines = par_of("stadium-blackjack")["wagers"]["royal-match-21"]["outcomes"]
    assert [line["pays"] for line in lines] == [25, 2.5, -1]


@pytest.mark.parametrize("name", GAMES)
def test_no_wager_of_a_game_is_passed_over(name: str) -> None:
    sheet = par_sheet.par(GAMES[name])
    assert {*sheet.to_dict()["wagers"], *sheet.uncounted} >= set(GAMES[name].offers)


@pytest.mark.parametrize("decks", [6, 8])
def test_side_bets_of_blackjack_follow_the_decks(decks: int) -> None:
    wagers = par_of("stadium-blackjack", {"decks": decks})["wagers"]
    assert f"{wagers['trilux']['house_edge']:.2%}" == {6: "3.24%", 8: "2.74%"}[decks]


# --- strategies -----------------------------------------------------------------------------------------------------


def test_when_every_decision_times_out_the_ante_is_lost_and_side_bets_stay() -> None:
    wagers = par_of(TCP, strategy="timeout")["wagers"]
    assert wagers["ante"]["house_edge"] == wagers["ante"]["house_edge_per_total_wagered"] == 1
    assert wagers["ante-bonus"]["hit_frequency"] == 0
    assert wagers["pair-plus"] == par_of(TCP)["wagers"]["pair-plus"]


def test_another_strategy_is_refused() -> None:
    with pytest.raises(Refused, match="it is best or timeout"):
        par_sheet.par(game(TCP), "never-bust")


# --- warnings -------------------------------------------------------------------------------------------------------


def test_an_advantage_of_the_player_is_said_plainly() -> None:
    rich = {"trilux": {"RICH": {"flush": 20}}}
    sheet = par_sheet.par(game("stadium-blackjack", {"paytables": rich, "side_bets": {"trilux": "RICH"}}))
    assert "trilux gives the player an advantage of 27.03 % of the wager." in sheet.warnings


def test_a_wager_that_keeps_more_than_a_quarter_is_said_plainly() -> None:
    warnings = par_sheet.par(game("match-up-blackjack")).warnings
    assert "three-card-bonus keeps 37.48 % of the wager, more than a quarter." in warnings
    assert not any(warning.startswith("match-up ") for warning in warnings)


def test_the_ante_bonus_is_no_advantage_by_itself() -> None:
    assert par_sheet.par(game(TCP)).warnings == []


def test_a_paytable_with_an_unknown_outcome_is_refused() -> None:
    with pytest.raises(Refused, match="'five aces' is not one of its outcomes"):
        game(TCP, {"paytables": {"pair-plus": {"X": {"five aces": 100}}}, "pair_plus": "X"})


# --- the page -------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Everything of a page that could load something, and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe"):
            self.outside.append(tag)
        self.outside += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(sheet: ParSheet) -> Reader:
    reader = Reader()
    reader.feed(page(sheet))
    reader.close()
    return reader


@pytest.mark.parametrize("strategy", ["best", "timeout"])
@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_well_formed_and_needs_nothing_else(name: str, strategy: str) -> None:
    sheet = par_sheet.par(GAMES[name], strategy)
    reader = read(sheet)
    assert reader.open == []
    assert reader.outside == []
    said = " ".join(reader.texts)
    assert "url(" not in said
    assert "nan" not in re.findall(r"[a-z]+", said)
    for entry in sheet.entries:
        assert entry.figures.how in said
        assert percent(entry.figures.house_edge) in said


def test_a_page_has_the_plots_of_every_wager() -> None:
    said = page(par_sheet.par(game(TCP)))
    assert said.count("<svg") == 1 + 4 + 3 * 3  # returns, four distributions, three spreads for each wager with a stake
    for rounds in ("100 rounds", "10,000 rounds", "1,000,000 rounds"):
        assert said.count(f"<h4>{rounds}</h4>") == 3


def test_a_phone_shows_whole_plots_and_how_each_comparison_was_found() -> None:
    """Whole plots move sideways in a frame of their own; a sentence has a row of its own, not a column off the screen."""
    sheet = par_sheet.par(game(TCP))
    said = page(sheet)
    assert said.count('<div class="scroll plot"><svg') == 1 + 4
    assert f"colspan=3>{sheet.entries[0].also['own cards only'].how}</td>" in said


def test_a_very_small_edge_is_told_with_more_digits() -> None:
    assert [percent(share) for share in (0, 0.000153, -0.0005, 0.0012, 0.5)] == [
        "0.00 %",
        "0.0153 %",
        "-0.0500 %",
        "0.12 %",
        "50.00 %",
    ]


def test_what_an_operator_entered_cannot_write_the_page() -> None:
    name = "<b onload=x>"
    paytables = {"pair-plus": {name: {"pair": 1}}}
    said = page(par_sheet.par(game(TCP, {"paytables": paytables, "pair_plus": name})))
    assert name not in said
    assert "&lt;b onload=x&gt;" in said


# --- text -----------------------------------------------------------------------------------------------------------


def printed(parts: Any) -> str:
    console = Console(width=100, no_color=True)
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    return captured.get()


def test_the_text_has_every_wager_with_its_figures() -> None:
    said = printed(listing.sheet_parts(par_sheet.par(game("match-up-blackjack"))))
    assert "Warning: three-card-bonus keeps 37.48 % of the wager, more than a quarter." in said
    assert re.search(r"match-up +18\.80 % +81\.20 % +14\.27 % +2\.3151 +exact", said)
    assert re.search(r"one suited match +449,280 +2\.987242% +10 to 1", said)


def test_the_best_play_of_three_card_poker_as_text() -> None:
    said = printed(listing.three_card_parts())
    assert "A hand better than Q-T-3 is always played." in said
    assert re.search(r"Q-6-4 +44\.12 +5\.00 +40\.91 +> 99\.99 +play", said)
    assert re.search(r"all hands +3\.48 +fold +fold +fold +7\.39 +play +play +play", said)
