"""How cards come to a table: entered by the dealer, or read by an enrolled reader with the dealer as witness (CARD-11)."""

from podium.basics.cards import Card
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.table.events import (
    CardBurned,
    CardRead,
    ReadingAnswered,
)
from podium.house.table.recording import RecordingTable
from podium.house.table.shoes import ShoeInUse
from podium.play.events import (
    CardDealt,
    HolePeeked,
    HoleTurned,
)
from podium.rules.asking import HoleCard, NextCard


class CardEntry(RecordingTable):
    """Takes the cards of a live table into the round or among the burned cards."""

    def deal(self, card: Card | None, now: int) -> None:
        """The next card; one that is dealt face down goes under the seal at once, and the round does not know it."""
        awaits = self.in_play.awaits
        if card is not None and isinstance(awaits, NextCard):
            self.in_play.check_shoe(card, besides=self.face_down)
            if self.in_play.dealing.takes_unknown(awaits.place):
                sealed = self._sealing.seal_card(self.name, self.happened + 1, card)
                self._record_card(CardDealt(None, sealed), card, now)
                return
        self._record_card(CardDealt(card), card, now)

    def peek(self, blackjack: bool, now: int) -> None:
        self._record(HolePeeked(blackjack), now)

    def turn(self, card: Card, now: int) -> None:
        self._record_card(HoleTurned(card), card, now)

    def burn(self, shoe: int, card: Card | None, now: int, *, by: str) -> None:
        """CARD-10: a card of a live shoe is burned between rounds."""
        in_use = self._live_shoe(shoe)
        if not self.between_rounds:
            raise Refused("burn-in-play")
        if not in_use.left:
            raise Refused("shoe-empty", shoe=shoe)
        if card is not None:
            self._check_burn(in_use, card)
        self._record_card(CardBurned(shoe, card, by), card, now)

    # --- card readers (CARD-11) -------------------------------------------------------------------------------------

    def read(self, reader: str, session: str, number: int, card: Card, now: int) -> None:
        """Takes a card from a reader, and holds it until the dealer has had time to look at it. Repeating a reading is
        harmless. The next reading makes the previous one count."""
        readings = self.readings
        if readings.is_repeated(reader, session, number):
            return
        due = readings.follows(reader, session, number)
        if due is not None:
            raise Refused("reading-left-out", number=number, due=due, clause="CARD-11")
        if readings.held is not None and not readings.held.stopped:
            self.count_reading(now)
        sealed, why = "", self._why_not_awaited()
        if why is None:
            sealed = self._sealing.seal_card(self.name, self.happened + 1, card)
            why = self._why_wrong(card)
        self._record(CardRead(reader, session, number, sealed, why.phrase if why else None), now)

    def _why_not_awaited(self) -> Refused | None:
        """Why no card is awaited from a reader now."""
        if not self.dealer:
            return Refused("podium-empty", clause="CARD-6")
        if self.readings.held is not None:
            return Refused("reading-stopped", clause="CARD-11")
        if self.between_rounds:
            live, shoe = self.upcoming.dealer == "live", self.shoe
            awaited = live and shoe is not None and bool(shoe.to_burn) and self.shoe_wanted is None
        else:
            awaited = self.configured.dealer == "live" and isinstance(self.in_play.awaits, NextCard | HoleCard)
        return None if awaited else Refused("reading-not-awaited", clause="CARD-11")

    def _why_wrong(self, card: Card) -> Refused | None:
        """CARD-1: why a card that was read cannot be right: the shoe has no more of it. The card that lies face down is not
        taken into account."""
        try:
            if self.between_rounds:
                self._check_burn(self._shoe, card)
            else:
                hole = isinstance(self.in_play.awaits, HoleCard)
                self.in_play.check_shoe(card, place=self.in_play.cards.index(None) if hole else None)
        except Refused:
            return Refused("reading-impossible", clause="CARD-1")
        return None

    def _check_burn(self, shoe: ShoeInUse, card: Card) -> None:
        if shoe.out[card] >= shoe.decks:
            raise Refused("card-again", card=card, decks=shoe.decks, clause="CARD-1")

    def count_reading(self, now: int) -> None:
        """Makes the held card count. If it is no longer awaited, or its seal cannot be opened, it waits for the
        dealer."""
        held, card = self.readings.held, self.card_held()
        if held is None:
            raise Refused("no-reading")
        try:
            if card is None:
                raise Refused("no-reading")
            self._enter(card, now)
        except Refused:
            if not held.stopped:
                self._record(ReadingAnswered(held.entry, "stopped", self.dealer), now)

    def _enter(self, card: Card, now: int) -> None:
        """Enters a card where one is awaited: into the round, as the hole card, or among the burned."""
        if self.between_rounds:
            self.burn(self._shoe.number, card, now, by=self.dealer)
        elif isinstance(self.in_play.awaits, HoleCard):
            self.turn(card, now)
        else:
            self.deal(card, now)

    def answer_reading(self, reading: int, answer: str, now: int, *, by: str) -> None:
        """The dealer stops a reading, lets it count at once, or drops it."""
        held = self.readings.held
        if held is None or held.entry != reading:
            raise Refused("no-reading")
        if answer == "count":
            self.count_reading(now)
        elif answer == "drop":
            self._record(ReadingAnswered(reading, "dropped", by, self._told()), now)
        elif not held.stopped:
            self._record(ReadingAnswered(reading, "stopped", by), now)

    def _replaced(self, entered: Card | None) -> ReadingAnswered | None:
        """CARD-11: the dealer's card replaces the one that was read; the record keeps both."""
        held = self.readings.held
        if held is None or (entered is not None and self.card_held() is entered):
            return None
        return ReadingAnswered(held.entry, "replaced", self.dealer, self._told())

    def _record_card(self, event: CardDealt | HoleTurned | CardBurned, entered: Card | None, now: int) -> None:
        """Records a card, and what a reader had read in its place."""
        replaced = self._replaced(entered)
        self._record(event, now)
        if replaced is not None:
            self._record(replaced, now)

    def _told(self) -> Card | None:
        """The card that was read, where it may be shown: not one that lies face down (CARD-4)."""
        if not self.between_rounds:
            awaits = self.in_play.awaits
            if isinstance(awaits, NextCard) and self.in_play.dealing.takes_unknown(awaits.place):
                return None
        return self.card_held()


english(
    "refused",
    {
        "burn-in-play": "A card is burned between rounds; a round is in play.",
        "no-reading": "That reading is no longer held.",
        "reading-stopped": "The dealer has stopped the reader: this card does not count.",
        "reading-impossible": "The reader must have misread: the shoe no longer holds that card.",
        "reading-not-awaited": "A card was read that is not awaited now: it does not count.",
        "reading-left-out": "Reading {number} cannot be taken: reading {due} comes next. Send it, or begin another session.",
        "podium-empty": "Nobody is at the podium: take over the table first.",
    },
)
