"""The result of a script in the form that the command line promises."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from podium.basics.words import ENGLISH, Phrase
from podium.play.round import Round
from podium.play.script.reading import ScriptPlayer
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult

_results = msgspec.json.Encoder()


def written_result(played: Round, players: Iterable[ScriptPlayer] = ()) -> bytes:
    """The result of a finished round in JSON."""
    return _results.encode(result_dict(played, players))


def result_dict(played: Round, players: Iterable[ScriptPlayer] = ()) -> dict[str, Any]:
    """The result of a finished round as plain values; with the boxes that its script numbered, if its players are
    given."""
    return {
        "game": played.game.name,
        "cards_dealt": played.cards_dealt,
        "players": [
            _seat(seat.name, box, played.results[number])
            for (number, seat), box in zip(played.seats.items(), _boxes(played, players), strict=True)
        ],
    }


def _boxes(played: Round, players: Iterable[ScriptPlayer]) -> Iterator[int | None]:
    """The box of each seat that needs one: the script gave it, or the name occurs again."""
    seen: Counter[str] = Counter()
    for seat, player in zip_longest(played.seats.values(), players):
        seen[seat.name] += 1
        given = player is not None and player.box is not msgspec.UNSET
        yield seen[seat.name] if given or seen[seat.name] > 1 else None


def _seat(name: str, box: int | None, result: SeatResult) -> dict[str, Any]:
    staked, returned = result.staked, result.returned
    line: dict[str, Any] = {"name": name}
    if box is not None:
        line["box"] = box
    return line | {
        "hands": [_hand(hand) for hand in result.hands],
        "dealer": result.dealer and _dealer(result.dealer),
        "wagers": [_wager(wager) for wager in result.wagers],
        "staked": staked,
        "returned": returned,
        "tips": result.tips,
        "net": returned - staked,
    }


def _wager(wager: WagerResult) -> dict[str, Any]:
    line = {
        "wager": wager.wager,
        "for": wager.whose,
        "staked": wager.staked,
        "returned": wager.returned,
        "outcome": wager.outcome,
        "why": " ".join([str(reason) for reason in wager.why]),
    }
    return line | {"breakage": wager.breakage} if wager.breakage else line


def _hand(hand: HandResult) -> dict[str, Any]:
    worth = {"hand": _name(hand.name)} if hand.total is None else {"total": hand.total, "soft": hand.soft}
    return {"cards": hand.cards} | worth | {"result": hand.result, "staked": hand.staked, "returned": hand.returned}


def _name(hand: Phrase | None) -> str:
    return ENGLISH.say(hand) if hand else ""


def _dealer(dealer: DealerResult) -> dict[str, Any]:
    if dealer.total is None:
        return {"cards": dealer.cards, "hand": _name(dealer.name), "qualifies": dealer.qualifies}
    return {"cards": dealer.cards, "total": dealer.total, "blackjack": dealer.blackjack, "bust": dealer.bust}
