"""DuckDB: the engine for DuckDB databases and for data beyond memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.engines.duckdb_lock import MEMORY, ConnectionGuard, lock
from wideleaf.tools.engines.engine import EngineName, part_paths, write_polars
from wideleaf.tools.errors import SourceError
from wideleaf.tools.tables.table import is_polars
from wideleaf.tools.writing import write_whole

if TYPE_CHECKING:
    import duckdb

_FLOATS = ("FLOAT", "DOUBLE")
_AS_TEXT = ("UUID", "JSON", "ENUM")


class DuckDBEngine:
    """Relations of one connection; a lock keeps queries of several threads apart.

    The connection opens at its first use and reaches only what was allowed before.

    Args:
        spill: Where queries that exceed memory put what they cannot hold; None for DuckDB's own.
        memory: The most it may use, as DuckDB writes sizes.
    """

    name: EngineName = "duckdb"

    def __init__(self, spill: Path | None = None, memory: str = MEMORY) -> None:
        self._spill, self._memory = spill, memory
        self._lock = RLock()
        self._files: set[Path] = set()
        self._folders: set[Path] = set()
        self._parts: dict[Path, list[Path]] = {}
        self._connection: ConnectionGuard | None = None

    @property
    def connection(self) -> ConnectionGuard:
        """The one connection of this engine, locked."""
        import duckdb

        with self._lock:
            if self._connection is None:
                raw = duckdb.connect()
                lock(raw, self._files, self._folders, self._spill, self._memory)
                self._connection = ConnectionGuard(raw)
            return self._connection

    def allow(self, files: Iterable[Path] = (), folders: Iterable[Path] = ()) -> None:
        """Let queries read these files, and read and write in these folders.

        A folder or pattern among the files is a table in the parts that are there now, and a
        database's log is read with it. What comes after the first query is not let in any more:
        DuckDB's lock is for good.
        """
        for path in files:
            path = path.resolve()
            parts = part_paths(path)
            if parts == [path]:
                self._files.update([path, Path(f"{path}.wal")])
            else:
                self._parts[path] = parts
                self._files.update(parts)
        self._folders.update(folder.resolve() for folder in folders)

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file, or parts, as a query.

        Raises:
            SourceError: If it was not allowed before the first query, or the folder is empty.
        """
        import duckdb

        path = path.resolve()
        files = self._parts.get(path) or part_paths(path)
        if not files:
            raise SourceError(f"folder {str(path)!r} holds no Parquet file any more")
        try:
            return self.open(self.connection.read_parquet(files))
        except duckdb.PermissionException:
            raise SourceError(
                f"{str(path)!r} was not handed in when DuckDB was opened; open its table anew"
            ) from None

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a relation of this connection."""
        columns = [
            _clean_column(name, str(dtype))
            for name, dtype in zip(native.columns, native.types, strict=True)
        ]
        if any(as_it_is is False for _, as_it_is in columns):
            native = native.project(", ".join(text for text, _ in columns))
        frame: nw.LazyFrame[Any] = nw.from_native(native)
        return frame

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a Parquet file by way of a temporary name."""
        if is_polars(frame):
            write_polars(frame, path)
            return
        relation: duckdb.DuckDBPyRelation = nw.to_native(frame)
        with self._lock, write_whole(path) as part:
            relation.write_parquet(str(part), compression="zstd")

    def turn(self) -> AbstractContextManager[Any]:
        """One thread at a time: relations of one connection collide."""
        return self._lock


def _clean_column(name: str, dtype: str) -> tuple[str, bool]:
    """A column as it is read: NaN as null, UUIDs and the like as text; and if it is as it was."""
    quoted = '"' + name.replace('"', '""') + '"'
    if dtype in _FLOATS:
        # Not nullif or isnan: by a Parquet file's range, the optimizer takes no cell for NaN.
        there = f"isfinite({quoted}) OR isinf({quoted})"
        return f"CASE WHEN {there} THEN {quoted} END AS {quoted}", False
    if dtype.startswith(_AS_TEXT):
        return f"CAST({quoted} AS VARCHAR) AS {quoted}", False
    return quoted, True
