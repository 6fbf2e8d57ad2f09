"""The exposure of a table as one HTML page with plots, in the style of the PAR sheet."""

from html import escape

from podium import __version__
from podium.basics.words import money
from podium.maths import plots
from podium.maths.exposure import BANKROLL, Exposure, Times
from podium.maths.page import document, warned
from podium.maths.patrons import Party
from podium.maths.spread import QUANTILES, ResultSpread
from podium.rules.options import written


def exposure_page(found: Exposure) -> str:
    """Writes the whole page."""
    parts = [_head(found), warned(found.warnings), _facts(found), _times(found), _apart(found), _quantiles(found)]
    return document(f"{found.patrons.game.title}: exposure", "".join([*parts, _foot(found)]))


def described(found: Exposure) -> str:
    """Who plays with which wagers, in one line."""
    patrons = found.patrons
    stakes = [_staked(party) for party in patrons.parties]
    if len(set(stakes)) == 1:
        who = ", ".join(f"{party.players:,} {party.strategy}" for party in patrons.parties)
        return f"{patrons.players:,} players ({who}), each with {stakes[0]}"
    who = "; ".join(
        f"{party.players:,} {party.strategy} with {staked}"
        for party, staked in zip(patrons.parties, stakes, strict=True)
    )
    return f"{patrons.players:,} players: {who}"


def _staked(party: Party) -> str:
    return ", ".join(f"{wager} {money(stake)}" for wager, stake in party.wagers.items())


def amount(result: float | None) -> str:
    return "none lasts" if result is None else money(round(result))


def _head(found: Exposure) -> str:
    game = found.patrons.game
    said = ", ".join(f"{name} = {written(value)}" for name, value in game.changed().items())
    return (
        f"<header><h1>{escape(game.title)}</h1><p class=soft>Exposure · {escape(game.name)} · {escape(described(found))} · "
        f"{escape(said or 'all options as by default')}</p></header>"
    )


def _facts(found: Exposure) -> str:
    largest = found.largest
    facts = [
        ("largest payout of a round" if largest.reached else "no round pays more than", amount(largest.amount)),
        (f"bankroll for a risk of {found.pace.risk:g}", amount(found.bankroll)),
        ("spread against independent players", f"{found.ratio:.2f} times"),
        ("house wins a round, on average", amount(found.table.round.mean)),
        ("standard deviation of a round", amount(found.table.round.standard_deviation)),
    ]
    shown = "".join(f"<div><b>{escape(value)}</b><span>{escape(name)}</span></div>" for name, value in facts)
    return (
        f"<section><h2>What the table can cost</h2><div class=facts>{shown}</div>"
        f"<p class=how>{escape(found.played.how)}</p><p class=how>{escape(largest.how)}</p><p class=how>{escape(BANKROLL)}</p></section>"
    )


def _times(found: Exposure) -> str:
    return (
        f"<section><h2>The house's result</h2>{_plots(found.table)}"
        "<p class=how>The strong part holds the middle 90 %, the upright line is the mean.</p></section>"
    )


def _apart(found: Exposure) -> str:
    return (
        "<section><h2>The same players with cards of their own</h2><p class=soft>Each independent of all others: results "
        f"cancel instead of adding up. Bankroll: {escape(amount(found.bankroll_apart))}</p>{_plots(found.apart)}</section>"
    )


def _plots(times: Times) -> str:
    return f"<div class=three>{''.join(_plot(name, one) for name, one in times.by_name().items())}</div>"


def _plot(name: str, one: ResultSpread) -> str:
    says = f"Distribution of the house's result of a {name}"
    low, high = one.quantiles[1], one.quantiles[-2]
    title = "A round" if name == "round" else f"{'An' if name == 'hour' else 'A'} {name}, {one.rounds:,} rounds"
    return (
        f"<div><h4>{title}</h4>{plots.spread(one.heights, one.mean, one.quantiles, says)}"
        f"<p>90 %: {amount(low)} to {amount(high)}<br>house ahead: {one.ahead:.2%}<br>{_method(one)}</p></div>"
    )


def _method(one: ResultSpread) -> str:
    return "by convolution" if one.exact else "by the normal distribution"


def _quantiles(found: Exposure) -> str:
    head = "".join(f"<th>{share:.0%}</th>" for share in QUANTILES)
    rows = "".join(
        f"<tr><td>{kind}, {name}</td>{''.join(f'<td>{amount(result)}</td>' for result in one.quantiles)}</tr>"
        for kind, times in (("table", found.table), ("independent", found.apart))
        for name, one in times.by_name().items()
    )
    return (
        "<section><h2>How low, how often</h2><p class=how>The share of rounds, hours or days that end at or below it for the "
        f"house.</p><div class=scroll><table><tr><th></th>{head}</tr>{rows}</table></div></section>"
    )


def _foot(found: Exposure) -> str:
    return f"<footer>Podium {escape(__version__)} · rules {found.patrons.game.fingerprint[:16]}</footer>"
