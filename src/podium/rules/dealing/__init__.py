"""The ways of dealing: where the next card goes, whom the rules ask, what may be seen, which cards a seat's bets see.

A new one is one module here: a subclass of `Dealing` and its words.
"""

from podium.rules.dealing.community import Community
from podium.rules.dealing.dealing import Dealing, Moment
from podium.rules.dealing.layout import HandView, Layout, OwnView
from podium.rules.dealing.nine_cards import NineCards
from podium.rules.dealing.own_hands import OwnHands
from podium.rules.dealing.sentence import Sentence

__all__ = ["Community", "Dealing", "HandView", "Layout", "Moment", "NineCards", "OwnHands", "OwnView", "Sentence"]
