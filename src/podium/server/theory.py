"""The long-term returns of a table's wagers and what they can cost the house, from the mathematics (DISP-7).

Configurations are worked out one after another, and the results are kept under the game's fingerprint.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from podium.basics.refusal import Refused
from podium.maths import kept
from podium.rules.games import Game
from podium.server import limits
from podium.server.log import log
from podium.server.mathematics import Configuration, FindLargest, FindReturns, Mathematics, MathsFailed, Worker
from podium.server.program import fingerprint

NAME: Final = "returns"
LARGEST_PAYOUT_WAGER: Final = 1000
"""The main wager, or a little more, for which the largest payout is asked: large enough that no payment is rounded."""


class PaidLine(msgspec.Struct):
    """An outcome of a wager that is paid by a paytable."""

    pays: float


class WagerReturns(msgspec.Struct):
    """The part of a PAR sheet that a table needs."""

    house_edge: float
    returns: float = msgspec.field(name="return")
    hit_frequency: float | None = None
    method: str = "exact"
    standard_error: float | None = None
    standard_deviation: float = 0.0
    outcomes: list[PaidLine] = []


class KnownReturns(msgspec.Struct):
    wagers: dict[str, WagerReturns]
    largest: float | None = None
    """The most that one unit of the main wager can win, with any cards and any play; known a little later."""

    def at_risk(self, main: str, stakes: Mapping[str, int]) -> tuple[int, int]:
        """For the stakes on a table: the largest spread of the house's result, and the most that it can lose.

        These are upper limits: results on the same cards add up, and most of all when everybody plays alike. Each wager is
        taken by itself.
        """
        spread = loss = 0.0
        for name, staked in stakes.items():
            wager = self.wagers.get(name) or self.wagers[name.partition("@")[0]]
            spread += staked * wager.standard_deviation
            loss += staked * ((self.largest or 0.0) if name == main else max(line.pays for line in wager.outcomes))
        return round(spread), round(loss)


class Theory:
    """Caches the returns of configurations, and has new ones worked out."""

    def __init__(self, mathematics: Mathematics | None = None) -> None:
        self.mathematics: Final = mathematics or Mathematics()
        self.known: OrderedDict[str, KnownReturns] = OrderedDict()
        """By the game's fingerprint; the least recently requested come first."""
        self._asked: set[str] = set()
        self._refused: set[str] = set()
        """Fingerprints of games with an option that the mathematics does not read: they are not asked for again."""
        self._waiting: dict[str, dict[Callable[[], None], None]] = {}
        """By the game's fingerprint: what to call when its returns are known."""

    def returns(self, fingerprint: str) -> dict[str, float]:
        """The return of each wager, as far as it is known; a wager on a line returns the same as one on the player's own cards."""
        sheet = self.known.get(fingerprint)
        if sheet is not None:
            self.known.move_to_end(fingerprint)
        return {} if sheet is None else {name: wager.returns for name, wager in sheet.wagers.items()}

    def working_on(self, fingerprint: str) -> bool:
        """Whether the mathematics is still working on it."""
        return fingerprint in self._asked and fingerprint not in self.known and fingerprint not in self._refused

    def is_done(self, fingerprint: str) -> bool:
        """Whether everything is known about some rules."""
        return fingerprint in self.known or fingerprint in self._refused

    async def learn(self, game: Game, learned: Callable[[], None], *, soon: bool = False) -> None:
        """Works out a configuration that was not asked for before, and calls `learned` when it is known."""
        if self.working_on(game.fingerprint):
            self._waiting.setdefault(game.fingerprint, {})[learned] = None
        waiting = len(self._asked) - len(self.known) - len(self._refused)
        if game.fingerprint in self._asked or waiting >= limits.MAX_WAITING_RULES:
            return
        self._asked.add(game.fingerprint)
        try:
            sheet = await work_out(game, self.mathematics.previews if soon else self.mathematics.returns)
            self.known[game.fingerprint] = sheet
            while len(self.known) > limits.MAX_KNOWN_RULES:
                self._asked.discard(self.known.popitem(last=False)[0])
            for each in {learned: None, **self._waiting.pop(game.fingerprint, {})}:
                each()
            await weigh(game, sheet, self.mathematics.returns)
        except Refused as refusal:
            log.warning("no returns", game=game.name, rules=game.fingerprint, reason=str(refusal))
            self._refused.add(game.fingerprint)
            while len(self._refused) > limits.MAX_KNOWN_RULES:
                self._asked.discard(self._refused.pop())
        except (MathsFailed, msgspec.MsgspecError) as error:
            log.warning("no returns", game=game.name, rules=game.fingerprint, error=repr(error))
            self._asked.discard(game.fingerprint)
        finally:
            self._waiting.pop(game.fingerprint, None)


def known_edges(game: Game) -> dict[str, float] | None:
    """The house edge of each wager, if a house of this user has already worked it out on this machine; otherwise
    None."""
    known = kept.find(NAME, _key(game), KnownReturns)
    return None if known is None else {name: wager.house_edge for name, wager in known.wagers.items()}


async def work_out(game: Game, worker: Worker) -> KnownReturns:
    """The PAR sheet of a configuration; kept for the next start."""
    known = kept.find(NAME, _key(game), KnownReturns)
    if known is None:
        known = await worker.ask(FindReturns(Configuration.of(game)), KnownReturns)
        kept.keep(NAME, _key(game), known)
    return known


async def weigh(game: Game, sheet: KnownReturns, worker: Worker) -> None:
    """Adds to a sheet the most that one unit of the main wager can win."""
    if sheet.largest is not None:
        return
    main = game.offers[game.rules.main.name]
    wager = (
        max(main.amounts)
        if main.amounts
        else min(
            main.least * -(-LARGEST_PAYOUT_WAGER // main.least),
            main.most or LARGEST_PAYOUT_WAGER * LARGEST_PAYOUT_WAGER,
        )
    )
    sheet.largest = await worker.ask(FindLargest(Configuration.of(game), wager), int) / wager
    kept.keep(NAME, _key(game), sheet)


def _key(game: Game) -> bytes:
    """The cache key: the same game in the same program returns the same."""
    return f"{game.fingerprint} {fingerprint()}".encode()


def of_line(returns: dict[str, float], wager: str) -> float | None:
    """The returns of a wager; one on a row or column returns the same as one on any three cards."""
    known: Any = returns.get(wager, returns.get(wager.partition("@")[0]))
    return None if known is None else float(known)
