"""Spark: the engine for tables that live on a cluster (an extra: ``wideleaf[spark]``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import narwhals as nw

from wideleaf.tools.engines.engine import EngineName, write_polars
from wideleaf.tools.engines.part_paths import part_paths
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tables.table import is_polars
from wideleaf.tools.writing import write_whole

LOCAL = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
}
"""How a session is started where none is running yet."""
_SIGNS = re.compile(r"([\\{}\[\]*?])")
"""What makes a pattern of the path of something to read."""


class SparkEngine:
    """Data frames of the running Spark session, or of a local one that is started for it."""

    name: EngineName = "spark"

    def __init__(self) -> None:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        session = SparkSession.getActiveSession()
        if session is None:
            builder = SparkSession.builder.master("local[*]").appName("wideleaf")
            for key, value in LOCAL.items():
                builder = builder.config(key, value)
            try:
                session = builder.getOrCreate()
            except (PySparkException, RuntimeError, OSError) as error:
                raise SettingsError(
                    f"no Spark session could be started ({type(error).__name__}); Spark needs "
                    "Java 17 or newer, found by JAVA_HOME or on the path"
                ) from None
        self.session = session

    def allow(self, files: Iterable[Path] = (), folders: Iterable[Path] = ()) -> None:
        """Nothing to do: Spark is handed paths, never a text that could name one."""

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file, a folder of parts as Spark finds them, or parts by a pattern."""
        found = [path] if path.is_dir() else part_paths(path)
        places = [_SIGNS.sub(r"\\\1", _location(one)) for one in found]
        return self.open(self.session.read.parquet(*places))

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a data frame: NaN becomes null."""
        from pyspark.sql import functions as f

        floats = {name for name, dtype in native.dtypes if dtype in ("float", "double")}
        if floats:
            columns = [
                f.when(~f.isnan(f.col(_quoted(name))), f.col(_quoted(name))).alias(name)
                if name in floats
                else f.col(_quoted(name))
                for name in native.columns
            ]
            native = native.select(*columns)
        frame: nw.LazyFrame[Any] = nw.from_native(native)
        return frame

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a folder of Parquet parts by way of a temporary name."""
        if is_polars(frame):
            write_polars(frame, path)
            return
        with write_whole(path) as part:
            nw.to_native(frame).write.mode("overwrite").parquet(_location(part))

    def turn(self) -> AbstractContextManager[Any]:
        """Spark's queries may run side by side."""
        return nullcontext()


def _location(path: Path) -> str:
    """A path as Spark takes it: not percent-encoded, as a URI would be."""
    return f"file://{path.absolute()}"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
