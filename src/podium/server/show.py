"""What terminals are shown of a table: one view for everybody, and one for each seat."""

from typing import Final, Literal

import msgspec

from podium.basics.cards import DECK
from podium.basics.words import Phrase, Plural, english, phrase
from podium.house.table import Table, TableConfig
from podium.house.table.config import milliseconds
from podium.house.table.correcting import Corrected
from podium.house.table.events import Retelling
from podium.house.table.printed import table_sentences
from podium.house.table.seats import SEATLESS_FROM
from podium.house.table.shoes import ShoeInUse
from podium.play.mapped import seats_on_map
from podium.play.round import Round
from podium.play.views import Layout, Outcome, SeatView, bonuses, next_place, seat_view, settled_layout
from podium.rules.asking import Decisions, NextCard
from podium.rules.games import Game
from podium.rules.placard import Offer
from podium.rules.rulebook import Rulebook
from podium.server.limits import MAX_SEATS_ON_MAP
from podium.server.terminals import encode
from podium.server.theory import of_line
from podium.wire.messages import (
    BoxView,
    CorrectionView,
    Counts,
    HeldCard,
    History,
    Notices,
    OwnCorrection,
    RetellingView,
    RulesInForce,
    Seated,
    Shoe,
    TableCard,
    TableMap,
    TableView,
    WagerCard,
)

ROUNDS_SHOWN: Final = 10
"""How many past rounds and how many of the largest wins are shown to everybody."""


class Window:
    """Builds what is shown of one table, and counts its states."""

    def __init__(self, table: Table) -> None:
        self.table: Final = table
        self.number = 0
        self._known: TableView | None = None
        """What everybody who watches has been shown, without the counts; None before, and where somebody was shown another."""
        self._newcomers: tuple[int, bytes] | None = None
        """What the last newcomer was shown, without number and time, and after how many happenings."""

    def news(self, now: int) -> TableView | Counts:
        """The next message for everybody: only the counts, if nothing else has changed since the table was shown."""
        view = self.for_everybody(now)
        if (rest := _without_counts(view)) != self._known:
            self._known = rest
            return view
        return Counts(
            table=view.table,
            number=view.number,
            now=now,
            players=view.players,
            betting=view.betting,
            deciding=view.deciding,
            total_bets=view.total_bets,
        )

    def for_newcomer(self, now: int) -> bytes:
        """The table for a newcomer, encoded once for all who come before anything happens."""
        known = self._newcomers
        if known is None or known[0] != self.table.happened:
            view = self.for_everybody(now)
            whole = encode(view)
            known = self._newcomers = self.table.happened, whole[whole.index(b'"phase":') :]
            if _without_counts(view) != self._known:
                self._known = None  # from now on not everybody has the same: the next message is complete
        self.number += 1
        return b'{"is":"table","table":%b,"number":%d,"now":%d,%b' % (
            encode(self.table.name),
            self.number,
            now,
            known[1],
        )

    def for_everybody(self, now: int) -> TableView:
        """The table as everybody sees it, without names and without cards that lie face down."""
        table = self.table
        played = table.round
        awaits = played.awaits if played else None
        # Nothing happens by itself when the result of a live table has been shown: it has no clock.
        shows_no_end = table.between_rounds and table.upcoming.dealer == "live"
        deadline = None if table.rests or shows_no_end else table.deadline
        self.number += 1
        return TableView(
            table=table.name,
            number=self.number,
            now=now,
            phase=table.phase(),
            round=table.round_number,
            fingerprint=table.current_game.fingerprint,
            layout=settled_layout(played) if played else Layout(),
            next=next_place(played) if played else None,
            deadline=deadline,
            window=table.window if deadline is not None else None,
            players=len(table.players),
            betting=len(played.seats) if played else 0,
            deciding=len(awaits) if isinstance(awaits, Decisions) else 0,
            total_bets=sum([seat.staked for seat in played.seats.values()]) if played else 0,
            dealer=table.dealer,
            shoe=_shoe(table),
            shoe_wanted=wanted.phrase if table.between_rounds and (wanted := table.shoe_wanted) else None,
            correction=table.correction.number if table.correction is not None else 0,
            bonuses=bonuses(played) if played else [],
            corrects=table.correction.by if table.correction is not None and table.correction.from_floor else "",
            corrected=_corrected(table.corrected),
            retelling=_retelling(table.tellings.last),
            notice=table.notice.said if table.notice else None,
            cards=cards_shown(played) if played else [],
            taken=sorted(seat for seat in table.players if not table.is_seatless(seat))
            if table.upcoming.seats is not None
            else [],
            coming=coming(table),
        )

    def for_dealer(self) -> HeldCard:
        """What only dealers see: the card that was read and does not count yet (CARD-11)."""
        table, held = self.table, self.table.readings.held
        unexpected = table.readings.unexpected[0] if table.readings.unexpected else ""
        if held is None:
            return HeldCard(table=table.name, unexpected=unexpected)
        card, awaits = table.card_held(), None if table.between_rounds else table.in_play.awaits
        hidden = isinstance(awaits, NextCard) and table.in_play.dealing.takes_unknown(awaits.place)
        return HeldCard(
            table=table.name,
            reading=held.entry,
            card="?" if card is None or hidden else card.code,
            reader=held.reader,
            counts_at=None if held.stopped else held.at + milliseconds(table.upcoming.reading_hold_seconds),
            why=held.why,
            unexpected=unexpected,
        )

    def map(self) -> TableMap:
        """What only dealers see: how each seat that has bet stands."""
        return table_map(self.table.name, self.table.round_number, self.table.round)

    def notices(self, player: str) -> Notices:
        """A player's unread notices of reopened rounds."""
        return Notices(table=self.table.name, notices=self.table.tellings.unread.get(player, ()))

    def history(self) -> History:
        """The last rounds, as everybody saw them, and the largest wins of a few more."""
        past = list(self.table.history)
        wins = sorted((each.best for each in past if each.best), reverse=True)
        return History(table=self.table.name, rounds=past[-ROUNDS_SHOWN:], wins=wins[:ROUNDS_SHOWN])

    def for_player(self, player: str, credit: int, *, locked: int = 0) -> Seated:
        """What only one player sees."""
        table = self.table
        boxes = table.boxes.get(player, {})
        first = next(iter(boxes), 1)
        seat = table.seats.get(player)
        view = self._view(player, seat, credit) if seat is not None else None
        return Seated(
            table=table.name,
            number=self.number,
            round=table.round_number,
            credit=credit,
            seat=seat,
            view=view,
            box=first,
            further=tuple(
                BoxView(box, number, self._view(player, number, credit))
                for box, number in boxes.items()
                if box != first
            ),
            locked=locked,
            corrected=_own_correction(table, player),
            no_cut_until=table.cutting.barred_until(player, "", table.last_at),
        )

    def _view(self, player: str, seat: int, credit: int) -> SeatView | None:
        """A player's view of a seat. One who sits down after a round does not see what the previous player did there."""
        table, played = self.table, self.table.round
        if played is None or seat not in played.seats or table.bettors.get(seat) != player:
            return None
        return seat_view(played, seat, credit)


