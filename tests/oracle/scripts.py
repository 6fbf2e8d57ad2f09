"""Random scripts: every option of every game, cards that make trouble, decisions that are mostly but not always legal."""

from contextlib import suppress
from random import Random
from typing import Any

from tests.oracle.asking import Question
from tests.oracle.cards import RANKS, SUITS
from tests.oracle.illegal import Illegal
from tests.oracle.options import COMMUNITY_GAMES, MATCH_UP_AMOUNTS, POKER, SIDE_BETS, VALUES
from tests.oracle.poker import WAGERS
from tests.oracle.rounds import Script, play, settle

AMOUNTS = [1, 2, 3, 5, 7, 15, 25, 33, 100, 250, 1000, 1001, 2500]
# The ranks that a deck is made of, mostly: blackjacks, pairs of aces, hands that stay low and draw long.
THEMES = [*"A AT ATK A9 ATJQK5 89 AAATTT23456789JQK 6789TJ 2345 A23456".split(), RANKS, RANKS + "AATTKJ"]
ODDITIES = "surrender even-money insure:100 double:1 double+dealer split+dealer play fold wait".split()
BAD_OPTIONS: list[tuple[str, Any]] = [
    ("dealer", "live"),
    ("colour", "red"),
    ("max_splits", 5),
    ("max_splits", -1),
    ("decks", 5),
    ("decks", "6"),
    ("side_bets", {"lucky-lucky": "A"}),
    ("blackjack_pays", "2:1"),
]


def random_script(game: str, random: Random) -> Script:
    """A script of one to six players, with the decisions that they came to in playing it."""
    options = random_options(game, random)
    names = [f"p{seat}" for seat in range(1, random.choice([1, 1, 2, 2, 3, 3, 4, 5, 6]) + 1)]
    script: Script = {
        "game": game,
        "options": options,
        "cards": " ".join(random_cards(game, options, random)),
        "players": [{"name": name} | random_wagers(game, options, random) for name in names],
    }
    decide(script, random)
    limit_credit(script, random)
    cut_cards(script, random)
    if random.random() < 0.05:
        spoil(script, random)
    return script


