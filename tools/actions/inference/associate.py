"""Associate: which of many columns go together with a condition or with another column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import narwhals as nw
from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.inference.association import (
    FOLDS,
    KINDS,
    MAX_LEVELS,
    Effect,
    Joint,
    Sort,
    effect_of,
    judge_together,
    tell_thin,
)
from wideleaf.tools.actions.inference.reading import columns_at_once
from wideleaf.tools.conditions.condition import (
    AS_IN_FILTER,
    Condition,
    columns_of,
    condition_text,
)
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.conditions.matching import Align, condition_expr, resolve_condition
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, caveats, caveats_of_columns, matter_of
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Kind, Table, count_where
from wideleaf.tools.words import name_some

if TYPE_CHECKING:
    import polars as pl

LEVEL = 0.05
SORTS: dict[Kind, Sort] = {"number": "number", "boolean": "yes/no", "text": "category"}
TARGET = "target"
RESULTS = [
    "column", "effect_name", "effect", "inside", "outside", "difference", "level", "p_value",
    "adjusted_p", "significant", "rows",
]  # fmt: skip
RARE = 0.1
"""Where fewer of the rows are inside, or outside, the smaller side decides."""
FEW = 30
SPARSE = 0.2
MAX_READ = 100_000
Row = Mapping[str, Any]


class Associate(Action):
    """Which columns go together with where (inside against outside) or column; strongest first."""

    purpose = "statistics"
    lazy = False
    phrases = (
        "associated with", "association with", "association between", "associations between",
        "go together with", "goes together with", "related to", "relate to", "contribute to",
        "contributes to", "drivers of", "what drives", "main factor", "factors affect",
        "factors influence", "linked to", "set apart", "what sets", "distinguish",
        "distinguishes", "characterise", "characterize", "have in common", "depend on",
        "depends on", "risk factors", "point biserial", "indicative of",
    )  # fmt: skip

    columns: Columns = Field(description="Candidates.")
    where: Annotated[Condition | None, AS_IN_FILTER] = None
    column: Column | None = Field(default=None, description="Instead of where.")
    # Columns named as candidates that are the target or of a kind that cannot be compared.
    aside: SkipJsonSchema[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if (self.where is None) == (self.column is None):
            raise ValueError("give where, whose rows are told from the others, or column, not both")
        return self

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and fit the condition."""
        return self.resolve_with(None, *tables)

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Name the columns and fit the condition; the target is no candidate.

        Raises:
            ActionError: If the target is of a kind that cannot be, or no candidate is left.
        """
        table = tables[0]
        where = None if self.where is None else resolve_condition(self.where, table, align)
        column = None if self.column is None else resolve_column(self.column, table)
        need_kind(table, [column] if column else (), *KINDS, purpose="Associate")
        own = {column} if where is None else columns_of(where)
        names = resolve_columns(self.columns, table)
        fit = [name for name in names if name not in own and table.kind(name) in KINDS]
        if not fit:
            raise ActionError(
                "no candidate is left beside the target; name columns of numbers, texts or true "
                "and false, of dates Derive a number first",
                kind="argument columns",
            )
        aside = self.aside or tuple(name for name in names if name not in fit)
        fields = {"where": where, "column": column, "columns": tuple(fit), "aside": aside}
        return self.model_copy(update=fields)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about, and what decides."""
        decide = frozenset() if self.where is None else columns_of(self.where)
        own = frozenset({self.column} if self.column else ())
        return [Need(frozenset(self.columns) | own, decide)]

    def run(self, *tables: Table) -> Table:
        """Read the columns in chunks, the target with each of them.

        Raises:
            ActionError: If two columns are too large to hold in memory, or the target is one
                value in all rows or has too many.
        """
        table = tables[0]
        self._refuse_target(table)
        width = columns_at_once(table.count())
        effects: list[Effect] = []
        for first in range(0, len(self.columns), width):
            names = self.columns[first : first + width]
            # A name may be anything, so columns go by their places.
            cells = [plain_cells(table, name).alias(str(at)) for at, name in enumerate(names)]
            chunk = table.frame.select(self.target(table).alias(TARGET), *cells)
            target, *candidates = Table(chunk).collect(purpose="Associate").get_columns()
            effects += [effect_of(target, self.sort(table), one) for one in candidates]
        frame = nw.from_native(_made(self.columns, effects).lazy())
        return Table(frame, found=sum(one.thin for one in effects))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what goes together, how well all tell the target, and what to beware of."""
        thin = self.recall(tables, result)
        table, rows = tables[0], result.rows(MAX_READ)
        tested = [row for row in rows if row["p_value"] is not None]
        target = self.target(table)
        here = [target] if self.sort(table) == "yes/no" else []
        total, *inside = count_where(table.frame, ~target.is_null(), *here)
        facts = [self._verdict(table, rows, tested)]
        if self.where is not None:
            whole = Table(table.frame.filter(target))
            facts += Filter(where=self.where).notes([table], whole)
        lost = table.count() - total
        facts += caveats(
            (lost, f"{lost} of {total + lost} rows have no target and took no part"),
            (total < FEW, f"{total} rows are few: chance alone joins columns"),
        )
        facts += [_sides(one, total) for one in inside if total]
        if tested:
            facts.append(self._together(table, [row["column"] for row in tested]))
            facts.append(
                caveat("What goes together need not be its cause: both may have another one")
            )
        if len(tested) > 1:
            text = f"{len(tested)} columns are tested; of so many about {0.05 * len(tested):.2g} "
            text += "would have p < 0.05 by chance, which adjusted_p allows for"
            facts.append(Fact(text=text))
        own = [name for name in self.aside if table.kind(name) in KINDS]
        others = [name for name in self.aside if name not in own]
        facts += caveats(
            (own, f"{name_some(own)} took no part: the target is made of it"),
            (others, f"{name_some(others)} took no part; of dates Derive a number"),
        )
        return facts + (self._doubts(rows, total, thin) if total else [])

    def _verdict(self, table: Table, rows: Sequence[Row], tested: Sequence[Row]) -> Fact:
        """How many columns go together with the target, and the strongest of them."""
        if not tested:
            return caveat("No column can be compared with the target")
        first, name = tested[0], tested[0]["effect_name"]
        way = ""
        if first["effect"] and name not in ("Cramér's V", "eta"):
            ways = (": lower inside", ": higher inside")
            if self.sort(table) != "yes/no":
                ways = (": falls with it", ": rises with it")
            way = ways[first["effect"] > 0]
        sure = sum(bool(row["significant"]) for row in rows) or "None"
        target = repr(self.column) if self.where is None else condition_text(self.where)
        text = f"{sure} of {len(tested)} columns go together with {target} (p < 0.05 after "
        text += f"Benjamini and Hochberg); the strongest is {first['column']!r} "
        text += f"({name} {first['effect']:.2g}{way})"
        return caveat(text, matter_of(first["rows"]))

    def _together(self, table: Table, columns: Sequence[str]) -> Fact:
        """How well all columns together tell the target."""
        verdict = judge_together(table, self.target(table), self.sort(table), columns)
        if not isinstance(verdict, Joint):
            return Fact(text=f"All together were not judged: {verdict}")
        text = (
            f"{verdict.features} of {len(columns)} columns together tell it with {verdict.measure} "
        )
        text += (
            f"{verdict.score:.2g} in {FOLDS}-fold cross-validation of {verdict.rows} rows; to know "
        )
        return caveat(f"{text}nothing is {verdict.base:.2g}", "statistics")

    def _doubts(self, rows: Sequence[Row], total: int, thin: int) -> list[Fact]:
        """Columns without an effect, with many nulls, or tested roughly."""
        without = [row["column"] for row in rows if row["effect"] is None]
        text = "columns have no effect: one value, or a text of more than "
        text += f"{MAX_LEVELS} values or of one for every other row"
        facts = caveats_of_columns(without, text, "Without an effect")
        sparse = sum(row["rows"] < (1 - SPARSE) * total for row in rows)
        text = f"{sparse} columns lack a cell in more than {100 * SPARSE:g} % of the rows"
        facts += caveats((sparse, text))
        if self.where is not None and any(row["level"] for row in rows):
            text = "inside and outside of texts and of true and false are shares of the level"
            facts.append(Fact(text=text))
        return facts + tell_thin(thin)

    def sort(self, table: Table) -> Sort:
        """What the target is taken for."""
        return "yes/no" if self.column is None else SORTS[table.kind(self.column)]

    def target(self, table: Table) -> nw.Expr:
        """The target's cells."""
        if self.where is not None:
            return condition_expr(self.where, table)
        return plain_cells(table, str(self.column))

    def _refuse_target(self, table: Table) -> None:
        """Refuse a target of one value, or of more levels than rows share.

        Raises:
            ActionError: If it is so, of a table that has rows.
        """
        cell = nw.col(TARGET)
        counts = table.frame.select(self.target(table).alias(TARGET)).filter(~cell.is_null())
        levels = int(counts.select(cell.n_unique().cast(nw.Int64)).collect().item() or 0)
        if table.count() and levels < 2:
            what = f"{self.column!r}" if self.column else "the condition"
            raise ActionError(
                f"{what} is the same in all rows in which it is known; take another target or "
                "other rows",
                kind="one value",
            )
        if self.sort(table) == "category" and levels > MAX_LEVELS:
            raise ActionError(
                f"{self.column!r} has {levels} values, more than {MAX_LEVELS}; give where, such "
                "as one of them against the others, or Derive coarser ones",
                kind="argument column",
            )


