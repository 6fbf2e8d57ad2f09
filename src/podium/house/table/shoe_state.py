"""The shoes of a table: the one in use, those that ended, and who may cut the next one.

Like the rest of the table this is a fold over happenings. `TableState` adds the rounds that are dealt from the shoes.
"""

from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house import limits
from podium.house.table.config import TableConfig
from podium.house.table.cutting import MINUTE_MS, Cutting
from podium.house.table.events import (
    CutCardOut,
    CutClosed,
    CutCommitted,
    CutOpened,
    EndedShoe,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
    ShoeShuffled,
)
from podium.house.table.face_down import Sealing
from podium.house.table.seats import Seats
from podium.house.table.shoes import ShoeInUse
from podium.play.events import ShoeFollowed
from podium.record.fair import Cut, cut_seed
from podium.record.limits import MAX_CUTTERS_PER_SHOE
from podium.rules.games import Game

ShoeEvent = (
    ShoeShuffled
    | CutCommitted
    | CutClosed
    | CutOpened
    | ShoeLoaded
    | CutCardOut
    | ShoeCounted
    | ShoeChangeAsked
    | ShoeEnded
)
"""The happenings of a shoe."""


class ShoeState:
    """A table's configuration, its seats and its shoes, and how the happenings of a shoe change them."""

    def __init__(self, name: str, sealing: Sealing) -> None:
        self.name: Final = name
        self._sealing: Final = sealing
        self.config: TableConfig | None = None
        self.pending: TableConfig | None = None
        """The configuration for the next round, if it changes."""
        self.game: Game | None = None
        """The game in force; None before the first round."""
        self._seats: Final = Seats()
        self.players: Final = self._seats.players
        """Who sits where."""
        self.seats: Final = self._seats.numbers
        """The seat of each player; the first box, where a player has several."""
        self.boxes: Final = self._seats.boxes
        """All seats of each player, by box."""
        self.leaving: Final = self._seats.leaving
        """Seats that become free when the round is over, and since when."""
        self.shoe: ShoeInUse | None = None
        self.shoe_number = 0
        self.shoes: dict[int, EndedShoe] = {}
        """The last finished shoes, by number."""
        self.barred: frozenset[str] = frozenset()
        """Terminals that did not open their number for the last cut. They may not take part in the next one, so that they
        cannot stop it too."""
        self.cutting = Cutting()
        """Who may cut the shoes."""
        self.round_number = 0
        self.happened = 0
        """How many happenings the table has taken; the same as the number of its entries in the journal."""

    # --- the fold ---------------------------------------------------------------------------------------------------

    def _apply_to_shoe(self, event: ShoeEvent, at: int) -> None:
        match event:
            case ShoeShuffled():
                self._take_shoe(event, at)
            case CutCommitted(terminal, commitment, device):
                self._check_right(terminal, device, at)
                self._cut.commit(terminal, commitment)
                self._shoe.devices[terminal] = device
            case CutClosed():
                self._cut.close()
                self._shoe.closed_at = at
                if not self._cut.committed:
                    self._shoe.one_round |= self.cutting.openers is not None
                    self.cutting.not_cut()
                self._settle_order()
            case CutOpened(terminal, number):
                self._cut.open(terminal, number)
                self._settle_order()
            case ShoeLoaded():
                self._load_shoe(event, at)
            case CutCardOut(out=out):
                self._shoe.cut_card = out
            case ShoeCounted(number):
                if self.shoe is not None and self.shoe.number == number:
                    self.shoe.miscounted |= event.wrong
            case ShoeChangeAsked(_, reason):
                self._shoe.change = reason
            case ShoeEnded():
                self._end_shoe(event, at)

    def _load_shoe(self, loaded: ShoeLoaded, at: int) -> None:
        """Puts a live shoe on the table."""
        number, decks, first = loaded.shoe, loaded.cards // 52, self.happened + 1
        share, shuffler, burn = loaded.penetration, loaded.shuffler, loaded.burn
        self.shoe = ShoeInUse(number, decks, at, first, penetration=share, shuffler=shuffler, burn=burn)
        self.shoe_number = number

    def _follow_shoe(self, followed: ShoeFollowed, at: int) -> None:
        """The next shoe follows in mid-round; its burn cards are gone at once."""
        number, cards, by, burned = followed.shoe, followed.cards, followed.by, followed.burned
        self._load_shoe(ShoeLoaded(number, cards, by, penetration=followed.penetration, burn=burned), at)
        for _ in range(burned):
            self._shoe.burn_card(None)
        self._shoe.dealt_in(self.round_number)

    def _take_shoe(self, shuffled: ShoeShuffled, at: int) -> None:
        if shuffled.cutters is not None and shuffled.cutters != self.cutting.entitled(self.players, at):
            raise Refused("cutters-differ", shoe=shuffled.shoe, clause="RNG-10")
        shuffle, penetration = self._sealing.open(self.name, shuffled), self.upcoming.penetration
        first = self.happened + 1
        self.shoe = ShoeInUse(shuffled.shoe, shuffled.decks, at, first, shuffled, shuffle, penetration=penetration)
        self.shoe.one_round = not self.players
        self.shoe_number = shuffled.shoe

    def _check_right(self, terminal: str, device: str, at: int) -> None:
        """Refuses a commitment from somebody who was not entitled when the shuffle was recorded, and a second one from
        a device."""
        shoe = self._shoe
        if shoe.entitled is None or shoe.cut is None:
            return
        player = shoe.entitled.get(terminal)
        if player is None or _seat(terminal) not in self.boxes.get(player, {}).values():
            raise Refused("cut-no-right", rounds=limits.MAX_ROUNDS_OF_A_CUT_RIGHT, terminals=MAX_CUTTERS_PER_SHOE)
        ends = self.cutting.barred_until(player, device, at)
        if ends:
            raise Refused("cut-barred", minutes=minutes_until(ends, at))
        if device and any(device == known for other, known in shoe.devices.items() if other != terminal):
            raise Refused("cut-device")

    def _settle_order(self) -> None:
        """Fixes the order of the cards when every number is open."""
        shoe = self._shoe
        shoe.settle_order()
        if shoe.order is not None and shoe.cut is not None and shoe.cut.opened:
            self.cutting.cut(cut_seed(shoe.cut.shoe, shoe.cut.opened).hex(), shoe.first)
            shoe.one_round = False

    def kept_back(self) -> dict[str, str]:
        """Returns the players who have not opened the numbers that they committed to, by the names of their seats."""
        shoe = self.shoe
        if shoe is None or shoe.cut is None or not shoe.cut.closed:
            return {}
        whose = shoe.entitled if shoe.entitled is not None else {}
        return {terminal: whose.get(terminal, "") for terminal in shoe.cut.missing}

    def _discard(self, ended: ShoeEnded, at: int) -> None:
        """Bars the players who kept a number back; those who opened theirs cut the next shoe."""
        shoe, kept_back = self._shoe, self.kept_back()
        if ended.kept_back and ended.kept_back != kept_back:
            raise Refused("kept-back-differs", shoe=ended.shoe, clause="RNG-10")
        if not kept_back:
            return
        self.cutting.discard(shoe.number, kept_back)
        if shoe.cut is None or shoe.entitled is None:  # an earlier program shuffled it and let every seat cut
            return
        devices = {player: shoe.devices.get(terminal, "") for terminal, player in kept_back.items()}
        openers = (shoe.entitled[terminal] for terminal in shoe.cut.opened)
        self.cutting.bar(devices, openers, at)

    def _end_shoe(self, shoe_ended: ShoeEnded, at: int) -> None:
        self._discard(shoe_ended, at)
        cut, ended = self._shoe.cut, self._shoe.ended(self.happened + 1)
        self.barred = frozenset(cut.missing if cut and cut.closed else ())
        self.shoe = None
        if ended is not None:
            self.shoes[ended.number] = ended
            if len(self.shoes) > limits.MAX_ENDED_SHOES_PER_TABLE:
                del self.shoes[next(iter(self.shoes))]

    # --- asking -----------------------------------------------------------------------------------------------------

    @property
    def configured(self) -> TableConfig:
        """The configuration in force; before the first round, that of the next round."""
        config = self.config or self.pending
        if config is None:
            raise Refused("table-unconfigured")
        return config

    @property
    def upcoming(self) -> TableConfig:
        """The configuration of the next round."""
        return self.pending or self.configured

    @property
    def current_game(self) -> Game:
        """The game in force; before the first round, the game of the next round."""
        return self.game or self.upcoming.to_game()

    @property
    def _shoe(self) -> ShoeInUse:
        if self.shoe is None:
            raise Refused("no-shoe")
        return self.shoe

    @property
    def _cut(self) -> Cut:
        if self.shoe is None or self.shoe.cut is None:
            raise Refused("no-cut")
        return self.shoe.cut

    @property
    def needs_shoe(self) -> bool:
        """Whether the automated dealer must shuffle before the next round: no shoe, the wrong one, or the cut card."""
        decks = self.upcoming.to_game().rules.decks
        shoe = self.shoe
        if shoe is None or shoe.decks != decks or shoe.shuffle is None or shoe.change:
            return True
        if decks == 1 or shoe.one_round:  # TCP: one deck, shuffled for every round
            return shoe.dealt > 0
        return shoe.dealt >= shoe.cards * shoe.penetration

    @property
    def shoe_wanted(self) -> Refused | None:
        """Why a live dealer must load a shoe before the next round; None where New Game can begin it (CARD-10)."""
        config, shoe = self.upcoming, self.shoe
        if config.dealer != "live":
            return None
        decks = config.to_game().rules.decks
        if shoe is not None and shoe.shuffle is None and shoe.change:
            return Refused("shoe-change", reason=shoe.change)
        if shoe is not None and shoe.miscounted:
            return Refused("shoe-miscounted", shoe=shoe.number, clause="CARD-8")
        if config.shuffled_by == "every-round":
            return None
        if shoe is None or shoe.decks != decks or shoe.shuffler != config.shuffled_by:
            return Refused("shoe-needed", decks=decks)
        if shoe.shuffle is not None:
            return Refused("shoe-automated", clause="CARD-8")
        if shoe.cut_card:
            return Refused("shoe-cut-card", shoe=shoe.number, clause="CARD-10")
        if not shoe.left:
            return Refused("shoe-empty", shoe=shoe.number)
        if decks == 1 and shoe.dealt > shoe.burned:  # TCP: one deck, shuffled for every round
            return Refused("deck-dealt", clause="TCP intro")
        return None

    @property
    def deck_is_fresh(self) -> bool:
        """Whether the shoe in use has been loaded for the next round and nothing was dealt from it."""
        shoe, config = self.shoe, self.upcoming
        return (
            shoe is not None
            and shoe.shuffle is None
            and shoe.shuffler == config.shuffled_by
            and shoe.decks == config.to_game().rules.decks
            and shoe.rounds == (0, 0)
        )

    def _live_shoe(self, number: int) -> ShoeInUse:
        shoe = self._shoe
        if shoe.shuffle is not None or shoe.number != number:
            raise Refused("shoe-other", shoe=number, now=shoe.number)
        return shoe


