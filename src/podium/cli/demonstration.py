"""`podium demo`: a round of each game, dealt to show what is special about it."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from podium.basics.cards import DECK, codes
from podium.basics.money import amount
from podium.cli import terminal
from podium.cli.terminal import ARROW, drawn, either
from podium.play.round import Round
from podium.play.script import Script, ScriptPlayer, play
from podium.play.views import layout
from podium.rules.bets import BETS
from podium.rules.games import GAMES
from podium.rules.games import game as game_named
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult


class Demonstration(NamedTuple):
    """A round worth seeing, and what to look at in it."""

    lesson: str
    script: Script


DEMONSTRATIONS = (
    Demonstration(
        "Everybody has the same two cards, but the first card that you do not take goes to your dealer: "
        "seat 1 stood and met 21, seat 2 took one card and met 18.",
        Script(
            game="stadium-blackjack",
            cards="9s 8s 7s 3d Kh",
            players=[
                ScriptPlayer(name="Seat 1", wagers={"blackjack": 1000, "royal-match-21": 200}, decisions=["stand"]),
                ScriptPlayer(
                    name="Seat 2",
                    wagers={"blackjack": 1000, "trilux": 500},
                    for_dealer={"blackjack": 100},
                    decisions=["hit", "stand"],
                ),
                ScriptPlayer(name="Seat 3", wagers={"blackjack": 2500}, decisions=["surrender"]),
            ],
        ),
    ),
    Demonstration(
        "A split gives each new hand a card at once. Seat 1 used up three community cards, and so turned "
        "the dealer's 19 into a bust; seat 2's time ran out.",
        Script(
            game="dynasty-blackjack",
            cards="8c 6h 8d 3s Td 9c Jd 7s",
            players=[
                ScriptPlayer(name="Seat 1", wagers={"blackjack": 1000}, decisions=["split", "double", "stand"]),
                ScriptPlayer(name="Seat 2", wagers={"blackjack": 1000}),
            ],
        ),
    ),
    Demonstration(
        "Your hand is three of nine cards, chosen before they are dealt. Seat 2 folded, and still won on row 2.",
        Script(
            game="stadium-three-card-poker",
            cards="Qs Qh 4d 7c 8c 9c 2d Kh 5s Td Jc 6h",
            players=[
                ScriptPlayer(
                    name="Seat 1",
                    wagers={"ante": 500, "pair-plus": 100, "six-card-bonus": 100},
                    spots=[4, 5, 6],
                    decisions=["play"],
                ),
                ScriptPlayer(
                    name="Seat 2", wagers={"ante": 500, "pair-plus@row-2": 100}, spots=[3, 7, 9], decisions=["fold"]
                ),
            ],
        ),
    ),
    Demonstration(
        "Everybody has a hand of their own. Seat 1's bonus wagers are settled before a single decision is made.",
        Script(
            game="match-up-blackjack",
            cards="7h 9c 7h 7d Td Ks 4c Tc Ts",
            players=[
                ScriptPlayer(
                    name="Seat 1",
                    wagers={"blackjack": 1000, "match-up": 500, "three-card-bonus": 100},
                    decisions=["split", "double", "stand"],
                ),
                ScriptPlayer(name="Seat 2", wagers={"blackjack": 600}, decisions=["stand"]),
            ],
        ),
    ),
    Demonstration(
        "A dealer's bust with four cards pushes every hand still in play, even a 21; Buster is paid for it.",
        Script(
            game="mega-blackjack",
            cards="As Ts 5h 6d Kd 8c 6c 5s Td 5c Kc",
            players=[
                ScriptPlayer(name="Seat 1", wagers={"blackjack": 1000}),
                ScriptPlayer(
                    name="Seat 2",
                    wagers={"blackjack": 1000, "buster": 200},
                    for_dealer={"buster": 100},
                    decisions=["stand"],
                ),
                ScriptPlayer(name="Seat 3", wagers={"blackjack": 1000}, decisions=["double"]),
            ],
        ),
    ),
)


def show(name: str | None) -> None:
    """Plays a round of each game, or of one game."""
    chosen = list(GAMES) if name is None else [game_named(name).name]
    terminal.show(part for each in chosen for part in _round(_demonstration(each)))


def _demonstration(game: str) -> Demonstration:
    """The round that shows what is special about a game, or a plain one if none was written for it."""
    written = next((shown for shown in DEMONSTRATIONS if shown.script.game == game), None)
    if written is not None:
        return written
    shuffled = [DECK[at * PLAIN_STEP % len(DECK)] for at in range(len(DECK))]
    player = ScriptPlayer(name="Seat 1", wagers={game_named(game).rules.main.name: 1000})
    return Demonstration("One player, whose time runs out.", Script(game, codes(shuffled), [player]))


PLAIN_STEP = 19
"""All cards in some fixed order: every nineteenth card of the deck, going around."""


def _round(shown: Demonstration) -> Iterator[RenderableType]:
    played = play(shown.script)
    widest = max(len(_title(wager)) for result in played.results.values() for wager in result.wagers)
    yield Rule(Text(played.game.title, style="bold"), style="cyan", align="left")
    yield Text(shown.lesson, style="italic")
    yield Padding(_cards(played), (1, 0, 0, 2))
    for number, seat in played.seats.items():
        yield ""
        yield _player(seat.name, played.decisions_of(number), played.results[number])
        yield _wagers(played, played.results[number], widest)
    yield ""


# --- the cards --------------------------------------------------------------------------------------------------------


def _cards(played: Round) -> RenderableType:
    """The cards as they lie on the layout."""
    seen = layout(played)
    dealer = next(result.dealer for result in played.results.values() if result.dealer)
    rows = {"Player": seen.player} | {f"Row {row // 3 + 1}": seen.array[row : row + 3] for row in (0, 3, 6)}
    before = [(title, drawn(" ".join(cards))) for title, cards in rows.items() if cards]
    # Where players meet different dealer's hands, each is shown with the player who met it.
    dealers = drawn(" ".join(seen.dealer)) if seen.dealers else _dealers(dealer)
    after = [("Community", drawn(" ".join(seen.stream)))] if seen.stream else []
    return _grid(*before, ("Dealer", dealers), *after)


def _grid(*rows: tuple[str, Text]) -> Table:
    grid = Table.grid(padding=(0, 2))
    for title, shown in rows:
        grid.add_row(Text(title, style="dim"), shown)
    return grid


def _dealers(dealer: DealerResult) -> Text:
    worth = f" ({dealer.name})" if dealer.total is None else f" = {dealer.total}"
    return drawn(dealer.cards).append(worth)


# --- the players ------------------------------------------------------------------------------------------------------


def _player(name: str, decisions: list[tuple[str, bool]], result: SeatResult) -> Text:
    """Who held what and decided what."""
    text = Text.assemble((name, "bold"), "  ")
    for number, hand in enumerate(result.hands):
        text.append(" and " if number else "").append_text(drawn(hand.cards)).append(_worth(hand))
    said = ", ".join(f"{decision} (time ran out)" if by_house else decision for decision, by_house in decisions)
    return text.append(f"  {said or 'nothing to decide'}", style="cyan")


def _worth(hand: HandResult) -> str:
    if hand.total is None:
        return f" ({hand.name})"
    return " = blackjack" if hand.result == "blackjack" else f" = {hand.total}"


def _wagers(played: Round, result: SeatResult, widest: int) -> RenderableType:
    """The result of each wager, and why."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=widest)
    grid.add_column(justify="right", no_wrap=True, min_width=5)
    grid.add_column(justify="right", no_wrap=True, min_width=7)
    grid.add_column()
    for wager in result.wagers:
        why = " ".join(str(reason) for reason in wager.why)
        grid.add_row(_title(wager), amount(wager.staked), _returned(wager), why)
    if result.dealer and layout(played).dealers:
        met = Text.assemble(("met the dealer's ", "dim"), _dealers(result.dealer))
        return Padding(Group(met, grid), (0, 0, 0, 4))
    return Padding(grid, (0, 0, 0, 4))


def _title(wager: WagerResult) -> str:
    name, _, line = wager.wager.partition("@")
    on = f" on {line.replace('-', ' ')}" if line else ""
    return f"{BETS[name].title}{on}{', for dealer' if wager.whose == 'dealer' else ''}"


def _returned(wager: WagerResult) -> Text:
    style = {"win": "bold green", "push": "yellow", "lose": "dim"}[wager.outcome]
    return Text(f"{either(ARROW, '->')} {amount(wager.returned)}", style=style)
