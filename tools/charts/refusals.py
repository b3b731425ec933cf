"""Refusals: what cannot be drawn, each with what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import Form
from wideleaf.tools.errors import ActionError


def need_several(rows: int, numbers: Sequence[Column]) -> None:
    """Refuse to draw a single value.

    Raises:
        ActionError: If there is no more than one number in one row.
    """
    if rows == 1 and len(numbers) == 1:
        raise ActionError(
            f"{numbers[0].name!r} is a single value, of which there is nothing to draw; ask "
            "for it by a group (by site, by year) or for the rows behind it"
        )


def tell_no_number(columns: Sequence[Column]) -> str:
    """What a frame without numbers lacks."""
    named = f"{columns[0].name!r}" if columns else "the frame"
    return (
        f"{named} holds no number, of which alone nothing can be drawn; count its rows or measure "
        "something by it (the number of rows for each, the mean for each)"
    )


def need_groups(keys: Sequence[Column], form: str) -> NoReturn:
    """Refuse a form that would draw rows over each other.

    Raises:
        ActionError: Always; says that rows are to be grouped by these keys first.
    """
    names = " and ".join(repr(key.name) for key in keys)
    raise ActionError(
        f"several rows have the same {names}, so a {form} chart would draw them over each "
        "other; group by it first (the mean, the sum or the number of rows for each)",
        kind="not grouped",
    )


def check_whole(form: Form, numbers: Sequence[Column]) -> None:
    """Refuse shares of a whole where numbers are below zero.

    Raises:
        ActionError: If the form shows shares and there are such numbers.
    """
    if form not in ("pie", "percent stacked bar"):
        return
    if any(float(n.cells.drop_nulls().min() or 0) < 0 for n in numbers):  # type: ignore[arg-type]
        raise ActionError(
            f"a {form} shows shares of a whole, and there are numbers below zero; a bar chart "
            "shows them"
        )
