"""The transfers of a round: stakes go into play, and losses, returns, wins and tips come out of it.

A seat's money moves in a few flows, each from one account to another. In ordinary play a flow only grows, and each
increase is transferred when it happens. A correction or a void can make a flow shrink; then the difference goes back. Where
the account does not hold it any more, the house lends it, and it becomes a debt (docs/decisions/credit-from-outside.md).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.people import GUEST
from podium.house.table.events import BonusesSettled, HandSettled, RoundReopened, SettledAtOnce
from podium.play.events import AnyEvent, CardCorrected, CardsCorrected, Decided, Voided, WagersPlaced
from podium.play.round import Round
from podium.record.ledger import (
    Account,
    RoundFlow,
    Transfer,
    TransferKind,
    account,
    changes,
    names_of,
    never_negative,
    read_account,
)
from podium.rules.results import WagerResult
from podium.rules.seat import Seat


class Flows(NamedTuple):
    """The amounts that have flowed for one seat in one round."""

    stake: int = 0
    """From the player's credit into play."""
    stake_back: int = 0
    """From play to the credit."""
    win: int = 0
    """From the table's bank to the credit."""
    tip_of_stake: int = 0
    """From play to the dealer's tips: a wager for the dealer that won."""
    tip_of_win: int = 0
    """From the bank to the dealer's tips."""
    stake_lost: int = 0
    """From play to the bank."""
    win_held: int = 0
    """From the bank to an attendant, who pays it by hand (HP-1)."""

    @property
    def tips(self) -> int:
        """Everything that the dealer was given."""
        return self.tip_of_stake + self.tip_of_win


SINCE_CREDIT_FROM_OUTSIDE: Final = 1
"""The accounting of rounds whose players may bet elsewhere too: a large win is held at once, and none that was paid is taken
back to be held."""
SINCE_PAID_AT_ONCE: Final = 2
"""The accounting of rounds in which main wagers too are paid and collected at the moment that the document names (MGB)."""
SINCE_PLAY_TIPS: Final = 3
"""The accounting of rounds in which a guest's tips stay under the guest's name: nobody is paid money for play money."""
SINCE_BONUSES_IN_ORDER: Final = 4
"""The accounting of rounds in which side bets on the first cards are settled seat by seat, where the document says so (MUB 7)."""
SINCE_HANDS_SETTLED: Final = 5
"""The accounting of rounds in which a hand that is settled while the round goes on is an event of its own, and each hand of a split
that busts is collected when it does (MGB Dealing)."""
ACCOUNTING: Final = SINCE_HANDS_SETTLED
"""How money moves in the rounds that this program opens. A round is replayed by the accounting that it was opened with."""


def flows_of(
    seat: Seat,
    *,
    attendant_pays_from: int = 0,
    over: bool = False,
    at_once: Sequence[WagerResult] = (),
    waits: bool = False,
) -> Flows:
    """A seat's flows so far. A win that an attendant must pay is held back when the round is over; `at_once` was settled
    before, and the side bets of a seat that `waits` have been neither paid nor collected."""
    back = win = tip_of_stake = tip_of_win = lost = 0
    for wager in at_once if waits else (*seat.settled, *at_once):
        kept, tipped = _of_stake(wager)
        back += kept
        tip_of_stake += tipped
        win += wager.returned - wager.tips - kept
        tip_of_win += wager.tips - tipped
        lost += wager.staked - kept - tipped
    if over and attendant_pays_from and win >= attendant_pays_from:
        # A side bet that was paid early may have been staked again and lost: what is left of the win is held.
        held = win if seat.credit is None else min(win, seat.credit)
        return Flows(seat.staked, back, win - held, tip_of_stake, tip_of_win, lost, win_held=held)
    return Flows(seat.staked, back, win, tip_of_stake, tip_of_win, lost)


def settled_at_once(played: Round, seat: Seat | None, accounting: int) -> Mapping[int, Sequence[WagerResult]]:
    """The main wagers of a seat that are paid or collected already in a round of that accounting, while it goes on: by hand."""
    if seat is None or accounting < SINCE_PAID_AT_ONCE:
        return {}
    decided = played.settled_at_once(seat)
    if accounting < SINCE_HANDS_SETTLED and decided and len(decided) < len(played.dealing.own_view(seat)["hands"]):
        return {}  # the hands of a split were collected together
    return decided


