"""A box: one player's hands in a blackjack round, what may be decided on them, and which of them are owed a card."""

from typing import Final, NamedTuple

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.rules.asking import Cost, Decision, Question
from podium.rules.blackjack.held import Held
from podium.rules.blackjack.rules import BlackjackRules


class Hand(Held):
    """The cards of one hand and what is staked on it."""

    __slots__ = ("added", "doubled", "ended", "from_split", "stake", "toke", "toke_added")

    def __init__(self, stake: int, toke: int, from_split: bool = False) -> None:
        super().__init__()
        self.stake = stake
        self.added = 0
        """The part of the stake that is additional to the initial wager: a double, or all of a split hand's."""
        self.toke = toke
        """What lies on this hand for the dealer; `toke_added` is the additional part of it."""
        self.toke_added = 0
        self.from_split: Final = from_split
        self.doubled = False
        self.ended = ""
        """Empty while the hand can still be played, then: stood, bust, blackjack, even-money or surrender."""

    @property
    def is_pair(self) -> bool:
        """SBJ 5.d: two cards of the same value, so a king and a ten are a pair."""
        return len(self.cards) == 2 and self.cards[0].points == self.cards[1].points

    @property
    def is_split_ace(self) -> bool:
        return self.from_split and self.cards[0].points == 1


class Early(NamedTuple):
    """What is asked before any other decision, because the dealer's first card is an ace."""

    even_money: bool
    insurance: int
    """The most that may be insured; 0 when insurance is not offered."""


