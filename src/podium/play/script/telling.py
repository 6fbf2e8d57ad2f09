"""The result of a script in the form that the command line promises."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from podium.basics.words import ENGLISH, Phrase
from podium.play.round import Round
from podium.rules.results import DealerResult, HandResult, SeatResult, WagerResult

_results = msgspec.json.Encoder()


def written_result(played: Round) -> bytes:
    """The result of a finished round in JSON."""
    return _results.encode(result_dict(played))


def result_dict(played: Round) -> dict[str, Any]:
    """The result of a finished round as plain values."""
    return {
        "game": played.game.name,
        "cards_dealt": played.cards_dealt,
        "players": [
            _seat(seat.name, box, played.results[number])
            for (number, seat), box in zip(played.seats.items(), _boxes(played), strict=True)
        ],
    }


def _boxes(played: Round) -> Iterator[int]:
    """The number of each seat's box: a name that comes again is a further box of the same player."""
    seen: Counter[str] = Counter()
    for seat in played.seats.values():
        seen[seat.name] += 1
        yield seen[seat.name]


def _seat(name: str, box: int, result: SeatResult) -> dict[str, Any]:
    return {
        "name": name,
        **({"box": box} if box > 1 else {}),
        "hands": [_hand(hand) for hand in result.hands],
        "dealer": result.dealer and _dealer(result.dealer),
        "wagers": [_wager(wager) for wager in result.wagers],
        "staked": result.staked,
        "returned": result.returned,
        "tips": result.tips,
        "net": result.net,
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
