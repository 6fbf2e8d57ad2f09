"""Any script is either settled or refused with a useful sentence."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podium.basics.refusal import Refused
from podium.basics.words import money
from podium.play.script import MAX_SCRIPT_AMOUNT, read_script, settle
from podium.play.script.reading import _first_fault, _scripts

ROUNDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
]

SCRIPT: dict[str, Any] = {
    "game": "stadium-blackjack",
    "options": {"decks": 6},
    "cards": "9s 6h 2c Td 5d 8h",
    "players": [{"name": "p1", "wagers": {"blackjack": 1000}, "decisions": ["double"]}],
}


def result_of(script: Any) -> Any:
    return json.loads(settle(json.dumps(script)))


def refusal_of(script: Any) -> str:
    with pytest.raises(Refused) as refused:
        settle(script if isinstance(script, str | bytes) else json.dumps(script))
    return str(refused.value)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The script above with one thing in it changed; `...` takes it out."""
    script = copy.deepcopy(SCRIPT)
    *way, last = [int(step) if step.isdecimal() else step for step in path.split("/")]
    place: Any = script
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return script


# --- settled ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", range(len(ROUNDS)))
def test_the_worked_rounds_come_out_as_they_must(line: int) -> None:
    expected, result = ROUNDS[line]["expect"], result_of(ROUNDS[line]["script"])
    assert result["cards_dealt"] == expected["cards_dealt"]
    for player, wanted in zip(result["players"], expected["players"], strict=True):
        assert {key: player[key] for key in ("name", "staked", "returned", "tips", "net")} == {
            key: wanted[key] for key in ("name", "staked", "returned", "tips", "net")
        }
        keys = ("wager", "for", "staked", "returned")
        lines = [tuple(line[key] for key in keys) for line in player["wagers"] if line["staked"] or line["returned"]]
        assert sorted(lines) == sorted(tuple(line[key] for key in keys) for line in wanted["wagers"])


def test_the_result_has_the_form_that_the_contract_writes() -> None:
    assert result_of(SCRIPT) == {
        "game": "stadium-blackjack",
        "cards_dealt": 6,
        "players": [
            {
                "name": "p1",
                "hands": [
                    {
                        "cards": "9s 2c Td",
                        "total": 21,
                        "soft": False,
                        "result": "win",
                        "staked": 2000,
                        "returned": 4000,
                    }
                ],
                "dealer": {"cards": "6h 5d 8h", "total": 19, "blackjack": False, "bust": False},
                "wagers": [
                    {
                        "wager": "blackjack",
                        "for": "player",
                        "staked": 2000,
                        "returned": 4000,
                        "outcome": "win",
                        "why": "Your 21 beats dealer 19.",
                    }
                ],
                "staked": 2000,
                "returned": 4000,
                "tips": 0,
                "net": 2000,
            }
        ],
    }


def test_cards_left_over_are_ignored() -> None:
    assert result_of(changed("cards", SCRIPT["cards"] + " As Ks")) == result_of(SCRIPT)


def test_the_largest_amount_is_settled_exactly() -> None:
    player = result_of(changed("players/0/wagers/blackjack", MAX_SCRIPT_AMOUNT))["players"][0]
    assert (player["staked"], player["returned"]) == (2 * MAX_SCRIPT_AMOUNT, 4 * MAX_SCRIPT_AMOUNT)


def test_a_payment_is_rounded_down_and_the_rest_is_told() -> None:
    script = changed("cards", "As 6h Kc") | {"players": [{"name": "p1", "wagers": {"blackjack": 25}}]}
    wager = result_of(script)["players"][0]["wagers"][0]
    assert (wager["returned"], wager["breakage"]) == (25 + 37, "1/2")


# --- refused ----------------------------------------------------------------------------------------------------------

