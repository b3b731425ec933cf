"""ibis' operations in words that more dialects have, with one meaning in each."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import ibis
import ibis.expr.operations as ops

from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.relations import aggregate_decimals, call, pull_up, write_plain_sum
from wideleaf.tools.queries.text_rules import (
    BY_LOCALE,
    PLAIN_LETTERS,
    compare,
    compare_any,
    is_null,
)

WITHOUT_NAN = ("sqlite", "mysql", "mssql")
"""Dialects whose numbers are never NaN."""
WITHOUT_ENDS = ("mysql",)
"""Those of them whose numbers are never infinite."""
SKIPS_NULLS = ("duckdb", "postgres", "redshift")
"""Dialects whose largest of several cells is not null where one of them is."""
BY_SIGNS = ("postgres",)
"""Dialects that order texts by a locale, unless a query says by their signs."""
ORDER_OF_SIGNS = "order_of_signs"
"""What stands in a query for a text that is ordered by its signs, until it is written."""
PATTERNS = (
    "duckdb", "bigquery", "clickhouse", "pyspark", "databricks", "trino", "athena", "datafusion",
    "mysql",
)  # fmt: skip
"""Dialects whose regular expressions know classes of Unicode and the ends of a text."""
NULLS_SMALL = ("mysql",)
"""Dialects without words for where nulls stand in the order of a window: before all cells."""
TRIMS_TEXT = ("mysql",)
"""Dialects that take a whole text off an end, not any of its signs."""
MODULUS, MULTIPLIER = 2**26 - 5, 48_271
"""A row's number times the one, without multiples of the other, a prime whose square a float
holds, and that squared without them, is as good as drawn."""
WITHOUT_TRUTH = ("mssql", "oracle")
"""Dialects in which a condition is no value."""
_TRIM = re.compile(r"(?P<left>\^)?\[(?P<signs>(?:[^\]\\]|\\.)+)\]\+(?P<right>\$)?\Z", re.DOTALL)
_COMPARED = (ops.Equals, ops.NotEquals, ops.StringContains, ops.StartsWith, ops.EndsWith)


def rewrite(operation: Any, dialect: str, *, letters: bool = True) -> Any:
    """An operation of ibis and all it is made of, for a dialect.

    Args:
        operation: What is said.
        dialect: In whose words.
        letters: Whether the database lowers and raises letters beyond the plain ones.

    Raises:
        ActionError: If the dialect would give something else.
    """

    def replace(node: Any, arguments: dict[str, Any] | None) -> Any:
        if isinstance(node, ops.WindowFunction) and arguments:
            return _over_window(node, arguments, dialect)
        result = node.__recreate__(arguments) if arguments else node
        rule = _rule_of(result.__class__)
        return rule(result, dialect) if rule else result

    result = pull_up(operation).replace(replace)
    if (dialect in PLAIN_LETTERS or not letters) and result.find((ops.Lowercase, ops.Uppercase)):
        raise ActionError("it lowers and raises plain letters only", kind="sql")
    return result


@cache
def _rule_of(kind: type) -> Callable[[Any, str], Any] | None:
    return next((rule for kinds, rule in RULES.items() if issubclass(kind, kinds)), None)


def _sample(node: Any, dialect: str) -> Any:
    """Rows by chance, the same each time, where the dialect has no word for that."""
    rows, share, seed = node.parent, node.fraction, node.seed
    if dialect == "mysql" and seed is not None:
        draw = call("rand", seed, made=float) <= share
    elif dialect == "sqlite" and seed is not None:
        draw = ops.RowID(rows).to_expr() % MODULUS * (MULTIPLIER + seed) % MODULUS
        draw = draw * draw % MODULUS < round(share * MODULUS)
    else:
        return node
    return ops.Filter(rows, (draw.op(),))


def _by_signs(node: Any, dialect: str) -> Any:
    """A text that is ordered, or compared by order, as it is on every engine."""
    if isinstance(node, (ops.Min, ops.Max)):
        node = aggregate_decimals(node, dialect)
    pairs = zip(node.argnames, node.args, strict=True)
    texts = {key: value for key, value in pairs if _is_text(value)}
    if dialect not in BY_SIGNS or not texts:
        return node
    return node.copy(**{k: call(ORDER_OF_SIGNS, v.to_expr()).op() for k, v in texts.items()})


def _is_text(value: Any) -> bool:
    return isinstance(value, ops.Value) and value.dtype.is_string()


def _is_nan(node: Any, dialect: str) -> Any:
    return ibis.literal(False).op() if dialect in WITHOUT_NAN else node


def _is_infinite(node: Any, dialect: str) -> Any:
    if dialect not in WITHOUT_NAN:
        return node
    if dialect in WITHOUT_ENDS:
        return ibis.literal(False).op()
    cell = node.arg.to_expr()
    return ((cell == float("inf")) | (cell == float("-inf"))).op()


def _remainder(node: Any, dialect: str) -> Any:
    """What is left of a division of floats, by the floor, as Polars has it."""
    if not node.dtype.is_floating():
        return node
    left, right = (one.to_expr().cast("float64") for one in (node.left, node.right))
    whole = call("floor", left / right.nullif(0), made=float)
    return (left - whole * right).op()


def _extreme(node: Any, dialect: str) -> Any:
    """The largest or smallest of some cells, of nulls none."""
    if dialect in SKIPS_NULLS or len(node.arg) == 1:
        return node

    def two(one: Any, other: Any) -> Any:
        return ops.Coalesce((type(node)((one, other)), one, other))

    return reduce(two, node.arg)


def _sum(node: Any, dialect: str) -> Any:
    """A sum of whole numbers, which DuckDB gives in 128 bits."""
    node = aggregate_decimals(node, dialect)
    if not isinstance(node, ops.Sum):
        return node
    return ops.Cast(node, node.dtype) if dialect == "duckdb" and node.dtype.is_integer() else node


def _window(node: Any, dialect: str) -> Any:
    """A function beside rows, refused where the dialect has it of groups only."""
    if dialect in BY_LOCALE and isinstance(node.func, (ops.Quantile, ops.Median)):
        raise ActionError(
            "it has medians and quantiles of groups only, not beside rows", kind="sql"
        )
    if dialect in NULLS_SMALL and node.order_by:
        return node.copy(order_by=tuple(key for one in node.order_by for key in _two_keys(one)))
    return node


def _two_keys(key: Any) -> tuple[Any, ...]:
    """An order with nulls where they are wanted, of keys with nulls where the dialect puts them."""
    if key.nulls_first == key.ascending:
        return (key,)
    nulls = ops.SortKey(ops.IsNull(key.arg), ascending=key.ascending, nulls_first=key.ascending)
    return (nulls, key.copy(nulls_first=key.ascending))


def _over_window(node: Any, arguments: dict[str, Any], dialect: str) -> Any:
    """A function over rows; a cast of it stands around the window."""
    function = arguments["func"]
    if not isinstance(function, ops.Cast):
        return _window(ops.WindowFunction(**arguments), dialect)
    inner = ops.WindowFunction(**{**arguments, "func": function.arg})
    return ops.Cast(_window(inner, dialect), function.to)


def _add_days(node: Any, dialect: str) -> Any:
    """A date with days added is a date, which databases make a moment and some say in words."""
    date, days = node.left.to_expr(), node.right
    one = days.left if isinstance(days, ops.IntervalMultiply) else None
    in_days = isinstance(one, ops.Literal) and one.dtype.unit.short == "D"
    if one is None or not in_days or dialect not in ("sqlite", "mysql"):
        moved = (date.cast("timestamp") + days.to_expr()).cast("date").op()
        return node if dialect == "sqlite" else moved
    count = days.right.to_expr() * one.value
    if dialect == "sqlite":
        return call("date", date, count.cast("string") + " days", made=datetime.date).op()
    return call("from_days", call("to_days", date, made=int) + count, made=datetime.date).op()


def _cast(node: Any, dialect: str) -> Any:
    """Casts that a dialect lacks, or writes otherwise."""
    if dialect == "mysql" and node.arg.dtype.is_boolean() and node.to.is_string():
        truth = node.arg.to_expr()  # a truth value is a number there
        return ibis.cases((truth, "true"), (~truth, "false")).op()
    if dialect in WITHOUT_TRUTH and node.arg.dtype.is_boolean() and node.to.is_numeric():
        truth = node.arg.to_expr()
        return ibis.cases((truth, 1), (~truth, 0)).cast(node.to).op()
    if dialect in BY_LOCALE and node.arg.dtype.is_boolean() and node.to.is_numeric():
        return node.copy(arg=ops.Cast(node.arg, "int32"))  # it casts a truth value to no other
    if dialect != "sqlite":
        return node
    if node.to.is_decimal():
        raise ActionError("it has no type for whole numbers beyond 64 bits", kind="sql")
    if node.to.is_timestamp() and node.arg.dtype.is_timestamp():
        return node.arg
    if not (node.to.is_timestamp() and node.arg.dtype.is_date()):
        return node
    return call("datetime", node.arg.to_expr(), made=datetime.datetime).op()


def _literal(node: Any, dialect: str) -> Any:
    """A moment as SQLite's text, with parts of a second only where there are some."""
    if dialect != "sqlite" or not node.dtype.is_timestamp() or node.value is None:
        return node
    text = node.value.isoformat(" ")
    return call("trim" if "." in text else "datetime", text, made=datetime.datetime).op()


