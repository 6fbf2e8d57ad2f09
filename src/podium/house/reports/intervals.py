"""The interval of a report: a day, which begins at midnight UTC, or from one moment to another."""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, as_written, english, phrase

_DAY: Final = timedelta(days=1)

english("report", {"to-date": "{period} to date", "between": "{since} to {until}"})


class Interval(NamedTuple):
    """From one moment up to, but not including, another; milliseconds since 1970."""

    title: Phrase
    since: int
    until: int

    def __contains__(self, time: object) -> bool:
        return isinstance(time, int) and self.since <= time < self.until


def day(date: str) -> Interval:
    """One day, written like 2026-05-28."""
    begins = _midnight(date)
    return Interval(as_written(date), _milliseconds(begins), _milliseconds(begins + _DAY))


def between(since: int, until: int) -> Interval:
    """Any other interval."""
    if not 0 <= since < until:
        raise Refused("report-interval")
    return Interval(phrase("report.between", since=moment(since), until=moment(until)), since, until)


def moment(time: int) -> str:
    """A time as people and other programs read it: 2026-05-28T12:00:00.000Z."""
    return datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _midnight(date: str) -> datetime:
    try:
        begins = datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
        begins + _DAY  # the last day of the calendar has no end
        return begins
    except (ValueError, OverflowError):
        raise Refused("not-a-day", date=shortened(date)) from None


def _milliseconds(time: datetime) -> int:
    return round(time.timestamp() * 1000)


english(
    "refused",
    {
        "report-interval": "An interval begins before it ends; its ends are milliseconds since 1970.",
        "not-a-day": "{date:quoted} is not a day: write it like 2026-05-28.",
    },
)
