"""A round as readable text, written and read without loss.

    game stadium-blackjack
      decks = 8

    seat 1 "p1" bets blackjack 1000, trilux 500; for the dealer blackjack 100; credit 100000
    no more bets
    card 9s to player 1
    card Ah to dealer 1
    card 2c to player 2
    seat 1 decides decline
    time runs out
    card Td to community 1
    result confirmed

    seat 1 blackjack: staked 1000, returned 2000. Your 21 beats dealer 19.
    seat 1: staked 1600, returned 2000, tips 200, net 400.

Every line of the middle part is an event. The last part is the settlement: it is written from the round, and when it is
read it is only compared with the round. Lines that begin with # are comments. Amounts are whole minor units.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from podium.basics.cards import Card, card, cards, codes
from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.play.events import (
    AnyEdit,
    AnyEvent,
    BettingClosed,
    CardCorrected,
    CardDealt,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    PeekWithdrawn,
    ShoeFollowed,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.round import Round
from podium.rules.asking import NextCard, expected
from podium.rules.games import game
from podium.rules.options import written
from podium.rules.results import SeatResult, WagerResult

# --- writing ----------------------------------------------------------------------------------------------------------


def write(played: Round) -> str:
    """Writes a round as text."""
    parts = ["\n".join(_header(played)), "\n".join(_events(played))]
    if played.over:
        parts.append("\n".join(settlement(played)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _header(played: Round) -> Iterator[str]:
    yield f"game {played.game.name}"
    for option, value in played.game.changed().items():
        yield f"  {option} = {written(value)}"
    if played.out:
        yield f"  out of the shoe: {codes(card for card, times in played.out.items() for _ in range(times))}"


def _events(played: Round) -> Iterator[str]:
    """The events as lines, each card with the place that it went to."""
    again = Round(played.game, played.out, taken=True)
    for event in played.events:
        awaits = again.awaits
        place = f" to {awaits.place}" if isinstance(event, CardDealt) and isinstance(awaits, NextCard) else ""
        yield line(event) + place
        again.apply(event)


def line(event: AnyEvent) -> str:
    """One event as a line."""
    match event:
        case WagersPlaced():
            return _wagers_line(event)
        case CreditAdded(seat, amount):
            return f"seat {seat} adds credit {amount}"
        case BettingClosed():
            return "no more bets"
        case CardDealt(dealt):
            return f"card {dealt.code if dealt else 'unknown'}"
        case ShoeFollowed(shoe, held):
            return f"shoe {shoe} of {held} cards follows"
        case HolePeeked(blackjack):
            return f"peek: {'blackjack' if blackjack else 'no blackjack'}"
        case HoleTurned(turned):
            return f"hole card turned: {turned}"
        case Decided(seat, decision):
            return f"seat {seat} decides {decision}"
        case TimeExpired(None):
            return "time runs out"
        case TimeExpired(seats):
            return f"time runs out for {', '.join(f'seat {seat}' for seat in seats or ())}"
        case Confirmed():
            return "result confirmed"
        case CardCorrected(number, right):
            return f"card {number} corrected to {right or 'unknown'}"
        case CardsCorrected(edits, asks_affected):
            again = "; affected players decide again" if asks_affected else ""
            return f"correction: {', '.join(map(_edit, edits))}{again}"
        case Voided(reason, why):
            return f"round void{f' ({why})' if why else ''}: {json.dumps(reason)}"


def _edit(edit: AnyEdit) -> str:
    match edit:
        case CardReplaced(number, right):
            return f"card {number} is {right or 'unknown'}"
        case CardInserted(number, missed):
            return f"card {number} was missed {missed or 'unknown'}"
        case CardRemoved(number):
            return f"card {number} removed"
    return "peek withdrawn"


def _wagers_line(event: WagersPlaced) -> str:
    who = f"seat {event.seat} {json.dumps(event.name)}" if event.name else f"seat {event.seat}"
    parts = []
    if event.amounts:
        parts.append(_amounts(event.amounts))
    if event.for_dealer:
        parts.append(f"for the dealer {_amounts(event.for_dealer)}")
    if event.spots:
        parts.append(f"spots {' '.join(str(spot) for spot in event.spots)}")
    if event.credit is not None:
        parts.append(f"credit {event.credit}")
    return f"{who} bets {'; '.join(parts) or 'nothing'}"


def _amounts(stakes: dict[str, int]) -> str:
    return ", ".join(f"{wager} {stake}" for wager, stake in stakes.items())


def settlement(played: Round) -> Iterator[str]:
    """The settlement of a round: a line for each wager of each seat, and one for the seat."""
    for number, result in played.results.items():
        for wager in result.wagers:
            yield _wager_line(number, wager)
        yield _seat_line(number, result)


def _wager_line(number: int, wager: WagerResult) -> str:
    whose = " for the dealer" if wager.whose == "dealer" else ""
    tips = f", tips {wager.tips}" if wager.tips else ""
    breakage = f", breakage {wager.breakage}" if wager.breakage else ""
    why = " ".join(str(reason) for reason in wager.why)
    return (
        f"seat {number} {wager.wager}{whose}: staked {wager.staked}, returned {wager.returned}{tips}{breakage}. {why}"
    )


def _seat_line(number: int, result: SeatResult) -> str:
    return f"seat {number}: staked {result.staked}, returned {result.returned}, tips {result.tips}, net {result.net}."


# --- reading ----------------------------------------------------------------------------------------------------------


def read(text: str) -> Round:
    """Reads a round from its text form and plays it. A line that is not possible is refused, with its number."""
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    played, rest = _read_header(lines)
    settled = next((at for at, (_, line) in enumerate(rest) if _SETTLED.match(line)), len(rest))
    for number, line in rest[:settled]:
        try:
            _apply(played, line)
        except Refused as refusal:
            raise Refused("at-line", number=number, why=refusal.phrase) from None
    if rest[settled:]:
        _compare(played, rest[settled:])
    return played


def _read_header(lines: list[tuple[int, str]]) -> tuple[Round, list[tuple[int, str]]]:
    if not lines or not lines[0][1].startswith("game "):
        raise Refused("notation-game")
    name = lines[0][1].removeprefix("game ").strip()
    options: dict[str, Any] = {}
    out: dict[Card, int] = {}
    for position, (number, line) in enumerate(lines[1:], start=1):
        if not line.startswith(" "):
            return Round(game(name, options), out), lines[position:]
        option, equals, value = line.strip().partition(" = ")
        if option.startswith("out of the shoe: "):
            for gone in cards(option.removeprefix("out of the shoe: ")):
                out[gone] = out.get(gone, 0) + 1
        elif equals:
            options[option] = _read_value(number, value)
        else:
            raise Refused("notation-option", number=number)
    return Round(game(name, options), out), []


def _read_value(number: int, value: str) -> Any:
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        raise Refused("notation-value", number=number, value=shortened(value)) from None


def _apply(played: Round, line: str) -> None:
    """Applies the event of a line; a card must go to the place that the line names."""
    event, place = _read_event(line)
    awaits = played.awaits
    if place is not None and not isinstance(awaits, NextCard):
        raise Refused("notation-no-place", written=shortened(place), awaited=expected(awaits))
    if place is not None and isinstance(awaits, NextCard) and str(awaits.place) != place:
        raise Refused("notation-place", written=shortened(place), place=str(awaits.place))
    played.apply(event)


def _read_event(line: str) -> tuple[AnyEvent, str | None]:
    for pattern, make in _PATTERNS:
        found = pattern.fullmatch(line)
        if found:
            return make(found), found.groupdict().get("place")
    raise Refused("notation-line", line=shortened(line))


def _compare(played: Round, lines: list[tuple[int, str]]) -> None:
    """Checks that the written settlement is the round's own, complete."""
    came_to = list(settlement(played))
    for (number, line), right in zip(lines, came_to, strict=False):
        if line != right:
            raise Refused("settlement-differs", number=number, line=right)
    if len(lines) > len(came_to):
        raise Refused("settlement-ends", number=lines[len(came_to)][0])
    if len(lines) < len(came_to):
        raise Refused("settlement-goes-on", number=lines[-1][0], line=came_to[len(lines)])


