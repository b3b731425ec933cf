"""What a regression is fitted to: complete rows as numbers; and the fit, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.inference.reading import read_cells
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import need_few_levels, need_few_numbers
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import name_some

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.fit import Fit
    from wideleaf.tools.actions.inference.fit_models import Terms

MAX_NUMBERS = 20_000_000
"""Fitting holds several copies of its numbers: rows times terms."""
MAX_LEVELS = 20
MAX_VALUES, MIN_VALUES = 2_000_000, 5
"""So many values, and so few, a distribution is fitted to."""
MAX_SEPARATED = 200_000
"""Of so many rows it is settled whether features part the classes."""
SURE = 15.0
"""Log odds as large as that may be on their way to infinity."""
LARGEST = 1e150


class Design(NamedTuple):
    """What a regression is fitted to.

    Attributes:
        terms: The columns of numbers.
        target: The numbers that are fitted.
        one: The level of a text that counts as 1; None where the target is a number.
        place: Where each row stands in the table.
        order: The places of the rows in the order that was asked for; None where none was.
        total: How many rows the table has.
    """

    terms: Terms
    target: np.ndarray[Any, Any]
    one: str | None
    place: np.ndarray[Any, Any]
    order: np.ndarray[Any, Any] | None
    total: int


def design(action: Fit, table: Table) -> Design:
    """Read the columns of a resolved regression and turn complete rows into numbers.

    Rows come in an order of their cells, for an engine promises none.

    Raises:
        ActionError: If there are too many cells or levels, the target is not of the model's kind
            or constant, no feature varies, or rows are too few for the terms.
    """
    from wideleaf.tools.actions.inference.fit_models import make_terms

    features, total = action.features or (), table.count()
    need_few_numbers(total, len(features), MAX_NUMBERS, "Fit")
    names = [action.target, *features, *([action.order] if action.order else [])]
    frame = read_cells(table, names, "Fit")  # by place; the target is 0
    frame = frame.with_row_index("place").sort(frame.columns, nulls_last=True)
    whole = frame.drop_nulls([str(place) for place in range(1 + len(features))])
    target, one = _target(action, whole["0"])
    columns = {}
    for place, name in enumerate(features, start=1):
        column = whole[str(place)]
        if not column.dtype.is_numeric():
            need_few_levels(name, column.n_unique(), MAX_LEVELS)
        columns[name] = column.to_numpy()
    _need_size({action.target: target, **columns}, action.intercept)
    terms = make_terms(columns, action.intercept)
    if not terms.names:
        raise ActionError(
            f"no feature varies in the {len(whole)} rows that are whole; name others",
            kind="no feature",
        )
    if len(whole) <= len(terms.names):
        raise ActionError(
            f"{len(whole)} rows are whole and there are {len(terms.names)} terms to fit; name "
            "fewer features, or take Predict with the model 'ridge'",
            kind="too few rows",
        )
    order = None
    if action.order:  # rows equal in it keep the order of their cells
        rows = whole.with_row_index("at").drop_nulls(last := str(1 + len(features)))
        order = rows.sort(last, maintain_order=True)["at"].to_numpy()
    return Design(terms, target, one, whole["place"].to_numpy(), order, total)


class Regression(NamedTuple):
    """A regression.

    Attributes:
        design: What it was fitted to.
        found: What statsmodels gave.
        figures: What sums it up, by name.
    """

    design: Design
    found: Any
    figures: Mapping[str, float | None]


def fit(action: Fit, table: Table) -> Regression:
    """Fit a resolved regression.

    Raises:
        ActionError: If the table does not fit the model, its classes are parted without error, or
            no best coefficients are found.
    """
    from wideleaf.tools.actions.inference.fit_models import sum_up

    inputs = design(action, table)
    results = _fit(action, inputs)
    return Regression(inputs, results, sum_up(inputs.terms, results, inputs.order))


def _fit(action: Fit, inputs: Design) -> Any:
    import numpy as np
    from statsmodels.tools.sm_exceptions import (  # type: ignore[import-untyped]
        PerfectSeparationError,
    )

    from wideleaf.tools.actions.inference.fit_models import fit_regression

    results, settled, cells = None, False, inputs.terms.cells
    # Of cells that overflow on the way, and of classes that are parted.
    with suppress(ValueError, ArithmeticError, np.linalg.LinAlgError, PerfectSeparationError):
        results = fit_regression(action.model, inputs.target, cells, action.robust)
        settled = bool(getattr(results, "mle_retvals", {"converged": True})["converged"])
        settled = settled and bool(getattr(results, "converged", True))
        settled = settled and bool(np.isfinite(results.bse).all())
    if action.model == "logistic":
        sure = results is not None and np.abs(cells @ results.params).max() <= SURE
        if not (sure and settled):
            _need_no_parting(inputs)
    if settled:
        return results
    remedy = "bring the features to a like scale, or leave some out"
    if action.robust:
        remedy = "leave robust out, which a row that alone settles a coefficient does not allow"
    raise ActionError(
        f"no best coefficients of {action.model!r} with their errors were found; {remedy}",
        kind="no convergence",
    )


def _need_no_parting(inputs: Design) -> None:
    """Refuse features of a plane that has no row of either class on its wrong side."""
    import numpy as np
    from scipy.optimize import linprog  # type: ignore[import-untyped]

    cells = inputs.terms.cells
    if len(cells) > MAX_SEPARATED:
        return
    sides = np.where(inputs.target > 0, 1.0, -1.0)[:, None]
    scaled = sides * cells / np.abs(cells).max(axis=0)
    total = scaled.sum(axis=0)
    optimum = linprog(-total, A_ub=-scaled, b_ub=np.zeros(len(scaled)), bounds=(-1, 1))
    if optimum.x is None or total @ optimum.x < 1e-6:
        return
    order = np.argsort(-np.abs(optimum.x), kind="stable")
    sources = dict.fromkeys(inputs.terms.sources[at] for at in order if abs(optimum.x[at]) > 1e-6)
    names = name_some([name for name in sources if name] or ["the features"])
    raise ActionError(
        f"the two values of the target are parted without error by {names}, at least for some "
        "rows, so that coefficients are infinite; leave that out, or take Predict with the "
        "model 'logistic', which bounds them",
        kind="separation",
    )


def read_values(action: Fit, table: Table) -> tuple[np.ndarray[Any, Any], int]:
    """The finite numbers of the target, in order, and how many rows have none.

    Raises:
        ActionError: If they are too many, too few or all alike.
    """
    column = read_cells(table, [action.target], "Fit")["0"]
    values = column.drop_nulls().sort().to_numpy()
    target, count = action.target, len(values)
    if count < MIN_VALUES:
        raise ActionError(
            f"{target!r} has {count} values, and {MIN_VALUES} are the least that a distribution "
            "is fitted to",
            kind="too few rows",
        )
    if count > MAX_VALUES:
        raise ActionError(
            f"{count} values are more than {MAX_VALUES}, which distributions are fitted to; "
            "Sample first",
            kind="too large",
        )
    if values[0] == values[-1]:
        raise ActionError(
            f"{target!r} has one value in all rows; take another column or other rows",
            kind="one value",
        )
    return values, len(column) - count


def _target(action: Fit, column: pl.Series) -> tuple[np.ndarray[Any, Any], str | None]:
    """The target as numbers, of two classes as 0 and 1, and the text that is 1."""
    import numpy as np
    import polars as pl

    values = column.unique().sort().to_list()
    name, model = repr(action.target), action.model
    if len(values) < 2:
        what = "one value" if values else "no value"
        raise ActionError(
            f"{name} has {what} in the {len(column)} rows that are whole; take another target or "
            "other features",
            kind="one value",
        )
    if model == "logistic":
        if len(values) > 2:
            raise ActionError(
                f"{name} has more than two values and 'logistic' is of two; Derive a true/false "
                "column, or take Predict with the model 'logistic'",
                kind="argument target",
            )
        text = values[1] if column.dtype == pl.String else f"{values[1]:g}"
        return (column == values[1]).cast(pl.Float64).to_numpy(), text
    numbers = column.to_numpy()
    if model == "poisson" and ((numbers < 0).any() or (numbers != np.floor(numbers)).any()):
        raise ActionError(
            f"{name} holds numbers below zero or with a fraction and 'poisson' is of counts; take "
            "'ols'",
            kind="argument target",
        )
    return numbers, None


def _need_size(columns: dict[str, np.ndarray[Any, Any]], intercept: bool) -> None:
    """Refuse numbers whose squares are no floats."""
    import numpy as np

    from wideleaf.tools.actions.inference.fit_models import varies

    for name, column in columns.items():
        if column.dtype == object or not varies(column, intercept):
            continue
        size = float(np.abs(column).max())
        if not 1 / LARGEST < size < LARGEST:
            raise ActionError(
                f"{name!r} is of numbers whose squares cannot be held, beyond {LARGEST:g} or all "
                f"below {1 / LARGEST:g}; Derive it in another unit",
                kind="too large",
            )