NOT_A_SCRIPT = {
    "": "The script is empty: it is a JSON object with game, cards and players.",
    " \n": "The script is empty: it is a JSON object with game, cards and players.",
    "{": "The script is not JSON: it ends too early, so a bracket or a quotation mark is missing.",
    "[1, 2]": "A script is a JSON object with game, cards and players, not [1, 2].",
    "12": "A script is a JSON object with game, cards and players, not 12.",
    "null": "A script is a JSON object with game, cards and players, not null.",
    "{} {}": "The script is not JSON: something follows its end. One script per line is read with --lines.",
    "\ufeff{}": "The script begins with a byte order mark (BOM): save it as UTF-8 without one.",
}


@pytest.mark.parametrize(("text", "sentence"), NOT_A_SCRIPT.items())
def test_what_is_no_script_is_refused(text: str, sentence: str) -> None:
    assert refusal_of(text) == sentence


def test_text_that_is_not_utf_8_is_refused() -> None:
    written = json.dumps(SCRIPT)
    assert "UTF-16" in refusal_of(written.encode("utf-16"))
    assert "not UTF-8" in refusal_of(written.replace("p1", "pé").encode("latin-1").replace(b"\\u00e9", b"\xe9"))


@pytest.mark.parametrize("text", ['{"game":' * 100_000, '{"options":{"decks":' + "[" * 5_000 + "]" * 5_000 + "}}"])
def test_deep_nesting_is_refused(text: str) -> None:
    assert "nested too deeply" in refusal_of(text)


@pytest.mark.parametrize("depth", [100, 500, 900, 950, 990])
def test_an_option_that_is_nested_for_nothing_is_refused(depth: int) -> None:
    text = json.dumps(SCRIPT).replace('"decks": 6', '"decks": ' + "[" * depth + "]" * depth)
    assert re.search("not allowed|nested too deeply", refusal_of(text))


