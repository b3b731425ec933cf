"""What Trend tells of a step: the sentence, how sure it is, and what took no part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.sequences.seasons import Spacing, describe_steps
from wideleaf.tools.actions.sequences.slopes import LEVEL, MAX_PAIRED
from wideleaf.tools.privacy import Fact, caveat, caveats, matter_of
from wideleaf.tools.tables.table import Table, count_where

if TYPE_CHECKING:
    from wideleaf.tools.actions.sequences.trend import Trend

FEW_POINTS = 10
MAX_READ = 10_000
Row = Mapping[str, Any]


def tell_trend(action: Trend, table: Table, result: Table, spacing: Spacing) -> list[Fact]:
    """Facts about a trend.

    Args:
        action: The resolved action.
        table: Its input.
        result: What it made.
        spacing: How its moments are spaced.
    """
    raw_rows, names = result.rows(MAX_READ), action.names
    rows = [{name: row[called] for name, called in names.items()} for row in raw_rows]
    facts = []
    if rows and action.result == "summary":
        facts = _tell_lines(action, rows)
    elif rows and action.result == "growth":
        facts = _tell_growth(action, result)
    elif rows:
        lost = spacing.groups - len(
            {tuple(row[name] for name in action.by or ()) for row in raw_rows}
        )
        text = f"{lost} of {spacing.groups} groups are left out: too short, or too many steps "
        facts = caveats((lost, f"{text}without a value")) + _tell_seasons(action, rows)
    lost, averaged = table.count() - spacing.rows, spacing.rows - spacing.points
    each = " of each group" if action.by else ""
    since, filled = {
        "growth": ("; each growth is over the time since the one before", ""),
        "seasonality": ("", "; a straight line between the neighbours fills them"),
    }.get(action.result, ("", ""))
    steps = describe_steps(spacing.steps, spacing.unit)
    return facts + caveats(
        (not spacing.points, "There is no row with a time and a number"),
        (lost, f"{lost} rows are left out, for want of {action.time!r} or {action.column!r}"),
        (
            averaged,
            f"{spacing.rows} rows were averaged to {spacing.points} points, one a moment{each}",
        ),
        (not spacing.even, f"The moments of {action.time!r} are not evenly spaced{since}"),
        (spacing.even and spacing.missing, f"{spacing.missing} of {steps} have no value{filled}"),
    )


def _of_rows(text: str, rows: int) -> Fact:
    """A caveat that holds figures of so many rows."""
    return caveat(text, matter_of(rows))


def _tell_lines(action: Trend, rows: Sequence[Row]) -> list[Fact]:
    """What the slopes of a summary say; of several groups how many rise and fall."""
    trends = [row for row in rows if row["direction"]]
    where = " in {} of the groups" if action.by else ""
    if action.by:
        rise, fall = (sum(row["direction"] == w for row in trends) for w in ("rising", "falling"))
        text = f"{action.column!r} rises in {rise} and falls in {fall} of {len(rows)} groups, by a "
        text += f"slope of p < {LEVEL}; each is tested on its own, and of {len(trends)} about "
        text += f"{len(trends) * LEVEL:.2g} would be so by chance"
        facts = [_of_rows(text, min(row["rows"] for row in rows))]
    else:
        facts = [_tell_line(action, rows[0])]
    few = sum(row["points"] < FEW_POINTS for row in rows)
    text = f"Under {FEW_POINTS} points{where.format(few)}: such a line says little"
    facts += caveats((few, text))
    alike = [row for row in trends if row["points"] >= FEW_POINTS and _is_like_neighbours(row)]
    if alike:
        watson = "" if action.by else f" (Durbin-Watson {alike[0]['durbin_watson']:.2g}, not 2)"
        text = f"Neighbours in time are alike beside the line{where.format(len(alike))}{watson}: "
        facts.append(_of_rows(f"{text}its interval and p-value are too sure", alike[0]["rows"]))
    tested = [row for row in trends if None not in (row["p_value"], row["kendall_p"])]
    apart = [row for row in tested if (row["p_value"] < LEVEL) != (row["kendall_p"] < LEVEL)]
    if apart:
        text = f"Ranks and line do not agree{where.format(len(apart))} (Mann-Kendall against least "
        facts.append(_of_rows(f"{text}squares): a few points or a bend decide", apart[0]["rows"]))
    if any(row["points"] > MAX_PAIRED for row in rows):
        facts.append(Fact(text=f"Of more than {MAX_PAIRED} points robust_slope is null"))
    return facts


def _tell_line(action: Trend, row: Row) -> Fact:
    """The sentence about one line."""
    points, slope, p_value = row["points"], row["slope"], row["p_value"]
    if row["direction"] and p_value is None and slope == 0:
        return _of_rows(f"{action.column!r} is the same at all {points} points", row["rows"])
    if None in (row["direction"], p_value, slope, row["low"], row["high"]):
        return caveat(f"{action.column!r} has {points} points, of which no trend can be told")
    way = {"rising": "rises by", "falling": "falls by"}.get(row["direction"])
    size, *ends = (abs(one) if way else one for one in (slope, row["low"], row["high"]))
    per = f"1 of {action.time!r}" if row["per"] == action.time else row["per"]
    text = f"{action.column!r} {way or 'has no sure trend:'} {size:.3g} per {per} (95 % "
    sure = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"
    text += f"{min(ends):.3g} to {max(ends):.3g}, {sure})"
    r2 = "" if row["r2"] is None else f", R2 {row['r2']:.2g}"
    return _of_rows(f"{text}{r2}, over {points} points", row["rows"])


def _is_like_neighbours(row: Row) -> bool:
    """Whether neighbours are more alike than by chance: twice the error of their correlation."""
    watson = row["durbin_watson"]
    return watson is not None and 1 - watson / 2 > 2 / math.sqrt(row["points"])


def _tell_growth(action: Trend, result: Table) -> list[Fact]:
    names = action.names
    tests = (nw.col(names[name]).is_null() for name in ("growth", "cumulative_growth"))
    growth, whole = count_where(result.frame, *tests)
    # The first moment of a series has no growth; those of several groups are not counted.
    undefined = whole or (growth > 1 and not action.by)
    return caveats(
        (True, "Growth is a fraction of the value before, 0.5 is 50 %"),
        (undefined, "Growth is null where the value before, or the first one, is not above zero"),
    )


def _tell_seasons(action: Trend, rows: Sequence[Row]) -> list[Fact]:
    strengths = [row["strength"] for row in rows if row["strength"] is not None]
    total = sum(row["rows"] for row in rows)
    if not strengths:
        return [_of_rows(f"{action.column!r} is constant and has no season", total)]
    low, high = f"{min(strengths):.2g}", f"{max(strengths):.2g}"
    text = f"Strength of the season of {action.column!r}: "
    text += f"{high if low == high else f'{low} to {high}'} (0 none, 1 all of what is no trend)"
    if not action.by:
        effects = [row for row in rows if row["effect"] is not None]
        ends = [pick(effects, key=lambda row: row["effect"]) for pick in (max, min)]
        highest, lowest = (row["name"] or row["position"] for row in ends)
        text += f"; highest at {highest}, lowest at {lowest}"
    method = "Effects are above or below the trend, in the mean over the seasons (STL)"
    return [_of_rows(text, total), Fact(text=method)]
