"""A database that answers queries of ibis tables, asked by whoever holds a connection to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.latest import Latest
from wideleaf.tools.queries.dialects import Dialect
from wideleaf.tools.queries.here import answer_here
from wideleaf.tools.tables.batches import CELLS_AT_ONCE
from wideleaf.tools.tables.table import MAX_CELLS, Table
from wideleaf.tools.writing import write_whole

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
    from sqlglot import exp

Fetch = Callable[[int], Sequence[Sequence[Any]]]
"""Gives up to so many next rows."""
Ask = Callable[[str, bool, float | None], AbstractContextManager[Fetch]]
"""Runs one SELECT; whether its rows stay with the database until they are fetched, and how many
seconds it may take."""
ROWS_FETCHED = 10_000
QUERIES_KEPT, CELLS_KEPT = 256, 10_000
"""Of the last queries, their texts and, where they are small, their answers: of one state of the
tables a query has one answer, and a frame is counted, looked at and told in turn."""
TREES_KEPT = 16
"""A frame is counted, looked at and told of with several limits; to say a query takes longest."""
SAMPLES_KEPT = 4
"""A question looks at a table's sample more than once, and to draw one is to read all rows."""
PLAIN: dict[str, Callable[[Any], Any]] = {"int64": int, "double": float, "bool": bool}
"""What makes a cell one of Arrow's type where a database has a wider type for it."""


class Database:
    """What ibis takes for the backend of tables that stand in a database.

    A query is written from operations alone: a name or a value of anyone's stands in it quoted.

    Attributes:
        name: Its dialect, which is what actions know it by.
        origin: What it is called in messages, without a password.
        letters: Whether it lowers and raises letters beyond the plain ones.
    """

    def __init__(
        self, name: str, origin: str, ask: Ask, check: Callable[[str], None] | None = None
    ) -> None:
        """Nothing is asked yet.

        Args:
            name: Its dialect.
            origin: What it is called.
            ask: Runs a query.
            check: Refuses a query that is more than the database can take, before it runs.
        """
        self.name, self.origin, self.letters = name, origin, True
        self._ask, self._check, self._dialect = ask, check, Dialect(name)
        self._written: Latest[str] = Latest(QUERIES_KEPT)
        self._said: Latest[tuple[exp.Query, str]] = Latest(TREES_KEPT)
        self._answers: Latest[pa.Table] = Latest(QUERIES_KEPT)
        self._groups: Latest[pa.Table] = Latest(1)
        self._samples: Latest[pa.Table] = Latest(SAMPLES_KEPT)

    def table(self, name: str, columns: Mapping[str, Any], space: str | None = None) -> Any:
        """A table of the database by its name.

        Args:
            name: As the database has it.
            columns: Their types of ibis by name.
            space: Its schema; None for the default one.
        """
        import ibis
        import ibis.expr.operations as ops

        schema, place = ibis.schema(columns), ops.Namespace(database=space)
        return ops.DatabaseTable(name, schema, source=self, namespace=place).to_expr()

    def write(self, expr: Any) -> str:
        """The query of a table.

        Raises:
            ActionError: If the database cannot say it.
        """
        key = expr.op()
        entry = self._written.get(key)
        if entry is not None:
            return entry
        statement = self._cut(expr) or self._say(expr)[1]
        if self._check:
            self._check(statement)
        return self._written.keep(key, statement)

    def _cut(self, expr: Any) -> str | None:
        """The first rows of a query that is said once for any number of them."""
        query, limit = _without_limit(expr, sys.maxsize)
        return None if query is expr else self._dialect.cut(self._say(query)[0], limit)

    def _say(self, expr: Any) -> tuple[exp.Query, str]:
        key = expr.op()
        said = self._said.get(key)
        return said or self._said.keep(key, self._dialect.write(expr, letters=self.letters))

    def to_pyarrow(self, expr: Any, *, seconds: float | None = None, **_: Any) -> pa.Table:
        """All rows of a query; of one that the database cannot say, over its columns read here.

        Args:
            expr: The query.
            seconds: How long it may take; None for as long as the database lets it.

        Raises:
            ActionError: If the database fails at it, or the columns are too large to be read.
        """
        import ibis.expr.operations as ops
        import pyarrow as pa

        schema = expr.schema().to_pyarrow()
        most = MAX_CELLS // len(schema)
        query, limit = _without_limit(expr, most + 1)
        if (answer := self._known(query)) is not None:
            return answer.slice(0, limit)
        bounded, sampled = query.limit(limit), bool(query.op().find(ops.Sample))
        try:
            self.write(bounded)
        except ActionError as error:
            if error.kind != "sql" or sampled:  # all rows are more than some
                raise
            return answer_here(bounded.op(), self._read)
        base = _counted(query)
        if seconds is None and base is not None and _aggregates(base):
            fit = CELLS_AT_ONCE // len(base.schema)
            groups = self.to_pyarrow(base.to_expr().limit(fit + 1))
            if groups.num_rows <= fit:  # they are looked at next: one query tells them and how many
                self._groups.keep(base, groups)
                return self.to_pyarrow(query)
        batches = self._batches(bounded, ROWS_FETCHED, seconds=seconds)
        rows = pa.Table.from_batches(batches, schema=schema)
        if rows.num_rows > most:
            raise ActionError(
                f"more than {most:,} rows x {len(schema)} columns would be brought here from "
                f"{self.origin}; Select columns, Filter rows or Group first",
                kind="too large",
            )
        if sampled:
            self._samples.keep(query.op(), rows)
        elif rows.num_rows < limit and rows.num_rows * len(schema) <= CELLS_KEPT:
            self._answers.keep(query.op(), rows)
        return rows

    def _known(self, query: Any) -> pa.Table | None:
        """The rows of a query that was answered in full, or how many those are."""
        import pyarrow as pa

        rows, base = self._kept(query.op()), _counted(query)
        if rows is None and base is not None and (all_rows := self._kept(base)) is not None:
            schema = query.schema().to_pyarrow()
            return pa.table([pa.array([all_rows.num_rows], schema[0].type)], schema=schema)
        return rows

    def _kept(self, operation: Any) -> pa.Table | None:
        caches = (self._answers, self._groups, self._samples)
        return next((rows for one in caches if (rows := one.get(operation)) is not None), None)

    def to_polars(self, expr: Any, **given: Any) -> pl.DataFrame:
        """All rows of a query as a frame of Polars."""
        import polars as pl

        frame = pl.from_arrow(self.to_pyarrow(expr, **given))
        assert isinstance(frame, pl.DataFrame)
        return frame

    def to_pyarrow_batches(self, expr: Any, *, chunk_size: int, **_: Any) -> pa.RecordBatchReader:
        """The rows of a query, so many at a time; the others are not held."""
        import pyarrow as pa

        batches = self._batches(expr, chunk_size, stream=True)
        return pa.RecordBatchReader.from_batches(expr.schema().to_pyarrow(), batches)

    def _read(self, leaf: Any, names: Sequence[str]) -> pa.Table:
        table = Table(nw.from_native(leaf.to_expr()))
        return table.collect(*names, purpose=f"what {self.origin} cannot do").to_arrow()

    def _batches(
        self, expr: Any, size: int, *, stream: bool = False, seconds: float | None = None
    ) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = expr.schema().to_pyarrow()
        with self._ask(self.write(expr), stream, seconds) as fetch:
            while rows := fetch(size):
                cells = zip(*rows, strict=True)
                arrays = [_array(c, field.type) for c, field in zip(cells, schema, strict=True)]
                yield pa.record_batch(arrays, schema=schema)


