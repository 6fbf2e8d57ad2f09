"""Transparency logs: the Merkle tree over the entries of a stream, signed notes, checkpoints and cosignatures (EVT-5).

The formats are published: RFC 6962 for the tree and its proofs, C2SP for signed notes, checkpoints and cosignatures, so
that somebody who distrusts this program can check a checkpoint with another one.
"""

from podium.record.tlog.checkpoint import (
    Checkpoint,
    Submission,
    cosigned_at,
    origin_of,
    read_notes,
    read_submissions,
    write_notes,
    write_submissions,
)
from podium.record.tlog.note import Malformed, NoteSigner, NoteVerifier, SignedNote, parse_note
from podium.record.tlog.tree import (
    EMPTY,
    STORED_LEVELS,
    Frontier,
    Node,
    NodeAt,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    node_hash,
    range_hash,
)

__all__ = [
    "EMPTY",
    "STORED_LEVELS",
    "Checkpoint",
    "Frontier",
    "Malformed",
    "Node",
    "NodeAt",
    "NoteSigner",
    "NoteVerifier",
    "SignedNote",
    "Submission",
    "consistency_proof",
    "cosigned_at",
    "inclusion_proof",
    "is_consistent",
    "is_included",
    "leaf_hash",
    "node_hash",
    "origin_of",
    "parse_note",
    "range_hash",
    "read_notes",
    "read_submissions",
    "write_notes",
    "write_submissions",
]