def table_map(table: str, number: int, played: Round | None) -> TableMap:
    """The map of a round for the dealer, with a bounded number of seats."""
    if played is None:
        return TableMap(table=table, round=number)
    seats = seats_on_map(played, MAX_SEATS_ON_MAP)
    left_out = len(played.seats) - len(seats)
    pays = [seat.pays for seat in seats if seat.pays is not None]
    return TableMap(
        table=table, round=number, seats=seats, left_out=left_out, pays=sum(pays) if pays and not left_out else None
    )


def _without_counts(view: TableView) -> TableView:
    return msgspec.structs.replace(view, number=0, now=0, players=0, betting=0, deciding=0, total_bets=0)


def coming(table: Table) -> tuple[Phrase, ...]:
    """What changes from the next round on, so that everybody knows a rule before it applies (GAME-5)."""
    now, then = table.config, table.pending
    if now is None or then is None:
        return ()
    old, new = now.to_game(), then.to_game()
    if old.name != new.name:
        return (phrase("coming.game", game=new.name),)
    changed = [
        option.says(getattr(new.rules, name))
        for name, option in new.options.items()
        if getattr(old.rules, name) != getattr(new.rules, name)
    ]
    betting, deciding = f"{then.betting_seconds:g}", f"{then.decision_seconds:g}"
    if (now.betting_seconds, now.decision_seconds) != (then.betting_seconds, then.decision_seconds):
        changed.append(phrase("coming.times", betting=betting, deciding=deciding))
    if new.rules.asks_insurance and now.insurance_seconds != then.insurance_seconds:
        changed.append(phrase("coming.insurance", insuring=f"{then.insurance_seconds:g}"))
    if now.dealer != then.dealer:
        changed.append(phrase("coming.dealer-live") if then.dealer == "live" else phrase("coming.dealer-automated"))
    if now.seats != then.seats and then.seats is not None:
        changed.append(phrase("coming.seats", seats=then.seats))
    if now.training and not then.training:
        changed.append(phrase("coming.training-ends"))
    known = [said for said, _ in table_sentences(now)]
    changed += [said for said, _ in table_sentences(then) if said not in known]
    return tuple(changed)


english(
    "coming",
    {
        "game": "The game changes to {game:game}.",
        "times": "Bets are taken for {betting} seconds, and there are {deciding} seconds to decide.",
        "insurance": "There are {insuring} seconds to answer insurance and even money.",
        "dealer-live": "A dealer at the podium deals.",
        "dealer-automated": "The automated dealer deals.",
        "seats": Plural("seats", one="The table has one seat.", other="The table has {seats} seats."),
        "training-ends": "Dealers no longer practise here: wagers are real money.",
    },
)


def table_card(table: Table) -> TableCard:
    """The table's entry in the list of tables."""
    game = table.current_game
    main = game.offers[game.rules.main.name]
    return TableCard(
        table=table.name,
        game=game.name,
        title=game.title,
        dealer=table.upcoming.dealer,
        phase=table.phase(),
        players=len(table.players),
        least=min(main.amounts, default=main.least),
        most=max(main.amounts, default=main.most),
        seats=table.upcoming.seats,
        training=table.upcoming.training,
        dealers=[had for past in list(table.history)[-ROUNDS_SHOWN:] if (had := dealer_had(past))],
    )


