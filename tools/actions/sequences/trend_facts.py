"""What Trend tells of a step: the sentence, how sure it is, and what took no part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.sequences.seasons import Spacing, describe_steps
from wideleaf.tools.actions.sequences.slopes import LEVEL, MOST_PAIRED
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.sequences.trend import Trend

FEW_POINTS = 10
MOST_READ = 10_000
Row = Mapping[str, Any]


def tell_trend(action: Trend, table: Table, result: Table, spacing: Spacing) -> list[Fact]:
    """Facts about a trend.

    Args:
        action: The resolved action.
        table: Its input.
        result: What it made.
        spacing: How its moments are spaced.
    """
    rows = result.rows(MOST_READ)
    facts = []
    if rows and action.result == "summary":
        facts = _lines(action, rows)
    elif rows and action.result == "seasonality":
        facts = _seasons(action, rows, spacing)
    elif rows:
        facts = _growth(action, result)
    if not spacing.points:
        facts.append(Fact(text="There is no row with a time and a number", caveat=True))
    if lost := table.count() - spacing.rows:
        text = f"{lost} rows are left out, for want of {action.time!r} or {action.column!r}"
        facts.append(Fact(text=text, caveat=True))
    if spacing.points < spacing.rows:
        text = f"{spacing.rows} rows were averaged to {spacing.points} points, one a moment"
        facts.append(Fact(text=text + " of each group" * bool(action.by), caveat=True))
    return facts + _gaps(action, spacing)


def describe_p(p_value: float) -> str:
    """A p-value in words, to two digits."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"


def _matter(rows: int) -> Matter:
    return "statistics" if rows >= LEAST_FOR_STATISTICS else "values"


def _lines(action: Trend, rows: Sequence[Row]) -> list[Fact]:
    """What the slopes of a summary say; of several groups how many rise and fall."""
    named = action.names("points", "rows", "direction", "durbin_watson", "kendall_p", "p_value",
                         "robust_slope", "slope")  # fmt: skip
    plain = [{name: row[called] for name, called in named.items()} for row in rows]
    told = [row for row in plain if row["direction"]]
    facts = []
    if not action.by:
        facts.append(_line(action, rows[0]))
    else:
        counts = {
            way: sum(row["direction"] == way for row in told) for way in ("rising", "falling")
        }
        text = f"{action.column!r} rises in {counts['rising']} and falls in {counts['falling']} of "
        text += f"{len(rows)} groups, by a slope of p < {LEVEL}; each is tested on its own, and of "
        text += f"{len(told)} about {len(told) * LEVEL:.2g} would be so by chance"
        least = min((row["rows"] for row in plain), default=0)
        facts.append(Fact(text=text, matter=_matter(least), caveat=True))
    where = " in {} of the groups" if action.by else ""
    if few := sum(row["points"] < FEW_POINTS for row in plain):
        text = f"Under {FEW_POINTS} points{where.format(few)}: such a line says little"
        facts.append(Fact(text=text, caveat=True))
    alike = [row for row in told if row["points"] >= FEW_POINTS and _hangs(row)]
    if alike:
        watson = "" if action.by else f" (Durbin-Watson {alike[0]['durbin_watson']:.2g}, not 2)"
        text = f"Neighbours in time are alike beside the line{where.format(len(alike))}{watson}: "
        text += "its interval and p-value are too sure"
        facts.append(Fact(text=text, matter=_matter(alike[0]["rows"]), caveat=True))
    apart = [row for row in told if _apart(row)]
    if apart:
        text = f"Ranks and line do not agree{where.format(len(apart))} (Mann-Kendall against least "
        text += "squares): a few points or a bend decide"
        facts.append(Fact(text=text, matter=_matter(apart[0]["rows"]), caveat=True))
    if any(row["points"] > MOST_PAIRED for row in plain):
        text = f"Of more than {MOST_PAIRED} points robust_slope is null"
        facts.append(Fact(text=text))
    return facts


