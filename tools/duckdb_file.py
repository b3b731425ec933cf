"""A DuckDB file: opened for reading alone, closed to other files, and what its errors mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.databases import quoted
from wideleaf.tools.duckdb_lock import lock
from wideleaf.tools.errors import SourceError

if TYPE_CHECKING:
    import duckdb

ALIAS = "the file"
"""What the file is called beside the connection's own, empty database."""


@contextmanager
def connected(
    path: Path, table: str = "", writable: Path | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own to a file, for reading alone; its views reach no other file.

    The file is attached, not opened: a session that the user has on it keeps settings of its own.
    To close a file that is open elsewhere in this process ends that other hold on it (as locks of
    files go on POSIX), so a file is looked at before an engine attaches it.
    """
    import duckdb

    with told(path, table):
        connection = duckdb.connect()
        try:
            connection.execute(f"ATTACH ? AS {quoted(ALIAS)} (READ_ONLY)", [str(path.resolve())])
            connection.execute(f"USE {quoted(ALIAS)}")
            folders = [] if writable is None else [writable.resolve()]
            lock(connection, folders=folders, spill=writable)
            yield connection
        finally:
            connection.close()


@contextmanager
def told(path: Path, table: str = "") -> Iterator[None]:
    """Turn DuckDB's errors into one clear sentence; its own may quote cells."""
    import duckdb

    what = f"table {table!r} of {str(path)!r}" if table else repr(str(path))
    try:
        yield
    except duckdb.Error as error:
        text = str(error)
        if "different configuration" in text or "already attached" in text:
            why = "is open for writing in this process; close that connection first"
        elif "lock" in text.lower() and isinstance(error, duckdb.IOException):
            why = "is open for writing in another process; close it there first"
        elif isinstance(error, duckdb.PermissionException):
            why = "stands on files that were not handed in; hand those in themselves"
        elif isinstance(error, duckdb.CatalogException | duckdb.BinderException):
            why = "cannot be read; a view may stand on something that is not there any more"
        elif "version" in text:
            why = "was written by a newer DuckDB; upgrade the package duckdb"
        else:
            why = f"cannot be read ({type(error).__name__}); it may be damaged"
        raise SourceError(f"{what} {why}") from None
