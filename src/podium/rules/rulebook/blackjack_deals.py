"""The deal and the dealer's hand, for each way of dealing blackjack."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from podium.basics.words import Phrase, english
from podium.rules.bets import Sees
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.dealing import Community, OwnHands
from podium.rules.rulebook.book import Draft


def splits(rules: BlackjackRules) -> bool:
    return rules.split == "on" and rules.max_splits > 0


english("rules", {"deal.title": "The deal", "dealer.title": "The dealer's hand"})

# --- community -------------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "game.community": "{game:game} is blackjack for any number of players at terminals. All share one player hand and "
        "one stream of community cards, and each decides on it independently.",
        "deal.first-three": "The dealer deals one card to the player hand, one to the dealer's hand, and a second card to "
        "the player hand, all face up.",
        "deal.stream": "Every card after these three is a community card of one stream, C1, C2, C3 and so on.",
        "deal.step": "In each step every player with a decision to make decides, or runs out of time; then one community "
        "card is dealt, and every player who asked for a card takes it. Nobody sees a card before deciding.",
        "deal.step-and-splits": "In each step every player with a decision to make decides, or runs out of time; then one "
        "community card is dealt, and every player who asked for a card, or is owed one by a split, takes it. Nobody sees "
        "a card before deciding.",
        "deal.your-cards": "You take cards from the front of the stream for as long as your hand needs them. The first "
        "card that you do not take, and every card after it, belongs to the dealer's hand that you meet.",
        "deal.dealers-hands": "If you stand at once you meet the dealer's first card with C1, C2 and so on; if you took "
        "two cards you meet it with C3, C4 and so on. Players can therefore meet different dealer's hands. What others do "
        "never changes your result.",
    },
)


def _write_community_deal(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("deal")
    draft.say("deal.first-three")
    draft.say("deal.stream")
    draft.say("deal.step-and-splits" if splits(rules) else "deal.step")
    draft.say("deal.your-cards")
    draft.say("deal.dealers-hands")


english(
    "rules",
    {
        "dealer.community": "When no player needs a card, community cards are dealt until every dealer's hand that still "
        "matters is complete. A dealer's hand ends as soon as it must stand; later cards are not part of it.",
        "dealer.not-played-out": "A dealer's hand is not played out if every hand that meets it has busted or been paid.",
        "dealer.not-played-out-or-surrender": "A dealer's hand is not played out if every hand that meets it has busted, "
        "surrendered or been paid.",
        "dealer.against-blackjack": "If the players have blackjack and the dealer's first card is an ace or a ten-value "
        "card, exactly one more card is dealt; otherwise none is.",
        "dealer.against-blackjack-or-even-money": "If the players have blackjack and the dealer's first card is an ace or "
        "a ten-value card, exactly one more card is dealt, unless everybody took even money; otherwise none is.",
        "dealer.second-card": "Where all that is left is {left}, only the dealer's second card is dealt, and only if it "
        "could make a blackjack.",
        "dealer.left.insurance": "an insurance wager",
        "dealer.left.surrender": "a surrender that a dealer blackjack would undo",
        "dealer.left.both": "an insurance wager or a surrender that a dealer blackjack would undo",
        "dealer.blackjack": "The dealer has blackjack against you if the dealer's first card and the next card of the "
        "hand that you meet are an ace and a ten-value card.",
    },
)


def _write_community_dealer(draft: Draft, rules: BlackjackRules) -> None:
    draft.say("dealer.community")
    draft.say("dealer.not-played-out" if rules.surrender == "off" else "dealer.not-played-out-or-surrender")
    draft.say("dealer.against-blackjack-or-even-money" if rules.even_money else "dealer.against-blackjack")
    if left := _left(rules):
        draft.say("dealer.second-card", left=Phrase(f"rules.dealer.left.{left}"))
    draft.say("dealer.blackjack")


def _left(rules: BlackjackRules) -> str:
    """The wagers that only a dealer's blackjack decides."""
    undone = rules.surrender == "not-against-blackjack"
    if rules.insurance:
        return "both" if undone else "insurance"
    return "surrender" if undone else ""


# --- own hands -------------------------------------------------------------------------------------------------------

english(
    "rules",
    {
        "game.own-hands": "{game:game} is blackjack in which every player has a hand against the same dealer.",
        "deal.one-at-a-time": "Cards are dealt one at a time: a first card to every player, from the dealer's left, and "
        "the dealer's up card, face up; then a second card to every player, and the dealer's hole card, face down.",
        "deal.only-with-wager": "You receive cards only if you placed a Blackjack wager.",
        "deal.side-bets-first": "Side bets are settled first, player by player from the dealer's right to left, before "
        "insurance and before the dealer looks at the hole card.",
        "deal.peek": "If the up card is an ace or a ten-value card, the dealer looks at the hole card, after insurance "
        "with an ace. A dealer blackjack is turned over and ends the round at once.",
        "deal.unknown-hole-card": "If the system does not know the hole card, the dealer answers on the dealer terminal "
        "whether it makes a blackjack. A hole card that contradicts this answer when it is turned is not accepted until a "
        "supervisor corrects or voids.",
        "deal.in-turn": "Otherwise the players play in turn, from the dealer's left.",
    },
)


def _write_own_deal(draft: Draft, rules: BlackjackRules) -> None:
    draft.chapter("deal")
    draft.say("deal.one-at-a-time")
    draft.say("deal.only-with-wager")
    if rules.side_bets:
        draft.say_if_written("deal.side-bets-first")
    draft.say("deal.peek")
    draft.say("deal.unknown-hole-card")
    draft.say("deal.in-turn")


english(
    "rules",
    {
        "dealer.own-hands": "When every player has had a turn, the dealer turns over the hole card, and draws only while a "
        "hand is neither busted nor paid.",
        "dealer.own-hands-or-bets": "When every player has had a turn, the dealer turns over the hole card, and draws only "
        "while a hand is neither busted nor paid, or a {bets:wager} wager is in action.",
    },
)


def _write_own_dealer(draft: Draft, rules: BlackjackRules) -> None:
    bets = [offer.bet.name for offer in draft.game.offers.values() if offer.bet.sees is Sees.DEALERS_HAND]
    if bets:
        draft.say("dealer.own-hands-or-bets", bets=bets)
    else:
        draft.say("dealer.own-hands")


# --- which -----------------------------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """What the rules of play say of a way of dealing."""

    game: str
    """Their first sentence."""
    deal: Callable[[Draft, BlackjackRules], None]
    dealers_hand: Callable[[Draft, BlackjackRules], None]


DEALT: Final[Mapping[type[Any], Dealt]] = {
    Community: Dealt("game.community", _write_community_deal, _write_community_dealer),
    OwnHands: Dealt("game.own-hands", _write_own_deal, _write_own_dealer),
}
