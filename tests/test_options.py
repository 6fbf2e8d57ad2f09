"""Options: every game's values are read, and what is not allowed is refused with what is."""

from dataclasses import make_dataclass
from typing import Any, Literal

import pytest

from podium.basics.refusal import Refused
from podium.basics.words import language
from podium.rules.games import GAMES, game
from podium.rules.games.mega_blackjack import MegaRules
from podium.rules.options import option as an_option
from podium.rules.options import options_of
from tests.table import Table, mega_blackjack, refused, stadium_blackjack

LISTED = [
    (name, option.name, value)
    for name, chosen in GAMES.items()
    for option in chosen.options.values()
    for value in option.values
]


@pytest.mark.parametrize(("name", "option", "value"), LISTED)
def test_every_listed_value_is_accepted_and_said_in_words(name: str, option: str, value: Any) -> None:
    chosen = game(name, {option: value})
    assert getattr(chosen.rules, option) == value
    assert str(chosen.options[option].says(value)).endswith(".")


@pytest.mark.parametrize(
    ("says", "complaint"),
    [
        (None, "The option moonlight of MoonlitRules has no words"),
        ({"on": "The lamps are lit."}, 'The option moonlight has no words for "off"'),
    ],
)
@pytest.mark.usefixtures("made_up_words")
def test_an_option_without_words_for_a_value_is_no_option(says: Any, complaint: str) -> None:
    moonlight = ("moonlight", Literal["on", "off"], an_option("on", clause="MGB 99", says=says))
    rules = make_dataclass("MoonlitRules", [moonlight], bases=(MegaRules,), frozen=True, kw_only=True)
    with pytest.raises(TypeError, match=complaint):
        options_of(rules)


def test_an_option_that_a_game_words_anew_has_words_of_its_own() -> None:
    keys = [GAMES[name].options["double_adds"].says(1).key for name in ("stadium-blackjack", "dynasty-blackjack")]
    assert keys == ["option.double_adds.1", "option.double_adds.dynasty.1"]


@pytest.mark.parametrize(
    ("name", "option", "takes"),
    [
        ("dynasty-blackjack", "decks", "6, 4 or 8"),
        ("mega-blackjack", "bust_pushes_from", "4"),
        ("stadium-three-card-poker", "six_card_bonus", "TCP-6B3 or TCP-6B4, or a paytable that was entered"),
        ("stadium-blackjack", "double_totals", "the lowest and the highest total, like [10, 11]"),
    ],
)
def test_an_option_says_what_it_takes(name: str, option: str, takes: str) -> None:
    assert GAMES[name].options[option].allowed == takes
    assert language("es").say(GAMES[name].options[option].takes)


@pytest.mark.parametrize("name", GAMES)
def test_the_first_value_is_the_default(name: str) -> None:
    for option in GAMES[name].options.values():
        assert not option.values or option.values[0] == option.default == getattr(GAMES[name].rules, option.name)


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_option_is_refused_with_those_that_there_are(name: str) -> None:
    with refused(f"{name} has no option 'deck'", "limits"):
        game(name, {"deck": 6})


@pytest.mark.parametrize("name", GAMES)
def test_the_dealer_is_no_option_of_the_rules(name: str) -> None:
    with refused("dealer is an option of the table"):
        game(name, {"dealer": "live"})


BAD = ["sometimes", -1, 99, 1.5, None, [], {"a": "b"}]


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        (name, option.name, value)
        for name, chosen in GAMES.items()
        for option in chosen.options.values()
        for value in BAD
        if not (option.name in ("chip", "toke_least", "most_payable", "most_payable_table") and value == 99)
    ],
    ids=str,
)
def test_a_value_that_is_not_allowed_is_refused_by_name(name: str, option: str, value: Any) -> None:
    with pytest.raises(Refused) as caught:
        game(name, {option: value})
    assert option.split("_", maxsplit=1)[0] in str(caught.value).lower()


@pytest.mark.parametrize("value", [1, 0, "true", "True"])
def test_true_and_false_are_not_numbers_or_text(value: Any) -> None:
    with refused("SBJ 9.b", "Allowed values: true, false"):
        game("stadium-blackjack", {"dealer_hits_soft_17": value})


@pytest.mark.parametrize("value", [True, "6", 6.0])
def test_a_number_is_not_text_or_a_truth(value: Any) -> None:
    with refused("SBJ intro", "Allowed values: 6, 8"):
        game("stadium-blackjack", {"decks": value})


@pytest.mark.parametrize("options", [[], "decks", 6, ["decks"]])
def test_options_are_a_table(options: Any) -> None:
    if not options:
        assert game("stadium-blackjack", options) is GAMES["stadium-blackjack"]
        return
    with refused("The options of stadium-blackjack are a table"):
        game("stadium-blackjack", options)


@pytest.mark.parametrize("name", ["blackjack", "", None, 7, ["stadium-blackjack"]])
def test_an_unknown_game_is_refused_with_those_that_there_are(name: Any) -> None:
    with refused("There is no game", "mega-blackjack"):
        game(name)


@pytest.mark.parametrize("totals", [[11, 10], [1, 20], [2, 22], [10], [10, 11, 12], "10-11", [10.0, 11], [True, 11]])
def test_double_totals_are_the_lowest_and_the_highest(totals: Any) -> None:
    with refused("double_totals", "SBJ 5.c.ii"):
        stadium_blackjack(double_totals=totals)