def _micros(node: Any, dialect: str) -> Any:
    """Microseconds, of which SQLite's own functions know thousands only."""
    if dialect != "sqlite":
        return node
    behind = call("substr", node.arg.to_expr(), 21, 6)
    return (behind + "000000").left(6).cast("int64").op()


def _of_floats(node: Any, dialect: str) -> Any:
    """A mean or a ratio of floats, where one of whole numbers has a few digits only."""
    if dialect != "mysql":
        return aggregate_decimals(node, dialect) if isinstance(node, ops.Mean) else node
    name = "arg" if isinstance(node, ops.Mean) else "left"
    cell = getattr(node, name)
    return node if cell.dtype.is_floating() else node.copy(**{name: ops.Cast(cell, "float64")})


def _pad(node: Any, dialect: str) -> Any:
    """A text filled up to a length, where the dialect has no function for it."""
    parameters = (node.length, node.pad)
    if dialect != "sqlite" or not all(isinstance(one, ops.Literal) for one in parameters):
        return node
    text, most, fill = node.arg.to_expr(), node.length.value, node.pad.value * node.length.value
    on_left = isinstance(node, ops.LPad)
    long = (ibis.literal(fill) + text).right(most) if on_left else (text + fill).left(most)
    return ibis.ifelse(text.length() >= most, text, long).op()


