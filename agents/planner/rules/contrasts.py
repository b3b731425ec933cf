"""Rules for contrasts: rows of a kind beside the rest, and one column beside another."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, cell_words
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.group_measures import Keys, measures
from wideleaf.agents.planner.rules.outcomes import outcomes
from wideleaf.agents.planner.rules.quantities import additive
from wideleaf.agents.planner.rules.rows import filter_rows, spot_of
from wideleaf.agents.planner.rules.where import (
    SPOKEN,
    comparison_columns,
    condition,
    phrase_link,
    where_of,
)
from wideleaf.agents.planner.scenes.derivation import Arguments, Derivation, Use

THOSE = "those"
INSIDE, WHOLE, SHARE, TOTAL = "inside", "whole", "share", "total"
TOTALS = ("all", "total", "overall", "world")
"""Words with which the cell of a row begins that holds what the others come to."""
NAMED = 0.45
"""How well both columns of a comparison must be named."""
SUMMED = 0.6
"""How well a column must be named of whose sum a share is asked."""
MEASURES = 3


def contrasts(d: Derivation) -> Iterator[Derivation]:
    """Every answer that holds rows or columns against others.

    Args:
        d: All rows of a scene.
    """
    yield from _beside_the_rest(d)
    yield from _more_than(d)
    yield from _share_of_total(d)


def _beside_the_rest(d: Derivation) -> Iterator[Derivation]:
    """A measure of the rows that a condition means, and of all the others."""
    question, links = d.scene.question, d.scene.conditions.links
    for cue in question.cue("rest")[:1]:
        alike = [(link.column, link.value) for link in links]
        before = [link for link in links if link.start < cue.start
                  and link.op in ("==", "!=", "contains")
                  and alike.count((link.column, link.value)) == 1]  # fmt: skip
        for link in sorted(before, key=lambda k: -k.start)[:1]:
            base = tuple(one for one in links if one is not link)
            rows = filter_rows(d, base) if base else d
            rows = rows.need(*comparison_columns([link]))
            positive = link._replace(op="==" if link.op == "!=" else link.op)
            test: JsonValue = {"if": {"all": [condition(positive)]}, "then": 1, "else": 0}
            said = phrase_link(positive)
            rows = rows.then("Derive", f"Mark {said}.", {"name": THOSE, "expression": test})
            keys = Keys((THOSE,), (link,), 0.5)
            told: list[Use] = [cue, *question.cue("contrast", "difference", "more")[:2]]
            told += [question.whether] if question.whether else []
            for measure in list(measures(rows, keys, cue))[:MEASURES]:
                named = [column for _, column in measure.pairs if column]
                arguments: Arguments = {"keys": [THOSE], "measures": measure.arguments}
                names = " and ".join(measure.names)
                made = rows.need(*named).then("Group", f"{names} of both.", arguments)
                yield made.by(
                    f"beside the rest {measure.rule}", *told, link, *measure.uses,
                    said=f"the {names} where {said}, and of the rest",
                ).answer([THOSE, *measure.names], 0.5 + measure.likely / 2)  # fmt: skip


def _more_than(d: Derivation) -> Iterator[Derivation]:
    """Rows in which one column is greater than another: more handballs than kicks."""
    scene = d.scene
    words = [word.text for word in scene.question.words]
    for cue in scene.question.cue("more", "compare"):
        if cue.value not in ("max", "min", ">", "<"):
            continue
        than = next((p for p in range(cue.start, len(words)) if words[p] == "than"), None)
        if than is None:
            continue
        named = [m for m in scene.orders(scene.named) if m.score >= NAMED and not m.several]
        named = [m for m in named if scene.kinds[m.column] == "number"]
        second = [m for m in named if m.start > than and scene.question.content(than, m.start) <= 1]
        first = [m for m in named if m.end <= max(than, cue.start) and not m.places & {than}]
        first.sort(key=lambda m: -m.start)
        for one in first[:2]:
            for other in second[:2]:
                if one.column == other.column:
                    continue
                op = ">" if cue.value in ("max", ">") else "<"
                yield from _compared(d, one, other, op, cue, than)


def _compared(
    d: Derivation, one: Mention, other: Mention, op: str, cue: Cue, than: int
) -> Iterator[Derivation]:
    where: JsonValue = [{"column": one.column, "op": op, "other": other.column}]
    said = f"{one.column} {SPOKEN[op]} {other.column}"
    rows = d.need(one.column, other.column)
    rows = rows.then("Filter", f"Keep the rows where {said}.", {"where": where})
    rows = rows.by("one over another", cue, one, other, spot_of(than), where=said)
    links = tuple(k for k in d.scene.conditions.links if k.column not in (one.column, other.column))
    yield from outcomes(filter_rows(rows, links) if links else rows)


def _share_of_total(d: Derivation) -> Iterator[Derivation]:
    """Which part of a column's sum the rows of a condition have."""
    scene = d.scene
    links = scene.conditions.links
    where, said, uses = where_of(scene, links)
    for cue in scene.cues("share")[:1] if where else ():
        sums = scene.cues("sum")[:1]
        for m in scene.orders(scene.free)[:MEASURES]:
            own = m.places - m.slot
            if not own or m.score < SUMMED or not additive(scene.index, m.column):
                continue
            if any(link.column == m.column for link in links) and not sums:
                continue  # with a weight above 7: a part of the rows, and not of the weight
            rows = d.need(m.column, *comparison_columns(links))
            value: JsonValue = {"if": {"all": where}, "then": m.column, "else": 0}
            made = rows.then("Derive", f"Only where {' and '.join(said)}.",
                             {"name": INSIDE, "expression": value})  # fmt: skip
            total = next((t for link in links if (t := _total_row(scene.index, link))), None)
            whole = m.column
            if total:
                value = {"if": {"all": [total]}, "then": m.column, "else": 0}
                made = made.then("Derive", "The rows that hold the total.",
                                 {"name": TOTAL, "expression": value})  # fmt: skip
                whole = TOTAL
            both: JsonValue = [
                {"function": "sum", "column": column, "name": name}
                for column, name in ((INSIDE, INSIDE), (whole, WHOLE))
            ]
            made = made.then("Aggregate", "That part, and the whole.", {"measures": both})
            part: JsonValue = {"op": "/", "args": [INSIDE, WHOLE]}
            if cue.value == "percent":
                part = {"op": "*", "args": [part, 100]}
            made = made.then("Derive", "The share.", {"name": SHARE, "expression": part})
            made = made.then("Select", "The answer is the share.", {"columns": [SHARE]})
            yield made.by(
                "share of a sum", cue, m, *sums, *uses,
                said=f"the share of all {m.column} where {' and '.join(said)}",
            ).answer([SHARE], 0.3 + m.score / 2)  # fmt: skip


def _total_row(index: TableIndex, link: ValueLink) -> Arguments | None:
    """The condition that the rows of a total fulfil, where a column has such rows."""
    if link.flags or index.kinds.get(link.column) != "text":
        return None
    begun = ((cell, cell_words(cell)[:1]) for cell in index.distinct(link.column))
    totals = [cell for cell, first in begun if first and first[0] in TOTALS]
    if len(totals) != 1:
        return None
    return {"column": link.column, "op": "==", "value": totals[0]}
