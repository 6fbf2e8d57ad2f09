// Written by scripts/protocol.py from the Python protocol; change that, not this.

export const REASONS = {
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
  "voided": "The round was void: {why} Every stake came back."
} as const;

export const WAGERS = {
  "ante": "Ante",
  "ante-bonus": "Ante Bonus",
  "bet-the-set-21": "Bet the Set 21",
  "blackjack": "Blackjack",
  "buster": "Buster Blackjack",
  "insurance": "Insurance",
  "match-up": "Match Up",
  "pair-plus": "Pair Plus",
  "play": "Play",
  "royal-match-21": "Royal Match 21",
  "six-card-bonus": "Six Card Bonus",
  "super-3": "Super 3",
  "three-card-bonus": "Three Card Bonus",
  "trilux": "TriLux"
} as const;

export const OUTCOMES = [
  "21",
  "blackjack",
  "bust with 3 cards",
  "bust with 4 cards",
  "bust with 5 cards",
  "bust with 6 cards",
  "bust with 7 cards",
  "bust with 8 or more cards",
  "dealer does not qualify",
  "dealer has blackjack",
  "flush",
  "four of a kind",
  "full house",
  "mini royal",
  "one suited and one unsuited match",
  "one suited match",
  "one unsuited match",
  "pair",
  "push",
  "royal flush",
  "royal match",
  "straight",
  "straight flush",
  "suited pair",
  "suited three of a kind",
  "three of a kind",
  "tie",
  "trips",
  "two suited cards",
  "two suited matches",
  "two unsuited matches",
  "win"
] as const;

export const CHOICES = [
  "insure",
  "even-money",
  "decline",
  "hit",
  "stand",
  "double",
  "split",
  "surrender",
  "play",
  "fold"
] as const;

export const GAMES = {
  "stadium-blackjack": "Stadium Blackjack",
  "dynasty-blackjack": "IGT Dynasty Live Blackjack",
  "stadium-three-card-poker": "Stadium Three Card Poker",
  "match-up-blackjack": "Blackjack with Match Up and 3 Card Bonuses",
  "mega-blackjack": "Mega Blackjack with Buster"
} as const;

export const RANKS = {
  "2": "two",
  "3": "three",
  "4": "four",
  "5": "five",
  "6": "six",
  "7": "seven",
  "8": "eight",
  "9": "nine",
  "T": "ten",
  "J": "jack",
  "Q": "queen",
  "K": "king",
  "A": "ace"
} as const;

export const SUITS = {
  "c": "clubs",
  "d": "diamonds",
  "h": "hearts",
  "s": "spades"
} as const;