def _of_stake(wager: WagerResult) -> tuple[int, int]:
    """The parts of the stake itself that go back to the player and to the dealer."""
    kept = min(wager.returned - wager.tips, wager.staked)
    return kept, min(wager.tips, wager.staked - kept)


FLOWS: Final[dict[RoundFlow, tuple[str, str, TransferKind]]] = {
    "stake": ("credit", "in-play", "stake"),
    "stake_back": ("in-play", "credit", "stake-back"),
    "win": ("bank", "credit", "win"),
    "tip_of_stake": ("in-play", "tips", "tip"),
    "tip_of_win": ("bank", "tips", "tip"),
    "stake_lost": ("in-play", "bank", "stake-lost"),
    "win_held": ("bank", "attendant", "win-held"),
}
"""The source, the target and the kind of transfer of each flow, in the order of `Flows`."""


class Ways(NamedTuple):
    """The accounts of one seat's money in one round."""

    table: str
    round: int
    player: str
    dealer: str
    terminal: str = ""
    """Where the player made the bet."""

    def transfers(
        self, was: Flows, now: Flows, key: str, *, undone: TransferKind, again: bool = False
    ) -> list[Transfer]:
        """The transfers for the change since: an increase goes forward, a decrease goes back under the kind of what undid it.
        `again`: the round was over, and an increase has that kind too."""
        if was == now:
            return []
        moved = []
        for (flow, (source, target, kind)), before, after in zip(FLOWS.items(), was, now, strict=True):
            if before != after:
                called = kind
                if after < before or undone == "void" or again:
                    # A win that was paid early and is now held is not a returned stake.
                    called = "correction" if flow == "win" and undone == "stake-back" else undone
                debit, credit = (source, target) if after > before else (target, source)
                moved.append(
                    Transfer(
                        id=_id(key, flow),
                        debit=self._account(debit),
                        credit=self._account(credit),
                        amount=abs(after - before),
                        kind=called,
                        table=self.table,
                        round=str(self.round),
                        terminal=self.terminal,
                        flow=flow,
                    )
                )
        return moved

    def _account(self, kind: str) -> Account:
        match kind:
            case "credit":
                return account("credit", self.player)
            case "in-play":
                return account("in-play", self.table, self.player)
            case "bank":
                return account("bank", self.table)
            case "tips":
                return account("tips", self.dealer)
        return account("attendant", self.player)


def tipped(player: str, dealer: str) -> str:
    """The account that a player's tips go to: what a guest gives is play money, and stays under the guest's name."""
    return player if player.startswith(GUEST) else dealer


NOTHING: Final = Flows()


OF_A_SEAT: Final = (WagersPlaced, Decided, BonusesSettled, HandSettled)
"""What moves the money of the seat that it names, and of no other."""


class SeatMoney(NamedTuple):
    """One seat's flows when they were last computed."""

    seen: tuple[int, int] = (0, 0)
    """The stake and the number of settled wagers; while neither changes, no money has moved."""
    flows: Flows = NOTHING
    dealer: str = ""
    """Who got the tips."""


