"""The configuration of one table."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.house import limits
from podium.rules.games import Game, game
from podium.rules.placard import ShufflerKind

MAX_BURNED_CARDS: Final = 20
"""The most cards that a configuration may have burned from one shoe."""

AfterCorrection = Literal["decisions-stand", "ask-affected"]


def says(words: str) -> msgspec.Meta:
    """Describes a setting; in the catalogues its key is `setting.` and its name."""
    return msgspec.Meta(description=words)


ABOVE: Final = {
    "betting_seconds": (0, 3600),
    "insurance_seconds": (0, 3600),
    "decision_seconds": (0, 3600),
    "seat_kept_minutes": (0, 1440),
}
"""Exclusive lower bound and inclusive upper bound of these settings."""
FROM: Final = {
    "result_seconds": (0, 3600),
    "card_seconds": (0, 60),
    "absent_seconds": (0, 3600),
    "resume_seconds": (0, 3600),
    "shuffle_seconds": (0, 3600),
    "reading_hold_seconds": (0, 3600),
    "reopen_minutes": (0, 240),
}
"""Inclusive lower and upper bounds of these settings."""


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The configuration of a table: its game, the options of the game, its pace."""

    game: str
    options: dict[str, Any] = {}
    dealer: Annotated[
        Literal["automated", "live"],
        says(
            "Who deals: the house itself, or a dealer at the podium. Where the house deals, there are no wagers for the dealer"
            " unless the option dealer_wagers is set (SBJ 5.c.viii)."
        ),
    ] = "automated"
    betting_seconds: Annotated[float, says("How long bets are taken.")] = 15
    insurance_seconds: Annotated[
        float, says("How long players have to answer insurance and even money, before the time for deciding begins.")
    ] = 8
    decision_seconds: Annotated[float, says("How long players have to decide.")] = 12
    absent_seconds: Annotated[
        float,
        says(
            "How long the table waits for the answers of players who have lost the connection or are leaving, when everybody"
            " else has answered (DSC-2)."
        ),
    ] = 3
    resume_seconds: Annotated[
        float,
        says(
            "The least time that the table still waits after an interruption of the house itself. If more was left when the"
            " house stopped, that is kept (DSC-2)."
        ),
    ] = 5
    result_seconds: Annotated[float, says("How long a result is shown before the automated dealer goes on.")] = 6
    card_seconds: Annotated[float, says("The automated dealer's pace; 0 deals at once.")] = 0.8
    shuffle_seconds: Annotated[
        float, says("How long the automated dealer waits for the terminals' part in a shuffle.")
    ] = 2
    close_early: Annotated[
        bool,
        says("Whether the next card comes as soon as everybody has decided, before the time for deciding is over."),
    ] = True
    close_betting_early: Annotated[
        bool, says("Whether betting closes when everybody who sits at the table has bet.")
    ] = False
    penetration: Annotated[float, says("The share of the shoe that is dealt before the cut card comes out.")] = 0.75
    shuffler: Annotated[
        ShufflerKind | None,
        says(
            "What shuffles at a live table: none, a shoe is loaded; every-round, a machine gives a fresh deck with each New"
            " Game; continuous, a machine takes the cards back after each round (CARD-10). Empty: as the game's document says."
        ),
    ] = None
    burn_cards: Annotated[
        int, says("How many cards are burned when a live shoe is loaded, before the first round (CARD-10).")
    ] = 0
    reading_hold_seconds: Annotated[
        float,
        says(
            "How long a card that a reader read is shown to the dealer before it counts, unless the next one is read before"
            " (CARD-11)."
        ),
    ] = 1.5
    seat_kept_minutes: Annotated[
        float,
        says(
            "How long the seat of a player who has lost the connection is kept, when the player has no wager in play"
            " (DSC-1)."
        ),
    ] = 5
    places: Annotated[int | None, says("How many players may sit down; empty for as many as the game takes.")] = None
    boxes: Annotated[
        int | None,
        says(
            "How many boxes one player may have; empty for the usual number of the game: 3 at Stadium Blackjack, else 1."
        ),
    ] = None
    approvals: Annotated[
        tuple[Literal["correct", "void"], ...], says("What a dealer may do only with a supervisor's approval.")
    ] = ("void",)
    correction_approval: Annotated[
        bool,
        says(
            "Whether a dealer needs a supervisor's approval to correct a card that something has followed: another card, a"
            " decision or a time-out."
        ),
    ] = True
    attendant_pays_from: Annotated[
        int,
        says("The win in one round from which the terminal is locked until an attendant has paid; 0 for never (HP-1)."),
    ] = 1_200_00
    after_correction: Annotated[
        AfterCorrection,
        says(
            "What happens to a player's decision when a correction changes the player's own hand: it stands, or the player is"
            " asked again if no card was shown since."
        ),
    ] = "decisions-stand"
    reopen_minutes: Annotated[
        float,
        says(
            "How long after its result was confirmed a round can be reopened by two people, to be settled again with the right"
            " cards or voided; 0 for never (VOID-4)."
        ),
    ] = 30
    training: Annotated[
        bool,
        says(
            "Whether dealers practise at this live table: only guests sit down there, with play money and without wagers for the"
            " dealer, and its rounds are in no report of money."
        ),
    ] = False
    coach: Annotated[bool, says("Whether players may ask the coach what each decision is worth.")] = False

    @property
    def shuffled_by(self) -> ShufflerKind:
        """What shuffles at this table when a live dealer deals. Each shoe records it: a replay does not ask here."""
        return self.shuffler or self.to_game().rules.shuffler

    @property
    def burned(self) -> int:
        """How many cards are burned from each live shoe; a shuffling machine burns none."""
        return self.burn_cards if self.shuffled_by == "none" else 0

    def to_game(self) -> Game:
        """The game with its options chosen; options that are not allowed are refused."""
        return _built(self.game, msgspec.json.encode(self.options, order="sorted"))

    def check(self) -> Game:
        """Refuses a configuration that cannot run a table."""
        for name, (above, most) in ABOVE.items():
            if not above < getattr(self, name) <= most:
                raise Refused("setting-above", setting=name, value=getattr(self, name), above=above, most=most)
        for name, (least, most) in FROM.items():
            if not least <= getattr(self, name) <= most:
                raise Refused("setting-range", setting=name, value=getattr(self, name), least=least, most=most)
        if not 0.1 <= self.penetration <= 0.9:
            raise Refused("setting-share", setting="penetration", value=self.penetration)
        if not 0 <= self.burn_cards <= MAX_BURNED_CARDS:
            raise Refused("setting-range", setting="burn_cards", value=self.burn_cards, least=0, most=MAX_BURNED_CARDS)
        if self.training and self.dealer != "live":
            raise Refused("setting-training")
        if self.places is not None and self.places < 1:
            raise Refused("setting-least", setting="places", value=self.places, least=1)
        if self.boxes is not None and not 1 <= self.boxes <= limits.MAX_BOXES_PER_PLAYER:
            raise Refused("setting-range", setting="boxes", value=self.boxes, least=1, most=limits.MAX_BOXES_PER_PLAYER)
        if not 0 <= self.attendant_pays_from <= limits.MAX_AMOUNT:
            amount = self.attendant_pays_from
            raise Refused("setting-amount", setting="attendant_pays_from", amount=amount, most=limits.MAX_AMOUNT)
        game = self.to_game()
        _check_limits(game)
        _check_entered(game)
        return game

    @property
    def seats(self) -> int | None:
        """How many players may sit down: the lower of the table's limit and the game's."""
        limits = [limit for limit in (self.places, self.to_game().rules.places) if limit is not None]
        return min(limits, default=None)

    @property
    def boxes_per_player(self) -> int:
        """The most boxes of one player: as configured, or as is usual in the game; never more than the table has seats."""
        return min(self.boxes or self.to_game().boxes, self.seats or limits.MAX_BOXES_PER_PLAYER)


