"""The automated dealer's generator, tested while it is used (RNG-11).

The bytes that go into a shuffle pass the two continuous health tests of NIST SP 800-90B, 4.4, as they are drawn. They find a
source that is stuck or has lost most of its entropy; a source that is merely weak is found by the battery on collected output
(`podium rng collect`), not here. A generator that has failed gives no more bytes until the next start.
"""

from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.fair import Entropy

FALSE_ALARM_BITS: Final = 40
"""A sound generator fails a test by chance once in 2^40 samples; SP 800-90B asks for 2^20 to 2^40."""
REPETITION_CUTOFF: Final = 1 + FALSE_ALARM_BITS // 8
"""The number of equal bytes in a row that fails the test (4.4.1), for samples of eight bits with full entropy."""
WINDOW_BYTES: Final = 512
"""Samples of one proportion test (4.4.2)."""
PROPORTION_CUTOFF: Final = 19
"""How many occurrences of a window's first byte in it fail the test: 1 + critbinom(512, 1/256, 1 - 2^-40)."""
START_BYTES: Final = 2048
"""Samples that are tested, and not used, before the first draw (4.3)."""


class GeneratorFailed(Refused):
    """The generator failed a health test, now or before."""


class Generator:
    """A source of random bytes that is tested as it is drawn from; called with a length, like `os.urandom`."""

    def __init__(self, source: Entropy) -> None:
        self._source: Final = source
        self._started = False
        self._failed: GeneratorFailed | None = None
        self._last = -1
        self._repeated = 0
        self._first = -1
        self._seen = 0
        self._same = 0

    def __call__(self, length: int) -> bytes:
        if not self._started:
            self._started = True
            self._test(self._source(START_BYTES))
        drawn = self._source(length)
        self._test(drawn)
        return drawn

    def _test(self, drawn: bytes) -> None:
        for sample in drawn:
            if self._failed is not None:
                break
            self._look_at(sample)
        if self._failed is not None:
            raise self._failed

    def _look_at(self, sample: int) -> None:
        if sample == self._last:
            self._repeated += 1
            if self._repeated >= REPETITION_CUTOFF:
                self._failed = GeneratorFailed("generator-repeats", clause="RNG-11")
        else:
            self._last, self._repeated = sample, 1
        if self._seen == 0:
            self._first, self._same = sample, 0
        self._seen += 1
        if sample == self._first:
            self._same += 1
            if self._same >= PROPORTION_CUTOFF:
                self._failed = GeneratorFailed("generator-favours", clause="RNG-11")
        if self._seen == WINDOW_BYTES:
            self._seen = 0


english(
    "refused",
    {
        "generator-repeats": "The random generator repeats itself and was stopped: no shoe is shuffled until the house starts again.",
        "generator-favours": "The random generator favours a value and was stopped: no shoe is shuffled until the house starts again.",
    },
)
