"""The pages of the folder: HTML that needs nothing else, in the style of the PAR sheets."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from podium.maths.page import document
from tests.evidence.returns import Compared
from tests.evidence.standing import Came, Standing
from tests.mutants.listed import ROOT
from tests.standards.finding import Place

BAD: Final = frozenset({"failed", "survived", "stopped", "open", "doubtful"})


STYLE: Final = "<style>th { text-align: left; } td.words { overflow-wrap: anywhere; min-width: 5em; }</style>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    named = "".join(f"<th>{escape(each)}</th>" for each in head)
    body = "".join(f"<tr>{''.join(f'<td class=words>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<div class=scroll><table><tr>{named}</tr>{body}</table></div>"


def section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def mark(outcome: str) -> str:
    """An outcome, in bold if it needs a look."""
    return f"<b>{escape(outcome)}</b>" if outcome in BAD else escape(outcome)


def link(place: Place, says: str = "") -> str:
    """A link to a line of the copy of its file."""
    return f'<a href="{source_name(place.file)}#L{place.line}">{escape(says or f"{place.file}:{place.line}")}</a>'


def source_name(file: str) -> str:
    """Where the copy of a file is in the folder."""
    return f"sources/{file.replace('/', '.')}.html"


def source_page(file: str) -> str:
    """A file with its lines numbered."""
    rows = (ROOT / file).read_text(encoding="utf-8").splitlines()
    lines = "".join(
        f'<span id="L{at}"><a href="#L{at}">{at:>5}</a>  {escape(row)}</span>\n' for at, row in enumerate(rows, 1)
    )
    style = "<style>pre { font-size: 13px; overflow-x: auto; } pre a { color: var(--soft); text-decoration: none; } :target { background: var(--pale); }</style>"
    return document(
        file, f"{style}<h1>{escape(file)}</h1><p><a href='../standards.html'>Standards</a></p><pre>{lines}</pre>"
    )


def standards_page(every: Sequence[Standing]) -> str:
    """Each id with the lines that implement it, its tests and its faults."""
    parts = [f"{STYLE}<header><h1>The standards</h1><p><a href='index.html'>Evidence</a></p></header>"]
    parts += ["".join(_standard(each)) for each in every]
    return document("Standards", "".join(parts))


def _standard(each: Standing) -> Iterator[str]:
    yield f'<section id="{each.id}"><h2>{each.id}: {mark(each.state)}</h2>'
    yield f"<p class=soft>{escape(each.section)}</p><p>{escape(each.text)}</p>"
    if each.lines:
        said = ", ".join(link(place, f"{place.file}:{place.line}") for place in each.lines)
        yield f"<h3>Named in</h3><p class=fraction>{said}</p>"
    yield from _came("Tests", each.tests)
    yield from _came("Faults that were put in", each.faults)
    yield "</section>"


def _came(title: str, every: Sequence[Came]) -> Iterator[str]:
    if every:
        rows = [(link(each.place, each.says), mark(each.outcome)) for each in every]
        yield f"<h3>{escape(title)}</h3>{table(('', ''), rows)}"


def standards_table(every: Sequence[Standing]) -> str:
    rows = [
        (
            f'<a href="standards.html#{each.id}">{each.id}</a>',
            mark(each.state),
            _counted(each.tests),
            _counted(each.faults),
        )
        for each in every
    ]
    return table(("id", "state", "tests", "faults"), rows)


def _counted(every: Sequence[Came]) -> str:
    """How many of each outcome."""
    outcomes = dict.fromkeys(each.outcome for each in every)
    return ", ".join(f"{sum(each.outcome == one for each in every)} {mark(one)}" for one in outcomes) or "none"


def returns_table(compared: Compared) -> str:
    rows = [
        (
            escape(each.wager),
            "not counted" if each.exact is None else f"{each.exact:.4%}",
            f"{each.found:.4%}",
            f"{each.standard_error:.4%}",
            ""
            if each.apart is None
            else f"{each.apart:+.2f}" + (" <b>doubtful</b>" if each.wager in compared.doubtful else ""),
        )
        for each in compared.wagers
    ]
    return table(("wager", "house edge, PAR sheet", "second engine", "standard error", "standard errors apart"), rows)