def test_any_change_of_a_rule_changes_the_fingerprint() -> None:
    plain = game("stadium-blackjack")
    others = [
        {"decks": 8},
        {"surrender": "off"},
        {"side_bets": {}},
        {"paytables": {"trilux": {"MINE": {"flush": "4:1"}}}, "side_bets": {"trilux": "MINE"}},
    ]
    prints = {plain.fingerprint, *(game("stadium-blackjack", options).fingerprint for options in others)}
    assert len(prints) == 5


# --- paytables that an operator enters --------------------------------------------------------------------------------

MINE = {"paytables": {"trilux": {"MINE": {"straight": "12:1", "flush": "7:2"}}}, "side_bets": {"trilux": "MINE"}}


@pytest.mark.parametrize(
    ("cards", "returned"), [("2s 9s Ks", 4_50), ("Qs Ad Kh", 13_00), ("As Qs Ks", 13_00), ("7s 7d 7h", 0)]
)
def test_an_entered_paytable_pays_its_lines_and_no_others(cards: str, returned: int) -> None:
    """A straight flush fills the straight, which pays more than the flush; three of a kind has no line."""
    table = Table("stadium-blackjack", MINE).bets(p1={"blackjack": 10_00, "trilux": 1_00}).dealt(cards)
    assert table.returned("p1", "trilux") == returned


def test_an_entered_buster_paytable_pays() -> None:
    options = {"paytables": {"buster": {"MINE": {"bust with 3 cards": 3}}}, "side_bets": {"buster": "MINE"}}
    table = mega_blackjack(**options).bets(p1={"blackjack": 10_00, "buster": 1_00}).dealt("Ts 6d Kh Tc")
    assert table.decides(p1="stand").dealt("Kc").returned("p1", "buster") == 4_00


@pytest.mark.parametrize(
    ("paytables", "words"),
    [
        (
            {"trilux": {"MINE": {"four of a kind": 5}}},
            "Paytable MINE of TriLux: 'four of a kind' is not one of its outcomes. Outcomes: mini royal",
        ),
        ({"trilux": {"MINE": {}}}, "Paytable MINE of TriLux must list outcomes with their odds"),
        ({"trilux": {"MINE": {"flush": "0:1"}}}, "Paytable MINE of TriLux: odds of '0:1' are out of range"),
        ({"trilux": {"MINE": {"flush": "a lot"}}}, "Paytable MINE of TriLux: 'a lot' is not odds"),
        ({"trilux": {"TRI-01": {"flush": 5}}}, "paytables: TriLux TRI-01 is in the rules of the game"),
        (
            {"buster": {"MINE": {"bust with 3 cards": 5}}},
            "paytables: 'buster' is not a wager with paytables of this game",
        ),
        ({"trilux": {"flush": 5}}, "Paytable flush of TriLux must list"),
        ({"trilux": 5}, "it is a table of wagers with paytables"),
        ("trilux", "it is a table of wagers with paytables"),
    ],
)
def test_a_paytable_that_makes_no_sense_is_refused(paytables: Any, words: str) -> None:
    with refused(words):
        stadium_blackjack(paytables=paytables)


def test_a_paytable_that_nobody_entered_is_refused_with_those_that_there_are() -> None:
    with refused("SBJ 2.d", "its paytables are TRI-01, TRI-02, TRI-03"):
        stadium_blackjack(side_bets={"trilux": "TRI-09"})


# --- limits and chips -------------------------------------------------------------------------------------------------


def test_limits_hold_for_their_wager() -> None:
    table = stadium_blackjack(limits={"blackjack": [500, 50_000]})
    for amount in (499, 50_001):
        with refused("placard", "5.00 to 500.00"):
            table.bets(p1=amount)
    assert table.bets(p1=500).credit("p1") == 995_00


def test_amounts_are_whole_chips() -> None:
    table = stadium_blackjack(chip=25)
    with refused("placard", "multiples of 0.25"):
        table.bets(p1=30)
    assert table.bets(p1=50).credit("p1") == 999_50


def test_limits_never_widen_those_of_the_document() -> None:
    with refused("MUB Bonus wagers", "1.00 to 10.00"):
        Table("match-up-blackjack", {"limits": {"match-up": [1, 5_000]}}).bets(p1={"blackjack": 200, "match-up": 2_000})


@pytest.mark.parametrize(
    "limits",
    [{"blackjack": [500]}, {"blackjack": [0, 5]}, {"blackjack": [9, 5]}, {"blackjack": 5}, 5, {"ante": [1, 2]}],
)
def test_limits_that_make_no_sense_are_refused(limits: Any) -> None:
    with refused("limits"):
        stadium_blackjack(limits=limits)


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "Blackjack of 0.00 is not a wager (placard): an amount is more than 0"),
        (-5, "Blackjack of -0.05 is not a wager (placard): an amount is more than 0"),
        (1.5, "Blackjack of '1.5' is not a wager (placard): an amount is a whole number of minor units"),
        ("10", "Blackjack of '10' is not a wager (placard): an amount is a whole number of minor units"),
        (True, "Blackjack of 'True' is not a wager (placard): an amount is a whole number of minor units"),
        (None, "Blackjack of 'None' is not a wager (placard): an amount is a whole number of minor units"),
    ],
)
def test_an_amount_is_a_whole_number_of_minor_units(amount: Any, words: str) -> None:
    with refused(words):
        stadium_blackjack().bets(p1={"blackjack": amount})
