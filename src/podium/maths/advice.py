"""What each answer to a question is worth to the player who is asked, by the best play that follows it.

All cards that the player does not see (`sight`) are equally likely to come; those of earlier rounds are not counted. Worth is
the expected net result of the hand that is asked about, for each unit of the original wager; insurance is counted while it
is asked for.
"""

from typing import Final

import msgspec
import numpy as np

from podium.basics.cards import cards
from podium.maths.blackjack import BestPlay, analysis, blackjack_rules
from podium.maths.positions import DECLINE, EVEN_MONEY, INSURE, NATURAL, empty_policy, hand_of
from podium.maths.shoe import Counts, fresh_shoe
from podium.maths.sight import ArrayPosition, BoxPosition, Position
from podium.maths.splits import SplitPlay
from podium.maths.three_card import FOLDED, KINDS, PACKETS, against, net
from podium.maths.upcard import Setting, UpCard
from podium.rules.bets import ANTE_BONUS
from podium.rules.games import Game
from podium.rules.three_card import ThreeCardRules

EARLY: Final = {"decline": DECLINE, "insure": INSURE, "even-money": EVEN_MONEY}
WORDS: Final = ("stand", "hit", "double")
"""In the order in which the analysis values them."""
KNOWN_SETTINGS: Final = 16
"""Of so many configurations what the analysis needs is kept."""


def worths(game: Game, asked: Position) -> dict[str, float]:
    """What each answer is worth."""
    if isinstance(asked, ArrayPosition):
        return _play_or_fold(game, asked)
    up_card = _up_card(game, asked)
    found = _early(up_card, asked) if asked.about == "insurance" else _played(up_card, asked)
    return {choice: found[choice] for choice in asked.asked if choice in found}


def begin(game: Game) -> None:
    """Do once what takes longer than any position: load and compile the kernels, and prepare the rules."""
    if isinstance(game.rules, ThreeCardRules):
        worths(game, ArrayPosition(("2c", "3c", "5d"), ("6c", "7c", "8d", "9h", "Tc", "Jd")))
    else:
        worths(game, BoxPosition(("split", "surrender"), up=5, hand=(7, 7)))


# --- blackjack ------------------------------------------------------------------------------------------------------


def _up_card(game: Game, asked: BoxPosition) -> UpCard:
    """The dealer's card in the shoe without all that lies beside the hand."""
    shoe: Counts = fresh_shoe(blackjack_rules(game).decks)
    for value in asked.beside:
        shoe[value] -= 1
    return UpCard(_setting(game), shoe, asked.up)


_settings: dict[str, Setting] = {}


def _setting(game: Game) -> Setting:
    if game.fingerprint not in _settings:
        while len(_settings) >= KNOWN_SETTINGS:
            del _settings[next(iter(_settings))]
        _settings[game.fingerprint] = analysis(game).setting
    return _settings[game.fingerprint]


def _played(up_card: UpCard, asked: BoxPosition) -> dict[str, float]:
    """Stand, hit, double, split and surrender."""
    action = np.zeros(len(up_card.hands.cards), dtype=np.int8)
    values = up_card.values(int(asked.insured), action, choose=True, which=int(asked.later), pair=asked.pair)
    found = {word: float(values[hand_of(*asked.hand), place]) for place, word in enumerate(WORDS)}
    if "split" in asked.asked:
        found["split"] = _split(up_card, asked)
    if "surrender" in asked.asked:
        found["surrender"] = BestPlay(up_card, empty_policy()).surrender((asked.hand[0], asked.hand[1]))
    return found


def _split(up_card: UpCard, asked: BoxPosition) -> float:
    """The hands of the pair together, split as often as is best; each is played by its own cards (`splits`)."""
    setting, insured, value = up_card.setting, int(asked.insured), asked.hand[0]
    hands = [1, 1] if asked.later else [0, 1]
    actions = np.array([up_card.best_split_play(insured, which, value) for which in hands])
    most = setting.allowed.splits[value] - asked.splits
    play = up_card.split_play(value, actions, most)
    pay = setting.payoffs.hands[insured][hands]
    return max(SplitPlay(play.burned, times).expect(pay) for times in range(1, most + 1))


def _early(up_card: UpCard, asked: BoxPosition) -> dict[str, float]:
    """Insurance and even money, with the best play of the hand after it."""
    pair = asked.hand[0], asked.hand[1]
    worth = [0.0, 0.0] if pair == NATURAL else [_first(up_card, asked, insured) for insured in (False, True)]
    choices = BestPlay(up_card, empty_policy()).early(pair, worth)
    return {word: choices[choice] for word, choice in EARLY.items() if choice in choices}


def _first(up_card: UpCard, asked: BoxPosition, insured: bool) -> float:
    """The best play of two cards that were just dealt."""
    allowed = up_card.setting.allowed.first[asked.hand[0], asked.hand[1]]
    after = msgspec.structs.replace(asked, asked=tuple(allowed), insured=insured)
    return max(value for choice, value in _played(up_card, after).items() if choice in allowed)


# --- three card poker -----------------------------------------------------------------------------------------------


def _play_or_fold(game: Game, asked: ArrayPosition) -> dict[str, float]:
    """Ante and play together, and the bonus that a played hand gets whatever the dealer has (TCP 9)."""
    assert isinstance(game.rules, ThreeCardRules)
    own, others = cards(" ".join(asked.own)), cards(" ".join(asked.others))
    paytable = game.rules.paytable_named(ANTE_BONUS, game.rules.ante_bonus)
    line = ANTE_BONUS.line(paytable, ANTE_BONUS.of(*own))
    extra = paytable[line].pays / paytable[line].per if line is not None else 0.0
    packets = zip(KINDS, against(own, others), strict=True)
    return {"play": sum(net(kind) * count for kind, count in packets) / PACKETS + extra, "fold": float(FOLDED)}
