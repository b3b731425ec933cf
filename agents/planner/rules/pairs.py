"""Rules for two things side by side: differences, changes, choices, and what two sides share."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.lists import TARGETS
from wideleaf.agents.planner.rules.quantities import additive, percent_said, repeats
from wideleaf.agents.planner.rules.rows import filter_rows
from wideleaf.agents.planner.rules.where import comparison_columns, condition, literal, phrase_link
from wideleaf.agents.planner.scopes.derivation import Arguments, Derivation, Use
from wideleaf.agents.planner.scopes.targets import nearest_number

FIRST, SECOND, RESULT = "first", "second", "result"
MEASURED = 3
CALLED = {"plain": "change"}
"""What kinds of a change are called, where it is otherwise."""


def _split_sides(
    d: Derivation,
) -> Iterator[tuple[Derivation, ValueLink, tuple[ValueLink, ValueLink]]]:
    """Conditions on two values of one column: the rows of all the others, it, and each alone."""
    for link in d.scope.conditions.links:
        two = _sides(link)
        if two is not None:
            rest = tuple(one for one in d.scope.conditions.links if one is not link)
            yield filter_rows(d, rest) if rest else d, link, two


def _sides(link: ValueLink) -> tuple[ValueLink, ValueLink] | None:
    if link.op not in ("in", "between") or not isinstance(link.value, list) or len(link.value) != 2:
        return None
    first, second = link.value
    return link._replace(op="==", value=first), link._replace(op="==", value=second)


def differences(d: Derivation) -> Iterator[Derivation]:
    """By how much a number of two rows differs, or of two sets of rows named in one column."""
    for rows, link, two in _split_sides(d):
        yield from _differences(rows, link, two)


def _differences(
    rows: Derivation, link: ValueLink, two: tuple[ValueLink, ValueLink]
) -> Iterator[Derivation]:
    scope = rows.scope
    for cue in scope.question.cue("difference", "change"):
        kind = cue.value if cue.kind == "change" else "difference"
        percent = percent_said(scope)
        kind = "percent" if percent and cue.kind == "change" else kind
        inner = [c for c in scope.cues("mean", "sum", "median") if c is not cue][:1]
        near = nearest_number(scope.question, cue, scope.orders(scope.free), scope.kinds)
        numbers = [m for m in near if scope.kinds[m.column] == "number" and m.column != link.column]
        many = repeats(scope.index, link.column)  # of groups the means are compared
        for m in numbers[:MEASURED]:
            # What there was in each of two years adds up.
            sums = not many or (link.part and additive(scope.index, m.column))
            function = inner[0].kind if inner else "sum" if sums else "mean"
            measure: Arguments = {"function": function, "column": m.column}
            yield _apart(rows, link, two, measure, kind).by(
                f"{kind} of two {function if inner else ''}", cue, link, m, *inner, *percent,
                said=f"the {CALLED.get(kind, kind)} of {m.column} between {literal(link.value)}",
            )  # fmt: skip
        if cue.kind == "difference":
            yield _apart(rows, link, two, {"function": "count"}, kind).by(
                "difference of counts", cue, link, *scope.cues("count")[:1],
                said=f"the difference in rows between {literal(link.value)}",
            )  # fmt: skip


def _apart(
    rows: Derivation,
    link: ValueLink,
    two: tuple[ValueLink, ValueLink],
    measure: Arguments,
    kind: str,
) -> Derivation:
    """Measure both sides, put the numbers side by side and take one from the other."""
    column = measure.get("column")
    rows = rows.need(*comparison_columns([link]), *([str(column)] if column else []))
    sides, grown = [], rows
    for side, name in zip(two, (FIRST, SECOND), strict=True):
        grown = grown._replace(table=rows.table)
        grown = grown.then("Filter", f"Find {phrase_link(side)}.", {"where": [condition(side)]})
        measures: JsonValue = [{**measure, "name": name}]
        grown = grown.then(
            "Aggregate", f"Measure where {phrase_link(side)}.", {"measures": measures}
        )
        sides.append(grown.table)
    both: Arguments = {"left": sides[0], "right": sides[1], "how": "cross"}
    grown = grown.then("Join", "Put both side by side.", both)
    later: JsonValue = {"op": "-", "args": [SECOND, FIRST]}
    change: JsonValue = {"op": "*", "args": [{"op": "/", "args": [later, FIRST]}, 100]}
    kinds: dict[str, JsonValue] = {
        "difference": {"op": "abs", "args": [later]},
        "plain": later,
        "percent": change,
    }
    expression = kinds[kind]
    grown = grown.then("Derive", f"Their {kind}.", {"name": RESULT, "expression": expression})
    grown = grown.then("Select", "The answer is the result.", {"columns": [RESULT]})
    return grown.answer([RESULT], 0.6)


def with_both(d: Derivation) -> Iterator[Derivation]:
    """What has rows of the one and of the other value, too."""
    for rows, link, _ in _split_sides(d):
        if link.op == "in":
            yield from _with_both(rows, link)


def _with_both(rows: Derivation, link: ValueLink) -> Iterator[Derivation]:
    scope = rows.scope
    for cue in scope.question.cue("both"):
        subset = filter_rows(rows, (link,))
        for target in scope.asked[:TARGETS]:
            if not target.mention or target.column == link.column:
                continue
            name = f"different {link.column}"
            each: JsonValue = [{"function": "count distinct", "column": link.column, "name": name}]
            plan = subset.then(
                "Group", f"Which of the two each {target.column} has.",
                {"keys": [target.column], "measures": each},
            )  # fmt: skip
            where: JsonValue = [{"column": name, "op": "==", "value": 2}]
            plan = plan.then("Filter", "Keep those with both.", {"where": where})
            columns: JsonValue = [target.column]
            plan = plan.then("Select", f"The answer is {target.column}.", {"columns": columns})
            yield plan.by(
                "both values", cue, link, target.mention, said=f"the {target.column} with both"
            ).answer([target.column], target.score)


def combine_columns(
    one: Derivation, label: str, mine: Mention, theirs: str, how: str, *uses: Use
) -> Derivation:
    """The values of a column that another table's column has, too, or lacks, or either has.

    Args:
        one: All rows of the one table.
        label: The other table.
        mine: The column.
        theirs: The other table's column.
        how: ``Intersect``, ``Difference`` or ``Union``.
        uses: What that explains.
    """
    columns: JsonValue = [mine.column]
    left = one.then("Select", f"The {mine.column} of one.", {"columns": columns})
    arguments: Arguments = {"table": label, "columns": [theirs]}
    right = left.then("Select", f"The {theirs} of the other.", arguments)
    sides: Arguments = {"left": left.table, "right": right.table}
    if how == "Union":
        sides["distinct"] = True
    plan = right.then(how, f"{how} of both.", sides)
    phrase = f"the {mine.column} by {how.lower()} with {label}"
    return plan.by(f"set {how}", mine, *uses, said=phrase).answer([mine.column], mine.score)


def intersect_tables(
    d: Derivation, others: dict[str, tuple[str, ...]], called: dict[str, list[Mention]]
) -> Iterator[Derivation]:
    """What two tables' columns of one name have in common, or the one has and the other lacks.

    Args:
        d: All rows of a scope of one table.
        others: The columns of the other tables.
        called: Where the question names each.
    """
    question = d.scope.question
    hows: list[tuple[str, Cue]] = [("Intersect", c) for c in question.cue("both")]
    hows += [("Difference", c) for c in question.cue("without")]
    for how, cue in hows:
        for label, columns in others.items():
            after = [m for m in called[label] if how == "Intersect" or m.start >= cue.end]
            if not after:
                continue
            by_name = {column.casefold(): column for column in columns}
            for m in d.scope.named:
                theirs = by_name.get(m.column.casefold())
                if theirs and m.score >= 0.5:
                    yield combine_columns(d, label, m, theirs, how, cue, *after)