class RoundMoney:
    """The money of one round: each event moves what the flows of the seats have changed by."""

    def __init__(self, table: str, number: int, accounting: int = ACCOUNTING) -> None:
        self._table: Final = table
        self._round: Final = number
        self._accounting: Final = accounting
        self._known: Final[dict[int, SeatMoney]] = {}
        self._in_order: Final[set[int]] = set()
        """The seats whose side bets on the first cards were settled, where that goes seat by seat."""
        self._hands: Final[set[tuple[int, int]]] = set()
        """By seat and number: the hands that were settled, while the round goes on."""
        self._won: Final[Counter[str]] = Counter()
        """What each player has won at all boxes, paid or held."""

    def moved(
        self,
        played: Round,
        event: AnyEvent | SettledAtOnce,
        *,
        players: Mapping[int, str],
        dealer: str,
        attendant_pays_from: int,
        entry: int,
    ) -> tuple[Transfer, ...]:
        """The transfers of an event, which is the table's entry of that number."""
        undone = _undone(event)
        self._follow_order(played, event)
        changed = list(self._changed(played, event, players, attendant_pays_from, undone))
        moved: list[Transfer] = []
        for number, seat, settled, seen in changed:
            known = self._known.get(number)
            before = known.flows if known else NOTHING
            flows = settled
            if self._accounting >= SINCE_CREDIT_FROM_OUTSIDE:
                flows = with_held(before, settled, self._won[players[number]], attendant_pays_from)
            # A tip is taken back from the dealer who got it, even if another one is at the podium now.
            tipped = known.dealer if known and before.tips else self._tipped(players[number], dealer)
            # GAME-2: doubles, splits and wins count for the terminal where the game began (MTR-1).
            terminal = seat.terminal if seat else event.terminal if isinstance(event, WagersPlaced) else ""
            ways = Ways(self._table, self._round, players[number], tipped, terminal)
            moved += ways.transfers(before, flows, _key(self._table, entry, number), undone=undone)
            self._known[number] = SeatMoney(seen, flows, tipped)
        return tuple(moved)

    def _tipped(self, player: str, dealer: str) -> str:
        """The account that a player's tips go to."""
        return tipped(player, dealer) if self._accounting >= SINCE_PLAY_TIPS else dealer

    def next_settled(self, played: Round) -> SettledAtOnce | None:
        """What is settled next while the round goes on: side bets on the first cards seat by seat, then hands; None where
        nothing is."""
        if not played.dealt_for or played.over:
            return None
        for number in played.dealing.settles_in_order():
            if self._waits(played, played.seats[number]):
                return BonusesSettled(number)
        if self._accounting >= SINCE_HANDS_SETTLED:
            for number in played.dealing.may_settle_at_once():
                for hand in played.settled_at_once(played.seats[number]):
                    if (number, hand) not in self._hands:
                        return HandSettled(number, hand)
        return None

    def _waits(self, played: Round, seat: Seat) -> bool:
        """Whether side bets of a seat are decided but not yet due to be settled."""
        if self._accounting < SINCE_BONUSES_IN_ORDER or played.over or not seat.settled:
            return False
        return seat.number not in self._in_order and seat.number in played.dealing.settles_in_order()

    def _follow_order(self, played: Round, event: AnyEvent | SettledAtOnce) -> None:
        """A correction is one act: it settles all that are decided with the right cards, and the others anew."""
        if isinstance(event, SettledAtOnce) and event != self.next_settled(played):
            if isinstance(event, BonusesSettled):
                raise Refused("bonuses-order", seat=event.seat, clause="MUB 7")
            raise Refused("hands-order", seat=event.seat, hand=event.hand + 1, clause="MGB Dealing")
        match event:
            case BonusesSettled(seat):
                self._in_order.add(seat)
            case HandSettled(seat, hand):
                self._hands.add((seat, hand))
            case CardCorrected() | CardsCorrected():
                self._in_order.clear()
                self._in_order.update(number for number, each in played.seats.items() if each.settled)
                self._hands.clear()
                self._hands.update(
                    (number, hand) for number, each in played.seats.items() for hand in played.settled_at_once(each)
                )

    def _changed(
        self,
        played: Round,
        event: AnyEvent | SettledAtOnce,
        players: Mapping[int, str],
        attendant_pays_from: int,
        undone: TransferKind,
    ) -> Iterator[tuple[int, Seat | None, Flows, tuple[int, int]]]:
        """The seats whose money an event may have moved, with their flows now and what these were computed from."""
        over = played.over
        until = attendant_pays_from if self._accounting < SINCE_CREDIT_FROM_OUTSIDE else 0
        for number in [event.seat] if isinstance(event, OF_A_SEAT) else list(played.seats):
            seat, known = played.seats.get(number), self._known.get(number)
            at_once: Sequence[WagerResult] = ()
            waits = False
            if seat is not None and played.dealt_for:
                at_once, waits = self._at_once(played, seat), self._waits(played, seat)
            seen = _seen(seat, at_once, waits=waits)
            if known is not None and known.seen == seen and undone == "stake-back" and not over:
                continue
            flows = NOTHING
            if seat:
                flows = flows_of(seat, attendant_pays_from=until, over=over, at_once=at_once, waits=waits)
            was = known.flows if known else NOTHING
            if flows.win != was.win + was.win_held:
                self._won[players[number]] += flows.win - was.win - was.win_held
            yield number, seat, flows, seen

    def _at_once(self, played: Round, seat: Seat) -> Sequence[WagerResult]:
        """The main wagers of a seat that were settled while the round goes on."""
        decided = settled_at_once(played, seat, self._accounting)
        by_hand = self._accounting >= SINCE_HANDS_SETTLED
        return [
            each
            for hand, wagers in decided.items()
            if not by_hand or (seat.number, hand) in self._hands
            for each in wagers
        ]


