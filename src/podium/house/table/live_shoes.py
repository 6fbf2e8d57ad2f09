"""The life of a live shoe: loaded and counted, its cut card, the shoe that follows it, and the one that the floor asks for."""

from podium.basics.refusal import Refused
from podium.basics.words import Plural, english
from podium.house.table.events import (
    CutCardOut,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeEnded,
    ShoeLoaded,
)
from podium.house.table.recording import RecordingTable
from podium.play.events import (
    ShoeFollowed,
)
from podium.rules.asking import NextCard, expected


class LiveShoes(RecordingTable):
    """Loads, counts, burns from and replaces the shoes of a live table (CARD-8, CARD-10)."""

    def load_shoe(self, cards: int, now: int, *, by: str, follows: bool = False) -> None:
        """CARD-8: loads a live shoe, whose cards are counted. `follows`: the shoe in use has run out in mid-round."""
        if not self.between_rounds:
            if not follows:
                raise Refused("shoe-in-play")
            self._let_shoe_follow(cards, now, by=by)
            return
        config = self.upcoming
        self._check_count(cards, config.to_game().rules.decks)
        if self.shoe is not None and self.shoe.shuffle is not None:
            self.end_shoe(now)
        self._load(now, by=by)

    def _check_count(self, cards: int, decks: int) -> None:
        if cards != 52 * decks:
            raise Refused("shoe-count", cards=cards, decks=decks, whole=52 * decks, clause="CARD-8")

    def _load(self, now: int, *, by: str) -> None:
        config = self.upcoming
        shoe, cards = self.shoe_number + 1, 52 * config.to_game().rules.decks
        self._record(ShoeLoaded(shoe, cards, by, config.shuffled_by, config.penetration, config.burned), now)

    def _let_shoe_follow(self, cards: int, now: int, *, by: str) -> None:
        """CARD-10: the next shoe follows one that ran out in mid-round. If cards should have been left in it, the count was
        wrong, and that is recorded."""
        shoe, config = self._shoe, self.configured
        if self.correction is not None:
            raise Refused("correction-open", clause="CARD-3")
        if shoe.shuffle is not None or shoe.shuffler != "none":
            raise Refused("shoe-in-play")
        self._check_count(cards, shoe.decks)
        burned = config.burn_cards
        follows = ShoeFollowed(self.shoe_number + 1, cards, by, burned, config.penetration)
        if not isinstance(self.in_play.awaits, NextCard):
            raise Refused("no-shoe-awaited", awaited=expected(self.in_play.awaits))
        left = shoe.left - self.in_play.cards_of_shoe[1]
        if left:
            self._record(ShoeCounted(shoe.number, by, left=0, due_left=left), now)
        self._record(follows, now)

    def see_cut_card(self, shoe: int, now: int, *, by: str, out: bool = True) -> None:
        """CARD-10: the cut card is out, or the dealer takes that back."""
        in_use = self._live_shoe(shoe)
        if in_use.shuffler != "none":
            raise Refused("no-cut-card")
        if in_use.cut_card != out:
            self._record(CutCardOut(shoe, by, out), now)

    def count_shoe(self, shoe: int, discards: int | None, left: int | None, now: int, *, by: str) -> None:
        """CARD-8: records a count of the shoe in use, or of the next one (shoe 0), which is to be loaded. A wrong count is a
        significant event, and no further round begins with that shoe."""
        if not self.between_rounds:
            raise Refused("count-in-play")
        if discards is None and left is None:
            raise Refused("count-nothing")
        if not shoe:
            shoe, due_discards, due_left = self.shoe_number + 1, 0, 52 * self.upcoming.to_game().rules.decks
        else:
            in_use = self._live_shoe(shoe)
            due_discards, due_left = in_use.dealt, in_use.left
        due = None if discards is None else due_discards, None if left is None else due_left
        self._record(ShoeCounted(shoe, by, discards, left, *due), now)

    def ask_for_shoe(self, now: int, *, by: str, reason: str) -> None:
        """CARD-10: the floor asks for another shoe or deck, which comes before the next round."""
        if not reason.strip():
            raise Refused("shoe-change-reason", clause="EVT-1")
        if self._shoe.change != reason:
            self._record(ShoeChangeAsked(by, reason), now)

    def _prepare_shoe(self, now: int) -> None:
        """Refuses a round without its shoe. A shuffler that gives a deck for every round has given it (CARD-10)."""
        if self.shoe_wanted is not None:
            raise self.shoe_wanted
        if self.upcoming.shuffled_by == "every-round":
            if not self.deck_is_fresh:
                if self.shoe is not None and self.shoe.shuffle is not None:
                    self.end_shoe(now)
                self._load(now, by=self.dealer)
        elif self._shoe.to_burn:
            raise Refused("burn-first", cards=self._shoe.to_burn, clause="CARD-10")

    def end_shoe(self, now: int) -> None:
        """Reveals the shuffle, so that anybody can check the cards dealt from it (RNG-10)."""
        shoe = self._shoe
        self._record(ShoeEnded(shoe.number, shoe.shuffle.reveal() if shoe.shuffle else None, self.kept_back()), now)


english(
    "refused",
    {
        "shoe-in-play": "The shoe is not changed while a round is in play.",
        "shoe-count": Plural(
            "decks",
            one="The shoe holds {cards} cards, but one deck has {whole}: count again.",
            other="The shoe holds {cards} cards, but {decks} decks have {whole}: count again.",
        ),
        "burn-first": Plural(
            "cards",
            one="One card must be burned before a round can begin.",
            other="{cards} cards must be burned before a round can begin.",
        ),
        "no-cut-card": "A shuffler has no cut card.",
        "count-in-play": "A shoe is counted between rounds; a round is in play.",
        "count-nothing": "Enter what was counted: the discards, the cards left in the shoe, or both.",
        "shoe-change-reason": "Asking for another shoe needs a reason.",
    },
)
