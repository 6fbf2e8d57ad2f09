"""How each command is carried out, and who may give it."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from podium.basics.cards import card
from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, Plural, english, phrase
from podium.house import House
from podium.house.people import DUTIES, Duty, require
from podium.house.table import Table
from podium.house.table.correcting import Fix
from podium.play.events import AnyEvent, BettingClosed, Confirmed, HolePeeked, HoleTurned, Voided
from podium.play.reasons import Reason
from podium.rules.asking import Confirmation, HoleCard, Peek, Wagers
from podium.server.approvals import Act
from podium.server.coach import Asked, asked
from podium.wire.commands import (
    AbandonCorrection,
    Advise,
    AnswerPeek,
    AnswerReading,
    AnyCommand,
    AnyFix,
    BeginCorrection,
    BurnCard,
    CloseBets,
    CommitCut,
    Confirm,
    Correct,
    CountShoe,
    Decide,
    EnterCard,
    InsertCard,
    Join,
    Leave,
    LeavePlace,
    LoadShoe,
    NewGame,
    OpenCut,
    PlaceBet,
    ReadCard,
    RemoveCard,
    ReplaceCard,
    SeeCutCard,
    SwapCards,
    TakePlace,
    TurnHole,
    Void,
)


class Approving(Protocol):
    def approve(self, act: Act, code: str, now: int) -> str:
        """Who approved this very act, which uses the approval up. Refused where nobody has; then a second person sees it."""


class Sender(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def terminal(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def reads(self) -> str: ...


PLAYERS: Final = (Join, Leave, PlaceBet, Decide, Advise, CommitCut, OpenCut)
DEALERS: Final = (
    NewGame,
    CloseBets,
    EnterCard,
    AnswerPeek,
    TurnHole,
    Confirm,
    BeginCorrection,
    AbandonCorrection,
    Correct,
    Void,
    LoadShoe,
    BurnCard,
    SeeCutCard,
    CountShoe,
    AnswerReading,
    TakePlace,
    LeavePlace,
)


AnyRuling = BeginCorrection | AbandonCorrection | Correct | Void
"""A ruling of the floor on a round."""


def carry_out(
    house: House, approving: Approving, who: Sender, name: str, command: AnyCommand, now: int
) -> int | Asked | None:
    """Carries out a command at a table, or refuses it. Returns the seat that was taken, or the question that advice is wanted
    on."""
    if isinstance(command, ReadCard):
        if who.reads != name:
            raise Refused("not-a-reader", table=name, clause="SEC-2")
        found, where = card(command.card), command.session
        house.at_table(name, lambda table: table.read(who.name, where, command.number, found, now))
        return None
    if isinstance(command, PLAYERS):
        _require(who, "bet")
        return _player(house, who, name, command, now)
    if isinstance(command, DEALERS):
        _require(who, "deal")
        house.at_table(name, lambda table: _dealer(table, approving, who.name, command, now))
        return None
    raise Refused("not-done-at-table")


def overrule(house: House, who: Sender, name: str, command: AnyRuling, now: int) -> None:
    """VOID-4: a supervisor voids or corrects any table's round from the floor. No approval is needed: a supervisor would be the
    one to give it."""
    _require(who, "void")
    house.at_table(name, lambda table: _overrule(table, who.name, command, now))


def _overrule(table: Table, supervisor: str, command: AnyRuling, now: int) -> None:
    if table.dealer == supervisor:  # somebody who dealt the round in another role must not rule on it alone
        raise Refused("own-deal", clause="CARD-6")
    if not isinstance(command, Void) and table.configured.dealer != "live":
        raise Refused("cards-proven", clause="VOID-4")
    _DEALING[type(command)](table, None, supervisor, command, now)


def _require(who: Sender, duty: Duty) -> None:
    if who.role not in DUTIES:
        raise Refused("display-only", clause="SEC-2")
    require(who.role, duty)


def _player(house: House, who: Sender, name: str, command: AnyCommand, now: int) -> int | Asked | None:
    table, player = house.table(name), who.name
    match command:
        case Join(seat=seat, box=box, without_seat=without_seat):
            return house.sit_down(player, name, seat, now, box=box, without_seat=without_seat)
        case Leave(box=box):
            house.at_table(name, lambda table: table.get_up(player, now, box=box))
        case PlaceBet():
            _this_round(table, command.round)
            if not _stands(table, player, command):
                wagers, for_dealer, spots = command.wagers, command.for_dealer, command.spots
                device = who.device or who.terminal
                told = {"terminal": who.terminal, "device": device}
                house.bet(player, name, wagers, for_dealer, spots, now, box=command.box, **told)
        case Decide():
            _this_round(table, command.round)
            _decide(house, table, player, command, now)
        case Advise():
            return asked(table, player, house.credit(player), command)
        case CommitCut(shoe=shoe, commitment=commitment):
            device = who.device or who.terminal
            house.at_table(name, lambda table: table.commit_to_cut(player, shoe, commitment, now, device=device))
        case OpenCut(shoe=shoe, number=number):
            house.at_table(name, lambda table: table.open_cut(player, shoe, number, now))
    return None


def _stands(table: Table, player: str, command: PlaceBet) -> bool:
    """Whether this very bet is already placed: a terminal that lost the answer may send it again after a restart."""
    seat = table.round.seats.get(_seat_of(table, player, command)) if table.round else None
    if seat is None or (seat.amounts, seat.for_dealer) != (command.wagers, command.for_dealer):
        return False
    return seat.spots == (table.round.game.rules.read_spots(command.spots) if table.round else ())


def _decide(house: House, table: Table, player: str, command: Decide, now: int) -> None:
    """Checks that an answer is for the open question; the same answer again is harmless."""
    made = table.in_play.decisions_of(_seat_of(table, player, command))
    if 0 <= command.step < len(made) and made[command.step] == (command.decision, False):
        return
    if command.step != len(made):
        raise Refused("not-asked-now")
    house.decide(player, table.name, command.decision, now, box=command.box)


def _seat_of(table: Table, player: str, command: PlaceBet | Decide) -> int:
    """The seat of the box that a command names, or of the first one; 0 if the player has none."""
    return table.seats.get(player, 0) if command.box is None else table.boxes.get(player, {}).get(command.box, 0)


def _this_round(table: Table, number: int) -> None:
    if number != table.round_number:
        raise Refused("round-over", round=number, now=table.round_number)


def _dealer(table: Table, approving: Approving, dealer: str, command: Any, now: int) -> None:
    # GAME-5: a round is dealt to its end by the dealer who began it; a new configuration applies to the next round.
    if (table.upcoming if table.between_rounds else table.configured).dealer != "live":
        raise Refused("automated")
    if isinstance(command, TakePlace):
        table.take_place(dealer, now)
        return
    if table.dealer != dealer:
        if not table.dealer:
            raise Refused("podium-empty", clause="CARD-6")
        raise Refused("podium-taken", dealer=table.dealer, clause="CARD-6")
    _DEALING[type(command)](table, approving, dealer, command, now)


def _enter(table: Table, command: EnterCard, now: int) -> None:
    """Checks that a card is for the next place; the same card again is harmless."""
    _this_round(table, command.round)
    entered = None if command.card == "unknown" else card(command.card)
    out = table.in_play.cards
    if 1 <= command.number <= len(out) and table.card_entered(command.number) is entered:
        return
    if command.number != len(out) + 1:
        raise Refused("card-number", number=command.number, out=len(out))
    table.deal(entered, now)


def _begin_correction(table: Table, approving: Approving | None, by: str, command: BeginCorrection, now: int) -> None:
    _this_round(table, command.round)
    if table.correction is None:
        table.open_correction(now, by=by, from_floor=approving is None)


def _abandon_correction(
    table: Table, approving: Approving | None, by: str, command: AbandonCorrection, now: int
) -> None:
    _this_round(table, command.round)
    _is_open(table, command.correction)
    table.abandon_correction(now, by=by, from_floor=approving is None)


def _is_open(table: Table, number: int) -> None:
    if number and (table.correction is None or table.correction.number != number):
        raise Refused("correction-over", number=number)


def _burn(table: Table, dealer: str, command: BurnCard, now: int) -> None:
    """Checks that a card is the next one to burn; one that is burned already is not burned again."""
    burned = table.shoe.burned if table.shoe is not None and table.shoe.number == command.shoe else 0
    if command.number <= burned:
        return
    if command.number != burned + 1:
        raise Refused("burn-number", number=command.number, burned=burned)
    table.burn(command.shoe, None if command.card == "unknown" else card(command.card), now, by=dealer)


def _correct(table: Table, approving: Approving | None, dealer: str, command: Correct, now: int) -> None:
    _this_round(table, command.round)
    fixes = [
        *([Fix("replace", command.number, card(command.card))] if command.card else []),
        *map(read_fix, command.fixes),
    ]
    done = table.corrected
    if command.correction and done is not None and (done.round, done.number) == (command.round, command.correction):
        if done.asked and done.asked != tuple(fix.in_short for fix in fixes):
            raise Refused("correction-other", number=done.number, clause="CARD-3")
        return  # sent again: it is already done
    _is_open(table, command.correction)
    if not command.correction and any(fix.kind != "replace" for fix in fixes):
        # If sent again after a restart, it would be done twice; replacing a card twice does no harm.
        raise Refused("correction-not-begun", clause="CARD-3")
    reason, approved = Reason(command.why, command.reason), ""
    if approving is not None and table.correction_needs_approval(fixes):
        table.check_correction(fixes, reason)
        about = f"round {table.round_number}, correction {table.corrections}: {reason} {fixes}"
        act = Act(dealer, table.name, _correction_said(table, fixes, reason), ("void",), about=about)
        approved = approving.approve(act, command.approval, now)
    from_floor = approving is None
    table.correct_cards(fixes, now, by=dealer, reason=reason, approved_by=approved, from_floor=from_floor)


def read_fix(asked: AnyFix) -> Fix:
    """A change of the cards as a terminal asks for it."""
    match asked:
        case ReplaceCard(number, code):
            return Fix("replace", number, card(code))
        case InsertCard(number, code):
            return Fix("insert", number, card(code))
        case RemoveCard(number):
            return Fix("remove", number)
        case SwapCards(number, other):
            return Fix("swap", number, other=other)
    return Fix("withdraw-peek")


def _correction_said(table: Table, fixes: list[Fix], reason: Reason) -> Phrase:
    """The correction as the second person reads it. It names no card that lies face down, neither as it was entered nor
    as it is (CARD-4)."""
    name, number, stake = table.name, fixes[0].number if fixes else 0, _at_stake(table)
    why = reason.fact if reason.key else shortened(reason.text)
    if len(fixes) != 1 or fixes[0].kind != "replace":
        said = [fix.said for fix in table.unseen(fixes)]
        return phrase("act.correct-cards", table=name, round=table.round_number, stake=stake, fixes=said, reason=why)
    if table.in_play.lies_face_down(number):
        return phrase(
            "act.correct-face-down", table=name, round=table.round_number, number=number, stake=stake, reason=why
        )
    return phrase(
        "act.correct-card",
        table=name,
        round=table.round_number,
        number=number,
        was=table.in_play.card_entered(number) or "?",
        card=fixes[0].card,
        stake=stake,
        reason=why,
    )


def _void(table: Table, approving: Approving | None, dealer: str, command: Void, now: int) -> None:
    _this_round(table, command.round)
    reason = Reason(command.why, command.reason)
    if _is_void(table, reason):
        return
    approved = ""
    if approving is not None and table.void_needs_approval:
        table.check_void(reason)
        stake, why = _at_stake(table), reason.fact if reason.key else shortened(reason.text)
        said = phrase("act.void-round", table=table.name, round=table.round_number, stake=stake, reason=why)
        act = Act(dealer, table.name, said, ("void",), about=f"round {table.round_number}: {reason}")
        approved = approving.approve(act, command.approval, now)
    from_floor = approving is None
    table.void(now, by=dealer, reason=reason.text, why=reason.key, approved_by=approved, from_floor=from_floor)


def _is_void(table: Table, reason: Reason) -> bool:
    events = table.round.events if table.round is not None else ()
    return any(isinstance(event, Voided) and Reason(event.why, event.reason) == reason for event in events)


def _at_stake(table: Table) -> int:
    return sum(seat.staked for seat in table.in_play.seats.values())


def _new_game(table: Table, command: NewGame, now: int) -> None:
    if command.round == table.round_number and not table.between_rounds:
        return
    if command.round != table.round_number + 1:
        raise Refused("round-next", next=table.round_number + 1, asked=command.round)
    table.open_round(now)


def _in_round(
    answers: type, do: Callable[[Table, Any, int], None], happens: Callable[[Any], AnyEvent]
) -> Callable[[Table, Approving | None, str, Any, int], None]:
    """Carries out a command that answers one step of the round in play; repeating it is harmless. A correction may have
    made the round await that step again: then it has not been done."""

    def done(table: Table, approving: Approving | None, dealer: str, command: Any, now: int) -> None:
        _this_round(table, command.round)
        try:
            do(table, command, now)
        except Refused:
            round = table.round
            if round is None or isinstance(round.awaits, answers) or happens(command) not in round.events:
                raise

    return done


_DEALING: Final[dict[type, Callable[[Table, Approving | None, str, Any, int], None]]] = {
    NewGame: lambda table, _, dealer, command, now: _new_game(table, command, now),
    CloseBets: _in_round(Wagers, lambda table, _, now: table.close_bets(now), lambda _: BettingClosed()),
    EnterCard: lambda table, _, dealer, command, now: _enter(table, command, now),
    AnswerPeek: _in_round(
        Peek,
        lambda table, command, now: table.peek(command.blackjack, now),
        lambda command: HolePeeked(command.blackjack),
    ),
    TurnHole: _in_round(
        HoleCard,
        lambda table, command, now: table.turn(card(command.card), now),
        lambda command: HoleTurned(card(command.card)),
    ),
    Confirm: _in_round(Confirmation, lambda table, _, now: table.confirm(now), lambda _: Confirmed()),
    BeginCorrection: _begin_correction,
    AbandonCorrection: _abandon_correction,
    Correct: _correct,
    Void: _void,
    LoadShoe: lambda table, _, dealer, command, now: table.load_shoe(
        command.cards, now, by=dealer, follows=command.follows
    ),
    BurnCard: lambda table, _, dealer, command, now: _burn(table, dealer, command, now),
    SeeCutCard: lambda table, _, dealer, command, now: table.see_cut_card(
        command.shoe, now, by=dealer, out=command.out
    ),
    CountShoe: lambda table, _, dealer, command, now: table.count_shoe(
        command.shoe, command.discards, command.left, now, by=dealer
    ),
    AnswerReading: lambda table, _, dealer, command, now: table.answer_reading(
        command.reading, command.answer, now, by=dealer
    ),
    LeavePlace: lambda table, _, dealer, command, now: table.leave_place(dealer, now),
}


english(
    "refused",
    {
        "not-done-at-table": "That cannot be done at a table.",
        "display-only": "A display only shows the table.",
        "not-a-reader": "No card reader of table {table} is enrolled here.",
        "not-asked-now": "That question is not open now.",
        "round-over": "Round {round} is over: the current round is {now}.",
        "round-next": "The next round is {next}, not {asked}.",
        "correction-not-begun": (
            "A correction that inserts, removes or swaps cards, or withdraws a peek, is begun first and names its number ({clause}),"
            " so that it is not done twice."
        ),
        "correction-other": "Correction {number} of this round was done with other changes ({clause}): begin another one.",
        "correction-over": "Correction {number} is no longer open.",
        "automated": "The automated dealer deals at this table.",
        "own-deal": "You are at the podium of this table: another supervisor must decide.",
        "cards-proven": "The cards of an automated table are proven by its shoe and cannot be corrected: void the round.",
        "podium-taken": "{dealer} is at the podium: take over the table first.",
        "burn-number": Plural(
            "burned",
            one="Card {number} is not the next one to burn: one card is burned so far.",
            other="Card {number} is not the next one to burn: {burned} cards are burned so far.",
        ),
        "card-number": Plural(
            "out",
            one="Card {number} is not the next one: one card is out.",
            other="Card {number} is not the next one: {out} cards are out.",
        ),
    },
)
