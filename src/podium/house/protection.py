"""Player protection (PROT-1): exclusions, players' own limits, and how a day of play is counted.

A day of play begins with a player's first wager of the gaming day. The loss is what the player had in the house then,
plus what the desk has given and less what it has taken since, less what the player has now; it does not matter at which
table, box or terminal it was lost. Nothing is added up wager by wager, so two terminals at once, a correction or a
restart cannot make the sum wrong.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house.calendar import local_time
from podium.record.ledger import Transfer, changes, kind_of, names_of

MINUTE_MS: Final = 60_000
LATER_MS: Final = 24 * 60 * MINUTE_MS
"""Milliseconds until a higher limit holds; a lower one holds at once."""
IDLE_PLAY_MS: Final = 10 * MINUTE_MS
"""Milliseconds without a wager after which a time of play is over."""

ExclusionKind = Literal["house", "self", "break"]
"""By the house, by the player, or a break that the player takes."""
_OWN: Final = frozenset({"credit", "attendant", "debt"})
"""The accounts of a player that the desk moves money to and from."""


class PlayLimits(msgspec.Struct, frozen=True):
    """A player's own limits; 0 for no limit."""

    loss: int = 0
    """The most that may be lost in a gaming day."""
    stake: int = 0
    """The most that may be at stake at once, at all boxes and tables."""
    minutes: int = 0
    """Minutes of play in a gaming day."""
    reminder: int = 0
    """Minutes of play from one reminder to the next."""

    def tighter(self, other: "PlayLimits") -> "PlayLimits":
        """The lower of each two limits."""
        return PlayLimits(*(min(filter(None, each), default=0) for each in zip(self.each, other.each, strict=True)))

    @property
    def each(self) -> tuple[int, int, int, int]:
        return self.loss, self.stake, self.minutes, self.reminder

    @property
    def of_money(self) -> bool:
        """Whether they limit what may be staked or lost."""
        return self.stake > 0 or self.loss > 0

    def check_stake(self, *, lost: int, at_stake: int, more: int) -> None:
        """Refuses a stake above the limit of stakes, or one that would break the limit of loss if everything on the tables
        were lost."""
        if self.stake and at_stake + more > self.stake:
            left = max(0, self.stake - at_stake)
            raise Refused("limit-stake", limit=self.stake, left=left, clause="PROT-1")
        if self.loss and lost + at_stake + more > self.loss:
            left = max(0, self.loss - lost - at_stake)
            raise Refused("limit-loss", limit=self.loss, left=left, clause="PROT-1")


NO_LIMITS: Final = PlayLimits()


class ChosenLimits(msgspec.Struct, frozen=True):
    """The limits that hold now, and those that the player chose for later."""

    now: PlayLimits = NO_LIMITS
    later: PlayLimits = NO_LIMITS
    later_from: int = 0
    """From when on the later ones hold."""

    def at(self, moment: int) -> PlayLimits:
        return self.later if moment >= self.later_from else self.now

    def changed(self, chosen: PlayLimits, moment: int) -> "ChosenLimits":
        """The limits after a change: a lower one holds at once, a higher one after a day."""
        lower = chosen if self == NOTHING_CHOSEN else self.at(moment).tighter(chosen)
        return ChosenLimits(lower, chosen, moment if lower == chosen else moment + LATER_MS)


NOTHING_CHOSEN: Final = ChosenLimits()


class Exclusion(msgspec.Struct, frozen=True):
    """Somebody who may not play for a time."""

    kind: ExclusionKind
    since: int
    until: int
    """0 for no end."""
    by: str
    reason: str = ""

    def holds(self, moment: int) -> bool:
        return not self.until or moment < self.until

    def outlasts(self, other: "Exclusion") -> bool:
        return not self.until or (bool(other.until) and self.until >= other.until)


class PlayDay(msgspec.Struct, frozen=True):
    """A player's play in one gaming day."""

    until: int
    """When the gaming day ends."""
    brought: int
    """What the player had in the house when it began, and what the desk has given since, less what it has taken."""
    since: int = 0
    """When the present time of play began; 0 while the player does not play."""
    played: int = 0
    """Milliseconds of the times of play that are over."""
    reminded: int = 0
    """Milliseconds played when the last reminder was read."""

    def played_at(self, moment: int) -> int:
        return self.played + (max(0, moment - self.since) if self.since else 0)


class Protected(msgspec.Struct, frozen=True):
    """What the house knows of one player's protection."""

    exclusions: tuple[Exclusion, ...] = ()
    """The last one of each kind."""
    chosen: ChosenLimits = NOTHING_CHOSEN
    day: PlayDay | None = None
    age_confirmed: str = ""
    """Who confirmed that the player is old enough."""


_NOTHING: Final = Protected()


