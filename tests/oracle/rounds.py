"""A script read, checked and settled."""

from collections.abc import Iterator
from typing import Any

from tests.oracle.account import Account
from tests.oracle.asking import Chooser, Question
from tests.oracle.cards import read_cards
from tests.oracle.community import play_community
from tests.oracle.dealers import shown
from tests.oracle.hands import Player
from tests.oracle.illegal import Illegal
from tests.oracle.options import COMMUNITY_GAMES, GAMES, POKER, Rules, blackjack_rules, checked
from tests.oracle.own_hands import play_own_hands
from tests.oracle.poker import WAGERS, play_poker

Script = dict[str, Any]


def settle(script: Script) -> dict[str, Any]:
    """Plays a script with the decisions written in it. Raises Illegal for anything that is not allowed."""
    decisions = {player["name"]: list(player.get("decisions", [])) for player in script["players"]}

    def choose(question: Question) -> str | None:
        left = decisions[question.player]
        return left.pop(0) if left else None

    settled = play(script, choose)
    for name, left in decisions.items():
        if left:
            raise Illegal(f"{name} was never asked for {left[0]}")
    return settled


def play(script: Script, choose: Chooser) -> dict[str, Any]:
    """Plays a script, every decision being asked of `choose`."""
    game, options = script["game"], script.get("options", {})
    if game not in GAMES:
        raise Illegal(f"there is no game {game}")
    names = [player["name"] for player in script["players"]]
    if len(set(names)) < len(names):
        raise Illegal("a name is repeated")
    if game == POKER:
        return play_poker_script(script, checked(game, options), choose)
    return play_blackjack_script(script, blackjack_rules(game, options), choose)


def play_blackjack_script(script: Script, rules: Rules, choose: Chooser) -> dict[str, Any]:
    cards = read_cards(script["cards"], rules.decks)
    accounts, players = [], []
    for entry in script["players"]:
        check_blackjack_wagers(rules, entry)
        account = opened(entry)
        accounts.append(account)
        wager = entry["wagers"].get("blackjack", 0)
        if wager:
            players.append(Player(account, rules, choose, wager, entry.get("for_dealer", {}).get("blackjack", 0)))
    if rules.seats and len(players) > rules.seats:
        raise Illegal(f"{len(players)} players for {rules.seats} seats")
    deal = play_community if script["game"] in COMMUNITY_GAMES else play_own_hands
    cards_dealt = deal(rules, cards, accounts, players)
    by_name = {player.account.name: player for player in players}
    return {
        "game": script["game"],
        "cards_dealt": cards_dealt,
        "players": [account.figures() | hands_of(by_name.get(account.name)) for account in accounts],
    }


def hands_of(player: Player | None) -> dict[str, Any]:
    if player is None:
        return {"hands": []}
    return {"hands": [hand.shown() for hand in player.hands], "dealer": shown(player.dealer)}


def check_blackjack_wagers(rules: Rules, entry: Script) -> None:
    own, dealers = entry["wagers"], entry.get("for_dealer", {})
    if not own and not dealers:
        raise Illegal(f"{entry['name']} has no wager")
    if dealers and not rules.dealer_wagers:
        raise Illegal("there are no wagers for the dealer")
    check_amounts(own, ["blackjack", *rules.side_bets])
    check_amounts(dealers, ["blackjack", *rules.side_bets])
    if "blackjack" not in own and (own or "blackjack" in dealers):
        raise Illegal(f"{entry['name']} needs a blackjack wager")
    if ("super-3" in own and "trilux" not in own) or ("super-3" in dealers and "trilux" not in own | dealers):
        raise Illegal("super-3 needs trilux")
    if rules.wager_amounts:
        check_document_amounts(rules, own)


def check_document_amounts(rules: Rules, own: dict[str, int]) -> None:
    for wager, amount in own.items():
        allowed = rules.wager_amounts if wager == "blackjack" else range(100, 1001, 100)
        if amount not in allowed:
            raise Illegal(f"{amount} is not an amount for {wager}")


def check_amounts(wagers: dict[str, int], known: list[str]) -> None:
    for wager, amount in wagers.items():
        if wager not in known or type(amount) is not int or amount <= 0:
            raise Illegal(f"{amount} on {wager} is no wager here")


def opened(entry: Script) -> Account:
    """The player's account with every wager staked."""
    account = Account(entry["name"], entry.get("credit"))
    for wager, whom, amount in all_wagers(entry):
        account.stake(wager, whom, amount)
    return account


def all_wagers(entry: Script) -> Iterator[tuple[str, str, int]]:
    yield from ((wager, "player", amount) for wager, amount in entry["wagers"].items())
    yield from ((wager, "dealer", amount) for wager, amount in entry.get("for_dealer", {}).items())


def play_poker_script(script: Script, options: dict[str, Any], choose: Chooser) -> dict[str, Any]:
    cards = read_cards(script["cards"], 1)
    seats = []
    for entry in script["players"]:
        if entry.get("for_dealer"):
            raise Illegal("there are no wagers for the dealer")
        check_amounts(entry["wagers"], WAGERS)
        if "ante" not in entry["wagers"]:
            raise Illegal(f"{entry['name']} needs an ante")
        spots = entry.get("spots", [1, 2, 3])
        if len(spots) != 3 or len(set(spots)) != 3 or not set(spots) <= set(range(1, 10)):
            raise Illegal(f"{spots} are not three different locations")
        seats.append((opened(entry), spots))
    hands = play_poker(options.get("six_card_bonus", "TCP-6B3"), cards, seats, choose)
    return {
        "game": script["game"],
        "cards_dealt": 12,
        "players": [account.figures() | {"hands": [hand]} for (account, _), hand in zip(seats, hands, strict=True)],
    }
