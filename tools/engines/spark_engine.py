"""Spark: the engine for tables that live on a cluster (an extra: ``wideleaf[spark]``)."""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import finalize

import narwhals as nw

from wideleaf.tools.engines.engine import EngineName, PolarsEngine, part_paths, write_polars
from wideleaf.tools.engines.process import end_work_in_time
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.tables.table import MAX_CELLS, Table

LOCAL = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}
"""How Spark is started where it is all in this process, so that nothing listens to the network."""
MEANING = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "false",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
}
"""What steps mean must not hang on how somebody set up Spark."""
MASTER = "spark.master"
RETRIES = 6
"""Of what a Connect server does not answer; each waits four times as long as the one before."""
GONE = "SparkConnectGrpcException"
"""What no kind of its own is raised for; a query that is wrong has one."""
WAITING = "a query on Spark (it waits where no worker is free)"
_SIGNS = re.compile(r"([\\{}\[\]*?])")
"""What makes a pattern of the path of something to read."""


class SparkEngine:
    """Data frames of a session of its own, in the Spark that runs or that the environment names.

    Nothing is written to a place that a cluster would have to share with this machine: frames stay
    queries, and what is kept of them is small, is here, and is sent along.
    """

    name: EngineName = "spark"

    def __init__(self) -> None:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql.utils import is_remote

        self._views: list[str] = []
        try:
            self.found = _find() or _start()
            self.session = self.found.newSession()
            remote = is_remote()
            # Before what Spark itself does at the end, which waits for the connection.
            atexit.register(finalize(self, _close, self.session, self._views, remote))
            if remote:
                _give_up_in_time(self.session)
            for key, value in MEANING.items():
                self.session.conf.set(key, value)
            self._sees_files = not remote and _is_local(self.found.conf.get(MASTER))
        except (PySparkException, Py4JError, RuntimeError, OSError) as error:
            raise SettingsError(
                f"no Spark session could be started ({type(error).__name__}); Spark needs Java 17 "
                "or newer, found by JAVA_HOME or on the path, and the master or Connect server "
                "that MASTER, SPARK_REMOTE or spark-defaults.conf names must answer"
            ) from None

    def allow(self, files: Iterable[Path] = (), folders: Iterable[Path] = ()) -> None:
        """Nothing to do: Spark is handed paths, never a text that could name one."""

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file, a folder of parts as Spark finds them, or parts by a pattern.

        Raises:
            SourceError: If it has too many cells to be sent to a cluster.
        """
        if self._sees_files:
            parts = [path] if path.is_dir() else part_paths(path)
            places = [_SIGNS.sub(r"\\\1", f"file://{one.absolute()}") for one in parts]
            return self.open(self.session.read.parquet(*places))
        from pyspark.sql.pandas.types import from_arrow_schema

        table = Table(PolarsEngine().scan(path))
        if (cells := table.count() * len(table.columns)) > MAX_CELLS:
            raise SourceError(
                f"{path.name} has {cells:,} cells, and no more than {MAX_CELLS:,} are sent to a "
                "Spark cluster, which does not see this machine's files; save it as a table there "
                "and name that, as in spark:schema.table or spark:parquet.`s3a://bucket/folder`"
            )
        rows = table.frame.collect("pyarrow").to_native()
        # By the session that was found: whichever makes one is the active one from then on.
        frame = self.found.createDataFrame(rows, from_arrow_schema(rows.schema))
        return self.open(self.adopt(frame))

    def adopt(self, native: Any) -> Any:
        """A data frame of another session of this Spark as one of this: what follows means ours."""
        self._views.append(f"wideleaf_{uuid4().hex}")
        native.createGlobalTempView(self._views[-1])
        return self.session.table(f"global_temp.{self._views[-1]}")

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a data frame: NaN becomes null."""
        from pyspark.sql import functions as f

        floats = {name for name, dtype in native.dtypes if dtype in ("float", "double")}
        if floats:
            columns = [
                f.when(~f.isnan(quoted(name)), quoted(name)).alias(name)
                if name in floats
                else quoted(name)
                for name in native.columns
            ]
            native = native.select(*columns)
        frame: nw.LazyFrame[Any] = nw.from_native(native)
        return frame

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a Parquet file of this machine."""
        write_polars(frame, path)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Spark's queries may run side by side; one that waits for a lost cluster ends in time.

        Raises:
            SourceError: If a Connect server is gone.
        """
        try:
            with end_work_in_time(WAITING, self._interrupt):
                yield
        except Exception as error:
            if type(error).__name__ != GONE:
                raise
            raise SourceError(
                "the Spark Connect server does not answer; ask again when it runs"
            ) from error

    def _interrupt(self) -> None:
        with suppress(Exception):  # whatever it is, the query ends by its own error then
            self.session.interruptAll()


def quoted(name: str) -> Any:
    """A column by its name, whatever signs are in it."""
    from pyspark.sql import functions as f

    return f.col(f"`{name.replace('`', '``')}`")


def _find() -> Any:
    """The session that is active or the default in this process; None if there is none."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return None


def _start() -> Any:
    """A session of the Spark that the environment names, on this machine if it names none."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    if "SPARK_REMOTE" not in os.environ:
        here = _is_local(SparkContext.getSystemProperty(MASTER))
        builder = builder.config(map={"spark.app.name": "wideleaf", **(LOCAL if here else {})})
        return builder.getOrCreate()
    session = builder.getOrCreate()
    _give_up_in_time(session)
    return session


def _give_up_in_time(session: Any) -> None:
    """Ask a Connect server that does not answer for a minute; by itself Spark does for ten."""
    from pyspark.sql.connect.client.retries import DefaultPolicy

    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])


def _is_local(master: str) -> bool:
    """Whether executors are of this machine, and so see its files."""
    return master.startswith("local")


def _close(session: Any, views: Iterable[str], remote: bool) -> None:
    """Take away what was made on a cluster, and end a session that holds a connection."""
    with suppress(Exception):
        if remote:
            session.client.set_retry_policies([])  # a server that is gone holds nobody up
        for view in views:
            session.catalog.dropGlobalTempView(view)
        if remote:  # not `stop`, which ends a local server for all of its sessions
            session.client.release_session()
    if remote:
        session.client.close()
