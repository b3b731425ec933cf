"""Functions on frames that a script takes along: reading, queries, types and order.

They are copied into the script by their source, so they know pandas, DuckDB and each other alone.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]


def _load(path: str, columns: list[str]) -> Any:
    """Some columns of a Parquet file, or of its parts by folder or pattern; a NaN is a null."""
    place = Path(path)
    files = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
    if not place.exists():
        files = sorted(map(Path, glob.glob(path))) or [place]
    parts = [pq.ParquetFile(file).read(columns=columns) for file in files]
    table = pa.concat_tables(parts, promote_options="permissive").select(columns)
    for place_of, field in enumerate(table.schema):
        cells = table.column(place_of)
        if pa.types.is_floating(field.type):
            cells = pc.if_else(pc.is_nan(cells), None, cells)
        elif pa.types.is_dictionary(field.type):
            cells = cells.cast(field.type.value_type)
        table = table.set_column(place_of, field.name, cells)
    return _frame(table)


def _sql(text: str, /, **frames: Any) -> Any:
    """The rows of a query over frames, by DuckDB, which reads nothing else."""
    with duckdb.connect(config={"enable_external_access": "false"}) as connection:
        for name, frame in frames.items():
            connection.register(name, pa.Table.from_pandas(frame, preserve_index=False))
        return _frame(connection.sql(text).to_arrow_table())


def _frame(table: Any) -> Any:
    """Arrow's columns in pandas' types that have nulls; a day stays a day."""

    def dtype(kind: Any) -> Any:
        if pa.types.is_integer(kind):
            return pd.Int64Dtype()
        if pa.types.is_floating(kind):
            return pd.Float32Dtype() if kind == pa.float32() else pd.Float64Dtype()
        if pa.types.is_boolean(kind):
            return pd.BooleanDtype()
        text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        return pd.StringDtype("python") if text else pd.ArrowDtype(kind)

    return table.to_pandas(types_mapper=dtype)


def _plain(frame: Any) -> Any:
    """The frame with days and times in pandas' own type."""
    kinds = {name: frame[name].dtype for name in frame.columns}
    moments = [
        name
        for name, kind in kinds.items()
        if isinstance(kind, pd.ArrowDtype) and pa.types.is_temporal(kind.pyarrow_dtype)
    ]
    return frame.astype(dict.fromkeys(moments, "datetime64[us]"))


def _days(frame: Any, names: list[str]) -> Any:
    """The frame with some times as days."""
    return frame.astype(dict.fromkeys(names, "date32[pyarrow]"))


def _typed(cells: Any, dtype: str) -> Any:
    """Cells in a type that has nulls; a NaN is one."""
    if dtype in ("Float64", "Float32"):
        floats: Any = pd.Series(cells.to_numpy(dtype="float64", na_value=np.nan), cells.index)
        return floats.astype(dtype)
    if dtype == "Int64" and cells.dtype.kind == "f":
        return _typed(cells, "Float64").astype(dtype)
    return cells.astype(dtype)


def _retyped(frame: Any, types: dict[str, str]) -> Any:
    """The frame with some columns in other types; one without a type stays as it is."""
    columns = {name: _typed(frame[name], kind) for name, kind in types.items() if kind}
    return frame.assign(**columns)


def _sort(frame: Any, by: list[str], down: list[bool], smallest: bool = False) -> Any:
    """Rows in order, nulls last or as the smallest; equal ones by the first other columns."""
    others = [name for name in frame.columns if frame[name].dtype != object][:8]
    cells = [(frame[name], low) for name, low in zip(by, down, strict=True)]
    cells += [(frame[name], False) for name in others if name not in by]
    keys = {}
    for place, (cell, low) in enumerate(cells):
        # The other columns' nulls stand where those of the keys do, if these all do alike.
        first = smallest and not low and (place < len(by) or not any(down))
        keys[f"null {place}"] = cell.isna().to_numpy() != first
        codes, _ = pd.factorize(cell, sort=True)
        keys[f"cell {place}"] = -codes if low else codes
    if not keys:
        return frame
    order = np.lexsort(list(keys.values())[::-1])
    return frame.iloc[order].reset_index(drop=True)


def _key(frame: Any, by: list[str]) -> Any:
    """The number of the group that each row is in; a null key is a group like others."""
    number: Any = pd.Series(np.zeros(len(frame), dtype="int64"), frame.index)
    for name in by:
        codes, levels = pd.factorize(frame[name])
        number = number * (len(levels) + 1) + codes + 1
        number = pd.Series(pd.factorize(number)[0], frame.index)
    return number


def _each(cells: Any, make: Any, dtype: str) -> Any:
    """A function of each cell; a null stays one."""
    results = [pd.NA if cell is pd.NA or cell != cell else make(cell) for cell in cells]
    return pd.Series(results, cells.index, dtype=dtype)


def _folded(text: Any, trim: bool = True) -> Any:
    """Text in lower case, without blanks around it."""
    bare = text.str.strip() if trim else text
    dotted = _each(bare, lambda one: one.replace("İ", "i\u0307"), "string[python]")
    return _each(dotted, lambda one: one.lower().replace("ς", "σ"), "string[python]")


def _finite(cells: Any) -> Any:
    """Null where it is no finite number."""
    numbers = _typed(cells, "Float64")
    return numbers.mask(numbers.abs() == np.inf)


def _label(value: Any, day: bool) -> str:
    """A value as a header; a blank one is called so."""
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if day else str(value.to_pydatetime())
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else str(number)
    return str(value).replace("\0", "\ufffd") if str(value).strip() else "blank"
