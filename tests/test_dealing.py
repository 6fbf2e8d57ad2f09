"""A dealing answers for itself: a further one is one module, and nobody outside asks which it is."""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import pytest

from podium.basics.cards import DECK, card, cards
from podium.basics.refusal import Refused
from podium.cli import catalogue
from podium.house import HouseConfig
from podium.house.reports import Records
from podium.house.table import TableConfig
from podium.house.verify import verify
from podium.play.events import (
    BettingClosed,
    CardCorrected,
    CardDealt,
    Confirmed,
    Decided,
    HoleTurned,
    TimeExpired,
    WagersPlaced,
)
from podium.play.notation import read, write
from podium.play.round import Round
from podium.play.script import settle
from podium.play.seen import as_seen
from podium.play.views import changed_by_card, layout, seat_view
from podium.record.store import open_book
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard
from podium.rules.bets import BETS, BUSTER, INSURANCE, Bet
from podium.rules.dealing import Dealing, OwnHands
from podium.rules.games import GAMES, Game, game
from podium.rules.games.mega_blackjack import MegaRules
from podium.rules.games.stadium_blackjack import StadiumRules
from podium.rules.placard import Rules
from podium.rules.rulebook import rulebook
from podium.server.replaying import replay
from podium.server.show import Window, rules_in_force
from podium.wire.messages import AnyMessage, RulesInForce
from tests import shared_hand
from tests.floor import TestHouse
from tests.hidden import hole_card
from tests.houses import playing_house

ROOT = Path(__file__).parent.parent

# --- a further way of dealing -------------------------------------------------------------------------------------------


@pytest.fixture
def shared() -> Iterator[Game]:
    """The game of another way of dealing, in the list of games."""
    GAMES[shared_hand.GAME.name] = shared_hand.GAME
    yield game("shared-hand")
    del GAMES[shared_hand.GAME.name]


def begun(of: Game) -> Round:
    played = Round(of)
    played.apply(WagersPlaced(1, {"ante": 500, "pair-plus": 100}, credit=10_000))
    played.apply(WagersPlaced(2, {"ante": 500, "six-card-bonus": 100}, credit=10_000))
    played.apply(BettingClosed())
    return played


def dealt(played: Round, codes: str) -> Round:
    for each in cards(codes):
        played.apply(CardDealt(each))
    return played


def awaited(played: Round) -> type:
    return type(played.awaits)


def test_a_further_dealing_is_played_to_its_end(shared: Game) -> None:
    played = dealt(begun(shared), "9s 9h Ad Kc")
    assert [wager.returned for wager in played.seats[1].settled] == [200], "Pair Plus is known early"
    assert played.seats[2].settled == []
    played.apply(Decided(1, "play"))
    played.apply(TimeExpired())
    dealt(played, "9d 9c")
    played.apply(Confirmed())
    assert played.decisions_of(2) == [("fold", True)]
    assert [(wager.wager, wager.returned) for wager in played.results[1].wagers] == [
        ("ante", 1000),
        ("pair-plus", 200),
        ("play", 1000),
    ]
    assert [(wager.wager, wager.returned) for wager in played.results[2].wagers] == [
        ("ante", 0),
        ("six-card-bonus", 10_100),
    ]
    assert read(write(played)).results == played.results


def test_a_further_dealing_shows_everybody_what_lies_face_up(shared: Game) -> None:
    played = begun(shared)
    told = []
    for code in "9s 9h 4d Kc".split():
        dealt(played, code)
        told.append(list(changed_by_card(played)))
    assert told == [[], [], [1, 2], [1, 2]]
    seen = layout(played)
    assert (seen.player, seen.dealer, seen.hole) == (["9s", "9h", "4d"], [], True)
    view = seat_view(played, 1)
    assert str(view.hand) == "Pair of nines."
    assert view.question is not None
    assert view.question.allowed == {"play": (500, 500), "fold": (0, 0)}
    assert "Kc" not in write(as_seen(played))
    assert [str(laid.card or "?") for laid in read(write(as_seen(played))).face_up] == ["9s", "9h", "4d", "?"]
    played.apply(TimeExpired())
    assert layout(played).dealer == ["Kc"]


