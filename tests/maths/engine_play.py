"""A policy of the mathematics, as a player at the engine's table."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from podium.basics.cards import DECK, Card
from podium.maths import three_card
from podium.maths.array_play import LOOK, PLAY, Plan, hand_places, place_of
from podium.maths.positions import DOUBLE, EVEN_MONEY, HIT, INSURE, SPLIT, STAND, SURRENDER, Policy, hand_of
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, WagersPlaced
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, NextCard
from podium.rules.blackjack.box import Box
from podium.rules.dealing import Community, NineCards, OwnHands
from podium.rules.games import Game

WORDS = {HIT: "hit", STAND: "stand", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}


def played(
    of: Game, wagers: dict[str, int], cards: Iterator[int], policies: Sequence[Any], spots: tuple[int, ...] = ()
) -> Round:
    """A round of the engine, seat by seat with these policies."""
    round = Round(of)
    for seat in range(1, len(policies) + 1):
        round.apply(WagersPlaced(seat=seat, amounts=wagers, spots=spots))
    round.apply(BettingClosed())
    while not isinstance(awaits := round.awaits, Confirmation):
        if isinstance(awaits, NextCard):
            round.apply(CardDealt(DECK[next(cards)]))
            continue
        assert isinstance(awaits, Decisions)
        for seat in awaits:
            round.apply(Decided(seat, wanted(round, seat, policies[seat - 1])))
    round.apply(Confirmed())
    return round


def wanted(played: Round, seat: int, policy: Policy | Plan) -> str:
    """What a policy decides for a seat that the engine asks."""
    if isinstance(policy, Policy):
        boxes = cast("Community | OwnHands", played.dealing)
        assert boxes.up_card is not None
        return _decision(boxes.boxes[seat], boxes.up_card.points - 1, policy)
    nine = cast("NineCards", played.dealing)
    return _poker_decision(nine, nine.cards_at(played.seats[seat].spots), policy)


def _decision(box: Box, up: int, policy: Policy) -> str:
    """Blackjack, with this card of the dealer's in sight."""
    allowed = box.question().allowed
    insured = int(box.insured)
    if box.early:
        wanted = policy.early[hand_of(*(card.points - 1 for card in box.hands[0].cards))]
        word = {INSURE: "insure", EVEN_MONEY: "even-money"}.get(int(wanted), "decline")
        return word if word in allowed else "decline"
    values = [card.points - 1 for card in box.hand.cards]
    hand = hand_of(*values)
    if len(box.hands) == 1:
        word = WORDS[int(policy.first[insured, up, hand])]
        if word == "split" and (word not in allowed or policy.limit[insured, up, values[0]] == 0):
            return "hit"
        return word if word in allowed else "hit"
    pair = values[0]
    if "split" in allowed and len(box.hands) - 1 < policy.limit[insured, up, pair]:
        return "split"
    if "hit" not in allowed:
        return "stand"
    word = WORDS[int(policy.split[insured, int(box.playing > 0), up, pair, hand])]
    return word if word in allowed and word in ("stand", "double") else "hit"


def _poker_decision(dealing: NineCards, own: Sequence[Card], plan: Plan) -> str:
    """Three Card Poker: who looks counts the dealer's packets that the cards in sight leave, one by one."""
    first, second, third = (card.index for card in own)
    planned = plan[place_of(hand_places(), first, second, third)]
    if planned == LOOK:
        others = [card for card in dealing.cards_at(tuple(range(1, 10))) if card not in own]
        return "play" if three_card.plays(own, others) else "fold"
    return "play" if planned == PLAY else "fold"
