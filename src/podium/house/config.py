"""The configuration of a house: one TOML file."""

import re
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import limits
from podium.house.calendar import DayRule, check_rule
from podium.house.table import TableConfig
from podium.house.table.config import TOKES, with_tokes_settled
from podium.rules.games import GAMES
from podium.rules.placard import Rules

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ADDRESS: Final = re.compile(r"https?://[^/\s?#]+")
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")


_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
MAX_HELP_LINE: Final = 300
"""Characters of the help line in one language."""
MAX_TERMS: Final = 12
"""Terms for which players may exclude themselves."""
MAX_TERM_DAYS: Final = 36_500


class HouseConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house and its tables."""

    name: str = "Podium"
    currency: str = "$"
    """How terminals write an amount."""
    time_zone: str = "UTC"
    """The time zone of the house, by which its gaming days begin and its reports say the time."""
    day_begins: str = "00:00"
    """When a gaming day begins (REP-1). A change of it, of the time zone or of the shifts applies to days that have not begun."""
    shifts: tuple[str, ...] = ()
    """When the further shifts of a gaming day begin; the first one begins with the day."""
    address: str = ""
    """The address for players' own phones, like https://play.example, shown as a code on the walls. Empty: the address at
    which the wall itself was opened."""
    hosts: tuple[str, ...] = ()
    """Further names under which browsers reach the house, like podium.lan; requests for other names are refused. Its `address`,
    the names of its certificate, `localhost` and IP addresses need not be listed."""
    proxies: tuple[str, ...] = ()
    """Reverse proxies in front of the house, like 127.0.0.1 or 10.0.0.0/8: only their headers about the client's address and
    TLS are trusted."""
    connections_per_address: int = 5_000
    """Connections, of browsers and terminals, from one address that is not a proxy's; an IPv6 network of 64 bits counts as one."""
    guests: bool = False
    """Whether anybody may play as a guest, with play money; meant for demonstrations."""
    guest_credit: int = 1_000_00
    guests_per_minute: int = 600
    """Guests who may come in from one address in a minute."""
    guests_at_once: int = 5_000
    """Guests who are in the house at the same time. When it is full, those who have done nothing give way."""
    cash_out_limit: int = 3_000_00
    """A cash-out above this amount needs an attendant."""
    desk_limit: int = 1_000_000_00
    """The most that one buy-in, cash-out, adjustment or sale of a ticket may move: a mistyped amount is refused."""
    large_win: int = 1_200_00
    """A win of at least this much in one round is a significant event (EVT-1); 0 for never."""
    large_wager: int = 1_000_00
    """The same for a player's stake in one round."""
    cash_report: int = 0
    """Cash that the cage takes from a player, or pays, in a gaming day: a sum of at least this much is a significant event, and a ticket
    sold or cashed for as much too; 0 for never."""
    cash_buy_ins: int = 0
    """The number of buy-ins below `cash_report` in one gaming day at which a player is noted as a significant event; 0 for never."""
    ticket_days: int = 180
    idle_minutes: int = 5
    """CARD-6: how long a dealer's terminal may be untouched before it locks."""
    terminal_link_hours: int = 24
    """Hours in which the link that enrols a terminal must be opened at it. After that it is void."""
    known_terminals: Literal["none", "staff", "all"] = "none"
    """SEC-3: who needs a known terminal, which proves itself by a key in its browser or a client certificate: nobody, staff,
    or all but guests with play money."""
    disk_rest_mb: int = 1_000
    """Megabytes on the disk with the data of the house, below which health warns: play stops when the disk is full. 0 for no warning."""
    backup_hours: int = 0
    """Hours within which a backup is expected: health warns if the last one is older (BAK-1). 0 for no warning."""
    backup_every_hours: int = 0
    """Hours after which the house makes a backup by itself, in the folder `backups` of its data (BAK-1). 0 for never."""
    backups_kept: int = 14
    """Of the backups in that folder, how many stay when a further one is made by itself: the older ones are removed."""
    archive_days: int = 0
    """Days for which the book keeps what tables recorded; what is older is moved into archives, which are kept. 0 for ever."""
    witness_minutes: int = 0
    """Minutes within which a witness is expected to fetch the checkpoints: health warns if none has (EVT-5). 0 for no warning."""
    help_line: dict[str, str] = {}
    """PROT-1: the words of the help line for players, by language (`en`, `es`, `zh`); shown on the terminals and with the rules."""
    least_age: int = 0
    """PROT-1: players with an account confirm once that they are this old, before they sit down. 0 asks nobody."""
    age_checked: bool = False
    """Whether a cashier confirms the age from a document, instead of the player's own word."""
    reminder_minutes: int = 0
    """PROT-1: minutes of play after which a player must read for how long and with what result they have played, before the next
    wager; a player may choose fewer. 0 reminds only those who choose it."""
    self_exclusion_days: tuple[int, ...] = (180, 365, 1_825)
    """The terms, in days, for which players may exclude themselves; 0 is an indefinite term."""
    tickets_play: bool = True
    """Whether somebody may come in with a ticket and without an account. An exclusion by name cannot find them."""
    manifest: str = ""
    """VER-2: the file with the manifest of the program. Empty: the program is compared with nothing."""
    manifest_signer: str = ""
    """The public key that must have signed the manifest, as `podium program key` prints it."""
    program: Literal["note", "strict"] = "note"
    """Whether a program that differs from the manifest is only noted, or also keeps the house closed."""
    tables: dict[str, TableConfig] = {}

    @property
    def day_rule(self) -> DayRule:
        """How the house divides time into gaming days and shifts."""
        return DayRule(self.time_zone, self.day_begins, self.shifts)


