"""Test: whether a difference, a link or a form of columns is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.hypothesis_facts import facts_of
from wideleaf.tools.actions.inference.hypothesis_methods import (
    METHODS,
    SPELLINGS,
    Alternative,
    Method,
)
from wideleaf.tools.actions.inference.hypothesis_samples import Case, gather
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.hypothesis_tests import Found

    Hypothesis = str  # checkers read no names out of a table
else:
    Hypothesis = Literal[tuple(METHODS)]
*_COUNTED, _LAST = (name for name, method in METHODS.items() if method.takes == "counts")
_OF_COUNTS = f"{', '.join(_COUNTED)} and {_LAST}"
_GROUPS = ("number", "text", "boolean", "date", "datetime")
NAMES: dict[str, Any] = {
    "column": nw.String, "other": nw.String, "test": nw.String, "statistic": nw.Float64,
    "df": nw.Float64, "df_error": nw.Float64, "p_value": nw.Float64, "significant": nw.Boolean,
    "effect": nw.String, "effect_size": nw.Float64, "rows": nw.Int64, "group_1": nw.String,
    "group_2": nw.String, "size_1": nw.Int64, "size_2": nw.Int64, "centre": nw.String,
    "centre_1": nw.Float64, "centre_2": nw.Float64,
}  # fmt: skip
"""The columns of a result, behind those it is made by."""


class Test(Action):
    """Test hypotheses, a row each: statistic, p_value, effect_size, groups' sizes and centres."""

    purpose = "statistics"
    __test__: ClassVar[bool] = False  # no test of pytest's, whatever its name
    lazy = False
    phrases = (
        "t-test", "t test", "ttest", "significance test", "significant", "significantly",
        "statistically", "hypothesis test", "chi-square", "chi square", "chi squared",
        "chi2", "anova", "analysis of variance", "mann-whitney", "wilcoxon", "kruskal", "levene",
        "shapiro", "kolmogorov", "normally distributed", "normality", "fisher exact",
        "fisher's exact", "p-value", "p value", "paired test", "equal variances",
    )  # fmt: skip
    places = frozenset(("columns", "between", "by"))

    test: Hypothesis
    columns: Columns = Field(description=f"Numbers; for {_OF_COUNTS} categories.")
    between: Column | None = Field(default=None, description="Its groups are compared.")
    groups: tuple[Scalar, ...] | None = Field(
        default=None, min_length=2, description="Values of between; default all."
    )
    by: Columns | None = Field(default=None, description="A test in each group.")
    value: float = Field(default=0, allow_inf_nan=False, description="The one-sample mean.")
    alternative: Alternative = "two-sided"
    alpha: float = Field(default=0.05, ge=1e-9, le=0.5)

    @field_validator("test", mode="before")
    @classmethod
    def _spelled(cls, test: object) -> object:
        text = str(test).lower().replace("’", "'").strip()
        if text in METHODS:
            return text
        words = "".join(" " if sign in "-_–()" else sign for sign in text if sign != "'").split()
        bare = " ".join(word for word in words if word not in ("test", "the"))
        return SPELLINGS.get(bare, bare)

    @property
    def method(self) -> Method:
        """The test, in its form for the samples that are named."""
        method = METHODS[self.test]
        if method.other and (self.between if method.takes == "each" else len(self.columns) == 1):
            return method.other
        return method

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that cannot be tested, or they are too few or too
                many for the test.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        between = None if self.between is None else resolve_column(self.between, table)
        by = resolve_groups(self.by, table, "Test's")
        made = self.model_copy(update={"columns": columns, "between": between, "by": by})
        counts = made.method.takes == "counts"
        need_kind(table, columns, *(_GROUPS if counts else ("number", "boolean")), purpose="Test")
        need_kind(table, [between] if between else [], *_GROUPS, purpose="Test's between")
        made._need_distinct()
        made._need_samples()
        if self.alternative != "two-sided" and not made.method.directed:
            raise ActionError(
                f"{self.test!r} has no direction; leave alternative {self.alternative!r} out",
                kind="argument alternative",
            )
        return made

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about."""
        return [Need(frozenset(self.column_references(*headers)[0]))]

    def run(self, *tables: Table) -> Table:
        """Make every test.

        Raises:
            ActionError: If the columns are too large to hold in memory, groups are too many or
                not there, or no test can be made of what rows there are.
        """
        made = self._made(tables[0])
        reasons = [found.reason for _, found in made]
        if made and all(reasons) and tables[0].count():
            raise ActionError(
                f"{self.test!r} cannot be made of {reasons[0]}; take other columns or rows",
                kind="too few rows",
            )
        by = self.by or ()
        names = avoid_clashes(by, [*NAMES])
        schema = {name: _plain(tables[0].schema[name]) for name in by}
        schema |= {names[name]: dtype for name, dtype in NAMES.items()}
        rows = [dict(zip(schema, [*case.key, *self._row(case, found)], strict=True))
                for case, found in made]  # fmt: skip
        frame = nw.from_dicts(rows, schema, backend="polars").lazy("polars")
        return Table(frame, found=facts_of(self, made))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was found, what it rests on, and what was left out."""
        found: list[Fact] | None = result.found
        return facts_of(self, self._made(tables[0])) if found is None else found

    def _made(self, table: Table) -> list[tuple[Case, Found]]:
        from wideleaf.tools.actions.inference import hypothesis_tests

        method, cases = self.method, gather(self, table)
        make = partial(
            getattr(hypothesis_tests, method.call),
            value=self.value, way=self.alternative, **method.given,
        )  # fmt: skip
        return [(case, hypothesis_tests.run_test(make, case.samples, method.least))
                for case in cases]  # fmt: skip

    def _row(self, case: Case, found: Found) -> list[Any]:
        """The cells of one test, as `NAMES` lists them."""
        from wideleaf.tools.actions.inference.hypothesis_tests import list_cells

        told = self.method.takes in ("two", "pairs", "counts") and len(case.labels) == 2
        labels = case.labels if told else (None, None)
        shown = list_cells(found, case.samples, labels, case.rows, self.alpha, self.method.medians)
        return [case.column, case.other, self.test, *shown]

    def _need_distinct(self) -> None:
        """Refuse a column in two roles."""
        groups = [name for name in (self.between, *(self.by or ())) if name is not None]
        for place, name in enumerate(groups):
            if name in self.columns or name in groups[:place]:
                role = "between" if name == self.between else "by"
                raise ActionError(
                    f"{name!r} makes groups and is itself tested or named twice; name other "
                    f"columns, or leave it out of {role}",
                    kind=f"argument {role}",
                )

    def _need_samples(self) -> None:
        """Refuse columns that do not make the samples of the test."""
        count, test, takes = len(self.columns), repr(self.test), self.method.takes
        if self.between and takes in ("each", "pairs"):
            what = "looks at each column alone" if takes == "each" else "compares two columns"
            raise ActionError(
                f"{test} {what}; leave between out, or give {self.between!r} as by for a test in "
                "each of its groups",
                kind="argument between",
            )
        if self.groups and not self.between:
            raise ActionError(
                "groups are values of the column between, which is not given; name it",
                kind="argument groups",
            )
        if takes == "pairs" or (takes == "counts" and not self.between):
            if count != 2:
                between = ", or one and between" if takes == "counts" else ""
                raise ActionError(
                    f"{test} is of two columns{between}; {count} are named", kind="argument columns"
                )
        elif takes in ("two", "several") and not self.between and count < 2:
            raise ActionError(
                f"{test} compares groups, and {self.columns[0]!r} is one; name the factor as "
                "between, or a second column",
                kind="argument between",
            )
        elif takes == "two" and not self.between and count > 2:
            raise ActionError(
                f"{test} compares two columns and {count} are named; take "
                f"{self.method.instead!r} for more, or name the factor as between",
                kind="argument columns",
            )


def _plain(dtype: Any) -> Any:
    """The type of a column that groups were made by; texts are texts."""
    return nw.String() if isinstance(dtype, (nw.Categorical, nw.Enum)) else dtype