TOKES: Final = "dealer_wagers"
"""The option that says whether players may place wagers for the dealer."""


def with_tokes_settled(wanted: TableConfig, before: TableConfig | None) -> TableConfig:
    """Decides on wagers for the dealer where the configuration leaves them open: a table that the house itself deals
    takes none, because there is nobody to tip (SBJ 5.c.viii, 5.d.vi). A table that the house dealt before keeps what it
    had."""
    if wanted.dealer == "live" or TOKES in wanted.options or not wanted.to_game().rules.takes_tokes:
        return wanted
    taken = False
    if before is not None and before.dealer == "automated" and before.game == wanted.game:
        if TOKES not in before.options:
            return wanted
        taken = before.options[TOKES]
    return msgspec.structs.replace(wanted, options={**wanted.options, TOKES: taken})


def _check_limits(game: Game) -> None:
    """Refuses limits that are not whole chips: nobody could bet them."""
    for offer in game.offers.values():
        for amount in (offer.least, offer.most):
            if offer.wager in game.rules.limits and amount is not None and amount % offer.chip:
                raise Refused("limits-off-chip", wager=offer.wager, amount=amount, chip=offer.chip)


def _check_entered(game: Game) -> None:
    """Refuses a paytable with odds that nobody would offer: the operator mistyped."""
    bets = {bet.name: bet for bet in game.rules.knows}
    for wager, tables in game.rules.paytables.items():
        for name, lines in tables.items():
            for outcome, odds in bets[wager].read_paytable(name, lines).items():
                if odds.pays > limits.MAX_ODDS * odds.per:
                    raise Refused(
                        "paytable-absurd", wager=wager, paytable=name, outcome=outcome, odds=odds, most=limits.MAX_ODDS
                    )


