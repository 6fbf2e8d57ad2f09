"""The time that a report is about: a day, the month or the year up to now, or from one moment to another.

A day begins at midnight UTC, moved by the offset of the house: minutes east of Greenwich, or whenever its gaming day
begins.
"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Final, NamedTuple

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, as_written, english, phrase

_DAY: Final = timedelta(days=1)
PERIODS: Final = ("day", "month", "year")

english("report", {"to-date": "{period} to date", "between": "{since} to {until}"})


class Interval(NamedTuple):
    """From a moment up to, and not including, another; milliseconds since 1970."""

    title: Phrase
    since: int
    until: int

    def __contains__(self, time: object) -> bool:
        return isinstance(time, int) and self.since <= time < self.until


def day(date: str, *, offset: int = 0) -> Interval:
    """One day, written like 2026-05-28."""
    begins = _midnight(date, offset)
    return Interval(as_written(date), _milliseconds(begins), _milliseconds(begins + _DAY))


def to_date(period: str, now: int, *, offset: int = 0) -> Interval:
    """The day, the month or the year in which `now` lies, up to the end of that day."""
    if period not in PERIODS:
        raise Refused("report-period", period=shortened(period), periods=PERIODS)
    today = datetime.fromtimestamp(now / 1000, _zone(offset)).replace(hour=0, minute=0, second=0, microsecond=0)
    first = {"day": today, "month": today.replace(day=1), "year": today.replace(month=1, day=1)}[period]
    titles = {
        "day": as_written(f"{today:%Y-%m-%d}"),
        "month": phrase("report.to-date", period=f"{today:%Y-%m}"),
        "year": phrase("report.to-date", period=f"{today:%Y}"),
    }
    return Interval(titles[period], _milliseconds(first), _milliseconds(today + _DAY))


def between(since: int, until: int) -> Interval:
    """Any other interval."""
    if not 0 <= since < until:
        raise Refused("report-interval")
    return Interval(phrase("report.between", since=moment(since), until=moment(until)), since, until)


def moment(time: int) -> str:
    """A time as people and other programs read it: 2026-05-28T12:00:00.000Z."""
    return datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _midnight(date: str, offset: int) -> datetime:
    try:
        return datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=_zone(offset))
    except ValueError:
        raise Refused("not-a-day", date=shortened(date)) from None


def _zone(offset: int) -> timezone:
    if not -1439 <= offset <= 1439:
        raise Refused("day-offset", minutes=offset)
    return timezone(timedelta(minutes=offset))


def _milliseconds(time: datetime) -> int:
    return round(time.timestamp() * 1000)


english(
    "refused",
    {
        "report-period": "{period:quoted} is not a period of a report: they are {periods}.",
        "report-interval": "An interval begins before it ends; its ends are milliseconds since 1970.",
        "not-a-day": "{date:quoted} is not a day: write it like 2026-05-28.",
        "day-offset": "A day cannot be offset by {minutes} minutes: from -1439 to 1439.",
    },
)
