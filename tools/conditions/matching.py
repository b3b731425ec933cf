"""Matching: a condition is fitted to the data once, and is a lazy expression from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import narwhals as nw

from wideleaf.tools.conditions.condition import (
    EQUALITIES,
    NULL_TESTS,
    PARTS_OF_TEXT,
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Not,
    compares,
    map_comparisons,
)
from wideleaf.tools.conditions.dates import PARTS, read_period
from wideleaf.tools.conditions.literals import (
    day_of,
    fit_literal,
    fit_part,
    fold_text,
    literal_text,
    number_column,
    read_moment,
    text_column,
    trim_text,
)
from wideleaf.tools.conditions.patterns import read_pattern, write_pattern
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import resolve_column
from wideleaf.tools.tables.table import Table

Align = Callable[[str, Sequence[str]], str | None]
"""Finds the one value of a column that is meant by words, or None."""
DISTINCT_VALUES_READ = 20_000
_LISTS = ("in", "not in")
_TESTS: dict[str, Callable[[nw.Expr, list[Any]], nw.Expr]] = {
    "==": lambda column, values: column == values[0],
    "!=": lambda column, values: column != values[0],
    "<": lambda column, values: column < values[0],
    "<=": lambda column, values: column <= values[0],
    ">": lambda column, values: column > values[0],
    ">=": lambda column, values: column >= values[0],
    "in": lambda column, values: column.is_in(values),
    "not in": lambda column, values: ~column.is_in(values),
    # A text given to is_between would be taken for the name of a column.
    "between": lambda column, values: (column >= values[0]) & (column <= values[1]),
    "contains": lambda column, values: column.str.contains(values[0], literal=True),
    "starts with": lambda column, values: column.str.starts_with(values[0]),
    "ends with": lambda column, values: column.str.ends_with(values[0]),
    "matches": lambda column, values: column.str.contains(write_pattern(read_pattern(values[0]))),
}


def resolve_condition(
    condition: Condition, table: Table, align: Align | None = None, *, names: bool = False
) -> Condition:
    """Fit a condition to a table: names, literals of the columns' kinds, and how text matches.

    Text compares case-folded and trimmed where that finds more than comparing exactly does: who
    asks for the cancelled ones means those that are written *Cancelled*, too. Else it compares
    exactly, which is plainer. A text that matches neither way stands for the value that is meant
    by it, where one is.

    Args:
        condition: What to fit.
        table: To what.
        align: Finds the value that is meant by words; without it they match nothing.
        names: Whether a cell that matches exactly is meant alone, as the name of a node is.

    Raises:
        ActionError: If a column is unknown or a literal does not fit its column.
    """
    fitted = map_comparisons(condition, lambda compare: _fit_compare(compare, table))
    open_ = [c for c in compares(fitted) if _needs_match(c, table)]
    if not open_:
        return fitted
    pairs = [(c, target) for c in open_ for target in (c.literals or (c.other,))]
    exact = _found(pairs, table, _equal_exactly)
    missing = [pair for pair in pairs if pair not in exact]
    by_folding = _found(missing if names else pairs, table, _equal_loosely)
    lost = [pair for pair in missing if pair not in by_folding] if align else []
    meanings = {(c, word): value for c, word, value in _meant(lost, table, align)} if align else {}

    def decided(compare: Compare) -> Compare:
        if not _needs_match(compare, table):
            return compare
        words = (word for word in compare.as_written if isinstance(word, str))
        instead = tuple((w, meanings[compare, w]) for w in words if (compare, w) in meanings)
        only_folded = any(c == compare for c, _ in by_folding)
        equal = bool(instead) or any(c == compare for c, _ in exact)
        match = "exact" if equal and not only_folded else "folded"
        return compare.model_copy(update={"match": match, "meant": instead})

    return map_comparisons(fitted, decided)


def condition_expr(condition: Condition, table: Table) -> nw.Expr:
    """Write a resolved condition as an expression, null where it is unknown."""
    match condition:
        case Compare():
            return _compare_expr(condition, table)
        case AllOf(all=parts):
            each = (condition_expr(part, table) for part in parts)
            return nw.all_horizontal(*each, ignore_nulls=False)
        case AnyOf(any=parts):
            return _any([condition_expr(part, table) for part in parts])
        case Not(not_=part):
            return ~condition_expr(part, table)


def _fit_compare(compare: Compare, table: Table) -> Compare:
    column = resolve_column(compare.column, table)
    update: dict[str, Any] = {"column": column}
    if compare.figure is not None:
        raise ActionError(
            f"the {compare.figure} is no value here; add it as a column first, with Aggregate and "
            "a cross Join, or compare with it in Filter or Derive",
            kind="argument value",
        )
    if compare.other is not None:
        update["other"] = resolve_column(compare.other, table)
        fit_literal(table, column, compare.op, other=update["other"])
    elif compare.op not in NULL_TESTS:
        values = tuple(
            fit_part(table, column, compare.part, value)
            if compare.part
            else fit_literal(table, column, compare.op, value)
            for value in compare.as_written
        )
        update["value"] = values if isinstance(compare.value, tuple) else values[0]
        if compare.op == "matches":
            read_pattern(str(compare.value))
    return compare.model_copy(update=update)


def _needs_match(compare: Compare, table: Table) -> bool:
    return compare.match is None and _compares_text(compare, table)


def _compares_text(compare: Compare, table: Table) -> bool:
    return compare.op in EQUALITIES and table.kind(compare.column) == "text"


def _meant(
    lost: Sequence[tuple[Compare, Any]], table: Table, align: Align
) -> Iterator[tuple[Compare, str, str]]:
    """Of comparisons and words that no cell equals, those words by which a value is meant."""
    texts = cache(partial(distinct_texts, table))
    for compare, word in lost:
        if not isinstance(word, str) or compare.other:
            continue
        there = texts(compare.column)
        value = align(word, there) if len(there) <= DISTINCT_VALUES_READ else None
        if value is not None:
            yield compare, word, value


def tell_meanings(compare: Compare, what: str) -> list[Fact]:
    """Which words of a resolved comparison mean a value; the value itself is a cell.

    Args:
        compare: The comparison.
        what: What is compared, in the words of whoever asked for it.
    """
    if not compare.meant:
        return []
    words = ", ".join(repr(word) for word, _ in compare.meant)
    text = f"No {what} is {words}; the nearest value in spelling or meaning was taken"
    pairs = ", ".join(f"{value!r} for {word!r}" for word, value in compare.meant)
    detail = f"Of {what}, taken {pairs}"
    return [caveat(text), caveat(detail, "values")]


def absent_literals(condition: Condition, table: Table) -> list[tuple[Compare, str]]:
    """Texts of a resolved condition that are compared with a text column in which none is equal.

    That a text is in no cell, and how many there are, can be told where no cell may be.
    """
    pairs = [
        (compare, word)
        for compare in compares(condition)
        if _compares_text(compare, table)
        for word in compare.literals
        if isinstance(word, str)
    ]
    there = _found(pairs, table, _equal_exactly)
    missing = [pair for pair in pairs if pair not in there]
    folded = _found([pair for pair in missing if pair[0].match == "folded"], table, _equal_loosely)
    return [pair for pair in missing if pair not in folded]


def distinct_texts(table: Table, column: str) -> list[str]:
    """The different texts of a column, sorted; of very many one more than are looked at."""
    texts = text_column(table, column).alias(column)
    cells = table.frame.select(texts).unique().head(DISTINCT_VALUES_READ + 1).collect()[column]
    return sorted(cell for cell in cells.to_list() if cell is not None)


def _found(
    pairs: Sequence[tuple[Compare, Any]], table: Table, how: Callable[[Compare, Table], nw.Expr]
) -> list[tuple[Compare, Any]]:
    """Those comparisons and targets that some cell equals, in some way; one query for all."""
    if not pairs:
        return []
    ones = (
        compare.model_copy(update={"op": "==", "value": None if compare.other else target})
        for compare, target in pairs
    )
    tests = [how(one, table) for one in ones]
    if len(tests) == 1:  # an engine may stop at the first cell
        first = table.frame.filter(tests[0]).select(pairs[0][0].column)
        return [*pairs] if len(first.head(1).collect()) else []
    hits = (test.any().alias(str(place)) for place, test in enumerate(tests))
    row = table.frame.select(*hits).collect().row(0)
    return [pair for pair, hit in zip(pairs, row, strict=True) if hit]


def _equal(match: str, compare: Compare, table: Table) -> nw.Expr:
    return _compare_expr(compare.model_copy(update={"match": match}), table)


def _equal_exactly(compare: Compare, table: Table) -> nw.Expr:
    return _equal("exact", compare, table)


def _equal_loosely(compare: Compare, table: Table) -> nw.Expr:
    """Whether a cell is equal but for letter case or blanks around it, and not as it stands."""
    return _equal("folded", compare, table) & ~_equal("exact", compare, table)


def _compare_expr(compare: Compare, table: Table) -> nw.Expr:
    name, op = compare.column, compare.op
    if op in NULL_TESTS:
        if op == "is empty" and table.kind(name) == "text":
            return (trim_text(text_column(table, name)) == "").fill_null(True)
        missing = nw.col(name).is_null()
        return ~missing if op == "is not null" else missing
    if compare.part is not None:
        number, values = PARTS[compare.part](nw.col(name)), list(compare.literals)
        return _is_in(number, compare) if op in _LISTS else _TESTS[op](number, values)
    if table.kind(name) == "text":
        return _text_expr(compare, table)
    if compare.other is not None:
        mixed = table.kind(name) != table.kind(compare.other)  # days beside moments
        pair = (name, compare.other)
        column, target = (day_of(table, one) if mixed else nw.col(one) for one in pair)
        return _TESTS[op](column, [target])
    if table.kind(name) in ("date", "datetime"):
        return _moment_expr(compare, table)
    if table.kind(name) == "number" and op in _LISTS:
        return _is_in(number_column(table, name), compare, table.schema[name].is_integer())
    if op in _LISTS:
        hits = _any([nw.col(name) == value for value in compare.literals])
        return ~hits if op == "not in" else hits
    return _TESTS[op](nw.col(name), list(compare.literals))


def _moment_expr(compare: Compare, table: Table) -> nw.Expr:
    """A date beside dates; a month or a year means the days from its first to its last."""
    spans = [_span(compare.column, value, table) for value in compare.literals]
    (moment, first, last), op = spans[0], compare.op
    match op:
        case "<" | ">=":
            return _TESTS[op](moment, [first])
        case "<=" | ">":
            return _TESTS[op](moment, [last])
        case "between":
            end, _, until = spans[1]
            between: nw.Expr = (moment >= first) & (end <= until)
            return between
        case _:
            inside = [
                (moment >= first) & (moment <= last) if first != last else moment == first
                for moment, first, last in spans
            ]
            return ~_any(inside) if op in ("!=", "not in") else _any(inside)


def _span(column: str, value: Any, table: Table) -> tuple[nw.Expr, Any, Any]:
    """A column beside a literal, as days where that is days: the first and the last that fit."""
    period = read_period(str(value))
    if period is not None:
        return day_of(table, column), *period
    moment = read_moment(table, column, value)
    return nw.col(column), moment, moment


def _text_expr(compare: Compare, table: Table) -> nw.Expr:
    column, op = text_column(table, compare.column), compare.op
    values: list[Any] = [literal_text(value) for value in compare.literals]
    if compare.other:
        values = [text_column(table, compare.other)]
    parts = op in PARTS_OF_TEXT and compare.match is None
    if parts or (compare.match == "folded" and op != "matches"):
        trim = op not in PARTS_OF_TEXT
        column, *values = (fold_text(text, trim=trim) for text in (column, *values))
    return _TESTS[op](column, values)


def _is_in(number: nw.Expr, compare: Compare, whole: bool = False) -> nw.Expr:
    values = list(compare.literals)
    if not (whole and all(isinstance(value, int) for value in values)):
        number, values = number.cast(nw.Float64), [float(value) for value in values]
    return _TESTS[compare.op](number, values)


def _any(hits: Sequence[nw.Expr]) -> nw.Expr:
    return nw.any_horizontal(*hits, ignore_nulls=False)