def _read_amounts(text: str | None) -> dict[str, int]:
    pairs = [part.split() for part in (text or "").split(", ") if part]
    return {wager: int(stake) for wager, stake in pairs}


def _read_wagers(found: re.Match[str]) -> WagersPlaced:
    parts = {"own": "", "for the dealer": "", "spots": "", "credit": ""}
    for part in found["stakes"].split("; "):
        kind = next((kind for kind in ("for the dealer", "spots", "credit") if part.startswith(f"{kind} ")), "own")
        parts[kind] = part.removeprefix(f"{kind} ") if part != "nothing" else ""
    return WagersPlaced(
        seat=int(found["seat"]),
        amounts=_read_amounts(parts["own"]),
        for_dealer=_read_amounts(parts["for the dealer"]),
        spots=tuple(int(spot) for spot in parts["spots"].split()),
        credit=int(parts["credit"]) if parts["credit"] else None,
        name=json.loads(found["name"]) if found["name"] else "",
    )


def _read_correction(found: re.Match[str]) -> CardsCorrected:
    return CardsCorrected(tuple(map(_read_edit, found["edits"].split(", "))), bool(found["again"]))


def _read_edit(text: str) -> AnyEdit:
    found = _EDIT_PARTS.fullmatch(text)
    assert found is not None  # the pattern of the line has the same parts
    if found["number"] is None:
        return PeekWithdrawn()
    number = int(found["number"])
    if found["code"] is None:
        return CardRemoved(number)
    known = None if found["code"] == "unknown" else card(found["code"])
    return CardReplaced(number, known) if found["how"] == "is" else CardInserted(number, known)


