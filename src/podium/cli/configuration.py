"""`podium config`: the configuration of a house, checked before a house opens with it."""

from collections.abc import Iterator
from pathlib import Path

from podium.basics.money import amount
from podium.cli.files import unreadable
from podium.house import DEMONSTRATION, HouseConfig, read_config, write_config
from podium.house.table import TableConfig


def write_demonstration() -> None:
    """Prints a configuration to start from."""
    print(write_config(DEMONSTRATION), end="")


def check(file: Path) -> None:
    """Prints what the house would open; the first mistake is refused, with its place and what would be accepted."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None
    for line in lines(read_config(text)):
        print(line)


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
        f"{game.title}, {table.dealer} dealer, {seats}, {game.rules.decks} decks, "
        f"{table.betting_seconds:g} s for bets, {insurance}{table.decision_seconds:g} s for decisions"
        f"{', ' + ', '.join(limits) if limits else ''}. Wagers: {', '.join(game.offers)}. Rules {game.fingerprint[:12]}."
    )
