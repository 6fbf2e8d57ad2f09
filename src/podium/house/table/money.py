"""The transfers of a round: stakes go into play, and losses, returns, wins and tips come out of it.

A seat's money moves in a few flows, each from one account to another. In ordinary play a flow only grows, and each
increase is transferred when it happens. A correction or a void can make a flow shrink; then the difference goes back. Where
the account does not hold it any more, the house lends it, and it becomes a debt (docs/decisions/credit-from-outside.md).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

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
ACCOUNTING: Final = SINCE_PAID_AT_ONCE
"""How money moves in the rounds that this program opens. A round is replayed by the accounting that it was opened with."""


def flows_of(
    seat: Seat, *, attendant_pays_from: int = 0, over: bool = False, at_once: Sequence[WagerResult] = ()
) -> Flows:
    """A seat's flows so far. A win that an attendant must pay is held back when the round is over; `at_once` was settled
    before."""
    back = win = tip_of_stake = tip_of_win = lost = 0
    for wager in (*seat.settled, *at_once):
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


def _of_stake(wager: WagerResult) -> tuple[int, int]:
    """How much of the stake itself goes back to the player, and how much of it to the dealer."""
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

    def transfers(self, was: Flows, now: Flows, key: str, *, undone: TransferKind) -> list[Transfer]:
        """The transfers for the change since: an increase goes forward, a decrease goes back under the kind of what undid it."""
        if was == now:
            return []
        moved = []
        for (flow, (source, target, kind)), before, after in zip(FLOWS.items(), was, now, strict=True):
            if before != after:
                called = kind
                if after < before or undone == "void":
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


NOTHING: Final = Flows()


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
        self._won: Final[Counter[str]] = Counter()
        """What each player has won at all boxes, paid or held."""

    def moved(
        self,
        played: Round,
        event: AnyEvent,
        *,
        players: Mapping[int, str],
        dealer: str,
        attendant_pays_from: int,
        entry: int,
    ) -> tuple[Transfer, ...]:
        """The transfers of an event, which is the table's entry of that number."""
        undone = _undone(event)
        changed = list(self._changed(played, event, players, attendant_pays_from, undone))
        moved: list[Transfer] = []
        for number, seat, settled in changed:
            known = self._known.get(number)
            before = known.flows if known else NOTHING
            flows = self._with_held(before, settled, self._won[players[number]], attendant_pays_from)
            # A tip is taken back from the dealer who got it, even if another one is at the podium now.
            tipped = known.dealer if known and before.tips else dealer
            # GAME-2: doubles, splits and wins count for the terminal where the game began (MTR-1).
            terminal = seat.terminal if seat else event.terminal if isinstance(event, WagersPlaced) else ""
            ways = Ways(self._table, self._round, players[number], tipped, terminal)
            moved += ways.transfers(before, flows, _key(self._table, entry, number), undone=undone)
            self._known[number] = SeatMoney(_seen(seat, self._at_once(played, seat)), flows, tipped)
        return tuple(moved)

    def _changed(
        self,
        played: Round,
        event: AnyEvent,
        players: Mapping[int, str],
        attendant_pays_from: int,
        undone: TransferKind,
    ) -> Iterator[tuple[int, Seat | None, Flows]]:
        """The seats whose money an event may have moved, with their flows now."""
        over = played.over
        until = attendant_pays_from if self._accounting < SINCE_CREDIT_FROM_OUTSIDE else 0
        for number in [event.seat] if isinstance(event, WagersPlaced | Decided) else list(played.seats):
            seat, known = played.seats.get(number), self._known.get(number)
            at_once = self._at_once(played, seat)
            if known is not None and known.seen == _seen(seat, at_once) and undone == "stake-back" and not over:
                continue
            flows = flows_of(seat, attendant_pays_from=until, over=over, at_once=at_once) if seat else NOTHING
            was = known.flows if known else NOTHING
            if flows.win != was.win + was.win_held:
                self._won[players[number]] += flows.win - was.win - was.win_held
            yield number, seat, flows

    def _at_once(self, played: Round, seat: Seat | None) -> Sequence[WagerResult]:
        if seat is None or self._accounting < SINCE_PAID_AT_ONCE:
            return ()
        return played.settled_at_once(seat)

    def _with_held(self, before: Flows, flows: Flows, won: int, attendant_pays_from: int) -> Flows:
        """HP-1: holds what makes a player's win in one round, at all boxes, as large as an attendant must pay. What was paid
        before stays paid: it may be staked elsewhere by now."""
        large = attendant_pays_from and won >= attendant_pays_from
        if self._accounting < SINCE_CREDIT_FROM_OUTSIDE or not (before.win_held or large):
            return flows
        paid = min(before.win, flows.win)
        return flows._replace(win=paid, win_held=flows.win - paid)


def _seen(seat: Seat | None, at_once: Sequence[WagerResult]) -> tuple[int, int]:
    return (seat.staked, len(seat.settled) + len(at_once)) if seat else (0, 0)


def by_seat(
    table: str, entry: int, event: object, transfers: Iterable[Transfer], seats: Iterable[int]
) -> Iterator[tuple[int, Transfer]]:
    """The transfers that an event moved, without debts, each with its seat: the one that the event names; otherwise the one of
    these seats for which the transfer was made."""
    moved = [transfer for transfer in transfers if transfer.kind != "debt"]
    if not moved:
        return
    if isinstance(event, WagersPlaced | Decided):
        yield from ((event.seat, transfer) for transfer in moved)
        return
    made = {_id(_key(table, entry, seat), flow): seat for seat in seats for flow in FLOWS}
    yield from ((made[transfer.id], transfer) for transfer in moved)


def _key(table: str, entry: int, seat: int) -> str:
    """With which the ids of a seat's transfers begin, in one entry of the table."""
    return f"{table}.{entry}.{seat}"


def _id(key: str, flow: RoundFlow) -> str:
    return f"{key}.{flow}"


def lacking(transfers: Iterable[Transfer], holds: Callable[[Account], int]) -> dict[str, int]:
    """What accounts that cannot be overdrawn do not hold of what the transfers take from them."""
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


def _undone(event: AnyEvent) -> TransferKind:
    """The kind of transfer for money that goes back."""
    match event:
        case Voided():
            return "void"
        case CardCorrected() | CardsCorrected():
            return "correction"
    return "stake-back"
