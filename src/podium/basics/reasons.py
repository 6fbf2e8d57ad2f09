"""Why a wager returned what it did, and why something was refused, in words that a player understands."""

from typing import Final

from podium.basics.words import Phrase, english, phrase

REASONS: Final = english(
    "why",
    {
        "bust": "You busted with {yours}.",
        "surrendered": "You surrendered and kept half of the wager.",
        "surrender-undone": "You surrendered, but the dealer has blackjack: the whole wager is lost ({clause}).",
        "even-money": "You took even money on your blackjack.",
        "blackjack": "Your blackjack pays {odds:odds}.",
        "blackjack-tied": "Your blackjack ties the dealer's: pushed.",
        "dealer-blackjack": "Dealer blackjack beats your {yours}.",
        "dealer-blackjack-returns": "Dealer blackjack beats your {yours}; the additional wager came back ({clause}).",
        "dealer-busted": "Dealer busted with {dealers}.",
        "dealer-busted-pays": "Dealer busted with {dealers}; your 21 pays {odds:odds}.",
        "dealer-busted-push": "Pushed: dealer busted with {cards} cards ({clause}).",
        "win": "Your {yours} beats dealer {dealers}.",
        "win-pays": "Your {yours} beats dealer {dealers} and pays {odds:odds}.",
        "lose": "Dealer {dealers} beats your {yours}.",
        "push": "Pushed: {yours} against {dealers}.",
        "tie-loses": "A tie at {yours}: ties lose here ({clause}).",
        "tie-insured-loses": "A tie at {yours}: an insured wager loses a tie here ({clause}).",
        "insurance-paid": "Dealer has blackjack: insurance pays 2 to 1.",
        "insurance-lost": "Dealer has no blackjack: insurance is lost.",
        "insurance-pushed": "Your hand tied, so insurance came back ({clause}).",
        "paid": "{outcome:outcome}: pays {odds:odds}.",
        "not-paid": "{seen:cards}: nothing that this wager pays.",
        "no-bust": "Dealer did not bust: {dealers}.",
        "busted-not-paid": "Dealer busted with {cards} cards, which this wager does not pay.",
        "folded": "You folded.",
        "not-qualified-ante": "Dealer has {dealers} and does not qualify: the ante is paid.",
        "not-qualified-play": "Dealer has {dealers} and does not qualify: the play wager is pushed.",
        "poker-win": "Your {yours} beats the dealer's {dealers}.",
        "poker-lose": "Dealer's {dealers} beats your {yours}.",
        "poker-tie": "Your {yours} ties the dealer's {dealers}: pushed.",
        "voided": "The round was void: {why} Every stake came back.",
    },
)