AMOUNTS: Final = ("guest_credit", "cash_out_limit", "desk_limit", "large_win", "large_wager", "cash_report")
"""The settings that are amounts of money, in minor units."""

RANGES: Final[dict[str, tuple[int, int]]] = {
    **dict.fromkeys(AMOUNTS, (0, limits.MAX_AMOUNT)),
    "connections_per_address": (1, limits.MAX_COUNTED),
    "guests_per_minute": (1, limits.MAX_COUNTED),
    "guests_at_once": (1, limits.MAX_COUNTED),
    "ticket_days": (1, 3_650),
    "terminal_link_hours": (1, 168),
    "idle_minutes": (1, 5),
    "backups_kept": (1, limits.MAX_BACKUPS_KEPT),
    **dict.fromkeys(
        ("disk_rest_mb", "backup_hours", "backup_every_hours", "archive_days", "witness_minutes"),
        (0, limits.MAX_WATCHED),
    ),
    "least_age": (0, 30),
    "cash_buy_ins": (0, limits.MAX_COUNTED),
    "reminder_minutes": (0, 1_440),
}
"""The lowest and the highest value of each number."""

TEXTS: Final = {"name": 80, "currency": 8}
"""Texts that may not be empty, and how many characters they may have."""


def _demonstrated(name: str, rules: Rules) -> TableConfig:
    """A table for guests: whole chips, and no wagers for an automated dealer (SBJ 5.c.viii)."""
    options: dict[str, Any] = {TOKES: False} if rules.takes_tokes else {}
    if not rules.check()[rules.main.name].amounts:  # a document that prints the amounts leaves nothing to limit
        options |= {"limits": {rules.main.name: [500, 50_000]}, "chip": 100}
    return TableConfig(game=name, options=options, coach=name in COACHED)


COACHED: Final = ("stadium-blackjack", "stadium-three-card-poker", "mega-blackjack")
"""The tables with a coach in the demonstration house: one for each way of dealing."""

DEMONSTRATION: Final = HouseConfig(
    name="Podium demonstration house",
    guests=True,
    tables={
        f"{name.removeprefix('stadium-').split('-')[0]}-1": _demonstrated(name, found.rules)
        for name, found in GAMES.items()
    },
)
"""What `podium serve` opens by default: all five games, dealt by the automated dealer."""


