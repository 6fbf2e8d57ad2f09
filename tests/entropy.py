"""Bytes that look random and are the same in every run, in place of the operating system's generator."""

from hashlib import sha256

from podium.record.fair import Entropy


def repeatable(name: str) -> Entropy:
    """An entropy that depends on nothing but its name."""
    drawn = 0

    def entropy(length: int) -> bytes:
        nonlocal drawn
        blocks = []
        for _ in range(-(-length // 32)):
            blocks.append(sha256(f"{name} {drawn}".encode()).digest())
            drawn += 1
        return b"".join(blocks)[:length]

    return entropy