def test_a_further_dealing_takes_an_unknown_card_and_a_corrected_one(shared: Game) -> None:
    played = dealt(begun(shared), "9s 9h 4d")
    with pytest.raises(Refused):
        begun(shared).apply(CardDealt(None))
    played.apply(CardDealt(None))
    played.apply(Decided(1, "play"))
    played.apply(Decided(2, "fold"))
    assert awaited(played) is HoleCard
    played.apply(HoleTurned(card("Kc")))
    played.apply(CardCorrected(1, card("8s")))
    assert awaited(played) is NextCard
    assert [str(laid.card) for laid in played.face_up] == ["8s", "9h", "4d", "Kc"]
    assert [wager.returned for wager in played.seats[1].settled] == [0]
    dealt(played, "9d 9c")
    assert awaited(played) is Confirmation


def test_a_further_dealing_stands_on_a_table_and_is_shown(shared: Game) -> None:
    house = TestHouse(t1=TableConfig(game="shared-hand"))
    house.player("ann")
    house.player("bob")
    house.run_until("betting")
    house.bet("ann", 500)
    house.bet("bob", 500)
    house.run_until("deciding")
    window = Window(house.table())
    hidden = hole_card(house.table())
    assert hidden is not None
    assert house.table().in_play.cards[3] is None, "it lies under the seal"
    shown = window.for_everybody(house.now)
    assert shown.cards[3] == "?"
    house.now += 1_000
    deadline = house.table().deadline
    house.decide("ann", "play")
    assert house.table().deadline == deadline, "nobody acts in turn, so the window is everybody's"
    own = window.for_player("ann", 0).view
    assert own is not None
    assert own.decision == "play"
    assert f'"{hidden.code}"' not in msgspec.json.encode([shown, own]).decode()
    house.run_until("result")
    assert window.for_everybody(house.now).layout.dealer[0] == hidden.code
    told = msgspec.json.decode(
        msgspec.json.encode(rules_in_force(house.table(), rulebook(shared), {})), type=AnyMessage
    )
    assert isinstance(told, RulesInForce)
    assert told.dealing == "shared-hand"
    printed = rulebook(shared).text()
    assert "who share one hand of three cards." in printed
    assert "then the dealer's first card face down" in printed


def test_a_further_dealing_is_recalled_and_proved(shared: Game, tmp_path: Path) -> None:
    path = tmp_path / "podium.db"
    quick = TableConfig(game="shared-hand", card_seconds=0, result_seconds=0)
    with playing_house(path, HouseConfig(tables={"t1": quick})) as playing:
        playing.seat_bots("t1", 3)
        playing.play("t1", 5)
        playing.play_until("t1", lambda table: table.phase() == "deciding")
        hidden = hole_card(playing.house.table("t1"))
        assert hidden is not None
        book = open_book(path, writable=False)
        records = Records()
        records.catch_up(book)
        for number in range(1, 6):
            record = records.recall(book, "t1", number)
            assert (record.status, record.difference) == ("settled", "")
            assert read(record.notation).over
        line = records.rounds.find("t1", 6)
        assert line is not None
        for round in replay(book, records, line):
            assert round.dealing == "shared-hand"
            assert round.record.cards.split()[3:] == ["unknown"]
            assert hidden.code not in msgspec.json.encode([round.steps, round.record.steps]).decode()
        assert verify(book).rounds == 5
        book.close()


