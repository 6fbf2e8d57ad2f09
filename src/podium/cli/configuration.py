"""`podium config`: the configuration of a house, checked before a house opens with it, compared with what it has, and applied."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from podium.basics.money import amount
from podium.cli.console import ask
from podium.cli.files import unreadable
from podium.house import DEMONSTRATION, HouseConfig, read_config, write_config
from podium.house.config import settled
from podium.house.table import TableConfig
from podium.server.console import ApplyConfig, ReadConfig


def write_demonstration() -> None:
    """Prints a configuration to start from."""
    print(write_config(DEMONSTRATION), end="")


def check(file: Path) -> None:
    """Prints what the house would open; the first mistake is refused, with its place and what would be accepted."""
    for line in lines(settled(_read(file), {})):
        print(line)


def _read(file: Path) -> HouseConfig:
    try:
        return read_config(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None


# --- the configuration that a house has ---------------------------------------------------------------------------------


class ConfigDifference(NamedTuple):
    """A setting in which two configurations differ; None where one of them does not have it."""

    place: str
    before: Any
    after: Any


def show(data: Path, database: str, keys: str) -> int:
    """Prints the configuration that a house has."""
    print(write_config(_configured(data, database, keys)), end="")
    return 0


def diff(file: Path, data: Path, database: str, keys: str) -> int:
    """Prints where a file differs from the configuration that the house has; 1 if it does."""
    has = _configured(data, database, keys)
    found = differences(has, settled(_read(file), has.tables))
    _say(found)
    if not found:
        print("The house has this configuration.")
    return 1 if found else 0


def apply(file: Path, data: Path, database: str, keys: str) -> int:
    """Gives the house the configuration in a file, and prints what that changes."""
    has = _configured(data, database, keys)
    wanted = settled(_read(file), has.tables)
    found = differences(has, wanted)
    if found:
        ask(data, ApplyConfig(wanted, has), database=database, keys=keys)
        _say(found)
        print("Tables use it from their next round on.")
    else:
        print("The house has this configuration already.")
    return 0


def _configured(data: Path, database: str, keys: str) -> HouseConfig:
    config = ask(data, ReadConfig(), database=database, keys=keys).config
    assert config is not None
    return config


def differences(before: HouseConfig, after: HouseConfig) -> list[ConfigDifference]:
    """The settings in which two configurations differ, the tables last."""
    found = []
    for place in dict.fromkeys([*(was := _flat(before)), *(becomes := _flat(after))]):
        if was.get(place) != becomes.get(place):
            found.append(ConfigDifference(place, was.get(place), becomes.get(place)))
    return found


def _flat(config: HouseConfig) -> dict[str, Any]:
    """A configuration as one value for each place, defaults included."""
    flat = {name: getattr(config, name) for name in config.__struct_fields__ if name != "tables"}
    for name, table in config.tables.items():
        options = {f"tables.{name}.options.{key}": value for key, value in table.options.items()}
        settings = [each for each in table.__struct_fields__ if each != "options"]
        flat |= {f"tables.{name}.{each}": getattr(table, each) for each in settings} | options
    return flat


def _say(found: list[ConfigDifference]) -> None:
    for place, before, after in found:
        print(f"{place}: {_shown(before)} -> {_shown(after)}")


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return "(not there)" if value is None else msgspec.json.encode(value).decode()


def lines(config: HouseConfig) -> Iterator[str]:
    guests = f"guests play with {amount(config.guest_credit)}" if config.guests else "no guests"
    yield (
        f"{config.name}: {guests}, cash-out without an attendant up to {amount(config.cash_out_limit)}, tickets are "
        f"good for {config.ticket_days} days."
    )
    for name, table in config.tables.items():
        yield f"  {name}: {_table(table)}"
    if not config.tables:
        yield "  no table: the house would open empty."


def _table(table: TableConfig) -> str:
    game = table.to_game()
    seats = "any number of players" if table.seats is None else f"{table.seats} seats"
    limits = [
        f"{wager} {amount(offer.least)} to {amount(offer.most)}"
        for wager, offer in game.offers.items()
        if offer.most is not None
    ]
    insurance = f"{table.insurance_seconds:g} s for insurance, " if game.rules.asks_insurance else ""
    return (
        f"{game.title}, {table.dealer} dealer, {seats}, {game.rules.decks} deck{'s' * (game.rules.decks > 1)}, "
        f"{table.betting_seconds:g} s for bets, {insurance}{table.decision_seconds:g} s for decisions"
        f"{', ' + ', '.join(limits) if limits else ''}. Wagers: {', '.join(game.offers)}. Rules {game.fingerprint[:12]}."
    )