def write_parquet(frame: nw.LazyFrame[Any], path: Path) -> None:
    """Run a query of a database into a Parquet file, whole or not at all, without holding it."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    native, columns = nw.to_native(frame), len(frame.collect_schema())
    if Table(frame).count() * columns <= CELLS_AT_ONCE:
        reader = native.to_pyarrow().to_reader()
    else:
        reader = native.to_pyarrow_batches(chunk_size=ROWS_FETCHED)
    with write_whole(path) as part, pq.ParquetWriter(part, reader.schema, compression="zstd") as to:
        for batch in reader:
            to.write_batch(batch)


def _counted(query: Any) -> Any:
    """The operation whose rows are counted; None where anything else is asked."""
    import ibis.expr.operations as ops

    one = query.op()
    if not isinstance(one, ops.Aggregate) or one.groups:
        return None
    rows_of_all = [isinstance(m, ops.CountStar) and m.where is None for m in one.metrics.values()]
    return one.parent if rows_of_all == [True] else None


def _aggregates(operation: Any) -> bool:
    """Whether rows are groups, or one of measures, which are few mostly."""
    import ibis.expr.operations as ops

    while isinstance(operation, (ops.Project, ops.Sort)):
        operation = operation.parent
    return isinstance(operation, ops.Aggregate)


def _without_limit(expr: Any, most: int) -> tuple[Any, int]:
    """A query without its limit on rows, and how many are wanted; at most so many."""
    import ibis.expr.operations as ops

    last = expr.op()
    if isinstance(last, ops.Limit) and last.offset == 0 and isinstance(last.n, int):
        return last.parent.to_expr(), min(last.n, most)
    return expr, most


def database_of(frame: nw.LazyFrame[Any]) -> Database | None:
    """The database in which a query's tables stand; None if it is none of one."""
    if not frame.implementation.is_ibis():
        return None
    backend: Any = nw.to_native(frame).get_backend()
    return backend if isinstance(backend, Database) else None


def _moment(text: str, parse: Callable[[str], Any]) -> Any:
    """A day or a moment of SQLite, which has texts; PyMySQL gives one for what no calendar has."""
    try:
        return parse(text)
    except ValueError:
        return None


def _array(cells: Sequence[Any], dtype: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_temporal(dtype):
        parse = (date if pa.types.is_date(dtype) else datetime).fromisoformat
        cells = [_moment(cell, parse) if isinstance(cell, str) else cell for cell in cells]
    plain = PLAIN.get(str(dtype))
    if plain is not None and {*map(type, cells)} - {plain, type(None)}:
        cells = [None if cell is None else plain(cell) for cell in cells]
    return pa.array(cells, dtype)
