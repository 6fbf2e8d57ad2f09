"""How often the rounds of a table were settled, and the notices that players have not read (VOID-4)."""

from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.table.events import Notice, Retelling, RoundReopened
from podium.house.table.reopening import MAX_REOPENED_ROUNDS_BACK, MAX_UNREAD_NOTICES_PER_TABLE


class Tellings:
    """How often the last rounds were settled, and the notices that players have not read."""

    def __init__(self) -> None:
        self.times: Final[dict[int, int]] = {}
        """How often each of the last rounds was settled, where it was more than once."""
        self.unread: Final[dict[str, tuple[Notice, ...]]] = {}
        """By player, the oldest notice first."""
        self.last: Retelling | None = None

    def of(self, number: int) -> int:
        """How often a round was settled."""
        return self.times.get(number, 1)

    def check(self, event: RoundReopened) -> None:
        """Refuses a settlement that does not follow the last one: somebody else has reopened the round meanwhile."""
        if event.telling != self.of(event.round) + 1:
            raise Refused("reopened-meanwhile", round=event.round, clause="VOID-4")

    def tell(self, event: RoundReopened, told: dict[str, Notice], shown_in: int) -> None:
        """Notes that a round was settled again; `shown_in` is the round of the table at that moment."""
        self.times[event.round] = event.telling
        self.last = Retelling(event.round, event.telling, event.told.said, event.void, event.cards, shown_in)
        for player, notice in told.items():
            self.unread[player] = (*self.unread.pop(player, ()), notice)
        while len(self.unread) > MAX_UNREAD_NOTICES_PER_TABLE:
            del self.unread[next(iter(self.unread))]

    def begin(self, number: int) -> None:
        """Forgets rounds that are too old to be reopened, as a new one begins."""
        for old in [each for each in self.times if each < number - MAX_REOPENED_ROUNDS_BACK]:
            del self.times[old]
        if self.last is not None and self.last.shown_in < number - 1:
            self.last = None

    def read(self, player: str, number: int, telling: int) -> None:
        """Notes that a player has read a notice."""
        left = tuple(each for each in self.unread.get(player, ()) if (each.round, each.telling) != (number, telling))
        if len(left) == len(self.unread.get(player, ())):
            raise Refused("no-notice", round=number)
        if left:
            self.unread[player] = left
        else:
            del self.unread[player]


english(
    "refused",
    {
        "reopened-meanwhile": "Round {round} was reopened by somebody else meanwhile: look at it again.",
        "no-notice": "There is nothing to read about round {round} any more.",
    },
)
