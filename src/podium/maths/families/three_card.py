"""Three Card Poker: ante and play with all nine cards in sight, and the bets on three or six cards."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from rich.console import RenderableType

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths import side_bets, three_card
from podium.maths.families.family import Counted, Family
from podium.maths.figures import Figures, by_paytable
from podium.maths.jobs import BlockPlayer, Job
from podium.maths.kernels import Kernel
from podium.maths.largest import Largest
from podium.maths.listing import three_card_parts
from podium.maths.patrons import Block, Patrons
from podium.maths.poker_largest import largest_of_poker
from podium.maths.poker_player import poker_blocks, poker_player
from podium.maths.poker_rounds import poker, poker_plan
from podium.maths.sheet import ParEntry
from podium.maths.sight import ArrayPosition, Position
from podium.rules.bets import ANTE, ANTE_BONUS, Bet, Paytable
from podium.rules.games import Game
from podium.rules.three_card import PROPOSED_SPOTS, ThreeCardRules

OFFERS: Final = frozenset({"pair_plus", "six_card_bonus", "ante_bonus", "paytables", "limits", "most_together", "chip"})
"""Which wagers the table takes, and by which paytables (`Rules.check`)."""

ONE_DECK: Final = {"decks": 1}
"""TCP intro: hands are counted in one deck, shuffled for every round."""

SIMULATION: Final = Kernel("The simulation of Three Card Poker", ThreeCardRules, reads=OFFERS, assumes=ONE_DECK)

EXACT: Final = Kernel(
    "The exact analysis of Three Card Poker",
    ThreeCardRules,
    reads=frozenset({"ante_bonus", "paytables"}),
    # Pair Plus and the 6 Card Bonus are wagers of their own (TCP 3).
    unaffected=frozenset({"pair_plus", "six_card_bonus"}),
    assumes=ONE_DECK,
    instead=(SIMULATION, "`podium simulate` with another strategy than best"),
)

LARGEST: Final = Kernel(
    "The search for the largest payout of Three Card Poker", ThreeCardRules, reads=OFFERS, assumes=ONE_DECK
)

DEALT_CARDS: Final = Kernel(
    "The exact count of bets on three or six cards",
    ThreeCardRules,
    reads=OFFERS,
    assumes=ONE_DECK,
    instead=(SIMULATION, "`podium simulate`"),
)


def bonus_paytable(game: Game) -> Paytable:
    """The paytable of the ante bonus."""
    rules = EXACT.rules(game)
    return rules.paytable_named(ANTE_BONUS, rules.ante_bonus)


class ThreeCardPoker(Family):
    """Every game whose rules are `ThreeCardRules`."""

    rules_class: ClassVar = ThreeCardRules
    kernels: ClassVar = (EXACT, SIMULATION, LARGEST, DEALT_CARDS)

    # --- exact figures ----------------------------------------------------------------------------------------------

    def can_count(self, bet: Bet) -> bool:
        return bet is ANTE or side_bets.can_count(bet)

    def counted(self, game: Game, wager: str, strategy: str) -> Counted:
        offer = game.offers[wager]
        if offer.bet is not ANTE:
            return self._side_bet(game, wager), {}
        paytable = bonus_paytable(game)
        if strategy == "timeout":
            return three_card.figures(paytable, "timeout"), {}
        return three_card.figures(paytable, "nine seen"), {"own cards only": three_card.figures(paytable, "own cards")}

    def bonuses(self, game: Game, bet: Bet, strategy: str) -> Iterator[ParEntry]:
        """The ante bonus. It is included in the ante's figures; its own line shows what it contributes."""
        if bet is not ANTE:
            return
        rules = DEALT_CARDS.rules(game)
        paytable = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
        figures = side_bets.figures(ANTE_BONUS, paytable, rules.decks, staked=0)
        if strategy == "timeout":
            unpaid: dict[str | None, int] = {None: three_card.HANDS}
            figures = by_paytable(unpaid, paytable, how="A folded hand has no ante bonus (TCP 7.a).", staked=0)
        yield ParEntry((ANTE_BONUS.name,), ANTE_BONUS.title, figures, rules.ante_bonus)

    def figures(self, game: Game, wager: str, strategy: str) -> Figures | None:
        bet = game.offers[wager].bet
        if not self.can_count(bet) or (EXACT if bet is ANTE else DEALT_CARDS).unread(game):
            return None
        if bet is not ANTE:
            return self._side_bet(game, wager)
        play = three_card.PLAYED_BY.get(strategy)
        return None if play is None else three_card.figures(bonus_paytable(game), play)

    def _side_bet(self, game: Game, wager: str) -> Figures:
        """The figures of a bet that no decision affects."""
        rules = DEALT_CARDS.rules(game)
        offer = rules.check()[wager]
        return side_bets.figures(offer.bet, offer.paytable, rules.decks)

    def unrounded(self, game: Game, wager: str, stake: int) -> bool:
        rules = SIMULATION.rules(game)
        offer = rules.check()[wager]
        paytables = [offer.paytable]
        if offer.bet is ANTE:
            paytables.append(rules.paytable_named(ANTE_BONUS, rules.ante_bonus))
        return not any(stake * odds.pays % odds.per for paytable in paytables for odds in paytable.values())

    # --- rounds -----------------------------------------------------------------------------------------------------

    def shares_cards(self, game: Game) -> bool:
        return True

    def player(self, job: Job) -> BlockPlayer:
        return poker_player(job, SIMULATION.rules(job.game))

    def blocks(self, patrons: Patrons) -> Block:
        return poker_blocks(patrons, SIMULATION.rules(patrons.game))

    def largest(self, patrons: Patrons) -> Largest:
        rules, plans = LARGEST.rules(patrons.game), [poker_plan("timeout")]
        return largest_of_poker(patrons, poker(rules, rules.check(), patrons.common, plans, PROPOSED_SPOTS))

    # --- decisions --------------------------------------------------------------------------------------------------

    def worths(self, game: Game, asked: Position) -> dict[str, float]:
        assert isinstance(asked, ArrayPosition)
        return three_card.play_or_fold(cards(" ".join(asked.own)), cards(" ".join(asked.others)), bonus_paytable(game))

    def warm_up(self, game: Game) -> None:
        self.worths(game, ArrayPosition(("2c", "3c", "5d"), ("6c", "7c", "8d", "9h", "Tc", "Jd")))

    def best_play(self, game: Game) -> Iterator[RenderableType]:
        EXACT.rules(game)  # it depends on the showdown alone, but an unknown option might change that
        return three_card_parts()

    def best_play_dict(self, game: Game) -> dict[str, Any]:
        raise Refused("strategy-not-json")

    def best_play_rows(self, game: Game) -> list[dict[str, Any]]:
        EXACT.rules(game)
        return [
            {
                "hand": row.ranks,
                "played": float(row.often),
                "on_own_cards": row.on_own_cards,
                **{f"idle_{idle}": float(share) for idle, share in enumerate(row.with_idle)},
            }
            for row in three_card.boundary()
        ]


FAMILY = ThreeCardPoker()


english("refused", {"strategy-not-json": "The best play of Three Card Poker is a text: leave out --json."})
