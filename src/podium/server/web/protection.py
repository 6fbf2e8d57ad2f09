"""Player protection over HTTP (PROT-1): a player's own limits, breaks and exclusion, and the list that the floor keeps."""

from collections.abc import Callable
from typing import Final, Literal

import msgspec
from aiohttp import web

from podium.basics.refusal import shortened
from podium.basics.words import english, phrase
from podium.house import protecting
from podium.house.protection import MINUTE_MS, Exclusion, ExclusionKind, PlayLimits
from podium.server.approvals import Act
from podium.server.terminals import Who
from podium.server.web.cards import AccountCard, Done, account_card
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer


class LimitsForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own limits; 0 for none. A lower limit holds at once, a higher one after a day."""

    loss: int = 0
    """The most that may be lost in a gaming day, in minor units."""
    stake: int = 0
    """The most that may be at stake at once, at all boxes and tables."""
    minutes: int = 0
    """Minutes of play in a gaming day."""
    reminder: int = 0
    """Minutes of play from one reminder to the next."""


class BreakForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the player takes a break."""

    hours: int


class OwnExclusionForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the terms that the house offers, in days; 0 for no end."""

    days: int


class ExclusionForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody whom the house excludes."""

    name: str
    reason: str
    days: int = 0
    """0 for no end."""


class LiftForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An exclusion by the house that ends before its time."""

    name: str
    reason: str
    approval: str = ""
    """A second person's code."""


class AgeForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player whose age the cashier has checked."""

    name: str


class ExclusionCard(msgspec.Struct, frozen=True):
    """Somebody who may not play now."""

    name: str
    kind: ExclusionKind
    since: int
    until: int
    """0 for no end."""
    by: str
    reason: str


class ProtectionCard(msgspec.Struct, frozen=True):
    """A player's protection, and the gaming day so far."""

    applies: bool
    """Whether it applies: guests with play money have no limits and no exclusion."""
    limits: PlayLimits
    """Those that hold now."""
    chosen: PlayLimits
    """Those that the player chose last."""
    chosen_from: int
    """From when on all of those hold; 0 if they already do."""
    minutes: int
    """Minutes played in this gaming day."""
    lost: int
    """Lost in this gaming day, apart from what is in play; below 0 for a win."""
    at_stake: int
    reminder_due: bool
    """Whether the player must read how long and with what result they have played before the next wager."""
    next_reminder: int
    """Minutes of play until the next reminder; 0 if there is none."""
    least_age: int
    """How old players are here; 0 where nobody is asked."""
    age: Literal["unasked", "asked", "at-cashier", "confirmed"]
    """Whether the player must confirm the age first, or show a document to the cashier."""
    excluded: ExclusionCard | None
    terms: tuple[int, ...]
    """The terms in days for which players may exclude themselves; 0 for no end."""
    help_line: dict[str, str]
    """Words by language."""


