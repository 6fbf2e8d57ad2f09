"""Plays a script to its end."""

from collections import Counter, deque
from functools import lru_cache

import msgspec

from podium.basics.cards import Card, cards
from podium.basics.refusal import Refused, shortened
from podium.basics.words import Plural, english
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, TimeExpired, WagersPlaced
from podium.play.round import Round
from podium.play.script.reading import Script, ScriptPlayer
from podium.rules.asking import Confirmation, Decisions, NextCard, Place
from podium.rules.games import Game, game


def play(script: Script) -> Round:
    """Plays a script to its end; returns the round."""
    played = Round(_configured(script.game, msgspec.json.encode(script.options)))
    shoe = deque(cards(script.cards))
    _check_shoe(shoe, played.game)
    players = _place_wagers(played, script.players)
    purses = _purses(players)
    played.apply(BettingClosed())
    waiting = {number: deque(player.decisions) for number, player in players.items()}
    while not isinstance(awaits := played.awaits, Confirmation):
        if isinstance(awaits, NextCard):
            played.apply(CardDealt(_next_card(shoe, played, awaits.place)))
        elif isinstance(awaits, Decisions):
            _decide(played, awaits, waiting, purses)
    for number, left in waiting.items():
        if left:
            raise _never_asked(players[number], left)
    played.apply(Confirmed())
    return played


@lru_cache(maxsize=256)
def _configured(name: str, options: bytes) -> Game:
    """The game of a script, cached: many scripts in a row have the same one."""
    try:
        return game(name, msgspec.json.decode(options))
    except RecursionError:
        raise Refused("script-deep") from None


def _place_wagers(played: Round, players: list[ScriptPlayer]) -> dict[int, ScriptPlayer]:
    """Seats the players in their order."""
    if not players:
        raise Refused("script-no-players")
    boxes: dict[str, list[ScriptPlayer]] = {}
    first_seat: dict[str, int] = {}
    for number, player in enumerate(players, start=1):
        if not player.name:
            raise Refused("player-no-name", number=number)
        before = boxes.setdefault(player.name, [])
        _check_box(player, before)
        if player.credit is not None and player.credit < 0:
            raise Refused("player-credit", who=player.name, credit=player.credit)
        played.apply(
            WagersPlaced(
                seat=number,
                amounts=player.wagers,
                for_dealer=player.for_dealer,
                # An empty list is a choice of no spots, which is refused; leaving spots out lets the table propose.
                spots=() if player.spots is None else tuple(player.spots) or (0,),
                credit=_credit_before(player, before),
                name=player.name,
                # All boxes of a player share the most that one player is paid.
                shares=first_seat.setdefault(player.name, number),
            )
        )
        before.append(player)
    return dict(enumerate(players, start=1))


def _check_box(player: ScriptPlayer, before: list[ScriptPlayer]) -> None:
    """Refuses a name that is repeated, unless it is the next box of the same player, who has one credit for all of them."""
    known = len(before)
    box = 1 if player.box is msgspec.UNSET else player.box
    if known and box == 1:
        raise Refused("player-name-repeated", name=shortened(player.name))
    if box != known + 1:
        raise Refused("player-box", who=shortened(player.name), box=box, next=known + 1)
    if known and player.credit not in (None, before[0].credit):
        raise Refused("player-box-credit", who=shortened(player.name))


def _credit_before(player: ScriptPlayer, before: list[ScriptPlayer]) -> int | None:
    """What a player can stake on a box: the credit, less what lies on the boxes before it."""
    if not before:
        return player.credit
    credit = before[0].credit
    return (
        None
        if credit is None
        else credit - sum(sum((*each.wagers.values(), *each.for_dealer.values())) for each in before)
    )


