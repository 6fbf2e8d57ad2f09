"""EVT-5: the tree of RFC 6962, signed notes, checkpoints and cosignatures, against their published definitions.

The tree is computed here a second time, from the recursive definition of the RFC's text and from the leaves alone.
"""

import base64
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from podium.record.tlog import (
    EMPTY,
    STORED_LEVELS,
    Checkpoint,
    Frontier,
    Malformed,
    Node,
    NodeAt,
    NoteSigner,
    NoteVerifier,
    SignedNote,
    Submission,
    consistency_proof,
    cosigned_at,
    inclusion_proof,
    is_consistent,
    is_included,
    parse_note,
    read_notes,
    read_submissions,
    write_notes,
    write_submissions,
)
from podium.record.tlog.note import COSIGNATURE

# --- a tree of its own -----------------------------------------------------------------------------------------------------


def mth(leaves: list[bytes]) -> bytes:
    """RFC 6962 2.1: the Merkle Tree Hash of a list."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = below(len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def below(size: int) -> int:
    """The largest power of two smaller than `size`."""
    k = 1
    while k * 2 < size:
        k *= 2
    return k


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """RFC 6962 2.1.1."""
    if len(leaves) == 1:
        return []
    k = below(len(leaves))
    return [*path(m, leaves[:k]), mth(leaves[k:])] if m < k else [*path(m - k, leaves[k:]), mth(leaves[:k])]


def proof(m: int, leaves: list[bytes]) -> list[bytes]:
    """RFC 6962 2.1.2."""
    return subproof(m, leaves, True)


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = below(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def entries(count: int, mark: bytes = b"") -> list[bytes]:
    return [sha256(mark + number.to_bytes(4)).digest() for number in range(count)]


def nodes_of(leaves: list[bytes]) -> NodeAt:
    return lambda level, number: mth(leaves[number << level : (number + 1) << level])


# --- the tree ------------------------------------------------------------------------------------------------------------------

PUBLISHED = "00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f"


def test_the_roots_are_those_that_certificate_transparency_publishes() -> None:
    leaves = [b"", *(bytes.fromhex(leaf) for leaf in PUBLISHED.split())]
    frontier = Frontier()
    assert frontier.root() == EMPTY
    frontier.add(leaves[:1])
    assert frontier.root().hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    frontier.add(leaves[1:])
    assert frontier.root().hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@given(st.integers(0, 600), st.integers(0, 600))
def test_a_frontier_has_the_root_of_the_definition_however_it_came_about(first: int, more: int) -> None:
    leaves = entries(first + more)
    grown = Frontier()
    grown.add(leaves[:first])
    grown.add(leaves[first:])
    read = Frontier.at(first, nodes_of(leaves))
    read.add(leaves[first:])
    assert grown.root() == read.root() == mth(leaves)
    assert grown.size == read.size == len(leaves)


def test_the_nodes_of_every_eighth_level_are_handed_over_once() -> None:
    leaves = entries(70_000)
    frontier, found = Frontier(), []
    for at in range(0, len(leaves), 999):
        found += frontier.add(leaves[at : at + 999])
    assert [(node.level, node.number) for node in found if node.level > STORED_LEVELS] == [(16, 0)]
    assert [node.number for node in found if node.level == STORED_LEVELS] == list(range(70_000 // 256))
    assert found[1] == Node(8, 1, mth(leaves[256:512]))
    assert [node.hash for node in found if node.level == 16] == [mth(leaves[:65_536])]


def test_a_frontier_with_other_peaks_than_its_size_has_is_refused() -> None:
    with pytest.raises(ValueError, match="5 leaves have 2 peaks, not 1"):
        Frontier(5, [EMPTY])


@pytest.mark.parametrize("size", [*range(1, 18), 31, 32, 33, 300])
def test_proofs_are_those_of_the_definition_and_hold(size: int) -> None:
    leaves = entries(size)
    root, node_at = mth(leaves), nodes_of(leaves)
    for leaf in range(size):
        found = inclusion_proof(node_at, leaf, size)
        assert found == path(leaf, leaves)
        assert is_included(leaves[leaf], leaf, size, root, found)
    for old in range(1, size + 1):
        shown = consistency_proof(node_at, old, size)
        assert shown == proof(old, leaves)
        assert is_consistent(old, mth(leaves[:old]), size, root, shown)


def test_every_log_begins_with_an_empty_one() -> None:
    leaves = entries(7)
    assert consistency_proof(nodes_of(leaves), 0, 7) == []
    assert is_consistent(0, EMPTY, 7, mth(leaves), [])
    assert not is_consistent(0, mth(leaves), 7, mth(leaves), [])
    with pytest.raises(ValueError, match="had no 8 leaves"):
        consistency_proof(nodes_of(leaves), 8, 7)
    with pytest.raises(ValueError, match="has no leaf 7"):
        inclusion_proof(nodes_of(leaves), 7, 7)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 39), st.data())
def test_no_proof_holds_for_another_log(old: int, more: int, altered: int, data: st.DataObject) -> None:
    """Whatever is altered among the first entries, the longer log is not consistent with the one that was seen."""
    leaves = entries(old + more)
    forged = list(leaves)
    forged[altered % old] = sha256(b"forged").digest()
    shown = consistency_proof(nodes_of(forged), old, len(forged))
    assert not is_consistent(old, mth(leaves[:old]), len(forged), mth(forged), shown)
    # Nor does it help to show the honest proof, or any other mixture of hashes.
    mixture = data.draw(st.permutations([*shown, *proof(old, leaves), mth(leaves), mth(forged)]))
    count = data.draw(st.integers(0, len(mixture)))
    assert not is_consistent(old, mth(leaves[:old]), len(forged), mth(forged), mixture[:count])


@given(st.integers(1, 40), st.integers(0, 39), st.integers(0, 39))
def test_an_entry_is_included_only_where_it_stands(size: int, leaf: int, other: int) -> None:
    leaves = entries(size)
    leaf, other = leaf % size, other % size
    shown = inclusion_proof(nodes_of(leaves), leaf, size)
    assert is_included(leaves[leaf], other, size, mth(leaves), shown) == (leaf == other)
    assert is_included(leaves[other], leaf, size, mth(leaves), shown) == (leaf == other)
    assert not is_included(leaves[leaf], leaf, size, mth(leaves), [*shown, EMPTY])
    assert not is_included(leaves[leaf], size, size, mth(leaves), shown)


@pytest.mark.parametrize(("old", "size"), [(3, 2), (-1, 4), (3, 7), (4, 7)])
def test_a_consistency_proof_of_the_wrong_length_does_not_hold(old: int, size: int) -> None:
    leaves = entries(7)
    roots = mth(leaves[: max(old, 0)]), mth(leaves[:size])
    assert not is_consistent(old, roots[0], size, roots[1], [])
    if 0 < old <= size:
        right = proof(old, leaves[:size])
        assert not is_consistent(old, roots[0], size, roots[1], [*right, EMPTY])
        assert not is_consistent(old, roots[0], size, roots[1], right[:-1])


# --- signed notes --------------------------------------------------------------------------------------------------------------

TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NEUMANNS_SECRET = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
SIGNED = f"{TEXT}\n\N{EM DASH} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"


def test_a_note_is_signed_as_the_published_example() -> None:
    signer = NoteSigner("PeterNeumann", NEUMANNS_SECRET)
    assert str(signer.verifier) == NEUMANN
    assert str(signer.sign(TEXT)) == SIGNED
    assert NoteVerifier.parse(NEUMANN).verified(parse_note(SIGNED)) is not None


def test_a_note_keeps_the_empty_lines_of_its_text() -> None:
    signer = NoteSigner("n", bytes(32))
    note = parse_note(str(signer.sign("one\n\ntwo\n")))
    assert note.text == "one\n\ntwo\n"
    assert signer.verifier.verified(note) is not None


def test_signatures_of_unknown_keys_are_passed_over_and_false_ones_refused() -> None:
    known, other = NoteSigner("known", bytes(32)), NoteSigner("other", bytes([1]) * 32)
    note = other.sign("text\n")
    assert known.verifier.verified(note) is None
    assert NoteSigner("known", bytes([1]) * 32).verifier.verified(known.sign("text\n")) is None
    altered = known.sign("text\n")._replace(text="tExt\n")
    with pytest.raises(Malformed, match="not one of this text"):
        known.verifier.verified(altered)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "text\n",
        "text\n\n",
        SIGNED[:-1],
        SIGNED.replace("\N{EM DASH}", "-"),
        SIGNED.replace(" x08", " "),
        SIGNED.replace("JnAM=", "JnAN="),
        SIGNED.replace("If you", "If\tyou"),
        "text\n\n\N{EM DASH} a+b AAAAAAA=\n",
        "text\n\n\N{EM DASH} ab AAAA\n",
        "text\n\n" + "\N{EM DASH} ab AAAAAAA=\n" * 17,
    ],
)
def test_what_is_not_a_note_is_refused(bad: str) -> None:
    with pytest.raises(Malformed):
        parse_note(bad)


@pytest.mark.parametrize(
    "bad",
    ["", "name", "a+b", NEUMANN.replace("c74f20a3", "c74f20a4"), NEUMANN[:-4], NEUMANN.replace("+AR", "+CR"), "+00000000+AQ=="],
)  # fmt: skip
def test_what_is_not_a_verifier_key_is_refused(bad: str) -> None:
    with pytest.raises(Malformed):
        NoteVerifier.parse(bad)


# --- checkpoints and cosignatures ----------------------------------------------------------------------------------------------

CHECKPOINT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"


def test_a_checkpoint_is_written_as_the_published_example() -> None:
    checkpoint = Checkpoint.parse(CHECKPOINT)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert checkpoint.text() == CHECKPOINT
    assert Checkpoint.parse(f"{CHECKPOINT}an extension\n") == checkpoint


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "a\n1\n",
        CHECKPOINT.replace("2085", "02085"),
        CHECKPOINT.replace("2085", "-2085"),
        CHECKPOINT.replace("2085", "\N{ARABIC-INDIC DIGIT TWO}085"),
        CHECKPOINT.replace("CsUY", ""),
        CHECKPOINT[:-1],
        f"{CHECKPOINT}\n",
        f"\n{CHECKPOINT}",
    ],
)
def test_what_is_not_a_checkpoint_is_refused(bad: str) -> None:
    with pytest.raises(Malformed):
        Checkpoint.parse(bad)


def test_a_cosignature_signs_the_time_and_the_checkpoint_as_published() -> None:
    """By hand, from the text of tlog-cosignature: the key id, the structure, and the signed message."""
    house, witness = NoteSigner("example.com/log", bytes(32)), NoteSigner("w.example/w1", bytes([7]) * 32, COSIGNATURE)
    note = witness.cosign(house.sign(CHECKPOINT), 1_679_315_147)
    name, encoded = str(note).splitlines()[-1].removeprefix("\N{EM DASH} ").split(" ")
    raw = base64.b64decode(encoded)
    assert name == "w.example/w1"
    assert raw[:4] == sha256(b"w.example/w1\n\x04" + witness.verifier.key).digest()[:4]
    assert int.from_bytes(raw[4:12]) == 1_679_315_147
    signed = f"cosignature/v1\ntime 1679315147\n{CHECKPOINT}".encode()
    public = Ed25519PublicKey.from_public_bytes(witness.verifier.key)
    public.verify(raw[12:], signed)
    with pytest.raises(InvalidSignature):
        public.verify(raw[12:], CHECKPOINT.encode())
    assert cosigned_at(note, witness.verifier) == 1_679_315_147
    assert cosigned_at(house.sign(CHECKPOINT), witness.verifier) is None
    assert NoteVerifier.parse(str(witness.verifier)).kind == COSIGNATURE


def test_a_cosignature_with_another_time_is_refused() -> None:
    witness = NoteSigner("w", bytes([7]) * 32, COSIGNATURE)
    note = witness.cosign(NoteSigner("h", bytes(32)).sign(CHECKPOINT), 1_000)
    first, last = note.signatures
    later = note._replace(signatures=(first, last._replace(bytes=(2_000).to_bytes(8) + last.bytes[8:])))
    never = note._replace(signatures=(first, last._replace(bytes=b"\xff" * 8 + last.bytes[8:])))
    short = note._replace(signatures=(first, last._replace(bytes=last.bytes[8:])))
    for forged in (later, never, short):
        with pytest.raises(Malformed):
            cosigned_at(forged, witness.verifier)


def test_several_checkpoints_are_one_text_that_can_be_mailed() -> None:
    signer = NoteSigner("h", bytes(32))
    notes = [signer.sign(Checkpoint(f"h/s{number}", number, mth(entries(number))).text()) for number in range(3)]
    assert list(read_notes(write_notes(notes))) == notes
    assert list(read_notes(write_notes(notes).replace("\n", "\r\n"))) == notes
    sent = [Submission(notes[2], 1, (EMPTY, EMPTY)), Submission(notes[1])]
    assert list(read_submissions(write_submissions(sent))) == sent
    assert write_submissions(sent).startswith(f"old 1\n{base64.b64encode(EMPTY).decode()}\n")


def is_signed(note: SignedNote, signer: NoteSigner) -> bool:
    try:
        return signer.verifier.verified(note) is not None
    except Malformed:
        return False


def test_a_file_that_was_torn_gives_the_whole_notes_in_it() -> None:
    signer = NoteSigner("h", bytes(32))
    notes = [signer.sign(Checkpoint(f"h/s{number}", number, mth(entries(number))).text()) for number in range(3)]
    text = write_notes(notes[:2])
    for lost in range(1, len(str(notes[1])) + 1):
        found = list(read_notes(f"{text[:-lost]}\n\n{write_notes(notes[2:])}", torn=True))
        assert [note for note in found if is_signed(note, signer)] in ([notes[0], notes[2]], notes), lost
    with pytest.raises(Malformed):
        list(read_notes(text.rpartition("\n\n\N{EM DASH}")[0]))
