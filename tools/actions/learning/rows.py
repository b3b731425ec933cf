"""The rows of a prediction as numbers, in an order that depends on their cells alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.learning.encoding import (
    numbers_of,
    plain,
    ranks,
    refuse_far,
    target_of,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl


class Roles(NamedTuple):
    """Which columns are what.

    Attributes:
        target: What is to be predicted, in one column.
        features: What from.
        test: A column that is true in rows held out.
        groups: A column whose values keep rows together.
        time: A column that orders rows.
    """

    target: str
    features: Sequence[str]
    test: str | None = None
    groups: str | None = None
    time: str | None = None

    @property
    def columns(self) -> list[str]:
        """All of them, each once."""
        named = (self.target, *self.features, self.test, self.groups, self.time)
        return [name for name in dict.fromkeys(named) if name is not None]


class Material(NamedTuple):
    """What is learnt from.

    Attributes:
        cells: Rows times features; NaN for a null.
        names: The features; that of a level of a text is ``column = level``.
        owners: The column that each feature is of.
        target: The numbers, or the place of each row's class in `classes`; NaN for a null.
        classes: The levels of a category, in order; None for numbers.
        dtype: The type of the levels.
        held: Rows held out of fitting.
        usable: Rows with a target, and no null that is not to be filled.
        known: Rows with a target.
        whole: Rows without a null that is not to be filled.
        place: Where each row stands in the table.
        groups: The place of each row's group among the groups; None without any.
        moments: The same of its time.
        empty: Columns without a value.
        constant: Columns of one value.
        ids: Columns of whole numbers, each once, or of texts, each once.
        sparse: Columns with a null in more than half of the rows.
        filled: How many features have nulls.
    """

    cells: np.ndarray[Any, Any]
    names: tuple[str, ...]
    owners: tuple[str, ...]
    target: np.ndarray[Any, Any]
    classes: tuple[Any, ...] | None
    dtype: Any
    held: np.ndarray[Any, Any]
    usable: np.ndarray[Any, Any]
    known: np.ndarray[Any, Any]
    whole: np.ndarray[Any, Any]
    place: np.ndarray[Any, Any]
    groups: np.ndarray[Any, Any] | None
    moments: np.ndarray[Any, Any] | None
    empty: list[str]
    constant: list[str]
    ids: list[str]
    sparse: list[str]
    filled: int


def gather(
    table: Table,
    roles: Roles,
    nulls: str,
    category: bool,
    *,
    apart: bool = False,
    listed: bool = False,
) -> Material:
    """Read the columns and turn them into numbers.

    Args:
        table: The table, with the target in one column.
        roles: The columns.
        nulls: ``median`` where nulls of features are filled later, ``drop`` where their rows go.
        category: Whether the target is a category.
        apart: Whether rows alike in these columns must be told apart, by the others.
        listed: Whether rows stay in the order in which the engine lists them.

    Raises:
        ActionError: If there are too many cells, classes or levels, or too little to learn from.
    """
    import numpy as np

    frame = _ordered(table, roles.columns, apart, listed)
    columns = {name: frame[str(place)] for place, name in enumerate(roles.columns)}
    for name in (roles.target, *roles.features):
        refuse_far(name, columns[name])
    target = columns[roles.target]
    known = target.is_not_null().to_numpy()
    held = known & False
    if roles.test:
        held = columns[roles.test].fill_null(False).to_numpy().astype(bool)
    whole = known | True
    empty, constant, ids, sparse, filled = [], [], [], [], 0
    kept: list[str] = []
    for name in roles.features:
        if columns[name].filter(known).null_count() == int(known.sum()):
            empty.append(name)
            continue
        kept.append(name)
        if nulls == "drop":
            whole &= columns[name].is_not_null().to_numpy()
    for role in (roles.groups, roles.time):
        if role is not None:
            whole &= columns[role].is_not_null().to_numpy()
    usable = known & whole
    parts: list[np.ndarray[Any, Any]] = []
    names: list[str] = []
    owners: list[str] = []
    for name in kept:
        seen = columns[name].filter(usable)
        count, missing = seen.drop_nulls().n_unique(), seen.null_count()
        # A null of a text is a level of its own, one of a number will be the other value.
        if count + bool(missing and table.kind(name) == "text") < 2:
            constant.append(name)
            continue
        filled += bool(missing)
        sparse += [name] * (2 * missing > len(seen))
        ids += [name] * (count == len(seen) and _counts(table, name) and name != roles.time)
        made, told = numbers_of(name, columns[name], seen)
        parts += made
        names += told
        owners += [name] * len(told)
    wanted, classes, dtype = target_of(target, usable, category)
    if roles.test and not (usable & held).any():
        raise ActionError(
            f"no row that has a target is held out by {roles.test!r}; leave test out to "
            "cross-validate",
            kind="argument test",
        )
    if not names:
        raise ActionError(
            f"all {len(roles.features)} features are empty or constant; name others",
            kind="no feature",
        )
    groups = ranks(columns[roles.groups]) if roles.groups else None
    moments = ranks(columns[roles.time]) if roles.time else None
    return Material(
        np.column_stack(parts), tuple(names), tuple(owners), wanted, classes, dtype, held, usable,
        known, whole, frame["place"].to_numpy(), groups, moments, empty, constant, ids,
        sparse, filled,
    )  # fmt: skip


def _ordered(table: Table, used: Sequence[str], apart: bool, listed: bool) -> pl.DataFrame:
    """The columns by their places, for a header may be anything, with each row's own place.

    An engine promises no order, so cells make one.
    """
    import polars as pl

    others = [n for n in table.columns if n not in set(used) and table.kind(n) != "other"]
    read = table.collect(*used, *(others if apart else ()), purpose="Predict")
    columns = [plain(column).alias(str(n)) for n, column in enumerate(read.get_columns())]
    frame = pl.DataFrame(columns).with_row_index("place")
    if listed:
        return frame
    return frame.sort([str(n) for n in range(len(columns))], nulls_last=True)


def _counts(table: Table, name: str) -> bool:
    """Whether a column could number rows."""
    return table.schema[name].is_integer() or table.kind(name) == "text"