class Protection:
    """The protection of all players of a house; it changes by the events of the house alone."""

    def __init__(self) -> None:
        self._known: dict[str, Protected] = {}
        self._first_end = 0
        """When the first of the days that are kept ends."""

    # --- what has happened ------------------------------------------------------------------------------------------

    def exclude(self, player: str, exclusion: Exclusion) -> None:
        others = tuple(each for each in self.of(player).exclusions if each.kind != exclusion.kind)
        self._set(player, exclusions=(*others, exclusion))

    def lift(self, player: str, kind: ExclusionKind) -> None:
        self._set(player, exclusions=tuple(each for each in self.of(player).exclusions if each.kind != kind))

    def choose(self, player: str, limits: PlayLimits, moment: int) -> None:
        self._set(player, chosen=self.of(player).chosen.changed(limits, moment))

    def confirm_age(self, player: str, by: str) -> None:
        self._set(player, age_confirmed=by)

    def begin_play(self, player: str, moment: int, until: int, brought: int) -> None:
        """Begins a time of play; the first of a gaming day begins the day of play as well."""
        if moment >= self._first_end:
            self._forget_days(moment)
        self._first_end = min(self._first_end, until)
        day = self.of(player).day or PlayDay(until, brought)
        self._set(player, day=msgspec.structs.replace(day, since=moment))

    def end_play(self, player: str, moment: int) -> None:
        day = self.of(player).day
        if day is not None:
            self._set(player, day=msgspec.structs.replace(day, since=0, played=day.played_at(moment)))

    def read_reminder(self, player: str, moment: int) -> None:
        day = self.of(player).day
        if day is not None:
            self._set(player, day=msgspec.structs.replace(day, reminded=day.played_at(moment)))

    def moved(self, transfers: Iterable[Transfer]) -> None:
        """Counts money that the desk gave or took: it is not won or lost."""
        for name, change in changes(transfers).items():
            player = names_of(name)[0] if kind_of(name) in _OWN else ""
            day = self.of(player).day
            if day is not None:
                self._set(player, day=msgspec.structs.replace(day, brought=day.brought + change))

    def _set(self, player: str, **changed: object) -> None:
        known = msgspec.structs.replace(self.of(player), **changed)
        if known == _NOTHING:
            self._known.pop(player, None)
        else:
            self._known[player] = known

    def _forget_days(self, moment: int) -> None:
        """Drops all days that are over."""
        for player, known in list(self._known.items()):
            if known.day is not None and moment >= known.day.until:
                self._set(player, day=None)
        self._first_end = min((known.day.until for known in self._known.values() if known.day), default=2**63)

    def restore(self, known: dict[str, Protected]) -> None:
        self._known = dict(known)
        self._first_end = min((each.day.until for each in known.values() if each.day), default=0)

    def whole(self) -> dict[str, Protected]:
        """Everything, for a snapshot."""
        return dict(self._known)

    # --- what holds -------------------------------------------------------------------------------------------------

    def of(self, player: str) -> Protected:
        return self._known.get(player, _NOTHING)

    def binds(self, player: str) -> bool:
        """Whether the player has limits, or was excluded once: then a wager needs a closer look."""
        known = self.of(player)
        return bool(known.exclusions) or known.chosen != NOTHING_CHOSEN

    def limits(self, player: str, moment: int) -> PlayLimits:
        return self.of(player).chosen.at(moment)

    def day(self, player: str, moment: int) -> PlayDay | None:
        """The player's play in the gaming day of this moment."""
        day = self.of(player).day
        return day if day is not None and moment < day.until else None

    def exclusion(self, player: str, moment: int) -> Exclusion | None:
        """The exclusion that holds longest, if any does."""
        longest = None
        for each in self.of(player).exclusions:
            if each.holds(moment) and (longest is None or each.outlasts(longest)):
                longest = each
        return longest

    def excluded(self, moment: int) -> list[tuple[str, Exclusion]]:
        """Everybody who may not play now, by name."""
        found = ((player, each) for player, known in self._known.items() for each in known.exclusions)
        return sorted((player, each) for player, each in found if each.holds(moment))

    def playing(self) -> list[str]:
        """The players whose time of play runs."""
        return [player for player, known in self._known.items() if known.day is not None and known.day.since]

    # --- refusing ---------------------------------------------------------------------------------------------------

    def check_admitted(self, player: str, moment: int, zone: str) -> None:
        """Refuses a player who is excluded."""
        found = self.exclusion(player, moment)
        if found is None:
            return
        if not found.until:
            raise Refused("excluded-for-good", player=player, clause="PROT-1")
        until = local_time(found.until, zone)
        if found.kind == "house":
            raise Refused("excluded", player=player, until=until, clause="PROT-1")
        raise Refused("excluded-self", player=player, until=until, clause="PROT-1")

    def check_time(self, player: str, moment: int, house_reminder: int) -> None:
        """Refuses another wager once the player's time for the day is over, and until a reminder that is due has been
        read."""
        limits, day = self.limits(player, moment), self.day(player, moment)
        if day is None:
            return
        if limits.minutes and day.played_at(moment) >= limits.minutes * MINUTE_MS:
            raise Refused("limit-time", minutes=limits.minutes, clause="PROT-1")
        if self.is_reminder_due(player, moment, house_reminder):
            raise Refused("reminder-due", minutes=day.played_at(moment) // MINUTE_MS, clause="PROT-1")

    def is_reminder_due(self, player: str, moment: int, house_reminder: int) -> bool:
        """Whether the player must read how long and with what result they have played."""
        day = self.day(player, moment)
        every = self.limits(player, moment).tighter(PlayLimits(reminder=house_reminder)).reminder
        return bool(every) and day is not None and day.played_at(moment) - day.reminded >= every * MINUTE_MS


english(
    "refused",
    {
        "excluded": "{player} may not play in this house until {until}.",
        "excluded-self": "{player} chose not to play until {until}. Nobody can cut this short.",
        "excluded-for-good": "{player} may not play in this house.",
        "limit-stake": "Your own limit is {limit:money} at stake at once; {left:money} is left of it.",
        "limit-loss": "Your own limit is a loss of {limit:money} in a gaming day; with what lies on the tables {left:money} is left of it.",
        "limit-time": Plural(
            "minutes",
            one="Your own limit is one minute of play in a gaming day: it is used up.",
            other="Your own limit is {minutes} minutes of play in a gaming day: they are used up.",
        ),
        "reminder-due": Plural(
            "minutes",
            one="You have played for one minute today: read the reminder before you bet again.",
            other="You have played for {minutes} minutes today: read the reminder before you bet again.",
        ),
    },
)
