"""Rules for shares: of rows that fulfil conditions, of a column's sum, and of each group."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue, cell_words
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.group_measures import MeasureChoice, keys_after
from wideleaf.agents.planner.rules.groups import group
from wideleaf.agents.planner.rules.lists import project
from wideleaf.agents.planner.rules.quantities import additive
from wideleaf.agents.planner.rules.rows import filter_rows, with_presence
from wideleaf.agents.planner.rules.where import comparison_columns, where_of
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope, Use

Links = tuple[ValueLink, ...]
VERBS = ("is", "are", "was", "were", "have", "has", "had")
INSIDE, WHOLE, SHARE, TOTAL = "inside", "whole", "share", "total"
TOTALS = ("all", "total", "overall", "world")
"""Words with which the cell of a row begins that holds what the others come to."""
SUMMED = 0.6
"""How well a column must be named of whose sum a share is asked."""
SUMS = 3


def shares(d: Derivation) -> Iterator[Derivation]:
    """Which part of all rows fulfils the conditions, as a fraction or in percent."""
    scope = d.scope
    links = scope.conditions.links
    lacking = with_presence(scope, ())[0]
    for cue in scope.cues("share")[:1] if links or lacking else ():
        for inside, base in _parts(scope, cue) if links else [((), ())]:
            where, phrases, uses = where_of(scope, inside) if inside else with_presence(scope, ())
            rows = filter_rows(d, base) if base else d
            rows = rows.need(*comparison_columns(inside))
            test: JsonValue = {"if": {"all": where}, "then": 1, "else": 0}
            plan = rows.then(
                "Derive",
                f"Mark the rows where {' and '.join(phrases)}.",
                {"name": "share", "expression": test},
            )
            plan = plan.then(
                "Aggregate",
                "Their share of all rows.",
                {"measures": [{"function": "mean", "column": "share", "name": "share"}]},
            )
            cues = scope.cues("share")
            if any(one.value == "percent" for one in cues):  # the share ..., in percent
                plan = _in_percent(plan, SHARE)
            rule = f"share {cue.value}" if not base else f"share of some {cue.value}"
            yield plan.by(
                rule, *cues, *uses, said=f"the share of rows where {' and '.join(phrases)}"
            ).answer(["share"], 0.6)


def _parts(scope: JoinScope, cue: Cue) -> Iterator[tuple[Links, Links]]:
    """Which conditions are counted, and of which rows: of the men, the old are a share."""
    links = scope.conditions.links
    words = [word.text for word in scope.question.words]
    verbs = [p for p in range(cue.end, len(words)) if words[p] in VERBS]
    before = tuple(link for link in links if verbs and cue.end <= link.start < verbs[0])
    after = tuple(link for link in links if verbs and link.start > verbs[0])
    if before and after and len(before) + len(after) == len(links):
        yield after, before
        return
    for apart in range(len(links)):
        if apart == len(links) - 1 or len(links) <= 2:
            yield links[: apart + 1], links[apart + 1 :]


def each_share(d: Derivation) -> Iterator[Derivation]:
    """Which part of each group's rows fulfils the conditions.

    Args:
        d: All rows of a scope whose conditions say which are counted.
    """
    scope = d.scope
    where, phrases, uses = where_of(scope, scope.conditions.links)
    for cue in scope.cues("share")[:1] if where else ():
        for inner in scope.cues("each", "by"):
            for keys in keys_after(d, inner):
                name = "share"
                test: JsonValue = {"if": {"all": where}, "then": 1, "else": 0}
                rows = d.need(*comparison_columns(scope.conditions.links))
                thought = f"Mark the rows where {' and '.join(phrases)}."
                rows = rows.then("Derive", thought, {"name": name, "expression": test})
                measure = MeasureChoice((("mean", name),), (cue,), "share", 0.6)
                plan = group(rows, keys, measure)
                if cue.value == "percent":
                    plan = _in_percent(plan, measure.names[0])
                plan = plan.by(
                    f"each share {cue.value}", cue, inner, *keys.uses, *uses,
                    said=f"the share where {' and '.join(phrases)} for each {keys.columns[0]}",
                )  # fmt: skip
                yield plan.answer([*keys.columns, *measure.names], keys.likely)


def parts_of_whole(d: Derivation) -> Iterator[Derivation]:
    """Which part of all rows, or of a column's sum, each group has."""
    scope = d.scope
    for cue in scope.cues("share")[:1] if not d.where else ():
        for inner in scope.cues("each", "by"):
            for keys in keys_after(d, inner):
                sums = [
                    m
                    for m in scope.orders(scope.free)
                    if m.score >= SUMMED
                    and m.column not in keys.columns
                    and additive(scope.index, m.column)
                ]
                uses: tuple[Use, ...] = (*sums[:1], *scope.cues("sum")[:1]) if sums else ()
                pair = ("sum", sums[0].column) if sums else ("count", None)
                measure = MeasureChoice((pair,), uses, "part", keys.likely)
                plan = group(d, keys, measure)
                (whole,) = measure.names
                part: Arguments = {"function": "share", "column": whole, "name": SHARE}
                plan = plan.then("Window", f"Its part of the whole {whole}.", part)
                if cue.value == "percent":
                    plan = _in_percent(plan, SHARE)
                columns = [*keys.columns, SHARE]
                yield (
                    project(plan, columns)
                    .by(
                        f"each part {cue.value}",
                        cue,
                        inner,
                        *keys.uses,
                        *uses,
                        said=f"the share of the {whole} of each {keys.columns[0]}",
                    )
                    .answer(columns, keys.likely)
                )


