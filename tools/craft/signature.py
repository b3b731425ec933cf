"""The expected signature of a crafted function: what it promises, and whether a result keeps it."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from wideleaf.tools.craft.signature_reading import Signature, read_signature
from wideleaf.tools.craft.signature_words import Returns
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import kind_of
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Signature", "check_result", "read_signature"]

SCALARS = ("number", "text", "boolean", "date")
TIMES = ("date", "datetime")
CASTS = {
    "number": "pd.to_numeric(...)",
    "text": ".astype(str)",
    "boolean": ".astype(bool)",
    "date": "pd.to_datetime(...)",
    "datetime": "pd.to_datetime(...)",
}


def check_result(signature: Signature, frame: pl.DataFrame, shape: str) -> None:
    """Hold a result against the expected signature.

    Columns beyond the expected ones are allowed, for a later step may want them. A table of one
    cell stands for its scalar. A date may come as a date and time, and the other way round. A
    column of nulls, and one of no rows, is of every kind.

    Args:
        signature: What was expected.
        frame: The result as a table.
        shape: What the function returned, see the sandbox's outcome.

    Raises:
        ActionError: If it does not fit; the text names expected columns and kinds only, for
            headers of a result may be cells.
    """
    if signature.returns == "any":
        return
    if signature.returns == "table":
        _check_table(signature, frame, shape)
    elif signature.returns == "list":
        if shape not in ("list", "series") and frame.width != 1:
            raise _unfit(f"returned {_found(frame, shape)}, not a list", "return a list")
    else:
        _check_scalar(signature.returns, frame, shape)


def _check_table(signature: Signature, frame: pl.DataFrame, shape: str) -> None:
    expected = [name for name, _ in signature.columns]
    form = f"a DataFrame with the columns {_list_names(expected)}" if expected else "a DataFrame"
    if shape in SCALARS:
        raise _unfit(f"returned {_found(frame, shape)}, not a table", f"return {form}")
    missing = [name for name in expected if name not in frame.columns]
    if missing:
        there = "column" if len(missing) == 1 else "columns"
        headers = ", ".join(one_line(name, 60) for name in frame.columns[:12])
        raise _unfit(
            f"returned {_found(frame, shape)} without the {there} {_list_names(missing)}",
            f"return {form}, named exactly so",
            private=f"It has {headers}.",
        )
    for name, kind in signature.columns:
        actual = _kind(frame, name)
        if actual and not _fits(actual, kind):
            raise _unfit(
                f"returned the column {name!r} as {actual}, not as {kind}",
                f"{CASTS.get(kind, 'another type')} would make it {kind}",
            )


def _check_scalar(returns: Returns, frame: pl.DataFrame, shape: str) -> None:
    one = frame.height == 1 and frame.width == 1
    if not one:
        raise _unfit(
            f"returned {_found(frame, shape)}, not one {returns}",
            "take the one cell out of it, such as with .iloc[0] or .item()",
        )
    actual = _kind(frame, frame.columns[0])
    if actual == "text" and returns == "date" and _is_date(frame.item()):
        return
    if actual and not _fits(actual, returns):
        raise _unfit(
            f"returned a value of the kind {actual}, not {returns}",
            f"return a {returns}",
        )


def _kind(frame: pl.DataFrame, column: str) -> str:
    """The kind of a column; empty where it has no cell that tells."""
    import narwhals as nw

    cells = frame[column]
    if cells.null_count() == len(cells):
        return ""
    return kind_of(nw.from_native(cells, series_only=True).dtype)


def _fits(actual: str, expected: str) -> bool:
    return expected in ("any", "other", actual) or (actual in TIMES and expected in TIMES)


def _is_date(text: object) -> bool:
    try:
        return isinstance(text, date | datetime) or bool(datetime.fromisoformat(str(text)))
    except ValueError:
        return False


def _found(frame: pl.DataFrame, shape: str) -> str:
    if shape in SCALARS:
        return f"a {shape}"
    rows, columns = frame.height, frame.width
    what = {"list": "a list", "record": "a dict", "series": "a Series"}.get(shape, "a table")
    return f"{what} of {rows} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"


def _list_names(names: list[str]) -> str:
    text = ", ".join(repr(one_line(name, 60)) for name in names[:8])
    return f"{text} and {len(names) - 8} more" if len(names) > 8 else text


def _unfit(what: str, right: str, private: str = "") -> ActionError:
    text = f"the function {what}; {right}"
    return ActionError(text, kind="code result", private=private)
