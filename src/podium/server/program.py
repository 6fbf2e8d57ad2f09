"""The fingerprint of the running program (VER-1)."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import podium


@cache
def fingerprint() -> str:
    """SHA-256 over every source file of the package, sorted by name."""
    root = Path(podium.__file__).parent
    seen = sha256()
    for path in sorted(root.rglob("*.py")):
        seen.update(f"{path.relative_to(root).as_posix()}\n".encode())
        seen.update(sha256(path.read_bytes()).digest())
    return seen.hexdigest()
