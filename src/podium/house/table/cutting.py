"""Who may cut a table's shoes: players with a recent wager, once per person and device, except those who held up a shoe.

docs/fairness.md argues why neither the house nor the players can choose the cutters.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from podium.house import limits
from podium.house.table.events import Bar, CutRight, CuttingSnapshot
from podium.record.limits import MAX_CUTTERS_PER_SHOE

MINUTE_MS: Final = 60_000
FIRST_BAR_MS: Final = 10 * MINUTE_MS
"""How long somebody who kept a number back is barred from cutting at this table; it doubles each time."""
LONGEST_BAR_MS: Final = 24 * 60 * MINUTE_MS
REMEMBERED_MS: Final = 24 * 60 * MINUTE_MS
"""How long a bar that has ended is remembered, to make the next one longer."""


class Cutting:
    """Rights, bars and the lot of one table; part of its state, so it changes by happenings alone."""

    def __init__(self) -> None:
        self.rights: dict[str, CutRight] = {}
        """Players with a wager in one of the last rounds."""
        self.bars: dict[str, Bar] = {}
        """People and devices that kept a number back."""
        self.seed = ""
        """The seed of the last whole cut, in hexadecimal digits: the lot is drawn with it."""
        self.listed = 0
        """The entry of that shoe's shuffle: the lot is drawn among players who had their right before it."""
        self.openers: tuple[str, ...] | None = None
        """After a discarded shoe: the players who opened their numbers for it, who alone may cut the next one."""
        self.discarded = 0
        """Shoes of this table that were discarded because a number was kept back."""
        self.kept_back: dict[int, tuple[str, ...]] = {}
        """The last of them by number, with the seats that kept their numbers back."""

    # --- what happens -----------------------------------------------------------------------------------------------

    def bets_closed(self, round_number: int, placed: Mapping[str, tuple[int, str]]) -> None:
        """Gives the right to cut to everybody with a wager in play: by player, the entry of the wager and the device."""
        for player, (entry, device) in placed.items():
            known = self.rights.get(player)
            self.rights[player] = CutRight(known.since if known else entry, round_number, device)
        oldest = round_number - limits.MAX_ROUNDS_OF_A_CUT_RIGHT
        if any(right.round <= oldest for right in self.rights.values()):
            self.rights = {player: right for player, right in self.rights.items() if right.round > oldest}

    def cut(self, seed: str, shuffle_entry: int) -> None:
        """Notes a complete cut; its seed draws the lot until the next one."""
        self.seed, self.listed, self.openers = seed, shuffle_entry, None

    def not_cut(self) -> None:
        """Notes a shoe that nobody cut."""
        self.openers = None

    def discard(self, shoe: int, seats: Iterable[str]) -> None:
        """Notes a shoe that was discarded because these seats kept their numbers back."""
        self.discarded += 1
        self.kept_back[shoe] = tuple(seats)
        if len(self.kept_back) > limits.MAX_ENDED_SHOES_PER_TABLE:
            del self.kept_back[next(iter(self.kept_back))]

    def bar(self, kept_back: Mapping[str, str], openers: Iterable[str], at: int) -> None:
        """Bars the players who kept their numbers back, each with their device, and lets the others cut the next shoe."""
        self.openers = tuple(openers)
        for player, device in kept_back.items():
            for key in _keys(player, device):
                times = self.bars[key].times + 1 if key in self.bars else 1
                length = min(FIRST_BAR_MS << min(times - 1, 10), LONGEST_BAR_MS)
                self.bars[key] = Bar(at + length, times)
        self._forget_bars(at)

    def _forget_bars(self, at: int) -> None:
        self.bars = {key: bar for key, bar in self.bars.items() if at < bar.until + REMEMBERED_MS}
        excess = len(self.bars) - limits.MAX_BARS_PER_TABLE
        for key in sorted(self.bars, key=lambda key: self.bars[key].until)[: max(0, excess)]:
            del self.bars[key]

    # --- asking -----------------------------------------------------------------------------------------------------

    def barred_until(self, player: str, device: str, at: int) -> int:
        """Returns when this player, or this device, may cut again; 0 when they may."""
        if not self.bars:
            return 0
        ends = max((self.bars[key].until for key in _keys(player, device) if key in self.bars), default=0)
        return ends if at < ends else 0

    def entitled(self, players: Mapping[int, str], at: int) -> dict[str, str]:
        """Returns the players who may cut the shoe that is shuffled now, by the names of their seats: at most sixteen."""
        seats: dict[str, str] = {}
        for seat, player in players.items():  # once for a person, whatever boxes they have
            seats.setdefault(player, f"seat-{seat}")
        if self.openers is not None:
            asked = self._admitted((player for player in self.openers if player in seats), at)
        else:
            with_right = [player for player in seats if player in self.rights]
            order = self._drawn if len(with_right) > MAX_CUTTERS_PER_SHOE else self._oldest
            asked = self._admitted(sorted(with_right, key=order), at) or self._admitted(seats, at)
        return {seats[player]: player for player in asked[:MAX_CUTTERS_PER_SHOE]}

    def _admitted(self, players: Iterable[str], at: int) -> list[str]:
        """Leaves out everybody who is barred, and all but the first person at each device."""
        admitted, devices = [], set[str]()
        for player in players:
            right = self.rights.get(player)
            device = right.device if right else ""
            if device in devices or self.barred_until(player, device, at):
                continue
            admitted.append(player)
            devices |= {device} - {""}
        return admitted

    def _oldest(self, player: str) -> int:
        return self.rights[player].since

    def _drawn(self, player: str) -> tuple[bool, bytes, int]:
        """The order of the lot: first those whose right is older than the last whole cut, by a hash with its seed; then the
        others, the oldest right first."""
        since = self.rights[player].since
        if not self.seed or since > self.listed:
            return True, b"", since
        return False, lot(self.seed, since), since

    # --- written down -----------------------------------------------------------------------------------------------

    def snapshot(self) -> CuttingSnapshot:
        """Returns the whole state, for the journal."""
        rights, bars = dict(self.rights), dict(self.bars)
        kept_back = dict(self.kept_back)
        return CuttingSnapshot(rights, bars, self.seed, self.listed, self.openers, self.discarded, kept_back)

    @classmethod
    def restored(cls, snapshot: CuttingSnapshot | None) -> "Cutting":
        """The inverse of `snapshot`. Snapshots of programs without rights and bars have none."""
        cutting = cls()
        if snapshot is not None:
            cutting.rights, cutting.bars = dict(snapshot.rights), dict(snapshot.bars)
            cutting.seed, cutting.listed = snapshot.seed, snapshot.listed
            cutting.openers, cutting.discarded = snapshot.openers, snapshot.discarded
            cutting.kept_back = dict(snapshot.kept_back)
        return cutting


def lot(seed: str, since: int) -> bytes:
    """The lot of the player whose right began with that entry; the players with the sixteen lowest cut."""
    return sha256(f"podium-lot-1\n{seed}\n{since}\n".encode()).digest()


def _keys(player: str, device: str) -> tuple[str, ...]:
    return (f"person {player}", f"device {device}") if device else (f"person {player}",)
