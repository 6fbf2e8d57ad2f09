"""The PAR sheet as one HTML page that needs nothing else: no script, no file, no network."""

from collections.abc import Iterator
from fractions import Fraction
from html import escape

from podium import __version__
from podium.maths import plots
from podium.maths.figures import Figures
from podium.maths.sheet import STRATEGIES, ParEntry, ParSheet, odds, percent
from podium.maths.spread import ResultSpread, spread
from podium.rules.options import written

SPREAD_ROUNDS = (100, 10_000, 1_000_000)

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6878; --paper: #fbfaf7; --card: #ffffff; --rule: #dfe2e7;
  --bar: #2f6f73; --pale: #a9cfd0; --gold: #a8741a; --red: #b3372c; --redpaper: #fbeae7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #9aa5b4; --paper: #14181e; --card: #1c222b; --rule: #333c48;
  --bar: #63b3b0; --pale: #2c5457; --gold: #e0b052; --red: #ef8377; --redpaper: #35201f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -.01em; }
h2 { font-size: 21px; margin: 0 0 2px; }
h3 { font-size: 14px; margin: 22px 0 6px; color: var(--soft); font-weight: 600; }
p { margin: 6px 0; } .soft { color: var(--soft); } .how { color: var(--soft); font-size: 14px; max-width: 72ch; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 22px 24px; margin: 22px 0; }
.warning { background: var(--redpaper); border-color: var(--red); } .warning h2 { color: var(--red); } .warning li { margin: 2px 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: right; padding: 6px 10px; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.words { text-align: left; white-space: normal; } tr:last-child td, .said td { border-bottom: 0; } .said td { padding-bottom: 0; } .said td:first-child { white-space: normal; } .scroll { overflow-x: auto; }
.facts { display: flex; flex-wrap: wrap; gap: 10px 28px; margin: 14px 0 4px; }
.facts b { display: block; font-size: 22px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.25; } .facts span { font-size: 13px; color: var(--soft); }
.fraction { font-size: 13px; overflow-wrap: anywhere; }
.three { display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; } .three h4 { font-size: 14px; margin: 0; font-weight: 600; }
.three p { font-size: 13px; margin: 2px 0 0; color: var(--soft); }
svg { width: 100%; height: auto; display: block; } svg text { font-size: 12px; fill: var(--ink); } svg .tick { fill: var(--soft); font-size: 11px; }
.grid { stroke: var(--rule); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1; } .whole { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 3 3; }
.bar { fill: var(--bar); } .bar.against { fill: var(--red); } .bar.little { fill: var(--gold); } .bar.lost { fill: var(--pale); }
.tail { fill: var(--pale); } .middle { fill: var(--bar); } .mean { stroke: var(--gold); stroke-width: 2; }
details summary { cursor: pointer; color: var(--soft); font-size: 14px; } footer { color: var(--soft); font-size: 13px; }
@media (max-width: 700px) { .plot svg { min-width: 600px; } .three { grid-template-columns: 1fr; } main { padding: 24px 14px; } section { padding: 16px; } }
@media print { body { background: #fff; } section { break-inside: avoid; } }
"""


def page(sheet: ParSheet) -> str:
    """Writes the whole page."""
    parts = [_head(sheet), warned(sheet.warnings), overview(sheet), *map(_section, sheet.entries), _foot(sheet)]
    return document(f"{sheet.game.title}: PAR sheet", "".join(parts))


def document(title: str, body: str) -> str:
    """A self-contained HTML document."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main>{body}</main></body></html>\n"
    )


def _head(sheet: ParSheet) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class=words>{escape(written(value))}</td>"
        f"<td class=words>{escape(str(sheet.game.options[name].says(value)))}</td></tr>"
        for name, value in sheet.options.items()
    )
    changed = sheet.game.changed()
    said = ", ".join(f"{name} = {written(value)}" for name, value in changed.items()) or "all options as by default"
    return (
        f"<header><h1>{escape(sheet.game.title)}</h1><p class=soft>PAR sheet · {escape(sheet.game.name)} · "
        f"{escape(STRATEGIES[sheet.strategy])} · {escape(said)}</p>"
        f"<details><summary>All options in force</summary><div class=scroll><table>{rows}</table></div></details></header>"
    )


def warned(warnings: list[str]) -> str:
    if not warnings:
        return ""
    said = "".join(f"<li>{escape(warning)}</li>" for warning in warnings)
    return f'<section class=warning role="alert"><h2>Look at this first</h2><ul>{said}</ul></section>'


def overview(sheet: ParSheet) -> str:
    staked = [entry for entry in sheet.entries if entry.figures.staked]
    rows = "".join(
        f"<tr><td>{escape(entry.wager)}</td><td>{percent(entry.figures.house_edge)}</td>"
        f"<td>{percent(entry.figures.returned)}</td><td>{percent(entry.figures.hit_frequency)}</td>"
        f"<td>{entry.figures.standard_deviation:.3f}</td><td>{escape(_method(entry.figures))}</td></tr>"
        for entry in sheet.entries
    )
    return (
        "<section><h2>Return by wager</h2><p class=how>What comes back on average, per unit of the initial wager.</p>"
        f"{plots.returns([(entry.wager, float(entry.figures.returned)) for entry in staked])}"
        "<div class=scroll><table><tr><th>wager</th><th>house edge</th><th>return</th><th>hit frequency</th>"
        f"<th>standard deviation</th><th>method</th></tr>{rows}</table></div></section>"
    )


def _method(figures: Figures) -> str:
    if figures.standard_error is None:
        return figures.method
    return f"{figures.method}, ± {percent(figures.standard_error)}"


# --- a wager --------------------------------------------------------------------------------------------------------


def _section(entry: ParEntry) -> str:
    named = f" · paytable {escape(entry.paytable)}" if entry.paytable else ""
    places = f" · {escape(entry.places)}" if entry.places else ""
    return (
        f"<section><h2>{escape(entry.title)}</h2><p class=soft>{escape(entry.wager)}{named}{places}</p>"
        f"{_facts(entry.figures)}<p class=how>{escape(entry.figures.how)}</p>"
        f"{_compared(entry)}{_outcomes(entry.figures)}{_results(entry.figures)}{_spreads(entry.figures)}</section>"
    )


def _facts(figures: Figures) -> str:
    facts = [("house edge" if figures.staked else "house edge, for each unit of the ante", percent(figures.house_edge))]
    if figures.house_edge_per_total_wagered is not None and figures.total_wagered is not None:
        facts.append(("of all that is wagered", percent(figures.house_edge_per_total_wagered)))
        facts.append(("wagered on average", f"{float(figures.total_wagered):.4f}"))
    facts.append(("return", percent(figures.returned)))
    facts.append(("hit frequency", percent(figures.hit_frequency)))
    facts.append(("standard deviation", f"{figures.standard_deviation:.3f}"))
    shown = "".join(f"<div><b>{escape(value)}</b><span>{escape(name)}</span></div>" for name, value in facts)
    fraction = f"{figures.house_edge} = " if isinstance(figures.house_edge, Fraction) else ""
    exact = f"House edge: {fraction}{float(figures.house_edge):.8f}"
    return f'<div class=facts>{shown}</div><p class="soft fraction">{exact}</p>'


def _compared(entry: ParEntry) -> str:
    rows = "".join(
        f"<tr class=said><td>{escape(name)}</td><td>{percent(figures.house_edge)}</td>"
        f"<td>{percent(figures.house_edge_per_total_wagered or 0)}</td></tr>"
        f'<tr><td class="words how" colspan=3>{escape(figures.how)}</td></tr>'
        for name, figures in entry.also.items()
    )
    if not rows:
        return ""
    head = "<tr><th>otherwise</th><th>house edge</th><th>of all wagered</th></tr>"
    return f"<div class=scroll><table>{head}{rows}</table></div>"


def _outcomes(figures: Figures) -> str:
    if not figures.outcomes:
        return ""
    rows = "".join(
        f"<tr><td>{escape(line.outcome)}</td><td>{line.ways:,}</td><td>{float(line.probability):.6%}</td>"
        f"<td>{odds(line.pays)}</td><td>{percent(line.probability * line.pays)}</td></tr>"
        for line in figures.outcomes
    )
    bars = [(line.outcome, float(line.probability), odds(line.pays), line.pays > 0) for line in figures.outcomes]
    plot = plots.outcomes(bars)
    return (
        f"<h3>Outcomes, and how rare they are</h3>{plot}<div class=scroll><table><tr><th>outcome</th><th>ways</th>"
        f"<th>probability</th><th>pays</th><th>share of the result</th></tr>{rows}</table></div>"
    )


def _results(figures: Figures) -> str:
    """The distribution of the result of a round, for wagers without a paytable."""
    if figures.outcomes or not figures.results:
        return ""
    bars = [(_net(net), float(often), _rare(float(often)), net > 0) for net, often in figures.results.items()]
    return f"<h3>Net result of a round, in initial wagers, and how rare it is</h3>{plots.outcomes(bars[::-1])}"


def _rare(chance: float) -> str:
    return f"{chance:.4%}" if chance >= 1e-5 else f"1 in {1 / chance:,.0f}"


def _net(net: Fraction | float) -> str:
    return f"{float(net):+g}" if net else "0"


# --- many rounds ----------------------------------------------------------------------------------------------------


def _spreads(figures: Figures) -> str:
    if not figures.staked:
        return ""
    many = [spread(figures, rounds) for rounds in SPREAD_ROUNDS]
    how = (
        "Exact: the distribution of one round, convolved with itself."
        if all(one.exact for one in many)
        else "By the normal distribution with the same mean and deviation (central limit theorem)."
    )
    return (
        "<h3>How results spread over many rounds, in units of the initial wager</h3>"
        f"<div class=three>{''.join(_spread(one) for one in many)}</div>"
        f"<p class=how>The strong part holds the middle 90 % of players, the upright line is the mean. {how}</p>"
    )


def _spread(one: ResultSpread) -> str:
    says = f"Distribution of the result of {one.rounds:,} rounds"
    low, high = one.quantiles[1], one.quantiles[-2]
    return (
        f"<div><h4>{one.rounds:,} rounds</h4>{plots.spread(one.heights, one.mean, one.quantiles, says)}"
        f"<p>90 % of players: {low:+,.0f} to {high:+,.0f}<br>return {1 + low / one.rounds:.1%} to {1 + high / one.rounds:.1%}"
        f"<br>ahead: {_chance(one.ahead)}</p></div>"
    )


def _chance(chance: float) -> str:
    if chance < 1e-4:
        return "fewer than 1 in 10,000"
    return f"{chance:.2%}"


def _foot(sheet: ParSheet) -> str:
    return f"<footer>Podium {escape(__version__)} · rules {sheet.game.fingerprint[:16]} · {' '.join(_command(sheet))}</footer>"


def _command(sheet: ParSheet) -> Iterator[str]:
    """The command that makes this page."""
    yield f"podium par {escape(sheet.game.name)}"
    for name, value in sheet.game.changed().items():
        yield escape(f"--option '{name}={written(value)}'")
    if sheet.strategy != "best":
        yield f"--strategy {sheet.strategy}"
    yield "--html FILE"