def dealer_had(past: Outcome) -> str:
    """The dealer's result in a past round; where all share the cards, the one against players who took none."""
    if past.void:
        return "void"
    hand = past.layout.dealers_hand or next(iter(past.layout.dealers.values()), None)
    if hand is None:
        return ""
    if hand.blackjack:
        return "blackjack"
    return hand.state if hand.state == "bust" else str(hand.total or "")


def rules_in_force(table: Table, book: Rulebook, returns: dict[str, float]) -> RulesInForce:
    """What a terminal must know of the rules of a table. `returns` has the return of each wager, where it is known."""
    game = table.current_game
    config = table.upcoming
    return RulesInForce(
        table=table.name,
        game=game.name,
        title=game.title,
        fingerprint=game.fingerprint,
        dealing=game.dealing.kind,
        options={name: getattr(game.rules, name) for name in game.options},
        wagers=[_wager_card(game, offer, of_line(returns, offer.wager)) for offer in game.offers.values()],
        chapters=book.chapters,
        timers=_timers(config, asks_insurance=game.rules.asks_insurance),
        shoe_cards=len(DECK) * config.to_game().rules.decks,
        seats=config.seats,
        coach=config.coach,
        designator=game.rules.designator,
        most_payable=game.rules.most_payable,
        capped=bool(game.rules.most_payable) and game.rules.over_payable == "cap",
        boxes=config.boxes_per_player,
        seatless_from=SEATLESS_FROM if game.rules.places is not None else 0,
        training=config.training,
        shuffler=config.shuffled_by if config.dealer == "live" else "none",
    )


def _timers(config: TableConfig, *, asks_insurance: bool) -> dict[str, int]:
    timers = {"betting": config.betting_seconds, "decision": config.decision_seconds}
    if asks_insurance:
        timers["insurance"] = config.insurance_seconds
    return {window: milliseconds(seconds) for window, seconds in timers.items()}


def _wager_card(game: Game, offer: Offer, returns: float | None) -> WagerCard:
    return WagerCard(
        wager=offer.wager,
        title=offer.bet.title,
        says=offer.bet.said,
        main=offer.main,
        paytable=offer.paytable_name,
        least=min(offer.amounts, default=offer.least),
        most=max(offer.amounts, default=offer.most),
        amounts=offer.amounts,
        chip=offer.chip,
        needs=offer.bet.needs or "",
        for_dealer=game.rules.takes_tokes,
        toke_least=max(game.rules.toke_least, offer.chip),
        pays={line: odds.ratio for line, odds in offer.paytable.items()},
        returns=returns,
    )


def _corrected(corrected: Corrected | None) -> CorrectionView | None:
    if corrected is None:
        return None
    return CorrectionView(corrected.round, corrected.number, corrected.reason, corrected.cards)


def _retelling(told: Retelling | None) -> RetellingView | None:
    return None if told is None else RetellingView(told.round, told.telling, told.reason, told.void, told.cards)


def _own_correction(table: Table, player: str) -> OwnCorrection | None:
    """What the last correction changed for the player who had bet there."""
    corrected = table.corrected
    if corrected is None or player not in corrected.players:
        return None
    return OwnCorrection(corrected.round, corrected.number, corrected.players[player])


def _shoe(table: Table) -> Shoe | None:
    shoe = table.shoe
    if shoe is None:
        return None
    in_play = 0 if table.between_rounds else table.in_play.cards_of_shoe[1]
    if shoe.shuffle is None or shoe.cut is None:
        return _live_shoe(shoe, in_play)
    how_far: Literal["committing", "opening", "done"] = "opening" if shoe.cut.closed else "committing"
    if shoe.order is not None:
        how_far = "done"
    may_cut = shoe.entitled if shoe.entitled is not None else [f"seat-{seat}" for seat in table.players]
    return Shoe(
        number=shoe.number,
        cards=shoe.cards,
        dealt=shoe.dealt + in_play,
        commitment=shoe.shuffle.commitment,
        cut=how_far,
        cutters=dict(shoe.cut.committed),
        may_cut=tuple(may_cut) if how_far == "committing" else (),
        one_round=shoe.one_round,
        discarded=table.cutting.discarded,
    )


def _live_shoe(shoe: ShoeInUse, in_play: int) -> Shoe:
    return Shoe(
        number=shoe.number,
        cards=shoe.cards,
        dealt=shoe.dealt + in_play,
        burned=shoe.burned,
        to_burn=shoe.to_burn,
        cut_card="out" if shoe.cut_card else "due" if shoe.cut_card_is_due(in_play) else "",
        shuffler=shoe.shuffler,
    )


def cards_shown(played: Round) -> list[str]:
    """The cards in the order of dealing; one that lies face down is `?`, whether or not the system knows it."""
    return [laid.card.code if laid.card else "?" for laid in played.face_up]