def _purses(players: dict[int, ScriptPlayer]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """By seat, for players with several boxes and a credit: the credit, and all seats that share it."""
    seats: dict[str, tuple[int, ...]] = {}
    for number, player in players.items():
        seats[player.name] = (*seats.get(player.name, ()), number)
    return {
        number: (players[shared[0]].credit or 0, shared)
        for shared in seats.values()
        if len(shared) > 1 and players[shared[0]].credit is not None
        for number in shared
    }


def _next_card(shoe: deque[Card], played: Round, place: Place) -> Card:
    if not shoe:
        raise _missing(played.cards_dealt + 1, place, played)
    return shoe.popleft()


def _missing(card: int, place: Place, played: Round) -> Refused:
    """The refusal when there are too few cards: which one is missing."""
    match place.where:
        case "seat" if place.hand:
            return Refused("missing-hand", card=card, who=played.seats[place.number].who, hand=place.hand + 1)
        case "seat":
            return Refused("missing-seat", card=card, who=played.seats[place.number].who)
        case "player":
            return Refused("missing-player", card=card, number=place.number)
        case "community":
            return Refused("missing-community", card=card, number=place.number)
        case "location":
            return Refused("missing-location", card=card, number=place.number)
        case "dealer":
            return Refused("missing-dealer", card=card, number=place.number)
        case "draw":
            return Refused("missing-draw", card=card)
        case "up-card" | "hole-card":
            return Refused("missing-dealers", card=card, place=place)
    return Refused("missing-place", card=card, place=place)


def _check_shoe(shoe: deque[Card], table: Game) -> None:
    """Checks that the shoe can hold all cards of a script; those left over are otherwise ignored."""
    decks = table.rules.decks
    for card, times in Counter(shoe).items():
        if times > decks:
            raise Refused("cards-too-often", card=card, times=times, decks=decks, clause=table.rules.clause("decks"))


def _decide(
    played: Round,
    awaits: Decisions,
    waiting: dict[int, deque[str]],
    purses: dict[int, tuple[int, tuple[int, ...]]],
) -> None:
    """Answers for everybody who is asked with their next decision; for players with none left, the time runs out."""
    for seat in awaits:
        left, purse = waiting[seat], purses.get(seat)
        credit = None if purse is None else purse[0] - sum(_spent(played, shared) for shared in purse[1])
        played.apply(Decided(seat, left.popleft(), credit) if left else TimeExpired((seat,)))


def _spent(played: Round, number: int) -> int:
    seat = played.seats[number]
    return seat.staked - seat.returned


def _never_asked(player: ScriptPlayer, left: deque[str]) -> Refused:
    asked = len(player.decisions) - len(left)
    given = len(player.decisions)
    return Refused("never-asked", who=player.name, decision=shortened(left[0]), asked=asked, given=given)


english(
    "refused",
    {
        "script-no-players": "The script has no players: at least one with a wager is needed.",
        "player-no-name": "Player {number} has no name: every player needs one, like p{number}.",
        "player-name-repeated": "The name {name:quoted} is repeated: every player needs a name of their own.",
        "player-box": "{who}: box {box} is not the next one, which is box {next}: the boxes of a player are numbered from 1 in their order.",
        "player-box-credit": "{who}: a further box has no credit of its own: all boxes of a player share the credit of the first.",
        "player-credit": "{who}: a credit of {credit:money} is not allowed: it must be 0 or more.",
        "missing-seat": "Too few cards: card {card} is missing, the next one for {who}.",
        "missing-hand": "Too few cards: card {card} is missing, the next one for {who}, hand {hand}.",
        "missing-player": "Too few cards: card {card} is missing, P{number} of the players' hand.",
        "missing-community": "Too few cards: card {card} is missing, C{number} of the community cards.",
        "missing-location": "Too few cards: card {card} is missing, location {number} of the array.",
        "missing-dealer": "Too few cards: card {card} is missing, the dealer's card {number}.",
        "missing-draw": "Too few cards: card {card} is missing, the next one for the dealer.",
        "missing-dealers": "Too few cards: card {card} is missing, the dealer's {place}.",
        "missing-place": "Too few cards: card {card} is missing, the next one for {place}.",
        "cards-too-often": Plural(
            "decks",
            one="The cards hold {card:cards} {times} times, but one deck holds it once.",
            other="The cards hold {card:cards} {times} times, but {decks} decks hold it {decks} times.",
        ),
        "never-asked": Plural(
            "asked",
            one="{who} was never asked for {decision:quoted}: the rules asked for one decision, and the script has {given}.",
            other="{who} was never asked for {decision:quoted}: the rules asked for {asked} decisions, and the script has {given}.",
        ),
    },
)
