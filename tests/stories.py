"""Random rounds for properties: a story has a game, players, cards and what everybody would choose, and can be played
whole, in part, without some of its players, or with a wrong card in it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from hypothesis import strategies as st

from podium.basics.cards import DECK, Card, card, codes
from podium.play.events import (
    AnyEvent,
    BettingClosed,
    CardDealt,
    Confirmed,
    Decided,
    HolePeeked,
    HoleTurned,
    TimeExpired,
    WagersPlaced,
)
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Peek, Question, Wagers
from podium.rules.games import GAMES, game
from podium.rules.seat import Seat

# Cards that make hands to split, insure and bust are more frequent than in a shoe.
RICH = (*DECK, *(one for one in DECK if one.rank in "AA8T"), *(one for one in DECK if one.rank in "A8"))

SOME_SIDE_BETS: dict[str, dict[str, list[str]]] = {
    "stadium-blackjack": {
        "bet-the-set-21": ["A"],
        "royal-match-21": ["A"],
        "trilux": ["TRI-01", "TRI-02", "TRI-03"],
        "super-3": ["1"],
    },
    "dynasty-blackjack": {
        "bet-the-set-21": ["A"],
        "royal-match-21": ["A"],
        "trilux": ["TRI-02"],
        "super-3": ["1"],
        "match-up": ["A"],
        "three-card-bonus": ["A"],
    },
    "match-up-blackjack": {"match-up": ["A"], "three-card-bonus": ["A"]},
    "mega-blackjack": {"buster": ["MEGA-1", "CLASSIC"]},
}


@dataclass(frozen=True)
class Player:
    """What a player stakes and would choose: the n-th answer is a number, taken as one of the allowed answers."""

    seat: int
    placed: WagersPlaced
    choices: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Story:
    """A round that can be played again and again in the same way."""

    game: str
    options: dict[str, Any]
    players: tuple[Player, ...]
    cards: tuple[Card, ...]
    """More than any round needs, and no card more often than the shoe holds it."""
    hole_unknown: bool = False

    def __repr__(self) -> str:
        """Short enough to be read in a report."""
        told = "; ".join(f"{player.placed} chooses {player.choices}" for player in self.players)
        unknown = ", hole card unknown" if self.hole_unknown else ""
        return f"<{self.game} {self.options}: {told}; {codes(self.cards[:24])}{unknown}>"

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """Hypothesis would print every field of a dataclass."""
        printer.text(repr(self))

    def dealt_to(self, played: Round) -> Card | None:
        """The next card of the shoe, not looking at what the round knows of it; None for an unknown hole card."""
        awaits = played.awaits
        assert isinstance(awaits, NextCard)
        if self.hole_unknown and played.dealing.takes_unknown(awaits.place):
            return None
        return self.cards[dealt(played)]

    @property
    def hole_card(self) -> Card:
        boxes = sum(1 for player in self.players if player.placed.amounts)
        return self.cards[2 * boxes + 1]


def dealt(played: Round) -> int:
    """How many cards have come out, those too that lie aside after a correction."""
    return sum(1 for event in played.events if isinstance(event, CardDealt))


# --- playing ----------------------------------------------------------------------------------------------------------


def covers(seat: Seat, cost: int) -> bool:
    """Whether the credit of a seat covers a cost; None is unlimited."""
    return seat.credit is None or cost <= seat.credit


def answers(question: Question, seat: Seat, choice: int) -> list[str]:
    """The answers that the rules allow and the credit covers, amounts filled in."""
    listed = []
    for answer, cost in question.allowed.items():
        amount = cost.least + choice % (cost.most - cost.least + 1)
        if covers(seat, amount if "AMOUNT" in answer else cost.least):
            listed.append(answer.replace("AMOUNT", str(amount)))
    return listed


def next_event(story: Story, played: Round, asked: Counter[int]) -> AnyEvent:
    """What happens next in the story. A player whose choices have run out lets the time run out."""
    awaits = played.awaits
    if isinstance(awaits, NextCard):
        return CardDealt(story.dealt_to(played))
    if isinstance(awaits, Peek):
        return HolePeeked(_is_blackjack(played, story.hole_card))
    if isinstance(awaits, HoleCard):
        return HoleTurned(story.hole_card)
    if isinstance(awaits, Decisions):
        number = next(iter(awaits))
        choices = next(player.choices for player in story.players if player.seat == number)
        if asked[number] >= len(choices):
            return TimeExpired((number,))
        choice = choices[asked[number]]
        asked[number] += 1
        listed = answers(awaits[number], played.seats[number], choice)
        return Decided(number, listed[choice % len(listed)])
    assert isinstance(awaits, Confirmation)
    return Confirmed()


def _is_blackjack(played: Round, hole: Card) -> bool:
    boxes = sum(1 for seat in played.seats.values() if seat.amounts)
    up = played.cards[boxes]
    assert up is not None
    return {up.points, hole.points} == {1, 10}


def begin(story: Story, out: Mapping[Card, int] | None = None) -> Round:
    """The round with its wagers; `out` are the cards that have left the shoe before it."""
    played = Round(game(story.game, story.options), out)
    for player in story.players:
        played.apply(player.placed)
    return played


def steps(story: Story, played: Round | None = None, asked: Counter[int] | None = None) -> Iterator[Round]:
    """The same round after each of its events, from the first wager, or from where it stands, to the end."""
    if played is None:
        played = begin(story)
        yield played
    asked = Counter() if asked is None else asked
    while not played.over:
        if isinstance(played.awaits, Wagers):
            played.apply(BettingClosed())
        else:
            played.apply(next_event(story, played, asked))
        yield played


def play(story: Story) -> Round:
    """The round of a story, to its end."""
    played = begin(story)
    for after in steps(story, played):
        played = after
    return played


def play_decided(story: Story, made: dict[int, list[tuple[str, bool]]], until: Callable[[Round], bool]) -> Round:
    """The round of a story with these decisions, as far as they reach; the house's own are time-outs."""
    played = begin(story)
    played.apply(BettingClosed())
    left = {seat: list(decisions) for seat, decisions in made.items()}
    while not played.over and not until(played):
        awaits = played.awaits
        if isinstance(awaits, Decisions):
            ready = [seat for seat in awaits if left.get(seat)]
            if not ready:
                return played
            decision, by_house = left[ready[0]].pop(0)
            played.apply(TimeExpired((ready[0],)) if by_house else Decided(ready[0], decision))
        else:
            played.apply(next_event(story, played, Counter()))
    return played


