"""A dealer who deals real cards, and enters them as people do: nearly always correctly."""

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Final

from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.client import Client
from podium.wire.commands import (
    AbandonCorrection,
    AnswerPeek,
    AnyFix,
    BeginCorrection,
    BurnCard,
    CloseBets,
    Confirm,
    Correct,
    EnterCard,
    InsertCard,
    LoadShoe,
    NewGame,
    RemoveCard,
    ReplaceCard,
    SeeCutCard,
    SwapCards,
    TakePlace,
    TurnHole,
    Void,
    WithdrawPeek,
)
from podium.wire.messages import TableView

CARDS: Final = [card.code for card in DECK]
TENS: Final = set("TJQK")
GLANCE_SECONDS: Final = 2.0
"""How long a dealer waits for something new before looking at the table again."""
APPROVAL_SECONDS: Final = 0.15
UNMENDED: Final = 40
"""The number of refused corrections of one mistake after which the dealer gives up the round."""


class Dealer:
    """Deals one table. `dealt` has the cards that really lay there, by round, in the order of dealing."""

    def __init__(self, table: str, decks: int, seed: str, *, errs: float) -> None:
        self.table: Final = table
        self.dealt: Final[dict[int, list[str]]] = {}
        self.mistakes: Final[Counter[str]] = Counter()
        """Everything that went wrong, by kind."""
        self.refused: Final[Counter[str]] = Counter()
        self.ended: Final[set[int]] = set()
        """The rounds that this dealer has confirmed or voided."""
        self._decks: Final = decks
        self._errs: Final = errs
        self._chance: Final = Random(seed)
        self._shoe: list[str] = []
        self._hole = ""
        """The face-down card, as the dealer alone knows it."""
        self._fixes: list[AnyFix] = []
        """What must be corrected, once the dealer has noticed."""
        self._notices_in = 0
        """After how many further acts the dealer notices."""
        self._skew = 0
        """How many more cards are entered than were dealt, until that is corrected."""
        self._tries = 0

    async def run(self, house: Client) -> None:
        await house.watch(self.table)
        with suppress(Refused):
            await house.do(TakePlace)
        while True:
            seen = house.changes
            try:
                acted = await self._act(house, house.view)
            except Refused as refusal:
                self.refused[refusal.phrase.key] += 1
                acted = False
            if not acted:
                with suppress(TimeoutError):
                    await asyncio.wait_for(house.changed(seen), GLANCE_SECONDS)
            await asyncio.sleep(0)

    # --- one act ----------------------------------------------------------------------------------------------------

    async def _act(self, house: Client, view: TableView) -> bool:
        """Does what the table waits for, if it waits for the dealer; returns whether it did anything."""
        if self._fixes and view.round in self.dealt and view.phase not in ("result", "void", "paused", "waiting"):
            if self._notices_in <= 0 or view.phase == "confirming":
                return await self._correct(house, view)
            self._notices_in -= 1
        match view.phase:
            case "waiting" | "result" | "void":
                return await self._begin(house, view)
            case "betting":
                return await self._close(house, view)
            case "dealing":
                return await self._deal(house, view)
            case "peeking":
                await house.do(AnswerPeek, round=view.round, blackjack=self._peeks(view))
            case "turning":
                await house.do(TurnHole, round=view.round, card=self._hole)
            case "confirming":
                await house.do(Confirm, round=view.round)
                self.ended.add(view.round)
            case _:
                return False
        return True

    async def _begin(self, house: Client, view: TableView) -> bool:
        self._fixes, self._hole, self._tries, self._skew = [], "", 0, 0
        shoe = view.shoe
        if view.shoe_wanted is not None or shoe is None:
            rules = house.rules
            assert rules is not None
            await house.do(LoadShoe, cards=rules.shoe_cards)
            self._shuffle()
            return True
        if shoe.burned < shoe.to_burn:
            await house.do(BurnCard, shoe=shoe.number, number=shoe.burned + 1, card="unknown")
            self._shoe.pop()
            return True
        if shoe.shuffler != "none" or not self._shoe:
            self._shuffle()
        await house.do(NewGame, round=view.round + 1)
        self.dealt[view.round + 1] = []
        return True

    async def _close(self, house: Client, view: TableView) -> bool:
        if not view.betting or (view.betting < view.players and self._chance.random() < 0.5):
            return False
        self.dealt.setdefault(view.round, [])
        await house.do(CloseBets, round=view.round)
        return True

    def _shuffle(self) -> None:
        self._shoe = CARDS * self._decks
        self._chance.shuffle(self._shoe)

    # --- cards ------------------------------------------------------------------------------------------------------

    async def _deal(self, house: Client, view: TableView) -> bool:
        number, dealt = len(view.cards) + 1, self.dealt[view.round]
        if view.shoe is not None and view.shoe.cut_card == "due":
            with suppress(Refused):
                await house.do(SeeCutCard, shoe=view.shoe.number)
        if (
            len(dealt) + self._skew >= number
        ):  # dealt before, and not entered yet: the house was away, or a card was swapped
            await self._enter(house, view, number, dealt[number - 1 - self._skew])
            return True
        if not self._shoe:
            await house.do(LoadShoe, cards=len(CARDS) * self._decks, follows=True)
            self._shuffle()
        dealt.append(self._shoe.pop())
        if view.next is not None and view.next.key == "place.hole-card":
            self._hole = dealt[-1]
            await self._enter(house, view, number, "unknown")
        elif self._fixes or self._chance.random() >= self._errs:
            await self._enter(house, view, number, dealt[-1])
        else:
            await self._err(house, view, number)
        return True

    async def _err(self, house: Client, view: TableView, number: int) -> None:
        """Enters something other than what was dealt, and will notice later."""
        dealt, real = self.dealt[view.round], self.dealt[view.round][-1]
        self._notices_in, self._tries = self._chance.randrange(4), 0
        kind = self._chance.choice(["misread", "twice", "missed", "swapped"])
        if kind in ("missed", "swapped") and not self._shoe:
            kind = "misread"
        self.mistakes[kind] += 1
        if kind == "misread":
            self._fixes = [ReplaceCard(number, real)]
            await self._enter(house, view, number, self._chance.choice([card for card in CARDS if card != real]))
        elif kind == "twice":
            await self._enter(house, view, number, real)
            if self._awaits_a_card(house.view):
                self._fixes, self._skew = [RemoveCard(number + 1)], 1
                await self._enter(house, view, number + 1, real)
        else:
            dealt.append(self._shoe.pop())
            self._fixes, self._skew = [InsertCard(number, real)], -1
            await self._enter(house, view, number, dealt[-1])
            if kind == "swapped" and self._awaits_a_card(house.view):
                self._fixes, self._skew = [SwapCards(number, number + 1)], 0
                await self._enter(house, view, number + 1, real)

    def _awaits_a_card(self, view: TableView) -> bool:
        return view.phase == "dealing" and view.next is not None and view.next.key != "place.hole-card"

    async def _enter(self, house: Client, view: TableView, number: int, card: str) -> None:
        """Enters a card, and looks at what the table shows then."""
        await house.do(EnterCard, round=view.round, number=number, card=card)
        while house.view.round == view.round and len(house.view.cards) < number:
            await house.changed()

    def _peeks(self, view: TableView) -> bool:
        """Looks at the hole card; errs seldom, and notices at once."""
        up = view.layout.dealer[0][0] if view.layout.dealer else ""
        truth = {up, self._hole[0]} & TENS != set() and "A" in (up, self._hole[0])
        if self._chance.random() < self._errs / 2 and not self._fixes:
            self.mistakes["peek"] += 1
            self._fixes, self._notices_in = [WithdrawPeek()], 0
            return not truth
        return truth

    # --- when it was wrong ------------------------------------------------------------------------------------------

    async def _correct(self, house: Client, view: TableView) -> bool:
        """Corrects the mistake; the supervisor may have to look at it first. What cannot be corrected is voided."""
        try:
            if not view.correction and not all(isinstance(fix, ReplaceCard) for fix in self._fixes):
                await house.do(BeginCorrection, round=view.round)
                while not house.view.correction:
                    await house.changed()
            await house.do(
                Correct, round=view.round, why="wrong-card", fixes=tuple(self._fixes), correction=house.view.correction
            )
        except Refused as refusal:
            self.refused[refusal.phrase.key] += 1
            self._tries += 1
            if refusal.phrase.key == "refused.approval-waits" and self._tries < UNMENDED:
                await asyncio.sleep(APPROVAL_SECONDS)
                return True
            return await self._give_up(house, view)
        while house.view.round == view.round and house.view.correction:
            await house.changed()
        self.mistakes["corrected"] += 1
        self._fixes, self._skew = [], 0
        return True

    async def _give_up(self, house: Client, view: TableView) -> bool:
        if house.view.correction:
            await house.do(AbandonCorrection, round=view.round, correction=house.view.correction)
        for _ in range(UNMENDED):
            try:
                await house.do(Void, round=view.round, why="misdeal")
                break
            except Refused as refusal:
                self.refused[refusal.phrase.key] += 1
                if refusal.phrase.key != "refused.approval-waits":
                    raise
                await asyncio.sleep(APPROVAL_SECONDS)
        self.mistakes["voided"] += 1
        self.ended.add(view.round)
        self._fixes = []
        return True
