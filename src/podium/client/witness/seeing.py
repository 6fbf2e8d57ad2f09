"""What a witness has seen, for `podium verify`: from its folder, a file of cosigned checkpoints, or its address."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.witness.fetching import get, is_url, read_text, stream_in
from podium.client.witness.folder import WitnessFolder, is_witness
from podium.house.checkpoints import Seen
from podium.record.fair import Entropy
from podium.record.tlog import Checkpoint, Malformed, NoteVerifier, SignedNote, cosigned_at, read_notes
from podium.record.tlog.note import COSIGNATURE, COSIGNATURE_BYTES, timestamp_of


class WitnessSource:
    """One witness, asked for what it has seen."""

    def __init__(self, where: str, entropy: Entropy, keys: Sequence[str] = ()) -> None:
        self._where: Final = where
        self._url: Final = is_url(where)
        self._latest: list[SignedNote] = []
        self._signers: list[bytes] = []
        path = Path(where)
        self._folder: Final = WitnessFolder(path, entropy) if not self._url and is_witness(path) else None
        try:
            self._keys: Final = [NoteVerifier.parse(key) for key in keys] or (
                [self._folder.key] if self._folder else []
            )
            if any(key.kind != COSIGNATURE for key in self._keys):
                raise Malformed("It is the key of a house.")
        except Malformed as error:
            raise Refused("witness-key", error=str(error)) from None

    @property
    def is_checked(self) -> bool:
        """Whether the witness's own signatures are checked, because its key is known."""
        return bool(self._keys)

    def fetch(self) -> None:
        """Fetches the last that it has seen of each log. Do this before a record is read that grows meanwhile."""
        if self._folder is not None:
            self._latest = list(self._folder.latest().values())
            return
        text = get(f"{self._where.rstrip('/')}/checkpoints") if self._url else read_text(Path(self._where))
        try:
            self._latest = list(read_notes(text))
        except Malformed as error:
            raise Refused("witness-text", source=self._where, error=str(error)) from None

    def latest(self, signers: Iterable[bytes]) -> list[Seen]:
        """Returns what was fetched. If the key of the witness is not known, the signature of the house, whose public
        keys are given, at least exposes typing mistakes."""
        self._signers = list(signers)
        return self._seen(self._latest)

    def history(self) -> list[Seen]:
        """Returns all that it has seen, as far as it can be read: to say since when a record differs."""
        if self._folder is not None:
            return self._seen(_whole(self._folder.history()), torn=True)
        if self._url:
            return self._seen(read_notes(get(f"{self._where.rstrip('/')}/history"), torn=True), torn=True)
        return []

    def _seen(self, notes: Iterable[SignedNote], *, torn: bool = False) -> list[Seen]:
        """The checkpoints that the witness cosigned, if its key is known; otherwise all."""
        seen = []
        for note in notes:
            try:
                found = self._one(note)
            except Malformed as error:
                if torn:
                    continue
                raise Refused("witness-text", source=self._where, error=str(error)) from None
            if found is not None:
                seen.append(found)
        if not seen and not torn:
            raise Refused("witness-empty", source=self._where)
        return seen

    def _one(self, note: SignedNote) -> Seen | None:
        checkpoint = Checkpoint.parse(note.text)
        if not self._keys:
            for key in self._signers:
                NoteVerifier(checkpoint.origin.removesuffix(f"/{stream_in(checkpoint.origin)}"), key).verified(note)
            said = [timestamp_of(each.bytes) for each in note.signatures if len(each.bytes) == COSIGNATURE_BYTES]
            return Seen(checkpoint, max(said, default=None))
        times = {key.name: when for key in self._keys if (when := cosigned_at(note, key)) is not None}
        if not times:
            return None
        name = min(times)
        return Seen(checkpoint, times[name], name)


def _whole(files: Iterable[Path]) -> Iterator[SignedNote]:
    for file in files:
        yield from read_notes(file.read_text(encoding="utf-8", errors="replace"), torn=True)


english(
    "refused",
    {
        "witness-key": "This is not the key of a witness: {error}",
        "witness-text": "{source} does not hold sound checkpoints: {error}",
        "witness-empty": "{source} holds no checkpoint that this witness cosigned.",
    },
)