# --- a picture of all that a round holds ------------------------------------------------------------------------------

NOT_STATE = {"rules", "offers", "_early", "_late", "game", "out", "events", "_met", "_found"}
"""The configuration, what happened, and what is only remembered to save work."""


def picture(thing: Any) -> Any:
    """Everything inside an object, as plain values that compare."""
    if thing is None or isinstance(thing, bool | int | str | float):
        return thing
    if isinstance(thing, Card):
        return thing.code
    if isinstance(thing, dict):
        return {key: picture(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [picture(value) for value in thing]
    if isinstance(thing, msgspec.Struct):
        return {name: picture(getattr(thing, name)) for name in thing.__struct_fields__}
    if not type(thing).__module__.startswith("podium."):
        return repr(thing)
    names = [*_slots(type(thing)), *getattr(thing, "__dict__", ())]
    return {name: picture(getattr(thing, name)) for name in names if name not in NOT_STATE and hasattr(thing, name)}


def _slots(kind: type) -> Iterable[str]:
    for parent in kind.__mro__:
        slots = parent.__dict__.get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


# --- strategies -------------------------------------------------------------------------------------------------------


def options_for(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Any of a game's options, each with any of its values."""
    listed: dict[str, st.SearchStrategy[Any]] = {
        option.name: st.sampled_from(option.values)
        for option in GAMES[name].options.values()
        if not option.fixed and option.values
    }
    totals = GAMES[name].options.get("double_totals")
    if totals is not None and not totals.fixed:
        listed["double_totals"] = st.sampled_from([(2, 20), (10, 11), (9, 9), (2, 21)])
    if name in SOME_SIDE_BETS:
        listed["side_bets"] = st.fixed_dictionaries(
            {}, optional={bet: st.sampled_from(tables) for bet, tables in SOME_SIDE_BETS[name].items()}
        )
    if name == "match-up-blackjack":
        listed["wager_amounts"] = st.just([200, 400, 600, 800, 1000])
    return st.fixed_dictionaries({}, optional=listed)


@st.composite
def players_for(draw: st.DrawFn, name: str, options: dict[str, Any], seat: int) -> Player:
    """A player with wagers that the table takes, and perhaps with little credit."""
    chosen = game(name, options)
    match_up = name == "match-up-blackjack"
    main_amounts = st.sampled_from([200, 400, 600, 800, 1000]) if match_up else st.integers(1, 5_000)
    side_amounts = st.sampled_from([100, 300, 1000]) if match_up else st.integers(1, 900)
    main = chosen.rules.main.name
    side = [wager for wager, offer in chosen.offers.items() if not offer.main]
    own = {main: draw(main_amounts)}
    some = st.lists(st.sampled_from(side), unique=True, max_size=4) if side else st.just([])
    own |= {wager: draw(side_amounts) for wager in draw(some)}
    tokes: dict[str, int] = {}
    if chosen.rules.takes_tokes and draw(st.booleans()):
        tokes = {wager: draw(side_amounts) for wager in [*draw(some), *([main] if draw(st.booleans()) else [])]}
        if tokes and main not in tokes and draw(st.integers(0, 4)) == 4:
            own = {}
    if "super-3" in own and "trilux" not in own:
        del own["super-3"]
    if "super-3" in tokes and "trilux" not in {*own, *tokes}:
        del tokes["super-3"]
    if not own and not tokes:
        own = {main: draw(main_amounts)}
    spots = (
        draw(st.permutations(range(1, 10)))[:3] if name == "stadium-three-card-poker" and draw(st.booleans()) else ()
    )
    staked = sum(own.values()) + sum(tokes.values())
    credit = draw(st.none() | st.integers(staked, staked + 20_000))
    placed = WagersPlaced(seat, own, tokes, tuple(spots), credit, draw(st.sampled_from(["", f"player {seat}"])))
    return Player(seat, placed, tuple(draw(st.lists(st.integers(0, 40), max_size=10))))


@st.composite
def stories(draw: st.DrawFn, names: tuple[str, ...] = tuple(GAMES), most_players: int = 3) -> Story:
    name = draw(st.sampled_from(names))
    options = draw(options_for(name))
    seats = min(draw(st.integers(1, most_players)), options.get("seats", most_players))
    players = tuple(draw(players_for(name, options, seat)) for seat in range(1, seats + 1))
    decks = game(name, options).rules.decks
    drawn = draw(st.lists(st.sampled_from(RICH), min_size=24, max_size=24))
    own_hands = name in ("match-up-blackjack", "mega-blackjack")
    return Story(name, options, players, held_by(decks, drawn), own_hands and draw(st.booleans()))


def held_by(decks: int, drawn: Iterable[Card]) -> tuple[Card, ...]:
    """These cards as far as the shoe holds them, and then the rest of one deck or more, so that no round runs dry."""
    count: Counter[Card] = Counter()
    kept = []
    for one in (*drawn, *(card(f"{rank}{suit}") for suit in "cdhs" for rank in "9753T82468QKJA"), *DECK):
        if count[one] < decks:
            count[one] += 1
            kept.append(one)
    return tuple(kept)


def with_wrong_card(story: Story, position: int, wrong: Card) -> Story:
    """The same story with another card in one position."""
    changed = list(story.cards)
    changed[position] = wrong
    return replace(story, cards=tuple(changed))
