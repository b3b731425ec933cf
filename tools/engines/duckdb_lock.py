"""DuckDB locked: what a connection may reach is settled when it opens, and cannot be changed."""

from __future__ import annotations

import glob
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import duckdb

MEMORY = "70%"
"""Of this machine's memory; what needs more goes to the spill folder."""
SECONDS = 60.0
"""A query of our own about what a database holds takes no longer."""
SETTINGS = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,  # a name in a query is never a variable of ours
    "enable_progress_bar": False,  # it would write on stdout
    "TimeZone": "UTC",
}
READING = ("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE")
"""Parts of a statement that only read: since DuckDB 2 a WITH may hold a COPY or an INSERT."""


def lock(
    connection: duckdb.DuckDBPyConnection,
    files: Iterable[Path] = (),
    folders: Iterable[Path] = (),
    spill: Path | None = None,
    memory: str = MEMORY,
) -> None:
    """Close a connection to all but these files and folders, for good.

    No other file, network, extension, variable of Python or setting can be reached from any query
    afterwards, whatever its text. A file that may be read could still be written to by a COPY that
    is a statement of its own, so texts go through `ConnectionGuard`.

    Args:
        connection: A new one, or one that has attached what it needs.
        files: What it may read, resolved.
        folders: Where it may read and write.
        spill: Where queries put what does not fit into memory; None for DuckDB's own place.
        memory: The most it may use, as DuckDB writes sizes.
    """
    texts = {text for path in files for text in (str(path), glob.escape(str(path)))}
    for name, value in SETTINGS.items():
        connection.execute(f"SET {name} = ?", [value])
    connection.execute("SET memory_limit = ?", [memory])
    if spill is not None:
        connection.execute("SET temp_directory = ?", [str(spill.resolve())])
    connection.execute("SET allowed_directories = ?", [sorted({str(f) for f in folders})])
    connection.execute("SET allowed_paths = ?", [sorted(texts)])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


class ConnectionGuard:
    """A locked connection that takes files, frames and tables, and of SQL one SELECT alone.

    Args:
        raw: The connection, after `lock`.
        seconds: A `select` that takes longer is stopped.
    """

    def __init__(self, raw: duckdb.DuckDBPyConnection, seconds: float = SECONDS) -> None:
        self._raw, self.seconds = raw, seconds

    def read_parquet(self, paths: Sequence[Path], **options: Any) -> duckdb.DuckDBPyRelation:
        """Parquet files by their very names, signs that mean others in a pattern included."""
        names = [glob.escape(str(path)) for path in paths]
        return self._raw.read_parquet(names, hive_partitioning=False, **options)

    def from_arrow(self, table: Any) -> duckdb.DuckDBPyRelation:
        """An Arrow table as a query."""
        return self._raw.from_arrow(table)

    def table(self, name: str) -> duckdb.DuckDBPyRelation:
        """A table by its quoted name."""
        return self._raw.table(name)

    def attach(self, path: Path, alias: str) -> None:
        """Attach a database file for reading alone."""
        self._raw.execute(f"ATTACH ? AS {quote_name(alias)} (READ_ONLY)", [str(path.resolve())])

    def select(self, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of one SELECT.

        Raises:
            ActionError: If it is anything else, or takes too long.
        """
        import duckdb

        need_select(self._raw, query)
        try:
            with _stop_after(self._raw, self.seconds):
                return self._raw.execute(query, list(parameters)).fetchall()
        except duckdb.InterruptException:
            raise ActionError(
                f"a query took longer than {self.seconds:g} seconds and was stopped", kind="time"
            ) from None

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """One SELECT as a query that runs when its rows are fetched.

        Raises:
            ActionError: If it is anything else.
        """
        need_select(self._raw, query)
        return self._raw.sql(query)

    def close(self) -> None:
        """Let go of every file."""
        self._raw.close()


def need_select(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Refuse what is not one statement that only reads, by DuckDB's own parse of it.

    Raises:
        ActionError: Names what it is.
    """
    import duckdb

    try:
        kinds = [statement.type.name for statement in connection.extract_statements(query)]
    except duckdb.Error:
        raise ActionError("the query cannot be parsed; write one SELECT", kind="sql") from None
    if kinds != ["SELECT"]:
        raise ActionError(
            f"the query is {' and '.join(kinds) or 'empty'}; one SELECT is what is run", kind="sql"
        )
    parsed = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0]
    writing = [kind for kind in _nodes(json.loads(parsed)) if kind not in READING]
    if writing or '"error":true' in parsed[:20]:
        culprit = writing[0] if writing else "no plain SELECT"
        raise ActionError(f"the query holds {culprit}; one SELECT is what is run", kind="sql")


def _nodes(parsed: Any) -> Iterator[str]:
    inner: Iterable[Any] = ()
    if isinstance(parsed, dict):
        kind = parsed.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE"):
            yield kind
        inner = parsed.values()
    elif isinstance(parsed, list):
        inner = parsed
    for one in inner:
        yield from _nodes(one)


@contextmanager
def _stop_after(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
