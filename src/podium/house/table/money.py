"""The transfers of a round: stakes go into play, and losses, returns, wins and tips come out of it.

A seat's money moves in a few flows, each from one account to another. In ordinary play a flow only grows, and each
increase is transferred when it happens. A correction or a void can make a flow shrink; then the difference goes back.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from podium.play.events import AnyEvent, CardCorrected, CardsCorrected, Decided, Voided, WagersPlaced
from podium.play.round import Round
from podium.record.ledger import Account, RoundFlow, Transfer, TransferKind, account
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


def flows_of(seat: Seat, *, attendant_pays_from: int = 0, over: bool = False) -> Flows:
    """A seat's flows so far. A win that an attendant must pay is held back when the round is over."""
    back = win = tip_of_stake = tip_of_win = lost = 0
    for wager in seat.settled:
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
                        id=f"{key}.{flow}",
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

    def __init__(self, table: str, number: int) -> None:
        self._table: Final = table
        self._round: Final = number
        self._known: Final[dict[int, SeatMoney]] = {}

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
        undone, over = _undone(event), played.over
        seats = [event.seat] if isinstance(event, WagersPlaced | Decided) else list(played.seats)
        moved: list[Transfer] = []
        for number in seats:
            seat = played.seats.get(number)
            known = self._known.get(number)
            seen = (seat.staked, len(seat.settled)) if seat else (0, 0)
            if known is not None and known.seen == seen and undone == "stake-back" and not over:
                continue
            before = known.flows if known else NOTHING
            flows = flows_of(seat, attendant_pays_from=attendant_pays_from, over=over) if seat else NOTHING
            # A tip is taken back from the dealer who got it, even if another one is at the podium now.
            tipped = known.dealer if known and before.tips else dealer
            # GAME-2: doubles, splits and wins count for the terminal where the game began (MTR-1).
            terminal = seat.terminal if seat else event.terminal if isinstance(event, WagersPlaced) else ""
            ways = Ways(self._table, self._round, players[number], tipped, terminal)
            moved += ways.transfers(before, flows, f"{self._table}.{entry}.{number}", undone=undone)
            self._known[number] = SeatMoney(seen, flows, tipped)
        return tuple(moved)


def _undone(event: AnyEvent) -> TransferKind:
    """The kind of transfer for money that goes back."""
    match event:
        case Voided():
            return "void"
        case CardCorrected() | CardsCorrected():
            return "correction"
    return "stake-back"
