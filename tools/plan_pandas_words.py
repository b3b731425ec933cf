"""Words of a pandas script: types, literals and columns as code that holds nothing but data."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import narwhals as nw

from wideleaf.tools.table import Table

TEXT = "string[python]"


class NotInPandas(Exception):
    """A step has no pandas form; the script runs it by the library."""


def written(value: Any) -> str:
    """Plain data as code: text, numbers, truth values, None, and lists and mappings of them.

    Raises:
        TypeError: If it is or holds anything else.
    """
    if isinstance(value, (str, bool, int, float)) or value is None:
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        inside = (f"{written(key)}: {written(one)}" for key, one in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, date):
        return f"pd.Timestamp({value.isoformat()!r})"
    raise TypeError(f"a {type(value).__name__} is no plain data")


def moment_written(value: date | datetime) -> str:
    """A day or a time as code."""
    return f"pd.Timestamp({value.isoformat()!r})"


def pandas_type(dtype: Any) -> str:
    """The pandas type that holds a column's cells and its nulls; empty where it stays as it is."""
    if dtype.is_integer():
        return "Int64"
    if dtype.is_numeric():
        return "Float32" if dtype == nw.Float32() else "Float64"
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return TEXT
    if isinstance(dtype, nw.Boolean):
        return "boolean"
    return "datetime64[us]" if isinstance(dtype, (nw.Date, nw.Datetime)) else ""


def types_of(table: Table, *names: str) -> dict[str, str]:
    """The pandas types of some columns, or of all."""
    return {name: pandas_type(table.schema[name]) for name in names or table.columns}


def column(frame: str, name: str) -> str:
    """A column as code."""
    return f"{frame}[{name!r}]"


def number(frame: str, name: str, table: Table) -> str:
    """A number or boolean column in its widest type."""
    dtype = pandas_type(table.schema[name])
    code = column(frame, name)
    wide = {"Float32": "Float64", "boolean": "Int64"}.get(dtype)
    return f"{code}.astype({wide!r})" if wide else code
