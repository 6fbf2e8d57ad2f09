"""Writes the folder: pages to read, the same facts as JSON, and the digest of every file."""

import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from podium import __version__
from podium.maths.page import document, page
from podium.maths.par_sheet import par
from podium.rules.games import GAMES
from podium.server.program import fingerprint, manifest_of, manifest_text, running
from tests.evidence.generator import Tried
from tests.evidence.pages import (
    STYLE,
    mark,
    returns_table,
    section,
    source_name,
    source_page,
    standards_page,
    standards_table,
    table,
)
from tests.evidence.results import RESULTS, Result, kept
from tests.evidence.returns import Compared
from tests.evidence.standing import NOT_RUN, Standing, standing
from tests.mutants.listed import ROOT

MODES: Final = {
    "tests": ("Tests of the program", "make test"),
    "terminals": ("Tests of the terminals", "python -m tests.evidence.terminals"),
    "coverage": ("Branch coverage of money and settlement", "make coverage"),
    "mutants": ("Faults that are put in", "make mutants"),
    "generated-mutants": ("Faults made by rule in modules of money", "make mutants"),
    "simulate": ("Simulated houses", "make simulate"),
    "failing-disk": ("A disk that fails under the store", "make torture"),
    "torture": ("A real house that is killed", "make torture"),
    "fuzz": ("Hostile messages", "make fuzz"),
}
"""The long modes, and the commands that run them."""


class Evidence(NamedTuple):
    """Everything that the folder says."""

    made: datetime
    results: dict[str, Result | None]
    standards: list[Standing]
    games: list[Compared]
    battery: list[Tried]


def gather(made: datetime, games: list[Compared], battery: list[Tried], folder: Path = RESULTS) -> Evidence:
    """Reads the results of the long modes. One of another program says nothing of this one."""
    found = {mode: kept(mode, folder) for mode in MODES}
    ours = {mode: each if each is not None and each.program == fingerprint() else None for mode, each in found.items()}
    return Evidence(made, found, standing(ours), games, battery)


def outcome(result: Result | None) -> str:
    """What came of a long mode."""
    if result is None:
        return NOT_RUN
    return result.ended if result.program == fingerprint() else f"{NOT_RUN} on this program"


def write(evidence: Evidence, folder: Path) -> None:
    """Writes everything. The folder must be new."""
    folder.mkdir(parents=True)
    for name, content in _files(evidence):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    sums = [
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder).as_posix()}\n"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def _files(evidence: Evidence) -> Iterator[tuple[str, str | bytes]]:
    yield "index.html", index(evidence)
    yield "standards.html", standards_page(evidence.standards)
    for file in _named(evidence.standards):
        yield source_name(file), source_page(file)
    for mode, result in evidence.results.items():
        if result is not None:
            yield f"results/{mode}.json", _json(result)
    for name, game in GAMES.items():
        yield f"par/{name}.html", page(par(game))
    yield "evidence.json", _json(facts(evidence))
    yield "podium.manifest", manifest_text(manifest_of(running()))


def _named(every: Iterable[Standing]) -> list[str]:
    """The files that an id names."""
    places = (place for each in every for place in (*each.lines, *(came.place for came in (*each.tests, *each.faults))))
    return sorted({place.file for place in places})


def _json(said: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(said), indent=1) + b"\n"


def about(made: datetime) -> dict[str, str]:
    """What was looked at, when and on what."""
    return {
        "Podium": __version__,
        "program": fingerprint(),
        "commit": _git("rev-parse", "HEAD") + (", with changes" if _git("status", "--porcelain") else ""),
        "made": made.isoformat(timespec="seconds"),
        "Python": platform.python_version(),
        "system": platform.platform(),
    }


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    except OSError:
        return "unknown"
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def facts(evidence: Evidence) -> dict[str, Any]:
    """The whole folder as one document."""
    return {
        "about": about(evidence.made),
        "modes": {mode: outcome(result) for mode, result in evidence.results.items()},
        "standards": [each._asdict() | {"tested": each.tested, "found": each.found} for each in evidence.standards],
        "games": [each._asdict() for each in evidence.games],
        "battery": [each._asdict() | {"odd": each.odd} for each in evidence.battery],
    }


# --- the first page -------------------------------------------------------------------------------------------------------