def minutes_until(ends: int, now: int) -> int:
    """Whole minutes until a moment, at least one."""
    return max(1, -(-(ends - now) // MINUTE_MS))


def _seat(terminal: str) -> int:
    """The number of a seat by its name in the cut."""
    return int(terminal.removeprefix("seat-"))


english(
    "refused",
    {
        "table-unconfigured": "The table has no configuration yet.",
        "no-shoe": "There is no shoe.",
        "shoe-needed": Plural(
            "decks",
            one="A shoe of one deck is needed before a round can begin.",
            other="A shoe of {decks} decks is needed before a round can begin.",
        ),
        "shoe-automated": "The shoe is the automated dealer's: load a counted one before a round can begin.",
        "shoe-change": "The floor asks for another shoe before the next round: {reason}",
        "shoe-miscounted": "The count of shoe {shoe} was wrong: load another one before the next round.",
        "shoe-cut-card": "The cut card of shoe {shoe} is out: load another one before the next round.",
        "shoe-empty": "Shoe {shoe} has no card left: load another one before the next round.",
        "deck-dealt": "The deck is shuffled for every round: shuffle it, count it and load it before the next round.",
        "cutters-differ": "Shoe {shoe} was to be cut by players other than those who had the right.",
        "kept-back-differs": "Shoe {shoe} was discarded because of players other than those who kept their numbers back.",
        "cut-no-right": (
            "Only players with a wager here in the last {rounds} rounds may cut this shoe, once per person and terminal. If there"
            " are more than {terminals} of them, a lot decides."
        ),
        "cut-device": "This terminal has already committed to a number for this shoe.",
        "cut-barred": Plural(
            "minutes",
            one="A number for a shoe was kept back here, so you cannot cut at this table for one minute.",
            other="A number for a shoe was kept back here, so you cannot cut at this table for {minutes} minutes.",
        ),
        "no-cut": "No shuffle waits to be cut now.",
        "shoe-other": "The live shoe in use is {now}, not {shoe}.",
    },
)
