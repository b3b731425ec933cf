"""What a program's result is as plain data: inside the sandbox, a table and what shape it had.

A duration becomes days, a time with a zone its UTC, a category, period or interval its text; text,
numbers, truth values and moments stay what they are.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from wideleaf.tools.sandbox.inside.cells import (
    Json,
    is_container,
    is_scalar,
    json_value,
    plain_column,
)

Shape = Literal["number", "text", "boolean", "date", "list", "record", "series", "table"]
MAX_COLUMNS = 20_000
TOO_WIDE = f"a table of more than {MAX_COLUMNS} columns, which are the most"
MAX_LISTED = 10_000
"""A longer list is given as a table alone."""
RESULT = "result"


@dataclass(frozen=True)
class Plain:
    """A result.

    Attributes:
        shape: What the program made.
        value: A number, text, truth value, list or record as plain data; None for tables.
        frame: The same as a pandas frame with plain columns, texts as headers.
        index: Names of the columns that were the index.
    """

    shape: Shape
    value: Json
    frame: Any
    index: tuple[str, ...] = ()


class ResultError(Exception):
    """The result is nothing that can be a table.

    Args:
        found: What it is: the name of a type, or one of `sandbox_answer.UNFIT`.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.found = kind


def plain(result: Any, inputs: Sequence[Any] = ()) -> Plain:
    """Turn a result into a table and its shape.

    Args:
        result: Whatever the program made.
        inputs: The frames it was given: an unnamed index of row numbers of theirs says nothing.

    Raises:
        ResultError: If it is nothing, or no value or table.
    """
    import numpy as np
    import pandas as pd

    if isinstance(result, pd.DataFrame):
        return _table(result, inputs, "table")
    if isinstance(result, pd.Series):
        frame = result.to_frame(RESULT if result.name is None else result.name)
        return _table(frame, inputs, "series")
    if isinstance(result, pd.MultiIndex):
        return _table(result.to_frame(index=False), inputs, "table")
    if isinstance(result, pd.Index | pd.api.extensions.ExtensionArray):
        return _convert_list(list(result), inputs)
    if isinstance(result, np.ndarray):
        if result.ndim == 0:
            return plain(result.item(), inputs)
        if result.ndim == 2:
            headers = [f"{RESULT}_{n}" for n in range(1, result.shape[1] + 1)]
            return _table(pd.DataFrame(result, columns=headers), inputs, "table")
        if result.ndim > 2:
            raise ResultError("an array of more than two dimensions")
        return _convert_list(result.tolist(), inputs)
    if isinstance(result, Mapping):
        return _record(dict(result), inputs)
    if isinstance(result, set | frozenset):
        return _convert_list(sorted(result, key=lambda one: (type(one).__name__, str(one))), inputs)
    if isinstance(result, list | tuple | range) or type(result).__name__.startswith("dict_"):
        return _convert_list(list(result), inputs)
    if not is_scalar(result):
        raise ResultError(type(result).__name__)
    return _one(result)


def _one(result: Any) -> Plain:
    import pandas as pd

    shape = _shape_of(result)
    frame = _plain_frame(pd.DataFrame({RESULT: [result]}), frozenset())
    value = json_value(result)
    if shape == "number" and isinstance(value, str):  # infinity is no JSON
        value = None
    return Plain(shape, value, frame)


def _shape_of(value: Any) -> Shape:
    import numpy as np
    import pandas as pd

    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, str | pd.Period | pd.Interval):
        return "text"
    if value is not pd.NaT and isinstance(value, datetime.date | np.datetime64):
        return "date"
    return "number"


def _convert_list(values: list[Any], inputs: Sequence[Any]) -> Plain:
    import pandas as pd

    value = json_value(values) if len(values) <= MAX_LISTED else None
    if values and all(isinstance(one, pd.Series | pd.DataFrame) for one in values):
        frames = [plain(one, inputs).frame for one in values]
        return Plain("list", value, _plain_frame(pd.concat(frames, ignore_index=True), frozenset()))
    if values and all(isinstance(one, Mapping) for one in values):
        return replace(_table(pd.DataFrame(values), inputs, "list"), value=value)
    nested = [isinstance(one, list | tuple) for one in values]
    if values and all(nested) and len({len(one) for one in values}) == 1 and values[0]:
        headers = [f"{RESULT}_{n}" for n in range(1, len(values[0]) + 1)]
        frame = pd.DataFrame([list(one) for one in values], columns=headers)
        return replace(_table(frame, inputs, "list"), value=value)
    if any(nested) or any(is_container(one) for one in values):  # parts of one answer
        row = [_joined(cell) for one in values for cell in _levels(one)]
        headers = [f"{RESULT}_{n}" for n in range(1, len(row) + 1)]
        frame = pd.DataFrame([row], columns=headers)
        return Plain("list", value, _plain_frame(frame, frozenset()))
    return Plain("list", value, _plain_frame(pd.DataFrame({RESULT: values}), frozenset()))


