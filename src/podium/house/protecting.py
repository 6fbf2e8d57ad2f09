"""What players, cashiers and the floor can do for player protection (PROT-1); `protection.py` applies it."""

from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.events import AgeConfirmed, ExclusionLifted, LimitsChosen, PlayerExcluded, ReminderRead
from podium.house.house import House
from podium.house.limits import MAX_AMOUNT
from podium.house.people import Person
from podium.house.protection import IDLE_PLAY_MS, MINUTE_MS, Exclusion, ExclusionKind, PlayLimits

HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS
MAX_BREAK_HOURS: Final = 30 * 24
MAX_EXCLUSION_DAYS: Final = 36_500
MAX_MINUTES: Final = 24 * 60


def exclude(
    house: House, player: str, kind: ExclusionKind, term_ms: int, now: int, *, by: str, reason: str = ""
) -> None:
    """Keeps somebody from playing for a term, or for good if it is 0. Nobody can cut an own exclusion or a break short."""
    if by == player and house.is_guest(player):
        raise Refused("protection-guest")
    _check_account(house, player)
    wanted = Exclusion(kind, now, now + term_ms if term_ms else 0, by, reason)
    for known in house.protection.of(player).exclusions:
        if known.kind == kind and kind != "house" and known.holds(now) and not wanted.outlasts(known):
            raise Refused("exclusion-own", player=player, clause="PROT-1")
    house.protect(PlayerExcluded(player, now, kind, wanted.until, by, reason), now)
    for table in house.tables_of(player):
        house.at_table(table.name, lambda table: table.get_up(player, now))


def exclude_by_house(house: House, player: str, days: int, now: int, *, by: str, reason: str) -> None:
    """The house excludes somebody, with a reason; 0 days for no end."""
    if not 0 <= days <= MAX_EXCLUSION_DAYS:
        raise Refused("exclusion-days", days=days, most=MAX_EXCLUSION_DAYS)
    if not reason.strip():
        raise Refused("exclusion-reason", clause="PROT-1")
    exclude(house, player, "house", days * DAY_MS, now, by=by, reason=reason)


def exclude_self(house: House, player: str, days: int, now: int) -> None:
    """A player chooses not to play for one of the terms that the house offers; 0 days for no end."""
    if days not in house.config.self_exclusion_days:
        raise Refused("exclusion-term", days=days, terms=house.config.self_exclusion_days, clause="PROT-1")
    exclude(house, player, "self", days * DAY_MS, now, by=player)


def take_break(house: House, player: str, hours: int, now: int) -> None:
    """A player takes a break."""
    if not 1 <= hours <= MAX_BREAK_HOURS:
        raise Refused("break-hours", hours=hours, most=MAX_BREAK_HOURS, clause="PROT-1")
    exclude(house, player, "break", hours * HOUR_MS, now, by=player)


def lift(house: House, player: str, now: int, *, by: str, second: str, reason: str) -> None:
    """Two people end an exclusion by the house before its time. What players chose for themselves holds to its end."""
    check_liftable(house, player, now)
    if not reason.strip():
        raise Refused("exclusion-reason", clause="PROT-1")
    house.protect(ExclusionLifted(player, "house", by, second, reason), now)


def check_liftable(house: House, player: str, now: int) -> None:
    kinds = {each.kind for each in house.protection.of(player).exclusions if each.holds(now)}
    if "house" not in kinds:
        raise Refused("exclusion-own" if kinds else "exclusion-none", player=shortened(player), clause="PROT-1")


def choose_limits(house: House, player: str, chosen: PlayLimits, now: int) -> None:
    """Sets a player's own limits: a lower one holds at once, a higher one after a day."""
    if house.is_guest(player):
        raise Refused("protection-guest")
    for setting, value, most in (
        ("loss", chosen.loss, MAX_AMOUNT),
        ("stake", chosen.stake, MAX_AMOUNT),
        ("minutes", chosen.minutes, MAX_MINUTES),
        ("reminder", chosen.reminder, MAX_MINUTES),
    ):
        if not 0 <= value <= most:
            raise Refused("play-limit-range", setting=setting, value=value, most=most)
    house.protect(LimitsChosen(player, now, chosen), now)


def read_reminder(house: House, player: str, now: int) -> None:
    """Records that the player has read how long and with what result they have played; a no-op if no reminder is
    due."""
    if house.protection.is_reminder_due(player, now, house.config.reminder_minutes):
        day = house.protection.day(player, now)
        minutes = day.played_at(now) // MINUTE_MS if day is not None else 0
        house.protect(ReminderRead(player, now, minutes, house.lost_today(player, now)), now)


def confirm_age(house: House, player: str, now: int, *, by: str) -> None:
    """Records that a player is old enough: by the player's word, or by a cashier's who has looked at a document."""
    if house.is_guest(player):
        raise Refused("protection-guest")
    if by == player and house.config.age_checked:
        raise Refused("age-at-cashier", age=house.config.least_age, clause="PROT-1")
    if not house.protection.of(player).age_confirmed:
        house.protect(AgeConfirmed(player, by), now)


def end_idle_play(house: House, now: int) -> None:
    """Ends the times of play of those who have left all tables, or have not bet for a while."""
    for player in house.protection.playing():
        idle = now - house.last_bet(player, now)
        if not house.at_stake(player) and (idle >= IDLE_PLAY_MS or house.table_of(player) is None):
            house.end_play(player, now)


def _check_account(house: House, player: str) -> None:
    """Refuses to exclude somebody without an account: they would come back under another name."""
    person = house.shelf.find(Person, player)
    if person is None and house.players.get(player) != "card":
        raise Refused("exclusion-account", player=shortened(player), clause="PROT-1")
    if person is not None and person.role != "player":
        raise Refused("exclusion-staff", player=player)


english(
    "refused",
    {
        "exclusion-days": "{days} days are not allowed: an exclusion lasts up to {most:count} days, or 0 for indefinitely.",
        "exclusion-term": "{days} days are not offered. Terms in days, 0 for indefinitely: {terms}.",
        "exclusion-reason": "An exclusion by the house, and its end, need a reason.",
        "exclusion-own": "{player} chose this: it holds to its end, and nobody can take it back.",
        "exclusion-none": "{player} is not excluded by the house.",
        "exclusion-account": "{player:quoted} has no account here: only players with an account can be excluded by name.",
        "exclusion-staff": "{player} works here and does not play: close the account instead.",
        "break-hours": "{hours} hours are not allowed: a break lasts 1 to {most} hours.",
        "play-limit-range": "{setting} = {value} is not allowed: it must be from 0, for no limit, to {most}.",
        "protection-guest": "You play with play money and without an account: limits and exclusions are for players with an account.",
        "age-at-cashier": "Show a document at the cashier: players here are at least {age} years old.",
    },
)
