"""The three ways of dealing: where the next card goes, whom the rules ask, which cards a seat's bets see."""

from podium.dealing.community import Community
from podium.dealing.dealing import Dealing
from podium.dealing.nine_cards import NineCards
from podium.dealing.own_hands import OwnHands

__all__ = ["Community", "Dealing", "NineCards", "OwnHands"]