def _read_card(found: re.Match[str]) -> CardDealt:
    return CardDealt(None if found["card"] == "unknown" else card(found["card"]))


_STAKES: Final = r"[a-z0-9@-]+ \d+(?:, [a-z0-9@-]+ \d+)*"
_BETS: Final = rf"(?:{_STAKES}|for the dealer {_STAKES}|spots(?: \d)+|credit \d+|nothing)"

_EDIT: Final = r"(?:card \d+ (?:is|was missed) [^ ,;]+|card \d+ removed|peek withdrawn)"
_EDIT_PARTS: Final = re.compile(
    r"card (?P<number>\d+) (?:(?P<how>is|was missed) (?P<code>[^ ,;]+)|removed)|peek withdrawn"
)

_SETTLED: Final = re.compile(r"seat \d+(?: [a-z0-9@-]+(?: for the dealer)?)?: staked ")

_PATTERNS: Final[list[tuple[re.Pattern[str], Callable[[re.Match[str]], AnyEvent]]]] = [
    (re.compile(rf'seat (?P<seat>\d+)(?: (?P<name>"[^\n]*"))? bets (?P<stakes>{_BETS}(?:; {_BETS})*)'), _read_wagers),
    (re.compile(r"seat (\d+) adds credit (\d+)"), lambda found: CreditAdded(int(found[1]), int(found[2]))),
    (re.compile(r"no more bets"), lambda _: BettingClosed()),
    (re.compile(r"card (?P<card>[^ ]+)(?: to (?P<place>.+))?"), _read_card),
    (re.compile(r"shoe (\d+) of (\d+) cards follows"), lambda found: ShoeFollowed(int(found[1]), int(found[2]))),
    (re.compile(r"peek: (no )?blackjack"), lambda found: HolePeeked(found[1] is None)),
    (re.compile(r"hole card turned: (.+)"), lambda found: HoleTurned(card(found[1]))),
    (re.compile(r"seat (\d+) decides (.+)"), lambda found: Decided(int(found[1]), found[2])),
    (re.compile(r"time runs out"), lambda _: TimeExpired()),
    (
        re.compile(r"time runs out for ((?:seat \d+)(?:, seat \d+)*)"),
        lambda found: TimeExpired(tuple(int(seat.removeprefix("seat ")) for seat in found[1].split(", "))),
    ),
    (re.compile(r"result confirmed"), lambda _: Confirmed()),
    (
        re.compile(r"card (\d+) corrected to (.+)"),
        lambda found: CardCorrected(int(found[1]), None if found[2] == "unknown" else card(found[2])),
    ),
    (
        re.compile(rf"correction: (?P<edits>{_EDIT}(?:, {_EDIT})*)(?P<again>; affected players decide again)?"),
        _read_correction,
    ),
    (
        re.compile(r'round void(?: \((?P<why>[a-z-]+)\))?: (?P<reason>".*")'),
        lambda found: Voided(json.loads(found["reason"]), found["why"] or ""),
    ),
]

english(
    "refused",
    {
        "at-line": "line {number}: {why}.",
        "notation-game": "A round begins with its game, like: game stadium-blackjack",
        "notation-option": "Line {number}: an option is written like: decks = 8",
        "notation-value": "Line {number}: {value:quoted} is not a value. Text is written in quotation marks.",
        "notation-place": "the card goes to {place}, not to {written:quoted}.",
        "notation-no-place": "no card goes to {written:quoted} now: the round awaits {awaited}.",
        "notation-line": "{line:quoted} is not a line of a round; see the round notation.",
        "settlement-differs": "Line {number}: the round was settled differently: {line}",
        "settlement-ends": "Line {number}: the settlement of the round ends before this line.",
        "settlement-goes-on": "After line {number} the settlement goes on: {line}",
    },
)