def with_held(before: Flows, flows: Flows, won: int, attendant_pays_from: int) -> Flows:
    """HP-1: holds the part of a player's win that makes it, over all boxes in one round, large enough for an attendant to pay.
    Earlier payments stay paid: they may be staked elsewhere by now."""
    large = attendant_pays_from and won >= attendant_pays_from
    if not (before.win_held or large):
        return flows
    paid = min(before.win, flows.win)
    return flows._replace(win=paid, win_held=flows.win - paid)


def _seen(seat: Seat | None, at_once: Sequence[WagerResult], *, waits: bool) -> tuple[int, int]:
    return (seat.staked, (0 if waits else len(seat.settled)) + len(at_once)) if seat else (0, 0)


def by_seat(
    table: str, entry: int, event: object, transfers: Iterable[Transfer], seats: Iterable[int]
) -> Iterator[tuple[int, Transfer]]:
    """The transfers that an event moved, without debts, each with its seat: the one that the event names; otherwise the one of
    these seats for which the transfer was made."""
    moved = [transfer for transfer in transfers if transfer.kind != "debt"]
    if not moved:
        return
    if isinstance(event, OF_A_SEAT):
        yield from ((event.seat, transfer) for transfer in moved)
        return
    keys = [(seat, key) for seat in seats for key in (_key(table, entry, seat), _back(_key(table, entry, seat)))]
    made = {_id(key, flow): seat for seat, key in keys for flow in FLOWS}
    yield from ((made[transfer.id], transfer) for transfer in moved)


def _key(table: str, entry: int, seat: int) -> str:
    """The prefix of the ids of a seat's transfers, in one entry of the table."""
    return f"{table}.{entry}.{seat}"


def _id(key: str, flow: RoundFlow) -> str:
    return f"{key}.{flow}"


def _back(key: str) -> str:
    """The prefix of the ids of transfers that undo a result before the round is void."""
    return f"{key}.back"


def lacking(transfers: Iterable[Transfer], holds: Callable[[Account], int]) -> dict[str, int]:
    """By account that cannot be overdrawn: the part of the amount that the transfers would take and the account does
    not hold."""
    taken = {name: holds(name) + change for name, change in changes(transfers).items() if change < 0}
    return {name: -left for name, left in sorted(taken.items()) if left < 0 and never_negative(name)}


def debts(table: str, number: int, entry: int, owed: Mapping[str, int]) -> Iterator[Transfer]:
    """The transfers by which the house lends what accounts do not hold."""
    for text, amount in owed.items():
        name = read_account(text)
        yield Transfer(
            id=f"{table}.{entry}.debt.{text.replace('/', '.')}",
            debit=account("debt", names_of(name)[-1]),
            credit=name,
            amount=amount,
            kind="debt",
            table=table,
            round=str(number),
        )


def moved_again(table: str, entry: int, event: RoundReopened) -> tuple[Transfer, ...]:
    """The transfers of a reopened round: the differences, seat by seat, and what the house lends for them."""
    kind: TransferKind = "void" if event.void else "correction"
    moved: list[Transfer] = []
    for told in event.seats:
        ways = Ways(table, event.round, told.player, told.dealer, told.terminal)
        was, key = Flows(**told.was), _key(table, entry, told.seat)
        if event.void and was.stake_back:
            # A stake that came back as a result comes back as void, so that the meters count no game (MTR-3).
            before, was = was, was._replace(stake_back=0)
            moved += ways.transfers(before, was, _back(key), undone=kind)
        moved += ways.transfers(was, Flows(**told.now), key, undone=kind, again=True)
    return (*debts(table, event.round, entry, event.owed), *moved)


def _undone(event: AnyEvent | SettledAtOnce) -> TransferKind:
    """The kind of transfer for money that goes back."""
    match event:
        case Voided():
            return "void"
        case CardCorrected() | CardsCorrected():
            return "correction"
    return "stake-back"


english(
    "refused",
    {
        "bonuses-order": "The side bets of seat {seat} are not the next ones to be settled.",
        "hands-order": "Hand {hand} of seat {seat} is not the next one to be settled.",
    },
)
