"""The interval of a report: gaming days, a month or a year to date, a shift, or from one moment to another (REP-1)."""

from datetime import UTC, date, datetime
from typing import Final, Literal, NamedTuple, get_args

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, as_written, english, phrase
from podium.house.calendar import LAST_DAY, Calendar, read_day, zone

Period = Literal["day", "month", "year", "shift"]
PERIODS: Final[tuple[Period, ...]] = get_args(Period)
END_OF_TIME_MS: Final = 253_402_300_799_000
"""The last second of the year 9999."""
DAY_MS: Final = 24 * 3_600_000


class Interval(NamedTuple):
    """From one moment up to, but not including, another; milliseconds since 1970."""

    title: Phrase
    since: int
    until: int
    zone: str = "UTC"
    """The time zone in which the house reads its times."""

    def __contains__(self, time: object) -> bool:
        return isinstance(time, int) and self.since <= time < self.until


class AskedInterval(NamedTuple):
    """The interval that somebody asks for. With nothing given it is all time."""

    period: str = ""
    """One of `PERIODS`; a month and a year are to date: up to the end of the day."""
    day: str = ""
    """The gaming day, like 2026-05-28; without it today's gaming day."""
    shift: int = 0
    """The number of a shift of the day; without it the present one, or the first of another day."""
    first: str = ""
    """The first day of a span, or the moment at which it begins, like 2026-05-28T14:00, in the house's time zone."""
    last: str = ""
    """The last day of a span, included, or the moment at which it ends."""


def interval_of(asked: AskedInterval, calendar: Calendar, now: int) -> Interval:
    """The interval that is asked for, in the gaming days of the house."""
    if asked.period not in ("", *PERIODS):
        raise Refused("period-unknown", period=shortened(asked.period), periods=PERIODS)
    if (asked.first or asked.last) and (asked.period or asked.day or asked.shift):
        raise Refused("period-or-span")
    if asked.shift and asked.period not in ("", "shift"):
        raise Refused("period-and-shift", period=asked.period)
    if asked.first or asked.last or not (asked.period or asked.day or asked.shift):
        return _span(asked, calendar)
    on = read_day(asked.day) if asked.day else calendar.day_of(now)
    if asked.period == "shift" or asked.shift:
        return _shift(on, asked.shift or (1 if asked.day else calendar.shift_of(now)), calendar)
    if asked.period in ("", "day"):
        return day(str(on), calendar)
    first = on.replace(day=1) if asked.period == "month" else on.replace(month=1, day=1)
    named = f"{on:%Y-%m}" if asked.period == "month" else f"{on:%Y}"
    return _interval(phrase("report.to-date", period=named, day=str(on)), first, on, calendar)


def day(date: str, calendar: Calendar | None = None) -> Interval:
    """One gaming day, written like 2026-05-28."""
    on = read_day(date)
    return _interval(as_written(str(on)), on, on, calendar or Calendar())


def between(since: int, until: int, zone: str = "UTC") -> Interval:
    """Any other interval."""
    if not 0 <= since < until:
        raise Refused("report-interval")
    title = phrase("report.between", since=moment(since, zone), until=moment(until, zone))
    return Interval(title, since, until, zone)


def moment(time: int, time_zone: str = "UTC") -> str:
    """A time as people and other programs read it: 2026-05-28T12:00:00.000Z, or with the offset of another time zone."""
    # The last day of the calendar has no end in every time zone.
    at = datetime.fromtimestamp(min(time, END_OF_TIME_MS - DAY_MS * (time_zone != "UTC")) / 1000, UTC)
    at = at.astimezone(zone(time_zone))
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z" if time_zone == "UTC" else "+00:00")


def _interval(title: Phrase, first: date, last: date, calendar: Calendar) -> Interval:
    since, until = calendar.begins(first), calendar.ends(last)
    return Interval(title, since, max(since, until), calendar.rule_of(last).time_zone)


def _shift(on: date, number: int, calendar: Calendar) -> Interval:
    begins = calendar.shifts(on)
    if not 1 <= number <= len(begins):
        raise Refused("shift-unknown", shift=number, day=str(on), shifts=len(begins))
    until = [*begins[1:], calendar.ends(on)][number - 1]
    title = phrase("report.shift", day=str(on), shift=number)
    return Interval(title, begins[number - 1], until, calendar.rule_of(on).time_zone)


def _span(asked: AskedInterval, calendar: Calendar) -> Interval:
    """From the beginning of a day or a moment to the end of a day or a moment; all time if none is named."""
    since = until = None
    if asked.first:
        since = _moment(asked.first, calendar) if "T" in asked.first else calendar.begins(read_day(asked.first))
    if asked.last:
        until = _moment(asked.last, calendar) if "T" in asked.last else calendar.ends(read_day(asked.last))
    last = calendar.day_of(until - 1) if until is not None and until > 0 else LAST_DAY
    interval = between(since or 0, END_OF_TIME_MS if until is None else until, calendar.rule_of(last).time_zone)
    if since is None and until is None:
        return interval._replace(title=phrase("report.all-time"))
    if "T" in asked.first + asked.last or not (asked.first and asked.last):
        return interval
    title = as_written(asked.first) if asked.first == asked.last else _days(asked.first, asked.last)
    return interval._replace(title=title)


def _days(first: str, last: str) -> Phrase:
    return phrase("report.between", since=first, until=last)


def _moment(text: str, calendar: Calendar) -> int:
    try:
        local = datetime.fromisoformat(text)
        read_day(str(local.date()))
        return calendar.at(local)
    except ValueError:
        raise Refused("not-a-moment", text=shortened(text)) from None


english(
    "report",
    {
        "to-date": "{period} to date, up to {day}",
        "between": "{since} to {until}",
        "shift": "{day}, shift {shift}",
        "all-time": "all time",
    },
)
english(
    "refused",
    {
        "report-interval": "An interval begins before it ends; its ends are milliseconds since 1970.",
        "period-unknown": "{period:quoted} is not a period: the periods are {periods}.",
        "period-or-span": "Give a period with its day, or a span with its ends, not both.",
        "period-and-shift": "A shift is part of a day: the period {period} has none.",
        "shift-unknown": "{day} has no shift {shift}: its shifts are 1 to {shifts}.",
        "not-a-moment": "{text:quoted} is not a moment: write it like 2026-05-28T14:00.",
    },
)
