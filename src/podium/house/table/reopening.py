"""Reopening a settled round: it is settled again with the right cards, or as void (docs/decisions/reopening.md).

The round is played again from the journal, outside the table. The table receives only the differences; it checks that nobody
else has settled the round meanwhile, and records them in one entry with all the money.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from podium.basics.cards import Card, cards, codes
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.table.config import TableConfig
from podium.house.table.correcting import EditedCards, Fix, before, what_changed
from podium.house.table.events import Notice, RoundReopened, SeatTold
from podium.house.table.money import ACCOUNTING, FLOWS, Flows, Ways, flows_of, settled_at_once, tipped, with_held
from podium.house.table.shoes import ShoeInUse
from podium.play.again import reopened, told_again
from podium.play.events import AnyEdit
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.play.views import outcome
from podium.record.ledger import Account, RoundFlow, Transfer, account, changes, kind_of, names_of, with_flow

MINUTE_MS: Final = 60_000
MAX_REOPENED_ROUNDS_BACK: Final = 30
"""How many rounds of a table may have begun since: the meters remember the players of that many (MTR-3)."""
MAX_UNREAD_NOTICES_PER_TABLE: Final = 20_000
"""Players whose notices a table keeps. At the limit: the oldest are dropped; recall has both tellings all the same."""


class SeatSoFar:
    """The money of one seat in a round: the sums of its transfers."""

    def __init__(self) -> None:
        self.flows: Final[Counter[RoundFlow]] = Counter()
        self.dealer = ""
        self.terminal = ""

    def copy(self) -> "SeatSoFar":
        same = SeatSoFar()
        same.flows.update(self.flows)
        same.dealer, same.terminal = self.dealer, self.terminal
        return same

    def count(self, transfer: Transfer) -> None:
        flow = with_flow(transfer).flow
        if not flow:
            return
        forward = kind_of(transfer.debit) == FLOWS[flow][0]
        self.flows[flow] += transfer.amount if forward else -transfer.amount
        self.terminal = transfer.terminal or self.terminal
        for name in (transfer.debit, transfer.credit):
            if kind_of(name) == "tips":
                self.dealer = names_of(name)[0]


class SettledRound(NamedTuple):
    """A round that was settled, as the journal has it."""

    number: int
    played: Round
    telling: int
    """How often it was settled; 1 if it was never reopened."""
    ended: int
    config: TableConfig
    dealer: str
    players: Mapping[int, str]
    money: Mapping[int, SeatSoFar]


class Reopening(NamedTuple):
    """A round settled again, before anybody has approved it."""

    settled: SettledRound
    now: Round
    edits: tuple[AnyEdit, ...]
    reason: Reason
    seats: tuple[SeatTold, ...]

    @property
    def void(self) -> bool:
        return self.now.voided

    @property
    def paid(self) -> int:
        """The total of what players get in addition."""
        return sum(max(0, told.net_now - told.net_was) for told in self.seats)

    @property
    def taken(self) -> int:
        """The total of what players must give back."""
        return sum(max(0, told.net_was - told.net_now) for told in self.seats)

    def event(self, by: str, approved_by: str, shoe: ShoeInUse | None) -> RoundReopened:
        """The event to be recorded. `shoe` is the shoe in use, if cards of the round came from it."""
        settled, now = self.settled, self.now
        changed = () if self.void else tuple(what_changed(before(settled.played), now)[0])
        out, back, unseen = (
            _recounted(settled.played, now) if shoe is not None else (Counter[Card](), Counter[Card](), 0)
        )
        return RoundReopened(
            round=settled.number,
            telling=settled.telling + 1,
            ended=settled.ended,
            by=by,
            approved_by=approved_by,
            reason=self.reason.text,
            why=self.reason.key,
            void=self.void,
            edits=self.edits,
            cards=changed,
            seats=self.seats,
            outcome=outcome(settled.number, now),
            shoe=shoe.number if shoe is not None and (out or back or unseen) else 0,
            out=codes(sorted(out.elements(), key=lambda card: card.code)),
            back=codes(sorted(back.elements(), key=lambda card: card.code)),
            unseen=unseen,
        )


def reopen(settled: SettledRound, fixes: Sequence[Fix], reason: Reason, *, void: bool) -> Reopening:
    """Settles a round again; refused if that is not possible."""
    if not reason:
        raise Refused("reopen-reason", clause="EVT-1")
    if settled.played.voided:
        raise Refused("reopen-void", round=settled.number, clause="VOID-4")
    if void == bool(fixes):
        raise Refused("reopen-how", clause="VOID-4")
    if fixes and settled.config.dealer != "live":
        raise Refused("cards-proven-over", clause="VOID-4")
    edits = () if void else EditedCards(reopened(settled.played), None, _stays_face_down).edits(fixes)
    draft = RoundReopened(settled.number, 0, 0, "", "", reason.text, reason.key, void, edits)
    now = told_again(settled.played, draft.events())
    return Reopening(settled, now, edits, reason, tuple(_told(settled, now)))


def _stays_face_down(card: Card) -> str:
    raise Refused("reopen-face-down", clause="CARD-4")


def _told(settled: SettledRound, now: Round) -> Iterable[SeatTold]:
    won: Counter[str] = Counter()
    for number, seat in now.seats.items():
        won[settled.players[number]] += flows_of(seat).win
    for number, seat in now.seats.items():
        player, so_far = settled.players[number], settled.money.get(number, SeatSoFar())
        was = Flows(*(so_far.flows[flow] for flow in FLOWS))
        flows = with_held(was, flows_of(seat), won[player], settled.config.attendant_pays_from)
        if flows != was or now.voided:
            dealer = so_far.dealer or tipped(player, settled.dealer)
            yield SeatTold(number, player, _written(was), _written(flows), dealer, so_far.terminal)


def _written(flows: Flows) -> dict[RoundFlow, int]:
    return {flow: amount for flow, amount in zip(FLOWS, flows, strict=True) if amount}


def _recounted(was: Round, now: Round) -> tuple[Counter[Card], Counter[Card], int]:
    """The cards that had left the shoe uncounted, those that were counted and had not, and the change of unseen ones."""
    (seen, gone), (seen_now, gone_now) = was.cards_of_shoe, now.cards_of_shoe
    out, back = Counter(seen_now) - Counter(seen), Counter(seen) - Counter(seen_now)
    return out, back, (gone_now - len(seen_now)) - (gone - len(seen))


def recount(played: Round, event: RoundReopened) -> None:
    """The cards gone from the shoe of a round in play, after an earlier round has changed."""
    if event.shoe:
        played.out = (Counter(played.out) + Counter(cards(event.out))) - Counter(cards(event.back))


def notices(event: RoundReopened, transfers: Iterable[Transfer], at: int) -> dict[str, Notice]:
    """The notice to each player."""
    moved, told = changes(transfers), dict[str, Notice]()
    for player in dict.fromkeys(seat.player for seat in event.seats):
        own = [seat for seat in event.seats if seat.player == player]
        told[player] = Notice(
            event.round,
            event.telling,
            at,
            event.told.said,
            sum(seat.net_was for seat in own),
            sum(seat.net_now for seat in own),
            moved.get(account("credit", player), 0),
            sum(event.owed.get(name, 0) for name in (f"credit/{player}", f"attendant/{player}")),
            event.void,
            event.cards,
        )
    return told


def due(
    table: str, number: int, played: Round, players: Mapping[int, str], dealer: str, accounting: int = ACCOUNTING
) -> Counter[Account]:
    """The change of each account by a round with this settlement. What an attendant pays counts as credit, since that depends
    on when the rest of it was paid (HP-1)."""
    changed: Counter[Account] = Counter()
    for seat in played.seats.values():
        ways = Ways(table, number, players[seat.number], dealer)
        decided = settled_at_once(played, seat, accounting)
        flows = flows_of(seat, at_once=list(chain.from_iterable(decided.values())))
        changed.update(changes(ways.transfers(Flows(), flows, "due", undone="stake-back")))
    return changed


def as_due(transfers: Iterable[Transfer]) -> Counter[Account]:
    """The change of each account by these transfers, without debts."""
    moved: Counter[Account] = Counter()
    for name, change in changes(transfer for transfer in transfers if transfer.kind != "debt").items():
        moved[account("credit", *names_of(name)) if kind_of(name) == "attendant" else name] += change
    return moved


def differing(due: Counter[Account], moved: Counter[Account]) -> str:
    """A sentence about the first account on which the two disagree; empty if they agree."""
    for name in sorted(due.keys() | moved.keys()):
        if due[name] != moved[name] and kind_of(name) != "tips":
            return f"{name} was moved by {moved[name]}, but the record comes to {due[name]}."
    tips = sum(amount for name, amount in due.items() if kind_of(name) == "tips")
    given = sum(amount for name, amount in moved.items() if kind_of(name) == "tips")
    # A change of dealer in mid-round splits the tips between two people; the sum is the same.
    return "" if tips == given else f"The dealers were given {given}, but the record comes to {tips}."


english(
    "refused",
    {
        "reopen-reason": "Reopening a round needs a reason.",
        "reopen-void": "Round {round} is void and cannot be settled again.",
        "reopen-how": "A reopened round is either corrected or void: enter what is corrected, or void it.",
        "cards-proven-over": "The cards of an automated table are proven by its shoe and cannot be corrected: void the round.",
        "reopen-face-down": "A card that lies face down was never turned: it decides nothing, and stays as it is.",
    },
)
