"""Cells of a program's result as plain data: columns of one kind, values that JSON can hold."""

from __future__ import annotations

import datetime
import decimal
import fractions
import json
import numbers
from collections.abc import Mapping
from typing import Any

Json = Any
MAX_DEPTH = 6
LARGEST_WHOLE = 2**63
DAY_SECONDS = 86_400


def is_scalar(value: Any) -> bool:
    """Whether a value is one cell: a number, text, truth value, moment, duration or null."""
    import numpy as np
    import pandas as pd

    if value is None or isinstance(value, complex | bytes):
        return False
    types = (str, bool, numbers.Number, datetime.date, datetime.time, datetime.timedelta)
    more = (np.generic, pd.Period, pd.Interval, decimal.Decimal, fractions.Fraction)
    return value is pd.NaT or value is pd.NA or isinstance(value, (*types, *more))


def is_container(value: Any) -> bool:
    """Whether a value holds others."""
    return value is not None and not is_scalar(value)


def plain_column(column: Any, was_date: bool) -> Any:
    """A column as numbers, texts, truth values or moments."""
    import pandas as pd

    kinds = pd.api.types
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return plain_column(column.astype(dtype.categories.dtype), was_date)
    if isinstance(dtype, pd.PeriodDtype | pd.IntervalDtype):
        return column.astype(object).map(str, na_action="ignore")
    if kinds.is_complex_dtype(dtype):
        return column.map(str)
    if kinds.is_timedelta64_dtype(dtype):
        return column.dt.total_seconds() / DAY_SECONDS
    if isinstance(dtype, pd.DatetimeTZDtype):
        return column.dt.tz_convert("UTC").dt.tz_localize(None)
    if kinds.is_datetime64_any_dtype(dtype):
        if was_date and (column.dropna() == column.dropna().dt.normalize()).all():
            return column.astype("date32[day][pyarrow]")  # a type also where there is no cell
        return column
    if kinds.is_object_dtype(dtype):
        return _unify_mixed(column)
    return column


def _unify_mixed(column: Any) -> Any:
    """A column of Python objects as what all of them are; else as text."""
    import numpy as np
    import pandas as pd

    there = [one for one in column if not is_null(one)]
    of = {type(one) for one in there}

    def all_are(*kinds: type) -> bool:
        return all(issubclass(kind, kinds) for kind in of)

    if all_are(str):
        return column.astype("str")
    if all_are(bool, np.bool_):
        return column.astype("boolean")
    if bool not in of and all_are(int, np.integer):
        small = all(-LARGEST_WHOLE <= one < LARGEST_WHOLE for one in there)
        return column.astype("Int64" if small else "float64")
    if bool not in of and all_are(numbers.Real, np.number, decimal.Decimal):
        return pd.Series([None if is_null(v) else float(v) for v in column], dtype="float64")
    if all_are(datetime.datetime, np.datetime64):
        moments = pd.to_datetime(column, utc=True)
        return moments.dt.tz_localize(None)
    if all_are(datetime.date):
        return column
    if all_are(datetime.timedelta, np.timedelta64):
        return plain_column(pd.to_timedelta(column), False)
    texts = [None if is_null(one) else _cell_text(one) for one in column]
    return pd.Series(texts, dtype="str")


def _cell_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(json_value(value)) if is_container(value) else str(value)


def is_null(value: Any) -> bool:
    """Whether a value is one of the nulls."""
    import pandas as pd

    if value is None or value is pd.NaT or value is pd.NA:
        return True
    return isinstance(value, float) and value != value


def json_value(value: Any, depth: int = 0) -> Json:
    """A value as plain data: nothing for nulls, texts for moments and for what is not finite."""
    import numpy as np
    import pandas as pd

    if depth > MAX_DEPTH:
        return str(value)
    if is_null(value):
        return None
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        value = value.item()
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_WHOLE else float(value)
    if isinstance(value, float | decimal.Decimal | fractions.Fraction):
        number = float(value)
        return None if number != number else number if abs(number) != float("inf") else str(number)
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta | np.timedelta64):
        return pd.Timedelta(value).total_seconds() / DAY_SECONDS
    if isinstance(value, Mapping):
        return {str(key): json_value(one, depth + 1) for key, one in value.items()}
    if isinstance(value, pd.Series):
        return {str(key): json_value(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray | pd.Index):
        return [json_value(one, depth + 1) for one in value]
    return str(value)
