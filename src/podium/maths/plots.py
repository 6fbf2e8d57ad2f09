"""Plots as inline SVG in the colours of their page: bars, columns and curves."""

import math
from collections.abc import Sequence
from html import escape

PLOT_WIDTH = 680
"""Of a full-width plot, in SVG units; the page scales it."""

TICK_WIDTH = 85
"""The space for a label on a scale, in SVG units."""


def _svg(height: float, inner: str, says: str, width: float = PLOT_WIDTH) -> str:
    plot = (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(says)}" preserveAspectRatio="xMidYMid meet">'
        f"<title>{escape(says)}</title>{inner}</svg>"
    )
    # On a phone a full-width plot scrolls sideways instead of shrinking until it is unreadable.
    return f'<div class="scroll plot">{plot}</div>' if width == PLOT_WIDTH else plot


def _text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(said)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" rx="2" class="{kind}"/>'


def returns(rows: Sequence[tuple[str, float]]) -> str:
    """The return of each wager as a bar, on a scale from 0 to a little more than the stake."""
    left, right, row, top = 190, 76, 30, 26
    most = max([1.0, *(value for _, value in rows)])
    scale = (PLOT_WIDTH - left - right) / (1.02 * most)
    height = top + row * len(rows) + 8
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = left + share * scale
        parts.append(_line(x, top - 6, x, height - 6, "whole" if share == 1 else "grid"))
        parts.append(_text(x, 14, f"{share:.0%}", "tick", "middle"))
    for number, (name, value) in enumerate(rows):
        y = top + row * number
        kind = "bar against" if value > 1 else "bar little" if value < 0.75 else "bar"
        parts.append(_text(left - 10, y + 15, name, "name", "end"))
        parts.append(_rect(left, y + 2, value * scale, row - 12, kind))
        parts.append(_text(PLOT_WIDTH - 4, y + 15, f"{value:.2%}", "value", "end"))
    return _svg(height, "".join(parts), "Return of each wager")


def outcomes(rows: Sequence[tuple[str, float, str, bool]]) -> str:
    """The probability of each outcome on a logarithmic scale with a label; outcomes that win nothing are paler."""
    left, row, top = 24 + 6.2 * max(len(name) for name, _, _, _ in rows), 24, 22
    least = min((chance for _, chance, _, _ in rows if chance > 0), default=1.0)
    decades = max(1, math.ceil(-math.log10(least)))
    scale = (PLOT_WIDTH - left - 110) / decades
    height = top + row * len(rows) + 6
    parts = []
    for decade in range(0, decades + 1, math.ceil(TICK_WIDTH / scale)):
        x = left + (decades - decade) * scale
        parts.append(_line(x, top - 6, x, height - 4, "grid"))
        parts.append(_text(x, 12, "always" if decade == 0 else f"1 in {10**decade:,}", "tick", "middle"))
    for number, (name, chance, word, wins) in enumerate(rows):
        y = top + row * number
        long = (decades + math.log10(chance)) * scale if chance > 0 else 0
        parts.append(_text(left - 10, y + 13, name, "name", "end"))
        parts.append(_rect(left, y + 2, long, row - 9, "bar" if wins else "bar lost"))
        parts.append(_text(left + long + 6, y + 13, word, "value"))
    return _svg(height, "".join(parts), "Probability of each outcome, logarithmic scale")


def spread(heights: Sequence[tuple[float, float]], mean: float, quantiles: Sequence[float], says: str) -> str:
    """A distribution as an area. Its middle 90 % is darker, and lines mark the mean and the break-even point."""
    width, height, base = 330.0, 150.0, 118.0
    low, high = _range([result for result, _ in heights])
    tallest = max(chance for _, chance in heights)

    def x(result: float) -> float:
        return 12 + (result - low) / (high - low) * (width - 24)

    def area(points: Sequence[tuple[float, float]], kind: str) -> str:
        if not points:
            return ""
        top = " ".join(f"L{x(result):.1f},{base - chance / tallest * 92:.1f}" for result, chance in points)
        return f'<path d="M{x(points[0][0]):.1f},{base:g} {top} L{x(points[-1][0]):.1f},{base:g}Z" class="{kind}"/>'

    middle = [point for point in heights if quantiles[1] <= point[0] <= quantiles[-2]]
    parts = [area(heights, "tail"), area(middle, "middle"), _line(12, base, width - 12, base, "axis")]
    if low < 0 < high:
        parts.append(_line(x(0), 20, x(0), base, "whole"))
        parts.append(_text(x(0), 14, "even", "tick", "middle"))
    parts.append(_line(x(mean), base - 96, x(mean), base + 4, "mean"))
    for result, anchor in ((low, "start"), (mean, "middle"), (high, "end")):
        parts.append(_text(min(max(x(result), 12), width - 12), base + 18, _amount(result), "tick", anchor))
    return _svg(height, "".join(parts), says, width)


def _range(results: Sequence[float]) -> tuple[float, float]:
    low, high = min(results), max(results)
    return (low, high) if low < high else (low - 1, high + 1)


def _amount(result: float) -> str:
    """An amount with as many digits as it needs.

    >>> _amount(-1234.5), _amount(3.21), _amount(-0.0153)
    ('-1,234', '+3.2', '-0.02')
    """
    return f"{result:+,.{0 if abs(result) >= 10 else 1 if abs(result) >= 1 else 2}f}"