def test_a_further_dealing_is_in_the_list_of_games(shared: Game, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue.write_json()
    told = json.loads(capsys.readouterr().out)["games"][-1]
    assert (told["name"], told["dealing"]) == ("shared-hand", "shared-hand")
    assert [wager["name"] for wager in told["wagers"]] == ["ante", "play", "pair-plus", "six-card-bonus"]


def test_a_further_dealing_is_settled_from_a_script(shared: Game) -> None:
    script = {"game": "shared-hand", "cards": "9s 9h", "players": [{"name": "p1", "wagers": {"ante": 500}}]}
    with pytest.raises(Refused, match="Too few cards: card 3 is missing, the next one for shared 3"):
        settle(json.dumps(script))
    told = json.loads(settle(json.dumps({**script, "cards": "9s 9h Ad Kc 2c 3d"})))
    assert told["players"][0]["dealer"]["hand"] == "king high"


# --- one seat alone -----------------------------------------------------------------------------------------------------


def played_out(of: Game, decisions: dict[int, list[str]], shoe: list[str]) -> Round:
    """A round to its end: each seat answers with its decisions, and then lets its time run out."""
    played = Round(of)
    for seat in decisions:
        played.apply(WagersPlaced(seat, {of.rules.main.name: 600}))
    played.apply(BettingClosed())
    while not isinstance(awaits := played.awaits, Confirmation):
        if isinstance(awaits, NextCard):
            played.apply(CardDealt(card(shoe.pop(0))))
            continue
        assert isinstance(awaits, Decisions)
        seat = next(iter(awaits))
        allowed = [choice for choice in decisions[seat] if choice in awaits[seat].allowed]
        played.apply(Decided(seat, allowed[0]) if allowed else TimeExpired((seat,)))
    played.apply(Confirmed())
    return played


@pytest.mark.parametrize("name", GAMES)
def test_game_4_a_seat_alone_comes_to_the_same_with_the_cards_that_are_its_own(name: str) -> None:
    of = GAMES[name]
    for number in range(40):
        shoe = [each.code for each in DECK]
        Random(number).shuffle(shoe)
        decisions = {2: ["decline", "split", "hit"], 5: ["decline", "double", "stand", "play"], 6: ["decline", "fold"]}
        played = played_out(of, decisions, shoe)
        dealt = [str(laid.card) for laid in played.face_up]
        for seat, answers in decisions.items():
            own = list(of.dealing.alone(layout(played), dealt, seat))
            alone, among_others = played_out(of, {seat: answers}, own).results[seat], played.results[seat]
            assert (alone.hands, alone.wagers) == (among_others.hands, among_others.wagers)


# --- a bet that a dealing cannot show -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BusterRules(StadiumRules):
    """Lists a bet that community dealing has no cards for."""

    knows: ClassVar[tuple[Bet, ...]] = (BETS["trilux"], BUSTER)


BUSTED = replace(GAMES["stadium-blackjack"], name="stadium-buster", rules=BusterRules(side_bets={"trilux": "TRI-01"}))

REFUSED = (
    "Buster Blackjack is settled by the dealer's completed hand (MGB Optional Buster Blackjack wager), which this way of "
    "dealing cannot show. Its side bets are settled by: your first two cards, your first two cards and the dealer's first card."
)


@pytest.mark.parametrize("options", [{}, {"decks": 8}, {"side_bets": {"buster": "CLASSIC"}}])
def test_a_bet_that_the_dealing_cannot_show_is_refused_when_the_table_is_configured(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    monkeypatch.setitem(GAMES, BUSTED.name, BUSTED)
    with pytest.raises(Refused) as refused:
        TableConfig(game=BUSTED.name, options=options).check()
    assert str(refused.value) == REFUSED


@dataclass(frozen=True, kw_only=True)
class SideInsuranceRules(MegaRules):
    """Takes insurance as a side bet, which sees the same as Buster."""

    knows: ClassVar[tuple[Bet, ...]] = (BUSTER, INSURANCE)


def test_bets_are_settled_by_what_they_see_not_by_which_they_are() -> None:
    rules = SideInsuranceRules(side_bets={"buster": "CLASSIC", "insurance": "A"})
    played = Round(replace(GAMES["mega-blackjack"], rules=rules))
    played.apply(WagersPlaced(1, {"blackjack": 500, "buster": 100, "insurance": 100}))
    played.apply(BettingClosed())
    dealt(played, "9s Kh 9h Ac")
    played.apply(Confirmed())
    returned = {wager.wager: wager.returned for wager in played.results[1].wagers}
    assert returned == {"blackjack": 0, "buster": 0, "insurance": 300}


# --- nobody asks which dealing it is ------------------------------------------------------------------------------------


def names_below(kind: type) -> set[str]:
    """The classes of Podium that inherit a class, by name."""
    children: list[type] = kind.__subclasses__()
    own = {child.__name__ for child in children if child.__module__.startswith("podium.")}
    return own.union(*map(names_below, children))


DEALINGS = names_below(Dealing)
KINDS = {each.dealing.kind for each in GAMES.values()}
RULES = names_below(Rules)
SINGLE_BETS = {name.upper().replace("-", "_") for name in BETS}
FACE_DOWN = {"_hole", "_dealer", "_laid"}

SOURCES = ("src/podium", "bench", "scripts", "web/fixtures")
ANSWERS = "src/podium/rules/dealing/"
RULES_ROOM = "src/podium/rules/"
NOT_YET = (
    "src/podium/maths/",  # a kernel is compiled for one way of dealing; it does not say so in one place yet
)


def questions(source: str, path: str) -> Iterator[str]:
    """Every line that asks which dealing, rules or bet it has before it, or for a card that lies face down."""
    if path.startswith((ANSWERS, *NOT_YET)):
        return
    # The rules of a game name the game's own bets, and each game its dealing.
    own = SINGLE_BETS if path.startswith(RULES_ROOM) else set()
    own = own | (DEALINGS if path.startswith(f"{RULES_ROOM}games/") else set())
    lines = source.splitlines()
    found = {
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt | ast.expr | ast.pattern) and _asks(node, (DEALINGS | SINGLE_BETS) - own)
    }
    yield from (f"{path}:{number}: {lines[number - 1].strip()}" for number in sorted(found))


def _asks(node: ast.AST, hidden: set[str]) -> bool:
    match node:
        case ast.ImportFrom(names=names) | ast.Import(names=names):
            return any(alias.name in hidden for alias in names)
        case ast.Name(name) | ast.Attribute(attr=name) if name in hidden:
            return True
        case ast.Call(ast.Name("isinstance" | "issubclass"), [_, kinds]):
            return bool(_names(kinds) & (RULES | DEALINGS))
        case ast.MatchClass(kind):
            return bool(_names(kind) & (RULES | DEALINGS))
        case ast.Compare(left, _, others):
            return any(_names(side) & RULES or _texts(side) & KINDS for side in (left, *others))
        case ast.Attribute(ast.Name(owner), attr):
            return (attr in FACE_DOWN and owner != "self") or (owner == "dealing" and attr in ("__name__", "__class__"))
        case ast.Attribute(ast.Attribute(attr=owner), attr):
            return attr in FACE_DOWN or (owner == "dealing" and attr in ("__name__", "__class__"))
    return False


def _names(node: ast.AST) -> set[str]:
    every = list(ast.walk(node))
    return {each.id for each in every if isinstance(each, ast.Name)} | {
        each.attr for each in every if isinstance(each, ast.Attribute)
    }


def _texts(node: ast.AST) -> set[object]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


def test_nobody_asks_which_dealing_rules_or_bet_it_is() -> None:
    files = [path for where in SOURCES for path in sorted((ROOT / where).rglob("*.py"))]
    assert len(files) > 150
    asked = [
        question
        for path in files
        for question in questions(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]
    assert asked == [], "ask the dealing, the rules or the bet for what is wanted (docs/architecture.md)"


@pytest.mark.parametrize(
    "line",
    [
        "from podium.rules.dealing import OwnHands",
        "from podium.rules.bets import BUSTER",
        "x = isinstance(played.dealing, OwnHands)",
        "x = isinstance(game.rules, BlackjackRules | ThreeCardRules)",
        "x = issubclass(game.dealing, dealings.Community)",
        "x = type(game.rules) is ThreeCardRules",
        "x = game.dealing is NineCards",
        "x = offer.bet is not bets.PAIR_PLUS",
        "x = wager == INSURANCE.name",
        "x = {Community: 'community'}",
        "x = rules.dealing == 'nine-cards'",
        "x = rules.dealing in ('own-hands', 'community')",
        "x = game.dealing.__name__",
        "x = played.dealing._hole",
        "x = dealing._dealer.cards",
    ],
)
def test_a_question_is_named_with_its_line(line: str) -> None:
    for path in ("src/podium/server/show.py", "bench/rounds.py"):
        assert list(questions(f"import json\n{line}\n", path)) == [f"{path}:2: {line}"]
    assert list(questions(line, "src/podium/rules/dealing/own_hands.py")) == []


def test_a_class_pattern_is_a_question() -> None:
    source = "match played.dealing:\n    case OwnHands():\n        pass\n    case _:\n        pass\n"
    assert list(questions(source, "src/podium/play/views.py")) == ["src/podium/play/views.py:2: case OwnHands():"]


def test_games_name_their_dealing_and_rules_their_bets() -> None:
    declared = "from podium.rules.dealing import OwnHands\nGAME = Game(dealing=OwnHands, rules=R(main=BLACKJACK))\n"
    assert list(questions(declared, "src/podium/rules/games/mega_blackjack.py")) == []
    assert list(questions("x = bet.name == INSURANCE.name", "src/podium/rules/blackjack/rules.py")) == []
    assert list(questions("x = isinstance(a, OwnHands)", "src/podium/rules/placard.py")) != []


def test_acting_in_turn_is_asked_of_the_game_before_a_card_is_out() -> None:
    assert {name for name, each in GAMES.items() if each.dealing.acts_in_turn} == {
        "match-up-blackjack",
        "mega-blackjack",
    }
    assert OwnHands.kind == "own-hands"
