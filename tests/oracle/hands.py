"""One player's blackjack hands, played to their end one inside the other."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracle.account import Account
from tests.oracle.asking import Chooser, Question, ask
from tests.oracle.cards import is_natural, is_soft, total, value
from tests.oracle.options import Rules

Draw = Callable[[], str]


@dataclass
class Hand:
    cards: list[str]
    # What lies on the hand, for the player and for the dealer, and how much of that is the initial wager.
    own: int
    dealers: int
    own_initial: int = 0
    dealers_initial: int = 0
    split: bool = False
    ended: str = ""
    result: str = ""
    returned: int = 0

    @property
    def busted(self) -> bool:
        return total(self.cards) > 21

    @property
    def natural(self) -> bool:
        return is_natural(self.cards) and not self.split

    @property
    def in_play(self) -> bool:
        return not self.busted and not self.ended

    def shown(self) -> dict[str, object]:
        return {
            "cards": " ".join(self.cards),
            "total": total(self.cards),
            "soft": is_soft(self.cards),
            "result": self.result,
            "staked": self.own,
            "returned": self.returned,
        }


@dataclass
class Player:
    """A player with a blackjack wager."""

    account: Account
    rules: Rules
    choose: Chooser
    wager: int
    dealers_wager: int
    hands: list[Hand] = field(default_factory=list)
    splits: int = 0
    insured: int = 0
    # Cards of the community stream that the player took.
    taken: int = 0
    dealer: list[str] = field(default_factory=list)

    def take_first_two(self, cards: list[str]) -> None:
        self.hands = [Hand(cards, self.wager, self.dealers_wager, self.wager, self.dealers_wager)]

    @property
    def natural(self) -> bool:
        return self.hands[0].natural

    def ask(self, costs: dict[str, int], amounts: dict[str, range]) -> tuple[str, int] | None:
        return ask(self.choose, Question(self.account.name, costs, amounts, self.account.credit))

    def offer_insurance(self, up_card: str) -> None:
        """Insurance and even money, against an ace and before anything else."""
        if up_card[0] != "A":
            return
        costs: dict[str, int] = {}
        amounts: dict[str, range] = {}
        half = self.wager // 2
        if self.rules.insurance != "off" and half > 0:
            costs["insure"] = half
        if self.rules.insurance == "choice":
            amounts["insure"] = range(100, half + 1)
        if self.rules.even_money and self.natural:
            costs["even-money"] = 0
        if not costs:
            return
        answer = self.ask(costs | {"decline": 0}, amounts)
        if answer is not None and answer[0] == "even-money":
            self.hands[0].ended = "even-money"
        elif answer is not None and answer[0] == "insure":
            self.insured = answer[1]
            self.account.stake("insurance", "player", self.insured)

    def play(self, draw: Draw) -> None:
        self.hands = self.played(self.hands[0], draw)

    def played(self, hand: Hand, draw: Draw) -> list[Hand]:
        """The hands that come of one hand when it is played to its end."""
        if len(hand.cards) == 1:
            hand.cards.append(draw())
        split_ace = hand.split and hand.cards[0][0] == "A"
        if total(hand.cards) >= 21 or (split_ace and not self.may_split(hand)):
            return [hand]
        answer = self.ask(*self.choices(hand, split_ace=split_ace))
        if answer is None:
            stands = split_ace or self.stands_on_time_out(hand)
            answer = ("stand" if stands else "hit", 0)
        match answer:
            case ("stand", _):
                return [hand]
            case ("surrender", _):
                hand.ended = "surrender"
                return [hand]
            case ("hit", _):
                hand.cards.append(draw())
                return self.played(hand, draw)
            case (("split" | "split+dealer") as word, _):
                return self.split(hand, draw, dealer_too=word == "split+dealer")
            case (word, cost):
                self.double(hand, cost, dealer_too=word == "double+dealer")
                hand.cards.append(draw())
                return [hand]

    def stands_on_time_out(self, hand: Hand) -> bool:
        soft, hard = self.rules.stands_from
        return total(hand.cards) >= (soft if is_soft(hand.cards) else hard)

    def choices(self, hand: Hand, *, split_ace: bool) -> tuple[dict[str, int], dict[str, range]]:
        costs = {"stand": 0}
        amounts: dict[str, range] = {}
        if self.may_split(hand):
            costs["split"] = self.wager
            if hand.dealers:
                costs["split+dealer"] = self.wager + self.dealers_wager
        if split_ace:
            return costs, amounts
        costs["hit"] = 0
        if self.may_double(hand):
            adds = self.rules.double_adds
            costs["double"] = adds * self.wager
            if hand.dealers:
                costs["double+dealer"] = adds * (self.wager + self.dealers_wager)
            if self.rules.double_for_less:
                amounts["double"] = range(1, adds * self.wager)
        if self.rules.surrender != "off" and len(hand.cards) == 2 and not hand.split:
            costs["surrender"] = 0
        return costs, amounts

    def may_split(self, hand: Hand) -> bool:
        if not self.rules.may_split or len(hand.cards) != 2 or self.splits >= self.rules.max_splits:
            return False
        if value(hand.cards[0]) != value(hand.cards[1]):
            return False
        return not (hand.split and hand.cards[0][0] == "A") or self.rules.aces_split_again

    def may_double(self, hand: Hand) -> bool:
        low, high = self.rules.double_totals
        return (
            self.rules.may_double
            and len(hand.cards) == 2
            and low <= total(hand.cards) <= high
            and (self.rules.double_after_split or not hand.split)
            and (self.rules.double_with_ace or all(card[0] != "A" for card in hand.cards))
        )

    def double(self, hand: Hand, cost: int, *, dealer_too: bool) -> None:
        dealers = self.rules.double_adds * self.dealers_wager if dealer_too else 0
        self.account.stake("blackjack", "player", cost - dealers)
        hand.own += cost - dealers
        if dealer_too:
            self.account.stake("blackjack", "dealer", dealers)
            hand.dealers += dealers

    def split(self, hand: Hand, draw: Draw, *, dealer_too: bool) -> list[Hand]:
        self.splits += 1
        self.account.stake("blackjack", "player", self.wager)
        new = Hand([hand.cards.pop()], self.wager, 0, split=True)
        hand.split = True
        if dealer_too:
            self.account.stake("blackjack", "dealer", self.dealers_wager)
            new.dealers = self.dealers_wager
        if self.rules.draw_at_once:
            hand.cards.append(draw())
            new.cards.append(draw())
        return self.played(hand, draw) + self.played(new, draw)