def _levels(value: Any) -> Sequence[Any]:
    """The cells of one part: a tuple is the label of a group, with a cell for each level."""
    if isinstance(value, tuple) and value and all(map(is_scalar, value)):
        return value
    return [value]


def _joined(value: Any) -> Any:
    import numpy as np
    import pandas as pd

    if isinstance(value, list | tuple | set | frozenset | np.ndarray | pd.Index | pd.Series):
        return ", ".join(str(json_value(one)) for one in value)
    return json.dumps(json_value(value)) if is_container(value) else value


def _record(values: dict[Any, Any], inputs: Sequence[Any]) -> Plain:
    import numpy as np
    import pandas as pd

    value = json_value(values) if len(values) <= MAX_LISTED else None
    tables = [isinstance(one, pd.Series | pd.DataFrame) for one in values.values()]
    if values and all(tables):
        if all(isinstance(one, pd.Series) for one in values.values()):
            return _table(pd.DataFrame(values), inputs, "record")
        return _table(pd.concat(values, names=["part"]), inputs, "record")
    lists = [isinstance(v, list | tuple | np.ndarray | pd.Index) for v in values.values()]
    if values and all(lists) and len({len(one) for one in values.values()}) == 1:
        frame = pd.DataFrame({key: list(one) for key, one in values.items()})
        return replace(_table(frame, inputs, "record"), value=value)
    cells = [_joined(one) if not is_scalar(one) else one for one in values.values()]
    frame = pd.DataFrame({"key": list(values), "value": cells})
    return Plain("record", value, _plain_frame(frame, frozenset()))


def _table(frame: Any, inputs: Sequence[Any], shape: Shape) -> Plain:
    import pandas as pd

    dates = {
        str(name)
        for one in inputs
        for name in getattr(one, "attrs", {}).get("dates", ())
        if name in getattr(frame, "columns", ())
    }
    _need_columns(frame)
    frame = frame.copy(deep=False)
    frame.columns = _headers(frame.columns)
    index: tuple[str, ...] = ()
    if _tells(frame, inputs):
        levels = frame.index.nlevels
        unnamed = ["index"] if levels == 1 else [f"level_{n}" for n in range(1, levels + 1)]
        names = [
            str(name) if name is not None else unnamed[place]
            for place, name in enumerate(frame.index.names)
        ]
        others = {*frame.columns}
        index = tuple(_make_unique(name, others) for name in names)
        levels_of = {name: frame.index.get_level_values(place) for place, name in enumerate(index)}
        labels = pd.DataFrame(levels_of).reset_index(drop=True)
        frame = pd.concat([labels, frame.reset_index(drop=True)], axis=1)
    return Plain(shape, None, _plain_frame(frame.reset_index(drop=True), dates), index)


def _tells(frame: Any, inputs: Sequence[Any]) -> bool:
    """Whether an index says something: a name, or labels that are not numbers of input rows."""
    import pandas as pd

    index = frame.index
    if isinstance(index, pd.MultiIndex) or index.name is not None:
        return True
    if isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1:
        return False
    if not pd.api.types.is_integer_dtype(index.dtype):
        return len(index) > 0
    most = max((len(one) for one in inputs), default=0)
    columns = {str(name) for one in inputs for name in getattr(one, "columns", ())}
    rows = len(index) == 0 or (index.min() >= 0 and index.max() < most)
    return not (rows and columns.intersection(map(str, frame.columns)))


def _headers(columns: Any) -> list[str]:
    others: set[str] = set()
    headers = []
    for column in columns:
        parts = column if isinstance(column, tuple) else (column,)
        text = "_".join(_header(part) for part in parts if _header(part))
        headers.append(_make_unique(text or "column", others))
    return headers


def _header(part: Any) -> str:
    if isinstance(part, datetime.datetime) and part.time() == datetime.time():
        return part.date().isoformat()
    return str(part)


def _make_unique(name: str, others: set[str]) -> str:
    header, number = name, 1
    while header in others:
        number += 1
        header = f"{name}_{number}"
    others.add(header)
    return header


def _need_columns(frame: Any) -> None:
    if not len(frame.columns):
        raise ResultError("a table without columns")
    if len(frame.columns) > MAX_COLUMNS:
        raise ResultError(TOO_WIDE)


def _plain_frame(frame: Any, dates: Collection[str]) -> Any:
    import pandas as pd

    _need_columns(frame)
    columns = {name: plain_column(frame.iloc[:, n], name in dates) for n, name in enumerate(frame)}
    return pd.DataFrame(columns)
