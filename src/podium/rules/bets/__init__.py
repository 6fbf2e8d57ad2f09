"""Every wager of the house: one file each, with its paytables and its outcome function."""

from podium.rules.bets.ante import ANTE
from podium.rules.bets.ante_bonus import ANTE_BONUS
from podium.rules.bets.bet import Bet, Paytable, Sees
from podium.rules.bets.bet_the_set_21 import BET_THE_SET_21
from podium.rules.bets.blackjack import BLACKJACK
from podium.rules.bets.buster import BUSTER
from podium.rules.bets.insurance import INSURANCE
from podium.rules.bets.match_up import MATCH_UP
from podium.rules.bets.pair_plus import PAIR_PLUS
from podium.rules.bets.play import PLAY
from podium.rules.bets.royal_match_21 import ROYAL_MATCH_21
from podium.rules.bets.six_card_bonus import SIX_CARD_BONUS
from podium.rules.bets.super_3 import SUPER_3
from podium.rules.bets.three_card_bonus import THREE_CARD_BONUS
from podium.rules.bets.trilux import TRILUX

BETS = {
    bet.name: bet
    for bet in (
        BLACKJACK,
        INSURANCE,
        BET_THE_SET_21,
        ROYAL_MATCH_21,
        TRILUX,
        SUPER_3,
        MATCH_UP,
        THREE_CARD_BONUS,
        BUSTER,
        ANTE,
        PLAY,
        ANTE_BONUS,
        PAIR_PLUS,
        SIX_CARD_BONUS,
    )
}
"""Every wager by its name."""

__all__ = [
    "ANTE",
    "ANTE_BONUS",
    "BETS",
    "BET_THE_SET_21",
    "BLACKJACK",
    "BUSTER",
    "INSURANCE",
    "MATCH_UP",
    "PAIR_PLUS",
    "PLAY",
    "ROYAL_MATCH_21",
    "SIX_CARD_BONUS",
    "SUPER_3",
    "THREE_CARD_BONUS",
    "TRILUX",
    "Bet",
    "Paytable",
    "Sees",
]