class Box:
    """One player's hands. It does not know the credit: it says what a decision costs, and the round checks that the
    credit covers it."""

    __slots__ = ("early", "hands", "insurance", "insured", "owed", "playing", "rules", "taken", "toke", "wager")

    def __init__(self, rules: BlackjackRules, wager: int, toke: int) -> None:
        self.rules: Final = rules
        self.wager: Final = wager
        self.toke: Final = toke
        self.hands = [Hand(wager, toke)]
        self.playing = 0
        self.owed: list[Hand] = []
        """The hands that are owed a card, in the order in which they get it."""
        self.taken = 0
        """The number of cards taken after the first two."""
        self.early: Early | None = None
        self.insured = False
        self.insurance = 0

    # --- cards ------------------------------------------------------------------------------------------------------

    def start(self, first: Card, second: Card) -> None:
        hand = self.hands[0]
        hand.take(first)
        hand.take(second)
        if hand.points == 21:
            hand.ended = "blackjack"

    def take(self, card: Card) -> None:
        """Adds the next card to the first hand that is owed one."""
        hand = self.owed.pop(0)
        hand.take(card)
        self.taken += 1
        if hand.hard > 21:
            hand.ended = "bust"
        elif hand.doubled or hand.points == 21:
            hand.ended = "stood"
        elif hand.is_split_ace and len(hand.cards) == 2 and self._why_not_split(hand) is not None:
            hand.ended = "stood"  # SBJ 5.d.ii: a split ace gets one card

    def advance(self) -> None:
        """Moves on to the next hand to play; a split hand with one card is then owed another."""
        if self.owed or self.early:
            return
        while self.playing < len(self.hands) and self.hands[self.playing].ended:
            self.playing += 1
        if self.playing < len(self.hands) and len(self.hands[self.playing].cards) == 1:
            self.owed.append(self.hands[self.playing])

    @property
    def asks(self) -> bool:
        """Whether the player has something to decide now."""
        return self.early is not None or (not self.owed and self.playing < len(self.hands))

    @property
    def hand(self) -> Hand:
        return self.hands[self.playing]

    # --- questions --------------------------------------------------------------------------------------------------

    def offer_early(self, dealers: Card) -> None:
        """SBJ 5.e, 5.h: even money and insurance are offered first, when the dealer's first card is an ace."""
        rules = self.rules
        if dealers.points != 1:
            return
        even_money = rules.even_money and self.hands[0].ended == "blackjack"
        half = self.wager // 2 if rules.insurance else 0
        if half < rules.insurance_least:
            half = 0
        if even_money or half:
            self.early = Early(even_money, half)

    def question(self) -> Question:
        """What may be decided now, and what each decision costs."""
        if self.early:
            return self._early_question(self.early)
        hand = self.hand
        allowed = {
            choice: cost for choice in ("hit", "stand", "double", "split", "surrender") for cost in self._costs(choice)
        }
        if "double" in allowed and self.rules.double_for_less and allowed["double"].most > self.rules.chip:
            allowed["double:AMOUNT"] = Cost(self.rules.chip, allowed["double"].most - self.rules.chip)
        if hand.toke:
            adds = {"double": self.toke * self.rules.double_adds, "split": self.toke}
            for choice, toke in adds.items():
                if choice in allowed:
                    both = allowed[choice].most + toke
                    allowed[f"{choice}+dealer"] = Cost(both, both)
        return Question("play", self.playing, allowed)

    def _early_question(self, early: Early) -> Question:
        allowed = {}
        if early.even_money:
            allowed["even-money"] = Cost(0, 0)
        if early.insurance:
            allowed["insure"] = Cost(early.insurance, early.insurance)
            if self.rules.insurance_least:
                allowed["insure:AMOUNT"] = Cost(self.rules.insurance_least, early.insurance)
        return Question("insurance", 0, allowed | {"decline": Cost(0, 0)})

    def _costs(self, choice: str) -> tuple[Cost, ...]:
        """The cost of a choice on the hand in play, or None if it is not allowed."""
        if self._why_not(choice) is not None:
            return ()
        cost = {"double": self.wager * self.rules.double_adds, "split": self.wager}.get(choice, 0)
        return (Cost(cost, cost),)

    # --- decisions --------------------------------------------------------------------------------------------------

    def cost_of(self, decision: Decision) -> int:
        """What a decision takes from the player's credit; a decision that is not allowed is refused, with the clause."""
        if self.early:
            return self._early_cost(self.early, decision)
        choice = decision.choice
        refusal = self._why_not(choice)
        if refusal is not None:
            raise refusal
        if decision.amount is not None:
            return self._cost_for_less(decision)
        if choice not in ("double", "split"):
            if decision.for_dealer:
                raise Refused("adds-for-dealer", clause=self.rules.clause("dealer_wagers"))
            return 0
        adds = self.rules.double_adds if choice == "double" else 1
        if not decision.for_dealer:
            return self.wager * adds
        if not self.hand.toke:
            raise Refused("hand-without-toke", clause=self.rules.clause("dealer_wagers"))
        return (self.wager + self.toke) * adds

    def _early_cost(self, early: Early, decision: Decision) -> int:
        rules = self.rules
        match decision.choice, decision.amount, decision.for_dealer:
            case "decline", None, False:
                return 0
            case "even-money", None, False:
                if early.even_money:
                    return 0
                if not rules.even_money:
                    raise Refused("even-money-off", clause=rules.clause("even_money"))
                raise Refused("even-money-needs", clause=rules.clause("even_money"))
            case "insure", amount, False if early.insurance:
                least = rules.insurance_least or early.insurance
                amount = early.insurance if amount is None else amount
                if rules.insurance_least == 0 and decision.amount is not None:
                    raise Refused("insurance-half", clause=rules.clause("insurance_least"))
                if not least <= amount <= early.insurance:
                    clause = rules.clause("insurance_least")
                    raise Refused("insurance-range", least=least, most=early.insurance, clause=clause)
                return amount
            case "insure", _, False:
                raise Refused("insurance-off", clause=rules.clause("insurance"))
        raise Refused("insurance-first", clause=rules.clause("insurance"))

    def _cost_for_less(self, decision: Decision) -> int:
        rules = self.rules
        amount = decision.amount or 0
        if decision.choice != "double":
            raise Refused("takes-no-amount", decision=decision.choice)
        if not rules.double_for_less:
            raise Refused("double-for-full", clause=rules.clause("double_for_less"))
        most = self.wager * rules.double_adds - rules.chip
        if not 1 <= amount <= most or amount % rules.chip:
            raise Refused("double-range", least=rules.chip, most=most, clause=rules.clause("double_for_less"))
        if decision.for_dealer:
            raise Refused("double-less-for-dealer", clause=rules.clause("double_for_less"))
        return amount

    def decide(self, decision: Decision, cost: int) -> None:
        """Carries out a decision that `cost_of` allowed at that cost."""
        hand = self.hand if not self.early else self.hands[0]
        match decision.choice:
            case "hit":
                self.owed.append(hand)
            case "stand":
                hand.ended = "stood"
            case "double":
                toke = self.toke * self.rules.double_adds if decision.for_dealer else 0
                self._add(hand, cost - toke, toke)
                hand.doubled = True
                self.owed.append(hand)
            case "split":
                self._split(hand, with_dealer=decision.for_dealer)
            case "surrender" | "even-money":
                hand.ended = decision.choice
            case "insure":
                self.insured, self.insurance = True, cost
        self.early = None
        self.advance()

    def _add(self, hand: Hand, stake: int, toke: int) -> None:
        hand.stake += stake
        hand.added += stake
        hand.toke += toke
        hand.toke_added += toke

    def _split(self, hand: Hand, *, with_dealer: bool) -> None:
        """Splits a hand: the second card starts a hand of its own, directly after the first."""
        new = Hand(0, 0, from_split=True)
        self._add(new, self.wager, self.toke if with_dealer else 0)
        kept = Hand(hand.stake, hand.toke, from_split=True)
        kept.added, kept.toke_added = hand.added, hand.toke_added
        kept.take(hand.cards[0])
        new.take(hand.cards[1])
        self.hands[self.playing : self.playing + 1] = [kept, new]
        if self.rules.split_draw == "at-once":  # DLB 5.d: one card is added to each new hand
            self.owed = [kept, new]

    def time_out(self) -> Decision:
        """What the house decides for a player whose time has run out. It never costs anything."""
        if self.early:
            return DECLINE  # SBJ 5.h.iii
        hand = self.hand
        if hand.is_split_ace:
            return STAND
        soft, hard = self.rules.stands_at
        return STAND if hand.points >= (soft if hand.soft else hard) else HIT

    # --- what is not allowed, and why -------------------------------------------------------------------------------

    def _why_not(self, choice: str) -> Refused | None:
        """Why a choice is not allowed on the hand in play, with the clause; None if it is allowed."""
        hand = self.hand
        match choice:
            case "stand":
                return None
            case "hit":
                if hand.is_split_ace:
                    return Refused("split-ace-one-card", clause=self.rules.clause("resplit_aces"))
                return None
            case "double":
                return self._why_not_double(hand)
            case "split":
                return self._why_not_split(hand)
            case "surrender":
                return self._why_not_surrender(hand)
            case "insure" | "even-money" | "decline":
                return Refused("insurance-over", clause=self.rules.clause("insurance"))
        return Refused("not-of-this-game")

    def _why_not_double(self, hand: Hand) -> Refused | None:
        rules = self.rules
        if rules.double == "off":
            return Refused("double-off", clause=rules.clause("double"))
        if len(hand.cards) != 2:
            return Refused("double-first-two", clause=rules.clause("double"))
        if hand.is_split_ace:
            return Refused("split-ace-one-card", clause=rules.clause("resplit_aces"))
        if hand.from_split and not rules.double_after_split:
            return Refused("double-after-split", clause=rules.clause("double_after_split"))
        if hand.aces and not rules.double_with_ace:
            return Refused("double-with-ace", clause=rules.clause("double_with_ace"))
        low, high = rules.double_totals
        if not low <= hand.points <= high:
            return Refused("double-totals", low=low, high=high, clause=rules.clause("double_totals"))
        return None

    def _why_not_split(self, hand: Hand) -> Refused | None:
        rules = self.rules
        if rules.split == "off":
            return Refused("split-off", clause=rules.clause("split"))
        if not hand.is_pair:
            return Refused("split-no-pair", clause=rules.clause("split"))
        if hand.is_split_ace and not rules.resplit_aces:
            return Refused("split-aces-once", clause=rules.clause("resplit_aces"))
        if len(self.hands) > rules.max_splits:
            return Refused("split-most", times=rules.max_splits, clause=rules.clause("max_splits"))
        return None

    def _why_not_surrender(self, hand: Hand) -> Refused | None:
        rules = self.rules
        if rules.surrender == "off":
            return Refused("surrender-off", clause=rules.clause("surrender"))
        if hand.from_split or len(hand.cards) != 2:
            return Refused("surrender-first-two", clause=rules.clause("surrender"))
        return None