def plain_cells(table: Table, name: str) -> nw.Expr:
    """A column's cells as floats, truth values or plain texts."""
    if table.kind(name) == "text":
        return text_column(table, name)
    if table.kind(name) == "boolean":
        return nw.col(name)
    return nw.col(name).cast(nw.Float64)


def _sides(inside: int, total: int) -> Fact:
    """How many rows are inside and outside, and whether that is too few of either."""
    share = min(inside, total - inside) / total
    text = f"{inside} rows are inside and {total - inside} outside"
    if share >= RARE:
        return Fact(text=text)
    return caveat(f"{text}: the smaller side has {100 * share:.2g} %, and what is said hangs on it")


def _made(columns: Sequence[str], effects: Sequence[Effect]) -> pl.DataFrame:
    """The rows, strongest first, with p-values adjusted for how many were tested."""
    import polars as pl
    from scipy import stats  # type: ignore[import-untyped]

    text, number = pl.String(), pl.Float64()
    types = [text, number, number, number, text, number, pl.Int64(), pl.Boolean()]
    names = ("effect_name", "effect", *Effect._fields[2:])
    frame = pl.DataFrame(effects, schema=dict(zip(names, types, strict=True)), orient="row")
    tested, blank = (
        frame["p_value"].drop_nulls(),
        pl.Series([None] * len(effects), dtype=pl.Float64),
    )
    adjusted = stats.false_discovery_control(tested) if len(tested) else []
    frame = frame.with_columns(
        column=pl.Series(columns, dtype=pl.String),
        difference=pl.col("inside") - pl.col("outside"),
        adjusted_p=blank.scatter(frame["p_value"].is_not_null().arg_true(), adjusted),
    ).with_columns(significant=pl.col("adjusted_p") < LEVEL)
    strength = pl.col("effect").abs()
    return frame.sort(strength, descending=True, nulls_last=True, maintain_order=True)[RESULTS]