def index(evidence: Evidence) -> str:
    """The page to begin with."""
    said = about(evidence.made)
    head = "".join(
        f"<tr><td>{escape(name)}</td><td class=words>{escape(value)}</td></tr>" for name, value in said.items()
    )
    body = [f"{STYLE}<header><h1>Podium: evidence</h1><table>{head}</table></header>", _missing(evidence)]
    body.append(section("What was run", _modes(evidence.results)))
    body.append(section("The standards", _states(evidence.standards), standards_table(evidence.standards)))
    body.append(_coverage(evidence.results["coverage"]))
    body += [_game(each) for each in evidence.games]
    body.append(_battery(evidence.battery))
    body.append(
        section(
            "The program",
            "<p><a href='podium.manifest'>podium.manifest</a> lists every file that runs; compare an installation with <code>podium verify --program --manifest podium.manifest</code>. <a href='evidence.json'>evidence.json</a> has everything on this page, <a href='SHA256SUMS'>SHA256SUMS</a> the digest of every file.</p>",
        )
    )
    return document("Podium: evidence", "".join(body))


def missing(evidence: Evidence) -> list[str]:
    """What a reader must know first: what failed, what was not run and what is open."""
    said = [
        f"{MODES[mode][0]}: {outcome(result)}; {MODES[mode][1]}."
        for mode, result in evidence.results.items()
        if outcome(result) != "passed"
    ]
    for state in ("open", "tested"):
        ids = [each.id for each in evidence.standards if each.state == state]
        says = "no test carries the id" if state == "open" else "tested, with no listed fault that a test finds"
        said += [f"{', '.join(ids)}: {says}."] if ids else []
    said += [f"{each.id}: a test failed." for each in evidence.standards if each.tested == "failed"]
    said += [f"{each.id}: a fault survived." for each in evidence.standards if each.found == "survived"]
    for game in evidence.games:
        said += [f"{game.game}: {len(game.different)} rounds were settled differently."] if game.different else []
        said += [f"{game.game}: the figures of {', '.join(game.doubtful)} are far apart."] if game.doubtful else []
    said += [
        f"{each.decks} decks, {each.how}: {', '.join(each.odd)} below 99 %." for each in evidence.battery if each.odd
    ]
    return said


def _missing(evidence: Evidence) -> str:
    said = "".join(f"<li>{escape(each)}</li>" for each in missing(evidence))
    return f'<section class=warning role="alert"><h2>Look at this first</h2><ul>{said}</ul></section>' if said else ""


def _modes(results: Mapping[str, Result | None]) -> str:
    rows = []
    for mode, result in results.items():
        says, command = MODES[mode]
        figures = (
            "" if result is None else ", ".join(f"{name} {_figure(value)}" for name, value in result.figures.items())
        )
        when = "" if result is None else f"<a href='results/{mode}.json'>{escape(result.made)}</a>"
        rows.append((escape(says), mark(outcome(result)), when, escape(figures), f"<code>{escape(command)}</code>"))
    return table(("", "came of it", "when", "figures", "command"), rows)


def _figure(value: float | str) -> str:
    return escape(value) if isinstance(value, str) else f"{value:,}"


def _states(every: Iterable[Standing]) -> str:
    states = [each.state for each in every]
    counted = ", ".join(f"{states.count(state)} {state}" for state in ("proven", "tested", "open"))
    return (
        f"<p>{len(states)} ids: {counted}. An id is proven if a fault is listed in a line that implements it, and a test that"
        " carries the id finds it. Each id leads to its lines, tests and faults.</p>"
    )


def _coverage(result: Result | None) -> str:
    if result is None:
        return section("Coverage of money and settlement", f"<p>{NOT_RUN}</p>")
    rows = [(escape(file), escape(described)) for file, described in result.details.items()]
    return section("Coverage of money and settlement", table(("module", "statements and branches"), rows))


def _game(compared: Compared) -> str:
    said = (
        f"<p><a href='par/{compared.game}.html'>PAR sheet</a>. {compared.rounds:,} rounds were dealt at random and played by the"
        f" best play; the second engine settled them from the cards, wagers and decisions alone, and"
        f" {len(compared.different)} differently from Podium.</p>"
    )
    return section(f"Returns: {GAMES[compared.game].title}", said, returns_table(compared))


def _battery(battery: Iterable[Tried]) -> str:
    rows = [
        (
            f"{each.decks}",
            escape(each.how),
            f"{each.shoes:,}",
            f"{len(each.chances)}",
            f"{min(each.chances.values()):.4f}",
            mark("failed") + f": {escape(', '.join(each.odd))}" if each.odd else "passed",
        )
        for each in battery
    ]
    said = (
        "<p>Shoes of the generator that a running house deals with. A perfect shuffle fails one row in a hundred.</p>"
    )
    return section("Randomness", said, table(("decks", "shoes", "number", "figures", "least chance", "at 99 %"), rows))
