"""DuckDB: the engine for DuckDB databases and for data beyond memory."""

from __future__ import annotations

import glob
from contextlib import AbstractContextManager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import narwhals as nw

from wideleaf.tools.engines import EngineName, is_polars, write_polars

if TYPE_CHECKING:
    import duckdb

_FLOATS = ("FLOAT", "DOUBLE")
_AS_TEXT = ("UUID", "JSON", "ENUM")


class DuckDBEngine:
    """Relations of one connection; a lock keeps queries of several threads apart.

    Args:
        spill: Where queries that exceed memory put what they cannot hold; None for DuckDB's own.
    """

    name: EngineName = "duckdb"

    def __init__(self, spill: Path | None = None) -> None:
        import duckdb

        self.connection = duckdb.connect()
        # Nothing is downloaded, and a query reads only files that were handed in here.
        self.connection.execute("SET autoinstall_known_extensions=false")
        self.connection.execute("SET autoload_known_extensions=false")
        self.connection.execute("SET enable_progress_bar=false")  # it would write on stdout
        self.connection.execute("SET TimeZone='UTC'")
        if spill is not None:
            self.connection.execute("SET temp_directory=?", [str(spill)])
        self._lock = RLock()

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file or a folder of parts as a query."""
        pattern = f"{glob.escape(str(path))}/*.parquet" if path.is_dir() else str(path)
        return self.open(self.connection.read_parquet(pattern))

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a relation of this connection."""
        columns = [
            _cleaned(name, str(dtype))
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
        part = path.with_suffix(f".{uuid4().hex}.part")
        relation: duckdb.DuckDBPyRelation = nw.to_native(frame)
        with self._lock:
            relation.write_parquet(str(part), compression="zstd")
        part.replace(path)

    def turn(self) -> AbstractContextManager[Any]:
        """One thread at a time: relations of one connection collide."""
        return self._lock


def _cleaned(name: str, dtype: str) -> tuple[str, bool]:
    """A column as it is read: NaN as null, UUIDs and the like as text; and if it is as it was."""
    quoted = '"' + name.replace('"', '""') + '"'
    if dtype in _FLOATS:
        # Not nullif or isnan: by a Parquet file's range, the optimizer takes no cell for NaN.
        there = f"isfinite({quoted}) OR isinf({quoted})"
        return f"CASE WHEN {there} THEN {quoted} END AS {quoted}", False
    if dtype.startswith(_AS_TEXT):
        return f"CAST({quoted} AS VARCHAR) AS {quoted}", False
    return quoted, True