def _in_percent(d: Derivation, column: str) -> Derivation:
    expression: JsonValue = {"op": "*", "args": [column, 100]}
    return d.then("Derive", "In percent.", {"name": column, "expression": expression})


def share_of_total(d: Derivation) -> Iterator[Derivation]:
    """Which part of a column's sum the rows of a condition have."""
    scope = d.scope
    links = scope.conditions.links
    where, phrases, uses = where_of(scope, links)
    for cue in scope.cues("share")[:1] if where else ():
        sums = scope.cues("sum")[:1]
        for m in scope.orders(scope.free)[:SUMS]:
            own = m.places - m.slot
            if not own or m.score < SUMMED or not additive(scope.index, m.column):
                continue
            if any(link.column == m.column for link in links) and not sums:
                continue  # with a weight above 7: a part of the rows, and not of the weight
            rows = d.need(m.column, *comparison_columns(links))
            value: JsonValue = {"if": {"all": where}, "then": m.column, "else": 0}
            plan = rows.then("Derive", f"Only where {' and '.join(phrases)}.",
                             {"name": INSIDE, "expression": value})  # fmt: skip
            total = next((t for link in links if (t := _total_row(scope.index, link))), None)
            whole = m.column
            if total:
                value = {"if": {"all": [total]}, "then": m.column, "else": 0}
                plan = plan.then("Derive", "The rows that hold the total.",
                                 {"name": TOTAL, "expression": value})  # fmt: skip
                whole = TOTAL
            both: JsonValue = [
                {"function": "sum", "column": column, "name": name}
                for column, name in ((INSIDE, INSIDE), (whole, WHOLE))
            ]
            plan = plan.then("Aggregate", "That part, and the whole.", {"measures": both})
            part: JsonValue = {"op": "/", "args": [INSIDE, WHOLE]}
            if cue.value == "percent":
                part = {"op": "*", "args": [part, 100]}
            plan = plan.then("Derive", "The share.", {"name": SHARE, "expression": part})
            plan = plan.then("Select", "The answer is the share.", {"columns": [SHARE]})
            yield plan.by(
                "share of a sum", cue, m, *sums, *uses,
                said=f"the share of all {m.column} where {' and '.join(phrases)}",
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
