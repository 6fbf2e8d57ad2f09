"""The three ways of dealing: where the next card goes, whom the rules ask, which cards a seat's bets see."""

from podium.rules.dealing.community import Community
from podium.rules.dealing.dealing import Dealing
from podium.rules.dealing.nine_cards import NineCards
from podium.rules.dealing.own_hands import OwnHands

__all__ = ["Community", "Dealing", "NineCards", "OwnHands"]
