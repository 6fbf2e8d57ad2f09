"""A terminal that is shown only what changed knows as much as one that is shown everything."""

from random import Random

import msgspec
import pytest

from podium.basics.cards import DECK, card
from podium.house.table import TableConfig
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, WagersPlaced
from podium.play.round import Round
from podium.play.views import changed_by_card, seat_view
from podium.rules.asking import Decisions, NextCard
from podium.rules.games import GAMES
from podium.rules.results import WagerResult, because
from podium.server.show import Window
from tests.floor import TestHouse


def views(played: Round) -> dict[int, object]:
    return {number: seat_view(played, number) for number in played.seats}


def applied(played: Round, event: BettingClosed | CardDealt) -> int:
    """Applies an event and compares every view with what it was. Returns how many changed."""
    before = views(played)
    played.apply(event)
    after = views(played)
    changed = {number for number in after if after[number] != before[number]}
    said = set(changed_by_card(played)) if isinstance(event, CardDealt) else set()
    assert changed <= said, f"seats {changed - said} changed with {event}"
    return len(said)


@pytest.mark.parametrize("name", GAMES)
def test_a_card_changes_the_views_that_it_is_said_to_change_and_no_other(name: str) -> None:
    dice = Random(name)
    shown = 0
    for _ in range(60):
        game = GAMES[name]
        played = Round(game)
        for number in range(1, 6):
            spots = tuple(dice.sample(range(1, 10), 3)) if "three" in name else ()
            side = {
                wager: 500
                for wager, offer in game.offers.items()
                if not (offer.main or offer.bet.needs) and dice.random() < 0.3
            }
            played.apply(WagersPlaced(number, {game.rules.main.name: 600, **side}, spots=spots))
        shoe = [card for card in DECK for _ in range(game.rules.decks)]
        dice.shuffle(shoe)
        applied(played, BettingClosed())
        while not played.over:
            awaits = played.awaits
            if isinstance(awaits, NextCard):
                shown += applied(played, CardDealt(shoe.pop()))
            elif isinstance(awaits, Decisions):
                seat = dice.choice(list(awaits))
                choices = [choice for choice in awaits[seat].allowed if not choice.endswith("AMOUNT")]
                played.apply(Decided(seat, dice.choice(choices)))
            else:
                played.apply(Confirmed())
    assert shown, "some card changed something"


@pytest.mark.parametrize(("name", "most"), [("stadium-blackjack", 0.6), ("stadium-three-card-poker", 0.2)])
def test_most_cards_change_nobodys_view(name: str, most: float) -> None:
    """Five seats that all stand or fold: only the card that completes their hands, and the dealer's last, concern them."""
    game = GAMES[name]
    played = Round(game)
    for number in range(1, 6):
        played.apply(WagersPlaced(number, {game.rules.main.name: 500}))
    played.apply(BettingClosed())
    shoe = list(DECK)
    Random(3).shuffle(shoe)
    shown = cards = 0
    while not played.over:
        awaits = played.awaits
        if isinstance(awaits, NextCard):
            played.apply(CardDealt(shoe.pop()))
            shown += len(changed_by_card(played))
            cards += 1
        elif isinstance(awaits, Decisions):
            for seat in awaits:
                allowed = awaits[seat].allowed
                played.apply(
                    Decided(seat, next(answer for answer in ("decline", "stand", "play") if answer in allowed))
                )
        else:
            played.apply(Confirmed())
    assert shown / (5 * cards) <= most


def test_a_community_card_changes_the_views_of_those_who_took_it() -> None:
    played = Round(GAMES["stadium-blackjack"])
    for number in range(1, 5):
        played.apply(WagersPlaced(number, {"blackjack": 500}))
    played.apply(BettingClosed())
    told = []
    for code, decided in {"5s": "", "7d": "", "6h": "hit", "2c": "stand", "Td": ""}.items():
        played.apply(CardDealt(card(code)))
        told.append(list(changed_by_card(played)))
        for number in (1, 3) if decided else ():
            played.apply(Decided(number, decided))
        for number in (2, 4) if decided == "hit" else ():
            played.apply(Decided(number, "stand"))
    assert told == [[], [], [1, 2, 3, 4], [1, 3], []]


def test_whoever_takes_a_seat_after_the_round_sees_nothing_of_who_sat_there_before() -> None:
    house = TestHouse(t1=TableConfig(game="mega-blackjack", shuffle_seconds=0))
    house.player("ann", seat=3)
    house.run_until("betting")
    house.bet("ann", 500)
    house.run_until("result")
    window = Window(house.table())
    seen = window.for_player("ann", 0).view
    assert seen is not None
    assert seen.wagers == {"blackjack": 500}
    house.at("t1", lambda table: table.get_up("ann", house.now))
    house.player("bob", seat=3)
    assert window.for_player("bob", 0).seat == 3
    assert window.for_player("bob", 0).view is None


@pytest.mark.parametrize(("returned", "outcome"), [(0, "lose"), (99, "lose"), (100, "push"), (250, "win")])
def test_a_settled_wager_says_its_outcome_also_after_the_wire(returned: int, outcome: str) -> None:
    settled = WagerResult("blackjack", "player", 100, returned, why=(because("folded"),))
    assert msgspec.json.decode(msgspec.json.encode(settled)) == {
        "wager": "blackjack",
        "whose": "player",
        "staked": 100,
        "returned": returned,
        "why": [{"key": "why.folded"}],
        "outcome": outcome,
    }
    assert msgspec.json.decode(msgspec.json.encode(settled), type=WagerResult) == settled
    assert msgspec.structs.replace(settled, returned=0).outcome == "lose"