def read_config(text: str) -> HouseConfig:
    """Reads a configuration from TOML. The first mistake is refused, with its place and what would be accepted."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused("config-not-toml", error=str(error)) from None
    try:
        config = msgspec.convert(raw, HouseConfig)
    except msgspec.ValidationError as error:
        raise _malformed(str(error)) from None
    check(config)
    return config


def write_config(config: HouseConfig) -> str:
    """The inverse of `read_config`."""
    return msgspec.toml.encode(config).decode()


def check(config: HouseConfig) -> None:
    """Refuses a house that cannot open."""
    if len(config.tables) > limits.MAX_TABLES:
        raise Refused("tables-full", tables=len(config.tables), most=limits.MAX_TABLES)
    for name, table in config.tables.items():
        if not _NAME.fullmatch(name):
            raise Refused("table-name", place=f"tables.{shortened(name)}")
        try:
            table.check()
        except Refused as refusal:
            raise Refused("at-place", place=f"tables.{name}", why=refusal.phrase) from None
    for setting, (least, most) in RANGES.items():
        value = getattr(config, setting)
        if not least <= value <= most:
            if setting in AMOUNTS:
                raise Refused("setting-amount", setting=setting, amount=value, most=most)
            clause = "CARD-6" if setting == "idle_minutes" else ""
            raise Refused("setting-range", setting=setting, value=value, least=least, most=most, clause=clause)
    for setting, most in TEXTS.items():
        value = getattr(config, setting)
        if not value.strip() or len(value) > most or not value.isprintable():
            raise Refused("setting-text", setting=setting, value=shortened(value), most=most)
    check_rule(config.day_rule)
    if config.address and not _ADDRESS.fullmatch(config.address):
        raise Refused("setting-address", setting="address", value=shortened(config.address))
    _check_protection(config)
    for host in config.hosts:
        if not _HOST.fullmatch(host):
            raise Refused("setting-host", setting="hosts", value=shortened(host))
    for proxy in config.proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise Refused("setting-proxy", setting="proxies", value=shortened(proxy)) from None


def _check_protection(config: HouseConfig) -> None:
    for code, words in config.help_line.items():
        if not _LANGUAGE.fullmatch(code) or not words.strip() or len(words) > MAX_HELP_LINE or not words.isprintable():
            raise Refused(
                "setting-text", setting=f"help_line.{shortened(code)}", value=shortened(words), most=MAX_HELP_LINE
            )
    terms = config.self_exclusion_days
    if not 1 <= len(terms) <= MAX_TERMS or not all(0 <= days <= MAX_TERM_DAYS for days in terms):
        raise Refused("setting-terms", setting="self_exclusion_days", terms=MAX_TERMS, most=MAX_TERM_DAYS)


def settled(config: HouseConfig, before: Mapping[str, TableConfig]) -> HouseConfig:
    """Fills in what a configuration leaves open, which depends on who deals at the tables that the house has."""
    tables = {name: with_tokes_settled(table, before.get(name)) for name, table in config.tables.items()}
    return config if tables == config.tables else msgspec.structs.replace(config, tables=tables)


def _malformed(error: str) -> Refused:
    """Turns a type error of the decoder into a refusal; for an unknown key it lists the known ones."""
    what, _, where = error.partition(" - at ")
    place = where.strip("`").removeprefix("$").removeprefix(".").replace("[...]", ".*") or "top"
    what = f"{what[0].lower()}{what[1:]}"
    if "unknown field" in what:
        known: type[Any] = TableConfig if place.startswith("tables") else HouseConfig
        return Refused("config-key", place=place, error=what, keys=known.__struct_fields__)
    return Refused("config-wrong", place=place, error=what)


english(
    "refused",
    {
        "tables-full": "There are {tables} tables: a house has at most {most}.",
        "config-not-toml": "The configuration is not TOML: {error}.",
        "config-wrong": "The configuration is wrong at {place}: {error}.",
        "config-key": "The configuration is wrong at {place}: {error}. The keys here are {keys}.",
        "table-name": "{place}: a table is named with small letters, digits and dashes, up to 40 of them.",
        "at-place": "{place}: {why}.",
        "setting-text": "{setting} = {value:quoted} is not allowed: it must be a text of 1 to {most} characters.",
        "setting-address": "{setting} = {value:quoted} is not allowed: it must be like https://play.example, without a path.",
        "setting-host": "{setting}: {value:quoted} is not allowed: a name is like podium.lan, without a scheme, a port or a path.",
        "setting-terms": "{setting} lists 1 to {terms} terms of 0 to {most:count} days.",
        "setting-proxy": "{setting}: {value:quoted} is not allowed: a proxy is an address or a network, like 127.0.0.1 or 10.0.0.0/8.",
    },
)
