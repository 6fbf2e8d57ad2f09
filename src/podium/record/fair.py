"""The automated dealer's shoe: shuffled by the house, cut by the players, proved by anybody (RNG-1 to RNG-10).

The house shuffles with all the entropy that the order needs and publishes a commitment to it. Terminals then cut: each
commits to a number before any number is known, and the opened numbers together drive a second shuffle on top of the
first. So the house cannot choose the cards, because it is bound before it knows the numbers; and the players cannot,
because they do not know the order that they cut. docs/fairness.md says it step by step, for a browser to check.

Nothing here knows of wagers (RNG-7), and all chance comes in as `entropy`, which must be the operating system's
cryptographic generator wherever money is played for (RNG-1, RNG-2).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import Final, TypeVar

import msgspec

from podium.basics.cards import DECK, Card, cards, codes
from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.limits import MAX_CUTTERS_PER_SHOE

Entropy = Callable[[int], bytes]
"""Returns this many random bytes; `os.urandom` in a house."""

NONCE_BYTES: Final = 32
"""A commitment hides what it commits to behind 256 bits that nobody can guess (RNG-10)."""
NUMBER_BYTES: Final = 32
BLOCK_BYTES: Final = 1024
"""Bytes that a shuffle takes from the generator at a time."""

_WORDS: Final = 1 << 16
Thing = TypeVar("Thing")


# --- shuffling without bias (RNG-4) -------------------------------------------------------------------------------------


def place_from_word(word: int, places: int) -> int | None:
    """The place that a 16-bit word picks; None when it must be drawn again to keep all places equally likely."""
    return None if word >= _WORDS - _WORDS % places else word % places


def shuffled(things: Sequence[Thing], words: Iterator[int]) -> list[Thing]:
    """The things in another order (Fisher-Yates): from the last place down, each is swapped with one at or below it."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        place = None
        while place is None:
            place = place_from_word(next(words), last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def words_of(entropy: Entropy) -> Iterator[int]:
    """An endless stream of 16-bit words, fresh from the generator: a shoe has far more orders than a short seed could
    reach."""
    while True:
        block = entropy(BLOCK_BYTES)
        yield from (int.from_bytes(block[at : at + 2]) for at in range(0, len(block), 2))


def words_from(seed: bytes) -> Iterator[int]:
    """An endless stream of 16-bit words that follows from a seed: SHA-256 of the seed and a counter, block after block."""
    counter = 0
    while True:
        block = sha256(seed + counter.to_bytes(8)).digest()
        yield from (int.from_bytes(block[at : at + 2]) for at in range(0, 32, 2))
        counter += 1


# --- the house's shuffle ------------------------------------------------------------------------------------------------


class Shuffle:
    """The house's secret: an order and a nonce. Its repr hides both, so that they never appear in a log or a traceback."""

    __slots__ = ("nonce", "number", "order", "table")

    def __init__(self, table: str, number: int, order: Sequence[Card], nonce: bytes) -> None:
        self.table: Final = table
        self.number: Final = number
        self.order: Final = tuple(order)
        self.nonce: Final = nonce

    def __repr__(self) -> str:
        return f"<shoe {self.number} of {self.table}, {len(self.order)} cards face down>"

    @property
    def commitment(self) -> str:
        return commitment_to(self.reveal())

    def reveal(self) -> "Reveal":
        """What is published when the shoe has ended, and no earlier (RNG-8)."""
        return Reveal(self.table, self.number, codes(self.order), self.nonce.hex())

    def secret(self) -> bytes:
        """What must be stored for a restart in mid-shoe; always sealed (RNG-8)."""
        return msgspec.json.encode(self.reveal())

    @classmethod
    def from_secret(cls, secret: bytes) -> "Shuffle":
        """The inverse of `secret`."""
        reveal = msgspec.json.decode(secret, type=Reveal)
        return cls(reveal.table, reveal.number, cards(reveal.order), bytes.fromhex(reveal.nonce))


class Reveal(msgspec.Struct, frozen=True):
    """A revealed shuffle, as it is published."""

    table: str
    number: int
    order: str
    nonce: str


def shuffle(table: str, number: int, decks: int, entropy: Entropy) -> Shuffle:
    """Shuffles that many decks for a table's shoe of that number."""
    return Shuffle(table, number, shuffled(DECK * decks, words_of(entropy)), entropy(NONCE_BYTES))


def commitment_to(reveal: Reveal) -> str:
    """The commitment to a shuffle: it binds the house to the order without revealing it."""
    return _digest("podium-shoe-1", reveal.table, str(reveal.number), reveal.nonce, reveal.order).hex()


def _digest(*lines: str) -> bytes:
    return sha256("".join(f"{line}\n" for line in lines).encode()).digest()


# --- the players' cut ---------------------------------------------------------------------------------------------------


def cut_commitment(shoe: str, terminal: str, number: str) -> str:
    """What a terminal sends first: it binds the terminal to its number (hex) for the shoe of that commitment."""
    return _digest("podium-cut-1", shoe, terminal, number).hex()


class Cut:
    """The terminals' part in one shoe: first all commit, then all open, and only then the order of the cards is
    fixed."""

    def __init__(self, shoe: str) -> None:
        self.shoe: Final = shoe
        self.committed: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.closed = False
        """Whether the list of commitments is published, so that nobody else can join."""

    def commit(self, terminal: str, commitment: str) -> None:
        """A terminal's commitment to its number."""
        if self.closed:
            raise Refused("cut-closed")
        if self.committed.get(terminal) == commitment:
            return
        if terminal in self.committed:
            raise Refused("cut-committed", terminal=terminal)
        if len(self.committed) >= MAX_CUTTERS_PER_SHOE:
            raise Refused("cut-full", terminals=MAX_CUTTERS_PER_SHOE)
        if not (terminal.isascii() and terminal.isprintable()):
            raise Refused("cut-name", terminal=shortened(terminal))
        if not _is_hex(commitment, NUMBER_BYTES):
            raise Refused("cut-commitment")
        self.committed[terminal] = commitment

    def close(self) -> None:
        """Accepts no more terminals; from here on the numbers may be opened."""
        self.closed = True

    def open(self, terminal: str, number: str) -> None:
        """A terminal's number, which must be the one that it committed to."""
        if not self.closed:
            raise Refused("cut-not-closed")
        if terminal not in self.committed:
            raise Refused("cut-not-committed", terminal=terminal)
        if not _is_hex(number, NUMBER_BYTES):
            raise Refused("cut-number", bytes=NUMBER_BYTES)
        if not compare_digest(cut_commitment(self.shoe, terminal, number), self.committed[terminal]):
            raise Refused("cut-other-number", terminal=terminal)
        self.opened[terminal] = number

    def take(self, numbers: Mapping[str, str]) -> None:
        """A complete cut, from the numbers that were opened."""
        for terminal, number in numbers.items():
            self.commit(terminal, cut_commitment(self.shoe, terminal, number))
        self.close()
        for terminal, number in numbers.items():
            self.open(terminal, number)

    @property
    def missing(self) -> list[str]:
        """The terminals that have not opened their number."""
        return [terminal for terminal in self.committed if terminal not in self.opened]

    @property
    def whole(self) -> bool:
        """Whether every number is open. A shoe whose cut cannot be completed is revealed and discarded undealt."""
        return self.closed and not self.missing


def _is_hex(text: str, length: int) -> bool:
    return len(text) == 2 * length and not set(text) - set("0123456789abcdef")


def cut_seed(shoe: str, numbers: Mapping[str, str]) -> bytes:
    """SHA-256 over the shoe's commitment and every terminal with its number, in the order of the terminals' names."""
    lines = (f"{terminal} {numbers[terminal]}" for terminal in sorted(numbers, key=str.encode))
    return _digest("podium-cut-seed-1", shoe, *lines)


# --- dealing ------------------------------------------------------------------------------------------------------------


def final_order(order: Sequence[Card], shoe: str, numbers: Mapping[str, str]) -> list[Card]:
    """The order in which the cards are dealt: the house's, shuffled again by the numbers; the house's own if nobody cut."""
    return shuffled(order, words_from(cut_seed(shoe, numbers))) if numbers else list(order)


# --- proof --------------------------------------------------------------------------------------------------------------


class Proof(msgspec.Struct, frozen=True):
    """Everything that was published about a shoe, in order; enough to check it with SHA-256 alone."""

    commitment: str
    cut_commitments: dict[str, str]
    numbers: dict[str, str]
    reveal: Reveal


def difference(proof: Proof, dealt: Sequence[Card | None], *, decks: int | None = None) -> str | None:
    """The first flaw in the proof of a shoe; None if the cards came in the proved order. None among the cards is one
    that was dealt and never turned."""
    reveal = proof.reveal
    name = f"Shoe {reveal.number} of {reveal.table}"
    unproved = _unproved_commitments(proof, name)
    if unproved is not None:
        return unproved
    try:
        order = cards(reveal.order)
    except Refused as refusal:
        return f"{name}: {refusal}"
    held = Counter(order)
    if len(held) != len(DECK) or len(set(held.values())) != 1 or (decks is not None and held[DECK[0]] != decks):
        return f"{name} does not hold {f'{decks} decks' if decks else 'whole decks'}: {len(order)} cards, {len(held)} different."
    final = final_order(order, proof.commitment, proof.numbers)
    for at, (card, due) in enumerate(zip(dealt, final, strict=False), start=1):
        if card is not None and card is not due:
            return f"{name}: card {at} was {card}, but {due} was due."
    return f"{name} dealt {len(dealt)} cards, but holds {len(final)}." if len(dealt) > len(final) else None


def _unproved_commitments(proof: Proof, name: str) -> str | None:
    reveal, committed = proof.reveal, proof.cut_commitments
    if not _is_hex(reveal.nonce, NONCE_BYTES):
        return f"{name} was committed to with a nonce that is not {NONCE_BYTES} bytes: {reveal.nonce!r}."
    if commitment_to(reveal) != proof.commitment:
        return f"{name} is not the one committed to: {proof.commitment} was published, and it comes to {commitment_to(reveal)}."
    if set(proof.numbers) != set(committed):
        return f"{name} was cut by {sorted(proof.numbers)}, but {sorted(committed)} committed to numbers."
    for terminal, number in proof.numbers.items():
        if cut_commitment(proof.commitment, terminal, number) != committed[terminal]:
            return f"{name} was cut with a number of {terminal} that is not the one committed to."
    return None


english(
    "refused",
    {
        "cut-closed": "The cut is closed: the numbers are being opened. The next shoe can be cut again.",
        "cut-committed": "{terminal} has committed to its number and cannot take another.",
        "cut-full": "{terminals} terminals cut this shoe already. The next shoe can be cut again.",
        "cut-name": "{terminal:quoted} cannot cut: the name of a terminal is plain ASCII.",
        "cut-commitment": "A commitment to a number is the 64 hexadecimal digits of a SHA-256.",
        "cut-not-closed": "The numbers are opened when the list of commitments is closed, not before.",
        "cut-not-committed": "{terminal} did not commit to a number for this shoe.",
        "cut-number": "A number for the cut is {bytes} bytes in hexadecimal digits.",
        "cut-other-number": "{terminal} opened a number other than the one that it committed to.",
    },
)
