"""Measures that list a group's cells as one text, each cell or each different one.

narwhals joins no texts of a lazy frame, so each engine goes its own way, on columns of fixed names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.measuring.measure import Trait
from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.expressions.text_functions import WHOLE_FLOATS, as_text
from wideleaf.tools.tables.table import Table, aggregate_by

SEPARATOR = ", "
Frame = nw.LazyFrame[Any]


class Listing(NamedTuple):
    """A measure in the columns of the frame that it is made from.

    Attributes:
        text: The column of its cells as texts.
        order: Columns that say which comes first, nulls last, and whether they descend.
        distinct: Whether each different text is listed once.
    """

    text: str
    order: tuple[tuple[str, bool], ...]
    distinct: bool

    @property
    def order_sql(self) -> str:
        """The order as SQL of DuckDB and Spark."""
        return ", ".join(
            f"{name} {'desc' if down else 'asc'} nulls last" for name, down in self.order
        )


def list_cells(frame: Frame, keys: Sequence[str], measures: Sequence[Trait], table: Table) -> Frame:
    """Keys and lists for each combination of keys, in no order; one row where keys are none.

    Args:
        frame: The rows, with the keys and all columns of the measures.
        keys: Columns to group by; a null is a key like others.
        measures: Resolved measures that are lists, at least one.
        table: Tells the types of the measures' columns.
    """
    names = {key: f"key_{place}" for place, key in enumerate(keys)}
    columns = [nw.col(key).alias(name) for key, name in names.items()]
    cell_names: dict[str, str] = {}

    def sorted_by(column: str) -> str:
        if column not in cell_names:
            cell_names[column] = f"cell_{len(cell_names)}"
            columns.append(_cell(table, column).alias(cell_names[column]))
        return cell_names[column]

    lists = {}
    for place, measure in enumerate(measures):
        column, text = str(measure.column), f"text_{place}"
        columns.append(_cell_text(table, column, frame.implementation).alias(text))
        order = {sorted_by(key.column): key.descending for key in measure.order}
        order.setdefault(sorted_by(column), False)
        one = Listing(text, tuple(order.items()), measure.function == "list distinct")
        lists[f"list_{place}"] = one
    native: Any = nw.to_native(frame.select(*columns))
    if frame.implementation.is_polars():
        native_groups = _in_polars(native, [*names.values()], lists)
    elif frame.implementation.is_spark_like():
        native_groups = _in_spark(native, [*names.values()], lists)
    elif frame.implementation.is_ibis():
        native_groups = _in_ibis(native, [*names.values()], lists)
    else:
        native_groups = _in_duckdb(native, [*names.values()], lists)
    groups: Frame = nw.from_native(native_groups)
    return groups.select(
        *(nw.col(name).alias(key) for key, name in names.items()),
        *(nw.col(name).alias(str(m.name)) for name, m in zip(lists, measures, strict=True)),
    )


def put_beside(figures: Frame, lists: Frame, keys: Sequence[str], names: Sequence[str]) -> Frame:
    """Two frames of the same groups as one.

    They are stacked and grouped once more, for in a join a null key would equal nothing.

    Args:
        figures: Keys and some measures.
        lists: Keys and the others.
        keys: The columns that both have.
        names: All measures, as they are to stand.
    """
    types = [dict(one.collect_schema()) for one in (figures, lists)]
    dtypes = types[1] | types[0]
    sides = [
        one.select(
            *keys,
            *(
                nw.col(name) if name in own else nw.lit(None, dtype=dtypes[name]).alias(name)
                for name in names
            ),
        )
        for one, own in zip((figures, lists), types, strict=True)
    ]
    stacked = nw.concat(sides)
    cells = [nw.col(name).min() for name in names]
    return aggregate_by(stacked, keys, *cells) if keys else stacked.select(*cells)


def _in_polars(native: Any, keys: Sequence[str], lists: dict[str, Listing]) -> Any:
    import polars as pl

    aggregates = []
    for name, one in lists.items():
        by, down = zip(*one.order, strict=True)
        texts = pl.col(one.text).sort_by(by, descending=down, nulls_last=True)
        texts = texts.unique(maintain_order=True) if one.distinct else texts
        aggregates.append(texts.str.join(SEPARATOR, ignore_nulls=True).alias(name))
    return native.group_by(keys).agg(aggregates) if keys else native.select(aggregates)


def _in_duckdb(native: Any, keys: Sequence[str], lists: dict[str, Listing]) -> Any:
    import duckdb

    marks = [duckdb.SQLExpression(sql).alias(name) for name, sql in _once(keys, lists)]
    rows = native.select(duckdb.StarExpression(), *marks) if marks else native
    aggregates = [*keys]
    for name, one in lists.items():
        text = f"once_{name}" if one.distinct else one.text
        aggregate = f"string_agg({text}, '{SEPARATOR}' order by {one.order_sql})"
        aggregates.append(f"coalesce({aggregate}, '') as {name}")
    return rows.aggregate(", ".join(aggregates), ", ".join(keys))


def _in_ibis(native: Any, keys: Sequence[str], lists: dict[str, Listing]) -> Any:
    import ibis

    once, aggregates = {}, {}
    for name, one in lists.items():
        order = [(ibis.desc if down else ibis.asc)(cell) for cell, down in one.order]
        if one.distinct:
            first = ibis.row_number().over(group_by=[*keys, one.text], order_by=order) == 0
            once[f"once_{name}"] = ibis.ifelse(first, native[one.text], ibis.null("string"))
        text = ibis._[f"once_{name}" if one.distinct else one.text]
        aggregates[name] = text.group_concat(SEPARATOR, order_by=order).coalesce("")
    rows = native.mutate(**once) if once else native
    return rows.group_by(keys).aggregate(**aggregates) if keys else rows.aggregate(**aggregates)


def _in_spark(native: Any, keys: Sequence[str], lists: dict[str, Listing]) -> Any:
    """Its lists are in no order, so places are listed with the texts and sorted by."""
    from pyspark.sql import functions

    columns, aggregates = [*_once(keys, lists)], []
    for name, one in lists.items():
        text = f"once_{name}" if one.distinct else one.text
        place = f"row_number() over ({_partition(keys)} order by {one.order_sql})"
        columns.append((f"place_{name}", place))
        pairs = f"array_sort(collect_list(struct(place_{name}, {text})))"
        aggregate = f"array_join(transform({pairs}, one -> one.{text}), '{SEPARATOR}')"
        aggregates.append(functions.expr(aggregate).alias(name))
    beside = [functions.expr(sql).alias(name) for name, sql in columns]
    rows = native.select("*", *beside)
    return rows.groupBy(*keys).agg(*aggregates) if keys else rows.agg(*aggregates)


def _once(keys: Sequence[str], lists: dict[str, Listing]) -> list[tuple[str, str]]:
    """Columns that hold each different text of a group once, in its first row, as SQL."""
    return [
        (
            f"once_{name}",
            f"case when row_number() over ({_partition([*keys, one.text])} "
            f"order by {one.order_sql}) = 1 then {one.text} end",
        )
        for name, one in lists.items()
        if one.distinct
    ]


def _partition(names: Sequence[str]) -> str:
    return f"partition by {', '.join(names)}" if names else ""


def _cell(table: Table, name: str) -> nw.Expr:
    """What cells are sorted by."""
    if table.kind(name) == "text":
        return text_column(table, name)
    return nw.col(name).fill_nan(None) if table.schema[name].is_float() else nw.col(name)


def _cell_text(table: Table, name: str, engine: nw.Implementation) -> nw.Expr:
    dtype, cell = table.schema[name], _cell(table, name)
    if table.kind(name) != "number":
        return as_text(cell, table.kind(name))
    if dtype.is_integer():
        return cell.cast(nw.String)
    return _float_text(cell if dtype.is_float() else number_column(table, name), engine)


def _float_text(cell: nw.Expr, engine: nw.Implementation) -> nw.Expr:
    """A float as Polars writes it: the shortest text that reads back, whole ones without a point.

    Engines agree on the digits, but not on the sizes that they write by a power of ten.
    """
    if engine.is_polars():
        return as_text(cell, "number")
    if engine.is_duckdb() or engine.is_ibis():
        text = as_text(cell, "number").str.replace_all(r"^(-?)(\d)\.?(\d*)e-05$", r"\10.0000\2\3")
        return text.str.replace_all("e-0", "e-", literal=True)
    text, size = cell.cast(nw.String), cell.abs()
    low = nw.when(size < WHOLE_FLOATS).then(cell)  # Spark's floor of others runs over
    whole = nw.when(low == low.floor()).then(low).cast(nw.Int64).cast(nw.String)
    digits = nw.when((size >= 1e-5) & (size < 1e16)).then(text).cast(nw.Decimal(38, 22))
    plain = digits.cast(nw.String).str.replace_all("0+$", "").str.replace_all(r"\.$", ".0")
    power = text.str.replace_all(r"(\.0)?E", "e").str.replace_all(r"e(\d)", "e+$1")
    power = power.str.replace_all("Infinity", "inf", literal=True)
    return nw.coalesce(whole, plain, power)
