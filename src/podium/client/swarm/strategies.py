"""How a bot bets and answers."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from podium.basics.cards import card, cards
from podium.basics.hands import three_card_hand
from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.client.shown import Turn
from podium.play.views import HandView
from podium.rules.games import game
from podium.wire.messages import RulesInForce, WagerCard


class Stakes(NamedTuple):
    """Everything that a bot stakes in a round."""

    wagers: dict[str, int]
    for_dealer: dict[str, int]
    spots: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.wagers.values()) + sum(self.for_dealer.values())


Bets = Callable[[RulesInForce, int, Random], Stakes | None]
"""What to stake with this credit; None if it is not enough for the game."""
Answers = Callable[[Turn, Random], str | None]
"""What to answer; None lets the time run out."""


class Strategy(NamedTuple):
    """One way to play."""

    name: str
    says: str
    bets: Bets
    answers: Answers
    lies: bool = False
    """Whether it also sends commands that the house must refuse."""
    fickle: float = 0.0
    """How often it changes its mind about a bet."""


# --- betting ------------------------------------------------------------------------------------------------------------


def _amount(wager: WagerCard, credit: int, dice: Random | None) -> int | None:
    """An amount that the wager takes and the credit covers: the smallest, or any small one."""
    if wager.amounts:
        covered = [amount for amount in wager.amounts if amount <= credit]
        return (dice.choice(covered) if dice else min(covered)) if covered else None
    chip = wager.chip
    least = -(-wager.least // chip) * chip
    most = min(credit, wager.most or 20 * least, 20 * least) // chip * chip
    if most < least:
        return None
    return dice.randrange(least, most + 1, chip) if dice else least


def _main(rules: RulesInForce) -> WagerCard:
    return next(wager for wager in rules.wagers if wager.main)


def the_least(rules: RulesInForce, credit: int, _: Random) -> Stakes | None:
    """The smallest main wager and nothing else."""
    main = _main(rules)
    amount = _amount(main, credit, None)
    return None if amount is None else Stakes({main.wager: amount}, {})


def anything(rules: RulesInForce, credit: int, dice: Random) -> Stakes | None:
    """Any main wager, some side bets, now and then a toke."""
    return _with_side_bets(rules, credit, dice, often=0.3)


def every_side_bet(rules: RulesInForce, credit: int, dice: Random) -> Stakes | None:
    """Every side bet that the credit covers."""
    return _with_side_bets(rules, credit, dice, often=1)


def _with_side_bets(rules: RulesInForce, credit: int, dice: Random, *, often: float) -> Stakes | None:
    main = _main(rules)
    stake = _amount(main, credit, dice)
    if stake is None:
        return None
    known = game(rules.game).rules
    chosen = len(known.proposed_spots)
    spots = tuple(dice.sample(known.locations, chosen)) if chosen and dice.random() < 0.8 else ()
    stakes = Stakes({main.wager: stake}, {}, spots)
    for wager in rules.wagers:
        for whose in (stakes.wagers, stakes.for_dealer) if wager.for_dealer else (stakes.wagers,):
            if wager.wager in whose or (wager.needs and wager.needs not in stakes.wagers) or dice.random() > often:
                continue
            more = _amount(wager, credit - stakes.total, dice)
            if more is not None:
                whose[wager.wager] = more
    return stakes


# --- answering ----------------------------------------------------------------------------------------------------------


def affordable(turn: Turn) -> Mapping[str, tuple[int, int]]:
    """The answers that the credit covers, with their costs."""
    assert turn.question is not None
    return {choice: cost for choice, cost in turn.question.allowed.items() if cost[0] <= turn.seat.credit}


def stands(turn: Turn, _: Random) -> str | None:
    """Stands, folds or declines: never adds to a wager."""
    allowed = affordable(turn)
    return next((choice for choice in ("decline", "stand", "fold") if choice in allowed), None)


def at_random(turn: Turn, dice: Random) -> str | None:
    """Any answer that is allowed, or none."""
    if dice.random() < 0.03:
        return None
    choice, (least, most) = dice.choice(list(affordable(turn).items()))
    if not choice.endswith(":AMOUNT"):
        return choice
    chip = 100 if least % 100 == 0 else 1
    amount = dice.randrange(least, min(most, turn.seat.credit) + 1, chip)
    return choice.replace("AMOUNT", str(amount))


def sleeps(turn: Turn, _: Random) -> None:
    """Never answers: every timer runs out."""


def by_the_book(turn: Turn, dice: Random) -> str | None:
    """The usual basic strategy of blackjack, and queen-six-four for Three Card Poker."""
    allowed = affordable(turn)
    assert turn.question is not None
    assert turn.seat.view is not None
    if turn.question.about == "insurance":
        return "decline"
    if "play" in turn.question.allowed:
        own = [card(turn.table.layout.array[spot - 1]) for spot in turn.seat.view.spots]
        good = three_card_hand(own) >= three_card_hand(cards("Qs 6h 4d"))
        return "play" if good and "play" in allowed else "fold"
    hand = turn.seat.view.hands[turn.seat.view.playing]
    wished = _wished(hand, card(turn.table.layout.dealer[0]).points)
    return next((choice for choice in wished if choice in allowed), stands(turn, dice))


def _wished(hand: HandView, up: int) -> list[str]:
    """What to do with a hand against an up card, best first; an ace is 1."""
    wished = []
    if len(hand.cards) == 2 and _splits(card(hand.cards[0]).points, up):
        wished.append("split")
    low = 2 <= up <= 6
    if hand.soft:
        return [*wished, "stand" if hand.total >= 19 or (hand.total == 18 and 2 <= up <= 8) else "hit"]
    if (hand.total == 16 and up in (9, 10, 1)) or (hand.total == 15 and up == 10):
        wished.append("surrender")
    if hand.total == 11 or (hand.total == 10 and 2 <= up <= 9) or (hand.total == 9 and 3 <= up <= 6):
        wished.append("double")
    stand = hand.total >= 17 or (hand.total >= 13 and low) or (hand.total == 12 and 4 <= up <= 6)
    return [*wished, "stand" if stand else "hit"]


def _splits(points: int, up: int) -> bool:
    """What to do with a pair; no other hand can split."""
    against = {1: range(1, 11), 8: range(1, 11), 2: range(2, 8), 3: range(2, 8), 7: range(2, 8), 6: range(2, 7)}
    return up in against.get(points, ()) or (points == 9 and up in (2, 3, 4, 5, 6, 8, 9))


STRATEGIES: Final = {
    strategy.name: strategy
    for strategy in (
        Strategy(
            "random", "any wagers, any answer that is allowed, bets changed and taken back", anything, at_random
        )._replace(fickle=0.3),
        Strategy("stand", "the least wager, no card and no further wager", the_least, stands),
        Strategy("basic", "the least wager, played by the book", the_least, by_the_book),
        Strategy("side-bets", "every side bet, played by the book", every_side_bet, by_the_book),
        Strategy("asleep", "the least wager, every time runs out", the_least, sleeps),
        Strategy("liar", "plays by the book and asks for what must be refused", the_least, by_the_book, lies=True),
    )
}

USUAL_MIX: Final = {"random": 3, "stand": 1, "basic": 4, "side-bets": 1, "asleep": 1, "liar": 1}


def read_mix(text: str) -> dict[str, int]:
    """`random=3,basic=5`: the shares of each strategy."""
    mix: dict[str, int] = {}
    for part in text.split(","):
        name, equals, share = part.strip().partition("=")
        if name not in STRATEGIES:
            raise Refused("mix-strategy", strategy=shortened(name), strategies=STRATEGIES)
        if equals and not (share.isascii() and share.isdecimal() and len(share) < 7):
            raise Refused("mix-share", share=shortened(share))
        mix[name] = int(share) if equals else 1
    if not sum(mix.values()):
        raise Refused("mix-nothing")
    return mix


english(
    "refused",
    {
        "mix-strategy": "--mix: there is no strategy {strategy:quoted}. The strategies are {strategies}.",
        "mix-share": "--mix: {share:quoted} is not a share: write it like random=3,basic=5.",
        "mix-nothing": "--mix: at least one share must be above 0.",
    },
)
