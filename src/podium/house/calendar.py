"""The gaming day: when each day and each shift of the house begins, by its time zone and its configured times.

Every moment belongs to one gaming day. A change of the time zone or of the times applies to days that have not begun: the
current day goes on until the next one begins, and its shifts stay as they are (REP-1).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english

FIRST_DAY: Final = date(1970, 1, 2)
LAST_DAY: Final = date(9998, 12, 30)
"""The days that a report may name: each has an end in every time zone."""
MAX_SHIFTS: Final = 24
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ONE: Final = timedelta(days=1)


class DayRule(NamedTuple):
    """How the house divides time into days and shifts."""

    time_zone: str = "UTC"
    day_begins: str = "00:00"
    shifts: tuple[str, ...] = ()
    """The times at which the further shifts of a day begin; the first one begins with the day."""


@lru_cache(maxsize=64)
def zone(name: str) -> tzinfo:
    """The time zone of that name, from the system's database or the package tzdata; UTC needs neither."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused("time-zone-unknown", zone=shortened(name)) from None


def local_time(moment: int, zone_name: str) -> str:
    """A moment as the house's clock on the wall shows it: 2026-05-28 12:00."""
    return datetime.fromtimestamp(moment / 1000, zone(zone_name)).strftime("%Y-%m-%d %H:%M")


def read_time(text: str) -> time | None:
    """Reads a time of day like 06:00; None if it is not one."""
    found = _TIME.fullmatch(text)
    return time(int(found[1]), int(found[2])) if found else None


def read_day(text: str) -> date:
    """A day like 2026-05-28."""
    try:
        day = date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise Refused("not-a-day", date=shortened(text))
    return day


def check_rule(rule: DayRule) -> None:
    """Refuses a time zone that this machine does not know, and times that cannot be read."""
    zone(rule.time_zone)
    for setting, times in (("day_begins", (rule.day_begins,)), ("shifts", rule.shifts)):
        for text in times:
            if read_time(text) is None:
                raise Refused("setting-time", setting=setting, value=shortened(text))
    begin = {rule.day_begins, *rule.shifts}
    if len(begin) <= len(rule.shifts) or len(begin) > MAX_SHIFTS:
        raise Refused("setting-shifts", setting="shifts", most=MAX_SHIFTS)


class _From(NamedTuple):
    """A rule, its first day, and the moment before which none of its days begins."""

    day: date
    moment: int
    rule: DayRule


class Calendar:
    """The gaming days of a house, by all the rules that it has had."""

    def __init__(self) -> None:
        self._parts: Final = [_From(date.min, 0, DayRule())]
        self._known = False

    def change(self, rule: DayRule, at: int) -> None:
        """Adds a rule that applies from a moment on. The first rule also applies to the time before."""
        if not self._known:
            self._known = True
            self._parts[:] = [_From(date.min, 0, rule)]
        elif rule != self.rule:
            at = max(at, self._parts[-1].moment)  # a clock that was set back does not change the past
            self._parts.append(_From(self.day_of(at) + _ONE, at, rule))

    @property
    def rule(self) -> DayRule:
        """The rule that was entered last."""
        return self._parts[-1].rule

    def rule_of(self, day: date) -> DayRule:
        return self._part_of(day).rule

    def _part_of(self, day: date) -> _From:
        return self._parts[bisect_right(self._parts, day, key=lambda part: part.day) - 1]

    def begins(self, day: date) -> int:
        """When a gaming day begins, in milliseconds since 1970."""
        part = self._part_of(day)
        return max(part.moment, 0, _moment(part.rule, day, part.rule.day_begins))

    def ends(self, day: date) -> int:
        return self.begins(day + _ONE)

    def day_of(self, moment: int) -> date:
        """The gaming day that a moment belongs to."""
        rule = self._parts[bisect_right(self._parts, moment, key=lambda part: part.moment) - 1].rule
        day = datetime.fromtimestamp(moment / 1000, zone(rule.time_zone)).date()
        while self.begins(day) > moment:
            day -= _ONE
        while self.ends(day) <= moment:
            day += _ONE
        return day

    def shifts(self, day: date) -> Sequence[int]:
        """When the shifts of a day begin, in order; the first one begins with the day."""
        rule, first, last = self.rule_of(day), self.begins(day), self.ends(day)
        begins = [
            _moment(rule, day if text > rule.day_begins else day + _ONE, text)
            for text in sorted(rule.shifts, key=lambda text: (text < rule.day_begins, text))
        ]
        return [first, *(min(max(each, first), last) for each in begins)]

    def shift_of(self, moment: int) -> int:
        """The number of the shift of its day that a moment belongs to."""
        return bisect_right(self.shifts(self.day_of(moment)), moment)

    def at(self, local: datetime) -> int:
        """The moment of a local time of the house, by the zone of its day; a time with an offset is what it says."""
        if local.tzinfo is None:
            local = local.replace(tzinfo=zone(self.rule_of(local.date()).time_zone))
        return _milliseconds(local)


class Today:
    """When the gaming day ends that a moment belongs to. One day is kept: it is worked out again when it is over, or the rule
    is another."""

    def __init__(self) -> None:
        self._rule: DayRule | None = None
        self._begins = self._ends = 0

    def ends(self, moment: int, rule: DayRule) -> int:
        if rule != self._rule or not self._begins <= moment < self._ends:
            calendar = Calendar()
            calendar.change(rule, 0)
            day = calendar.day_of(moment)
            self._rule, self._begins, self._ends = rule, calendar.begins(day), calendar.ends(day)
        return self._ends


def _moment(rule: DayRule, day: date, text: str) -> int:
    """The moment of a local time. If clocks go back and it occurs twice, the first; if clocks go forward and it is skipped, as
    if they had not."""
    begins = read_time(text) or time()
    return _milliseconds(datetime.combine(day, begins, tzinfo=zone(rule.time_zone)))


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


english(
    "refused",
    {
        "not-a-day": "{date:quoted} is not a day: write it like 2026-05-28.",
        "time-zone-unknown": (
            "{zone:quoted} is not a time zone that this machine knows: it is a name like Europe/Paris, and the machine needs the time zone "
            "database of its system or the package tzdata."
        ),
        "setting-time": "{setting}: {value:quoted} is not a time of day: write it like 06:00.",
        "setting-shifts": (
            "{setting}: each shift begins at a different time, none of them with the day, and a day has at most {most} shifts."
        ),
    },
)
