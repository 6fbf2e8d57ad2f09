"""The automated dealer's shoe (RNG-1 to RNG-10)."""

import ast
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import permutations, product
from math import factorial, log2
from pathlib import Path

import msgspec
import pytest

from podium.basics.cards import DECK, Card, card, cards, codes
from podium.basics.refusal import Refused
from podium.record.fair import (
    Cut,
    Proof,
    Reveal,
    Shuffle,
    cut_commitment,
    difference,
    final_order,
    place_from_word,
    shuffle,
    shuffled,
    words_of,
)
from podium.record.limits import MAX_CUTTERS_PER_SHOE
from podium.record.seal import Seal, SealBroken
from tests.entropy import repeatable

ROOT = Path(__file__).parent.parent
FAIRNESS = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")


def cut_by(shoe: str, *terminals: str) -> Cut:
    """A whole cut by these terminals."""
    numbers = {terminal: sha256(terminal.encode()).hexdigest() for terminal in terminals}
    cut = Cut(shoe)
    for terminal, number in numbers.items():
        cut.commit(terminal, cut_commitment(shoe, terminal, number))
    cut.close()
    for terminal, number in numbers.items():
        cut.open(terminal, number)
    return cut


def order_of(secret: Shuffle, numbers: dict[str, str]) -> list[Card]:
    """The order in which a shuffle is dealt, cut by these numbers."""
    return final_order(secret.order, secret.commitment, numbers)


def proof_of(secret: Shuffle, cut: Cut) -> Proof:
    return Proof(secret.commitment, dict(cut.committed), dict(cut.opened), secret.reveal())


# --- the generator ------------------------------------------------------------------------------------------------------


