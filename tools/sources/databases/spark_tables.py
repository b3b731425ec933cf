"""Spark tables and data frames: opened where they are, by the engine of that name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4
from weakref import WeakValueDictionary

import narwhals as nw

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.rows import FLOAT_DIGITS
from wideleaf.tools.sources.fingerprint import salt
from wideleaf.tools.sources.naming import TableName, database_id
from wideleaf.tools.sources.normal import Normal
from wideleaf.tools.sources.parts import Facts, Progress

if TYPE_CHECKING:
    from wideleaf.tools.engines.spark_engine import SparkEngine

TABLE, FRAME = "spark:", "spark-frame:"
LONG_DIGITS = 18
"""Whole numbers of so many digits fit into 64 bits."""
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
        hidden = {name.strip().casefold() for name in denied}
        withheld = tuple(n for n in frame.columns if n.strip().casefold() in hidden)
        _, columns, repairs = _plain(frame, withheld)
        if not columns:
            raise SourceError(f"{self.origin} has no column that can be read")
        facts = Facts(
            fingerprint=self._fingerprint(frame),
            database=database_id("spark"),
            table=self.address,
            withheld=withheld,
        )
        return Normal(Path(), facts.fingerprint, -1, len(columns), tuple(repairs)), facts

    def open(self, engine: SparkEngine, hidden: Sequence[str]) -> nw.LazyFrame[Any]:
        """Open it without the hidden columns, in the types that all engines have."""
        return engine.open(_plain(self.frame(engine), hidden)[0])

    def frame(self, engine: SparkEngine) -> Any:
        """The data frame itself.

        Raises:
            SourceError: If the table is not there, or the frame was of another process.
        """
        if self.native is not None:
            return self.native
        if self.address.startswith(FRAME):
            raise SourceError(
                "a Spark data frame lives in the process that handed it in; hand it in again, or "
                "save it as a table and name that, as in spark:schema.table"
            )
        from pyspark.errors import PySparkException

        try:
            frame = engine.session.table(self.address.removeprefix(TABLE))
            frame.columns  # noqa: B018  # of a remote session, only now is it looked up
            return frame
        except PySparkException as error:
            raise SourceError(
                f"Spark has no table {self.address.removeprefix(TABLE)!r} that can be read "
                f"({type(error).__name__}); name it as catalog.schema.table"
            ) from None

    def _fingerprint(self, frame: Any) -> str:
        """Of the files a table stands on; of what has none, good for this reading alone."""
        if self.address.startswith(FRAME):
            return salt("", self.address)
        files = sorted(frame.inputFiles())
        if not files:
            return salt("", self.address, uuid4().hex)
        return salt("", self.address, *map(_stamp, files), str(frame.schema.simpleString()))


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


def frame_table(frame: Any) -> SparkTable:
    """A data frame that was handed in; this process finds it by its address as long as it is."""
    token = next((key for key, live in _live.items() if live is frame), None) or uuid4().hex
    _live[token] = frame
    return SparkTable(f"{FRAME}{token}", frame)


def is_spark_frame(content: Any) -> bool:
    """Whether it is a data frame of PySpark, which is not imported for that."""
    known = nw.dependencies
    return known.is_pyspark_dataframe(content) or known.is_pyspark_connect_dataframe(content)


def _plain(frame: Any, hidden: Sequence[str]) -> tuple[Any, list[str], list[Repair]]:
    """The frame in the types that all engines have, its columns, and what was done."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    reads: list[Any] = []
    told: dict[str, list[str]] = {}
    long = _long_decimals(frame, hidden)
    names = []
    for one in frame.schema.fields:
        if one.name in hidden:
            continue
        cell, dtype, text = f.col(f"`{one.name.replace('`', '``')}`"), one.dataType, ""
        if isinstance(dtype, t.BinaryType):
            told.setdefault("Left out columns of bytes or shapes", []).append(one.name)
            continue
        if isinstance(dtype, t.DecimalType):
            if dtype.scale == 0:
                fits = one.name not in long
                cell = cell.cast("bigint") if fits else cell.cast("string")
                text = "" if fits else "Kept as text because of too many digits"
            else:
                cell = cell.cast("double")
                text = f"Rounded to about {FLOAT_DIGITS} digits" if one.name in long else ""
        elif isinstance(dtype, t.TimestampType):
            cell, text = f.convert_timezone(None, f.lit("UTC"), cell), "Times are in UTC"
        elif isinstance(dtype, t.ArrayType | t.MapType | t.StructType):
            cell = f.to_json(cell)
        elif not isinstance(dtype, t.NumericType | t.BooleanType | t.DateType | t.TimestampNTZType):
            cell = cell.cast("string")
        if text:
            told.setdefault(text, []).append(one.name)
        reads.append(cell.alias(one.name))
        names.append(one.name)
    repairs = [
        Repair(text=text, columns=tuple(columns), ordinary=text == "Times are in UTC")
        for text, columns in told.items()
    ]
    return frame.select(*reads), names, repairs


def _long_decimals(frame: Any, hidden: Sequence[str]) -> set[str]:
    """Decimal columns with cells that have more digits than the type they are read as."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    checks = []
    for one in frame.schema.fields:
        if one.name in hidden or not isinstance(one.dataType, t.DecimalType):
            continue
        scale = one.dataType.scale
        most = LONG_DIGITS if scale == 0 else FLOAT_DIGITS
        if one.dataType.precision > most:
            cell = f.abs(f.col(f"`{one.name.replace('`', '``')}`"))
            checks.append(
                (one.name, f.max(cell) >= f.lit(f"1e{most - scale}").cast("decimal(38,0)"))
            )
    if not checks:
        return set()
    found = frame.agg(*(check.alias(f"c{place}") for place, (_, check) in enumerate(checks)))
    row = found.collect()[0]
    return {name for place, (name, _) in enumerate(checks) if row[place]}


def _stamp(address: str) -> str:
    """A file's name and, where it lies on this machine, its size and time."""
    parts = urlsplit(address)
    path = Path(unquote(parts.path))
    if parts.scheme not in ("", "file") or not path.is_file():
        return address
    status = path.stat()
    return f"{address} {status.st_size} {status.st_mtime_ns}"
