"""All that a table is, and a house besides its tables, as plain values: with the same values they are the same."""

from copy import copy
from typing import Any

from podium.house import House
from podium.house.table import Table
from podium.play.round import Round

PLAIN = (
    "version",
    "config",
    "pending",
    "is_open",
    "paused",
    "dealer",
    "players",
    "seats",
    "boxes",
    "leaving",
    "shoe_number",
    "barred",
    "round_number",
    "opened_at",
    "deadline",
    "window",
    "last_at",
    "correction",
    "corrections",
    "notice",
    "happened",
    "handle",
    "shoes",
    "opened",
)


def written(table: Table) -> dict[str, Any]:
    """Everything, by name."""
    shoe = table.shoe
    cut = shoe.cut if shoe else None
    return {name: copy(getattr(table, name)) for name in PLAIN} | {
        "rules": table.game and table.game.fingerprint,
        "phase": table.phase(),
        "shoe": shoe
        and (
            shoe.number,
            shoe.decks,
            shoe.shuffled_at,
            shoe.closed_at,
            shoe.first,
            shoe.rounds,
            shoe.order,
            dict(shoe.out),
        ),
        "cutting": table.cutting.snapshot(),
        "one round": shoe and (shoe.one_round, shoe.penetration, shoe.unseen),
        "readings": (table.readings.held, dict(table.readings.last), table.readings.unexpected),
        "shoe's life": shoe and (shoe.shuffler, shoe.burn, shoe.burned, shoe.cut_card, shoe.miscounted, shoe.change),
        "face down": table.face_down,
        "tellings": (dict(table.tellings.times), dict(table.tellings.unread), table.tellings.last),
        "cut": cut and (cut.committed, cut.opened, cut.closed),
        "round": table.round and _round(table.round),
        "history": list(table.history),
    }


def own_state(house: House) -> dict[str, Any]:
    """All that the house's own stream comes to, by name."""
    return {name: getattr(house, name) for name in ("config", "version", "players", "running", "filed")}


def _round(played: Round) -> tuple[Any, ...]:
    seats = {
        number: (seat.amounts, seat.for_dealer, seat.spots, seat.brought, seat.staked, seat.settled)
        for number, seat in played.seats.items()
    }
    return played.events, played.cards, played.voided, repr(played.awaits), seats, played.results
