"""What a store asks of the disk besides a database."""

import os
from pathlib import Path


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable: a file that was renamed there has its new name after a power failure too."""
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
