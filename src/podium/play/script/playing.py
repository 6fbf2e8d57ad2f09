"""Playing a script: the round that it tells, to its end."""

from collections import Counter, deque
from functools import lru_cache

import msgspec

from podium.basics.cards import Card, cards
from podium.basics.refusal import Refused, shortened
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, TimeExpired, WagersPlaced
from podium.play.round import Round
from podium.play.script.reading import TOO_DEEP, Script, ScriptPlayer
from podium.rules.asking import Confirmation, Decisions, NextCard, Place
from podium.rules.games import Game, game


def play(script: Script) -> Round:
    """The round that a script tells, to its end."""
    played = Round(_configured(script.game, msgspec.json.encode(script.options)))
    shoe = deque(cards(script.cards))
    _check_shoe(shoe, played.game)
    players = _place_wagers(played, script.players)
    played.apply(BettingClosed())
    waiting = {number: deque(player.decisions) for number, player in players.items()}
    while not isinstance(awaits := played.awaits, Confirmation):
        if isinstance(awaits, NextCard):
            played.apply(CardDealt(_next_card(shoe, played, awaits.place)))
        elif isinstance(awaits, Decisions):
            _decide(played, awaits, waiting)
    for number, left in waiting.items():
        if left:
            raise _never_asked(players[number], left)
    played.apply(Confirmed())
    return played


@lru_cache(maxsize=256)
def _configured(name: str, options: bytes) -> Game:
    """The game of a script; many scripts in a row are of the same table."""
    try:
        return game(name, msgspec.json.decode(options))
    except RecursionError:
        raise Refused(TOO_DEEP) from None


def _place_wagers(played: Round, players: list[ScriptPlayer]) -> dict[int, ScriptPlayer]:
    """Seat the players in their order."""
    if not players:
        raise Refused("The script has no players: at least one with a wager is needed.")
    seen = set()
    for number, player in enumerate(players, start=1):
        if not player.name:
            raise Refused(f"ScriptPlayer {number} has no name: every player needs one, like p{number}.")
        if player.name in seen:
            raise Refused(f"The name {shortened(player.name)!r} is repeated: every player needs a name of their own.")
        seen.add(player.name)
        if player.credit is not None and player.credit < 0:
            raise Refused(f"{player.name}: a credit of {player.credit} is not possible; it is 0 or more minor units.")
        played.apply(
            WagersPlaced(
                seat=number,
                amounts=player.wagers,
                for_dealer=player.for_dealer,
                # An empty list is a choice of no spots, which is refused; leaving spots out lets the table propose.
                spots=() if player.spots is None else tuple(player.spots) or (0,),
                credit=player.credit,
                name=player.name,
            )
        )
    return dict(enumerate(players, start=1))


def _next_card(shoe: deque[Card], played: Round, place: Place) -> Card:
    if not shoe:
        raise Refused(f"Too few cards: card {played.cards_dealt + 1} is missing, {_in_words(place, played)}.")
    return shoe.popleft()


def _in_words(place: Place, played: Round) -> str:
    match place.where:
        case "seat":
            hand = f", hand {place.hand + 1}" if place.hand else ""
            return f"the next one for {played.seats[place.number].name}{hand}"
        case "player":
            return f"P{place.number} of the players' hand"
        case "community":
            return f"C{place.number} of the community cards"
        case "location":
            return f"location {place.number} of the array"
        case "dealer":
            return f"the dealer's card {place.number}" if place.number else "the next one for the dealer"
        case "up card" | "hole card":
            return f"the dealer's {place}"
    return f"the next one for {place}"


def _check_shoe(shoe: deque[Card], table: Game) -> None:
    """Cards left over are ignored, but they came out of the same shoe as the others."""
    decks = table.rules.decks
    for card, times in Counter(shoe).items():
        if times > decks:
            raise Refused(
                f"The cards hold {card} {times} times, but {'one deck holds' if decks == 1 else f'{decks} decks hold'} "
                f"it {'once' if decks == 1 else f'{decks} times'} ({table.rules.clause('decks')})."
            )


def _decide(played: Round, awaits: Decisions, waiting: dict[int, deque[str]]) -> None:
    """Everybody who is asked answers with the next decision; who has none left lets the time run out."""
    for seat in awaits:
        left = waiting[seat]
        played.apply(Decided(seat, left.popleft()) if left else TimeExpired((seat,)))


def _never_asked(player: ScriptPlayer, left: deque[str]) -> Refused:
    asked = len(player.decisions) - len(left)
    times = {0: "for no decision", 1: "for one decision"}.get(asked, f"for {asked} decisions")
    return Refused(
        f"{player.name} was never asked for {shortened(left[0])!r}: the rules asked {times}, "
        f"and the script has {len(player.decisions)}."
    )