REFUSALS: Final = english(
    "refused",
    {
        # a player bets
        "bets-closed": "no more bets; betting is closed ({clause}).",
        "bets-over": "No more bets: the time for betting is over.",
        "round-over": "Round {round} is over: the round now is {now}.",
        "no-round": "There is no round in play at this table.",
        "credit-short": "wagers of {staked:money} are more than the credit of {credit:money}.",
        "wager-amounts": "{wager:wager} of {amount:money} is not an amount of this table ({clause}): they are {amounts:money}.",
        "wager-limits": "{wager:wager} of {amount:money} is outside the limits ({clause}): {least:money} to {most:money}.",
        "wager-least": "{wager:wager} of {amount:money} is outside the limits ({clause}): {least:money} or more.",
        "wager-chips": "{wager:wager} of {amount:money} is not whole chips ({clause}): amounts are multiples of {chip:money}.",
        "wager-none": "there is no wager: {wager:wager} is needed to take part ({clause}).",
        "wager-needs": "{wager:wager} needs a wager on {needed:wager} ({clause}).",
        "for-dealer-not-taken": "wagers for the dealer are not taken at this table ({clause}).",
        "for-dealer-needs": "{wager:wager} for the dealer needs a wager on {needed:wager} ({clause}).",
        "spots": "Pick three different locations from 1 to 9 ({clause}).",
        "attendant": "An attendant must pay a win of {win:money} before play goes on (HP-1).",
        # a player decides
        "not-asked-now": "That question is not the one that is asked now.",
        "nothing-asked": "Nothing is asked of you now.",
        "costs-more": "It costs {cost:money}, and the credit is {credit:money}.",
        "no-advice": "There is no advice at this table: the operator has not allowed it (coach).",
        "no-advice-now": "There is no advice on that question: it is not the one that is asked now.",
        "coach-busy": "The coach has too many questions just now: decide without advice, or ask again.",
        # a player sits down
        "seat-taken": "Seat {seat} is taken.",
        "seat-unknown": "There is no seat {seat} at this table: the seats are 1 to {seats}.",
        "seats-taken": "All {seats} seats of this table are taken.",
        "seat-elsewhere": "You have a seat at {table}: leave it first.",
        "no-seat": "You have no seat at this table.",
        "seat-first": "Take a seat at this table first.",
        # money and tickets
        "wagers-in-play": "There are wagers in play: cash out when the round is over (CSH-2).",
        "attendant-first": "An attendant must pay a win of {win:money} before you cash out (HP-1).",
        "no-credit": "There is no credit to cash out.",
        "cash-out-limit": "A credit of {credit:money} is above {limit:money}: an attendant must pay it at the cashier (HP-1).",
        "play-money": "Play money and money do not mix: a guest's ticket is redeemed by a guest, any other by a player.",
        "ticket-digits": "A validation number has {digits} digits; this has {typed} characters (TKT-1).",
        "ticket-check": "This validation number has a wrong digit: its check digits do not match (TKT-1).",
        "ticket-unknown": "This ticket is unknown here: no ticket with this validation number was issued (TKT-2).",
        "ticket-redeemed": "The ticket ending in {ending} was redeemed already, at {place} (TKT-2).",
        "ticket-void": "The ticket ending in {ending} was made void (TKT-2).",
        "ticket-expired": "The ticket ending in {ending} has expired and cannot be redeemed any more; ask at the cashier (TKT-2).",
        # signing in
        "sign-in-wrong": "The name or the password is wrong.",
        "sign-in-locked": "Too many wrong passwords: try again in {minutes} min (SEC-1).",
        "sign-in-closed": "This account is closed; ask the operator.",
        "sign-in-first": "Sign in first: this terminal is not known here (SEC-3).",
        "sign-in-again": "Sign in again: nobody is signed in at this terminal any more (CARD-6).",
        "too-many-tries": "Too many failed tries came from here: wait a minute (SEC-1).",
        "no-guests": "This house receives no guests: sign in with your card or a ticket.",
        # the dealer
        "automated": "The automated dealer deals at this table.",
        "podium-taken": "{dealer} stands at the podium: take the place first (CARD-6).",
        "podium-empty": "Nobody stands at the podium: take the place first (CARD-6).",
        "table-closed": "The table is closed.",
        "round-in-play": "A round is in play: it must be finished before the next begins (GAME-3).",
        "round-next": "The next round is {next}, not {asked}.",
        "bets-closed-already": "Betting is closed already.",
        "no-wagers": "Nobody has placed a wager, so there is nothing to deal for.",
        "card-again": "{card:cards} cannot come again: all of them are out ({clause}).",
        "card-number": "Card {number} is not the next one: {out} cards are out.",
        "no-card-awaited": "No card is awaited now: {card:cards} is not dealt.",
        "hole-only": "Only a hole card can be dealt face down.",
        "no-peek": "No peek is awaited: the dealer looks at an unknown hole card after insurance, with an ace or a ten up.",
        "no-hole": "No hole card is to be turned now: it is turned when every player has had a turn.",
        "hole-contradicts": "{card:cards} contradicts the peek: enter the card that lies there, or let a supervisor correct or void (MUB 11).",
        "not-confirmed": "The result cannot be confirmed yet: something is still awaited.",
        "no-card-to-correct": "There is no card {number} to correct: the cards that are out are 1 to {out}.",
        "correct-reason": "A correction needs a reason (CARD-3).",
        "void-reason": "A void needs a reason (EVT-1).",
        "approval-needed": "A supervisor must approve it ({clause}).",
        "approval-unknown": "No supervisor is known by that code: ask for a new one (CARD-6).",
        "approval-expired": "That approval has expired: it holds for two minutes. Ask for a new one (CARD-6).",
        "approval-own": "{dealer} cannot approve what {dealer} asks for: a second person must (CARD-6).",
        "shoe-needed": "A shoe of {decks} decks is needed before a round can begin.",
        "shoe-automated": "The shoe is the automated dealer's: load a counted one before a round can begin (CARD-8).",
        "shoe-in-play": "The shoe is not changed while a round is in play.",
        "shoe-count": "The shoe holds {cards} cards, but {decks} decks have {whole}: count again (CARD-8).",
    },
)
"""What players and dealers are refused in normal use."""


Reason = Phrase


def because(key: str, *, clause: str = "", **facts: object) -> Phrase:
    """Why a wager paid what it did, or why something was refused."""
    return phrase(f"{'why' if key in REASONS else 'refused'}.{key}", clause=clause, **facts)
