"""Marks: frames of a plan with marks beside their cells, which tell where each row comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.engines.engine import Engine, part_paths
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.databases.duckdb_tables import open_table
from wideleaf.tools.tables.table import Table, is_polars

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.sources.source import Source


READ_WHOLE = 2_000_000
"""A table of so many cells is read whole for one row of it."""
NEAR = 1e-9
"""Two runs of one query may add up numbers in another order."""


class Mark(NamedTuple):
    """Hidden columns that tell one row of a node.

    Attributes:
        label: The node: a leaf, or one whose rows are made of several others.
        columns: The hidden columns; the first is null where no row of the node is behind.
    """

    label: str
    columns: tuple[str, ...]


class LineageFrame(NamedTuple):
    """A node's frame with marks.

    Attributes:
        table: The frame's own columns first, then the hidden ones.
        shown: Its own columns.
        marks: What the hidden ones tell.
    """

    table: Table
    shown: tuple[str, ...]
    marks: tuple[Mark, ...]

    @property
    def hidden(self) -> tuple[str, ...]:
        """All hidden columns."""
        return tuple(name for mark in self.marks for name in mark.columns)

    def run(self, action: Action, *others: Table) -> LineageFrame:
        """Run an action that hands rows through, and put the hidden columns last again.

        Orders are settled by the first columns of a table, so a mark must not come before one.
        """
        result = action.run(self.table, *others)
        hidden = set(self.hidden)
        names = tuple(name for name in result.columns if name not in hidden)
        return LineageFrame(Table(result.frame.select(*names, *self.hidden)), names, self.marks)

    def rename_marks(self, names: Sequence[str]) -> LineageFrame:
        """The same under other hidden names, for the second time that it stands in a join."""
        new = dict(zip(self.hidden, names, strict=True))
        marks = tuple(Mark(m.label, tuple(new[c] for c in m.columns)) for m in self.marks)
        return LineageFrame(Table(self.table.frame.rename(new)), self.shown, marks)


def number_source(
    catalog: Catalog, name: str, columns: Sequence[str], column: str, label: str
) -> LineageFrame:
    """Columns of a source with the number of each row, from 0, in a hidden column.

    Raises:
        ActionError: If the engine cannot promise that a row has the same number each time.
    """
    source, table = catalog.find(name), catalog.table(name)
    engine = catalog.engine
    if is_polars(table.frame):
        import polars as pl

        native = nw.to_native(table.frame).with_row_index(column)
        frame = native.select(*columns, pl.col(column).cast(pl.Int64))
    elif table.frame.implementation.is_duckdb():
        frame = _number_in_duckdb(source, columns, cast(Any, engine), column)
    else:
        raise ActionError(
            f"rows of {name!r} cannot be traced: Spark and servers do not promise that a row has "
            "the same place each time; set engine to 'polars' or 'duckdb'",
            kind="untraceable",
        )
    rows: nw.LazyFrame[Any] = nw.from_native(frame) if is_polars(table.frame) else frame
    return LineageFrame(Table(rows), tuple(columns), (Mark(label, (column,)),))


def _number_in_duckdb(
    source: Source, columns: Sequence[str], engine: Any, column: str
) -> nw.LazyFrame[Any]:
    if source.place == "duckdb":
        frame = open_table(engine, source.path, source.table, source.withheld, numbered=column)
        return frame.select(*columns, column)
    frames, before = [], 0
    for part in part_paths(source.path):
        rows = engine.open(_with_number(engine, part, source.name, columns))
        place = (nw.col("file_row_number").cast(nw.Int64) + before).alias(column)
        frames.append(rows.select(*columns, place))
        before += int(engine.scan(part).select(nw.len()).collect().item())
    return nw.concat(frames) if len(frames) > 1 else frames[0]


def _with_number(engine: Any, part: Path, name: str, columns: Sequence[str]) -> Any:
    import duckdb

    relation = engine.connection.read_parquet([part.resolve()], file_row_number=True)
    if list(relation.columns).count("file_row_number") != 1:
        raise ActionError(
            f"rows of {name!r} cannot be traced: it has a column 'file_row_number' of its own, "
            "and DuckDB numbers rows under that name; set engine to 'polars'",
            kind="untraceable",
        )
    # Before the engine looks at the cells: what is not chosen is not read.
    return relation.select(*map(duckdb.ColumnExpression, (*columns, "file_row_number")))


def matching(
    frame: nw.LazyFrame[Any], names: Sequence[str], targets: pl.DataFrame, engine: Engine
) -> nw.LazyFrame[Any]:
    """The rows whose cells are those of a row wanted; a null equals a null.

    Args:
        frame: The query.
        names: Its columns to compare, in the order of the columns wanted; none for all rows.
        targets: The rows wanted.
        engine: Who holds the query.
    """
    if not names:
        return frame
    keys = [f"__match_{place}" for place in range(len(names))]
    targets = targets.rename(dict(zip(targets.columns, keys, strict=True))).unique()
    if is_polars(frame):
        import polars as pl

        native = nw.to_native(frame)
        if len(targets) == 1:
            same = [
                pl.col(name).cast(targets.schema[key]).eq_missing(targets[key].first())
                if targets[key].first() is not None
                else pl.col(name).is_null()
                for name, key in zip(names, keys, strict=True)
            ]
            return cast("nw.LazyFrame[Any]", nw.from_native(native.filter(*same)))
        cells = [
            pl.col(name).cast(targets.schema[key]).alias(key)
            for name, key in zip(names, keys, strict=True)
        ]
        matches = native.with_columns(*cells).join(
            targets.lazy(), on=keys, how="semi", nulls_equal=True
        )
        return cast("nw.LazyFrame[Any]", nw.from_native(matches.drop(keys)))
    # Nulls match nothing in SQL's joins: a flag and a text stand for each cell.
    flags = [f"{key}_null" for key in keys]
    relation = cast(Any, engine).connection.from_arrow(targets.to_arrow())
    rows: nw.LazyFrame[Any] = nw.from_native(relation)
    rows = rows.select(*_as_texts(keys, keys, flags))
    beside = frame.with_columns(*_as_texts(names, keys, flags))
    return beside.join(rows, on=[*keys, *flags], how="semi").drop(*keys, *flags)


def _as_texts(names: Sequence[str], keys: Sequence[str], flags: Sequence[str]) -> list[nw.Expr]:
    texts = [
        nw.col(name).cast(nw.String).fill_null("").alias(key)
        for name, key in zip(names, keys, strict=True)
    ]
    nulls = [nw.col(name).is_null().alias(flag) for name, flag in zip(names, flags, strict=True)]
    return [*texts, *nulls]


def collect_rows(frame: nw.LazyFrame[Any]) -> pl.DataFrame:
    """A query's rows in memory, on every engine as a Polars frame."""
    rows: pl.DataFrame = nw.to_native(frame.collect("polars"))
    return rows


