"""How things look in a terminal. Colours only there, and none where NO_COLOR is set: that is Rich's own custom."""

import sys
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.text import Text

from podium.basics.cards import SUITS, cards

WIDEST = 100
"""Longer lines are hard to read."""

ON_PAPER = 80
"""The width in a file or a pipe, whatever terminal it was started from."""

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
ARROW = "→"


def either(sign: str, plain: str) -> str:
    """A sign, or what stands for it where the terminal's encoding has no such sign."""
    try:
        sign.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return plain
    return sign


def show(parts: Iterable[RenderableType]) -> None:
    """Print these one below the other. In a file or a pipe, no line ends with blanks."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDEST) if console.is_terminal else ON_PAPER
    if console.is_terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as page:
        for part in parts:
            console.print(part)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in page.get().splitlines())


def drawn(codes: str) -> Text:
    """Cards as they look: red and black, with the signs of their suits."""
    text = Text()
    for number, card in enumerate(cards(codes)):
        red = card.suit in "dh"
        text.append(" " if number else "")
        text.append(
            f"{card.rank.replace('T', '10')}{either(SIGNS[card.suit], card.suit)}", style="bold red" if red else "bold"
        )
    return text