class Setting(msgspec.Struct, frozen=True):
    """A setting of a table that is not an option of its game."""

    name: str
    value: Any
    values: tuple[Any, ...]
    """The possible values; empty for a number or a list."""
    says: Phrase


def settings_of(config: TableConfig) -> list[Setting]:
    """Every setting with its value and its meaning."""
    return [
        Setting(name, msgspec.to_builtins(getattr(config, name)), _choices(described.type), Phrase(f"setting.{name}"))
        for name, described in _described()
    ]


def _described() -> Iterator[tuple[str, msgspec.inspect.Metadata]]:
    """The settings by name, with their descriptions."""
    table = msgspec.inspect.type_info(TableConfig)
    assert isinstance(table, msgspec.inspect.StructType)
    for field in table.fields:
        if isinstance(field.type, msgspec.inspect.Metadata):
            yield field.name, field.type


english("setting", {name: (described.extra_json_schema or {})["description"] for name, described in _described()})


def _choices(kind: msgspec.inspect.Type) -> tuple[Any, ...]:
    match kind:
        case msgspec.inspect.BoolType():
            return True, False
        case msgspec.inspect.LiteralType(values):
            return values
        case msgspec.inspect.UnionType(types):
            return next((found for each in types if (found := _choices(each))), ())
    return ()


@lru_cache(maxsize=256)
def _built(name: str, options: bytes) -> Game:
    """The game of a configuration, cached: every round asks for it many times."""
    return game(name, msgspec.json.decode(options))


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


english(
    "refused",
    {
        "limits-off-chip": (
            "limits: {amount:money} for {wager:wager} is not a multiple of the chip of {chip:money}, so nobody could bet it."
        ),
        "paytable-absurd": (
            "paytables: {outcome:outcome} of {wager:wager} {paytable} would pay {odds}; the most is {most:count} for 1."
        ),
        "setting-above": "{setting} = {value} is not allowed: it must be more than {above} and at most {most}.",
        "setting-range": "{setting} = {value} is not allowed: it must be {least} to {most}.",
        "setting-least": "{setting} = {value} is not allowed: it must be {least} or more.",
        "setting-training": "training = true is not allowed: a training table needs dealer = live.",
        "setting-share": "{setting} = {value} is not allowed: it must be the share of the shoe that is dealt, 0.1 to 0.9.",
        "setting-amount": "{setting} = {amount:money} is not allowed: it must be from 0 to {most:money}.",
    },
)
