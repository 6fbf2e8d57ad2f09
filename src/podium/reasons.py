"""Why a wager returned what it did, in words that a player understands.

A reason is a key with facts, so that a terminal can say it in any language; the English words are here.
"""

from typing import Final

import msgspec

REASONS: Final = {
    "bust": "You busted with {yours}.",
    "surrendered": "You surrendered and kept half of the wager.",
    "surrender-undone": "You surrendered, but the dealer has blackjack: the whole wager is lost ({clause}).",
    "even-money": "You took even money on your blackjack.",
    "blackjack": "Your blackjack pays {odds}.",
    "blackjack-tied": "Your blackjack ties the dealer's: pushed.",
    "dealer-blackjack": "Dealer blackjack beats your {yours}.",
    "dealer-blackjack-returns": "Dealer blackjack beats your {yours}; the additional wager came back ({clause}).",
    "dealer-busted": "Dealer busted with {dealers}.",
    "dealer-busted-pays": "Dealer busted with {dealers}; your 21 pays {odds}.",
    "dealer-busted-push": "Pushed: dealer busted with {cards} cards ({clause}).",
    "win": "Your {yours} beats dealer {dealers}.",
    "win-pays": "Your {yours} beats dealer {dealers} and pays {odds}.",
    "lose": "Dealer {dealers} beats your {yours}.",
    "push": "Pushed: {yours} against {dealers}.",
    "tie-loses": "A tie at {yours}: ties lose here ({clause}).",
    "tie-insured-loses": "A tie at {yours}: an insured wager loses a tie here ({clause}).",
    "insurance-paid": "Dealer has blackjack: insurance pays 2 to 1.",
    "insurance-lost": "Dealer has no blackjack: insurance is lost.",
    "insurance-pushed": "Your hand tied, so insurance came back ({clause}).",
    "paid": "{outcome}: pays {odds}.",
    "not-paid": "{seen}: nothing that this wager pays.",
    "no-bust": "Dealer did not bust: {dealers}.",
    "busted-not-paid": "Dealer busted with {cards} cards, which this wager does not pay.",
    "folded": "You folded.",
    "not-qualified-ante": "Dealer has {dealers} and does not qualify: the ante is paid.",
    "not-qualified-play": "Dealer has {dealers} and does not qualify: the play wager is pushed.",
    "poker-win": "Your {yours} beats the dealer's {dealers}.",
    "poker-lose": "Dealer's {dealers} beats your {yours}.",
    "poker-tie": "Your {yours} ties the dealer's {dealers}: pushed.",
    "voided": "The round was void: {why} Every stake came back.",
}


class Reason(msgspec.Struct, frozen=True):
    """One reason: which sentence, and the facts in it."""

    key: str
    facts: dict[str, str] = {}

    def __str__(self) -> str:
        return REASONS[self.key].format_map(self.facts)


def because(key: str, **facts: object) -> Reason:
    return Reason(key, {name: str(fact) for name, fact in facts.items()})