def row_at(table: Table, row: int) -> pl.DataFrame:
    """One row of a table by its place; none if there are fewer.

    A small table is read whole, as it is for the person who sees it: an engine that is asked for
    one row alone may put the rows of a join in another order.
    """
    if table.count() * len(table.columns) <= READ_WHOLE:
        return collect_rows(table.frame).slice(row, 1)
    native = nw.to_native(table.frame)
    if is_polars(table.frame):
        return cast("pl.DataFrame", native.slice(row, 1).collect())
    return collect_rows(nw.from_native(native.limit(1, offset=row)))


def on_engine(table: Table, engine: Engine) -> Table:
    """A table of Polars as one of the engine at hand."""
    if engine.name == "polars" or not is_polars(table.frame):
        return table
    rows = collect_rows(table.frame)
    return Table(cast(Any, engine).open(cast(Any, engine).connection.from_arrow(rows.to_arrow())))


def same_cells(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether two rows are equal in the columns of the first, but for the last digits."""
    mine, theirs = one.row(0), other.select(one.columns).row(0)
    return all(map(alike, mine, theirs))


def alike(one: object, other: object) -> bool:
    """Whether two cells are equal, but for the last digits of a number."""
    if isinstance(one, float) or isinstance(other, float):
        if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
            return one == other
        first, second = float(cast(Any, one)), float(cast(Any, other))
        if first == second or (first != first and second != second):
            return True
        return abs(first - second) <= NEAR * max(1.0, abs(first), abs(second))
    return bool(one == other)
