"""Casts of expressions: which way of reading a cast means."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from wideleaf.tools.casting import (
    boolean_of_number,
    boolean_of_text,
    date_of_text,
    datetime_of_text,
    number_of_text,
    read_date_format,
    read_number_form,
)
from wideleaf.tools.date_functions import format_date, read_format
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions import Cast
from wideleaf.tools.row_functions import Stage
from wideleaf.tools.table import Kind
from wideleaf.tools.text_functions import as_text


def read_form(target: str, kind: Kind, text: str | None) -> Any:
    """What a format says of how cells are written; None where there is none.

    Raises:
        ActionError: If there can be no format, or it cannot be read.
    """
    if text is None:
        return None
    readers = {
        ("number", "text"): read_number_form,
        ("date", "text"): read_date_format,
        ("datetime", "text"): read_date_format,
        ("text", "date"): read_format,
        ("text", "datetime"): read_format,
    }
    if (target, kind) not in readers:
        raise ActionError(f"a {target} of a {kind} takes no format, so {text!r} must be left out")
    try:
        return readers[target, kind](text)
    except ValueError as error:
        raise ActionError(f"the format {text!r} has {error}") from None


def cast_expr(
    cast: Cast, inner: nw.Expr, kind: Kind, engine: nw.Implementation, stage: Stage
) -> nw.Expr:
    """Write a resolved cast over the expression of what it casts."""
    form = read_form(cast.cast, kind, cast.format)
    match cast.cast, kind:
        case ("text", "date" | "datetime") if form is not None:
            return format_date(inner, form, kind=kind)
        case (target, same) if target == same:
            return inner
        case ("text", _):
            return as_text(inner, kind)
        case ("number", "boolean"):
            return inner.cast(nw.Int64)
        case ("number", _):
            return number_of_text(inner, form)
        case ("date", "datetime"):
            return inner.dt.date()
        case ("date", _):
            return date_of_text(inner, form, engine, stage)
        case ("datetime", "date"):
            return inner.cast(nw.Datetime("us"))
        case ("datetime", _):
            return datetime_of_text(inner, form, engine, stage)
        case (_, "number"):
            return boolean_of_number(inner)
        case _:
            return boolean_of_text(inner)