MALFORMED = [
    ("game", ..., "The script has no game: game, cards and players must be there, and its keys are game, cards, players, options."),
    ("game", 7, 'The script: game is the name of a game, like "stadium-blackjack", not 7.'),
    ("game", "baccarat", "There is no game 'baccarat'. Games: stadium-blackjack, dynasty-blackjack, stadium-three-card-poker, match-up-blackjack, mega-blackjack."),
    ("gmae", "x", "The script has an unknown key 'gmae': its keys are game, cards, players, options."),
    ("cards", ["As"], 'The script: cards is the cards in the order of dealing, like "As Td 9h", not ["As"].'),
    ("cards", "9s 6x", "'6x' is not a card: write the rank (A K Q J T 9 8 7 6 5 4 3 2) and then the suit (s h d c), like As or Td."),
    ("cards", "9s 6h", "Too few cards: card 3 is missing, P2 of the players' hand."),
    ("cards", "9s 6h 2c", "Too few cards: card 4 is missing, C1 of the community cards."),
    ("cards", "9s 6h 2c Td 5d 8h" + " As" * 7, "The cards hold As 7 times, but 6 decks hold it 6 times (SBJ intro)."),
    ("options", [], 'The script: options is a table of options, like {"decks": 6}, not [].'),
    ("options/decks", 7, "decks = 7 is not allowed (SBJ intro). Allowed values: 6, 8."),
    ("options/decks", 6.0, "decks = 6.0 is not allowed (SBJ intro). Allowed values: 6, 8."),
    ("options/decks", True, "decks = true is not allowed (SBJ intro). Allowed values: 6, 8."),
    ("options/even_money", 1, "even_money = 1 is not allowed (SBJ 5.e). Allowed values: true, false."),
    ("options/dealer", "live", "dealer is an option of the table, not of the rules of stadium-blackjack."),
    ("players", {}, "The script: players is a list of players, not {}."),
    ("players", [], "The script has no players: at least one with a wager is needed."),
    ("players/0", "p1", 'Player 1: a player is an object, like {"name": "p1", "wagers": {"blackjack": 1000}}, not "p1".'),
    ("players/0/name", ..., "Player 1 has no name: every player needs one, like p1."),
    ("players/0/name", "", "Player 1 has no name: every player needs one, like p1."),
    ("players/0/name", 5, 'Player 1: name is text, like "p1", not 5.'),
    ("players/0/bet", 5, "Player 1 has an unknown key 'bet': the keys of a player are name, credit, wagers, for_dealer, spots, decisions, box."),
    ("players/0/wagers", ["blackjack"], 'p1: wagers is a table of wagers, like {"blackjack": 1000}, not ["blackjack"].'),
    ("players/0/wagers/blackjack", 1.0, "p1: the amount of blackjack is a whole number of minor units, like 1000, not 1.0."),
    ("players/0/wagers/blackjack", "10", 'p1: the amount of blackjack is a whole number of minor units, like 1000, not "10".'),
    ("players/0/wagers/blackjack", True, "p1: the amount of blackjack is a whole number of minor units, like 1000, not true."),
    ("players/0/wagers/blackjack", 10**16, "p1: the amount of blackjack is 10000000000000000: amounts are at most 10,000,000,000,000.00."),
    ("players/0/wagers/blackjack", 0, "p1: Blackjack of 0.00 is not a wager (placard): an amount is more than 0."),
    ("players/0/wagers/blackjack", -5, "p1: Blackjack of -0.05 is not a wager (placard): an amount is more than 0."),
    ("players/0/wagers/keno", 5, "p1: there is no wager 'keno' at this table (SBJ 2, 3): it takes blackjack, bet-the-set-21, royal-match-21, trilux, super-3."),
    ("players/0/for_dealer", 5, 'p1: for_dealer is a table of wagers, like {"blackjack": 1000}, not 5.'),
    ("players/0/credit", "much", 'p1: credit is a whole number of minor units, like 1000, not "much".'),
    ("players/0/credit", -1, "p1: a credit of -0.01 is not allowed: it must be 0 or more."),
    ("players/0/credit", 999, "p1: wagers of 10.00 are more than the credit of 9.99."),
    ("players/0/credit", 1500, "p1 cannot double: it costs 10.00, and the credit is 5.00. Allowed now: hit, stand, surrender."),
    ("players/0/spots", "1 2 3", 'p1: spots are three different numbers from 1 to 9, like [1, 5, 9], not "1 2 3".'),
    ("players/0/spots", [1, 2, "3"], 'p1: spots are three different numbers from 1 to 9, like [1, 5, 9], not [1, 2, "3"].'),
    ("players/0/spots", [1, 2, 3], "p1: this game has no spots to choose."),
    ("players/0/decisions", "double", 'p1: decisions is a list of texts, like ["hit", "stand"], not "double".'),
    ("players/0/decisions", [None], 'p1: decisions is a list of texts, like ["hit", "stand"], not [null].'),
    ("players/0/decisions", ["stand", "hit"], "p1 was never asked for 'hit': the rules asked for one decision, and the script has 2."),
    ("players/0/decisions", ["split"], "p1 cannot split: only two cards of the same value can be split (SBJ 5.d). Allowed now: hit, stand, double, surrender."),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "sentence"), MALFORMED)
def test_a_malformed_script_is_refused_with_what_would_be_accepted(path: str, value: Any, sentence: str) -> None:
    assert refusal_of(changed(path, value)) == sentence


def test_a_repeated_name_is_refused() -> None:
    assert "'p1' is repeated" in refusal_of(changed("players", SCRIPT["players"] * 2))


@pytest.mark.parametrize("key", ["game", "decks", "blackjack", "name"])
def test_a_key_that_stands_twice_is_refused(key: str) -> None:
    twice = re.sub(rf'("{key}": [^,}}]+)', r"\1, \1", json.dumps(SCRIPT), count=1)
    assert refusal_of(twice) == f"The script has '{key}' twice in the same place: write it once."


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("game", "x" * 100_000),
        ("cards", "x" * 100_000),
        ("options/decks", list(range(100_000))),
        ("options/" + "x" * 100_000, 1),
        ("players/0/wagers/" + "x" * 100_000, 1),
        ("players/0/decisions", ["x" * 100_000]),
        ("players/0/decisions", ["double:" + "9" * 10_000]),
        ("options/paytables", {"trilux": {"X": {"flush": "9" * 10_000 + ":1"}}}),
        ("options/paytables", {"trilux": {"X": {"flush": [1] * 100_000}}}),
        ("options/limits", {"blackjack": [1] * 100_000}),
        ("options/side_bets", {"x" * 100_000: "A"}),
        ("options/side_bets", {"trilux": "x" * 100_000}),
    ],
)
def test_a_refusal_is_never_longer_than_a_few_lines(path: str, value: Any) -> None:
    assert len(refusal_of(changed(path, value))) < 600


