"""The gaming day: time zones, the ends of summer time, shifts, and changes in the middle of a house's life (REP-1)."""

from bisect import bisect_right
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH
from podium.house.calendar import Calendar, DayRule, Today, check_rule, zone
from podium.house.config import read_config
from podium.house.reports import AskedInterval, Interval, interval_of

HOUR = 3_600_000
PARIS = DayRule("Europe/Paris", "06:00", ("14:00", "22:00"))
MOST = ("Europe/Paris", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC")


def at(text: str, time_zone: str = "Europe/Paris") -> int:
    local = datetime.fromisoformat(text).replace(tzinfo=UTC if time_zone == "UTC" else ZoneInfo(time_zone))
    return round(local.timestamp() * 1000)


def calendar(*rules: tuple[str, DayRule]) -> Calendar:
    made = Calendar()
    for moment, rule in rules or (("2026-01-01T00:00", PARIS),):
        made.change(rule, at(moment, "UTC"))
    return made


def asked(days: Calendar, now: str = "2026-05-28T15:00", **fields: str | int) -> Interval:
    return interval_of(AskedInterval(**fields), days, at(now))  # type: ignore[arg-type]


def test_rep_1_a_gaming_day_begins_at_the_house_s_own_time() -> None:
    days = calendar()
    assert days.begins(date(2026, 5, 28)) == at("2026-05-28T06:00")
    assert days.day_of(at("2026-05-28T05:59:59")) == date(2026, 5, 27)
    assert days.day_of(at("2026-05-28T06:00")) == date(2026, 5, 28)
    assert days.day_of(at("2026-05-29T02:00")) == date(2026, 5, 28)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-28", 23), ("2026-10-24", 25), ("2026-05-28", 24)])
def test_rep_1_the_days_around_summer_time_have_23_and_25_hours(day: str, hours: int) -> None:
    days, on = calendar(), date.fromisoformat(day)
    assert days.ends(on) - days.begins(on) == hours * HOUR
    [first, second, third] = days.shifts(on)
    assert (second - first, third - second) == (8 * HOUR, 8 * HOUR)
    assert days.ends(on) - third == (hours - 16) * HOUR  # the night shift is longer or shorter
    midnight = calendar(("2026-01-01T00:00", DayRule("Europe/Paris")))
    following = on + timedelta(days=1)
    assert midnight.ends(following) - midnight.begins(following) == hours * HOUR


def test_a_day_that_would_begin_in_the_hour_that_is_left_out_or_comes_twice() -> None:
    days = calendar(("2026-01-01T00:00", DayRule("Europe/Paris", "02:30")))
    spring, autumn = date(2026, 3, 29), date(2026, 10, 25)
    assert days.begins(spring) == at("2026-03-29T03:30")
    assert days.begins(autumn) == at("2026-10-25T02:30")
    assert days.day_of(days.begins(autumn) + HOUR) == autumn  # half past two once more
    assert days.ends(autumn) - days.begins(autumn) == 25 * HOUR


def test_a_change_is_for_the_days_that_have_not_begun() -> None:
    before = calendar(("2026-01-01T00:00", PARIS))
    begun = [before.begins(date(2026, 5, day)) for day in range(1, 29)]
    days = calendar(("2026-01-01T00:00", PARIS), ("2026-05-28T10:00", DayRule("America/New_York", "04:00")))
    assert [days.begins(date(2026, 5, day)) for day in range(1, 29)] == begun
    assert days.begins(date(2026, 5, 29)) == at("2026-05-29T04:00", "America/New_York")
    assert days.day_of(at("2026-05-29T06:30")) == date(2026, 5, 28)  # the day of the change goes on
    assert days.shifts(date(2026, 5, 28)) == before.shifts(date(2026, 5, 28))
    assert days.rule_of(date(2026, 5, 28)) == PARIS


def test_a_day_that_would_have_begun_already_begins_with_the_change() -> None:
    changed = "2026-05-28T16:00"
    days = calendar(("2026-01-01T00:00", DayRule()), (changed, DayRule("UTC", "15:00")))
    # By the new rule the 28th began at 15:00; it began at midnight, and the 29th begins at 15:00 of its own day.
    assert days.day_of(at("2026-05-29T14:59", "UTC")) == date(2026, 5, 28)
    east = calendar(("2026-01-01T00:00", DayRule()), (changed, DayRule("Pacific/Kiritimati")))
    # There it is the 29th already.
    assert east.begins(date(2026, 5, 29)) == at(changed, "UTC")
    assert east.day_of(at(changed, "UTC") - 1) == date(2026, 5, 28)


def test_a_change_with_a_clock_that_was_set_back_rewrites_nothing() -> None:
    days = calendar(("2026-01-01T00:00", DayRule()), ("2026-05-28T16:00", DayRule("UTC", "06:00")))
    before = [days.begins(date(2026, 5, day)) for day in range(1, 30)]
    days.change(DayRule("UTC", "09:00"), at("2026-05-20T00:00", "UTC"))
    assert [days.begins(date(2026, 5, day)) for day in range(1, 29)] == before[:28]
    assert days.begins(date(2026, 5, 29)) == at("2026-05-29T09:00", "UTC")


rules = st.builds(
    DayRule,
    st.sampled_from(MOST),
    st.sampled_from(["00:00", "02:30", "06:00", "12:00", "23:59"]),
    st.sampled_from([(), ("14:00", "22:00"), ("01:00",)]),
)
moments = st.integers(at("2026-01-02T00:00", "UTC"), at("2027-01-01T00:00", "UTC"))


@given(st.lists(st.tuples(moments, rules), max_size=4), moments)
def test_every_moment_belongs_to_one_day_and_one_shift(changes: list[tuple[int, DayRule]], moment: int) -> None:
    days = Calendar()
    days.change(DayRule(), 0)
    for when, rule in changes:
        past = {day: days.begins(day) for day in (days.day_of(when) - timedelta(days=back) for back in range(5))}
        days.change(rule, when)
        assert {day: days.begins(day) for day in past} == past
    on = days.day_of(moment)
    assert days.begins(on) <= moment < days.ends(on) == days.begins(on + timedelta(days=1))
    shifts = [*days.shifts(on), days.ends(on)]
    assert shifts == sorted(shifts)
    number = days.shift_of(moment)
    assert shifts[number - 1] <= moment < shifts[number]


@given(st.lists(st.tuples(moments, rules), min_size=1, max_size=6))
def test_the_day_that_is_kept_is_the_day_of_each_moment(asked_of: list[tuple[int, DayRule]]) -> None:
    today = Today()
    for moment, rule in asked_of:
        days = Calendar()
        days.change(rule, 0)
        assert today.ends(moment, rule) == today.ends(moment, rule) == days.ends(days.day_of(moment))


def boundaries(zone_name: str, begins: str, first: date, days: int) -> list[int]:
    """The moments at which the days of a rule begin, from the clock on the wall alone."""
    on = [first + timedelta(days=number) for number in range(days)]
    return sorted({at(f"{day}T{begins}", zone_name) for day in on})


@pytest.mark.parametrize("order", ["forwards", "backwards", "shuffled"])
@pytest.mark.parametrize("begins", ["00:00", "02:30", "06:00", "23:59"])
@pytest.mark.parametrize(
    ("zone_name", "around"),
    [
        ("Europe/Paris", "2026-03-29"),  # an hour is left out at two
        ("Europe/Paris", "2026-10-25"),  # an hour comes twice
        ("America/New_York", "2026-11-01"),
        ("America/Santiago", "2026-09-06"),  # midnight itself is left out
        ("Australia/Lord_Howe", "2026-04-05"),  # half an hour comes twice
        ("Asia/Kathmandu", "2026-06-01"),  # 5 h 45 ahead
        ("Pacific/Apia", "2011-12-30"),  # a whole day is left out
        ("UTC", "2026-06-01"),
    ],
)
def test_rep_1_the_day_that_is_kept_ends_where_the_clock_on_the_wall_says(
    zone_name: str, around: str, begins: str, order: str
) -> None:
    """Every quarter of an hour of a week, and the milliseconds beside each midnight, asked in any order of one `Today`."""
    middle = date.fromisoformat(around)
    begun = boundaries(zone_name, begins, middle - timedelta(days=5), 11)
    asked_of = list(range(begun[1], begun[-2], HOUR // 4)) + [
        edge + beside for edge in begun[1:-2] for beside in (-1, 0, 1)
    ]
    asked_of.sort(reverse=order == "backwards")
    if order == "shuffled":
        Random(1).shuffle(asked_of)
    today, rule = Today(), DayRule(zone_name, begins)
    for moment in asked_of:
        assert today.ends(moment, rule) == begun[bisect_right(begun, moment)]


def test_rep_1_another_rule_is_another_day_at_once() -> None:
    today, moment = Today(), at("2026-05-28T05:00")
    for _ in range(2):
        assert today.ends(moment, PARIS) == at("2026-05-28T06:00")
        assert today.ends(moment, DayRule("Europe/Paris")) == at("2026-05-29T00:00")
        assert today.ends(moment, DayRule("Asia/Tokyo", "06:00")) == at("2026-05-29T06:00", "Asia/Tokyo")


# --- the interval of a report ------------------------------------------------------------------------------------------------


def test_rep_1_day_month_and_year_to_date_and_shift() -> None:
    days = calendar()
    day = asked(days, period="day")
    assert (day.since, day.until, day.zone) == (at("2026-05-28T06:00"), at("2026-05-29T06:00"), "Europe/Paris")
    month = asked(days, period="month")
    assert (month.since, month.until) == (at("2026-05-01T06:00"), day.until)
    assert ENGLISH.say(month.title) == "2026-05 to date, up to 2026-05-28"
    year = asked(days, period="year", day="2026-02-03")
    assert (year.since, year.until) == (at("2026-01-01T06:00"), at("2026-02-04T06:00"))
    shift = asked(days, period="shift")
    assert (shift.since, shift.until) == (at("2026-05-28T14:00"), at("2026-05-28T22:00"))
    assert ENGLISH.say(shift.title) == "2026-05-28, shift 2"
    night = asked(days, period="shift", day="2026-05-27", shift=3)
    assert (night.since, night.until) == (at("2026-05-27T22:00"), at("2026-05-28T06:00"))
    assert asked(days, now="2026-05-28T02:00", period="day").since == at("2026-05-27T06:00")


def test_rep_1_spans_of_days_and_of_moments() -> None:
    days = calendar()
    span = asked(days, first="2026-05-01", last="2026-05-07")
    assert (span.since, span.until) == (at("2026-05-01T06:00"), at("2026-05-08T06:00"))
    free = asked(days, first="2026-05-01T21:30", last="2026-05-02T01:15:30")
    assert (free.since, free.until) == (at("2026-05-01T21:30"), at("2026-05-02T01:15:30"))
    assert asked(days, first="2026-05-01T21:30Z").since == at("2026-05-01T21:30", "UTC")
    assert ENGLISH.say(asked(days).title) == "all time"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"period": "week"}, "'week' is not a period: the periods are day, month, year, shift."),
        ({"period": "day", "first": "2026-05-01"}, "Give a period with its day, or a span with its ends, not both."),
        ({"period": "month", "shift": 1}, "A shift is part of a day: the period month has none."),
        ({"period": "shift", "shift": 4}, "2026-05-28 has no shift 4: its shifts are 1 to 3."),
        ({"day": "28.5.2026"}, "'28.5.2026' is not a day: write it like 2026-05-28."),
        ({"day": "9999-12-31"}, "'9999-12-31' is not a day: write it like 2026-05-28."),
        ({"first": "2026-05-28Tnoon"}, "'2026-05-28Tnoon' is not a moment: write it like 2026-05-28T14:00."),
        ({"first": "2026-05-28", "last": "2026-05-27"}, "An interval begins before it ends"),
    ],
)
def test_an_interval_that_means_nothing_is_refused(fields: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        interval_of(AskedInterval(**fields), calendar(), at("2026-05-28T15:00"))  # type: ignore[arg-type]
    assert str(refusal.value).startswith(sentence)


# --- the settings ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('time_zone = "Europe/Atlantis"', "'Europe/Atlantis' is not a time zone that this machine knows"),
        ('time_zone = "../../etc/passwd"', "'../../etc/passwd' is not a time zone"),
        ('day_begins = "6"', "day_begins: '6' is not a time of day: write it like 06:00."),
        ('shifts = ["24:00"]', "shifts: '24:00' is not a time of day"),
        ('shifts = ["00:00"]', "shifts: each shift begins at a different time, none of them with the day"),
        ('shifts = ["14:00", "14:00"]', "shifts: each shift begins at a different time"),
    ],
)
def test_a_time_zone_or_a_time_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_config(text)
    assert str(refusal.value).startswith(sentence)


def test_without_a_time_zone_database_utc_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> ZoneInfo:
        raise FileNotFoundError(name)

    zone.cache_clear()
    monkeypatch.setattr("podium.house.calendar.ZoneInfo", nothing)
    check_rule(DayRule())
    with pytest.raises(Refused, match="the package tzdata"):
        check_rule(PARIS)
    zone.cache_clear()
