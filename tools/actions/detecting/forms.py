"""Forms of text cells: a word among numbers, a number among dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.conditions.literals import NUMBER
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

FORMS: Mapping[str, str] = {
    "number": NUMBER.removesuffix("$") + "%?$",
    "date": r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?$",
    "time": r"^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$",
    "words": r"^[^0-9]*\p{L}[^0-9]*$",
    "code": r"^.*\d.*$",
}
"""A cell is of the first form that fits it; of none of them it is signs."""
SIGNS = "signs"


class FormShares(dict[str, float]):
    """The share of each form in the cells of a column that are not empty."""

    @property
    def commonest(self) -> str:
        """The form of most cells."""
        return max(self, key=lambda form: (self[form], form), default="")


def find_forms(table: Table, names: Sequence[str]) -> dict[str, FormShares]:
    """How common each form is in each column, counted over its different values.

    Args:
        table: The table.
        names: Columns of text.
    """
    import polars as pl

    found = {}
    for name in names:
        values = table.frame.select(nw.col(name).cast(nw.String).alias("value")).drop_nulls()
        counted = values.group_by("value").agg(nw.len().alias("count")).collect("polars")
        cells: pl.DataFrame = nw.to_native(counted)
        formed = cells.select(form_of("value").alias("form"), "count").drop_nulls()
        total = formed["count"].sum()
        sums = formed.group_by("form").agg(pl.col("count").sum()).rows()
        found[name] = FormShares({form: count / total for form, count in sums})
    return found


def form_distance(name: str, shares: FormShares) -> pl.Expr:
    """How common the form is that a cell has not; 0 of a cell of the commonest form."""
    import polars as pl

    form = form_of(name)
    common = shares.commonest
    share = pl.lit(shares.get(common, 0.0))
    return pl.when(form == common).then(0.0).when(form.is_not_null()).then(share)


def form_of(name: str) -> pl.Expr:
    """The form of a text; null of an empty one."""
    import polars as pl

    text = pl.col(name).cast(pl.String).str.strip_chars()
    made: Any = pl.when(text.str.len_bytes() == 0).then(None)
    for form, pattern in FORMS.items():
        made = made.when(text.str.contains(pattern)).then(pl.lit(form))
    return pl.when(text.is_not_null()).then(made.otherwise(pl.lit(SIGNS)))
