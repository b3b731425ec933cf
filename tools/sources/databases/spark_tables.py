"""Spark tables and data frames: opened where they are, by the engine of that name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4
from weakref import WeakValueDictionary

import narwhals as nw

from wideleaf.tools.engines.spark_engine import SparkEngine, quoted
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    FLOAT_DIGITS,
    IN_UTC,
    KEPT_TEXT,
    LONG_DIGITS,
    ROUNDED,
    ColumnExpression,
    System,
    Type,
    column_of,
    denied_of,
    readable,
    repairs_of,
)
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.naming import TableName, database_id
from wideleaf.tools.sources.normal import Normal
from wideleaf.tools.sources.source import Facts, Progress

TABLE, FRAME = "spark:", "spark-frame:"
_live: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""Frames that were handed in and are still there, so that this process finds them again."""


@dataclass(frozen=True)
class SparkTable:
    """A table of Spark's catalog, or a data frame that was handed in.

    Attributes:
        address: ``spark:`` and the table, or ``spark-frame:`` and what this process knows it by.
        native: The data frame, if it was handed in.
    """

    address: str
    native: Any = field(default=None, repr=False, compare=False)

    @property
    def origin(self) -> str:
        """The table, or that it is a frame."""
        return self.address if self.address.startswith(TABLE) else "pyspark DataFrame"

    def close(self) -> None:
        """Nothing is held open."""

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Refuse: it is not copied out of Spark.

        Raises:
            SourceError: Always.
        """
        raise SourceError(f"{self.origin} needs the engine 'spark'; set engine to 'auto' or it")

    def describe(self, engine: SparkEngine, denied: Sequence[str]) -> tuple[Normal, Facts]:
        """What is known of the table before it is opened.

        Raises:
            SourceError: If there is no such table, or none of its columns can be read.
        """
        frame = self.frame(engine)
        withheld = denied_of(frame.columns, denied)
        every = _columns(frame, withheld)
        columns = readable(every, self.origin)
        facts = Facts(
            fingerprint=self._fingerprint(frame),
            database=database_id("spark"),
            table=self.address,
            withheld=withheld,
        )
        return Normal(Path(), facts.fingerprint, -1, len(columns), tuple(repairs_of(every))), facts

    def open(self, engine: SparkEngine, hidden: Sequence[str]) -> nw.LazyFrame[Any]:
        """Open it without the hidden columns, in the types that all engines have."""
        frame = self.frame(engine)
        reads = [c.expression.alias(c.name) for c in _columns(frame, hidden) if c.kind]
        return engine.open(frame.select(*reads))

    def frame(self, engine: SparkEngine) -> Any:
        """The data frame itself, in the session of the engine.

        Its name is looked up in the session that was found, where temporary views are.

        Raises:
            SourceError: If the table is not there, or the frame was of another process.
        """
        if self.native is not None:
            return engine.adopt(self.native)
        if self.address.startswith(FRAME):
            raise SourceError(
                "a Spark data frame lives in the process that handed it in; hand it in again, or "
                "save it as a table and name that, as in spark:schema.table"
            )
        from pyspark.errors import PySparkException

        try:
            return engine.adopt(engine.found.table(self.address.removeprefix(TABLE)))
        except PySparkException as error:
            raise SourceError(
                f"Spark has no table {self.address.removeprefix(TABLE)!r} that can be read "
                f"({type(error).__name__}); name it as catalog.schema.table"
            ) from None

    def _fingerprint(self, frame: Any) -> str:
        """Of the files a table stands on; without one, of its query, for this process alone."""
        if self.address.startswith(FRAME):
            return derive_fingerprint("", self.address)
        files = sorted(frame.inputFiles())
        if not files:
            return derive_fingerprint("", self.address, _process(), str(frame.semanticHash()))
        return derive_fingerprint(
            "", self.address, *map(_stamp, files), str(frame.schema.simpleString())
        )


def spark_tables(text: str) -> list[TableName]:
    """The table that an address names; looked up when it is read.

    Raises:
        SourceError: If the address is empty or of a frame that is gone.
    """
    if text.startswith(FRAME):
        native = _live.get(text.removeprefix(FRAME))
        return [TableName("table", SparkTable(text, native), asked=True)]
    name = text.removeprefix(TABLE).strip()
    if not name:
        raise SourceError("'spark:' names no table; write it as spark:catalog.schema.table")
    return [TableName(name.rpartition(".")[2].strip("`"), SparkTable(text), asked=True)]


def native_table(frame: Any) -> Any:
    """A data frame that was handed in; one of Spark is found by its address as long as it is."""
    native = nw.to_native(frame, pass_through=True)
    dependencies = nw.dependencies
    if not (
        dependencies.is_pyspark_dataframe(native)
        or dependencies.is_pyspark_connect_dataframe(native)
    ):
        return native
    token = next((key for key, live in _live.items() if live is native), None) or uuid4().hex
    _live[token] = native
    return SparkTable(f"{FRAME}{token}", native)


@cache
def spark() -> System:
    """Spark, its types as it calls them; whole numbers and floats of any length stay."""
    from pyspark.sql import functions as f

    return System(
        {
            **dict.fromkeys(("BYTE", "SHORT", "INTEGER", "LONG"), "integer"),
            **dict.fromkeys(("FLOAT", "DOUBLE"), "number"),
            "DECIMAL": "decimal",
            "BOOLEAN": "boolean",
            "DATE": "date",
            "TIMESTAMP": "zoned",
            "TIMESTAMP_NTZ": "time",
            "BINARY": None,
        },
        {
            **dict.fromkeys(("integer", "FLOAT", "DOUBLE", "boolean", "date", "time")),
            **dict.fromkeys(("number", "decimal"), lambda cell: cell.cast("double")),
            **dict.fromkeys(("ARRAY", "MAP", "STRUCT"), f.to_json),
            "zoned": lambda cell: f.convert_timezone(None, f.lit("UTC"), cell),
            "whole": lambda cell: cell.cast("bigint"),
            "text": lambda cell: cell.cast("string"),
        },
    )


@cache
def _process() -> str:
    return uuid4().hex


def _columns(frame: Any, hidden: Sequence[str]) -> list[ColumnExpression]:
    """How each column is read in the types that all engines have."""
    fields = [one for one in frame.schema.fields if one.name not in hidden]
    long = _long_decimals(frame, fields)
    columns = []
    for one in fields:
        digits = (getattr(one.dataType, "precision", None), getattr(one.dataType, "scale", None))
        dtype = Type(one.dataType.typeName().upper(), *digits)
        column = column_of(one.name, quoted(one.name), dtype, spark())
        if column.kind == "zoned":
            column = column._replace(notes=(IN_UTC,))
        elif one.name in long and column.kind == "whole":
            text = quoted(one.name).cast("string")
            column = column._replace(expression=text, notes=(KEPT_TEXT,))
        elif one.name in long:
            column = column._replace(notes=(ROUNDED,))
        columns.append(column)
    return columns


def _long_decimals(frame: Any, columns: Sequence[Any]) -> set[str]:
    """Decimal columns with cells that have more digits than the type they are read as."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    checks = {}
    for name, dtype in ((one.name, one.dataType) for one in columns):
        if not isinstance(dtype, t.DecimalType):
            continue
        most = LONG_DIGITS if dtype.scale == 0 else FLOAT_DIGITS
        if dtype.precision > most:
            limit = f.lit(f"1e{most - dtype.scale}").cast("decimal(38,0)")
            checks[name] = f.max(f.abs(quoted(name))) >= limit
    if not checks:
        return set()
    result = frame.agg(*(check.alias(f"c{place}") for place, check in enumerate(checks.values())))
    row = result.collect()[0]
    return {name for place, name in enumerate(checks) if row[place]}


def _stamp(address: str) -> str:
    """A file's name and, where it lies on this machine, its size and time."""
    parts = urlsplit(address)
    path = Path(unquote(parts.path))
    if parts.scheme not in ("", "file") or not path.is_file():
        return address
    status = path.stat()
    return f"{address} {status.st_size} {status.st_mtime_ns}"