def _line(action: Trend, row: Row) -> Fact:
    """The sentence about one line."""
    points, slope, per = row["points"], row["slope"], f"per {row['per']}"
    if row["per"] == action.time:
        per = f"per 1 of {action.time!r}"
    if row["direction"] and row["p_value"] is None and slope == 0:
        text = f"{action.column!r} is the same at all {points} points"
        return Fact(text=text, matter=_matter(row["rows"]), caveat=True)
    if None in (row["direction"], row["p_value"], slope, row["low"], row["high"]):
        text = f"{action.column!r} has {points} points, of which no trend can be told"
        return Fact(text=text, caveat=True)
    way = {"rising": "rises by", "falling": "falls by"}.get(row["direction"])
    size = abs(slope) if way else slope
    ends = sorted(abs(row[end]) if way else row[end] for end in ("low", "high"))
    text = f"{action.column!r} {way or 'has no sure trend:'} {size:.3g} {per} (95 % "
    text += f"{ends[0]:.3g} to {ends[1]:.3g}, {describe_p(row['p_value'])})"
    r2 = "" if row["r2"] is None else f", R2 {row['r2']:.2g}"
    return Fact(text=f"{text}{r2}, over {points} points", matter=_matter(row["rows"]), caveat=True)


def _hangs(row: Row) -> bool:
    """Whether neighbours are more alike than by chance: twice the error of their correlation."""
    watson = row["durbin_watson"]
    return watson is not None and 1 - watson / 2 > 2 / math.sqrt(row["points"])


def _apart(row: Row) -> bool:
    """Whether the slope and the ranks say unlike things."""
    ranks, line = row["kendall_p"], row["p_value"]
    return None not in (ranks, line) and (ranks < LEVEL) != (line < LEVEL)


def _seasons(action: Trend, rows: Sequence[Row], spacing: Spacing) -> list[Fact]:
    named = action.names("position", "name", "effect", "rows", "strength")
    plain = [{name: row[called] for name, called in named.items()} for row in rows]
    strengths = [row["strength"] for row in plain if row["strength"] is not None]
    total = sum(row["rows"] for row in plain)
    facts = []
    told = {tuple(row[name] for name in action.by or ()) for row in rows}
    if lost := spacing.groups - len(told):
        text = f"{lost} of {spacing.groups} groups are left out: too short, or too many steps "
        facts.append(Fact(text=f"{text}without a value", caveat=True))
    if not strengths:
        text = f"{action.column!r} is constant and has no season"
        return [*facts, Fact(text=text, matter=_matter(total), caveat=True)]
    low, high = min(strengths), max(strengths)
    share = f"{high:.2g}" if f"{low:.2g}" == f"{high:.2g}" else f"{low:.2g} to {high:.2g}"
    text = f"Strength of the season of {action.column!r}: {share} (0 none, 1 all of what is no "
    text += "trend)"
    if not action.by:
        effects = [row for row in plain if row["effect"] is not None]
        most = max(effects, key=lambda row: row["effect"])
        fewest = min(effects, key=lambda row: row["effect"])
        text += f"; highest at {_called(most)}, lowest at {_called(fewest)}"
    facts.append(Fact(text=text, matter=_matter(total), caveat=True))
    text = "Effects are above or below the trend, in the mean over the seasons (STL)"
    return [*facts, Fact(text=text)]


def _called(row: Row) -> str:
    return str(row["name"] or row["position"])


def _growth(action: Trend, result: Table) -> list[Fact]:
    import narwhals as nw

    named = action.names("growth", "cumulative_growth")
    growth, whole = (nw.col(name).is_null().cast(nw.Int64).sum() for name in named.values())
    made = result.frame.select(growth, whole).collect().row(0)
    facts = [Fact(text="Growth is a fraction of the value before, 0.5 is 50 %", caveat=True)]
    firsts = 1 if not action.by else None
    if (firsts is not None and made[0] > firsts) or made[1]:
        text = "Growth is null where the value before, or the first one, is not above zero"
        facts.append(Fact(text=text, caveat=True))
    return facts


def _gaps(action: Trend, spacing: Spacing) -> list[Fact]:
    """What steps lack a value, and where moments are uneven."""
    if not spacing.points:
        return []
    if not spacing.even:
        text = f"The moments of {action.time!r} are not evenly spaced"
        more = "; each growth is over the time since the one before"
        return [Fact(text=text + more * (action.result == "growth"), caveat=True)]
    if not spacing.missing:
        return []
    steps = describe_steps(spacing.steps, spacing.unit)
    text = f"{spacing.missing} of {steps} have no value"
    filled = "; a straight line between the neighbours fills them"
    more = filled if action.result == "seasonality" else ""
    return [Fact(text=text + more, caveat=True)]
