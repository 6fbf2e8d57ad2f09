"""CARD-2: rounds with random mistakes, each put right, are settled as the oracle settles the right cards."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from random import Random
from typing import Any

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.play.events import (
    AnyEdit,
    BettingClosed,
    CardDealt,
    CardInserted,
    CardRemoved,
    CardReplaced,
    CardsCorrected,
    Decided,
    WagersPlaced,
)
from podium.play.notation import write
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, NextCard
from podium.rules.games import game
from tests.oracle.illegal import Illegal
from tests.oracle.options import GAMES
from tests.oracle.rounds import Script, settle
from tests.oracle.scripts import random_cards, random_options, random_wagers
from tests.stories import covers


class Clumsy:
    """A dealer who enters wrong cards, misses some and enters some twice, and mends it some time later."""

    def __init__(self, script: Script, random: Random) -> None:
        self.script, self.random = script, random
        self.shoe = [card(code) for code in script["cards"].split()]
        self.out = 0
        """The real cards that lie on the table."""
        self.entered: list[Any] = []
        self.mended = 0
        self.round = Round(game(script["game"], script.get("options", {})))

    def play(self) -> bool:
        """Whether the round came to its end; without one, it would have been voided."""
        for number, player in enumerate(self.script["players"], start=1):
            placed = player["wagers"], player.get("for_dealer", {}), tuple(player.get("spots", ()))
            try:
                self.round.apply(WagersPlaced(number, *placed, player.get("credit"), player["name"]))
            except Refused:
                return False  # wagers that this game does not take
        self.round.apply(BettingClosed())
        for _ in range(400):
            if isinstance(self.round.awaits, Confirmation) and not self.wrong:
                self.round.confirm()
                return True
            if not self.act():
                return False
        return False

    @property
    def wrong(self) -> bool:
        return self.entered != self.shoe[: self.out]

    def act(self) -> bool:
        awaits = self.round.awaits
        if self.wrong and (not isinstance(awaits, NextCard | Decisions) or self.random.random() < 0.2):
            return self.mend()
        if isinstance(awaits, Decisions):
            self.decide(awaits)
        elif isinstance(awaits, NextCard):
            return self.deal()
        return isinstance(awaits, NextCard | Decisions)

    def decide(self, awaits: Decisions) -> None:
        seat = self.random.choice(list(awaits))
        allowed = awaits[seat].allowed
        choices = [name for name, cost in allowed.items() if covers(self.round.seats[seat], cost.least)]
        choice = self.random.choice(choices)
        choice = choice.replace("AMOUNT", str(self.random.randint(*allowed[choice]))) if ":" in choice else choice
        self.round.apply(Decided(seat, choice))

    def deal(self) -> bool:
        if self.out >= len(self.shoe) - 2:
            return False
        enters = [self.shoe[self.out]]
        match self.random.random():
            case chance if chance < 0.05:
                enters = [card(self.random.choice(self.script["cards"].split()))]
            case chance if chance < 0.08:
                self.out += 1
                enters = [self.shoe[self.out]]
            case chance if chance < 0.11 and self.entered:
                self.out -= 1
                enters = [self.entered[-1]]
        self.out += 1
        try:
            for each in enters:
                self.round.apply(CardDealt(each))
        except Refused:
            return False  # the shoe cannot have held it: the dealer saw the mistake at once
        self.entered += enters
        return True

    def mend(self) -> bool:
        edits = tuple(edits_to(self.entered, self.shoe[: self.out]))
        try:
            self.round.apply(CardsCorrected(edits, self.random.random() < 0.5))
        except Refused as refusal:
            if refusal.phrase.key != "refused.correct-would-ask":
                raise
            return False
        self.entered = self.shoe[: self.out]
        self.mended += 1
        return True


def edits_to(entered: list[Any], right: list[Any]) -> Iterator[AnyEdit]:
    """The edits that make what was entered what was dealt, each in the numbers that the ones before it leave."""
    for what, first, last, begin, end in SequenceMatcher(None, entered, right, autojunk=False).get_opcodes():
        both = min(last - first, end - begin) if what == "replace" else 0
        yield from (CardReplaced(begin + at + 1, right[begin + at]) for at in range(both))
        if what in ("replace", "delete"):
            yield from (CardRemoved(begin + both + 1) for _ in range(last - first - both))
        if what in ("replace", "insert"):
            yield from (CardInserted(at + 1, right[at]) for at in range(begin + both, end))


def uncut_script(name: str, random: Random) -> Script:
    options = random_options(name, random)
    players = [f"p{seat}" for seat in range(1, random.choice([1, 1, 2, 3, 5]) + 1)]
    return {
        "game": name,
        "options": {**options, **({"seats": 6} if "seats" in options else {})},
        "cards": " ".join(random_cards(name, options, random)),
        "players": [{"name": player} | random_wagers(name, options, random) for player in players],
    }


@pytest.mark.parametrize("name", GAMES)
def test_card_2_a_corrected_round_is_settled_as_if_the_right_cards_had_been_dealt(name: str) -> None:
    random, compared, mended = Random(f"clumsy {name}"), 0, 0
    while compared < 60 or mended < 40:
        script = uncut_script(name, random)
        clumsy = Clumsy(script, random)
        if not clumsy.play():
            continue
        for number, player in enumerate(script["players"], start=1):
            player["decisions"] = [decision for decision, _ in clumsy.round.decisions_of(number)]
        try:
            right = settle(script)
        except Illegal as illegal:
            raise AssertionError(f"{illegal}: {script}\n{write(clumsy.round)}") from None
        for number, player in enumerate(right["players"], start=1):
            result = clumsy.round.results[number]
            found = result.staked, result.returned, result.tips, result.net
            due_ = player["staked"], player["returned"], player["tips"], player["net"]
            assert found == due_, f"{script}\n{write(clumsy.round)}"
        compared, mended = compared + 1, mended + clumsy.mended