def test_rng_1_the_random_module_is_not_importable_from_dealing_code() -> None:
    """A fresh Python that refuses `random` outright still imports the shoe, shuffles and deals."""
    program = (
        "import sys; sys.modules['random'] = None; sys.modules['numpy.random'] = None\n"
        "import os; from podium.record.fair import final_order, shuffle\n"
        "secret = shuffle('t', 1, 8, os.urandom); print(len(final_order(secret.order, secret.commitment, {})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "416"


def test_rng_1_rng_2_dealing_code_imports_neither_chance_nor_clocks() -> None:
    forbidden = {"random", "time", "datetime", "secrets", "os", "numpy", "uuid"}
    tree = ast.parse((ROOT / "src" / "podium" / "record" / "fair.py").read_text(encoding="utf-8"))
    imported = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {
        node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }
    assert imported & forbidden == set()


def test_rng_2_no_two_shoes_share_a_stream() -> None:
    entropy = repeatable("two tables")
    first, second = shuffle("one", 1, 8, entropy), shuffle("two", 1, 8, entropy)
    assert first.order != second.order
    assert first.nonce != second.nonce


def test_every_order_of_a_shoe_is_possible() -> None:
    """No short seed: a shuffle draws more fresh bits than the order of 416 cards has."""
    drawn = 0
    source = repeatable("bits")

    def counting(length: int) -> bytes:
        nonlocal drawn
        drawn += length
        return source(length)

    shuffle("t", 1, 8, counting)
    assert log2(factorial(416)) < 8 * drawn


# --- no bias (RNG-4) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("places", [*range(2, 53), 104, 255, 256, 257, 312, 415, 416])
def test_rng_4_every_place_is_picked_by_equally_many_words(places: int) -> None:
    picked = Counter(place_from_word(word, places) for word in range(1 << 16))
    again = picked.pop(None, 0)
    assert again == (1 << 16) % places
    assert set(picked) == set(range(places))
    assert len(set(picked.values())) == 1


@pytest.mark.parametrize("size", range(1, 8))
def test_rng_4_every_order_of_a_small_deck_comes_equally_often(size: int) -> None:
    """Each way in which the words can pick places is equally likely, and each gives another order: all of them, once."""
    ways = product(*(range(places) for places in range(size, 1, -1)))
    orders = Counter(tuple(shuffled(range(size), iter(way))) for way in ways)
    assert orders == dict.fromkeys(permutations(range(size)), 1)


def test_rng_4_a_word_that_would_favour_a_place_is_drawn_again() -> None:
    assert place_from_word(65_535, 3) is None
    assert shuffled("abc", iter([65_535, 0, 65_535, 1])) == shuffled("abc", iter([0, 1, 1]))


def test_rng_4_a_cut_only_moves_cards_so_it_keeps_every_order_equally_likely() -> None:
    """For a fixed cut, every order of the house gives another final order: none is favoured."""
    numbers = {"t7": "00" * 32}
    finals = {tuple(final_order(order, "a commitment", numbers)) for order in permutations(cards("As Kd 9c 2h 7s"))}
    assert len(finals) == factorial(5)


def test_words_are_taken_from_the_generator_in_order() -> None:
    words = words_of(repeatable("words"))
    block = repeatable("words")(1024)
    assert [next(words) for _ in range(512)] == [int.from_bytes(block[at : at + 2]) for at in range(0, 1024, 2)]


# --- commitment, cut, proof (RNG-10) ------------------------------------------------------------------------------------


def test_rng_10_a_shoe_proves_itself() -> None:
    secret = shuffle("dynasty-1", 7, 6, repeatable("proof"))
    cut = cut_by(secret.commitment, "t1", "t2", "t3")
    dealt = order_of(secret, cut.opened)[:200]
    assert Counter(dealt) <= Counter(DECK * 6)
    assert dealt != list(secret.order[:200])
    assert difference(proof_of(secret, cut), dealt, decks=6) is None


def test_rng_10_without_a_cut_the_order_is_the_house_s_own() -> None:
    secret = shuffle("dynasty-1", 8, 1, repeatable("uncut"))
    assert tuple(order_of(secret, {})) == secret.order


def test_rng_10_the_commitment_hides_the_order_behind_a_nonce() -> None:
    secret = shuffle("t", 1, 1, repeatable("nonce"))
    other = Shuffle("t", 1, secret.order, bytes(32))
    assert len(secret.nonce) == 32
    assert other.commitment != secret.commitment


SECRET = shuffle("t", 1, 1, repeatable("lies"))
CUT = cut_by(SECRET.commitment, "t1", "t2")
DEALT = order_of(SECRET, CUT.opened)[:10]
SOUND = proof_of(SECRET, CUT)
SWAPPED = codes([SECRET.order[1], SECRET.order[0], *SECRET.order[2:]])
SHORT = Reveal("t", 1, codes(SECRET.order[:51]), SECRET.nonce.hex())


@pytest.mark.parametrize(
    ("proof", "dealt", "said"),
    [
        (SOUND, [*DEALT[:4], DEALT[5], DEALT[4], *DEALT[6:]], "card 5 was"),
        (SOUND, [*order_of(SECRET, CUT.opened), DEALT[0]], "53 cards, but holds 52"),
        (
            msgspec.structs.replace(SOUND, reveal=Reveal("t", 1, SWAPPED, SECRET.nonce.hex())),
            DEALT,
            "not the one committed to",
        ),
        (
            msgspec.structs.replace(SOUND, reveal=Reveal("u", 1, codes(SECRET.order), SECRET.nonce.hex())),
            DEALT,
            "committed to",
        ),
        (msgspec.structs.replace(SOUND, reveal=Reveal("t", 1, codes(SECRET.order), "12")), DEALT, "nonce"),
        (msgspec.structs.replace(SOUND, numbers={**SOUND.numbers, "t2": "00" * 32}), DEALT, "a number of t2"),
        (msgspec.structs.replace(SOUND, numbers={"t1": SOUND.numbers["t1"]}), DEALT, "was cut by"),
        (msgspec.structs.replace(SOUND, numbers={}, cut_commitments={}), DEALT, "card 1 was"),
        (Proof(Shuffle("t", 1, SECRET.order[:51], SECRET.nonce).commitment, {}, {}, SHORT), [], "whole decks"),
    ],
)
def test_rng_10_every_lie_is_found(proof: Proof, dealt: list[Card], said: str) -> None:
    assert difference(SOUND, DEALT) is None
    assert said in (difference(proof, dealt) or "")


def test_rng_10_the_decks_are_those_of_the_table() -> None:
    assert "2 decks" in (difference(SOUND, DEALT, decks=2) or "")


# --- the order of the cut -----------------------------------------------------------------------------------------------


def test_rng_10_no_number_is_opened_before_all_are_committed_and_none_committed_after() -> None:
    shoe, number = SECRET.commitment, "ab" * 32
    cut = Cut(shoe)
    cut.commit("t1", cut_commitment(shoe, "t1", number))
    cut.commit("t1", cut_commitment(shoe, "t1", number))  # sent again after a lost connection
    with pytest.raises(Refused, match="cannot take another"):
        cut.commit("t1", cut_commitment(shoe, "t1", "cd" * 32))
    with pytest.raises(Refused, match="not before"):
        cut.open("t1", number)
    assert not cut.whole
    cut.close()
    with pytest.raises(Refused, match="closed"):
        cut.commit("t2", cut_commitment(shoe, "t2", number))
    with pytest.raises(Refused, match="did not commit"):
        cut.open("t2", number)
    with pytest.raises(Refused, match="a number other than the one"):
        cut.open("t1", "cd" * 32)
    assert (cut.whole, cut.missing) == (False, ["t1"])
    cut.open("t1", number)
    assert cut.whole


def test_one_terminal_s_commitment_is_worth_nothing_to_another() -> None:
    """Who copies a commitment cannot open it: the terminal's own name is in it."""
    shoe, number = SECRET.commitment, "ab" * 32
    copied = cut_commitment(shoe, "t1", number)
    cut = Cut(shoe)
    cut.commit("t1", copied)
    cut.commit("thief", copied)
    cut.close()
    cut.open("t1", number)
    with pytest.raises(Refused, match="a number other than the one"):
        cut.open("thief", number)


@pytest.mark.parametrize("commitment", ["", "ab", "g" * 64, "AB" * 32])
def test_a_commitment_is_64_hexadecimal_digits(commitment: str) -> None:
    with pytest.raises(Refused, match="64 hexadecimal"):
        Cut("").commit("t1", commitment)


def test_only_so_many_terminals_cut() -> None:
    cut = Cut("")
    for number in range(MAX_CUTTERS_PER_SHOE):
        cut.commit(f"t{number}", "ab" * 32)
    with pytest.raises(Refused, match="cut this shoe already"):
        cut.commit("late", "ab" * 32)


def test_each_number_changes_the_cards() -> None:
    first = order_of(SECRET, CUT.opened)
    second = order_of(SECRET, {**CUT.opened, "t2": "00" * 32})
    assert first != second
    assert Counter(first) == Counter(second) == Counter(DECK)


# --- what is face down stays face down (RNG-8) ---------------------------------------------------------------------------


def test_rng_8_no_card_shows_in_a_log_or_a_trace() -> None:
    assert repr(SECRET) == "<shoe 1 of t, 52 cards face down>"
    assert not hasattr(SECRET, "__dict__")


def test_rng_8_a_sealed_shoe_survives_and_is_not_readable() -> None:
    seal = Seal(bytes(range(32)), repeatable("seal"))
    sealed = seal.close(SECRET.secret(), "shoe t/1")
    opened = Shuffle.from_secret(seal.open(sealed, "shoe t/1"))
    assert (opened.order, opened.commitment) == (SECRET.order, SECRET.commitment)
    assert codes(SECRET.order[:3]).encode() not in sealed
    assert SECRET.nonce.hex().encode() not in sealed


def test_rng_8_a_seal_opens_only_unaltered_in_its_place_and_with_its_key() -> None:
    seal = Seal(bytes(32), repeatable("seal"))
    sealed = seal.close(b"secret", "shoe t/1")
    altered = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for broken, about, key in (
        (altered, "shoe t/1", bytes(32)),
        (sealed, "shoe t/2", bytes(32)),
        (sealed, "shoe t/1", b"\1" * 32),
        (b"", "shoe t/1", bytes(32)),
    ):
        with pytest.raises(SealBroken, match="does not open"):
            Seal(key, repeatable("seal")).open(broken, about)
    assert seal.open(sealed, "shoe t/1") == b"secret"


# --- the page that says how (docs/fairness.md) ---------------------------------------------------------------------------


def example(name: str) -> str:
    found = re.search(rf"^```{name}\n(.*?)^```", FAIRNESS, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_rng_10_the_worked_example_of_the_page_proves_itself() -> None:
    page = msgspec.json.decode(example("json"))
    proof = msgspec.convert({key: page[key] for key in ("commitment", "cut_commitments", "numbers", "reveal")}, Proof)
    dealt = cards(page["dealt"])
    assert difference(proof, dealt, decks=1) is None
    assert difference(proof, [card("As") if at is not card("As") else card("Ks") for at in dealt]) is not None


def test_rng_10_an_independent_program_comes_to_the_same_cards() -> None:
    """Written from the page alone, with nothing but SHA-256."""
    page = msgspec.json.decode(example("json"))
    reveal, shoe = page["reveal"], page["commitment"]
    text = f"podium-shoe-1\n{reveal['table']}\n{reveal['number']}\n{reveal['nonce']}\n{reveal['order']}\n"
    assert sha256(text.encode()).hexdigest() == shoe
    seed_text = f"podium-cut-seed-1\n{shoe}\n"
    for terminal in sorted(page["numbers"]):
        number = page["numbers"][terminal]
        assert (
            sha256(f"podium-cut-1\n{shoe}\n{terminal}\n{number}\n".encode()).hexdigest()
            == page["cut_commitments"][terminal]
        )
        seed_text += f"{terminal} {number}\n"
    seed = sha256(seed_text.encode()).digest()
    stream = b"".join(sha256(seed + block.to_bytes(8, "big")).digest() for block in range(20))
    order, at = reveal["order"].split(), 0
    for last in range(len(order) - 1, 0, -1):
        while (word := stream[at] * 256 + stream[at + 1]) >= 65536 - 65536 % (last + 1):
            at += 2
        at += 2
        place = word % (last + 1)
        order[last], order[place] = order[place], order[last]
    assert page["dealt"].split() == order[: len(page["dealt"].split())]
