"""The configuration of a house: one TOML file."""

import re
import tomllib
from ipaddress import ip_network
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import limits
from podium.house.table import TableConfig
from podium.rules.games import GAMES
from podium.rules.placard import Rules

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ADDRESS: Final = re.compile(r"https?://[^/\s?#]+")
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")


class HouseConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house and its tables."""

    name: str = "Podium"
    currency: str = "$"
    """How terminals write an amount."""
    address: str = ""
    """The address for players' own phones, like https://play.example, shown as a code on the walls. Empty: the address at
    which the wall itself was opened."""
    hosts: tuple[str, ...] = ()
    """Further names under which browsers reach the house, like podium.lan; it answers to no name that it does not know. Its
    `address`, the names of its certificate, `localhost` and IP addresses need not be listed."""
    proxies: tuple[str, ...] = ()
    """Reverse proxies in front of the house, like 127.0.0.1 or 10.0.0.0/8: what they say of who asks, and whether by TLS, is
    believed, and nobody else's word for it."""
    connections_per_address: int = 5_000
    """Connections, of browsers and terminals, from one address that is not a proxy's; an IPv6 network of 64 bits counts as one."""
    guests: bool = False
    """Whether anybody may play as a guest, with play money: for a demonstration."""
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
    ticket_days: int = 180
    idle_minutes: int = 5
    """CARD-6: how long a dealer's terminal may be untouched before it locks."""
    known_terminals: Literal["none", "staff", "all"] = "none"
    """SEC-3: who needs an enrolled device, which proves itself by a key in its browser or a client certificate: nobody, staff,
    or all but guests with play money."""
    disk_rest_mb: int = 1_000
    """Megabytes on the disk with the data of the house, below which health warns: play stops when the disk is full. 0 for no warning."""
    backup_hours: int = 0
    """Hours within which a backup is expected: health warns if the last one is older (BAK-1). 0 for no warning."""
    witness_minutes: int = 0
    """Minutes within which a witness is expected to fetch the checkpoints: health warns if none has (EVT-5). 0 for no warning."""
    manifest: str = ""
    """VER-2: the file with the manifest of the program. Empty: the program is compared with nothing."""
    manifest_signer: str = ""
    """The public key of whoever must have signed the manifest, as `podium program key` prints it."""
    program: Literal["note", "strict"] = "note"
    """Whether a program that differs from the manifest is noted, or also keeps the house closed."""
    tables: dict[str, TableConfig] = {}


AMOUNTS: Final = ("guest_credit", "cash_out_limit", "desk_limit", "large_win", "large_wager")
"""The settings that are amounts of money, in minor units."""

RANGES: Final[dict[str, tuple[int, int]]] = {
    **dict.fromkeys(AMOUNTS, (0, limits.MAX_AMOUNT)),
    "connections_per_address": (1, limits.MAX_COUNTED),
    "guests_per_minute": (1, limits.MAX_COUNTED),
    "guests_at_once": (1, limits.MAX_COUNTED),
    "ticket_days": (1, 3_650),
    "idle_minutes": (1, 5),
    **dict.fromkeys(("disk_rest_mb", "backup_hours", "witness_minutes"), (0, limits.MAX_WATCHED)),
}
"""From what to what each number of the house may be set."""

TEXTS: Final = {"name": 80, "currency": 8}
"""Texts that may not be empty, and how many characters they may have."""


def _demonstrated(name: str, rules: Rules) -> TableConfig:
    """A table of a game for guests: whole chips, and no wagers for a dealer who is a program (SBJ 5.c.viii)."""
    options: dict[str, Any] = {"dealer_wagers": False} if rules.takes_tokes else {}
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
    """The opposite of `read_config`."""
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
    if config.address and not _ADDRESS.fullmatch(config.address):
        raise Refused("setting-address", setting="address", value=shortened(config.address))
    for host in config.hosts:
        if not _HOST.fullmatch(host):
            raise Refused("setting-host", setting="hosts", value=shortened(host))
    for proxy in config.proxies:
        try:
            ip_network(proxy)
        except ValueError:
            raise Refused("setting-proxy", setting="proxies", value=shortened(proxy)) from None


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
        "setting-text": "{setting} = {value:quoted} is not possible: it is a text of 1 to {most} characters.",
        "setting-address": "{setting} = {value:quoted} is not possible: it is like https://play.example, without a path.",
        "setting-host": "{setting}: {value:quoted} is not possible: a name is like podium.lan, without a scheme, a port or a path.",
        "setting-proxy": "{setting}: {value:quoted} is not possible: a proxy is an address or a network, like 127.0.0.1 or 10.0.0.0/8.",
    },
)
