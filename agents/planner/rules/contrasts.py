"""Rules for contrasts: rows of a kind beside the rest, and one column beside another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.group_measures import Keys, measures
from wideleaf.agents.planner.rules.outcomes import outcomes
from wideleaf.agents.planner.rules.rows import filter_rows, spot_of
from wideleaf.agents.planner.rules.where import (
    SPOKEN,
    comparison_columns,
    condition,
    phrase_link,
)
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, JoinScope, Use

THOSE = "those"
NAMED = 0.45
"""How well both columns of a comparison must be named."""
MEASURES = 3


def beside_the_rest(d: Derivation) -> Iterator[Derivation]:
    """A measure of the rows that a condition means, and of all the others."""
    question, links = d.scope.question, d.scope.conditions.links
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
            phrase = phrase_link(positive)
            rows = rows.then("Derive", f"Mark {phrase}.", {"name": THOSE, "expression": test})
            keys = Keys((THOSE,), (link,), 0.5)
            uses: list[Use] = [cue, *question.cue("contrast", "difference", "more")[:2]]
            uses += [question.whether] if question.whether else []
            for measure in list(measures(rows, keys, cue))[:MEASURES]:
                columns = [column for _, column in measure.pairs if column]
                arguments: Arguments = {"keys": [THOSE], "measures": measure.arguments}
                names = " and ".join(measure.names)
                plan = rows.need(*columns).then("Group", f"{names} of both.", arguments)
                yield plan.by(
                    f"beside the rest {measure.rule}", *uses, link, *measure.uses,
                    said=f"the {names} where {phrase}, and of the rest",
                ).answer([THOSE, *measure.names], 0.5 + measure.likely / 2)  # fmt: skip


def more_than(d: Derivation) -> Iterator[Derivation]:
    """Rows in which one column is greater than another: more handballs than kicks."""
    scope = d.scope
    words = [word.text for word in scope.question.words]
    for cue in scope.question.cue("more", "compare"):
        if cue.value not in ("max", "min", ">", "<"):
            continue
        than = next((p for p in range(cue.start, len(words)) if words[p] == "than"), None)
        if than is None:
            continue
        op = ">" if cue.value in ("max", ">") else "<"
        for one, other in _sides(scope, cue, than):
            yield from _compare_columns(d, one, other, op, cue, than)


def _sides(scope: JoinScope, cue: Cue, than: int) -> Iterator[tuple[Mention, Mention]]:
    """Two number columns, one named before *than* and the other just behind it."""
    mentions = [m for m in scope.orders(scope.named) if m.score >= NAMED and not m.several]
    mentions = [m for m in mentions if scope.kinds[m.column] == "number"]
    second = [m for m in mentions if m.start > than and scope.question.content(than, m.start) <= 1]
    first = [m for m in mentions if m.end <= max(than, cue.start) and than not in m.places]
    first.sort(key=lambda m: -m.start)
    pairs = product(first[:2], second[:2])
    yield from ((one, other) for one, other in pairs if one.column != other.column)


def _compare_columns(
    d: Derivation, one: Mention, other: Mention, op: str, cue: Cue, than: int
) -> Iterator[Derivation]:
    where: JsonValue = [{"column": one.column, "op": op, "other": other.column}]
    phrase = f"{one.column} {SPOKEN[op]} {other.column}"
    rows = d.need(one.column, other.column)
    rows = rows.then("Filter", f"Keep the rows where {phrase}.", {"where": where})
    rows = rows.by("one over another", cue, one, other, spot_of(than), where=phrase)
    links = tuple(k for k in d.scope.conditions.links if k.column not in (one.column, other.column))
    yield from outcomes(filter_rows(rows, links) if links else rows)
