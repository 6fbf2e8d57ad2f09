"""SEC-4: hostile messages against the real process; `make fuzz` sends a million."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
import uvloop

from podium.house.events import MoneyMoved, encode
from podium.house.people import ROLES
from podium.house.state import HOUSE
from podium.record.journal import Chain
from podium.record.ledger import Transfer, account
from podium.server.web import types_of
from podium.wire import commands
from tests.fuzz.campaign import Campaign, routes_of_a_house
from tests.fuzz.claims import MOVES, Claims, Found, command_claim, request_claim
from tests.fuzz.http import Requests, Seen
from tests.fuzz.people import everybody
from tests.fuzz.shapes import KINDS, hostile, some, some_command, understood

GAME = {"game": "stadium-blackjack"}


def test_sec_4_hostile_messages_change_nothing_that_they_should_not(tmp_path: Path) -> None:
    """Every role and strangers, over the wire and over HTTP, while honest bots play; taken up once in the middle."""
    uvloop.run(Campaign(tmp_path, seed=4).run(1_000, 1_000))
    campaign = Campaign(tmp_path, seed=4)
    assert campaign.progress.sent == 1_000
    progress = uvloop.run(campaign.run(3_000, 1_000))
    assert progress.sent == 3_000
    assert progress.acknowledged > 50
    assert progress.refused > 500
    assert progress.settled > 10
    assert {"200", "401", "403", "404", "422"} <= set(progress.statuses)


def test_every_command_and_every_route_is_made_rightly_and_wrongly() -> None:
    """Otherwise a part of the house would be left alone."""
    chance = Random("shapes")
    for kind in KINDS:
        right = [understood(json.dumps(some_command(chance, kind, 5)).encode(), commands.AnyCommand) for _ in range(20)]
        assert {type(each) for each in right} == {kind}
        wrong = [understood(hostile(chance, some_command(chance, kind, 5)), commands.AnyCommand) for _ in range(100)]
        assert None in wrong
    routes, _ = uvloop.run(routes_of_a_house())
    sent = [types_of(route.handler).body for route in routes]
    for body in (each for each in sent if each is not None):
        made = [understood(json.dumps(some(chance, body, {"config": [GAME]})).encode(), body) for _ in range(50)]
        assert any(each is not None for each in made), body
    moving = [
        each.path for each, body in zip(routes, sent, strict=True) if "amount" in getattr(body, "__struct_fields__", ())
    ]
    assert set(moving) <= set(MOVES)
    personas = everybody()
    assert {each.role for each in personas} == {"stranger", "display", "guest", *ROLES}
    requests = Requests(routes, ["t1"], Seen())
    asked = [requests.make(chance.choice(personas), personas, chance) for _ in range(8_000)]
    reached = {f"{each.method} {each.path}" for each in asked}
    missing = [f"{route.method} {route.path}" for route in routes if "{" not in route.path]
    assert not [each for each in missing if each not in reached]
    assert {claim[0] for each in asked for claim in each.claims} == set(MOVES.values())


def moved(what: str, by: str, player: str, amount: int) -> tuple[MoneyMoved, Transfer]:
    transfer = Transfer("k", account("cage", "desk"), account("credit", player), amount, "cash-in", who=by)
    return MoneyMoved(what, player, amount, by), transfer


@pytest.mark.parametrize(
    ("by", "player", "amount", "asked"),
    [("carl", "ann", 500, True), ("cora", "ann", 500, False), ("carl", "bea", 500, False), ("carl", "ann", 501, False)],
)
def test_money_that_nobody_asked_for_is_found(tmp_path: Path, by: str, player: str, amount: int, asked: bool) -> None:
    claims = Claims(tmp_path / "claims")
    claims.ask(request_claim("carl", "/api/cashier/buy-in", {"name": "ann", "amount": 500}))
    event, transfer = moved("cash-in", by, player, amount)
    entry = Chain(HOUSE).add(1, "money-moved", encode(event), (transfer,))
    if asked:
        assert claims.check_desk([entry], 0) == {"cash-in": 1}
    else:
        with pytest.raises(Found, match="nobody asked for"):
            claims.check_desk([entry], 0)
    claims.close()


def test_a_bet_that_the_player_never_made_is_found(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    bet = msgspec.convert({"do": "bet", "id": 1, "round": 3, "wagers": {"blackjack": 500}}, commands.PlaceBet)
    claims.ask(command_claim("ann", bet))
    claims.check_tables(Counter({("bet", "t1", 3, "ann", (("blackjack", 500),), (), ()): 1}), set(), set())
    for wrong in (
        ("bet", "t1", 3, "bea", (("blackjack", 500),), (), ()),
        ("bet", "t1", 3, "ann", (("blackjack", 600),), (), ()),
        ("decide", "t1", 3, "ann", "hit"),
    ):
        with pytest.raises(Found, match="never asked for"):
            claims.check_tables(Counter({wrong: 1}), set(), set())
    claims.answered(command_claim("ann", bet))
    with pytest.raises(Found, match="was acknowledged"):
        claims.check_tables(Counter(), {"ann"}, set())
    claims.close()
