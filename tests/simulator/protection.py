"""Players who limit themselves in a simulated house, and an oracle that sums what the house reads off its balances (PROT-1)."""

import asyncio
from collections import Counter, defaultdict
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from podium.house.events import LimitsChosen, PlayBegan, decode
from podium.house.protection import LATER_MS
from podium.house.state import HOUSE
from podium.record.journal import Entry
from podium.record.ledger import kind_of, names_of
from podium.record.store import Unavailable

if TYPE_CHECKING:
    from tests.simulator.world import World


class LimitOracle:
    """By the transfers at the tables alone: what every player has lost, with what lies on the tables, and has at stake."""

    def __init__(self) -> None:
        self._lost: Counter[str] = Counter()
        self._at_stake: Counter[str] = Counter()
        self._chosen: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
        """By player: when limits were chosen, of loss and of stakes, 0 for none."""
        self._until: Counter[str] = Counter()
        """When the gaming day ends in which each player plays."""
        self.near = 0
        """Wagers that went more than half way to a limit."""

    def sees(self, entry: Entry) -> str:
        """What is wrong with a stored entry; empty if nothing is."""
        if entry.stream == HOUSE:
            if entry.kind in ("limits-chosen", "play-began"):
                match decode(entry.payload):
                    case LimitsChosen(player, at, chosen):
                        self._chosen[player].append((at, chosen.loss, chosen.stake))
                    case PlayBegan(player, _, until):
                        self._until[player] = until
            return ""
        staked: Counter[str] = Counter()
        asks = entry.kind == "wagers-placed" or (entry.kind == "decided" and b'"play"' not in entry.payload)
        for transfer in entry.transfers if asks else ():
            for player in [
                names_of(name)[1] for name in (transfer.debit, transfer.credit) if kind_of(name) == "in-play"
            ]:
                if (
                    entry.time >= self._until[player]
                ):  # another gaming day: what lies on the tables is all that can be lost
                    self._lost[player] = self._at_stake[player]
        for transfer in entry.transfers:
            for name, sign in ((transfer.debit, -1), (transfer.credit, 1)):
                if kind_of(name) in ("credit", "attendant", "debt"):
                    self._lost[names_of(name)[0]] -= sign * transfer.amount
                elif kind_of(name) == "in-play":
                    self._at_stake[names_of(name)[1]] += sign * transfer.amount
                    staked[names_of(name)[1]] += sign * transfer.amount
        found = (self._beyond(player, entry.time) for player, more in staked.items() if asks and more > 0)
        return "; ".join(filter(None, found))

    def _beyond(self, player: str, at: int) -> str:
        loss, stake = (self._limit(player, at, which) for which in (1, 2))
        lost, at_stake = self._lost[player], self._at_stake[player]
        self.near += (0 < loss < 2 * lost) or (0 < stake < 2 * at_stake)
        if (loss and lost > loss) or (stake and at_stake > stake):
            return f"PROT-1: {player} has lost {lost} of {loss} and has {at_stake} of {stake} at stake"
        return ""

    def _limit(self, player: str, at: int, which: int) -> int:
        """A higher limit holds a day after it was chosen; before that, whatever was lower."""
        holds = chosen_at = 0
        wanted = 0
        first = True
        for choice in self._chosen[player]:
            when, value = choice[0], choice[which]
            if wanted != holds and when >= chosen_at + LATER_MS:
                holds = wanted
            holds = value if first or (value and (not holds or value < holds)) else holds
            first, wanted, chosen_at = False, value, when
        return wanted if at >= chosen_at + LATER_MS else holds


async def limit_themselves(world: "World", players: list[str], gone: type[Exception]) -> None:
    """Players choose limits of loss and stakes now and then, in the middle of anything."""
    chance = Random(f"{world.seed} limits")
    while True:
        await asyncio.sleep(chance.expovariate(0.8))
        if world.life is None:
            continue
        limits: dict[str, Any] = {"loss": chance.choice([0, 5_000, 40_000]), "stake": chance.choice([0, 3_000, 20_000])}
        player = chance.choice(players)
        world.tell(f"{player} chooses limits: {limits}")
        with suppress(gone, Unavailable):
            await world.life.ask(world.life.desk.post(player, "/api/protection/limits", limits))
