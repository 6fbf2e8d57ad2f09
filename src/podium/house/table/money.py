"""What a round moves between accounts: stakes into play, and out of it what was lost, returned, won or given.

A seat's money runs in a few flows, each from one account to another. In ordinary play a flow only grows, and what it
grew by is transferred when it happens. A correction or a void can make it shrink; then the difference goes back.
"""

from typing import Final, NamedTuple

from podium.record.ledger import Account, Transfer, TransferKind, account
from podium.rules.results import WagerResult
from podium.rules.seat import Seat


class Flows(NamedTuple):
    """How much has run, for one seat in one round."""

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
        """All that the dealer was given."""
        return self.tip_of_stake + self.tip_of_win


def flows_of(seat: Seat, *, attendant_pays_from: int = 0, over: bool = False) -> Flows:
    """How a seat's money has run so far. A win that an attendant must pay is held back when the round is over."""
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
    """How much of a stake itself goes back to the player, and how much of it to the dealer."""
    kept = min(wager.returned - wager.tips, wager.staked)
    return kept, min(wager.tips, wager.staked - kept)


_FLOWS: Final[dict[str, tuple[str, str, TransferKind]]] = {
    "stake": ("credit", "in-play", "stake"),
    "stake_back": ("in-play", "credit", "stake-back"),
    "win": ("bank", "credit", "win"),
    "tip_of_stake": ("in-play", "tips", "tip"),
    "tip_of_win": ("bank", "tips", "tip"),
    "stake_lost": ("in-play", "bank", "stake-lost"),
    "win_held": ("bank", "attendant", "win-held"),
}
"""Where each flow comes from, where it goes, and what its transfers are called."""


class Ways(NamedTuple):
    """The accounts between which one seat's money runs, in one round."""

    table: str
    round: int
    player: str
    dealer: str
    terminal: str = ""
    """Where the player made the bet."""

    def transfers(self, was: Flows, now: Flows, key: str, *, undone: TransferKind) -> list[Transfer]:
        """What the flows grew by since; what one shrank by goes back, under the name of what undid it."""
        if was == now:
            return []
        moved = []
        for flow, before, after in zip(Flows._fields, was, now, strict=True):
            if before != after:
                source, target, kind = _FLOWS[flow]
                if after < before or undone == "void":
                    # A win that was paid early and is now held is no stake that comes back.
                    kind = "correction" if flow == "win" and undone == "stake-back" else undone
                if after < before:
                    source, target = target, source
                moved.append(
                    Transfer(
                        id=f"{key}.{flow}",
                        debit=self._account(source),
                        credit=self._account(target),
                        amount=abs(after - before),
                        kind=kind,
                        table=self.table,
                        round=str(self.round),
                        terminal=self.terminal,
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
