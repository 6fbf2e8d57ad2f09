"""`podium settle`: one round played from a script."""

from collections import deque
from typing import Any

import msgspec

from podium.asking import Confirmation, Decisions, NextCard
from podium.cards import Card, cards
from podium.events import BettingClosed, CardDealt, Confirmed, Decided, TimeExpired, WagersPlaced
from podium.games import game
from podium.refusal import Refused
from podium.results import DealerResult, HandResult, SeatResult
from podium.round import Round


class Player(msgspec.Struct, forbid_unknown_fields=True):
    """A player of a script."""

    name: str
    wagers: dict[str, int] = {}
    for_dealer: dict[str, int] = {}
    decisions: list[str] = []
    spots: list[int] | None = None
    credit: int | None = None


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A whole round as its user writes it."""

    game: str
    cards: str
    players: list[Player]
    options: dict[str, Any] = {}


_scripts = msgspec.json.Decoder(Script)
_results = msgspec.json.Encoder()


def read_script(text: bytes | str) -> Script:
    """A script from JSON; one that is no script is refused with what is wrong and what would be accepted."""
    try:
        return _scripts.decode(text)
    except msgspec.ValidationError as error:
        raise Refused(_readable(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"The script is not JSON: {str(error) or 'it is nested too deeply'}.") from None


def play(script: Script) -> Round:
    """The round that a script tells, to its end."""
    rules = game(script.game, script.options)
    shoe = deque(cards(script.cards))
    round = Round(rules)
    names = _place_wagers(round, script.players)
    round.apply(BettingClosed())
    waiting = {number: deque(player.decisions) for number, player in names.items()}
    while not isinstance(awaits := round.awaits, Confirmation):
        if isinstance(awaits, NextCard):
            round.apply(CardDealt(_next_card(shoe, round)))
        elif isinstance(awaits, Decisions):
            _decide(round, awaits, waiting)
    for number, left in waiting.items():
        if left:
            raise Refused(
                f"{names[number].name} was never asked for {left[0]!r}: the rules asked for "
                f"{len(names[number].decisions) - len(left)} decisions and the script has {len(names[number].decisions)}."
            )
    round.apply(Confirmed())
    return round


def _place_wagers(round: Round, players: list[Player]) -> dict[int, Player]:
    """Seat the players in their order."""
    if not players:
        raise Refused("The script has no players: at least one with a wager is needed.")
    seen = set()
    for number, player in enumerate(players, start=1):
        if not player.name:
            raise Refused(f"Player {number} has no name.")
        if player.name in seen:
            raise Refused(f"The name {player.name!r} is repeated: every player needs a name of their own.")
        seen.add(player.name)
        if player.credit is not None and player.credit < 0:
            raise Refused(f"{player.name}: a credit of {player.credit} is not possible; it is 0 or more minor units.")
        round.apply(
            WagersPlaced(
                seat=number,
                amounts=player.wagers,
                for_dealer=player.for_dealer,
                spots=() if player.spots is None else tuple(player.spots) or (0,),
                credit=player.credit,
                name=player.name,
            )
        )
    return dict(enumerate(players, start=1))


def _next_card(shoe: deque[Card], round: Round) -> Card:
    if not shoe:
        awaits = round.awaits
        assert isinstance(awaits, NextCard)
        raise Refused(f"Too few cards: card {round.cards_dealt + 1}, for {awaits.place}, is missing.")
    return shoe.popleft()


def _decide(round: Round, awaits: Decisions, waiting: dict[int, deque[str]]) -> None:
    """Everybody who is asked answers with the next decision; who has none left lets the time run out."""
    for seat in awaits:
        left = waiting[seat]
        round.apply(Decided(seat, left.popleft()) if left else TimeExpired((seat,)))


# --- the result as contract.md writes it ------------------------------------------------------------------------------


def told(round: Round) -> dict[str, Any]:
    """The result of a finished round, as `podium settle` writes it."""
    return {
        "game": round.game.name,
        "cards_dealt": round.cards_dealt,
        "players": [_told_seat(seat.name, round.results[number]) for number, seat in round.seats.items()],
    }


def _told_seat(name: str, result: SeatResult) -> dict[str, Any]:
    return {
        "name": name,
        "hands": [_told_hand(hand) for hand in result.hands],
        "dealer": result.dealer and _told_dealer(result.dealer),
        "wagers": [
            {
                "wager": wager.wager,
                "for": wager.whose,
                "staked": wager.staked,
                "returned": wager.returned,
                "outcome": wager.outcome,
                "why": " ".join([str(reason) for reason in wager.why]),
            }
            | ({"breakage": wager.breakage} if wager.breakage else {})
            for wager in result.wagers
        ],
        "staked": result.staked,
        "returned": result.returned,
        "tips": result.tips,
        "net": result.net,
    }


def _told_hand(hand: HandResult) -> dict[str, Any]:
    worth = {"hand": hand.name} if hand.total is None else {"total": hand.total, "soft": hand.soft}
    return {"cards": hand.cards} | worth | {"result": hand.result, "staked": hand.staked, "returned": hand.returned}


def _told_dealer(dealer: DealerResult) -> dict[str, Any]:
    if dealer.total is None:
        return {"cards": dealer.cards, "hand": dealer.name, "qualifies": dealer.qualifies}
    return {"cards": dealer.cards, "total": dealer.total, "blackjack": dealer.blackjack, "bust": dealer.bust}


def settle(text: bytes | str) -> bytes:
    """A script in JSON, its result in JSON."""
    return _results.encode(told(play(read_script(text))))


def _readable(error: str) -> str:
    """A type error of the decoder, with what would be accepted."""
    what, _, where = error.partition(" - at ")
    place = f" at {where.strip('`').removeprefix('$').removeprefix('.') or 'the top'}" if where else ""
    keys = {"players": Player, "": Script}
    known = ", ".join(keys["players" if "players" in where else ""].__struct_fields__)
    hint = f"; its keys are {known}" if "field" in what else ""
    return f"The script is malformed{place}: {what[0].lower()}{what[1:]}{hint}."
