"""The samples that a hypothesis test compares: values of columns or of groups, and counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.inference.reading import groups_of, plain_cells, read_cells
from wideleaf.tools.conditions.literals import Scalar, fold_text, literal_text
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.tables.table import Kind, Table, aggregate_by

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.hypothesis import Test

MAX_TESTS = 10_000
MAX_LEVELS = 1_000
Key = tuple[Any, ...]


class Case(NamedTuple):
    """One test to be made.

    Attributes:
        key: The group of rows that it is made in; empty where it is all of them.
        column: What is tested.
        other: The factor or the other columns, where there are any.
        labels: What its samples are called.
        samples: Their values, those of pairs beside each other; of categories a table of counts.
        rows: How many rows, or values of several columns, it is made of.
        lost: How many rows are left out for a null.
    """

    key: Key
    column: str
    other: str | None
    labels: tuple[str, ...]
    samples: tuple[np.ndarray[Any, Any], ...]
    rows: int
    lost: int

    @property
    def least(self) -> int:
        """The size of its smallest sample."""
        return min((*(len(one) for one in self.samples if one.ndim == 1), self.rows))


def gather(action: Test, table: Table) -> list[Case]:
    """Read the columns of a resolved test, and part them into samples.

    Values come in an order of their own, for an engine promises none.

    Raises:
        ActionError: If there are too many groups, another number of them than the test compares,
            or one that is named is not there.
    """
    counts = action.method.takes == "counts"
    return [*(_counted(action, table) if counts else _read_measured(action, table))]


def label_text(value: Any) -> str:
    """A value of a factor as the name of its group."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return str(int(value)) if whole else literal_text(value)


def group_label(group: Scalar, kind: Kind) -> str:
    """What a group that a caller named is called: a text as it was written."""
    if kind == "number":
        with suppress(ValueError):
            return label_text(float(group))
    return label_text(group).casefold() if kind == "boolean" else label_text(group)


def _read_measured(action: Test, table: Table) -> Iterator[Case]:
    """Values of columns, in the groups of a factor or beside each other."""
    import polars as pl

    keys, factor = len(action.by or ()), action.between
    by = [*(action.by or ()), *([factor] if factor else [])]
    frame = read_cells(table, action.columns, "Test", by)
    frame = frame.sort(frame.columns, nulls_last=True)
    labels, places = _levels(action, table, frame[str(keys)]) if factor else ((), {})
    for key, part in _parts(frame, keys):
        cells = part.get_columns()[len(by) :]
        if not factor:
            yield from _across(action, key, cells)
            continue
        group = part[str(keys)].replace_strict(places, default=None, return_dtype=pl.Int64)
        for name, column in zip(action.columns, cells, strict=True):
            values = (column.filter(group == place).drop_nulls() for place in range(len(labels)))
            samples = tuple(one.to_numpy() for one in values)
            lost = (column.is_null() & group.is_not_null()) | part[str(keys)].is_null()
            yield Case(key, name, factor, labels, samples, sum(map(len, samples)), int(lost.sum()))


def _across(action: Test, key: Key, cells: Sequence[pl.Series]) -> Iterator[Case]:
    """The columns themselves as samples: each alone, two as pairs, or all side by side."""
    names, takes = action.columns, action.method.takes
    if takes == "pairs":
        both = cells[0].is_not_null() & cells[1].is_not_null()
        samples = tuple(one.filter(both).to_numpy() for one in cells)
        yield Case(key, names[0], names[1], names, samples, int(both.sum()), int((~both).sum()))
        return
    values = [one.drop_nulls().to_numpy() for one in cells]
    lost = [one.null_count() for one in cells]
    if takes == "each":
        for name, sample, nulls in zip(names, values, lost, strict=True):
            yield Case(key, name, None, (), (sample,), len(sample), nulls)
    else:
        rest, rows = ", ".join(names[1:]), sum(map(len, values))
        yield Case(key, names[0], rest, names, tuple(values), rows, sum(lost))