def test_a_number_of_ten_thousand_digits_is_refused() -> None:
    text = json.dumps(SCRIPT).replace("1000", "9" * 10_000)
    assert (
        refusal_of(text)
        == f"The script holds a number that is out of range: amounts are at most {money(MAX_SCRIPT_AMOUNT)}."
    )


# --- whatever a stranger writes ---------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.sampled_from([0, 1, 100, MAX_SCRIPT_AMOUNT, MAX_SCRIPT_AMOUNT + 1, 2**63, 2**64, -(2**70)])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.sampled_from(
        "blackjack ante trilux buster hit stand split double play fold insure insure:5 decline double+dealer on off".split()
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found += [(value, key), *places(value[key])]
    return found


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A worked round in which some things were replaced, taken out, put in twice or exchanged."""
    script = copy.deepcopy(draw(st.sampled_from(ROUNDS))["script"])
    for _ in range(draw(st.integers(1, 3))):
        spots = places(script)
        if not spots:
            break
        holder, key = draw(st.sampled_from(spots))
        match draw(st.sampled_from(["replace", "remove", "add", "exchange", "option"])):
            case "replace":
                holder[key] = draw(JSON)
            case "remove":
                del holder[key]
            case "add" if isinstance(holder, dict):
                holder[draw(st.text(max_size=5))] = draw(JSON)
            case "add":
                holder.append(copy.deepcopy(holder[key]))
            case "exchange":
                other, name = draw(st.sampled_from(spots))
                if name in other if isinstance(other, dict) else name < len(other):
                    holder[key] = copy.deepcopy(other[name])
            case "option":
                names = ["limits", "chip", "paytables", "side_bets", "double_totals", "wager_amounts", "seats"]
                if isinstance(script, dict) and isinstance(script.get("options"), dict):
                    script["options"][draw(st.sampled_from(names))] = draw(JSON)
    return script


def settled_or_refused(text: str | bytes) -> None:
    result = said_of(text)
    if isinstance(result, str):
        assert re.fullmatch(r"\S.*\.", result, re.DOTALL), result
        assert "Expected" not in result, "a decoder's own words"
    else:
        for player in result["players"]:
            assert player["net"] == player["returned"] - player["staked"]


def said_of(text: str | bytes) -> Any:
    """The result of a script, or the sentence that refuses it; anything else is a fault."""
    try:
        return json.loads(settle(text))
    except Refused as refusal:
        return str(refusal)


@given(mutated())
def test_a_changed_round_is_settled_or_refused(script: Any) -> None:
    settled_or_refused(json.dumps(script))


@given(JSON)
@example({"players": [[]]})
def test_any_json_is_settled_or_refused(value: Any) -> None:
    settled_or_refused(json.dumps(value))


@given(st.binary(max_size=40))
def test_any_bytes_are_refused(junk: bytes) -> None:
    with pytest.raises(Refused):
        settle(junk)


@given(st.sampled_from(ROUNDS), st.data())
def test_a_script_with_broken_bytes_is_settled_or_refused(worked: Any, data: st.DataObject) -> None:
    text = bytearray(json.dumps(worked["script"]).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    settled_or_refused(bytes(text))


@given(mutated())
def test_whatever_the_decoder_refuses_is_put_in_our_own_words(script: Any) -> None:
    text = json.dumps(script)
    try:
        _scripts.decode(text)
    except msgspec.ValidationError:
        assert _first_fault(text) is not None
    else:
        read_script(text)
