"""The options of each game, their allowed values and defaults."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracle.illegal import Illegal

COMMUNITY_GAMES = ["stadium-blackjack", "dynasty-blackjack"]
OWN_HAND_GAMES = ["match-up-blackjack", "mega-blackjack"]
BLACKJACK_GAMES = COMMUNITY_GAMES + OWN_HAND_GAMES
POKER = "stadium-three-card-poker"
GAMES = [*BLACKJACK_GAMES, POKER]

YES_NO = [True, False]
ON_OFF = ["on", "off"]
MATCH_UP_AMOUNTS = [200, 400, 600, 800, 1000]

COMMUNITY_VALUES: dict[str, list[Any]] = {
    "blackjack_pays": ["3:2", "6:5"],
    "dealer_hits_soft_17": YES_NO,
    "double_after_split": YES_NO,
    "max_splits": [0, 1, 2, 3, 4],
    "double_with_ace": YES_NO,
    "double_for_less": YES_NO,
    "dealer_blackjack_takes": ["initial", "all"],
    "even_money": YES_NO,
    "surrender": ["on", "off", "not-against-blackjack"],
    "keep_standoff_bet": ["always", "never", "if-not-insured", "always-and-push-insurance"],
    "insurance": YES_NO,
    "dealer_wagers": YES_NO,
    "split_draw": ["in-turn", "at-once"],
}

OWN_HAND_VALUES: dict[str, list[Any]] = {"max_splits": [0, 1, 2, 3, 4], "seats": [1, 2, 3, 4, 5, 6, 7]}

# `double_totals`, `side_bets` and `wager_amounts` are not chosen from a list and are read by themselves.
VALUES: dict[str, dict[str, list[Any]]] = {
    "stadium-blackjack": COMMUNITY_VALUES
    | {
        "decks": [6, 8],
        "paytable": [1, 2, 3, 4, 5],
        "auto_stand": ["S17/H12", "S17/H17", "S18/H17", "S18/H12"],
    },
    "dynasty-blackjack": COMMUNITY_VALUES
    | {
        "decks": [6, 4, 8],
        "double": ON_OFF,
        "split": ON_OFF,
        "double_adds": [1, 2],
        "timeout": ["stand", "hit-hard-11-soft-16"],
    },
    POKER: {"six_card_bonus": ["TCP-6B3", "TCP-6B4"]},
    "match-up-blackjack": OWN_HAND_VALUES,
    "mega-blackjack": OWN_HAND_VALUES | {"decks": [6, 8], "dealer_wagers": YES_NO},
}

STADIUM_BETS: dict[str, list[str]] = {
    "bet-the-set-21": ["A"],
    "royal-match-21": ["A"],
    "trilux": ["TRI-01", "TRI-02", "TRI-03"],
    "super-3": ["1"],
}
SIDE_BETS: dict[str, dict[str, list[str]]] = {
    "stadium-blackjack": STADIUM_BETS,
    "dynasty-blackjack": STADIUM_BETS | {"match-up": ["A"], "three-card-bonus": ["A"]},
    "mega-blackjack": {"buster": ["MEGA-1", "CLASSIC"]},
}


@dataclass
class Rules:
    """One configuration of a blackjack game."""

    decks: int = 6
    blackjack_pays: Fraction = Fraction(3, 2)
    dealer_hits_soft_17: bool = True
    may_double: bool = True
    may_split: bool = True
    double_totals: tuple[int, int] = (2, 20)
    double_after_split: bool = True
    double_with_ace: bool = True
    double_for_less: bool = False
    double_adds: int = 1
    max_splits: int = 2
    aces_split_again: bool = False
    draw_at_once: bool = False
    dealer_blackjack_takes: str = "initial"
    even_money: bool = True
    insurance: str = "half"
    surrender: str = "off"
    standoff: str = "always"
    # On a time-out: the soft and the hard total from which the hand stands.
    stands_from: tuple[int, int] = (0, 0)
    dealer_wagers: bool = True
    side_bets: dict[str, str] = field(default_factory=dict)
    wager_amounts: list[int] = field(default_factory=list)
    # 0: any number, as in community dealing.
    seats: int = 0
    mega: bool = False


def checked(game: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options as given, once every key and value is known to be allowed."""
    for key, chosen in given.items():
        match key:
            case "double_totals" if game in COMMUNITY_GAMES:
                check_double_totals(chosen)
            case "side_bets" if game in SIDE_BETS:
                check_side_bets(game, chosen)
            case "wager_amounts" if game == "match-up-blackjack":
                check_wager_amounts(chosen)
            case _:
                allowed = VALUES[game].get(key, [])
                if not any(chosen == value and type(chosen) is type(value) for value in allowed):
                    raise Illegal(f"{key} = {chosen!r} is not an option of {game}")
    return given


