"""The tables of a kept house: which games they have, who deals, and how fast."""

from typing import Any, Final

from podium.house import HouseConfig
from podium.house.table import TableConfig

PACE: Final[dict[str, Any]] = {
    "betting_seconds": 900,
    "insurance_seconds": 100,
    "decision_seconds": 300,
    "result_seconds": 5,
    "card_seconds": 0,
    "penetration": 0.1,
    "seat_kept_minutes": 1440,
}
LIMITS: Final = {"limits": {"blackjack": [500, 50_000]}, "chip": 100}
ENTERED: Final = {
    "side_bets": {"trilux": "HOUSE", "royal-match-21": "A", "match-up": "A", "three-card-bonus": "A"},
    "paytables": {"trilux": {"HOUSE": {"straight flush": "40:1", "three of a kind": "25:1", "flush": "4:1"}}},
}


def _table(game: str, dealer: str = "automated", **more: Any) -> TableConfig:
    early = {"close_betting_early": dealer == "automated"}
    return TableConfig(game=game, dealer=dealer, **{**PACE, **early, **more})  # type: ignore[arg-type]


CONFIG: Final = HouseConfig(
    name="Kept house",
    address="https://play.example",
    guests=True,
    guest_credit=100_000,
    cash_out_limit=150_000,
    large_win=20_000,
    tables={
        "stadium-1": _table("stadium-blackjack", options={**LIMITS, "double_for_less": True}),
        "dynasty-1": _table("dynasty-blackjack", options={**LIMITS, **ENTERED, "timeout": "hit-hard-11-soft-16"}),
        "three-1": _table("stadium-three-card-poker", options={"limits": {"ante": [500, 10_000]}, "chip": 100}),
        "match-1": _table("match-up-blackjack"),
        "mega-1": _table("mega-blackjack", options=LIMITS),
        "stadium-live": _table(
            "stadium-blackjack",
            "live",
            options={**LIMITS, "decks": 8, "double_for_less": True, "keep_standoff_bet": "if-not-insured"},
            approvals=("correct", "void"),
            attendant_pays_from=20_000,
        ),
        "dynasty-live": _table(
            "dynasty-blackjack", "live", options={**LIMITS, "decks": 4, "double_adds": 2}, burn_cards=2, shuffler="none"
        ),
        "three-live": _table("stadium-three-card-poker", "live", options={"chip": 100}),
        "match-live": _table("match-up-blackjack", "live", places=3, approvals=()),
        "mega-live": _table(
            "mega-blackjack", "live", options=LIMITS, attendant_pays_from=20_000, shuffler="continuous"
        ),
        "training-live": _table(
            "stadium-blackjack", "live", options=LIMITS, training=True, approvals=(), correction_approval=False
        ),
    },
)
LIVE: Final = [name for name, table in CONFIG.tables.items() if table.dealer == "live"]
AUTOMATED: Final = [name for name, table in CONFIG.tables.items() if table.dealer == "automated"]
PHASES_AT_THE_END: Final = ("betting", "dealing", "deciding", "peeking", "result", "closed", "paused")