def _counted(action: Test, table: Table) -> Iterator[Case]:
    """Counts of two categories, which the engine makes, so that rows need not fit in memory."""
    import numpy as np
    import polars as pl

    by = action.by or ()
    factor = action.between or action.columns[1]
    for column in action.columns if action.between else action.columns[:1]:
        keys = [str(place) for place in range(len(by) + 2)]
        selection = [
            nw.col(name).alias(key) for name, key in zip((*by, column, factor), keys, strict=True)
        ]
        counts = aggregate_by(table.frame.select(*selection), keys, nw.len().alias("count"))
        frame = plain_cells(Table(counts).collect(purpose="Test"))
        frame = frame.sort(frame.columns, nulls_last=True)
        names, places = _levels(action, table, frame[keys[-1]]) if action.groups else ((), {})
        for key, part in _parts(frame, len(by)):
            whole = part.drop_nulls(keys[-2:])
            lost = int(part["count"].sum()) - int(whole["count"].sum())
            if places:
                place = pl.col(keys[-1]).replace_strict(places, default=None, return_dtype=pl.Int64)
                whole = whole.with_columns(place).drop_nulls(keys[-1])
            codes = _codes(column, whole[keys[-2]]), _codes(factor, whole[keys[-1]])
            cells = np.zeros([int(code.max(initial=-1)) + 1 for code in codes], dtype=int)
            np.add.at(cells, codes, whole["count"].to_numpy())
            if action.method.small and max(cells.shape) > 2:
                name = column if cells.shape[0] > 2 else factor
                raise ActionError(
                    f"{action.test!r} needs two values in each column and {name!r} has "
                    f"{max(cells.shape)}; take 'chi-square', or name two of them in groups",
                    kind="argument test",
                )
            labels = names or tuple(map(label_text, whole[keys[-1]].unique().sort()))
            yield Case(key, column, factor, labels, (cells,), int(cells.sum()), lost)


def _codes(name: str, side: pl.Series) -> np.ndarray[Any, Any]:
    """The place of each value among the values, in order."""
    if (levels := side.n_unique()) > MAX_LEVELS:
        raise ActionError(
            f"{name!r} has {levels} values, more than {MAX_LEVELS}; take another column, or "
            "Derive a coarser one",
            kind="argument columns",
        )
    return side.rank("dense").to_numpy().astype(int) - 1


def _parts(frame: pl.DataFrame, keys: int) -> list[tuple[Key, pl.DataFrame]]:
    parts = [*groups_of(frame, keys)]
    if len(parts) > MAX_TESTS:
        raise ActionError(
            f"a test in each of {len(parts)} groups is more than {MAX_TESTS}; take other columns "
            "as by, or Filter rows first",
            kind="too large",
        )
    return parts


def _levels(action: Test, table: Table, cells: pl.Series) -> tuple[tuple[str, ...], dict[Any, int]]:
    """The names of the groups that are compared, and the place of each value among them.

    Raises:
        ActionError: If they are not as many as the test compares, or a named one is not there.
    """
    values = cells.drop_nulls().unique().sort().to_list()
    groups, kind = action.groups, table.kind(str(action.between))
    labels = tuple(map(label_text, values))
    places = {value: place for place, value in enumerate(values)}
    if groups is not None:
        labels = tuple(group_label(group, kind) for group in groups)
        positions = {_fold(group, kind): at for at, group in enumerate(groups)}
        folded = {value: _fold(value, kind) for value in values}
        places = {value: positions[key] for value, key in folded.items() if key in positions}
    if not values:
        return labels, places
    for at, group in enumerate(groups or ()):
        if at not in places.values():
            near = nearest_names(str(group), [*map(label_text, values)])
            raise ActionError(
                f"{action.between!r} has no group {group!r}; name values that are there",
                kind="not found",
                private=f"The nearest are {', '.join(map(repr, near))}.",
            )
    count, method = len(labels), action.method
    more = "and two or more are compared; take another column as between" if count < 2 else ""
    if count > 2 and method.takes == "two":
        more = f"and {action.test!r} compares two; name two of them in groups, or take "
        more += repr(method.instead)
    if count > MAX_LEVELS:
        more = f"more than {MAX_LEVELS}; take another column, or Derive a coarser one"
    if more:
        many = "one group" if count == 1 else f"{count} groups"
        raise ActionError(f"{action.between!r} has {many}, {more}", kind="argument between")
    return labels, places


def _fold(value: Any, kind: Kind) -> str | float:
    """A value by which it is found, as a condition finds it."""
    if kind == "number":
        with suppress(ValueError):
            return float(value)
    return fold_text(label_text(value)) if kind == "text" else label_text(value).casefold()


def count_by_holm(p_values: Sequence[float], alpha: float) -> int:
    """How many of several tests are significant together, by Holm (1979), section 3.

    The library's own collects all garbage of the process each time.
    """
    ordered, count = sorted(p_values), len(p_values)
    kept = (n for n, value in enumerate(ordered) if value > alpha / (count - n))
    return next(kept, count)