def _read_date(node: Any, dialect: str) -> Any:
    """A text of ISO's form as a date, null where it is none; SQLite's 30 February is 1 March."""
    form = node.format_str
    if dialect != "sqlite" or not isinstance(form, ops.Literal) or form.value != "%Y-%m-%d":
        return node
    day = call("date", node.arg.to_expr(), "+0 days", made=datetime.date)
    return ibis.ifelse(day.cast("string") == node.arg.to_expr(), day, ibis.null("date")).op()


def _pattern(node: Any, dialect: str) -> Any:
    """A regular expression, refused where the dialect would read it otherwise."""
    pattern = node.pattern
    portable = dialect in (*PATTERNS, *PLAIN_LETTERS) or not isinstance(pattern, ops.Literal)
    if not portable and re.search(r"\\(?:[pPzAZ]|x\{)", pattern.value):
        raise ActionError(
            "its patterns know no classes of Unicode and no ends of a text", kind="sql"
        )
    return node


def _trim(node: Any, dialect: str) -> Any:
    """A pattern that takes signs off one end of a text, as a function that more dialects have."""
    pattern, new = node.pattern, node.replacement
    if not (isinstance(pattern, ops.Literal) and isinstance(new, ops.Literal) and not new.value):
        return _pattern(node, dialect)
    if dialect in TRIMS_TEXT:  # which ibis has no other word for
        parts = (one.to_expr() for one in node.args)
        return call("regexp_replace", *parts).op()
    match = _TRIM.match(pattern.value)
    if match is None or bool(match["left"]) == bool(match["right"]):
        return _pattern(node, dialect)
    signs = re.sub(r"\\(.)", r"\1", match["signs"], flags=re.DOTALL)
    return call("ltrim" if match["left"] else "rtrim", node.arg.to_expr(), signs).op()


RULES: dict[Any, Callable[[Any, str], Any]] = {
    ops.Sample: _sample,
    ops.IsNan: _is_nan,
    ops.IsInf: _is_infinite,
    ops.Modulus: _remainder,
    (ops.Greatest, ops.Least): _extreme,
    (ops.SortKey, ops.Min, ops.Max): _by_signs,
    (ops.Less, ops.LessEqual, ops.Greater, ops.GreaterEqual, ops.Between): _by_signs,
    ops.Sum: _sum,
    ops.Count: aggregate_decimals,
    (ops.Mean, ops.Divide): _of_floats,
    ops.SearchedCase: write_plain_sum,
    ops.DateAdd: _add_days,
    ops.Cast: _cast,
    ops.Literal: _literal,
    ops.ExtractMicrosecond: _micros,
    (ops.LPad, ops.RPad): _pad,
    ops.StringToDate: _read_date,
    ops.RegexReplace: _trim,
    (ops.RegexSearch, ops.RegexExtract): _pattern,
    ops.WindowFunction: _window,
    _COMPARED: compare,
    ops.InValues: compare_any,
    (ops.IsNull, ops.NotNull): is_null,
}
"""What is said in other words, by the operation."""