HIT = Decision("hit")
STAND = Decision("stand")
DECLINE = Decision("decline")

english(
    "refused",
    {
        "adds-for-dealer": "only a double or a split can add to the dealer's wager",
        "hand-without-toke": "this hand carries no wager for the dealer",
        "even-money-off": "even money is not offered",
        "even-money-needs": "even money needs a blackjack",
        "insurance-off": "insurance is not offered",
        "insurance-half": "insurance is exactly half of the original wager",
        "insurance-range": "insurance is from {least:money} to {most:money} on this wager",
        "insurance-first": "insurance or even money comes before any other decision",
        "insurance-over": "insurance and even money are not on offer now",
        "takes-no-amount": "{decision:decision} takes no amount",
        "not-of-this-game": "that is not a decision of this game",
        "double-off": "doubling is not offered",
        "double-first-two": "only the first two cards of a hand can double",
        "double-after-split": "a split hand cannot double",
        "double-with-ace": "a hand that holds an ace cannot double",
        "double-totals": "only totals of {low} to {high} can double",
        "double-for-full": "a double is for the full amount",
        "double-range": "a double for less adds from {least:money} to {most:money}",
        "double-less-for-dealer": "a wager for the dealer is not doubled for less",
        "split-off": "splitting is not offered",
        "split-no-pair": "only two cards of the same value can be split",
        "split-aces-once": "aces are split only once",
        "split-ace-one-card": "a split ace gets one card only",
        "split-most": Plural(
            "times",
            one="a player may split at most once",
            other="a player may split at most {times} times",
        ),
        "surrender-off": "surrender is not offered",
        "surrender-first-two": "only the first two cards can be surrendered, and never after a split",
    },
)
