"""Blackjack: the exact analysis of the main wager, its simulation, and the bets on the first cards and on the dealer's hand."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from rich.console import RenderableType

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths import blackjack, side_bets
from podium.maths.blackjack import Analysis, fixed_policy
from podium.maths.blackjack_advice import box_worths
from podium.maths.blackjack_largest import BestHands, largest_of_community, largest_of_own_hands
from podium.maths.blackjack_player import blackjack_blocks, blackjack_player
from podium.maths.blackjack_rounds import side_bets as side_bet_tables
from podium.maths.boxes import play_tables, terms, unrounded
from podium.maths.buster import buster_figures
from podium.maths.families.family import Counted, Family
from podium.maths.figures import Figures
from podium.maths.jobs import BlockPlayer, Job
from podium.maths.kernels import Kernel
from podium.maths.largest import Largest
from podium.maths.listing import strategy_parts
from podium.maths.patrons import Block, Patrons
from podium.maths.positions import Policy, empty_policy
from podium.maths.shoe import Counts, fresh_shoe
from podium.maths.sight import BoxPosition, Position
from podium.maths.strategy import StrategyTable, strategy_table
from podium.maths.upcard import PreparedRules
from podium.rules.bets import BLACKJACK, BUSTER, Bet
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.dealing import Community, OwnHands
from podium.rules.games import Game

MAX_PREPARED_RULES: Final = 16
"""Configurations whose prepared rules are cached for advice."""

# --- what each calculation reads ------------------------------------------------------------------------------------

PLAY: Final = frozenset(
    """blackjack_pays dealer_hits_soft_17 double double_totals double_after_split double_with_ace double_for_less double_adds split
    max_splits resplit_aces split_draw surrender even_money insurance insurance_least dealer_blackjack_takes keep_standoff_bet
    bust_pushes_from""".split()
)
"""How the player's and the dealer's hands are played and settled after the first cards (`Box`, `settle`)."""

TIME_OUT: Final = frozenset({"auto_stand", "timeout"})
"""What the house decides for a player whose time has run out (`stands_at`)."""

OFFERS: Final = frozenset(
    {"blackjack_pays", "side_bets", "paytables", "limits", "most_together", "chip", "wager_amounts"}
)
"""Which wagers the table takes, of which amounts and by which paytables (`Rules.check`)."""

SEATING: Final = frozenset({"paytable", "seats", "wager_amounts"})
"""Options that change no payment on a wager: `paytable` (SBJ) only sets others, which are read themselves; `seats` and
`wager_amounts` say who may take part with how much, and figures are for each unit of the wager."""

SIMULATION: Final = Kernel(
    "The simulation of blackjack",
    BlackjackRules,
    reads=frozenset({"decks"}) | PLAY | TIME_OUT | OFFERS,
    # The result of a double is linear in the amount added, so the best amount is all or nothing, and nothing is a hit.
    unaffected=SEATING | {"double_for_less"},
)

EXACT: Final = Kernel(
    "The exact analysis of blackjack",
    BlackjackRules,
    reads=frozenset({"decks", "chip", "dealer_wagers"}) | PLAY | TIME_OUT,
    # Each split hand is played by its own cards, so the order of dealing makes no difference.
    unaffected=SEATING | {"double_for_less", "split_draw", "side_bets", "paytables"},
    instead=(SIMULATION, "`podium simulate` with another strategy than best"),
)

LARGEST: Final = Kernel(
    "The search for the largest payout of blackjack",
    BlackjackRules,
    reads=frozenset({"decks"}) | PLAY | OFFERS,
    # Players may themselves make any decision that the house makes for them.
    unaffected=SEATING | TIME_OUT | {"double_for_less"},
)

FIRST_CARDS: Final = Kernel(
    "The exact count of bets on the first cards",
    BlackjackRules,
    reads=frozenset({"decks"}) | OFFERS,
    # SBJ 11: they are settled before anything is decided.
    unaffected=SEATING | PLAY | TIME_OUT,
    instead=(SIMULATION, "`podium simulate`"),
)

BUSTS: Final = Kernel(
    "The exact count of the dealer's busts",
    BlackjackRules,
    reads=frozenset({"decks", "dealer_hits_soft_17"}) | OFFERS,
    # MGB NOTE: the dealer completes the hand; taking cards of unknown order out of the shoe changes no probability.
    unaffected=SEATING | (PLAY - {"dealer_hits_soft_17"}) | TIME_OUT,
    instead=(SIMULATION, "`podium simulate`"),
)


def own_hands(game: Game) -> bool:
    """Whether every seat has a hand of its own, played in turn against a dealer who has peeked at the hole card."""
    # The kernels are compiled for these two ways of dealing, and refuse a game that is dealt in another.
    if game.dealing not in (Community, OwnHands):
        raise Refused("dealing-unknown", game=game.name)
    return game.dealing.acts_in_turn


# --- the main wager -------------------------------------------------------------------------------------------------


def analysis(game: Game, shoe: Counts | None = None) -> Analysis:
    """The exact analysis of a game off the top of a fresh shoe, or of another shoe."""
    rules = EXACT.rules(game)
    return Analysis(rules, fresh_shoe(rules.decks) if shoe is None else shoe, peeks=own_hands(game))


def policies(game: Game, strategies: Iterable[str]) -> dict[str, Policy]:
    """The policies of these strategies by name. Only `best` needs the exact analysis."""
    wanted = dict.fromkeys(strategies)
    rules = SIMULATION.rules(game)
    return {name: analysis(game).best_policy() if name == "best" else fixed_policy(rules, name) for name in wanted}


def figures(game: Game, strategy: str = "best") -> Figures:
    """The exact figures of the blackjack wager."""
    return blackjack.figures(analysis(game), strategy)


def best_table(game: Game) -> StrategyTable:
    """The best play off the top of a fresh shoe as a strategy table."""
    return strategy_table(game, analysis(game))


class Blackjack(Family):
    """Every game whose rules are `BlackjackRules`: community cards or own hands."""

    rules_class: ClassVar = BlackjackRules
    kernels: ClassVar = (EXACT, SIMULATION, LARGEST, FIRST_CARDS, BUSTS)

    def __init__(self) -> None:
        self._prepared_rules: Final[dict[str, PreparedRules]] = {}

    # --- exact figures ----------------------------------------------------------------------------------------------

    def can_count(self, bet: Bet) -> bool:
        return bet in (BLACKJACK, BUSTER) or side_bets.can_count(bet)

    def counted(self, game: Game, wager: str, strategy: str) -> Counted:
        if game.offers[wager].bet is BLACKJACK:
            return blackjack.all_figures(analysis(game), strategy)
        return self._side_bet(game, wager), {}

    def figures(self, game: Game, wager: str, strategy: str) -> Figures | None:
        bet = game.offers[wager].bet
        if not self.can_count(bet) or self._kernel(bet).unread(game):
            return None
        return figures(game, strategy) if bet is BLACKJACK else self._side_bet(game, wager)

    def _kernel(self, bet: Bet) -> Kernel[BlackjackRules]:
        """The kernel for the exact figures of a bet."""
        return {BLACKJACK: EXACT, BUSTER: BUSTS}.get(bet, FIRST_CARDS)

    def _side_bet(self, game: Game, wager: str) -> Figures:
        """The figures of a bet that no decision affects."""
        if game.offers[wager].bet is BUSTER:
            rules = BUSTS.rules(game)
            paytable = rules.check()[wager].paytable
            return buster_figures(paytable, rules.decks, hits_soft_17=rules.dealer_hits_soft_17)
        rules = FIRST_CARDS.rules(game)
        offer = rules.check()[wager]
        return side_bets.figures(offer.bet, offer.paytable, rules.decks)

    def unrounded(self, game: Game, wager: str, stake: int) -> bool:
        rules = SIMULATION.rules(game)
        offer = rules.check()[wager]
        if offer.bet is BLACKJACK:
            return unrounded(rules, stake)
        return not any(stake * odds.pays % odds.per for odds in offer.paytable.values())

    # --- rounds -----------------------------------------------------------------------------------------------------

    def shares_cards(self, game: Game) -> bool:
        return not own_hands(game)

    def player(self, job: Job) -> BlockPlayer:
        rules, policy = SIMULATION.rules(job.game), policies(job.game, [job.strategy])[job.strategy]
        return blackjack_player(job, rules, policy, own_hands=own_hands(job.game))

    def blocks(self, patrons: Patrons) -> Block:
        played = policies(patrons.game, (party.strategy for party in patrons.parties))
        return blackjack_blocks(patrons, SIMULATION.rules(patrons.game), played, own_hands=own_hands(patrons.game))

    def largest(self, patrons: Patrons) -> Largest:
        rules = LARGEST.rules(patrons.game)
        (_, part), *others = patrons.common.items()
        sides = side_bet_tables(rules.check(), dict(others))
        best = BestHands(terms(rules, part), play_tables(rules, [empty_policy()]))
        if own_hands(patrons.game):
            return largest_of_own_hands(best, sides, rules.decks, patrons)
        return largest_of_community(best, sides, patrons)

    # --- decisions --------------------------------------------------------------------------------------------------

    def worths(self, game: Game, asked: Position) -> dict[str, float]:
        assert isinstance(asked, BoxPosition)
        return box_worths(self._prepared(game), fresh_shoe(EXACT.rules(game).decks), asked)

    def _prepared(self, game: Game) -> PreparedRules:
        if game.fingerprint not in self._prepared_rules:
            while len(self._prepared_rules) >= MAX_PREPARED_RULES:
                del self._prepared_rules[next(iter(self._prepared_rules))]
            self._prepared_rules[game.fingerprint] = analysis(game).prepared
        return self._prepared_rules[game.fingerprint]

    def warm_up(self, game: Game) -> None:
        self.worths(game, BoxPosition(("split", "surrender"), up=5, hand=(7, 7)))

    def best_play(self, game: Game) -> Iterator[RenderableType]:
        return strategy_parts(best_table(game))

    def best_play_dict(self, game: Game) -> dict[str, Any]:
        return best_table(game).to_dict()

    def best_play_rows(self, game: Game) -> list[dict[str, Any]]:
        return best_table(game).rows()


FAMILY = Blackjack()


english(
    "refused",
    {
        "dealing-unknown": (
            "The mathematics of blackjack does not know how {game:game} is dealt: it knows community cards and own hands."
        ),
    },
)