def random_options(game: str, random: Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    share = random.choice([0, 0.3, 0.7, 1])
    for key, values in VALUES[game].items():
        if random.random() < share:
            options[key] = random.choice(values)
    if options.get("seats", 6) < 6 and random.random() < 0.8:
        options["seats"] = 6
    if game in COMMUNITY_GAMES and random.random() < share / 2:
        options["double_totals"] = sorted(random.choices(range(2, 21), k=2))
    if game in SIDE_BETS and random.random() < share:
        bets = {bet: random.choice(tables) for bet, tables in SIDE_BETS[game].items() if random.random() < 0.7}
        options["side_bets"] = bets
    if game == "match-up-blackjack" and random.random() < share:
        options["wager_amounts"] = sorted(random.sample(MATCH_UP_AMOUNTS, random.randint(1, 5)))
    return options


def random_cards(game: str, options: dict[str, Any], random: Random) -> list[str]:
    ranks, suits = random.choice(THEMES), random.choice(["s", "cs", "cdh", SUITS])
    if game == POKER:
        pool = [rank + suit for rank in RANKS for suit in SUITS]
        liked = [card for card in pool if card[0] in ranks[:6] or card[1] == suits[0]]
        chosen = random.sample(liked, min(len(liked), random.choice([3, 6, 12])))
        rest = [card for card in pool if card not in chosen]
        cards = chosen + random.sample(rest, 14 - len(chosen))
        random.shuffle(cards)
        return cards
    decks = options.get("decks", 6)
    cards = trouble_at_the_start(random) if game in COMMUNITY_GAMES and random.random() < 0.3 else []
    while len(cards) < 75:
        card = random.choice(ranks if random.random() < 0.8 else RANKS) + random.choice(suits)
        if cards.count(card) == decks:
            card = random.choice(RANKS) + random.choice(SUITS)
        if cards.count(card) < decks:
            cards.append(card)
    return cards


def trouble_at_the_start(random: Random) -> list[str]:
    """In community dealing P1, D1 and P2 are everybody's: now and then an ace for the dealer, or a pair for the players."""
    first, up_card, second = (random.choice(RANKS) for _ in range(3))
    if random.random() < 0.6:
        up_card = random.choice("AAT")
    if random.random() < 0.6:
        second = first
    return [rank + random.choice(SUITS) for rank in (first, up_card, second)]


def random_amount(random: Random) -> int:
    return random.choice(AMOUNTS) if random.random() < 0.8 else random.randint(1, 20_000)


def random_wagers(game: str, options: dict[str, Any], random: Random) -> dict[str, Any]:
    if game == POKER:
        return random_poker_wagers(random)
    if game == "match-up-blackjack":
        return {"wagers": random_match_up_wagers(options, random)}
    default = {} if game == "dynasty-blackjack" else {bet: tables[0] for bet, tables in SIDE_BETS[game].items()}
    bets = list(options.get("side_bets", default))
    own = {"blackjack": random_amount(random)}
    own |= {bet: random_amount(random) for bet in bets if random.random() < 0.3}
    dealers: dict[str, int] = {}
    if options.get("dealer_wagers", game != "dynasty-blackjack"):
        dealers = {bet: random_amount(random) for bet in ["blackjack", *bets] if random.random() < 0.35}
    if random.random() < 0.99:
        own, dealers = with_what_super_3_needs(own, dealers)
    if random.random() < 0.08 and dealers.keys() - {"blackjack"}:
        own = {}
        if random.random() < 0.8:
            dealers.pop("blackjack", None)
    return {"wagers": own} | ({"for_dealer": dealers} if dealers else {})


def with_what_super_3_needs(own: dict[str, int], dealers: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    if "trilux" not in own:
        own.pop("super-3", None)
    if "trilux" not in own | dealers:
        dealers.pop("super-3", None)
    return own, dealers


def random_poker_wagers(random: Random) -> dict[str, Any]:
    wagers = {"ante": random_amount(random)}
    wagers |= {wager: random_amount(random) for wager in WAGERS[1:] if random.random() < 0.3}
    if random.random() < 0.01:
        wagers.pop("ante")
    spots = random.sample(range(1, 10), 3)
    return {"wagers": wagers} | ({"spots": spots} if random.random() < 0.7 else {})


def random_match_up_wagers(options: dict[str, Any], random: Random) -> dict[str, int]:
    amounts = options.get("wager_amounts", MATCH_UP_AMOUNTS)
    wagers = {"blackjack": random.choice(amounts)}
    for bet in ("match-up", "three-card-bonus"):
        if random.random() < 0.4:
            wagers[bet] = 100 * random.randint(1, 10)
    if random.random() < 0.02:
        wagers[random.choice(list(wagers))] = random.choice([100, 150, 300, 1100, 1200, 50])
    return wagers


def decide(script: Script, random: Random) -> None:
    """Plays the script with answers drawn at random, and writes them into it."""
    said: dict[str, list[str]] = {player["name"]: [] for player in script["players"]}
    silent = {name for name in said if random.random() < 0.1}
    wrong = random.random() < 0.05

    def choose(question: Question) -> str | None:
        if question.player in silent or random.random() < 0.03:
            silent.add(question.player)
            return None
        answer = random_answer(question, random, wrong=wrong)
        said[question.player].append(answer)
        return answer

    with suppress(Illegal):
        play(script, choose)
    for player in script["players"]:
        if said[player["name"]] or random.random() < 0.3:
            player["decisions"] = said[player["name"]]


def random_answer(question: Question, random: Random, *, wrong: bool) -> str:
    if wrong and random.random() < 0.3:
        return random.choice(ODDITIES)
    words = list(question.costs)
    bold = [word for word in words if word not in ("stand", "decline", "surrender", "hit")]
    if question.amounts and random.random() < 0.4:
        word, amounts = random.choice(list(question.amounts.items()))
        if len(amounts) > 0 and random.random() < 0.9:
            return f"{word}:{random.choice([amounts[0], amounts[-1], random.choice(amounts)])}"
        return f"{word}:{random.choice([0, amounts.start - 1, amounts.stop, amounts.stop + 1])}"
    return random.choice(bold if bold and random.random() < 0.5 else words)


def limit_credit(script: Script, random: Random) -> None:
    """Gives some players what they need at the worst moment, or one less, or a little more."""
    try:
        settled = settle(script)
    except Illegal:
        return
    for player, figures in zip(script["players"], settled["players"], strict=True):
        if random.random() < 0.4:
            player["credit"] = figures["needed"] + random.choice([0, 0, 0, 1, 1, 500])
    if random.random() < 0.08:
        place = random.randrange(len(script["players"]))
        script["players"][place]["credit"] = settled["players"][place]["needed"] - 1


def cut_cards(script: Script, random: Random) -> None:
    """Leaves as many cards as are needed, or one too few, or some too many."""
    try:
        needed = settle(script)["cards_dealt"]
    except Illegal:
        return
    keep = needed + random.choice([0, 1, 5] if random.random() < 0.95 else [-1])
    script["cards"] = " ".join(script["cards"].split()[:keep])


def spoil(script: Script, random: Random) -> None:
    """One thing wrong, or at least strange."""
    player = random.choice(script["players"])
    match random.randrange(11):
        case 0:
            player.setdefault("decisions", []).append(random.choice(["stand", "hit", "decline", "fold"]))
        case 1:
            player["wagers"][random.choice([*player["wagers"], "blackjack"])] = random.choice([0, -5])
        case 2:
            script["players"].append(dict(player))
        case 3:
            key, value = random.choice(BAD_OPTIONS)
            script["options"][key] = value
        case 4:
            script["cards"] += " As" * 9
        case 5:
            script["cards"] = "1s " + script["cards"]
        case 6 if script["game"] == POKER:
            player["spots"] = random.choice([[1, 1, 2], [1, 2], [0, 1, 2], [8, 9, 10], [1, 2, 3, 4]])
        case 7:
            player["for_dealer"] = {"blackjack": 10}
        case 8:
            player["wagers"] = {}
            player.pop("for_dealer", None)
        case 9:
            script["cards"] += " 1s"
        case _:
            player["wagers"]["lucky-lucky"] = 100