def check_double_totals(chosen: Any) -> None:
    if not isinstance(chosen, list) or len(chosen) != 2 or not 2 <= chosen[0] <= chosen[1] <= 21:
        raise Illegal(f"double_totals cannot be {chosen!r}")


def check_side_bets(game: str, chosen: Any) -> None:
    for bet, paytable in chosen.items():
        if paytable not in SIDE_BETS[game].get(bet, []):
            raise Illegal(f"{game} has no {bet} {paytable}")


def check_wager_amounts(chosen: Any) -> None:
    if not chosen or any(amount not in MATCH_UP_AMOUNTS for amount in chosen):
        raise Illegal(f"wager_amounts cannot be {chosen!r}")


def blackjack_rules(game: str, given: dict[str, Any]) -> Rules:
    options = checked(game, given)
    if game == "match-up-blackjack":
        return Rules(
            max_splits=options.get("max_splits", 4),
            even_money=False,
            insurance="choice",
            dealer_wagers=False,
            side_bets={"match-up": "A", "three-card-bonus": "A"},
            wager_amounts=options.get("wager_amounts", MATCH_UP_AMOUNTS),
            seats=options.get("seats", 7),
        )
    if game == "mega-blackjack":
        return Rules(
            decks=options.get("decks", 6),
            blackjack_pays=Fraction(3),
            max_splits=options.get("max_splits", 3),
            aces_split_again=True,
            dealer_wagers=options.get("dealer_wagers", True),
            side_bets=options.get("side_bets", {"buster": "MEGA-1"}),
            seats=options.get("seats", 7),
            mega=True,
        )
    return community_rules(game, options)


def community_rules(game: str, options: dict[str, Any]) -> Rules:
    stadium = game == "stadium-blackjack"
    strict = options.get("paytable") == 5
    low, high = options.get("double_totals", [10, 11] if strict else [2, 20])
    return Rules(
        decks=options.get("decks", 6),
        blackjack_pays=Fraction(options.get("blackjack_pays", "3:2").replace(":", "/")),
        dealer_hits_soft_17=options.get("dealer_hits_soft_17", True),
        may_double=options.get("double", "on") == "on",
        may_split=options.get("split", "on") == "on",
        double_totals=(low, high),
        double_after_split=options.get("double_after_split", not strict),
        double_with_ace=options.get("double_with_ace", not stadium),
        double_for_less=options.get("double_for_less", False),
        double_adds=options.get("double_adds", 1),
        max_splits=options.get("max_splits", 2 if stadium and not strict else 1),
        draw_at_once=options.get("split_draw", "in-turn" if stadium else "at-once") == "at-once",
        dealer_blackjack_takes=options.get("dealer_blackjack_takes", "initial"),
        even_money=options.get("even_money", stadium),
        insurance="half" if options.get("insurance", stadium) else "off",
        surrender=options.get("surrender", "on" if stadium else "not-against-blackjack"),
        standoff=options.get("keep_standoff_bet", "always"),
        stands_from=stands_from(options, stadium=stadium),
        dealer_wagers=options.get("dealer_wagers", stadium),
        side_bets=options.get("side_bets", {bet: tables[0] for bet, tables in STADIUM_BETS.items()} if stadium else {}),
    )


def stands_from(options: dict[str, Any], *, stadium: bool) -> tuple[int, int]:
    if stadium:
        soft, hard = options.get("auto_stand", "S17/H12").split("/")
        return int(soft[1:]), int(hard[1:])
    return (17, 12) if options.get("timeout") == "hit-hard-11-soft-16" else (0, 0)