class Protecting:
    def __init__(self, reception: Reception) -> None:
        self._doors: Final = reception.doors
        self._floor: Final = reception.floor
        self._house: Final = reception.floor.house

    # --- the player -------------------------------------------------------------------------------------------------

    async def mine(self, request: web.Request, who: Who) -> Answer[ProtectionCard]:
        """Your limits, and how long and with what result you have played in this gaming day."""
        return answer(self._card(who.name))

    async def choose(self, request: web.Request, who: Who, asked: LimitsForm) -> Answer[ProtectionCard]:
        """Choose your limits: a lower one holds at once, a higher one after a day."""
        chosen = PlayLimits(asked.loss, asked.stake, asked.minutes, asked.reminder)
        await self._floor.in_house(lambda now: protecting.choose_limits(self._house, who.name, chosen, now), who.name)
        return answer(self._card(who.name))

    async def take_break(self, request: web.Request, who: Who, asked: BreakForm) -> Answer[Done]:
        """Take a break: you cannot play until it is over."""
        await self._exclude(who.name, lambda now: protecting.take_break(self._house, who.name, asked.hours, now))
        return answer(Done())

    async def exclude_self(self, request: web.Request, who: Who, asked: OwnExclusionForm) -> Answer[Done]:
        """Exclude yourself for a term. Nobody can take it back before it ends."""
        await self._exclude(who.name, lambda now: protecting.exclude_self(self._house, who.name, asked.days, now))
        return answer(Done())

    async def read(self, request: web.Request, who: Who) -> Answer[ProtectionCard]:
        """Mark the reminder as read."""
        await self._floor.in_house(lambda now: protecting.read_reminder(self._house, who.name, now), who.name)
        return answer(self._card(who.name))

    async def confirm_age(self, request: web.Request, who: Who) -> Answer[ProtectionCard]:
        """Confirm that you are as old as players of this house must be."""
        await self._floor.in_house(
            lambda now: protecting.confirm_age(self._house, who.name, now, by=who.name), who.name
        )
        return answer(self._card(who.name))

    # --- cashier and floor ------------------------------------------------------------------------------------------

    async def age_seen(self, request: web.Request, who: Who, asked: AgeForm) -> Answer[AccountCard]:
        """Record that you have checked from a document that a player is old enough."""
        await self._floor.in_house(
            lambda now: protecting.confirm_age(self._house, asked.name, now, by=who.name), asked.name
        )
        return answer(account_card(self._house, asked.name, self._floor.clock()))

    async def excluded(self, request: web.Request, who: Who) -> Answer[list[ExclusionCard]]:
        """Everybody who may not play now."""
        found = self._house.protection.excluded(self._floor.clock())
        return answer([exclusion_card(name, each) for name, each in found])

    async def exclude(self, request: web.Request, who: Who, asked: ExclusionForm) -> Answer[Done]:
        """Exclude somebody, with a reason. Their seats are given up when the round in play is over."""
        told = {"by": who.name, "reason": asked.reason}
        await self._exclude(
            asked.name,
            lambda now: protecting.exclude_by_house(self._house, asked.name, asked.days, now, **told),
        )
        return answer(Done())

    async def lift(self, request: web.Request, who: Who, asked: LiftForm) -> Answer[Done]:
        """End an exclusion by the house before its time, with a second person's approval."""

        def lift(now: int) -> None:
            protecting.check_liftable(self._house, asked.name, now)
            said = phrase("act.lift-exclusion", player=asked.name, reason=shortened(asked.reason))
            act = Act(who.name, asked.name, said, ("exclude", "enrol"), about=asked.reason, concerns=asked.name)
            second = self._doors.approve(act, asked.approval, now)
            protecting.lift(self._house, asked.name, now, by=who.name, second=second, reason=asked.reason)

        await self._floor.in_house(lift, asked.name)
        return answer(Done())

    async def _exclude(self, player: str, do: Callable[[int], None]) -> None:
        """Excludes somebody, whose sessions end unless a round is in play: that is played to its end first."""

        def exclude(now: int) -> None:
            do(now)
            if not self._house.at_stake(player):
                self._doors.end(lambda session: session.person == player, now)

        await self._floor.in_house(exclude, player)

    def _card(self, player: str) -> ProtectionCard:
        house, now = self._house, self._floor.clock()
        protection, config = house.protection, house.config
        known, day = protection.of(player), protection.day(player, now)
        limits, excluded = protection.limits(player, now), protection.exclusion(player, now)
        every = limits.tighter(PlayLimits(reminder=config.reminder_minutes)).reminder
        played = day.played_at(now) if day is not None else 0
        since = played - (day.reminded if day is not None else 0)
        is_guest = house.is_guest(player)
        return ProtectionCard(
            applies=not is_guest,
            limits=limits,
            chosen=known.chosen.later,
            chosen_from=known.chosen.later_from if now < known.chosen.later_from else 0,
            minutes=played // MINUTE_MS,
            lost=house.lost_today(player, now),
            at_stake=house.at_stake(player),
            reminder_due=protection.is_reminder_due(player, now, config.reminder_minutes),
            next_reminder=max(1, every - since // MINUTE_MS) if every else 0,
            least_age=config.least_age,
            age="unasked" if is_guest or not config.least_age else self._age(known.age_confirmed),
            excluded=None if excluded is None else exclusion_card(player, excluded),
            terms=config.self_exclusion_days,
            help_line=config.help_line,
        )

    def _age(self, confirmed: str) -> Literal["asked", "at-cashier", "confirmed"]:
        if confirmed:
            return "confirmed"
        return "at-cashier" if self._house.config.age_checked else "asked"


def exclusion_card(name: str, exclusion: Exclusion) -> ExclusionCard:
    return ExclusionCard(name, exclusion.kind, exclusion.since, exclusion.until, exclusion.by, exclusion.reason)


def routes(reception: Reception) -> list[AnyRoute]:
    desk = Protecting(reception)
    return [
        DutyRoute("GET", "/api/protection", desk.mine, ("bet",)),
        DutyRoute("POST", "/api/protection/limits", desk.choose, ("bet",)),
        DutyRoute("POST", "/api/protection/break", desk.take_break, ("bet",)),
        DutyRoute("POST", "/api/protection/exclusion", desk.exclude_self, ("bet",)),
        DutyRoute("POST", "/api/protection/reminder", desk.read, ("bet",)),
        DutyRoute("POST", "/api/protection/age", desk.confirm_age, ("bet",)),
        DutyRoute("POST", "/api/cashier/age", desk.age_seen, ("cash",)),
        DutyRoute("GET", "/api/floor/exclusions", desk.excluded, ("exclude", "cash", "audit")),
        DutyRoute("POST", "/api/floor/exclusions", desk.exclude, ("exclude",)),
        DutyRoute("POST", "/api/floor/exclusions/lift", desk.lift, ("exclude",)),
    ]


english("act", {"lift-exclusion": "end the exclusion of {player} by the house: {reason}"})
