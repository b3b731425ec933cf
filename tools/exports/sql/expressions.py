"""Expressions as SQL: derived columns, casts and aggregates along the row."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.conditions.literals import FALSE, NUMBER, TRUE
from wideleaf.tools.exports.sql.conditions import condition_sql, matches, trim_sql
from wideleaf.tools.exports.sql.dates import date_text, moment_text
from wideleaf.tools.exports.sql.functions import FUNCTIONS, extreme
from wideleaf.tools.exports.sql.texts import FunctionArguments
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    as_day,
    as_moment,
    bare,
    binary,
    call,
    case,
    chain,
    coalesce,
    constant,
    divide,
    not_null,
    number,
    text,
)
from wideleaf.tools.expressions.casting import ISO_DATE, read_form
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
    Value,
)
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.expressions.functions import FUNCTIONS as SIGNATURES
from wideleaf.tools.expressions.functions import split_args
from wideleaf.tools.expressions.text_functions import WHOLE_FLOATS
from wideleaf.tools.tables.extents import Wide
from wideleaf.tools.tables.table import Kind


def expression_sql(expression: Expression, scope: QueryScope) -> Sql:
    """A resolved expression; some of it may go into the scope's stages.

    Raises:
        ActionError: If the dialect has no words for it.
    """
    match expression:
        case str():
            if scope.table.kind(expression) == "number":
                return scope.number(expression)
            scope.need_clock(expression)
            return scope.column(expression)
        case Value(value=value):
            return constant(scope, value)
        case Apply():
            return _apply(expression, scope)
        case Choose(if_=condition, then=then, else_=otherwise):
            pairs = [(condition_sql(condition, scope), expression_sql(then, scope))]
            return case(pairs, None if otherwise is None else expression_sql(otherwise, scope))
        case Cases(cases=cases, else_=otherwise):
            pairs = [(condition_sql(c.if_, scope), expression_sql(c.then, scope)) for c in cases]
            return case(pairs, None if otherwise is None else expression_sql(otherwise, scope))
        case Truth(test=condition):
            return condition_sql(condition, scope)
        case Cast(of=inner):
            kind = resolve_expression(inner, scope.table)[1]
            return _cast(expression, expression_sql(inner, scope), kind, scope)
        case Across():
            return _across(expression, scope)
        case _:
            return constant(scope, expression)


def _apply(apply: Apply, scope: QueryScope) -> Sql:
    args, plain = split_args(apply, SIGNATURES[apply.op])
    kinds: list[Kind] = [resolve_expression(arg, scope.table)[1] for arg in args]
    built = [_operand(arg, apply.wide, scope) for arg in args]
    if apply.op == "concat":
        texts = [as_text(arg, kind, scope) for arg, kind in zip(built, kinds, strict=True)]
        return chain(exp.DPipe, texts)
    if apply.op == "extract":
        return _extract(built[0], plain, scope)
    if apply.op not in FUNCTIONS:
        scope.refuse(f"{apply.op!r} has no like there")
    return FUNCTIONS[apply.op](FunctionArguments(built, plain, kinds, scope))


def _operand(arg: Expression, wide: Wide | None, scope: QueryScope) -> Sql:
    """An argument in the type that the result needs; a column is read as it stands for that."""
    if wide and isinstance(arg, str):
        return scope.number_for(arg, wide)
    return scope.wide(expression_sql(arg, scope), wide)


def _extract(value: Sql, plain: Sequence[object], scope: QueryScope) -> Sql:
    from wideleaf.tools.conditions.pattern_limits import read_pattern
    from wideleaf.tools.conditions.patterns import WHOLE, groups_of, write_pattern

    if scope.dialect != "duckdb":
        scope.refuse("its patterns are others or none; duckdb has these")
    node = read_pattern(str(plain[0]))
    group = min(groups_of(node), default=0) if len(plain) < 2 else int(str(plain[1]))
    found = write_pattern(node, (group or WHOLE,))[len("(?s)") :]
    pattern = rf"(?s)\A.*?{found}.*\z"
    made = call("REGEXP_EXTRACT", value, text(pattern), number(1))
    return case([(matches(value, pattern, scope), made)])


def as_text(made: Sql, kind: Kind, scope: QueryScope) -> Sql:
    """A value of any kind as text: whole numbers without a point, times as ISO text."""
    if kind in ("date", "datetime"):
        return moment_text(made, kind, scope)
    if kind == "boolean":
        return case([(made, text("true")), (exp.Not(this=bare(made.copy())), text("false"))])
    if kind == "text":
        return made.copy()
    if scope.dialect not in ("duckdb", "sqlite"):
        scope.refuse("it writes numbers as text in a way of its own")
    whole = binary(exp.EQ, made, exp.Floor(this=made.copy()))
    small = binary(exp.LT, exp.Abs(this=made.copy()), number(WHOLE_FLOATS))
    plain = exp.cast(exp.cast(made.copy(), "bigint"), "text")
    written: Sql = exp.cast(made.copy(), "text")
    if scope.lite:  # as few digits as read back to the same number
        tries = [call("PRINTF", text(f"%!.{digits}g"), made) for digits in (15, 16)]
        last = call("PRINTF", text("%!.17g"), made)
        written = case(
            [(binary(exp.EQ, exp.cast(one.copy(), "double"), made), one) for one in tries], last
        )
    return case([(chain(exp.And, [whole, small]), plain)], written)


def _cast(cast: Cast, inner: Sql, kind: Kind, scope: QueryScope) -> Sql:
    form = read_form(cast.cast, kind, cast.format)
    match cast.cast, kind:
        case ("text", "date" | "datetime") if form is not None:
            return date_text(inner, form, kind, scope)
        case (target, same) if target == same:
            return inner
        case ("text", _):
            return as_text(inner, kind, scope)
        case ("number", "boolean"):
            return inner if scope.lite else exp.cast(inner, "int")
        case ("date", "datetime"):
            return as_day(scope, inner, kind)
        case ("datetime", "date"):
            return as_moment(scope, inner, kind)
        case ("boolean", "number"):
            return case([(binary(exp.EQ, inner, number(n)), _truth(n == 1)) for n in (1, 0)])
        case _ if form is not None:
            scope.refuse(f"cells in the form {cast.format!r} are not read there as here")
        case ("boolean", _):
            word = exp.Lower(this=trim_sql(inner, scope))
            words = ((TRUE, True), (FALSE, False))
            return case(
                (exp.In(this=word.copy(), expressions=[text(w) for w in known]), _truth(value))
                for known, value in words
            )
        case ("number", _):
            return _number(trim_sql(inner, scope), scope)
        case ("date", _):
            return _date(trim_sql(inner, scope), scope)
        case _:
            scope.refuse("texts are not read as times there as here")


def _truth(value: bool) -> Sql:
    return exp.Boolean(this=value)


def _number(stripped: Sql, scope: QueryScope) -> Sql:
    if scope.dialect != "duckdb":
        scope.refuse(
            "it cannot tell which texts read as numbers; cast the column when it is loaded"
        )
    reads = chain(exp.And, [matches(stripped, p, scope) for p in (NUMBER, r"\d")])
    digits = exp.func("REPLACE", stripped.copy(), text(","), text(""))
    return case([(reads, exp.cast(digits, "double"))])


def _date(stripped: Sql, scope: QueryScope) -> Sql:
    if scope.lite:
        shape = text("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
        reads = chain(
            exp.And,
            [exp.Glob(this=stripped.copy(), expression=shape),
             binary(exp.EQ, call("DATE", stripped, text("+0 days")), stripped)],
        )  # fmt: skip
        return case([(reads, stripped)])
    return case([(matches(stripped, ISO_DATE, scope), exp.cast(stripped.copy(), "date"))])


def _across(across: Across, scope: QueryScope) -> Sql:
    """An aggregate along the row."""
    names, table = across.columns, scope.table
    if across.op is not None:
        return _hits([condition_sql(across.comparison(name), scope) for name in names])
    if across.row == "count":
        return _hits([not_null(scope.column(name)) for name in names])
    kinds = {table.kind(name) for name in names}
    plain = across.row in ("first", "last")
    cells = [
        scope.number_for(n, across.wide)
        if table.kind(n) == "number" or (table.kind(n) == "boolean" and not plain)
        else scope.column(n)
        for n in names
    ]  # fmt: skip
    kind = "number" if kinds <= {"number", "boolean"} and not plain else next(iter(kinds))
    match across.row:
        case "sum":
            return case([(not_null(coalesce(cells)), _total(cells))])
        case "mean":
            return divide(_total(cells), _hits([not_null(cell) for cell in cells]))
        case "std":
            return _std(cells, scope)
        case "min" | "max":
            return extreme(cells, kind, scope, largest=across.row == "max")
        case "first" | "last":
            return coalesce(cells if across.row == "first" else cells[::-1])
        case _:
            best = scope.stage(extreme(cells, kind, scope, largest=across.row == "which max"))
            return case(
                (binary(exp.EQ, cell, best), text(name))
                for cell, name in zip(cells, names, strict=True)
            )


def _std(cells: Sequence[Sql], scope: QueryScope) -> Sql:
    count = scope.stage(_hits([not_null(cell) for cell in cells]))
    mean = scope.stage(divide(_total(cells), _hits([not_null(cell) for cell in cells])))
    apart = [exp.Paren(this=binary(exp.Sub, cell, mean)) for cell in cells]
    squares = _total([binary(exp.Mul, one, one) for one in apart])
    variance = divide(squares, binary(exp.Sub, count, number(1)))
    return case([(binary(exp.GT, count, number(1)), exp.Sqrt(this=variance))])


def _hits(hits: Sequence[Sql]) -> Sql:
    return chain(exp.Add, [case([(hit, number(1))], number(0)) for hit in hits])


def _total(cells: Sequence[Sql]) -> Sql:
    return chain(exp.Add, [coalesce([cell, number(0)]) for cell in cells])
