"""What terminals are shown of a table: once for everybody, and each seat its own."""

from podium.asking import Decisions
from podium.dealing import Community, NineCards, OwnHands
from podium.games import Game
from podium.placard import Offer
from podium.server.wire import Outcome, RulesInForce, Seated, Shoe, TableCard, TableView, WagerCard
from podium.table import Table
from podium.views import layout, next_place, seat_view

SHOWN = 10
"""How many past rounds everybody sees."""


def table_view(table: Table, number: int, now: int, *, wins: list[int]) -> TableView:
    """The table as everybody sees it. Nobody's name is in it, nor a card that lies face down."""
    played = table.round
    awaits = played.awaits if played else None
    return TableView(
        table=table.name,
        number=number,
        now=now,
        phase=table.phase(),
        round=table.round_number,
        rules=(table.game or table.upcoming.rules()).fingerprint,
        layout=layout(played) if played else layout_of_nothing(),
        next=next_place(played) if played else "",
        deadline=table.deadline,
        window=table.window if table.deadline is not None else None,
        players=len(table.players),
        betting=len(played.seats) if played else 0,
        deciding=len(awaits) if isinstance(awaits, Decisions) else 0,
        total_bets=sum(seat.staked for seat in played.seats.values()) if played else 0,
        dealer=table.dealer,
        shoe=_shoe(table),
        correcting=table.correcting,
        notice=table.notice,
        cards=_cards(table),
        history=[
            Outcome(
                round=number,
                layout=layout(past),
                seats=len(past.results),
                won=sum(1 for result in past.results.values() if result.net > 0),
                void=past.voided,
            )
            for number, past in list(table.history)[-SHOWN:]
        ],
        wins=wins,
        taken=sorted(table.players) if table.upcoming.seats is not None else [],
    )
